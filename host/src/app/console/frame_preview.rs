//! The page of a link as the console shows it for a frame: what the capture API would answer, if someone had such a link.

use crate::{
    app::{
        App,
        appearance::AppearanceView,
        capture::{CaptureView, FormView, LimitsView, StepView},
        export::StoredCompany,
        link::LinkState,
    },
    domain::company_manifest::Frame,
};

/// The page that the holder of a link for this frame would see. No link is made, and nothing is stored.
pub fn of_frame(app: &App, stored: &StoredCompany, frame: &Frame) -> CaptureView {
    let steps = frame.steps.iter().map(|step| StepView {
        step_id: step.id,
        title: step.title.clone(),
        description: step.description.clone(),
        action: step.action,
        options: step.options.clone(),
        mandatory: step.mandatory,
    });
    CaptureView {
        state: LinkState::Usable,
        company_name: stored.company.name.clone(),
        appearance: AppearanceView::of(app, &stored.company),
        expiration_date: None,
        server_time: app.clock.now(),
        can_open_case: true,
        form: Some(FormView { frame_id: frame.id, name: frame.name.clone(), steps: steps.collect() }),
        open_cases: Vec::new(),
        limits: LimitsView::default(),
    }
}
