//! How the numbers of a case came about, as a tree: signals, documents, their checks, and what each plugin found where.

use maud::{Markup, html};

use super::visit::Visit;
use crate::{
    app::analysis::explain::{ExplainedItem, Explanation},
    domain::analysis::{
        AnalysisProgress, TrustLevel,
        judgement::{Finding, FindingState},
        score::{Part, Sum},
    },
    http::link::Language,
};

/// The verdict with everything that it rests on.
pub(super) fn tree(visit: &Visit, explanation: &Explanation) -> Markup {
    let language = visit.language;
    let analysis = &explanation.analysis;
    html! {
        section #verdict {
            h2 { (language.pick("Verdict", "Verdict")) }
            // Without a verdict the numbers would look like one.
            @if explanation.verdict.is_some() {
                p.verdict {
                    (level(analysis.trust_level, language)) " "
                    strong { (analysis.trust_score) } (language.pick(" of 100", " sur 100"))
                }
            }
            @match &explanation.verdict {
                None => p { (language.pick("No verdict yet: these are the results so far.", "Pas encore de verdict : voici les résultats jusqu’ici.")) },
                Some(verdict) => {
                    @if verdict.progress == AnalysisProgress::Failed {
                        p.alert {
                            (language.pick(
                                "A document was not examined in time. The score is partial: do not accept the case without looking.",
                                "Un document n’a pas été examiné à temps. Le score est partiel : n’acceptez pas le dossier sans regarder.",
                            ))
                        }
                    }
                    (sum(language.pick("Signals", "Signaux"), &verdict.account.trust, language))
                    @for not_run in &verdict.account.not_run {
                        p.small { (language.pick("Not run: ", "Non exécuté : ")) (not_run.plugin) ": " (not_run.reason) }
                    }
                }
            }
            @for item in &explanation.items { (document(item, language)) }
        }
    }
}

/// A level in words and colour; the words alone say it.
pub(super) fn level(level: TrustLevel, language: Language) -> Markup {
    let (class, text) = match level {
        TrustLevel::Good => ("good", language.pick("Good", "Bon")),
        TrustLevel::Suspicious => ("suspicious", language.pick("Suspicious", "Suspect")),
        TrustLevel::Critical => ("critical", language.pick("Critical", "Critique")),
    };
    html! { span class={ "level " (class) } { (text) } }
}

fn document(item: &ExplainedItem, language: Language) -> Markup {
    html! {
        @if let Some(account) = &item.account {
            details {
                summary {
                    (language.pick("Document, item ", "Document, élément ")) (item.item_id) ": " (account.document_type)
                    @if let Some(score) = account.trust.score { " · " (language.pick("trust ", "confiance ")) (score) }
                }
                p.small { a href={ "#item-" (item.item_id) } { (language.pick("Show the document", "Voir le document")) } }
                (sum(language.pick("Trust", "Confiance"), &account.trust, language))
                (sum(
                    language.pick("Falsification (100 means nothing wrong)", "Falsification (100 : rien d’anormal)"),
                    &account.falsification,
                    language,
                ))
                (sum(language.pick("Type of document", "Type de document"), &account.conformity, language))
                (sum(language.pick("Cross-check of entries", "Recoupement des saisies"), &account.cross_check, language))
            }
        } @else if let Some(failure) = &item.failure {
            p.small { (language.pick("Item ", "Élément ")) (item.item_id) ": " (failure) }
        }
    }
}

fn sum(title: &str, sum: &Sum, language: Language) -> Markup {
    if sum.parts.is_empty() && sum.score.is_none() {
        return html! {};
    }
    let is_open = sum.parts.iter().any(is_worth_a_look);
    html! {
        details.sum open[is_open] {
            summary {
                (title) ": "
                @match sum.score {
                    Some(score) => strong { (score) },
                    None => (language.pick("nothing to judge", "rien à juger")),
                }
            }
            table {
                thead {
                    tr {
                        th scope="col" { (language.pick("What", "Quoi")) }
                        th.number scope="col" { (language.pick("Score", "Score")) }
                        th.number scope="col" { (language.pick("Share", "Poids")) }
                        th.number scope="col" { (language.pick("Points lost", "Points perdus")) }
                        th scope="col" { (language.pick("Plugin", "Module")) }
                    }
                }
                tbody {
                    @for part in by_points_lost(sum) { (row(sum, part, language)) }
                }
            }
            @for note in &sum.notes { p.small lang="en" { (note) } }
        }
    }
}

fn is_worth_a_look(part: &Part) -> bool {
    part.findings.iter().any(|finding| finding.state == FindingState::Found)
}

fn row(sum: &Sum, part: &Part, language: Language) -> Markup {
    html! {
        tr {
            th scope="row" {
                (part.name)
                @if let Some(note) = &part.note { br; span.small lang="en" { (note) } }
            }
            td.number { @match part.score { Some(score) => (score), None => "—" } }
            td.number { (number(sum.share(part) * 100.0, language)) " %" }
            td.number { (number(points_lost(sum, part), language)) }
            td.small { @if let Some(plugin) = &part.plugin { (plugin) } }
        }
        @for finding in &part.findings {
            tr.finding { td colspan="5" { (finding_text(finding, language)) } }
        }
    }
}

/// The parts, first those that cost the most.
fn by_points_lost(sum: &Sum) -> Vec<&Part> {
    let mut parts: Vec<&Part> = sum.parts.iter().collect();
    parts.sort_by(|one, other| points_lost(sum, other).total_cmp(&points_lost(sum, one)));
    parts
}

/// How much a part lowers the sum, before a cap: its share of what it lacks to 100.
fn points_lost(sum: &Sum, part: &Part) -> f64 {
    part.score.map_or(0.0, |score| f64::from(100_u8.saturating_sub(score)) * sum.share(part))
}

fn number(value: f64, language: Language) -> String {
    let text = format!("{value:.1}");
    if language == Language::French { text.replace('.', ",") } else { text }
}

fn finding_text(finding: &Finding, language: Language) -> Markup {
    let Finding { code, state, item, place, text } = finding;
    let (class, state) = match state {
        FindingState::Found => ("found", language.pick("found", "trouvé")),
        FindingState::NotFound => ("", language.pick("not detected", "non détecté")),
        FindingState::NotRun => ("", language.pick("not looked for", "non recherché")),
    };
    html! {
        span class=(class) { (state) } " · " span lang="en" { (text) }
        span.small {
            " " (code)
            @if let Some(item) = item {
                ", " a href={ "#item-" (item) } { (language.pick("item ", "élément ")) (item) }
            }
            @if let Some(place) = place { (language.pick(", page ", ", page ")) (place.page) }
        }
    }
}
