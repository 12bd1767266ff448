//! The addresses of the pages' scripts, styles, languages and pictures, of companies' logos, and a second one of the field
//! app.

use axum::{
    Router,
    extract::{Path, Request, State},
    http::{
        HeaderMap, HeaderName, HeaderValue,
        header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS},
    },
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse as _, Response},
    routing::get,
};

use super::{
    field,
    guard::counted,
    request::RequestFacts,
    shared::Shared,
    web_files::{self, WORKER},
};
use crate::{
    app::appearance,
    domain::rate_limit::Counter,
    error::{Error, Result},
};

/// Requests of one client in 60 seconds. A page has about 40 files, and many people may share an address.
const LIMIT: u32 = 6000;
const IMMUTABLE: &str = "public, max-age=31536000, immutable";
const NO_CACHE: &str = "no-cache";

pub(super) fn routes(shared: &Shared) -> Router<Shared> {
    Router::new()
        .route("/assets/{hash}/{*path}", get(file))
        .route("/logos/{sha256}", get(logo))
        .route("/link/worker.js", get(worker))
        .route("/field/worker.js", get(field_worker))
        .route("/field/", get(field::to_page))
        .route_layer(from_fn_with_state(shared.clone(), count))
}

async fn count(State(shared): State<Shared>, facts: RequestFacts, request: Request, next: Next) -> Response {
    counted(&shared, &facts, Counter::PageFile(facts.client), LIMIT, next.run(request)).await
}

/// `GET /assets/:hash/*path`
async fn file(Path((hash, path)): Path<(String, String)>, headers: HeaderMap) -> Result<Response> {
    let found = web_files::find(&path).filter(|_| web_files::is_current(&hash));
    let found = found.ok_or_else(|| Error::not_found("no such file in this version of the server"))?;
    Ok(found.respond(&headers, IMMUTABLE))
}

/// `GET /logos/:sha256`: the logo of a company, for anyone who knows its digest.
async fn logo(State(shared): State<Shared>, Path(sha256): Path<String>) -> Result<Response> {
    let sha256 = sha256.parse().map_err(|_| Error::not_found("a logo's address ends in its SHA-256"))?;
    let logo = appearance::logo(&shared.app, sha256).await?;
    let headers = [
        (CONTENT_TYPE, logo.kind.media_type()),
        (CACHE_CONTROL, IMMUTABLE),
        (CONTENT_SECURITY_POLICY, "default-src 'none'"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    Ok((headers, logo.bytes).into_response())
}

/// `GET /link/worker.js`: the browser asks for it now and then, to learn whether it has changed.
async fn worker(headers: HeaderMap) -> Result<Response> {
    let file = web_files::find(WORKER).ok_or_else(|| Error::not_found("no such file"))?;
    Ok(file.respond(&headers, NO_CACHE))
}

/// `GET /field/worker.js`: the same worker for the field app. Its page is `/field`, which is not below this address, so
/// the browser needs the server's permission.
async fn field_worker(headers: HeaderMap) -> Result<Response> {
    const ALLOWED: HeaderName = HeaderName::from_static("service-worker-allowed");
    let mut response = worker(headers).await?;
    response.headers_mut().insert(ALLOWED, HeaderValue::from_static("/field"));
    Ok(response)
}
