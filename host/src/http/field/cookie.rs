//! The cookies of a field user.
//!
//! Pages of other sites cannot make the browser send the session. The sign-in in progress comes with the person who
//! returns from the provider, which is another site: only a link or a redirect brings it.

use axum::http::{HeaderMap, HeaderValue};

use crate::{
    app::openid::ATTEMPT_LIFETIME,
    domain::session::SessionToken,
    error::Error,
    http::{
        cookie::{Cookie, SameSite},
        shared::Shared,
    },
};

const SESSION: Cookie = Cookie { name: "sealwright-field", same_site: SameSite::Strict };
const ATTEMPT: Cookie = Cookie { name: "sealwright-sign-in", same_site: SameSite::Lax };

/// The token of the session's cookie.
pub(in crate::http) fn read(shared: &Shared, headers: &HeaderMap) -> Option<SessionToken> {
    SESSION.session(shared, headers)
}

/// The encrypted sign-in in progress.
pub(super) fn read_attempt<'h>(shared: &Shared, headers: &'h HeaderMap) -> Option<&'h str> {
    ATTEMPT.value(shared, headers)
}

/// The `Set-Cookie` that begins a session.
pub(super) fn set(shared: &Shared, token: &SessionToken) -> HeaderValue {
    SESSION.set(shared, token.expose(), shared.app.config.field.session_lifetime)
}

/// The `Set-Cookie` that removes it.
pub(super) fn clear(shared: &Shared) -> HeaderValue {
    SESSION.clear(shared)
}

/// The `Set-Cookie` that begins a sign-in by the provider.
pub(super) fn set_attempt(shared: &Shared, sealed: &str) -> HeaderValue {
    ATTEMPT.set(shared, sealed, ATTEMPT_LIFETIME)
}

/// The `Set-Cookie` that ends it.
pub(super) fn clear_attempt(shared: &Shared) -> HeaderValue {
    ATTEMPT.clear(shared)
}

/// For a request without a session cookie.
pub(in crate::http) fn missing() -> Error {
    Error::Unauthenticated("no one is signed in: a session cookie is required".to_owned())
}
