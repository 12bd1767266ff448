//! Who reads a page of the console. [`guard`](super::guard) finds it out; handlers take it as a parameter.

use axum::{extract::FromRequestParts, http::request::Parts};

use super::problem::PageError;
use crate::{
    app::console::{ConsoleUser, session::Origin},
    domain::{client_address::ClientAddress, session::SessionToken},
    error::Error,
    http::{
        cookie::{Cookie, SameSite},
        link::Language,
    },
};

/// The cookie of a session. A link from another site brings it, so that people can follow a link in a message to a case;
/// nothing changes by following a link.
pub(super) const SESSION: Cookie = Cookie { name: "sealwright-console", same_site: SameSite::Lax };

/// Who reads the page, and how.
#[derive(Clone)]
pub(super) struct Visit {
    pub(super) user: ConsoleUser,
    /// Of the session, for the forms of the page.
    pub(super) token: SessionToken,
    pub(super) language: Language,
}

/// A reader who may not be signed in.
#[derive(Clone)]
pub(super) struct Visitor {
    pub(super) language: Language,
    /// The session that the browser has, complete or not.
    pub(super) token: Option<SessionToken>,
    pub(super) address: ClientAddress,
    /// What the browser calls itself.
    pub(super) agent: String,
}

impl Visitor {
    pub(super) fn origin(&self) -> Origin<'_> {
        Origin { address: self.address, agent: &self.agent }
    }
}

impl<S: Sync> FromRequestParts<S> for Visit {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> std::result::Result<Self, PageError> {
        let visit = parts.extensions.get::<Self>().cloned();
        visit.ok_or_else(|| Error::internal(anyhow::anyhow!("a route of the console is not guarded")).into())
    }
}

impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> std::result::Result<Self, PageError> {
        let visitor = parts.extensions.get::<Self>().cloned();
        visitor.ok_or_else(|| Error::internal(anyhow::anyhow!("a route of the console is not guarded")).into())
    }
}
