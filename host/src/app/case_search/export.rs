//! The cases of a search as a table for spreadsheets (CSV, RFC 4180), made while it is read.

use std::{fmt::Write as _, sync::Arc};

use bytes::Bytes;
use futures_util::{
    StreamExt,
    stream::{self, BoxStream},
};

use super::{Found, LIMITS, Plan, look, scope};
use crate::{
    app::{App, audit, console::ConsoleUser},
    domain::case_search::{CaseSearch, Place},
    error::Result,
    store::{
        self,
        case_search::{ListedCase, SHOWN},
    },
};

/// The maximum number of cases in an export.
pub const MOST_ROWS: usize = 100_000;
/// How many cases are looked for at once.
const PART: usize = 1_000;

/// With its mark, so that spreadsheets read UTF-8.
const HEADING: &str =
    "\u{feff}reference,title,company,frame,created,state,closed,verdict,score,decision,report token\r\n";

/// The matching cases of the user, the newest first, at most [`MOST_ROWS`]. The export is in the audit log before its
/// first byte is sent.
///
/// # Errors
/// As [`search`](super::search).
pub async fn export(
    app: &Arc<App>,
    user: &ConsoleUser,
    search: &CaseSearch,
) -> Result<BoxStream<'static, Result<Bytes>>> {
    let scope = scope(app, user, search).await?;
    let mut reader = app.db.read().await?;
    let plan = Plan::make(&mut reader, scope, search, LIMITS).await?;
    drop(reader);
    let company = search.company.or(user.scope.company());
    audit::record_alone(app, &user.actor(), look("exportCases", company, search)).await?;
    let heading = stream::once(async { Ok(Bytes::from_static(HEADING.as_bytes())) });
    Ok(heading.chain(rows(Arc::clone(app), plan, search.start())).boxed())
}

/// The lines of all pages, a part after the other, each read on its own connection.
fn rows(app: Arc<App>, plan: Plan, start: Place) -> impl futures_util::Stream<Item = Result<Bytes>> + Send {
    stream::try_unfold((app, plan, Some(start), MOST_ROWS), |(app, plan, place, left)| async move {
        let Some(place) = place.filter(|_| left > 0) else { return Ok(None) };
        let mut reader = app.db.read().await?;
        let Found { places, next, .. } = plan.find(&mut reader, place, PART.min(left)).await?;
        let mut lines = String::new();
        for shown in places.chunks(SHOWN) {
            for case in store::case_search::read(&mut reader, shown).await? {
                line(&mut lines, &case);
            }
        }
        drop(reader);
        Ok(Some((Bytes::from(lines), (app, plan, next, left - places.len()))))
    })
}

fn line(lines: &mut String, case: &ListedCase) {
    let fields = [
        case.reference().to_string(),
        case.title.clone(),
        case.company_name.clone(),
        case.frame_name.clone(),
        case.created_at.to_string(),
        if case.closed_at.is_some() { "closed" } else { "open" }.to_owned(),
        case.closed_at.map(|at| at.to_string()).unwrap_or_default(),
        case.trust_level().map_or("", Into::into).to_owned(),
        case.trust_score.map(|score| score.to_string()).unwrap_or_default(),
        case.decision.map(|outcome| outcome.to_string()).unwrap_or_default(),
        case.report_token.as_ref().map(ToString::to_string).unwrap_or_default(),
    ];
    for (position, field) in fields.iter().enumerate() {
        let comma = if position == 0 { "" } else { "," };
        // Writing to a text cannot fail.
        let _ = write!(lines, "{comma}{}", cell(field));
    }
    lines.push_str("\r\n");
}

/// A cell in quotes. A spreadsheet runs what begins like a formula, so such a text gets an apostrophe before it.
fn cell(text: &str) -> String {
    let runs = text.trim_start().starts_with(['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'])
        || text.starts_with(['\t', '\r', '\n']);
    format!("\"{}{}\"", if runs { "'" } else { "" }, text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_never_becomes_a_formula() {
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "\r=1", "\u{ff1d}1"] {
            assert!(cell(text).starts_with("\"'"), "{text:?}");
        }
        assert_eq!(cell("a \"b\", c\nd"), "\"a \"\"b\"\", c\nd\"");
        assert_eq!(cell(""), "\"\"");
    }
}
