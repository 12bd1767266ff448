//! Time-Stamp Protocol (RFC 3161, updated by RFC 5816): requesting a token, reading the answer, checking a token years
//! later, and a small authority for development and tests.
//!
//! The caller handles the transport (HTTP, RFC 3161, section 3.4): [`Request::to_der`] is sent as
//! `application/timestamp-query`, and the response goes into [`Request::accept`].

mod authority;
mod request;
mod structures;
#[cfg(test)]
mod tests;
mod token;

pub use authority::{StampError, TimeStampAuthority};
pub use request::{Request, ResponseError};
pub use token::{Token, TokenError, VerifiedToken};

/// The media type of a request.
pub const QUERY_MEDIA_TYPE: &str = "application/timestamp-query";
/// The media type of a response.
pub const REPLY_MEDIA_TYPE: &str = "application/timestamp-reply";
