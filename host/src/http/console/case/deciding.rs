//! The form of a decision, and the decisions on a case.

use maud::{Markup, html};
use strum::VariantArray as _;

use crate::{
    app::console::case::CaseView,
    domain::console::{Decision, FormProblem, Outcome},
    http::console::{layout, problem::Wrong, visit::Visit},
};

/// A decision that was not recorded: the form shows it again, with what was wrong.
pub(super) struct RefusedDecision<'a> {
    /// As it was chosen.
    pub(super) outcome: &'a str,
    pub(super) reason: &'a str,
    pub(super) wrong: &'a Wrong,
}

impl RefusedDecision<'_> {
    /// Whether the reason was wrong, and not the choice.
    const fn is_about_reason(&self) -> bool {
        use FormProblem::{ControlInReason, LongReason, NoReason};
        matches!(self.wrong.problem, Some(NoReason(_) | LongReason | ControlInReason))
    }
}

pub(super) fn form(visit: &Visit, view: &CaseView, refused: Option<&RefusedDecision<'_>>) -> Markup {
    let (language, case) = (visit.language, &view.case);
    let outcomes: Vec<Outcome> =
        Outcome::VARIANTS.iter().copied().filter(|outcome| case.is_closed() || *outcome == Outcome::Returned).collect();
    let is_chosen = |outcome: Outcome| refused.is_some_and(|refused| refused.outcome == outcome.as_str());
    let at_reason = refused.filter(|refused| refused.is_about_reason()).map(|refused| refused.wrong);
    let at_choice = refused.filter(|refused| !refused.is_about_reason()).map(|refused| refused.wrong);
    html! {
        details.decide open[refused.is_some()] {
            summary { (language.pick("Decide", "Décider")) }
            form #deciding.stack method="post" action={ "/console/cases/" (case.id) "/decision" } {
                (layout::csrf(&visit.token))
                fieldset aria-describedby=[at_choice.map(|_| "choice-problem")] {
                    legend { (language.pick("Decision", "Décision")) }
                    @if let Some(wrong) = at_choice { (layout::alert_at("choice-problem", wrong)) }
                    @for (position, outcome) in outcomes.iter().enumerate() {
                        label.box {
                            input type="radio" name="outcome" value=(outcome) required checked[is_chosen(*outcome)]
                                autofocus[at_choice.is_some() && position == 0];
                            (layout::outcome(*outcome, language))
                        }
                    }
                }
                @if !case.is_closed() {
                    p.small { (language.pick("The case is open: it can be accepted or rejected once it is closed.", "Le dossier est ouvert\u{a0}: il peut être accepté ou refusé une fois clos.")) }
                }
                label for="reason" { (language.pick("Reason (needed unless you accept)", "Raison (nécessaire sauf si vous acceptez)")) }
                @if let Some(wrong) = at_reason { (layout::alert_at("reason-problem", wrong)) }
                textarea #reason name="reason" rows="3" maxlength=(Decision::LONGEST_REASON) autofocus[at_reason.is_some()]
                    aria-invalid=[at_reason.map(|_| "true")] aria-describedby=[at_reason.map(|_| "reason-problem")] {
                    (refused.map_or("", |refused| refused.reason))
                }
                button { (language.pick("Record the decision", "Enregistrer la décision")) }
            }
            p.small { (language.pick("A decision changes neither the seal nor the verdict.", "Une décision ne change ni le sceau ni le verdict.")) }
        }
    }
}

pub(super) fn list(visit: &Visit, view: &CaseView) -> Markup {
    let language = visit.language;
    html! {
        @if !view.decisions.is_empty() {
            section {
                h2 { (language.pick("Decisions", "Décisions")) }
                ol.rows reversed {
                    @for decision in &view.decisions {
                        li {
                            div {
                                strong { (layout::outcome(decision.outcome, language)) }
                                " · " (decision.decided_by) " · " (layout::moment(decision.decided_at))
                                @if !decision.reason.is_empty() { p.entry { (decision.reason) } }
                            }
                        }
                    }
                }
            }
        }
    }
}
