//! The form of a decision, and the decisions on a case.

use maud::{Markup, html};
use strum::VariantArray as _;

use crate::{
    app::console::case::CaseView,
    domain::console::{Decision, FormProblem, Outcome},
    http::{
        console::{layout, problem::Wrong, visit::Visit},
        link::Language,
    },
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

/// The only way to a decision.
pub(super) fn form(visit: &Visit, view: &CaseView, refused: Option<&RefusedDecision<'_>>) -> Markup {
    let (language, case) = (visit.language, &view.case);
    let outcomes: Vec<Outcome> =
        Outcome::VARIANTS.iter().copied().filter(|outcome| case.is_closed() || *outcome == Outcome::Returned).collect();
    let is_chosen = |outcome: Outcome| refused.is_some_and(|refused| refused.outcome == outcome.as_str());
    let at_reason = refused.filter(|refused| refused.is_about_reason()).map(|refused| refused.wrong);
    let at_choice = refused.filter(|refused| !refused.is_about_reason()).map(|refused| refused.wrong);
    html! {
        details.decide open[refused.is_some()] {
            summary.button { (way(view, language)) }
            form #deciding.stack method="post" action={ "/console/cases/" (case.id) "/decision" } {
                (layout::csrf(&visit.token))
                fieldset aria-describedby=[at_choice.map(|_| "choice-problem")] {
                    legend { (language.pick("Decision", "Décision")) }
                    @if let Some(wrong) = at_choice { (layout::alert_at("choice-problem", wrong)) }
                    @for (position, outcome) in outcomes.iter().enumerate() {
                        label.box {
                            input type="radio" name="outcome" value=(outcome) required checked[is_chosen(*outcome)]
                                autofocus[at_choice.is_some() && position == 0];
                            span {
                                (layout::outcome(*outcome, language))
                                span.small { (language.pick(": ", "\u{a0}: ")) (meaning(*outcome, language)) }
                            }
                        }
                    }
                }
                @if !case.is_closed() {
                    p.small { (language.pick("The case is open: it can be accepted or rejected once it is closed.", "Le dossier est ouvert\u{a0}: il peut être accepté ou refusé une fois clos.")) }
                }
                label for="reason" { (language.pick("Reason (needed unless you accept)", "Raison (nécessaire sauf si vous acceptez)")) }
                @if let Some(wrong) = at_reason { (layout::alert_at("reason-problem", wrong)) }
                p.small {
                    (language.pick(
                        "Everyone who may see the case can read it, and so can the company’s other systems. The person in the field cannot.",
                        "Toute personne qui peut voir le dossier peut la lire, et les autres systèmes de la société aussi. La personne sur le terrain ne le peut pas.",
                    ))
                }
                textarea #reason name="reason" rows="3" maxlength=(Decision::LONGEST_REASON) autofocus[at_reason.is_some()]
                    aria-invalid=[at_reason.map(|_| "true")] aria-describedby=[at_reason.map(|_| "reason-problem")] {
                    (refused.map_or("", |refused| refused.reason))
                }
                button { (language.pick("Record the decision", "Enregistrer la décision")) }
            }
            p.small {
                (language.pick(
                    "A decision changes neither the seal nor the verdict, and the person in the field gets no message. You can decide again later: the newest decision counts.",
                    "Une décision ne change ni le sceau ni le verdict, et la personne sur le terrain ne reçoit pas de message. Vous pourrez décider de nouveau\u{a0}: la décision la plus récente compte.",
                ))
            }
        }
    }
}

/// What the fold is called: what can be decided now.
fn way(view: &CaseView, language: Language) -> &'static str {
    match (view.case.is_closed(), view.decisions.is_empty()) {
        (true, true) => language.pick("Accept, reject or return the case", "Accepter, refuser ou renvoyer le dossier"),
        (true, false) => language.pick("Decide again", "Décider de nouveau"),
        (false, _) => language.pick("Return the case", "Renvoyer le dossier"),
    }
}

const fn meaning(outcome: Outcome, language: Language) -> &'static str {
    match outcome {
        Outcome::Accepted => language.pick("what was sent is enough", "ce qui a été envoyé suffit"),
        Outcome::Rejected => language.pick("what was sent is not accepted", "ce qui a été envoyé n’est pas accepté"),
        Outcome::Returned => language.pick(
            "something better is needed first; a manager asks for it next to the item",
            "il faut d’abord quelque chose de meilleur\u{a0}; un gestionnaire le demande à côté de l’élément",
        ),
    }
}

pub(super) fn list(visit: &Visit, view: &CaseView) -> Markup {
    let language = visit.language;
    html! {
        @if !view.decisions.is_empty() {
            section #decisions {
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
