//! What issuers say of certificates that they have revoked, fetched where their certificates say it is to be had, so that a
//! signed file can carry it: a list of all that are revoked (RFC 5280, section 4.2.1.13), or else a responder's answer about the
//! one certificate (OCSP, RFC 6960). What is signed is not known here.
//!
//! Only what a reader would count is taken: the issuer's own list, whole, signed and current; an answer of the issuer or of
//! whom it appointed. It is fetched once until the next one is due. An address that failed rests for a while, and nothing waits
//! for it longer than [`TIMEOUT`]: whoever gets nothing goes on without and says so.

#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use hyper::{
    HeaderMap,
    header::{ACCEPT, CONTENT_TYPE, HeaderValue},
};
use ipnet::IpNet;
use sealwright_seal::{
    Certificate, UnixTime,
    pki::{StatementDates, read_revocation_list, read_status_answer, status_request},
};
use url::Url;

use crate::{
    clock::{Clock, Timestamp},
    egress::Egress,
};

/// For one list or answer in all.
const TIMEOUT: Duration = Duration::from_secs(5);
/// More is not read of a list, in bytes: each certificate would carry it.
const MOST: usize = 2 * 1024 * 1024;
/// More is not read of an answer: it is about one certificate, with the responder's own beside it.
const MOST_OF_AN_ANSWER: usize = 64 * 1024;
/// How long an address that failed is not asked again.
const PAUSE: Duration = Duration::from_mins(5);
/// How long a statement is kept that does not say when the next one is due; and the most for any other.
const KEPT: Duration = Duration::from_hours(24);
/// How many sources are remembered. An installation has a handful.
const MOST_REMEMBERED: usize = 64;

/// Fetches what issuers say and remembers it.
pub struct RevocationSource {
    client: Egress,
    clock: Clock,
    remembered: Mutex<HashMap<Source, Remembered>>,
}

/// Where something is to be had.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Source {
    List {
        url: String,
    },
    /// A responder, and what it is asked.
    Responder {
        url: String,
        request: Vec<u8>,
    },
}

enum Remembered {
    Statement { der: Bytes, until: Timestamp },
    Failed { until: Timestamp },
}

/// What was found for some certificates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Revocation lists in DER, each once.
    pub lists: Vec<Vec<u8>>,
    /// Responders' answers in DER.
    pub answers: Vec<Vec<u8>>,
    /// The subjects of certificates of which nothing is there, and why: one line for the operator.
    pub missing: Vec<String>,
}

/// Why there is nothing.
#[derive(Debug, thiserror::Error)]
enum Nothing {
    #[error("its issuer is not in the chain")]
    NoIssuer,
    #[error("its chain does not lead to a root in seal.trust, so the addresses in it are not asked")]
    NotAnchored,
    #[error("it does not say where its issuer publishes a list or answers")]
    NoAddress,
    #[error("the address failed a short while ago and is not asked yet")]
    Resting,
    #[error("{0}")]
    Unreachable(String),
    #[error("the address answers with status {0}")]
    Status(u16),
    #[error("what is at the address is not a whole list of the issuer's")]
    NotTheIssuersList,
    #[error("the responder gives no answer of the issuer's about it")]
    NotTheIssuersAnswer,
    #[error("what is at the address has ended")]
    Ended,
}

