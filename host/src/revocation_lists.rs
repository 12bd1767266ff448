//! What issuers say of certificates that they have revoked, fetched where their certificates say it is published (RFC 5280,
//! section 4.2.1.13), so that a signed file can carry it. What is signed is not known here.
//!
//! Only what a reader would count is taken: an issuer's own list, whole, signed and current. It is fetched once until the next
//! one is due. An address that failed rests for a while, and nothing waits for it longer than [`TIMEOUT`]: whoever gets no list
//! goes on without and says so.

#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use sealwright_seal::{
    Certificate, UnixTime,
    pki::{RevocationListDates, read_revocation_list},
};
use url::Url;

use crate::{
    clock::{Clock, Timestamp},
    egress::{Egress, EgressOptions},
};

/// For one list in all.
const TIMEOUT: Duration = Duration::from_secs(5);
/// More is not read of a list, in bytes: each certificate would carry it.
const MOST: usize = 2 * 1024 * 1024;
/// How long an address that failed is not asked again.
const PAUSE: Duration = Duration::from_mins(5);
/// How long a list is kept that does not say when the next one is due; and the most for any other.
const KEPT: Duration = Duration::from_hours(24);
/// How many addresses are remembered. An installation has a handful.
const MOST_REMEMBERED: usize = 64;

/// Fetches lists and remembers them.
pub struct RevocationLists {
    client: Egress,
    clock: Clock,
    remembered: Mutex<HashMap<String, Remembered>>,
}

enum Remembered {
    List { der: Bytes, until: Timestamp },
    Failed { until: Timestamp },
}

/// What was found for some certificates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// In DER, each once.
    pub lists: Vec<Vec<u8>>,
    /// The subjects of certificates whose issuer's list is not there, and why: one line for the operator.
    pub missing: Vec<String>,
}

/// Why there is no list.
#[derive(Debug, thiserror::Error)]
enum NoList {
    #[error("its issuer is not in the chain")]
    NoIssuer,
    #[error("it does not say where its issuer publishes a list")]
    NoAddress,
    #[error("the address failed a short while ago and is not asked yet")]
    Resting,
    #[error("{0}")]
    Unreachable(String),
    #[error("the address answers with status {0}")]
    Status(u16),
    #[error("what is at the address is not a whole list of the issuer's")]
    NotTheIssuers,
    #[error("the list at the address has ended")]
    Ended,
}

impl RevocationLists {
    /// # Errors
    /// When TLS cannot be set up.
    pub fn new(clock: Clock) -> anyhow::Result<Self> {
        // The operator's own authority may well be at a private address, and lists are signed: http will do.
        let client = Egress::new(EgressOptions { timeout: TIMEOUT, allow_private_addresses: true })?;
        Ok(Self { client, clock, remembered: Mutex::default() })
    }

    /// The lists for every certificate among `certificates` that did not issue itself, by an issuer that is among them too.
    /// Those for which one of `there` will do are not looked for. Never fails, and takes a few seconds at most for each
    /// address that does not answer.
    pub async fn of(&self, certificates: &[Certificate], there: &[Vec<u8>]) -> Found {
        let mut found = Found::default();
        for certificate in certificates.iter().filter(|certificate| !certificate.is_self_issued()) {
            match self.of_one(certificate, certificates, there).await {
                Ok(Some(list)) if !found.lists.contains(&list) => found.lists.push(list),
                Ok(_) => {}
                Err(reason) => found.missing.push(format!("{}: {reason}", certificate.subject())),
            }
        }
        found
    }

    async fn of_one(
        &self,
        certificate: &Certificate,
        certificates: &[Certificate],
        there: &[Vec<u8>],
    ) -> Result<Option<Vec<u8>>, NoList> {
        let issuer = certificates.iter().find(|issuer| certificate.is_issued_by(issuer)).ok_or(NoList::NoIssuer)?;
        if there.iter().any(|list| read_revocation_list(list, issuer).is_some()) {
            return Ok(None);
        }
        let mut reason = NoList::NoAddress;
        for url in certificate.revocation_list_urls() {
            match self.at(&url, issuer).await {
                Ok(list) => return Ok(Some(list.to_vec())),
                Err(error) => reason = error,
            }
        }
        Err(reason)
    }

    async fn at(&self, url: &str, issuer: &Certificate) -> Result<Bytes, NoList> {
        let now = self.clock.now();
        match self.remembered().get(url) {
            Some(Remembered::List { der, until }) if now < *until => return Ok(der.clone()),
            Some(Remembered::Failed { until }) if now < *until => return Err(NoList::Resting),
            _ => {}
        }
        let fetched = self.fetch(url, issuer).await;
        let remembered = match &fetched {
            Ok((der, until)) => Remembered::List { der: der.clone(), until: *until },
            Err(error) => {
                tracing::warn!(url, %error, "a revocation list cannot be had");
                Remembered::Failed { until: now.after(PAUSE) }
            }
        };
        let mut all = self.remembered();
        if all.len() >= MOST_REMEMBERED && !all.contains_key(url) {
            all.clear();
        }
        all.insert(url.to_owned(), remembered);
        drop(all);
        Ok(fetched?.0)
    }

    /// The list, and until when it need not be fetched again.
    async fn fetch(&self, url: &str, issuer: &Certificate) -> Result<(Bytes, Timestamp), NoList> {
        let parsed: Url = url.parse().map_err(|error: url::ParseError| NoList::Unreachable(error.to_string()))?;
        let answer = self.client.fetch(&parsed, MOST).await.map_err(NoList::Unreachable)?;
        if !answer.status.is_success() {
            return Err(NoList::Status(answer.status.as_u16()));
        }
        let RevocationListDates { current_until, .. } =
            read_revocation_list(&answer.body, issuer).ok_or(NoList::NotTheIssuers)?;
        let now = self.clock.now();
        let latest = now.after(KEPT);
        let until = current_until.map(UnixTime::as_millis).map_or(latest, Timestamp::from_millis);
        if until <= now {
            return Err(NoList::Ended);
        }
        Ok((answer.body, until.min(latest)))
    }

    fn remembered(&self) -> MutexGuard<'_, HashMap<String, Remembered>> {
        // What a panic leaves behind is still a list and a moment.
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
