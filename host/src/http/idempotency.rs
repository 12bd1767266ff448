//! The header `Idempotency-Key`, and the header that marks an answer that was given before.

use axum::{
    extract::FromRequestParts,
    http::{HeaderName, HeaderValue, request::Parts},
};

use super::shared::Shared;
use crate::{
    app::{idempotency::RepeatableRequest, session::Caller},
    domain::{idempotency_key::IdempotencyKey, operation::Operation},
    error::{Error, Result},
};

const KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPEATED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// The key of a request, if it has one.
pub(super) struct RepeatKey(Option<IdempotencyKey>);

impl FromRequestParts<Shared> for RepeatKey {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<Self> {
        let mut values = parts.headers.get_all(KEY).iter();
        let Some(value) = values.next() else { return Ok(Self(None)) };
        let key = value.to_str().ok().and_then(IdempotencyKey::parse).filter(|_| values.next().is_none());
        let refused = || Error::invalid(format!("Idempotency-Key must be {}, once", IdempotencyKey::EXPECTED));
        key.map(|key| Self(Some(key))).ok_or_else(refused)
    }
}

impl RepeatKey {
    /// `content` is all that the operation depends on: the path's parameter, or the body.
    pub(super) fn request(&self, caller: &Caller, operation: Operation, content: &str) -> Option<RepeatableRequest> {
        self.0.as_ref().map(|key| RepeatableRequest::new(caller, key, operation, content))
    }
}

/// The header of an answer that was given before.
pub(super) fn repeated(is_repeated: bool) -> Option<[(HeaderName, HeaderValue); 1]> {
    is_repeated.then_some([(REPEATED, HeaderValue::from_static("true"))])
}
