//! The cookie of a field user's session. Scripts cannot read it, and pages of other sites cannot make the browser send it.

use axum::http::{
    HeaderMap, HeaderValue,
    header::{AUTHORIZATION, COOKIE},
};

use crate::{domain::field::SessionToken, error::Error, http::shared::Shared};

/// With https the prefix makes the browser insist on `Secure`, `Path=/` and this very host (RFC 6265bis, section 4.1.3),
/// so that no other host of the domain can set it.
const SECURE_NAME: &str = "__Host-sealwright-field";
const NAME: &str = "sealwright-field";

/// The token of the session's cookie. Two such cookies count as none. A request with an `Authorization` header has none
/// either: it says that it is not from the page.
pub(in crate::http) fn read(shared: &Shared, headers: &HeaderMap) -> Option<SessionToken> {
    if headers.contains_key(AUTHORIZATION) {
        return None;
    }
    let name = name(shared);
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut values = pairs.filter(|(given, _)| *given == name).map(|(_, value)| value);
    let (value, None) = (values.next()?, values.next()) else { return None };
    SessionToken::parse(value)
}

/// The `Set-Cookie` that begins a session.
pub(super) fn set(shared: &Shared, token: &SessionToken) -> HeaderValue {
    header(shared, token.expose(), shared.app.config.field.session_lifetime.as_secs())
}

/// The `Set-Cookie` that removes it.
pub(super) fn clear(shared: &Shared) -> HeaderValue {
    header(shared, "", 0)
}

/// For a request without a cookie of a session.
pub(in crate::http) fn missing() -> Error {
    Error::Unauthenticated("no one is signed in: the cookie of a session is required".to_owned())
}

fn header(shared: &Shared, value: &str, seconds: u64) -> HeaderValue {
    let secure = if is_secure(shared) { "; Secure" } else { "" };
    let text = format!("{}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}", name(shared));
    // Our own words and hexadecimal digits always make a valid header value.
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
}

fn name(shared: &Shared) -> &'static str {
    if is_secure(shared) { SECURE_NAME } else { NAME }
}

/// Browsers store a `Secure` cookie from https only.
fn is_secure(shared: &Shared) -> bool {
    shared.app.config.base_url.starts_with("https:")
}
