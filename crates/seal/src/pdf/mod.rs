//! PDF files (ISO 32000-1) as far as a certificate needs them: those with a classic cross-reference table and no encryption.
//! [`syntax`] reads values, [`file`](mod@file) the revisions and objects, [`update`] appends a revision, [`attachment`] takes
//! out embedded files.
//!
//! Strict on purpose. A reader that repairs a broken file sees a different document than another reader, and attacks on
//! signed PDF files exploit that difference. Anything unsupported is an error here.

pub(crate) mod attachment;
pub(crate) mod file;
pub(crate) mod syntax;
pub(crate) mod update;

/// Why this crate cannot read a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} (at byte {at})")]
pub struct PdfError {
    /// Offset into the file, in bytes.
    pub at: usize,
    pub what: &'static str,
}

impl PdfError {
    pub(crate) fn new(at: usize, what: &'static str) -> Self {
        Self { at, what }
    }
}
