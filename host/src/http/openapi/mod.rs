//! The interface's description, `GET /openapi.json`, and its readable form, `GET /docs` (decisions 1).
//!
//! The description is made at startup from what the program runs on: methods, paths, rights and quotas come from the
//! operations' table, schemas from the types that handlers read and write, and texts from [`operations`]. The page, the
//! pages of its groups and the results of searches are made from the description, and have no script.

mod description;
mod document;
mod example;
mod operations;
mod page;
mod parameter;
mod standard;
mod webhook;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, RawQuery, Request, State},
    http::HeaderMap,
    middleware::{Next, from_fn_with_state},
    response::Response,
    routing::get,
};

use super::{
    guard::counted,
    reference::{CachedDocument, Reference},
    request::RequestFacts,
    shared::Shared,
};
use crate::{
    domain::{operation::Operation, rate_limit::Counter},
    error::{Error, Result},
};

const HTML: &str = "text/html; charset=utf-8";
/// Requests of one client in 60 seconds for the reference and its pages together.
const LIMIT: u32 = 120;

/// The description and the page of the server with the public root `base_url`.
pub(super) fn make(base_url: &str) -> Reference {
    let document = document::document(base_url);
    let parts = page::parts(&document).into_iter().map(|(name, page)| (name, CachedDocument::new(HTML, page)));
    Reference {
        description: CachedDocument::new("application/json", document.to_string()),
        page: CachedDocument::new(HTML, page::page(&document)),
        parts: parts.collect(),
        document: Arc::new(document),
    }
}

/// `GET /openapi.json`
pub(super) async fn description(State(shared): State<Shared>, request: HeaderMap) -> Response {
    shared.reference.description.answer(&request)
}

/// `GET /docs`
pub(super) async fn page(State(shared): State<Shared>, request: HeaderMap) -> Response {
    shared.reference.page.answer(&request)
}

/// The pages below `/docs`.
pub(super) fn routes(shared: &Shared) -> Router<Shared> {
    Router::new()
        .route("/docs/search", get(search))
        .route("/docs/{part}", get(part))
        .route_layer(from_fn_with_state(shared.clone(), count))
}

async fn count(State(shared): State<Shared>, facts: RequestFacts, request: Request, next: Next) -> Response {
    counted(&shared, &facts, Counter::Client(Operation::ReadReference, facts.client), LIMIT, next.run(request)).await
}

/// `GET /docs/:part`: the page of a group of operations.
async fn part(State(shared): State<Shared>, Path(part): Path<String>, request: HeaderMap) -> Result<Response> {
    let found = shared.reference.parts.iter().find(|(name, _)| *name == part);
    let (_, document) = found.ok_or_else(|| Error::not_found("the reference has no such page"))?;
    Ok(document.answer(&request))
}

/// `GET /docs/search?q=…`
async fn search(State(shared): State<Shared>, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    let searched = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "q");
    let searched: String =
        searched.map(|(_, text)| text.chars().take(page::MOST_SEARCHED).collect()).unwrap_or_default();
    let results = page::results(&shared.reference.document, searched.trim());
    CachedDocument::new(HTML, results).answer(&HeaderMap::new())
}
