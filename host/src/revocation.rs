//! Revocation status from certificate issuers, fetched from the addresses in their certificates, so that a signed file
//! can embed it: a list of all revoked certificates (RFC 5280, section 4.2.1.13), or else a responder's answer about
//! one certificate (OCSP, RFC 6960). This module does not know what is signed.
//!
//! Only what a reader would accept is used: the issuer's own complete, signed and current list, or an answer of the
//! issuer or its delegate. It is fetched once until the next one is due. An address that failed is not retried for a
//! while, and no caller waits longer than [`TIMEOUT`] for it: without a statement the caller continues and reports it.

#[cfg(test)]
mod tests;

use std::{collections::HashMap, fmt, time::Duration};

use bytes::Bytes;
use hyper::{
    HeaderMap,
    header::{ACCEPT, CONTENT_TYPE, HeaderValue},
};
use ipnet::IpNet;
use parking_lot::{Mutex, MutexGuard};
use sealwright_seal::{
    Certificate, UnixTime,
    pki::{StatementDates, read_revocation_list, read_status_answer, status_request},
};
use url::Url;

use crate::{
    clock::{Clock, Timestamp},
    egress::Egress,
};

/// For one list or answer.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The most bytes of a list: each signed file would embed it.
const MAX_LIST_BYTES: usize = 2 * 1024 * 1024;
/// The most bytes of an answer: it is about one certificate and contains the responder's own.
const MAX_ANSWER_BYTES: usize = 64 * 1024;
/// How long an address that failed is not tried again.
const PAUSE: Duration = Duration::from_mins(5);
/// How long a statement is kept that does not say when the next one is due; and the maximum for any other.
const MAX_AGE: Duration = Duration::from_hours(24);
/// How many sources are cached. An installation has a handful.
const MAX_CACHED: usize = 64;

/// Fetches revocation statements and caches them.
pub struct RevocationSource {
    client: Egress,
    clock: Clock,
    cache: Mutex<HashMap<Source, CacheEntry>>,
}

/// Where a statement is fetched from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Source {
    List {
        url: String,
    },
    /// A responder, and the request to it.
    Responder {
        url: String,
        request: Vec<u8>,
    },
}

enum CacheEntry {
    Statement { der: Bytes, until: Timestamp },
    Failed { until: Timestamp },
}

/// The statements found for some certificates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RevocationData {
    /// Revocation lists in DER, each once.
    pub lists: Vec<Vec<u8>>,
    /// Responders' answers in DER.
    pub answers: Vec<Vec<u8>>,
    /// The subjects of certificates without a statement, and why: one line each, for the operator.
    pub missing: Vec<String>,
}

/// Why there is no statement.
#[derive(Debug, thiserror::Error)]
enum MissingReason {
    #[error("its issuer is not in the chain")]
    NoIssuer,
    #[error("its chain does not lead to a root in seal.trust, so the addresses in it are not used")]
    NotAnchored,
    #[error("it does not say where its issuer publishes a list or runs a responder")]
    NoAddress,
    #[error("the address failed a short while ago and is not tried again yet")]
    Paused,
    #[error("{0}")]
    Unreachable(String),
    #[error("the address answered with status {0}")]
    Status(u16),
    #[error("the address does not return a complete list of the issuer")]
    NotTheIssuersList,
    #[error("the responder does not return an answer of the issuer about it")]
    NotTheIssuersAnswer,
    #[error("the statement at the address has expired")]
    Expired,
}

