//! Reports: read by everybody who knows the token, downloaded by a company (spec 4.14, 4.15; decisions 10).

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
    Shared,
    body::{OptionalJsonBody, read_with},
    guard::{counted, default_limit},
    parts,
    public::{ASK, AccessKey},
    request::RequestFacts,
};
use crate::{
    app::{
        App,
        report::{self, Downloaded},
        session::Caller,
    },
    domain::{
        operation::Operation,
        rate_limit::Counter,
        report::{ReportDownload, ReportToken},
    },
    error::{Error, Result},
};

/// `GET /reports/:reportToken`: the cases of a report with their items.
pub(super) async fn read(State(shared): State<Shared>, facts: RequestFacts, AccessKey(token): AccessKey) -> Response {
    let token = parse(&token);
    let exists = match &token {
        Ok(token) => report::exists(&shared.app, token).await,
        Err(_) => Ok(false),
    };
    let counter = match (&token, &exists) {
        (Ok(token), Ok(true)) => Counter::AccessKey(Operation::ReadReport, token.as_str().to_owned()),
        _ => Counter::Unknown(Operation::ReadReport),
    };
    counted(&shared, &facts, counter, default_limit(Operation::ReadReport), async {
        serve(&shared.app, token, exists).await.into_response()
    })
    .await
}

async fn serve(app: &Arc<App>, token: Result<ReportToken>, exists: Result<bool>) -> Result<Response> {
    let token = token?;
    if !exists? {
        return Err(Error::not_found("Report not found"));
    }
    let mut response = parts::array(report::read(app, token)).await?;
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(ASK));
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
    let wish = read_with(&body, ReportDownload::read)?;
    match report::download(&shared.app, &caller, &token, wish).await? {
        Downloaded::Archive(archive) => parts::archive(archive, &token.archive_name()),
        Downloaded::Addresses(addresses) => Ok(Json(addresses).into_response()),
    }
}

fn parse(token: &str) -> Result<ReportToken> {
    let expected = ReportToken::EXPECTED;
    ReportToken::parse(token).ok_or_else(|| Error::invalid(format!("reportToken must be {expected}")))
}
