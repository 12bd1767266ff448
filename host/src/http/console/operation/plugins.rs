//! The plugins: which fail, for which company, and how often shadows agree with those that count.

use maud::{Markup, html};

use crate::{
    app::console::operation::{OperationView, PluginProblem, ShadowSubject, ShownShadow},
    http::link::Language,
};

/// How much of a component's digest is shown.
const SHOWN_DIGITS: usize = 12;

pub(super) fn in_service(language: Language, view: &OperationView) -> Markup {
    html! {
        section {
            h2 { (language.pick("Plugins in service", "Plugins en service")) }
            ul.rows {
                @for plugin in &view.plugins {
                    li {
                        div {
                            strong { (plugin.name) } " " (plugin.version)
                            @if plugin.calls > 0 {
                                " · " (plugin.calls) (language.pick(" calls, 95 % within ", " appels, 95 % en moins de "))
                                (plugin.usual_millis) " ms"
                            }
                            @for problem in &plugin.problems { (failures(language, problem)) }
                        }
                    }
                }
            }
        }
    }
}

fn failures(language: Language, problem: &PluginProblem) -> Markup {
    html! {
        br;
        span.found.small {
            (language.pick("company ", "société ")) (problem.company)
            @if problem.is_shadow { (language.pick(" (shadow)", " (fantôme)")) }
            (language.pick(": ", "\u{a0}: "))
            @if problem.is_out_of_service { (language.pick("out of service: ", "hors service\u{a0}: ")) }
            (problem.failed) (language.pick(" of ", " appels sur ")) (problem.calls)
            (language.pick(" calls failed, the last with: ", " ont échoué, le dernier avec\u{a0}: "))
            @match &problem.last_failure {
                Some(message) => span lang="en" { (message) },
                None => (language.pick("no message", "aucun message")),
            }
        }
        @if !problem.log.is_empty() {
            details {
                summary { (language.pick("Its log during this call", "Son journal pendant cet appel")) }
                @for line in &problem.log { code lang="en" { (line) } br; }
            }
        }
    }
}

pub(super) fn shadows(language: Language, view: &OperationView) -> Markup {
    html! {
        section {
            h2 { (language.pick("Shadow plugins in the last 30 days", "Plugins fantômes ces 30 derniers jours")) }
            @if view.shadows.is_empty() {
                p { (language.pick("No shadow was asked.", "Aucun plugin fantôme n’a été interrogé.")) }
            }
            ul.rows {
                @for shadow in &view.shadows { (agreement(language, shadow)) }
            }
        }
    }
}

fn agreement(language: Language, ShownShadow { company_name, tally }: &ShownShadow) -> Markup {
    let digest = tally.digest.to_string();
    let shown = digest.get(..SHOWN_DIGITS).unwrap_or_default();
    let subject = match tally.subject {
        ShadowSubject::Document => language.pick("documents", "documents"),
        ShadowSubject::Case => language.pick("cases", "dossiers"),
    };
    let differed = format!("{}{}", tally.differed, language.pick(" differed", " divergents"));
    html! {
        li {
            div {
                strong { (tally.plugin) } " " (tally.version) " " code title=(digest) { (shown) }
                " · " (company_name) " (" (tally.company) ")"
                br;
                (subject) ": "
                (tally.agreed) (language.pick(" agreed, ", " concordants, "))
                @if tally.differed > 0 { span.found { (differed) } } @else { (differed) }
                ", " (tally.unanswered) (language.pick(" without an answer to compare", " sans réponse à comparer"))
            }
        }
    }
}
