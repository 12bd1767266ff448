//! Reports: the cases that share a report token, read by anyone who knows it or downloaded by a company that has
//! certificates in it (spec 2.4, 4.14, 4.15; decisions 10).

use std::{sync::Arc, time::Duration};

use futures_util::{StreamExt, TryStreamExt};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    App,
    archive::{self, Archive},
    audit::{self, Event},
    case::{ensure_report_budget, spend_report_budget},
    overview::{Parts, case_url, in_parts},
    session::Caller,
    shown_item::shown_item,
};
use crate::{
    clock::Timestamp,
    domain::{
        operation::Operation,
        report::{ReportDownload, ReportToken},
        resource::Kind,
        search::Format,
        step::StepAction,
    },
    error::Result,
    store::{
        self,
        item::Item,
        overview::{CaseOverview, Place},
    },
};

/// How many cases are read at once. With their items they are larger than in a search.
const PART_WITH_ITEMS: i64 = 20;
const PART: i64 = 500;

/// A case of a report (spec 2.4).
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReportCase {
    /// `CAS-<id>_CMP-<company id>`.
    pub cf_ref: String,
    /// The company's name; for a closed case, as it was at its closing.
    pub company_name: String,
    pub created_at: Timestamp,
    /// Null while the case is open.
    pub closing_date: Option<Timestamp>,
    /// The report token.
    pub report_id: ReportToken,
    /// The frame's name; for a closed case, as it was at its closing.
    pub frame: String,
    pub closed: bool,
    /// Public URL of the certificate; null while the case is open, or if no certificate could be made.
    pub case_url: Option<String>,
    /// In the order they were added.
    pub items: Vec<ReportItem>,
}

/// An item of a report (spec 2.3, `ItemDto`).
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReportItem {
    pub created_at: Timestamp,
    /// `ITM-<id>_CAS-<case id>`.
    pub cf_ref: String,
    /// What was collected, as in the case webhook: the entered value; for a file its name, for a video its URL.
    pub description: String,
    /// Decimal degrees; empty if the item has no position.
    pub geoloc_latitude: String,
    /// Decimal degrees; empty if the item has no position.
    pub geoloc_longitude: String,
    /// The entered value; for a file its name, for a video its URL.
    pub data: String,
    /// Public URL of a photo or a signature. Absent for other items.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub image_url: Option<String>,
    pub step_action: StepAction,
    pub step_title: String,
    pub step_description: String,
    /// SHA-256 of the item's file as it was sent, in lowercase hexadecimal. Absent for an item without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub image_hash: Option<String>,
    /// SHA-256 of the time-stamp token over the item's file, in lowercase hexadecimal. Absent for an item without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub tsp_token_hash: Option<String>,
}

/// The response to a download.
pub enum ReportContent {
    Archive(Archive),
    Addresses(ReportAddresses),
}

/// Where the certificates of a report are served (spec 4.15).
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReportAddresses {
    pub report_token: ReportToken,
    /// Public URLs that need no authentication, oldest case first. A certificate that could not be made has none.
    pub case_urls: Vec<String>,
}

/// Whether a report has a case.
pub async fn exists(app: &App, token: &ReportToken) -> Result<bool> {
    let mut reader = app.db.read().await?;
    Ok(store::report::has_cases(&mut reader, token).await?)
}

/// The cases of a report with their items, open ones included, oldest first. The token is the permission (spec 2.4).
pub fn read(app: &Arc<App>, token: ReportToken) -> Parts<ReportCase> {
    let of_token = token.clone();
    let cases = in_parts(app, PART_WITH_ITEMS, Place::BEGINNING, move |app, place, limit| {
        let token = of_token.clone();
        async move {
            let mut reader = app.db.read().await?;
            store::overview::of_report(&mut reader, &token, place, limit).await
        }
    });
    let app = Arc::clone(app);
    cases.and_then(move |part| with_items(Arc::clone(&app), token.clone(), part)).boxed()
}

