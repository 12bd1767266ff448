//! Signatures and time stamps in PDF files (`PAdES`, EN 319 142-1), each in an appended revision: the earlier bytes
//! stay unchanged.
//!
//! 1. [`prepare_signature`] creates the revision with a hole in it, [`PreparedSignature::sign`] gets its digest signed,
//!    and [`SignedPdf::finish`] fills the hole, with a time-stamp token over the signature (level B-T) or, if no
//!    authority answers, without it (B-B).
//! 2. [`prepare_time_stamp`] appends a document time stamp, together with what a reader needs to check everything
//!    offline ([`ValidationMaterial`]). This upgrades B-B to B-T, upgrades both to B-LTA, and renews B-LTA. The earlier
//!    revisions stay valid.
//!
//! [`fit`] checks signatures by other programs.
//!
//! The signature certifies the document so that only such time stamps may be appended (`DocMDP`, permission 1). There
//! is no function that appends only validation material: every revision is covered by a signature or a time stamp.

mod foreign;
mod signature;
mod time_stamp;

pub use foreign::{Fit, fit};
pub use signature::{PreparedSignature, SignatureText, SignedPdf, prepare_signature};
pub(crate) use time_stamp::{LOG_PROOF, TimeStampRevision, numbers};
pub use time_stamp::{PreparedTimeStamp, ValidationMaterial, prepare_time_stamp};

use std::ops::Range;

use crate::{
    digest::{Sha256Digest, Sha256Hasher},
    pdf::{PdfError, update::AppendedRevision},
    pki::SignError,
};

/// Room for a signature or a token, in bytes. A string in PDF/A has at most 32,767; an RSA signature with a token and
/// both chains has about 12,000.
const ROOM: usize = 16 * 1024;

/// Why a file was not signed or stamped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PadesError {
    #[error("the file cannot be read: {0}")]
    Pdf(#[from] PdfError),
    #[error("the file {0}")]
    Unsuitable(&'static str),
    #[error("the signature has {actual} bytes, but there is only room for {room}")]
    TooLarge { actual: usize, room: usize },
    #[error(transparent)]
    Sign(#[from] SignError),
    #[error("the token does not stamp the requested digest")]
    OtherDigest,
}

/// A whole file with a hole in its last revision.
#[derive(Clone, Debug)]
struct FileWithHole {
    bytes: Vec<u8>,
    hole: Range<usize>,
}

impl FileWithHole {
    fn new(base: &[u8], appended: &AppendedRevision) -> Self {
        Self { bytes: [base, &appended.bytes].concat(), hole: appended.hole.clone() }
    }

    /// The SHA-256 of everything except the hole.
    fn digest(&self) -> Sha256Digest {
        let mut hasher = Sha256Hasher::new();
        hasher.update(&self.bytes[..self.hole.start]);
        hasher.update(&self.bytes[self.hole.end..]);
        hasher.finish()
    }

    fn fill(mut self, contents: &[u8]) -> Result<Vec<u8>, PadesError> {
        fill(&mut self.bytes[self.hole], contents)?;
        Ok(self.bytes)
    }
}

/// Writes `contents` into a hole, which keeps its angle brackets and, after the contents, its zeros.
pub(crate) fn fill(hole: &mut [u8], contents: &[u8]) -> Result<(), PadesError> {
    let text = hex::encode_upper(contents);
    let room = hole.len() - 2;
    if text.len() > room {
        return Err(PadesError::TooLarge { actual: contents.len(), room: room / 2 });
    }
    hole[1..=text.len()].copy_from_slice(text.as_bytes());
    Ok(())
}

/// A `/ByteRange` of fixed width, so that it can be written before its numbers are known.
fn byte_range(before: usize, after: usize, length: usize) -> String {
    format!("[0 {before:<10} {after:<10} {length:<10}]")
}
