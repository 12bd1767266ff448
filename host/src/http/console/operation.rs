//! The installation for its operator: what the checks find, which certificates end, how full the disks are, what waits,
//! what failed, and which plugins fail or differ.

mod checks;
mod plugins;

use axum::extract::State;
use maud::{Markup, html};

use super::{
    layout::{self, Section},
    problem::PageResult,
    visit::Visit,
    words,
};
use crate::{
    app::{
        console::operation::{self, OperationView, Subject},
        queue::count_text,
    },
    http::{link::Language, shared::Shared},
};

/// `GET /console/operation`
pub(super) async fn show(State(shared): State<Shared>, visit: Visit) -> PageResult {
    let view = operation::view(&shared.app).await?;
    let title = visit.language.pick("Operation", "Exploitation");
    let main = html! {
        h1 { (title) }
        (state(&visit, &view))
        (checks::sections(visit.language, &view))
        (jobs(&visit, &view))
        (attempts(&visit, &view))
        (plugins::in_service(visit.language, &view))
        (plugins::shadows(visit.language, &view))
        section {
            h2 { (visit.language.pick("Backtests", "Essais de plugins")) }
            p {
                a href="/console/backtests" {
                    (visit.language.pick("Try a plugin on stored cases", "Essayer un plugin sur des dossiers enregistrés"))
                }
            }
        }
    };
    Ok(layout::page(&visit, Section::Operation, title, &main))
}

fn state(visit: &Visit, view: &OperationView) -> Markup {
    let language = visit.language;
    html! {
        dl.facts.summary {
            dt { (language.pick("State", "État")) }
            dd {
                @match &view.problem {
                    None => { (language.pick("ready", "prêt")) }
                    Some(problem) => span.found lang="en" { (problem) }
                }
            }
            dt { (language.pick("Version", "Version")) } dd { (env!("CARGO_PKG_VERSION")) }
            dt { (language.pick("Longest wait", "Plus longue attente")) }
            dd {
                @match view.queue.oldest {
                    Some((kind, seconds)) => { (words::job(kind, language)) ", " (seconds) " s" }
                    None => { (language.pick("nothing waits", "rien n’attend")) }
                }
            }
            @for (kind, job_state, count) in &view.queue.stopped {
                dt { (words::job(*kind, language)) }
                dd.found { (count_text(*count)) " " (words::job_state(*job_state, language)) }
            }
        }
    }
}

fn jobs(visit: &Visit, view: &OperationView) -> Markup {
    let language = visit.language;
    html! {
        section {
            h2 { (language.pick("Jobs", "Tâches")) }
            @if view.jobs.is_empty() { p { (language.pick("No job waits.", "Aucune tâche n’attend.")) } }
            @if !view.jobs.is_empty() {
                table {
                    thead {
                        tr {
                            th scope="col" { (language.pick("Job", "Tâche")) }
                            th scope="col" { (language.pick("State", "État")) }
                            th scope="col" { (language.pick("Due", "Prévue")) }
                            th scope="col" { (language.pick("Problem", "Problème")) }
                        }
                    }
                    tbody {
                        @for job in &view.jobs {
                            tr {
                                th scope="row" {
                                    (words::job(job.kind, language)) br;
                                    (subject(job.kind.subject(), job.subject, language))
                                }
                                td { (words::job_state(job.state, language)) }
                                td { (layout::moment(job.due_at)) }
                                td.small lang="en" {
                                    @if let Some(part) = &job.waits_for { (part) " " }
                                    @if let Some(error) = &job.last_error { (error) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What a job is about, with a link if it has a page.
fn subject(kind: Subject, number: i64, language: Language) -> Markup {
    match kind {
        Subject::Item => html! { (language.pick("item ", "élément ")) (number) },
        Subject::Case => {
            html! { a href={ "/console/cases/" (number) } { (language.pick("case ", "dossier ")) (number) } }
        }
        Subject::DeletedCase => html! { (language.pick("case ", "dossier ")) (number) },
        Subject::Backtest => html! {
            a href={ "/console/backtests/" (number) } { (language.pick("backtest ", "essai ")) (number) }
        },
    }
}

fn attempts(visit: &Visit, view: &OperationView) -> Markup {
    let language = visit.language;
    html! {
        section {
            h2 { (language.pick("Webhooks that failed lately", "Webhooks qui ont échoué récemment")) }
            @if view.failed_attempts.is_empty() { p { (language.pick("None.", "Aucun.")) } }
            ul.rows {
                @for attempt in &view.failed_attempts {
                    li {
                        div {
                            a href={ "/console/cases/" (attempt.case_id) } { (language.pick("case ", "dossier ")) (attempt.case_id) }
                            " · " (layout::moment(attempt.started_at)) " · "
                            @match (attempt.status, &attempt.error) {
                                (Some(status), _) => { (status) }
                                (None, Some(error)) => span lang="en" { (error) }
                                (None, None) => {}
                            }
                            br;
                            span.small.address { (attempt.url) }
                        }
                    }
                }
            }
        }
    }
}
