//! The audit log: who did or saw what, found by filters and exported. Users see the records of their companies, operators
//! see all.

use axum::{
    extract::{Query, State},
    http::StatusCode,
};
use bytes::Bytes;
use futures_util::{
    StreamExt as _, TryStreamExt as _,
    stream::{self, BoxStream},
};
use maud::{Markup, html};
use serde::Deserialize;

use super::{
    layout::{self, Section},
    problem::{PageResult, Wrong, form_problem},
    visit::Visit,
};
use crate::{
    app::audit::{
        self, AuditFilter, AuditRecord, Event,
        export::{ExportFormat, records},
    },
    clock::Timestamp,
    domain::{
        console::Action,
        id::CompanyId,
        moment::{parse_day, parse_moment},
    },
    error::{Error, Result},
    http::{link::Language, parts, shared::Shared},
};

const ADDRESS: &str = "/console/audit";

/// How many records are on a page.
const ON_PAGE: u32 = 100;

/// The fields of the form as they were entered, and the place in the list.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Asked {
    company: String,
    actor: String,
    action: String,
    subject: String,
    since: String,
    until: String,
    /// The identifier of the last record of the page before.
    before: String,
}

impl Asked {
    fn filter(&self, visit: &Visit) -> Result<AuditFilter> {
        let text = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let company = text(&self.company).map(|text| {
            CompanyId::parse(&text).ok_or_else(|| Error::invalid("company: must be the identifier of a company"))
        });
        Ok(AuditFilter {
            scope: visit.user.scope,
            company: company.transpose()?,
            actor: text(&self.actor),
            action: text(&self.action),
            subject: text(&self.subject),
            since: moment("since", &self.since)?,
            until: moment("until", &self.until)?,
        })
    }

    fn before(&self) -> Result<Option<i64>> {
        let wrong = |_| Error::invalid("before: must be the identifier of a record");
        Some(self.before.trim()).filter(|text| !text.is_empty()).map(|text| text.parse().map_err(wrong)).transpose()
    }

    /// The query of an address with these filters, of the page after the record `before`.
    fn query(&self, before: Option<i64>) -> String {
        let fields = [
            ("company", &self.company),
            ("actor", &self.actor),
            ("action", &self.action),
            ("subject", &self.subject),
            ("since", &self.since),
            ("until", &self.until),
        ];
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(fields.into_iter().filter(|(_, value)| !value.trim().is_empty()));
        if let Some(before) = before {
            query.append_pair("before", &before.to_string());
        }
        query.finish()
    }
}

fn moment(field: &str, text: &str) -> Result<Option<Timestamp>> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let wrong = || Error::invalid(format!("{field}: enter a date such as 2026-11-20, or a time with its offset"));
    parse_day(text).or_else(|| parse_moment(text)).ok_or_else(wrong).map(Some)
}

/// `GET /console/audit`
pub(super) async fn show(State(shared): State<Shared>, visit: Visit, Query(asked): Query<Asked>) -> PageResult {
    let read = async {
        let (filter, before) = (asked.filter(&visit)?, asked.before()?);
        look(&shared, &visit, Action::ShowAudit, &filter).await?;
        audit::newest(&shared.app.db, &filter, before, ON_PAGE).await
    };
    let (status, problem, records) = match form_problem(read.await, visit.language)? {
        Ok(records) => (StatusCode::OK, None, records),
        Err(problem) => (StatusCode::BAD_REQUEST, Some(problem), Vec::new()),
    };
    let (title, main) = page(&shared, &visit, &asked, problem.as_ref(), &records).await?;
    Ok(layout::page_with(status, &visit, Section::Audit, title, &main))
}

/// `GET /console/audit.jsonl`: all matching records, the oldest first.
pub(super) async fn export(State(shared): State<Shared>, visit: Visit, Query(asked): Query<Asked>) -> PageResult {
    let lines = exported(&shared, &visit, &asked, Action::ExportAudit, ExportFormat::Jsonl).await?;
    Ok(parts::json_lines(lines, "audit.jsonl")?)
}

