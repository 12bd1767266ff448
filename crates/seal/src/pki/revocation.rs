//! Whether a certificate was revoked, according to its issuer: revocation lists (RFC 5280, section 5) and answers about
//! one certificate (OCSP, RFC 6960), as embedded in a certificate of a case.
//!
//! The rule: a statement counts if the certificate's issuer signed it (or, for an answer, a responder that the issuer
//! appointed). *Revoked* counts if it was before the time that matters. *Not revoked* counts if the statement was made
//! after that time, or was still current then. Without a statement that counts, the status is unknown and reported as
//! such: a missing list never means "not revoked".

mod list;
mod ocsp;

use std::fmt;

use serde::Serialize;

use super::{Certificate, TrustedPath};
use crate::{asn1::decode_exactly, time::UnixTime};

/// The revocation status of a chain's certificates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "status")]
pub enum Revocation {
    /// The status of at least one of them is unknown.
    Unknown,
    /// None of them was revoked, according to their issuers at this time; the earliest time if there are several.
    #[serde(rename_all = "camelCase")]
    NotRevoked { as_of: UnixTime },
    /// One of them was revoked before the time that matters.
    #[serde(rename_all = "camelCase")]
    Revoked { since: UnixTime },
}

/// When a list or an answer was made, and until when it is current.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatementDates {
    pub made: UnixTime,
    /// When the next one is due, if the issuer states it.
    pub current_until: Option<UnixTime>,
}

/// Reads a revocation list in DER. `None` if it is not this issuer's own complete and direct list, since only that
/// counts.
pub fn read_revocation_list(der: &[u8], issuer: &Certificate) -> Option<StatementDates> {
    list::dates(der, issuer)
}

/// The request to a responder whether `issuer` has revoked `certificate`: a DER `OCSPRequest` (RFC 6960, section 4.1.1)
/// for one certificate, without a nonce, so that a responder may return a cached answer (RFC 5019).
pub fn status_request(certificate: &Certificate, issuer: &Certificate) -> Vec<u8> {
    ocsp::request(certificate, issuer)
}

/// Reads a responder's answer, a DER `OCSPResponse`. `None` if it says nothing about `certificate`, or is neither by
/// its issuer nor by a responder that the issuer appointed. An answer may also say that the certificate was revoked.
pub fn read_status_answer(der: &[u8], certificate: &Certificate, issuer: &Certificate) -> Option<StatementDates> {
    let Statement { made, current_until, .. } = ocsp::read(der, certificate, issuer)?;
    Some(StatementDates { made, current_until })
}

/// All statements of issuers, not yet parsed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statements {
    /// DER `CertificateList`.
    pub(crate) lists: Vec<Vec<u8>>,
    /// DER `OCSPResponse`.
    pub(crate) answers: Vec<Vec<u8>>,
}

/// A statement about one certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Statement {
    /// When it was made, and until when it was current.
    made: UnixTime,
    current_until: Option<UnixTime>,
    /// When it was revoked.
    revoked: Option<UnixTime>,
}

impl Statements {
    /// The status of a chain at the time `at`. Its anchor is trusted without a check.
    pub(crate) fn about(&self, path: &TrustedPath, at: UnixTime) -> Revocation {
        let pairs = path.certificates.windows(2).map(|pair| self.about_one(&pair[0], &pair[1], at));
        let mut whole: Option<Revocation> = None;
        for status in pairs {
            whole = Some(match (whole, status) {
                (Some(Revocation::Revoked { since }), _) | (_, Revocation::Revoked { since }) => {
                    Revocation::Revoked { since }
                }
                (Some(Revocation::Unknown), _) | (_, Revocation::Unknown) => Revocation::Unknown,
                (Some(Revocation::NotRevoked { as_of }), Revocation::NotRevoked { as_of: other }) => {
                    Revocation::NotRevoked { as_of: as_of.min(other) }
                }
                (None, status) => status,
            });
        }
        // A signer that is itself an anchor needs no statement.
        whole.unwrap_or(Revocation::NotRevoked { as_of: at })
    }

    /// The status of one certificate.
    pub(crate) fn about_one(&self, certificate: &Certificate, issuer: &Certificate, at: UnixTime) -> Revocation {
        let lists = self.lists.iter().filter_map(|der| list::read(der, certificate, issuer));
        let answers = self.answers.iter().filter_map(|der| ocsp::read(der, certificate, issuer));
        let statements: Vec<Statement> = lists.chain(answers).collect();
        let revoked = statements.iter().filter_map(|statement| statement.revoked).min();
        if let Some(since) = revoked.filter(|since| *since <= at) {
            return Revocation::Revoked { since };
        }
        let counts =
            |statement: &&Statement| statement.made >= at || statement.current_until.is_some_and(|until| at <= until);
        match statements.iter().filter(counts).map(|statement| statement.made).max() {
            Some(as_of) => Revocation::NotRevoked { as_of },
            None => Revocation::Unknown,
        }
    }
}

impl fmt::Display for Revocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("it is not known whether a certificate of the chain was revoked"),
            Self::NotRevoked { as_of } => write!(f, "no certificate of the chain was revoked as of {as_of}"),
            Self::Revoked { since } => write!(f, "a certificate of the chain was revoked at {since}"),
        }
    }
}

/// Decodes what an issuer signed, so that every byte of it is checked.
fn decode<T: for<'a> der::Decode<'a, Error = der::Error> + der::Encode>(bytes: &[u8]) -> Option<T> {
    decode_exactly(bytes).ok()
}
