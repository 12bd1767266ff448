//! The field for a frame of one of the user's companies: its value is `<company>/<frame>`.

use maud::{Markup, html};

use crate::{
    app::console::link::LinkChoice,
    domain::{
        console::FormProblem,
        id::{CompanyId, FrameId},
    },
    error::Result,
};

pub(super) const FIELD: &str = "frame";

/// The options are grouped by company. `chosen` is the value that was sent before.
pub(super) fn field(choices: &[LinkChoice], chosen: &str) -> Markup {
    html! {
        select id=(FIELD) name=(FIELD) required {
            @for choice in choices {
                optgroup label=(choice.company_name) {
                    @for (frame, name) in &choice.frames {
                        @let value = format!("{}/{frame}", choice.company);
                        option value=(value) selected[chosen == value] { (name) }
                    }
                }
            }
        }
    }
}

pub(super) fn read(value: &str) -> Result<(CompanyId, FrameId)> {
    let chosen = value.split_once('/');
    let chosen = chosen.and_then(|(company, frame)| Some((CompanyId::parse(company)?, FrameId::parse(frame)?)));
    Ok(chosen.ok_or(FormProblem::NoFrame)?)
}
