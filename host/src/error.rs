//! The one error of the product's use cases. It knows no HTTP: `http/error.rs` alone maps it to a status and logs it once.

use std::fmt;

/// What a use case answers when it does not succeed. The text of every variant but [`Error::Internal`] is for the caller
/// to read; programs rely on the variant (over HTTP: the status).
#[derive(Debug)]
pub enum Error {
    /// No valid proof of who is calling (401).
    Unauthenticated(String),
    /// The caller is known but may not do this, or the resource is another company's (403).
    Forbidden(String),
    /// The request itself is wrong: a field, a rule, a limit (400).
    Invalid(String),
    /// The thing named does not exist (404).
    NotFound(String),
    /// The request is right but the resource's state forbids it, for example `case already closed` (400).
    State(String),
    /// A link token in a path that is no UUID v4 (405, spec 4.7).
    InvalidLinkToken(String),
    /// More than the company may ask for in a minute, beyond the endpoint's own limit (429).
    TooMany { message: String, limit: u32, reset: std::time::Duration },
    /// Not ready yet, worth trying again in so many seconds (503).
    NotReady { message: String, retry_after_seconds: u32 },
    /// Something of ours failed (500). The cause is logged, never shown to the caller.
    Internal(anyhow::Error),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::Invalid(message.into())
    }

    pub fn not_found(message: impl Into<String>) -> Self {
        Self::NotFound(message.into())
    }

    pub fn forbidden(message: impl Into<String>) -> Self {
        Self::Forbidden(message.into())
    }

    pub fn state(message: impl Into<String>) -> Self {
        Self::State(message.into())
    }

    pub fn internal(cause: impl Into<anyhow::Error>) -> Self {
        Self::Internal(cause.into())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unauthenticated(message)
            | Self::Forbidden(message)
            | Self::Invalid(message)
            | Self::NotFound(message)
            | Self::State(message)
            | Self::InvalidLinkToken(message)
            | Self::TooMany { message, .. }
            | Self::NotReady { message, .. } => f.write_str(message),
            Self::Internal(cause) => write!(f, "{cause:#}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<anyhow::Error> for Error {
    fn from(cause: anyhow::Error) -> Self {
        Self::Internal(cause)
    }
}

impl From<sqlx::Error> for Error {
    fn from(cause: sqlx::Error) -> Self {
        Self::Internal(anyhow::Error::new(cause).context("database"))
    }
}

impl From<std::io::Error> for Error {
    fn from(cause: std::io::Error) -> Self {
        Self::Internal(cause.into())
    }
}
