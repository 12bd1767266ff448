//! The log of seals as monitors and witnesses read it (C2SP `tlog-tiles`). Everything except the checkpoint never
//! changes once it can be read.

use axum::{
    Router,
    body::Body,
    extract::{Path, Request, State},
    http::{
        HeaderValue,
        header::{ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS},
    },
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::get,
};
use sealwright_seal::tlog::tiles;

use super::{guard::counted, request::RequestFacts, shared::Shared};
use crate::{
    app::seal_log,
    domain::rate_limit::Counter,
    error::{Error, Result},
};

/// A tile or bundle never changes.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// Outdated by the next entry.
const NO_CACHE: &str = "no-cache";
const TEXT: &str = "text/plain; charset=utf-8";

/// Requests of one client in 60 seconds. A monitor that reads a log of a million entries for the first time requests
/// about 8,000 tiles and bundles, which takes seven minutes.
const LIMIT: u32 = 1200;

/// The log's paths, as C2SP defines them. They are not operations of the interface: they need no authentication, and
/// any cache may keep the answers.
pub(super) fn routes(shared: &Shared) -> Router<Shared> {
    Router::new()
        .route("/log/checkpoint", get(checkpoint))
        .route("/log/cosigned-checkpoint", get(cosigned_checkpoint))
        .route("/log/key", get(key))
        .route("/log/tile/{level}/{*index}", get(tile))
        .route("/log/tile/entries/{*index}", get(entries))
        .route_layer(from_fn_with_state(shared.clone(), count))
}

pub(super) async fn count(State(shared): State<Shared>, facts: RequestFacts, request: Request, next: Next) -> Response {
    counted(&shared, &facts, Counter::LogReader(facts.client), LIMIT, next.run(request)).await
}

/// `GET /log/checkpoint`.
async fn checkpoint(State(shared): State<Shared>) -> Result<Response> {
    Ok(answer(seal_log::checkpoint(&shared.app).await?, TEXT, NO_CACHE))
}

/// `GET /log/cosigned-checkpoint`: the newest checkpoint that enough witnesses have cosigned.
async fn cosigned_checkpoint(State(shared): State<Shared>) -> Result<Response> {
    let checkpoint = seal_log::cosigned_checkpoint(&shared.app).await?;
    let none = || Error::not_found("no checkpoint has enough cosignatures of witnesses");
    Ok(answer(checkpoint.ok_or_else(none)?, TEXT, NO_CACHE))
}

/// `GET /log/key`: the key that verifies the checkpoints.
async fn key(State(shared): State<Shared>) -> Result<Response> {
    let key = seal_log::verifier_key(&shared.app).await?;
    Ok(answer(format!("{key}\n"), TEXT, NO_CACHE))
}

/// `GET /log/tile/:level/*index`.
async fn tile(State(shared): State<Shared>, Path((level, index)): Path<(String, String)>) -> Result<Response> {
    let level: Option<u8> = level.parse().ok().filter(|number: &u8| number.to_string() == level);
    let (Some(level), Some((index, width))) = (level, tiles::parse_index(&index)) else { return Err(unknown()) };
    let tile = seal_log::tile(&shared.app, level, index, width).await?.ok_or_else(unknown)?;
    Ok(answer(tile, "application/octet-stream", IMMUTABLE))
}

/// `GET /log/tile/entries/*index`.
async fn entries(State(shared): State<Shared>, Path(index): Path<String>) -> Result<Response> {
    let (index, width) = tiles::parse_index(&index).ok_or_else(unknown)?;
    let bundle = seal_log::entries(&shared.app, index, width).await?.ok_or_else(unknown)?;
    Ok(answer(bundle, "application/octet-stream", IMMUTABLE))
}

fn unknown() -> Error {
    Error::not_found("the log has no such tile")
}

/// Readable from every web page too: a monitor may run in a browser.
fn answer(body: impl Into<Body>, media_type: &'static str, cache_control: &'static str) -> Response {
    let mut response = body.into().into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache_control));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    response
}