async fn with_items(app: Arc<App>, token: ReportToken, part: Vec<CaseOverview>) -> Result<Vec<ReportCase>> {
    let mut reader = app.db.read().await?;
    let mut cases = Vec::with_capacity(part.len());
    for case in part {
        let items = store::item::of_case(&mut reader, case.id).await?;
        cases.push(ReportCase {
            cf_ref: case.reference().to_string(),
            created_at: case.created_at,
            closing_date: case.closed.as_ref().map(|closed| closed.at),
            report_id: token.clone(),
            closed: case.closed.is_some(),
            case_url: case_url(&app, &case),
            frame: case.frame_name,
            company_name: case.company_name,
            items: items.iter().map(|item| report_item(&app, item)).collect(),
        });
    }
    Ok(cases)
}

fn report_item(app: &App, item: &Item) -> ReportItem {
    let shown = shown_item(app, item);
    ReportItem {
        created_at: shown.created_at,
        cf_ref: shown.cf_ref,
        description: shown.value.clone(),
        geoloc_latitude: shown.latitude.to_owned(),
        geoloc_longitude: shown.longitude.to_owned(),
        data: shown.value,
        image_url: shown.image_url,
        step_action: shown.action,
        step_title: shown.step_title.to_owned(),
        step_description: shown.step_description.to_owned(),
        image_hash: item.content.file.as_ref().map(|file| file.sha256.to_string()),
        tsp_token_hash: item.token_sha256.map(|digest| digest.to_string()),
    }
}

/// The certificates of the caller's own company in a report, or their addresses. 404 if there are none, 403 if all
/// cases of the report belong to other companies (decisions 10).
pub async fn download(
    app: &Arc<App>,
    caller: &Caller,
    token: &ReportToken,
    request: ReportDownload,
) -> Result<ReportContent> {
    let company = caller.company_id();
    ensure_report_budget(app, company)?;
    let closed_from = request.hours.map_or(Timestamp::from_millis(i64::MIN), |hours| {
        let hours = u64::try_from(hours).unwrap_or(0);
        app.clock.now().before(Duration::from_secs(hours.saturating_mul(60 * 60)))
    });
    let mut reader = app.db.read().await?;
    let first =
        store::overview::closed_of_report(&mut reader, company, token, closed_from, Place::BEGINNING, 1).await?;
    if first.is_empty() {
        let is_own = store::report::has_cases_of(&mut reader, company, token).await?;
        let is_others = !is_own && store::report::has_cases(&mut reader, token).await?;
        let is_family = is_others && store::report::family_of(&mut reader, token).await? == Some(caller.family());
        drop(reader);
        let operation = Operation::DownloadReport;
        let foreign = || operation.foreign(Kind::Report, "the report belongs to another company").into();
        return Err(match (is_others, is_family) {
            (true, true) => foreign(),
            (true, false) => spend_report_budget(app, company, foreign()).await,
            (false, _) => {
                operation.missing(Kind::Report, "the company has no certificates for the report token").into()
            }
        });
    }
    drop(reader);
    // The token is a permission, so only the beginning of its digest is recorded.
    let report = format!("report {:.8}", store::report::hash(token));
    audit::record_alone(app, &caller.actor, Event::of(Operation::DownloadReport, company, Some(report))).await?;
    let token_of_parts = token.clone();
    let cases = in_parts(app, PART, Place::BEGINNING, move |app, place, limit| {
        let token = token_of_parts.clone();
        async move {
            let mut reader = app.db.read().await?;
            store::overview::closed_of_report(&mut reader, company, &token, closed_from, place, limit).await
        }
    });
    Ok(match request.format {
        Format::Zip => ReportContent::Archive(archive::of(app, cases, request.contents)),
        Format::Metadata => {
            let add = |mut urls: Vec<String>, part: Vec<CaseOverview>| {
                urls.extend(part.iter().filter_map(|case| case_url(app, case)));
                async { Ok(urls) }
            };
            let case_urls = cases.try_fold(Vec::new(), add).await?;
            ReportContent::Addresses(ReportAddresses { report_token: token.clone(), case_urls })
        }
    })
}
