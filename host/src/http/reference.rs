//! The interface's description and its page as they are sent.

use std::sync::Arc;

use axum::{http::HeaderMap, response::Response};
use bytes::Bytes;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::public::{self, Facts};

/// The description and the page, made once.
#[derive(Clone, Debug)]
pub struct Reference {
    pub(super) description: CachedDocument,
    pub(super) page: CachedDocument,
    /// The pages of the groups, by the last part of their addresses.
    pub(super) parts: Vec<(String, CachedDocument)>,
    /// The description, for searches.
    pub(super) document: Arc<Value>,
}

#[derive(Clone, Debug)]
pub(super) struct CachedDocument {
    bytes: Bytes,
    facts: Facts,
}

impl CachedDocument {
    pub(super) fn new(media_type: &'static str, text: String) -> Self {
        let entity_tag = hex::encode(Sha256::digest(&text));
        let facts = Facts { media_type, entity_tag, cache_control: "public, max-age=300", file_name: None };
        Self { bytes: Bytes::from(text), facts }
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn answer(&self, request: &HeaderMap) -> Response {
        if public::is_unchanged(request, &self.facts) {
            return public::unchanged(&self.facts);
        }
        public::bytes(self.bytes.clone(), &self.facts)
    }
}