/// `GET /console/audit.csv`: the same as a table for spreadsheets.
pub(super) async fn export_table(State(shared): State<Shared>, visit: Visit, Query(asked): Query<Asked>) -> PageResult {
    let lines = exported(&shared, &visit, &asked, Action::ExportAuditTable, ExportFormat::Csv).await?;
    // With its mark, so that spreadsheets read UTF-8.
    let heading = format!("\u{feff}{}", ExportFormat::Csv.heading());
    let lines = stream::once(async move { Ok(Bytes::from(heading)) }).chain(lines);
    Ok(parts::table(lines.boxed(), "audit.csv")?)
}

/// The lines of all matching records, after the export is recorded itself.
async fn exported(
    shared: &Shared,
    visit: &Visit,
    asked: &Asked,
    action: Action,
    format: ExportFormat,
) -> Result<BoxStream<'static, Result<Bytes>>> {
    let filter = asked.filter(visit)?;
    look(shared, visit, action, &filter).await?;
    let parts = records(&shared.app.db, filter).await?;
    let lines = parts.and_then(move |part| async move {
        let lines: Result<Vec<String>> = part.iter().map(|record| format.line(record)).collect();
        Ok(Bytes::from(lines?.concat()))
    });
    Ok(lines.boxed())
}

/// Records the look at the log itself.
async fn look(shared: &Shared, visit: &Visit, action: Action, filter: &AuditFilter) -> Result<()> {
    let company = filter.company.or_else(|| visit.user.scope.company());
    let event = Event::done(action.name(), company, filter.subject.clone());
    audit::record_alone(&shared.app, &visit.user.actor(), event).await
}

async fn page(
    shared: &Shared,
    visit: &Visit,
    asked: &Asked,
    problem: Option<&Wrong>,
    records: &[AuditRecord],
) -> Result<(&'static str, Markup)> {
    let language = visit.language;
    let companies = visit.user.companies(&shared.app).await?;
    let companies: Vec<(CompanyId, String)> = companies.into_iter().map(|company| (company.id, company.name)).collect();
    let title = language.pick("Audit log", "Journal d’audit");
    let main = html! {
        h1 { (title) }
        @if let Some(problem) = problem { (layout::alert(problem)) }
        p.small {
            (language.pick(
                "Who did or saw what. Records are chained: sealwright audit verify shows whether one was changed or removed.",
                "Qui a fait ou vu quoi. Les entrées sont chaînées\u{a0}: sealwright audit verify montre si l’une d’elles a été modifiée ou supprimée.",
            ))
        }
        (form(language, asked, &companies))
        @if records.is_empty() {
            p.empty { (language.pick("No record matches.", "Aucune entrée ne correspond.")) }
        } @else {
            (table(language, records))
        }
        (onwards(language, asked, records))
    };
    Ok((title, main))
}

fn form(language: Language, asked: &Asked, companies: &[(CompanyId, String)]) -> Markup {
    html! {
        form.search method="get" action=(ADDRESS) role="search" {
            div.fields {
                div {
                    label for="company" { (language.pick("Company", "Société")) }
                    select #company name="company" {
                        option value="" { (language.pick("all", "toutes")) }
                        @for (id, name) in companies {
                            option value=(id) selected[asked.company.trim() == id.to_string()] { (name) " (" (id) ")" }
                        }
                    }
                }
                (field("actor", language.pick("Who", "Qui"), &asked.actor, "maria"))
                (field("action", language.pick("Action", "Action"), &asked.action, "closeCase"))
                (field("subject", language.pick("On what", "Sur quoi"), &asked.subject, "case 12"))
                (field("since", language.pick("From (UTC)", "À partir du (UTC)"), &asked.since, "2026-11-20"))
                (field("until", language.pick("Before (UTC)", "Avant le (UTC)"), &asked.until, "2026-12-01"))
            }
            p.actions {
                button { (language.pick("Search", "Chercher")) }
                a href=(ADDRESS) { (language.pick("Clear", "Effacer")) }
            }
        }
    }
}

fn field(name: &str, label: &str, value: &str, example: &str) -> Markup {
    html! {
        div {
            label for=(name) { (label) }
            input id=(name) name=(name) value=(value) placeholder=(example) autocomplete="off" autocapitalize="none"
                spellcheck="false" maxlength="200";
        }
    }
}

