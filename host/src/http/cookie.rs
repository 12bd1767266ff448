//! The cookies of sessions and of sign-ins in progress. Scripts cannot read them.

use std::time::Duration;

use axum::http::{
    HeaderMap, HeaderValue,
    header::{AUTHORIZATION, COOKIE},
};

use super::shared::Shared;
use crate::domain::session::SessionToken;

/// A cookie of this server.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cookie {
    /// Without the prefix that https adds.
    pub(super) name: &'static str,
    pub(super) same_site: SameSite,
}

/// Which requests that another site caused bring the cookie (RFC 6265bis, section 5.6.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SameSite {
    /// None.
    Strict,
    /// A link or a redirect.
    Lax,
}

/// With https the prefix makes the browser insist on `Secure`, `Path=/` and this very host (RFC 6265bis, section 4.1.3),
/// so that no other host of the domain can set it.
const SECURE_PREFIX: &str = "__Host-";

impl Cookie {
    /// The token of a session. A request with an `Authorization` header has none: it says that it is not from a page.
    pub(super) fn session(self, shared: &Shared, headers: &HeaderMap) -> Option<SessionToken> {
        if headers.contains_key(AUTHORIZATION) {
            return None;
        }
        SessionToken::parse(self.value(shared, headers)?)
    }

    /// The value. Two such cookies count as none.
    pub(super) fn value<'h>(self, shared: &Shared, headers: &'h HeaderMap) -> Option<&'h str> {
        let name = self.full_name(shared);
        let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
        let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let mut values = pairs.filter(|(given, _)| *given == name).map(|(_, value)| value);
        let (value, None) = (values.next()?, values.next()) else { return None };
        Some(value)
    }

    /// The `Set-Cookie` with this value.
    pub(super) fn set(self, shared: &Shared, value: &str, lifetime: Duration) -> HeaderValue {
        let (name, seconds) = (self.full_name(shared), lifetime.as_secs());
        let secure = if is_secure(shared) { "; Secure" } else { "" };
        let same_site = match self.same_site {
            SameSite::Strict => "Strict",
            SameSite::Lax => "Lax",
        };
        let text = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite={same_site}{secure}");
        // Our own words, hexadecimal digits and base64 always make a valid header value.
        HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
    }

    /// The `Set-Cookie` that removes it.
    pub(super) fn clear(self, shared: &Shared) -> HeaderValue {
        self.set(shared, "", Duration::ZERO)
    }

    fn full_name(self, shared: &Shared) -> String {
        let prefix = if is_secure(shared) { SECURE_PREFIX } else { "" };
        format!("{prefix}{}", self.name)
    }
}

/// Browsers store a `Secure` cookie from https only.
fn is_secure(shared: &Shared) -> bool {
    shared.app.config.base_url.starts_with("https:")
}

/// Browsers say from where a request comes (Fetch Metadata). A page of another site must not be able to sign a person in
/// as someone else, who would then get what the person enters.
pub(super) fn is_from_another_site(headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site").and_then(|value| value.to_str().ok());
    site.is_some_and(|site| !matches!(site, "same-origin" | "none"))
}
