//! Whether a certificate had been revoked, by what its issuer said of it: revocation lists (RFC 5280, section 5) and answers
//! about one certificate (OCSP, RFC 6960), as a certificate of a case carries them.
//!
//! The rule: a statement counts if the certificate's issuer signed it (or, for an answer, somebody the issuer appointed).
//! *Revoked* counts if it was before the time that matters. *Not revoked* counts if the statement was made after that time,
//! or was still current then. Without a statement that counts nothing is known, and it is said: an absent list is never
//! taken for a good one.

mod list;
mod ocsp;

use std::fmt;

use serde::Serialize;

use super::{Certificate, TrustedPath};
use crate::{asn1::decode_exactly, time::UnixTime};

/// What is known of a chain's certificates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "status")]
pub enum Revocation {
    /// For one of them at least nothing is known.
    Unknown,
    /// None of them was revoked, as their issuers said at this time; the earliest one where there are several.
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
    /// When the next one is due, where the issuer says so.
    pub current_until: Option<UnixTime>,
}

/// Reads a revocation list in DER. `None` where it is not this issuer's own, whole and direct list, which is what counts.
pub fn read_revocation_list(der: &[u8], issuer: &Certificate) -> Option<StatementDates> {
    list::dates(der, issuer)
}

/// The question to a responder whether `issuer` has revoked `certificate`: a DER `OCSPRequest` (RFC 6960, section 4.1.1) for
/// one certificate, without a nonce, so that a responder may give an answer that it has made before (RFC 5019).
pub fn status_request(certificate: &Certificate, issuer: &Certificate) -> Vec<u8> {
    ocsp::request(certificate, issuer)
}

/// Reads a responder's answer, a DER `OCSPResponse`. `None` where it says nothing of `certificate`, or is neither by its issuer
/// nor by somebody whom the issuer appointed. That the certificate was revoked is an answer.
pub fn read_status_answer(der: &[u8], certificate: &Certificate, issuer: &Certificate) -> Option<StatementDates> {
    let Statement { made, current_until, .. } = ocsp::read(der, certificate, issuer)?;
    Some(StatementDates { made, current_until })
}

/// All that issuers have said, unread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statements {
    /// DER `CertificateList`.
    pub(crate) lists: Vec<Vec<u8>>,
    /// DER `OCSPResponse`.
    pub(crate) answers: Vec<Vec<u8>>,
}

/// What a statement says of one certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Statement {
    /// When it was made, and until when it was current.
    made: UnixTime,
    current_until: Option<UnixTime>,
    /// Since when it is revoked.
    revoked: Option<UnixTime>,
}

impl Statements {
    /// What they say of a chain, whose anchor is trusted without being asked about, at the time `at`.
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
        // A signer that is itself trusted answers for itself.
        whole.unwrap_or(Revocation::NotRevoked { as_of: at })
    }

    /// What they say of one certificate.
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

/// Decodes what an issuer signed, so that every byte of it is looked at.
fn decode<T: for<'a> der::Decode<'a, Error = der::Error> + der::Encode>(bytes: &[u8]) -> Option<T> {
    decode_exactly(bytes).ok()
}
