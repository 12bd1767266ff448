//! The sources of time stamps: the operator's time-stamping authorities over HTTP (RFC 3161, section 3.4), asked in
//! order, or the development authority inside this process. This module does not know what is stamped.
//!
//! A source that failed is paused for a while, so that an unavailable one does not delay a case, and is then asked
//! again. If none answers there is no time stamp: the local clock never replaces one.

mod source;
#[cfg(test)]
mod tests;

use std::{collections::BTreeSet, time::Duration};

use sealwright_seal::{
    Certificate, Sha256Digest, UnixTime,
    pki::{PathError, TrustAnchor},
    tsp::{ResponseError, StampError, TimeStampAuthority, Token, TokenError},
};
use url::Url;

use self::source::Source;
use crate::{
    clock::{Clock, random_bytes},
    egress::{Egress, EgressOptions},
};

/// The settings of the operator's authorities.
#[derive(Clone, Debug)]
pub struct Authorities {
    /// At least one, in the order in which they are asked.
    pub urls: Vec<Url>,
    /// For one request.
    pub timeout: Duration,
    /// How long a source is paused after its first failure; twice as long after each further one, up to 16 times.
    pub pause: Duration,
    /// The roots of `seal.trust`: an authority's chain must lead to one of them. None if the operator names no roots.
    pub roots: Option<Vec<Certificate>>,
    /// How many independent ones must have stamped a certificate.
    pub quorum: usize,
}

/// The most by which a token's time may differ from this machine's clock. A token over a new digest cannot have another
/// time, unless one of the two clocks is wrong.
pub const MAX_CLOCK_DIFFERENCE: Duration = Duration::from_mins(5);

/// The sources of time stamps, and their health.
pub struct TimeSources {
    clock: Clock,
    kind: Kind,
    quorum: usize,
}

enum Kind {
    Authorities { sources: Vec<Source>, client: Egress, judge: Judge },
    Development(Box<TimeStampAuthority>),
}

/// Why there is no time stamp.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTime {
    /// The errors of the sources that were asked.
    #[error("no time-stamping authority issued a time stamp: {}", .0.join("; "))]
    Refused(Vec<String>),
    /// All of them failed a short while ago.
    #[error("every time-stamping authority failed a short while ago and is not asked again yet")]
    Paused,
    /// All others are under the roots of those that have already stamped, or failed a short while ago.
    #[error("no further independent time-stamping authority can be asked yet")]
    TooFew,
}

