//! Reading JSON bodies and path parameters.

use axum::{
    extract::{FromRequest, FromRequestParts, Path, Request},
    http::request::Parts,
};
use serde_json::Value;

use super::{
    request_body::{WholeBody, read_whole},
    shared::Shared,
};
use crate::{
    domain::{
        id::{CaseId, ItemId, NUMBER_EXPECTED},
        link::LinkToken,
    },
    error::{Error, Result},
};

/// The maximum size of a JSON body, in bytes (decisions 2).
const JSON_LIMIT: usize = 1024 * 1024;

/// A JSON body. Its media type is ignored; only the content must be JSON.
#[derive(Debug)]
pub(super) struct JsonBody(pub(super) Value);

impl<S: Sync> FromRequest<S> for JsonBody {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        JsonText::from_request(request, state).await.map(|text| Self(text.value))
    }
}

/// A JSON body together with its bytes, for a part that is returned as it was written.
#[derive(Debug)]
pub(super) struct JsonText {
    pub(super) value: Value,
    pub(super) body: WholeBody,
}

impl<S: Sync> FromRequest<S> for JsonText {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        let body = read_whole(request, JSON_LIMIT).await?;
        let value = parse_json("the body", &body.bytes)?;
        Ok(Self { value, body })
    }
}

/// A JSON body that may be left out if none of its fields is required; it is then an empty object.
#[derive(Debug)]
pub(super) struct OptionalJsonBody(pub(super) Value);

impl<S: Sync> FromRequest<S> for OptionalJsonBody {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        let body = read_whole(request, JSON_LIMIT).await?;
        if body.bytes.is_empty() {
            return Ok(Self(Value::Object(serde_json::Map::new())));
        }
        parse_json("the body", &body.bytes).map(Self)
    }
}

/// Parses JSON; error messages call it `name`.
pub(super) fn parse_json(name: &str, bytes: &[u8]) -> Result<Value> {
    serde_json::from_slice(bytes).map_err(|error| Error::invalid(format!("{name} must be JSON: {error}")))
}

/// Reads a body with a reader of the domain; all problems are in one message.
pub(super) fn read_with<T>(value: &Value, read: impl FnOnce(&Value) -> Result<T, Vec<String>>) -> Result<T> {
    read(value).map_err(|problems| Error::Invalid(problems.join(", ")))
}

/// A `:caseId` in the path: a positive whole number, else 400 (decisions 2).
impl FromRequestParts<Shared> for CaseId {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &Shared) -> Result<Self> {
        let refused = || Error::invalid(format!("caseId must be {NUMBER_EXPECTED}"));
        let Path(text) = Path::<String>::from_request_parts(parts, state).await.map_err(|_| refused())?;
        Self::parse(&text).ok_or_else(refused)
    }
}

/// An `:itemId` in the path: a positive whole number, else 400 (decisions 2).
impl FromRequestParts<Shared> for ItemId {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &Shared) -> Result<Self> {
        let refused = || Error::invalid(format!("itemId must be {NUMBER_EXPECTED}"));
        let Path(text) = Path::<String>::from_request_parts(parts, state).await.map_err(|_| refused())?;
        Self::parse(&text).ok_or_else(refused)
    }
}

/// A `:magicLinkToken` in the path: a UUID v4, else 405 (spec 4.7).
impl FromRequestParts<Shared> for LinkToken {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &Shared) -> Result<Self> {
        let refused = || Error::InvalidLinkToken("magicLinkToken must be a UUID v4".to_owned());
        let Path(text) = Path::<String>::from_request_parts(parts, state).await.map_err(|_| refused())?;
        Self::parse(&text).ok_or_else(refused)
    }
}