fn table(language: Language, records: &[AuditRecord]) -> Markup {
    let headings = [
        language.pick("When", "Quand"),
        language.pick("Who", "Qui"),
        language.pick("Action", "Action"),
        language.pick("On what", "Sur quoi"),
        language.pick("From", "Depuis"),
        language.pick("Outcome", "Résultat"),
        language.pick("Company", "Société"),
        language.pick("No.", "N°"),
    ];
    html! {
        table.cases {
            thead { tr { @for heading in headings { th scope="col" { (heading) } } } }
            tbody {
                @for record in records {
                    tr {
                        th scope="row" data-name=(headings[0]) { (layout::moment(record.happened_at)) }
                        td data-name=(headings[1]) { span { (record.actor_kind) " " (record.actor) } }
                        td data-name=(headings[2]) { code { (record.action) } }
                        td data-name=(headings[3]) { (subject(record)) }
                        td data-name=(headings[4]) { (record.address.as_deref().unwrap_or("–")) }
                        td data-name=(headings[5]) {
                            span.found[record.outcome != "done"] { (outcome(&record.outcome, language)) }
                        }
                        td data-name=(headings[6]) { @match record.company { Some(id) => { (id) }, None => { "–" } } }
                        td data-name=(headings[7]) {
                            @match record.position {
                                Some(position) => { (position) }
                                None => { (language.pick("waits", "en attente")) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The row, with a link if it is a case, and the details.
fn subject(record: &AuditRecord) -> Markup {
    let subject = record.subject.as_deref().unwrap_or("–");
    let case = subject.strip_prefix("case ").filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    html! {
        span {
            @match case {
                Some(case) => { a href={ "/console/cases/" (case) } { (subject) } }
                None => { (subject) }
            }
            @if let Some(detail) = &record.detail { br; span.small lang="en" { (detail) } }
        }
    }
}

fn outcome(outcome: &str, language: Language) -> &str {
    match outcome {
        "done" => language.pick("done", "fait"),
        "refused" => language.pick("refused", "refusé"),
        "failed" => language.pick("failed", "échoué"),
        other => other,
    }
}

/// The links below the list.
fn onwards(language: Language, asked: &Asked, records: &[AuditRecord]) -> Markup {
    let is_full = u32::try_from(records.len()) == Ok(ON_PAGE);
    html! {
        nav.pages aria-label=(language.pick("Pages", "Pages")) {
            @if !asked.before.trim().is_empty() {
                a href={ (ADDRESS) "?" (asked.query(None)) } { (language.pick("Newest records", "Entrées les plus récentes")) }
            }
            @if let Some(last) = records.last().filter(|_| is_full) {
                a rel="next" href={ (ADDRESS) "?" (asked.query(Some(last.id))) } {
                    (language.pick("Older records", "Entrées plus anciennes"))
                }
            }
            @if !records.is_empty() {
                a download href={ (ADDRESS) ".jsonl?" (asked.query(None)) } {
                    (language.pick("Export as JSON lines", "Exporter en JSON Lines"))
                }
                " "
                a download href={ (ADDRESS) ".csv?" (asked.query(None)) } { (language.pick("Export as CSV", "Exporter en CSV")) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_s_address_keeps_the_filters() {
        let asked = Asked { actor: "api a&b".to_owned(), since: " ".to_owned(), ..Asked::default() };
        assert_eq!(asked.query(None), "actor=api+a%26b");
        assert_eq!(asked.query(Some(7)), "actor=api+a%26b&before=7");
    }

    #[test]
    fn moments_are_dates_or_times() {
        assert_eq!(moment("since", " ").unwrap(), None);
        assert_eq!(moment("since", "1970-01-02").unwrap(), Some(Timestamp::from_millis(86_400_000)));
        assert_eq!(moment("since", "1970-01-01T01:00:00+01:00").unwrap(), Some(Timestamp::from_millis(0)));
        assert!(moment("until", "yesterday").is_err_and(|error| error.to_string().starts_with("until: ")));
    }
}