impl RevocationSource {
    /// Asks at public addresses, and in `private_networks`, where the operator's own authority may be.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub fn new(clock: Clock, private_networks: Vec<IpNet>) -> anyhow::Result<Self> {
        // What is said is signed: http will do.
        let client = Egress::for_networks(TIMEOUT, private_networks)?;
        Ok(Self { client, clock, remembered: Mutex::default() })
    }

    /// What is said of every certificate among `certificates` that did not issue itself, by an issuer that is among them too.
    /// Those for which one of the lists `there` will do are not asked about, and of the others only those that are also
    /// `anchored`: the address in a certificate is its issuer's choice, and is called only where the operator trusts the
    /// issuer. Never fails, and takes a few seconds at most for each address that does not answer.
    pub async fn of(&self, certificates: &[Certificate], anchored: &[Certificate], there: &[Vec<u8>]) -> Found {
        let mut found = Found::default();
        for certificate in certificates.iter().filter(|certificate| !certificate.is_self_issued()) {
            if let Err(reason) = self.find(certificate, certificates, anchored, there, &mut found).await {
                found.missing.push(format!("{}: {reason}", certificate.subject()));
            }
        }
        found
    }

    /// A list rather than an answer: the next certificate has the same one.
    async fn find(
        &self,
        certificate: &Certificate,
        certificates: &[Certificate],
        anchored: &[Certificate],
        there: &[Vec<u8>],
        found: &mut Found,
    ) -> Result<(), Nothing> {
        let issuer = certificates.iter().find(|issuer| certificate.is_issued_by(issuer)).ok_or(Nothing::NoIssuer)?;
        if there.iter().any(|list| read_revocation_list(list, issuer).is_some()) {
            return Ok(());
        }
        if !anchored.contains(certificate) {
            return Err(Nothing::NotAnchored);
        }
        let lists = certificate.revocation_list_urls().into_iter().map(|url| Source::List { url });
        let request = status_request(certificate, issuer);
        let responders = certificate.status_responder_urls().into_iter();
        let responders = responders.map(|url| Source::Responder { url, request: request.clone() });
        let mut reason = Nothing::NoAddress;
        for source in lists.chain(responders) {
            match self.at(&source, certificate, issuer).await {
                Ok(statement) => {
                    let all = match source {
                        Source::List { .. } => &mut found.lists,
                        Source::Responder { .. } => &mut found.answers,
                    };
                    if !all.iter().any(|other| *other == statement) {
                        all.push(statement.to_vec());
                    }
                    return Ok(());
                }
                Err(error) => reason = error,
            }
        }
        Err(reason)
    }

    async fn at(&self, source: &Source, certificate: &Certificate, issuer: &Certificate) -> Result<Bytes, Nothing> {
        let now = self.clock.now();
        match self.remembered().get(source) {
            Some(Remembered::Statement { der, until }) if now < *until => return Ok(der.clone()),
            Some(Remembered::Failed { until }) if now < *until => return Err(Nothing::Resting),
            _ => {}
        }
        let fetched = self.fetch(source, certificate, issuer).await;
        let remembered = match &fetched {
            Ok((der, until)) => Remembered::Statement { der: der.clone(), until: *until },
            Err(error) => {
                tracing::warn!(%source, %error, "what an issuer has revoked cannot be had");
                Remembered::Failed { until: now.after(PAUSE) }
            }
        };
        let mut all = self.remembered();
        if all.len() >= MOST_REMEMBERED && !all.contains_key(source) {
            all.clear();
        }
        all.insert(source.clone(), remembered);
        drop(all);
        Ok(fetched?.0)
    }

    /// The statement, and until when it need not be fetched again.
    async fn fetch(
        &self,
        source: &Source,
        certificate: &Certificate,
        issuer: &Certificate,
    ) -> Result<(Bytes, Timestamp), Nothing> {
        let (Source::List { url } | Source::Responder { url, .. }) = source;
        let url: Url = url.parse().map_err(|error: url::ParseError| Nothing::Unreachable(error.to_string()))?;
        let answered = match source {
            Source::List { .. } => self.client.fetch(&url, MOST).await,
            Source::Responder { request, .. } => {
                let headers = HeaderMap::from_iter([
                    (CONTENT_TYPE, HeaderValue::from_static("application/ocsp-request")),
                    (ACCEPT, HeaderValue::from_static("application/ocsp-response")),
                ]);
                self.client.ask(&url, headers, Bytes::from(request.clone()), MOST_OF_AN_ANSWER).await
            }
        };
        let answer = answered.map_err(Nothing::Unreachable)?;
        if !answer.status.is_success() {
            return Err(Nothing::Status(answer.status.as_u16()));
        }
        let StatementDates { current_until, .. } = match source {
            Source::List { .. } => read_revocation_list(&answer.body, issuer).ok_or(Nothing::NotTheIssuersList)?,
            Source::Responder { .. } => {
                read_status_answer(&answer.body, certificate, issuer).ok_or(Nothing::NotTheIssuersAnswer)?
            }
        };
        let now = self.clock.now();
        let latest = now.after(KEPT);
        let until = current_until.map(UnixTime::as_millis).map_or(latest, Timestamp::from_millis);
        if until <= now {
            return Err(Nothing::Ended);
        }
        Ok((answer.body, until.min(latest)))
    }

    fn remembered(&self) -> MutexGuard<'_, HashMap<Source, Remembered>> {
        // What a panic leaves behind is still a statement and a moment.
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::List { url } => write!(f, "the list at {url}"),
            Self::Responder { url, .. } => write!(f, "the responder at {url}"),
        }
    }
}
