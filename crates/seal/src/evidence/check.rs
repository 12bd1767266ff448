//! Checking a record against a file (RFC 4998, sections 4.3 and 5.3).

use super::{EvidenceRecord, error::EvidenceError, stamp::ArchiveTimeStamp};
use crate::{
    algorithm::HashAlgorithm,
    pki::{Certificate, TrustAnchor},
    time::{CLOCK_SKEW, UnixTime},
    tsp::{TokenError, VerifiedToken},
};

/// What a record is checked against.
#[derive(Clone, Copy, Debug)]
pub struct EvidenceExpectations<'a> {
    /// Roots of time-stamping authorities.
    pub time_roots: &'a [TrustAnchor],
    /// When the check is made.
    pub now: UnixTime,
    /// From when on a hash algorithm is too weak. Algorithms that are not named are strong.
    pub too_weak_from: &'a [(HashAlgorithm, UnixTime)],
}

/// What a record proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedEvidence {
    /// Oldest first, at least one.
    pub stamps: Vec<EvidenceStamp>,
}

/// A trusted time stamp of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvidenceStamp {
    pub time: UnixTime,
    /// The authority that issued it.
    pub authority: Certificate,
    /// The hash algorithm of its tree.
    pub algorithm: HashAlgorithm,
    /// When the first certificate of the authority's chain expires.
    pub valid_until: UnixTime,
    /// Whether a development authority vouches for it.
    pub development: bool,
}

impl VerifiedEvidence {
    /// The latest time at which the file came into existence.
    pub fn time(&self) -> UnixTime {
        self.stamps[0].time
    }

    /// Until when the record can be renewed.
    pub fn renew_before(&self) -> UnixTime {
        self.stamps[self.stamps.len() - 1].valid_until
    }
}

impl EvidenceError {
    /// Whether the record or the file was changed, or the two do not belong together; otherwise someone is not
    /// trusted, or was not at the time.
    pub fn is_tampering(&self) -> bool {
        match self {
            Self::TooLarge(_) | Self::Malformed(_) | Self::OtherFile | Self::NotCovered(_) | Self::Order(_) => true,
            Self::TimeStamp { error, .. } => error.is_tampering(),
            Self::Future { .. } | Self::Late { .. } | Self::Expired(_) | Self::WeakHash { .. } => false,
        }
    }
}

/// A time stamp whose hash and signature are right.
struct Intact<'r> {
    stamp: &'r ArchiveTimeStamp,
    authority: Certificate,
}

impl EvidenceRecord {
    /// Checks everything: that the record is about `file`, each time stamp, its authority's chain at the time that it
    /// states, and that each one was made while the one before it was still good.
    ///
    /// # Errors
    /// The first reason why it proves nothing. A changed record is reported before an authority that is not trusted.
    pub fn verify(
        &self,
        file: &[u8],
        expectations: &EvidenceExpectations<'_>,
    ) -> Result<VerifiedEvidence, EvidenceError> {
        let intact = self.check_hashes(file)?;
        for (position, pair) in intact.windows(2).enumerate() {
            if pair[1].stamp.token.time() < pair[0].stamp.token.time() {
                return Err(EvidenceError::Order(position + 2));
            }
        }
        let mut stamps: Vec<EvidenceStamp> = Vec::new();
        for (position, one) in intact.into_iter().enumerate() {
            let number = position + 1;
            let verified = one.stamp.token.verify_authority(&one.authority, expectations.time_roots);
            let VerifiedToken { time, path } = verified.map_err(|error| EvidenceError::TimeStamp { number, error })?;
            if time.as_millis() > expectations.now.as_millis().saturating_add(CLOCK_SKEW) {
                return Err(EvidenceError::Future { number, time });
            }
            if let Some(expired) = stamps.last().map(|before| before.valid_until).filter(|until| time > *until) {
                return Err(EvidenceError::Late { number, expired });
            }
            stamps.push(EvidenceStamp {
                time,
                authority: one.authority,
                algorithm: one.stamp.algorithm,
                valid_until: path.valid_until(),
                development: path.development,
            });
        }
        check_algorithms(&stamps, expectations)?;
        let evidence = VerifiedEvidence { stamps };
        if expectations.now > evidence.renew_before() {
            return Err(EvidenceError::Expired(evidence.renew_before()));
        }
        Ok(evidence)
    }

    /// Checks the hashes from the file to the newest time stamp, and each signature.
    fn check_hashes(&self, file: &[u8]) -> Result<Vec<Intact<'_>>, EvidenceError> {
        let mut intact: Vec<Intact<'_>> = Vec::new();
        for (position, chain) in self.chains.iter().enumerate() {
            let Some(first) = chain.first() else { continue };
            let mut hash = self.hash_for_chain(first.algorithm, file, position);
            for stamp in chain {
                let number = intact.len() + 1;
                let not_covered =
                    || if number == 1 { EvidenceError::OtherFile } else { EvidenceError::NotCovered(number) };
                let root = stamp.root(&hash).ok_or_else(not_covered)?;
                let authority = match stamp.token.verify_signature_of_hash(stamp.algorithm, &root) {
                    Ok(authority) => authority,
                    Err(TokenError::OtherDigest) if stamp.lists.is_empty() => return Err(not_covered()),
                    Err(error) => return Err(EvidenceError::TimeStamp { number, error }),
                };
                hash = stamp.algorithm.digest(&[stamp.token.der()]);
                intact.push(Intact { stamp, authority });
            }
        }
        Ok(intact)
    }
}

/// Each time stamp's hash algorithm must be strong until another one takes over, or until now.
fn check_algorithms(stamps: &[EvidenceStamp], expectations: &EvidenceExpectations<'_>) -> Result<(), EvidenceError> {
    for (position, stamp) in stamps.iter().enumerate() {
        let algorithm = stamp.algorithm;
        let next = stamps.get(position + 1).map_or(expectations.now, |next| next.time);
        let end = expectations.too_weak_from.iter().find(|(weak, _)| *weak == algorithm);
        if let Some(&(_, from)) = end.filter(|(_, from)| next >= *from) {
            return Err(EvidenceError::WeakHash { number: position + 1, algorithm, from });
        }
    }
    Ok(())
}
