//! Where a case is: whether it can still change, what was decided on it, and what a person was asked for again. Each has a
//! line of its own, because a closed case may be undecided and an open one may be returned.

use maud::{Markup, html};

use crate::{
    app::console::case::CaseView,
    http::{
        console::{
            layout,
            words::{self, Names},
        },
        link::Language,
    },
};

pub(super) fn section(view: &CaseView, names: &Names<'_>) -> Markup {
    let language = names.language;
    html! {
        dl.facts.summary.status {
            dt { (language.pick("State", "État")) } dd { (state(view, language)) }
            dt { (language.pick("Decision", "Décision")) } dd { (decision(view, language)) }
            (requests(view, names))
        }
    }
}

fn state(view: &CaseView, language: Language) -> Markup {
    let Some(at) = view.case.closed_at else {
        return html! {
            strong { (language.pick("open", "ouvert")) }
            (language.pick(": something can still be added", "\u{a0}: des éléments peuvent encore être ajoutés"))
        };
    };
    let is_sealed = view.certificate.as_ref().is_some_and(|certificate| certificate.pdf.is_some());
    html! {
        strong {
            @if is_sealed {
                (language.pick("closed and sealed", "clos et scellé"))
            } @else {
                (language.pick("closed; the seal is not made yet", "clos\u{a0}; le sceau n’est pas encore établi"))
            }
        }
        ", " (layout::moment(at))
        (language.pick(": nothing in it can change", "\u{a0}: rien ne peut plus y changer"))
    }
}

/// The newest decision, which counts.
fn decision(view: &CaseView, language: Language) -> Markup {
    let Some(newest) = view.decisions.first() else {
        return html! {
            strong { (words::undecided(language)) }
            @if !view.case.is_closed() {
                (language.pick(
                    ": a case is accepted or rejected after it is closed",
                    "\u{a0}: un dossier est accepté ou refusé une fois clos",
                ))
            }
        };
    };
    html! {
        strong { (layout::outcome(newest.outcome, language)) }
        (language.pick(" by ", " par ")) (newest.decided_by) ", " (layout::moment(newest.decided_at))
        @if !newest.reason.is_empty() { (language.pick(": ", "\u{a0}: ")) q { (newest.reason) } }
        @if view.decisions.len() > 1 {
            " · " a href="#decisions" {
                (language.pick("all decisions", "toutes les décisions")) " (" (view.decisions.len()) ")"
            }
        }
    }
}

/// Requests for another capture that no one has answered. Those of a closed case cannot be answered any more.
fn requests(view: &CaseView, names: &Names<'_>) -> Markup {
    let language = names.language;
    let open = view.items.iter().filter(|shown| !shown.is_replaced && !view.case.is_closed());
    let open: Vec<_> = open.filter_map(|shown| Some((shown.item.id, shown.retake.as_ref()?))).collect();
    html! {
        @if !open.is_empty() {
            dt { (language.pick("Asked for again", "Redemandé")) }
            dd {
                ul.plain {
                    @for (item, request) in open {
                        li {
                            a href={ "#item-" (item) } { (names.item(item)) }
                            (language.pick(": ", "\u{a0}: ")) q { (request.reason) }
                            (language.pick(", waits for the person", ", en attente de la personne"))
                        }
                    }
                }
            }
        }
    }
}
