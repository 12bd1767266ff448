//! What the two ways of signing in through an OpenID Connect provider have in common: redirects to the provider and back.

use axum::{
    http::{
        HeaderValue, StatusCode,
        header::{CACHE_CONTROL, LOCATION, REFERRER_POLICY},
    },
    response::{IntoResponse, Response},
};

use crate::error::{Error, Result};

/// A redirect that is not kept, and that names no address to the next site: the callback's has the code.
pub(super) fn lead_to(address: &str) -> Result<Response> {
    let location = HeaderValue::from_str(address)
        .map_err(|_| Error::internal(anyhow::anyhow!("the provider's address is not a header")))?;
    let headers = [
        (LOCATION, location),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ];
    Ok((StatusCode::SEE_OTHER, headers).into_response())
}

/// Whether the parameter `prompt` of an address asks for the person's credentials in any case.
pub(super) fn asks_again(prompt: Option<&str>) -> bool {
    prompt == Some("login")
}
