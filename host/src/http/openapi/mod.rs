//! The interface's description, `GET /openapi.json`, and its readable form, `GET /docs` (decisions 1).
//!
//! The description is made at startup from what the program runs on: methods, paths, rights and quotas come from the
//! operations' table, schemas from the types that handlers read and write, and texts from [`operations`]. The page is
//! made from the description, and has no script.

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

use axum::{extract::State, http::HeaderMap, response::Response};

use super::{
    reference::{CachedDocument, Reference},
    shared::Shared,
};

/// The description and the page of the server with the public root `base_url`.
pub(super) fn make(base_url: &str) -> Reference {
    let document = document::document(base_url);
    let page = page::page(&document);
    Reference {
        description: CachedDocument::new("application/json", document.to_string()),
        page: CachedDocument::new("text/html; charset=utf-8", page),
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
