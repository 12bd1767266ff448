//! The legal hold of a case: what everyone sees of it, and how administrators set and end it.

use maud::{Markup, html};

use crate::{
    app::console::case::CaseView,
    domain::legal_hold::HoldRequest,
    http::{
        console::{layout, visit::Visit},
        link::Language,
    },
};

/// Says that the case is held, and why.
pub(super) fn notice(view: &CaseView, language: Language) -> Markup {
    html! {
        @if let Some(hold) = &view.hold {
            p.notice {
                (language.pick("Under legal hold since ", "Sous conservation légale depuis le ")) (layout::moment(hold.held_at))
                (language.pick(", by ", ", par ")) (hold.held_by) (language.pick(": ", "\u{a0}: ")) (hold.reason)
            }
        }
    }
}

/// The form that sets or ends the hold.
pub(super) fn section(visit: &Visit, view: &CaseView) -> Markup {
    let (language, address) = (visit.language, format!("/console/cases/{}/hold", view.case.id));
    html! {
        section.actions {
            @if view.hold.is_some() {
                form method="post" action={ (address) "/end" } {
                    (layout::csrf(&visit.token))
                    button data-confirm=(language.pick("End the legal hold? The case can then be deleted.", "Lever la conservation légale\u{a0}? Le dossier pourra alors être supprimé.")) {
                        (language.pick("End the legal hold", "Lever la conservation légale"))
                    }
                }
            } @else {
                details {
                    summary { (language.pick("Put under legal hold", "Mettre sous conservation légale")) }
                    form.stack method="post" action=(address) {
                        (layout::csrf(&visit.token))
                        p {
                            (language.pick(
                                "The case is then deleted neither by a person nor when its time is over.",
                                "Le dossier n’est alors supprimé ni par une personne, ni à la fin de sa durée de conservation.",
                            ))
                        }
                        label for="hold-reason" { (language.pick("Reason, for example the number of a lawsuit", "Raison, par exemple le numéro d’un procès")) }
                        input #hold-reason name="hold-reason" required maxlength=(HoldRequest::LONGEST_REASON) autocomplete="off";
                        button { (language.pick("Put under legal hold", "Mettre sous conservation légale")) }
                    }
                }
            }
        }
    }
}