impl RevocationSource {
    /// Fetches from public addresses, and from `private_networks`, where the operator's own authority may be.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub fn new(clock: Clock, private_networks: Vec<IpNet>) -> anyhow::Result<Self> {
        // Statements are signed, so http is sufficient.
        let client = Egress::for_networks(TIMEOUT, private_networks)?;
        Ok(Self { client, clock, cache: Mutex::default() })
    }

    /// The statements about every certificate among `certificates` that is not self-issued; the issuers must be among
    /// them. Nothing is fetched for a certificate that one of the `existing` lists covers, and for the others only if
    /// they are `anchored`: the issuer chooses the address in a certificate, so it is used only if the operator trusts
    /// the issuer. Never fails, and takes at most a few seconds for each address that does not answer.
    pub async fn of(
        &self,
        certificates: &[Certificate],
        anchored: &[Certificate],
        existing: &[Vec<u8>],
    ) -> RevocationData {
        let mut found = RevocationData::default();
        for certificate in certificates.iter().filter(|certificate| !certificate.is_self_issued()) {
            if let Err(reason) = self.find(certificate, certificates, anchored, existing, &mut found).await {
                found.missing.push(format!("{}: {reason}", certificate.subject()));
            }
        }
        found
    }

    /// Prefers a list to an answer, because the next certificate has the same list.
    async fn find(
        &self,
        certificate: &Certificate,
        certificates: &[Certificate],
        anchored: &[Certificate],
        existing: &[Vec<u8>],
        found: &mut RevocationData,
    ) -> Result<(), MissingReason> {
        let issuer =
            certificates.iter().find(|issuer| certificate.is_issued_by(issuer)).ok_or(MissingReason::NoIssuer)?;
        if existing.iter().any(|list| read_revocation_list(list, issuer).is_some()) {
            return Ok(());
        }
        if !anchored.contains(certificate) {
            return Err(MissingReason::NotAnchored);
        }
        let lists = certificate.revocation_list_urls().into_iter().map(|url| Source::List { url });
        let request = status_request(certificate, issuer);
        let responders = certificate.status_responder_urls().into_iter();
        let responders = responders.map(|url| Source::Responder { url, request: request.clone() });
        let mut reason = MissingReason::NoAddress;
        for source in lists.chain(responders) {
            match self.statement(&source, certificate, issuer).await {
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

    async fn statement(
        &self,
        source: &Source,
        certificate: &Certificate,
        issuer: &Certificate,
    ) -> Result<Bytes, MissingReason> {
        let now = self.clock.now();
        match self.cache().get(source) {
            Some(CacheEntry::Statement { der, until }) if now < *until => return Ok(der.clone()),
            Some(CacheEntry::Failed { until }) if now < *until => return Err(MissingReason::Paused),
            _ => {}
        }
        let fetched = self.fetch(source, certificate, issuer).await;
        let entry = match &fetched {
            Ok((der, until)) => CacheEntry::Statement { der: der.clone(), until: *until },
            Err(error) => {
                tracing::warn!(%source, %error, "an issuer's revocation status cannot be fetched");
                CacheEntry::Failed { until: now.after(PAUSE) }
            }
        };
        let mut cache = self.cache();
        if cache.len() >= MAX_CACHED && !cache.contains_key(source) {
            cache.clear();
        }
        cache.insert(source.clone(), entry);
        drop(cache);
        Ok(fetched?.0)
    }

    /// The statement, and how long it can be cached.
    async fn fetch(
        &self,
        source: &Source,
        certificate: &Certificate,
        issuer: &Certificate,
    ) -> Result<(Bytes, Timestamp), MissingReason> {
        let (Source::List { url } | Source::Responder { url, .. }) = source;
        let url: Url = url.parse().map_err(|error: url::ParseError| MissingReason::Unreachable(error.to_string()))?;
        let answered = match source {
            Source::List { .. } => self.client.fetch(&url, MAX_LIST_BYTES).await,
            Source::Responder { request, .. } => {
                let headers = HeaderMap::from_iter([
                    (CONTENT_TYPE, HeaderValue::from_static("application/ocsp-request")),
                    (ACCEPT, HeaderValue::from_static("application/ocsp-response")),
                ]);
                self.client.ask(&url, headers, Bytes::from(request.clone()), MAX_ANSWER_BYTES).await
            }
        };
        let answer = answered.map_err(MissingReason::Unreachable)?;
        if !answer.status.is_success() {
            return Err(MissingReason::Status(answer.status.as_u16()));
        }
        let StatementDates { current_until, .. } = match source {
            Source::List { .. } => {
                read_revocation_list(&answer.body, issuer).ok_or(MissingReason::NotTheIssuersList)?
            }
            Source::Responder { .. } => {
                read_status_answer(&answer.body, certificate, issuer).ok_or(MissingReason::NotTheIssuersAnswer)?
            }
        };
        let now = self.clock.now();
        let latest = now.after(MAX_AGE);
        let until = current_until.map(UnixTime::as_millis).map_or(latest, Timestamp::from_millis);
        if until <= now {
            return Err(MissingReason::Expired);
        }
        Ok((answer.body, until.min(latest)))
    }

    fn cache(&self) -> MutexGuard<'_, HashMap<Source, CacheEntry>> {
        // A panic cannot leave an entry half written.
        self.cache.lock()
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
