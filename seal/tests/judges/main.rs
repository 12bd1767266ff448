//! What this crate writes, read by programs that nobody here wrote, and the reverse: OpenSSL, pyHanko, Poppler's pdfsig, qpdf.

mod keys;
mod support;
mod time_stamps;