/// Why one source issued no usable token.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// It could not be reached, was too slow, or its answer was too long.
    #[error("{0}")]
    Unreachable(String),
    #[error("it answered with status {0}")]
    Status(u16),
    #[error(transparent)]
    Response(#[from] ResponseError),
    #[error("its chain: {0}")]
    Chain(#[from] TokenError),
    #[error("its chain does not lead to a root in seal.trust: {0}")]
    Untrusted(TokenError),
    #[error(
        "it states {stated}, {apart} s from the clock of this machine; at most {} s are accepted",
        MAX_CLOCK_DIFFERENCE.as_secs()
    )]
    OtherTime { stated: UnixTime, apart: u64 },
    #[error(transparent)]
    Development(#[from] StampError),
    #[error("the clock of this machine: {0}")]
    Clock(#[from] sealwright_seal::time::TimeError),
}

/// One source, as the operator sees it.
#[derive(Clone, Debug)]
pub struct SourceState {
    /// The authority's host, or `development`.
    pub name: String,
    /// Whether it answered the last request. True if it was never asked.
    pub is_up: bool,
    /// How many of its tokens were refused since the start, by reason.
    pub refused: [(&'static str, u64); 2],
}

/// Decides which tokens are accepted.
struct Judge {
    clock: Clock,
    roots: Option<Vec<TrustAnchor>>,
}

impl TimeSources {
    /// # Errors
    /// If TLS cannot be set up.
    pub fn authorities(authorities: Authorities, clock: Clock) -> anyhow::Result<Self> {
        let Authorities { urls, timeout, pause, roots, quorum } = authorities;
        // The operator may choose a private address or http, because tokens are signed.
        let client = Egress::new(EgressOptions { timeout, allow_private_addresses: true })?;
        let sources = urls.into_iter().map(|url| Source::new(url, pause)).collect();
        let anchor = |certificate| TrustAnchor { certificate, development: false };
        let roots = roots.map(|roots| roots.into_iter().map(anchor).collect());
        let judge = Judge { clock: clock.clone(), roots };
        Ok(Self { clock, kind: Kind::Authorities { sources, client, judge }, quorum })
    }

    /// The development authority, whose time is that of `clock`.
    pub fn development(authority: TimeStampAuthority, clock: Clock) -> Self {
        Self { clock, kind: Kind::Development(Box::new(authority)), quorum: 1 }
    }

    /// How many independent authorities must have stamped a certificate.
    pub fn quorum(&self) -> usize {
        self.quorum
    }

    pub fn is_development(&self) -> bool {
        matches!(self.kind, Kind::Development(_))
    }

    /// A token over `digest` from the first source that issues a usable one: over this digest, in answer to this
    /// request, by a certificate that may stamp times and was valid at the stated time, with a chain to one of the
    /// operator's roots if there are any, and with a time near this machine's.
    pub async fn stamp(&self, digest: Sha256Digest) -> Result<Token, NoTime> {
        self.stamp_by_another(digest, &BTreeSet::new()).await
    }

    /// The first of the tokens over `digest` by as many independent authorities as must have stamped a certificate. Each
    /// states a time near this machine's, so their times agree.
    pub async fn stamp_by_quorum(&self, digest: Sha256Digest) -> Result<Token, NoTime> {
        let first = self.stamp(digest).await?;
        if self.quorum == 1 {
            return Ok(first);
        }
        let mut roots: BTreeSet<String> = first.root_name().into_iter().collect();
        for _ in 1..self.quorum {
            let next = self.stamp_by_another(digest, &roots).await?;
            roots.extend(next.root_name());
        }
        Ok(first)
    }

    /// A token like [`stamp`](Self::stamp), by an authority whose root is not among `roots`.
    pub async fn stamp_by_another(&self, digest: Sha256Digest, roots: &BTreeSet<String>) -> Result<Token, NoTime> {
        let (sources, client, judge) = match &self.kind {
            Kind::Development(authority) => {
                return self.stamp_here(authority, digest).map_err(|error| NoTime::Refused(vec![error.to_string()]));
            }
            Kind::Authorities { sources, client, judge } => (sources, client, judge),
        };
        let mut refusals = Vec::new();
        for source in sources {
            if source.is_paused(self.clock.steady()) || source.is_under(roots) {
                continue;
            }
            match source.ask(client, judge, digest).await {
                Ok(token) => {
                    let root = if self.quorum > 1 { token.root_name() } else { None };
                    let is_another = root.as_ref().map_or(roots.is_empty(), |root| !roots.contains(root));
                    source.record_success(root);
                    if is_another {
                        return Ok(token);
                    }
                }
                Err(error) => {
                    source.record_failure(&error, self.clock.steady());
                    refusals.push(format!("{}: {error}", source.name()));
                }
            }
        }
        Err(match (refusals.is_empty(), roots.is_empty()) {
            (false, _) => NoTime::Refused(refusals),
            (true, true) => NoTime::Paused,
            (true, false) => NoTime::TooFew,
        })
    }

    /// Whether a source may be asked now whose last token was not under one of `roots`.
    pub fn can_ask_another(&self, roots: &BTreeSet<String>) -> bool {
        match &self.kind {
            Kind::Development(_) => true,
            Kind::Authorities { sources, .. } => {
                sources.iter().any(|source| !source.is_paused(self.clock.steady()) && !source.is_under(roots))
            }
        }
    }

    /// Asks every source once, also paused ones, without recording the outcome. For the operator.
    pub async fn ask_each(&self, digest: Sha256Digest) -> Vec<(String, Result<Token, SourceError>)> {
        match &self.kind {
            Kind::Development(authority) => vec![("development".to_owned(), self.stamp_here(authority, digest))],
            Kind::Authorities { sources, client, judge } => {
                let mut answers = Vec::new();
                for source in sources {
                    answers.push((source.name().to_owned(), source.ask(client, judge, digest).await));
                }
                answers
            }
        }
    }

    pub fn states(&self) -> Vec<SourceState> {
        match &self.kind {
            Kind::Development(_) => {
                let refused = source::RefusedTokens::default().counts();
                vec![SourceState { name: "development".to_owned(), is_up: true, refused }]
            }
            Kind::Authorities { sources, .. } => sources
                .iter()
                .map(|source| SourceState {
                    name: source.name().to_owned(),
                    is_up: source.is_up(),
                    refused: source.refused.counts(),
                })
                .collect(),
        }
    }

    /// Whether the chain of a token leads to one of the operator's roots. False without such roots.
    pub fn is_anchored(&self, token: &Token) -> bool {
        let Kind::Authorities { judge: Judge { roots: Some(roots), .. }, .. } = &self.kind else { return false };
        token.stamped_digest().is_some_and(|digest| token.verify(&digest, roots).is_ok())
    }

    fn stamp_here(&self, authority: &TimeStampAuthority, digest: Sha256Digest) -> Result<Token, SourceError> {
        let now = UnixTime::from_millis(self.clock.now().as_millis())?;
        let token = authority.stamp(&digest, random_bytes(), now)?;
        check_chain(&token, &digest)?;
        Ok(token)
    }
}

impl Judge {
    /// Checks that the token's chain leads to one of the operator's roots, and that its time is near this machine's.
    fn judge(&self, token: &Token, digest: &Sha256Digest) -> Result<(), SourceError> {
        match &self.roots {
            None => check_chain(token, digest)?,
            Some(roots) => drop(token.verify(digest, roots).map_err(|error| match error {
                TokenError::Path(PathError::Untrusted { .. }) => SourceError::Untrusted(error),
                error => SourceError::Chain(error),
            })?),
        }
        let stated = token.time();
        let apart = Duration::from_millis(stated.as_millis().abs_diff(self.clock.now().as_millis()));
        if apart > MAX_CLOCK_DIFFERENCE {
            return Err(SourceError::OtherTime { stated, apart: apart.as_secs() });
        }
        Ok(())
    }
}

/// When the first certificate of a token's chain expires.
pub fn valid_until(token: &Token) -> UnixTime {
    // A token without any certificate is never accepted.
    let ends = token.certificates().iter().map(sealwright_seal::Certificate::not_after);
    ends.min().unwrap_or(token.time())
}

/// Checks that the token's own chain may stamp times and was valid at the stated time. Readers decide whom they trust;
/// this refuses tokens that no one could ever trust.
fn check_chain(token: &Token, digest: &Sha256Digest) -> Result<(), TokenError> {
    let mut tops: Vec<_> = token.certificates().to_vec();
    // From the top of the chain down: with the root as the anchor the whole chain is checked.
    tops.sort_by_key(|certificate| !certificate.is_self_issued());
    let mut refusal = None;
    for certificate in tops {
        match token.verify(digest, &[TrustAnchor { certificate, development: false }]) {
            Ok(_) => return Ok(()),
            Err(error) => drop(refusal.get_or_insert(error)),
        }
    }
    let none = || PathError::Untrusted { subject: "the authority".to_owned(), issuer: "no one".to_owned() };
    Err(refusal.unwrap_or_else(|| none().into()))
}
