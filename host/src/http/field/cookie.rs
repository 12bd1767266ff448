//! The cookies of a field user. Scripts cannot read them.
//!
//! Pages of other sites cannot make the browser send the session. The sign-in in progress comes with the person who
//! returns from the provider, which is another site: only a link or a redirect brings it.

use axum::http::{
    HeaderMap, HeaderValue,
    header::{AUTHORIZATION, COOKIE},
};

use crate::{app::session::openid::ATTEMPT_LIFETIME, domain::field::SessionToken, error::Error, http::shared::Shared};

/// With https the prefix makes the browser insist on `Secure`, `Path=/` and this very host (RFC 6265bis, section 4.1.3),
/// so that no other host of the domain can set it.
const SECURE_NAME: &str = "__Host-sealwright-field";
const NAME: &str = "sealwright-field";
/// The names of the cookie of a sign-in in progress.
const SECURE_ATTEMPT: &str = "__Host-sealwright-sign-in";
const ATTEMPT: &str = "sealwright-sign-in";

/// The token of the session's cookie. Two such cookies count as none. A request with an `Authorization` header has none
/// either: it says that it is not from the page.
pub(in crate::http) fn read(shared: &Shared, headers: &HeaderMap) -> Option<SessionToken> {
    if headers.contains_key(AUTHORIZATION) {
        return None;
    }
    SessionToken::parse(only_value(headers, name(shared))?)
}

/// The encrypted sign-in in progress.
pub(super) fn read_attempt<'h>(shared: &Shared, headers: &'h HeaderMap) -> Option<&'h str> {
    only_value(headers, attempt_name(shared))
}

/// The value of the one cookie with this name.
fn only_value<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut values = pairs.filter(|(given, _)| *given == name).map(|(_, value)| value);
    let (value, None) = (values.next()?, values.next()) else { return None };
    Some(value)
}

/// The `Set-Cookie` that begins a session.
pub(super) fn set(shared: &Shared, token: &SessionToken) -> HeaderValue {
    let seconds = shared.app.config.field.session_lifetime.as_secs();
    header(shared, (name(shared), token.expose()), seconds, "Strict")
}

/// The `Set-Cookie` that removes it.
pub(super) fn clear(shared: &Shared) -> HeaderValue {
    header(shared, (name(shared), ""), 0, "Strict")
}

/// The `Set-Cookie` that begins a sign-in by the provider.
pub(super) fn set_attempt(shared: &Shared, sealed: &str) -> HeaderValue {
    header(shared, (attempt_name(shared), sealed), ATTEMPT_LIFETIME.as_secs(), "Lax")
}

/// The `Set-Cookie` that ends it.
pub(super) fn clear_attempt(shared: &Shared) -> HeaderValue {
    header(shared, (attempt_name(shared), ""), 0, "Lax")
}

/// For a request without a cookie of a session.
pub(in crate::http) fn missing() -> Error {
    Error::Unauthenticated("no one is signed in: a session cookie is required".to_owned())
}

fn header(shared: &Shared, (name, value): (&str, &str), seconds: u64, same_site: &str) -> HeaderValue {
    let secure = if is_secure(shared) { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite={same_site}{secure}");
    // Our own words, hexadecimal digits and base64 always make a valid header value.
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
}

fn name(shared: &Shared) -> &'static str {
    if is_secure(shared) { SECURE_NAME } else { NAME }
}

fn attempt_name(shared: &Shared) -> &'static str {
    if is_secure(shared) { SECURE_ATTEMPT } else { ATTEMPT }
}

/// Browsers store a `Secure` cookie from https only.
fn is_secure(shared: &Shared) -> bool {
    shared.app.config.base_url.starts_with("https:")
}
