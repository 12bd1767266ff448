//! Checks this crate's output with independent programs, and the reverse: OpenSSL, pyHanko, Poppler's pdfsig, qpdf.

#![expect(clippy::unwrap_used, reason = "a test fails at the first unexpected result")]

mod attacked;
#[path = "../../src/testing/attacks/mod.rs"]
mod attacks;
#[path = "../../src/testing/base_pdf.rs"]
mod base_pdf;
mod evidence;
mod foreign_files;
mod key_usage;
mod keys;
mod signatures;
mod support;
mod time_stamps;
