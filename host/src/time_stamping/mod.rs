//! Where time stamps come from: the operator's time-stamping authorities over HTTP (RFC 3161, section 3.4), asked in their
//! order, or the development authority inside this process. What is stamped is not known here.
//!
//! A source that failed rests for a while, so that one that is away costs a case nothing, and is then asked again. When none
//! answers there is no time: the local clock never stands in for one.

mod source;
#[cfg(test)]
mod tests;

use std::time::Duration;

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

/// How the operator's authorities are asked.
#[derive(Clone, Debug)]
pub struct Authorities {
    /// At least one, in the order in which they are asked.
    pub urls: Vec<Url>,
    /// For one request in all.
    pub timeout: Duration,
    /// How long a source rests after its first failure; twice as long after each further one, up to 16 times.
    pub pause: Duration,
    /// The roots of `seal.trust`: an authority's chain must lead to one of them. None where the operator names no roots.
    pub roots: Option<Vec<Certificate>>,
}

/// How far the time that a token states may be from this machine's clock. A token over a digest that was just made cannot
/// have another time, unless one of the two clocks is wrong.
pub const MOST_APART: Duration = Duration::from_mins(5);

/// The sources of time, and what is known of their health.
pub struct TimeSources {
    clock: Clock,
    kind: Kind,
}

enum Kind {
    Authorities { sources: Vec<Source>, client: Egress, judge: Judge },
    Development(Box<TimeStampAuthority>),
}

/// Why there is no time stamp.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTime {
    /// What each source that was asked said.
    #[error("no time-stamping authority gives a time stamp: {}", .0.join("; "))]
    Refused(Vec<String>),
    /// All of them have failed a short while ago.
    #[error("every time-stamping authority has failed a short while ago and is not asked yet")]
    Resting,
}

/// Why one source gave no usable token.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// It could not be reached, was too slow, or said too much.
    #[error("{0}")]
    Unreachable(String),
    #[error("it answers with status {0}")]
    Status(u16),
    #[error(transparent)]
    Response(#[from] ResponseError),
    #[error("its chain: {0}")]
    Chain(#[from] TokenError),
    #[error("its chain does not lead to a root in seal.trust: {0}")]
    Untrusted(TokenError),
    #[error("it states {stated}, {apart} s from the clock of this machine, and {} s are accepted", MOST_APART.as_secs())]
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
    /// Whether it answered when it was asked last. One that was never asked counts as well.
    pub is_up: bool,
    /// How many of its tokens were refused since the start, by the reason.
    pub refused: [(&'static str, u64); 2],
}

/// Which tokens count.
struct Judge {
    clock: Clock,
    roots: Option<Vec<TrustAnchor>>,
}

impl TimeSources {
    /// # Errors
    /// When TLS cannot be set up.
    pub fn authorities(authorities: Authorities, clock: Clock) -> anyhow::Result<Self> {
        let Authorities { urls, timeout, pause, roots } = authorities;
        // The operator's own choice may well be a private address, or speak http: tokens are signed.
        let client = Egress::new(EgressOptions { timeout, allow_private_addresses: true })?;
        let sources = urls.into_iter().map(|url| Source::new(url, pause)).collect();
        let anchor = |certificate| TrustAnchor { certificate, development: false };
        let roots = roots.map(|roots| roots.into_iter().map(anchor).collect());
        let judge = Judge { clock: clock.clone(), roots };
        Ok(Self { clock, kind: Kind::Authorities { sources, client, judge } })
    }

    /// The development authority, whose time is that of `clock`.
    pub fn development(authority: TimeStampAuthority, clock: Clock) -> Self {
        Self { clock, kind: Kind::Development(Box::new(authority)) }
    }

    pub fn is_development(&self) -> bool {
        matches!(self.kind, Kind::Development(_))
    }

    /// A token over `digest` from the first source that gives a usable one: over this digest, in answer to this very request,
    /// by a certificate that may stamp times and was valid at the time stated, with a chain to a root of the operator's where
    /// there are any, and with a time near this machine's.
    pub async fn stamp(&self, digest: Sha256Digest) -> Result<Token, NoTime> {
        let (sources, client, judge) = match &self.kind {
            Kind::Development(authority) => {
                return self.stamp_here(authority, digest).map_err(|error| NoTime::Refused(vec![error.to_string()]));
            }
            Kind::Authorities { sources, client, judge } => (sources, client, judge),
        };
        let mut refusals = Vec::new();
        for source in sources {
            if source.rests(self.clock.steady()) {
                continue;
            }
            match source.ask(client, judge, digest).await {
                Ok(token) => {
                    source.note_success();
                    return Ok(token);
                }
                Err(error) => {
                    source.note_failure(&error, self.clock.steady());
                    refusals.push(format!("{}: {error}", source.name()));
                }
            }
        }
        Err(if refusals.is_empty() { NoTime::Resting } else { NoTime::Refused(refusals) })
    }

    /// Asks every source once, resting or not, without noting the outcome: what the operator wants to know.
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
                let refused = source::Refused::default().counts();
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

    /// Whether the chain of a token leads to a root that the operator names. False where there are no such roots.
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
    /// Checks that the token's chain leads to a root of the operator's, and that its time is near this machine's.
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
        if apart > MOST_APART { Err(SourceError::OtherTime { stated, apart: apart.as_secs() }) } else { Ok(()) }
    }
}

/// Until when the certificates of a token's chain are all valid.
pub fn valid_until(token: &Token) -> UnixTime {
    // A token without any certificate is never accepted.
    let ends = token.certificates().iter().map(sealwright_seal::Certificate::not_after);
    ends.min().unwrap_or(token.time())
}

/// Checks that the token's own chain may stamp times and was valid at the time it states. Whom a reader trusts is the
/// reader's business; a token that nobody could ever trust is refused here.
fn check_chain(token: &Token, digest: &Sha256Digest) -> Result<(), TokenError> {
    let mut tops: Vec<_> = token.certificates().to_vec();
    // From the top of the chain down: with the root as the anchor the whole chain is looked at.
    tops.sort_by_key(|certificate| !certificate.is_self_issued());
    let mut refusal = None;
    for certificate in tops {
        match token.verify(digest, &[TrustAnchor { certificate, development: false }]) {
            Ok(_) => return Ok(()),
            Err(error) => drop(refusal.get_or_insert(error)),
        }
    }
    let none = || PathError::Untrusted { subject: "the authority".to_owned(), issuer: "nobody".to_owned() };
    Err(refusal.unwrap_or_else(|| none().into()))
}
