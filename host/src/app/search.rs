//! Searching the cases of the caller's company (spec 4.3; decisions 6).

use std::sync::Arc;

use futures_util::{StreamExt, TryStreamExt, stream};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    App,
    archive::{self, Archive},
    audit::{self, Event},
    overview::{Parts, case_url, in_parts},
    session::Caller,
};
use crate::{
    clock::Timestamp,
    domain::{
        id::CaseId,
        metadata::Metadata,
        operation::Operation,
        report::{Contents, ReportToken},
        resource::Kind,
        search::{Format, Search},
    },
    error::{Error, Result},
    store::{
        self,
        overview::{CaseOverview, Filter, Place},
    },
};

/// How many cases are read at once if all are requested.
const PART: i64 = 500;

/// An element of a search result (spec 2.2).
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundCase {
    pub id: CaseId,
    /// `CAS-<id>_CMP-<company id>`.
    pub cf_ref: String,
    /// Null while the case is open.
    pub closing_date: Option<Timestamp>,
    pub created_at: Timestamp,
    /// When the case becomes visible in the mobile app; null if it is not scheduled.
    pub scheduled_at: Option<Timestamp>,
    pub closed: bool,
    /// The frame's name; for a closed case, as it was at its closing.
    pub frame: String,
    /// The company's name; for a closed case, as it was at its closing.
    pub company_name: String,
    /// The report token. Absent if there is none, or if it was not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "ReportToken")]
    pub report_id: Option<ReportToken>,
    /// Public URL of the certificate; null while the case is open, or if no certificate could be made.
    pub case_url: Option<String>,
    /// Exactly as provided. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Metadata")]
    pub metadata: Option<Map<String, Value>>,
}

/// The result of a search.
pub struct SearchResult {
    /// The total number of matching cases, regardless of the page (spec 4.3, rule 4).
    pub total: i64,
    pub cases: FoundCases,
}

/// The cases found, in the requested format.
pub enum FoundCases {
    List(Parts<FoundCase>),
    Archive(Archive),
}

/// Searches the caller's company. The cases are read while the response is sent.
pub async fn search(app: &Arc<App>, caller: &Caller, search: Search) -> Result<SearchResult> {
    let window = search.period.window(app.clock.now()).map_err(Error::Invalid)?;
    let company = caller.company_id();
    if search.company.is_some_and(|asked| asked != company) {
        return Err(Operation::SearchCases.foreign(Kind::Company, "companyId is another company's").into());
    }
    let filter = Filter {
        window,
        case: search.case,
        frame: search.frame,
        report_token: search.report_token,
        closed: search.closed,
    };
    let mut reader = app.db.read().await?;
    let total = store::overview::count(&mut reader, company, &filter).await?;
    drop(reader);
    let event = Event::of(Operation::SearchCases, company, None).with_detail(format!("cases found: {total}"));
    audit::record_alone(app, &caller.actor, event).await?;
    let mut reader = app.db.read().await?;
    let begin = Place::before(window.first);
    let cases = match search.page {
        Some(page) => {
            let limit = i64::from(page.limit);
            let found = store::overview::search(&mut reader, company, &filter, begin, limit, page.offset).await?;
            stream::iter([Ok(found)]).boxed()
        }
        None => in_parts(app, PART, begin, move |app, place, limit| {
            let filter = filter.clone();
            async move {
                let mut reader = app.db.read().await?;
                store::overview::search(&mut reader, company, &filter, place, limit, 0).await
            }
        }),
    };
    let cases = match search.format {
        Format::Zip => FoundCases::Archive(archive::of(app, cases, Contents::Certificates)),
        Format::Metadata => FoundCases::List(elements(app, cases, search.with_report_token)),
    };
    Ok(SearchResult { total, cases })
}

fn elements(app: &Arc<App>, cases: Parts<CaseOverview>, with_report_token: bool) -> Parts<FoundCase> {
    let app = Arc::clone(app);
    cases.map_ok(move |part| part.into_iter().map(|case| element(&app, case, with_report_token)).collect()).boxed()
}

fn element(app: &App, case: CaseOverview, with_report_token: bool) -> FoundCase {
    FoundCase {
        id: case.id,
        cf_ref: case.reference().to_string(),
        closing_date: case.closed.as_ref().map(|closed| closed.at),
        created_at: case.created_at,
        scheduled_at: case.scheduled_at,
        closed: case.closed.is_some(),
        case_url: case_url(app, &case),
        frame: case.frame_name,
        company_name: case.company_name,
        report_id: case.report_token.filter(|_| with_report_token),
        metadata: case.metadata,
    }
}
