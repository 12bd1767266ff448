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
use bytes::Bytes;
use sha2::{Digest, Sha256};

pub(super) use self::document::operation_id;
use super::{
    Shared,
    public::{self, Facts},
};

/// The description and the page, made once.
#[derive(Clone, Debug)]
pub struct Reference {
    description: CachedDocument,
    page: CachedDocument,
}

#[derive(Clone, Debug)]
struct CachedDocument {
    bytes: Bytes,
    facts: Facts,
}

impl Reference {
    /// For the server with the public root `base_url`.
    pub fn make(base_url: &str) -> Self {
        let document = document::document(base_url);
        let page = page::page(&document);
        Self {
            description: CachedDocument::new("application/json", document.to_string()),
            page: CachedDocument::new("text/html; charset=utf-8", page),
        }
    }
}

impl CachedDocument {
    fn new(media_type: &'static str, text: String) -> Self {
        let entity_tag = hex::encode(Sha256::digest(&text));
        let facts = Facts { media_type, entity_tag, cache_control: "public, max-age=300", file_name: None };
        Self { bytes: Bytes::from(text), facts }
    }

    fn answer(&self, request: &HeaderMap) -> Response {
        if public::is_unchanged(request, &self.facts) {
            return public::unchanged(&self.facts);
        }
        public::bytes(self.bytes.clone(), &self.facts)
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
