//! What keeps a record from being read or from proving something.

use crate::{algorithm::HashAlgorithm, time::UnixTime, tsp::TokenError};

/// The largest record that is read, in bytes. One with 100 time stamps has about 400,000.
pub const MAX_RECORD: usize = 1 << 20;

/// Why a record proves nothing about a file. Time stamps are counted from 1, the oldest first.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvidenceError {
    #[error("it has {0} bytes; at most {MAX_RECORD} are read")]
    TooLarge(usize),
    #[error("it is not an evidence record: {0}")]
    Malformed(String),
    #[error("it is about another file, or the file was changed")]
    OtherFile,
    #[error("time stamp {0} does not cover the one before it")]
    NotCovered(usize),
    #[error("time stamp {number} is not accepted: {error}")]
    TimeStamp { number: usize, error: TokenError },
    #[error("time stamp {0} is older than the one before it")]
    Order(usize),
    #[error("time stamp {number} states {time}, which is in the future")]
    Future { number: usize, time: UnixTime },
    #[error("time stamp {number} came too late: the certificates of the one before it expired at {expired}")]
    Late { number: usize, expired: UnixTime },
    #[error("it was not renewed in time: the certificates of its newest time stamp expired at {0}")]
    Expired(UnixTime),
    #[error("time stamp {number} relies on {algorithm}, which is too weak from {from} on, and was not replaced before")]
    WeakHash { number: usize, algorithm: HashAlgorithm, from: UnixTime },
}
