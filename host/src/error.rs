//! The one error of the product's use cases. It does not know HTTP: only `http/error.rs` maps it to a status and logs
//! it once.

mod temporary;

use std::fmt;

use crate::domain::{
    console::FormProblem,
    resource::{Answer, Refusal},
};

/// Why a use case failed. The text of every variant except [`Error::Internal`] and [`Error::Unavailable`] is for the
/// caller to read; programs rely on the variant (over HTTP: the status).
#[derive(Debug)]
pub enum Error {
    /// No valid proof of who is calling (401).
    Unauthenticated(String),
    /// The caller is known but may not do this, or the resource is another company's (403).
    Forbidden(String),
    /// The request itself is wrong: a field, a rule, a limit (400).
    Invalid(String),
    /// The named resource does not exist (404).
    NotFound(String),
    /// The request is valid but the resource's state forbids it, for example `case already closed` (400).
    State(String),
    /// A form of the console is wrong (400). The console has its text in each language of its pages.
    Form(FormProblem),
    /// The request contradicts what is stored already (409).
    Conflict(String),
    /// The named resource existed and has expired (410).
    Gone(String),
    /// The bytes do not have the checksum that was sent with them (460, tus 1.0).
    WrongChecksum(String),
    /// A link token in a path that is not a UUID v4 (405, spec 4.7).
    InvalidLinkToken(String),
    /// More requests than the company may send in a minute, beyond the endpoint's own limit (429).
    TooMany { message: String, limit: u32, reset: std::time::Duration },
    /// Not ready yet; a retry after `retry_after_seconds` may succeed (503).
    NotReady { message: String, retry_after_seconds: u32 },
    /// A part that the server needs is unavailable, slow or full (503): `database`, `blob store`, `disk`, `file
    /// descriptors`, … The same request can succeed later. The cause is logged, never shown to the caller.
    Unavailable { part: &'static str, cause: anyhow::Error },
    /// An internal failure (500). The cause is logged, never shown to the caller.
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

    /// An internal failure, or [`Error::Unavailable`] if the cause's chain shows that a part is unavailable.
    pub fn internal(cause: impl Into<anyhow::Error>) -> Self {
        let cause = cause.into();
        match temporary::unavailable_part(&cause) {
            Some(part) => Self::Unavailable { part, cause },
            None => Self::Internal(cause),
        }
    }

    /// Whether the same work can succeed later without a change to its input: a part of the machine is unavailable,
    /// slow or full, or a result is not ready yet. Jobs retry such an error without a limit.
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Unavailable { .. } | Self::NotReady { .. } => true,
            Self::Internal(cause) => temporary::unavailable_part(cause).is_some(),
            Self::Unauthenticated(_)
            | Self::Forbidden(_)
            | Self::Invalid(_)
            | Self::NotFound(_)
            | Self::State(_)
            | Self::Form(_)
            | Self::Conflict(_)
            | Self::Gone(_)
            | Self::WrongChecksum(_)
            | Self::TooMany { .. }
            | Self::InvalidLinkToken(_) => false,
        }
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
            | Self::Conflict(message)
            | Self::Gone(message)
            | Self::WrongChecksum(message)
            | Self::InvalidLinkToken(message)
            | Self::TooMany { message, .. }
            | Self::NotReady { message, .. } => f.write_str(message),
            Self::Form(problem) => write!(f, "{problem}"),
            Self::Unavailable { part, cause } => write!(f, "{part} unavailable: {cause:#}"),
            Self::Internal(cause) => write!(f, "{cause:#}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<FormProblem> for Error {
    fn from(problem: FormProblem) -> Self {
        Self::Form(problem)
    }
}

impl From<Refusal> for Error {
    fn from(Refusal { answer, message }: Refusal) -> Self {
        match answer {
            Answer::Invalid => Self::Invalid(message),
            Answer::Forbidden => Self::Forbidden(message),
            Answer::NotFound => Self::NotFound(message),
            Answer::Accepted => Self::Internal(anyhow::Error::msg(message)),
        }
    }
}

impl From<anyhow::Error> for Error {
    fn from(cause: anyhow::Error) -> Self {
        Self::internal(cause)
    }
}

impl From<sqlx::Error> for Error {
    fn from(cause: sqlx::Error) -> Self {
        Self::internal(anyhow::Error::new(cause).context("database"))
    }
}

impl From<std::io::Error> for Error {
    fn from(cause: std::io::Error) -> Self {
        Self::internal(cause)
    }
}
