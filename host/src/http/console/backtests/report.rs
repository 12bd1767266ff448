//! The page of a backtest: what was asked for, how far it is, and its report.

use maud::{Markup, html};
use serde_json::{Map, Value};

use super::words::{ADDRESS, address, state};
use crate::{
    app::{
        backtest::{Backtest, Calls, CaseChange, Subject},
        console::backtest::{BacktestState, ShownBacktest},
    },
    http::{
        console::{layout, verdict, visit::Visit},
        link::Language,
    },
};

pub(super) fn page(visit: &Visit, shown: &ShownBacktest, title: &str) -> Markup {
    let language = visit.language;
    let is_open = shown.stored.state == BacktestState::Open;
    html! {
        h1 { (title) }
        p { a href=(ADDRESS) { (language.pick("All backtests", "Tous les essais")) } }
        (request(shown, language))
        @if is_open { (progress(visit, shown)) }
        @if let Some(report) = &shown.report { (results(shown, report, language)) }
    }
}

fn request(shown: &ShownBacktest, language: Language) -> Markup {
    let stored = &shown.stored;
    html! {
        dl.facts.summary {
            dt { (language.pick("State", "État")) } dd { (state(stored, language)) }
            dt { (language.pick("Plugin", "Plugin")) }
            dd { strong { (stored.plugin) } " " (stored.version) " " span.hash { (stored.digest) } }
            dt { (language.pick("Settings", "Réglages")) }
            dd {
                @match &stored.settings {
                    // Some may be secrets.
                    Some(settings) => (names_of(settings)),
                    None => { (language.pick("those of the company, if it uses the plugin", "ceux de la société, si elle utilise le plugin")) }
                }
            }
            dt { (language.pick("Company", "Société")) }
            dd { (layout::company(stored.company, shown.company_name.as_deref())) }
            dt { (language.pick("Cases", "Dossiers")) }
            dd {
                (language.pick("closed since ", "clos depuis le ")) (layout::moment(stored.since))
                (language.pick(", at most ", ", au plus ")) (stored.most)
            }
            dt { (language.pick("Started", "Lancé")) } dd { (layout::moment(stored.started_at)) ", " (stored.started_by) }
            @if let Some(ended_at) = stored.ended_at {
                dt { (language.pick("Ended", "Terminé")) } dd { (layout::moment(ended_at)) }
            }
        }
    }
}

/// The names of settings that were tried.
fn names_of(settings: &str) -> String {
    let settings: Map<String, Value> = serde_json::from_str(settings).unwrap_or_default();
    settings.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
}

fn progress(visit: &Visit, shown: &ShownBacktest) -> Markup {
    let language = visit.language;
    let id = shown.stored.id;
    let failed = shown.job.as_ref().and_then(|job| Some((job, job.last_error.as_ref()?)));
    html! {
        @if let Some((job, error)) = failed {
            p.small {
                (language.pick("Its job, ", "Sa tâche, ")) span lang="en" { (job.state) ": " (error) }
            }
        }
        div.actions {
            a.button href=(address(id)) { (language.pick("Load the page again", "Recharger la page")) }
            form method="post" action={ (address(id)) "/stop" } {
                (layout::csrf(&visit.token))
                button.quiet { (language.pick("Stop", "Arrêter")) }
            }
        }
    }
}

fn results(shown: &ShownBacktest, report: &Backtest, language: Language) -> Markup {
    let replaced = if report.candidate.replaced.is_empty() {
        language.pick("Alongside the plugins in service", "En plus des plugins en service").to_owned()
    } else {
        format!("{} {}", language.pick("In place of", "À la place de"), report.candidate.replaced.join(", "))
    };
    html! {
        section #report {
            h2 { (language.pick("What would change", "Ce qui changerait")) }
            @if report.interrupted {
                p.alert { (language.pick("It ended early: these are the results so far.", "Il s’est terminé tôt : voici les résultats jusqu’ici.")) }
            }
            @if report.limited {
                p { (language.pick("There are older cases than these.", "Il y a des dossiers plus anciens que ceux-ci.")) }
            }
            p { (replaced) "." }
            (numbers(shown, report, language))
        }
        (cases(shown, report, language))
        (subjects(report, language))
        (calls(report, language))
    }
}

