//! Reports: read by anyone who knows the token, downloaded by a company (spec 4.14, 4.15; decisions 10).

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::{
        HeaderValue,
        header::{CACHE_CONTROL, X_CONTENT_TYPE_OPTIONS},
    },
    response::{IntoResponse, Response},
};

use super::{
    access_key::by_key,
    body::{OptionalJsonBody, read_with},
    parts,
    public::{AccessKey, REVALIDATE},
    request::RequestFacts,
    shared::Shared,
};
use crate::{
    app::{
        App,
        report::{self, ReportContent},
        session::Caller,
    },
    domain::{
        operation::Operation,
        report::{ReportDownload, ReportToken},
    },
    error::{Error, Result},
};

/// `GET /reports/:reportToken`: the cases of a report with their items.
pub(super) async fn read(State(shared): State<Shared>, facts: RequestFacts, AccessKey(token): AccessKey) -> Response {
    let find = async {
        let token = parse(&token)?;
        let exists = report::exists(&shared.app, &token).await?;
        exists.then_some(token).ok_or_else(|| Error::not_found("Report not found"))
    };
    by_key(&shared, &facts, (Operation::ReadReport, token.clone()), find, async |token| {
        serve(&shared.app, token).await.into_response()
    })
    .await
}

async fn serve(app: &Arc<App>, token: Result<ReportToken>) -> Result<Response> {
    let token = token?;
    let mut response = parts::array(report::read(app, token)).await?;
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(REVALIDATE));
    Ok(response)
}

/// `POST /reports/report/:reportToken`: the company's certificates as an archive, or their addresses.
pub(super) async fn download(
    State(shared): State<Shared>,
    caller: Caller,
    AccessKey(token): AccessKey,
    OptionalJsonBody(body): OptionalJsonBody,
) -> Result<Response> {
    let token = parse(&token)?;
    let requested = read_with(&body, ReportDownload::read)?;
    match report::download(&shared.app, &caller, &token, requested).await? {
        ReportContent::Archive(archive) => parts::archive(archive, &token.archive_name()),
        ReportContent::Addresses(addresses) => Ok(Json(addresses).into_response()),
    }
}

fn parse(token: &str) -> Result<ReportToken> {
    let expected = ReportToken::EXPECTED;
    ReportToken::parse(token).ok_or_else(|| Error::invalid(format!("reportToken must be {expected}")))
}
