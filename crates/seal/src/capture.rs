//! Capture records: what a person's device signed at the moment of each capture, and chained so that none can be left
//! out, moved or replaced.
//!
//! A *record* is a compact JWS (RFC 7515) with the algorithm ES256 and the device's public key in its header (`jwk`,
//! RFC 7517). Each record names the one before it by SHA-256. All records by one key are a *session*; its name is the
//! key's thumbprint (RFC 7638).
//!
//! | event | meaning |
//! |---|---|
//! | `taken` | the person kept the capture, and its file was announced |
//! | `retaken` | the person looked at the capture and discarded it: its digest and time stay, its file does not exist |
//! | `deleted` | the person deleted a capture before its file had arrived |
//! | `skipped` | the person left a step empty |
//! | `closing` | the person asked to close the case |
//!
//! **Proves**: one key signed these captures in this order, and nothing between the first and the last record is
//! missing. **Does not prove**: that a real camera took the pictures, that the program on the device was ours, what the
//! device's clock said was right, or that nothing followed the last record of a session that does not end with
//! `closing`.

mod account;
mod record;

pub use self::{
    account::{CaptureAccount, CaptureError, CapturedFile, SessionAccount, account},
    record::{Event, Record, RecordError, SessionId, Shot},
};
use crate::digest::Sha256Digest;

/// The value of `typ` in a record's header.
pub const TYPE: &str = "capture-record+jws";
/// The longest record, in bytes.
pub const MOST_BYTES: usize = 2048;

/// The end of a session's chain: what the next record must follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainEnd {
    pub session: SessionId,
    /// The sequence number of the next record.
    pub next: u32,
    /// Over the last record's compact form.
    pub digest: Sha256Digest,
}

impl ChainEnd {
    /// Checks that `record` is of this case and follows `end`, or starts a session if there is none, and returns the new end.
    pub fn extend(end: Option<&Self>, case: i64, record: &Record) -> Result<Self, RecordError> {
        if record.case_id != case {
            return Err(RecordError::OtherCase(record.case_id));
        }
        let (next, digest) = end.map_or((0, None), |end| (end.next, Some(end.digest)));
        if end.is_some_and(|end| end.session != record.session) {
            return Err(RecordError::OtherKey);
        }
        if record.sequence != next {
            return Err(RecordError::Gap { expected: next, found: record.sequence });
        }
        if record.previous != digest {
            return Err(RecordError::Previous);
        }
        let next = next.checked_add(1).ok_or(RecordError::Form("its sequence number is too large"))?;
        Ok(Self { session: record.session.clone(), next, digest: record.digest })
    }
}

#[cfg(test)]
pub(crate) mod tests;