fn numbers(shown: &ShownBacktest, report: &Backtest, language: Language) -> Markup {
    html! {
        dl.facts.summary {
            dt { (language.pick("Cases", "Dossiers")) } dd { (report.cases) }
            dt { (language.pick("Score changed", "Score différent")) } dd { (report.scores_changed) }
            dt { (language.pick("Level changed", "Niveau différent")) }
            dd { (shown.stored.levels_changed.unwrap_or_default()) }
            dt { (language.pick("Stored level differs from today’s", "Niveau enregistré différent de celui d’aujourd’hui")) }
            dd { (report.differ_already) }
            dt { (language.pick("Documents", "Documents")) } dd { (report.documents) }
            dt { (language.pick("Result changed", "Résultat différent")) } dd { (report.documents_changed) }
            @for (reason, count) in &report.documents_left {
                dt { (language.pick("Not examined again", "Non réexaminés")) }
                dd { (count) ": " span lang="en" { (reason) } }
            }
        }
    }
}

fn cases(shown: &ShownBacktest, report: &Backtest, language: Language) -> Markup {
    let names = [
        language.pick("Case", "Dossier"),
        language.pick("Level now", "Niveau actuel"),
        language.pick("Level with the plugin", "Niveau avec le plugin"),
    ];
    let listed = i64::try_from(report.levels_changed.len()).unwrap_or(i64::MAX);
    html! {
        section #cases {
            h2 { (language.pick("Cases that would change their level", "Dossiers qui changeraient de niveau")) }
            @if shown.stored.levels_changed.is_some_and(|changed| changed > listed) {
                p {
                    (language.pick(
                        "Not all are listed: at most 1,000 are, without those that were deleted since.",
                        "Tous ne sont pas listés\u{a0}: au plus 1\u{a0}000, sans ceux qui ont été supprimés depuis.",
                    ))
                }
            }
            @if report.levels_changed.is_empty() {
                p { (language.pick("None.", "Aucun.")) }
            } @else {
                table.cases {
                    thead { tr { @for name in names { th scope="col" { (name) } } } }
                    tbody {
                        @for CaseChange { case_id, cf_ref, before, after } in &report.levels_changed {
                            tr {
                                th scope="row" data-name=(names[0]) { a href={ "/console/cases/" (case_id) } { (cf_ref) } }
                                td data-name=(names[1]) {
                                    span { (verdict::level(before.trust_level, language)) " " (before.trust_score) }
                                }
                                td data-name=(names[2]) {
                                    span { (verdict::level(after.trust_level, language)) " " (after.trust_score) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn subjects(report: &Backtest, language: Language) -> Markup {
    let names = [
        language.pick("Subject", "Sujet"),
        language.pick("Answers", "Réponses"),
        language.pick("Changed", "Différentes"),
        language.pick("Higher", "Plus hautes"),
        language.pick("Lower", "Plus basses"),
        language.pick("New", "Nouvelles"),
        language.pick("Gone", "Disparues"),
    ];
    html! {
        section #subjects {
            h2 { (language.pick("Answers of the plugin", "Réponses du plugin")) }
            @if report.subjects.is_empty() {
                p { (language.pick("Nothing.", "Rien.")) }
            } @else {
                table.cases {
                    thead { tr { @for name in names { th scope="col" { (name) } } } }
                    tbody { @for subject in &report.subjects { (subject_row(subject, names)) } }
                }
            }
        }
    }
}

fn subject_row(subject: &Subject, names: [&str; 7]) -> Markup {
    let Subject { role, name, answers, changed, score_higher, score_lower, new, gone } = subject;
    let numbers = [answers, changed, score_higher, score_lower, new, gone];
    html! {
        tr {
            th scope="row" data-name=(names[0]) { span { (role) ": " (name.escape_debug()) } }
            @for (column, number) in names.iter().skip(1).zip(numbers) {
                td data-name=(column) { span { (number) } }
            }
        }
    }
}

fn calls(report: &Backtest, language: Language) -> Markup {
    let Calls { made, failures, messages, p50, p99, memory, .. } = &report.calls;
    let failed: usize = failures.values().sum();
    html! {
        section #calls {
            h2 { (language.pick("Its calls", "Ses appels")) }
            dl.facts.summary {
                dt { (language.pick("Calls", "Appels")) } dd { (made) }
                dt { (language.pick("Failed", "Échoués")) } dd { (failed) }
                @for (kind, count) in failures {
                    dt lang="en" { (kind) } dd { (count) }
                }
                dt { (language.pick("Half of them took at most", "La moitié a pris au plus")) } dd { (p50) " µs" }
                dt { (language.pick("99 % took at most", "99\u{a0}% ont pris au plus")) } dd { (p99) " µs" }
                dt { (language.pick("Most memory", "Mémoire maximale")) } dd { (memory / 1024) " KiB" }
                dt { (language.pick("Answers reused from records", "Réponses reprises des enregistrements")) }
                dd { (report.from_records) }
            }
            @for message in messages { p.small.found lang="en" { (message) } }
        }
    }
}
