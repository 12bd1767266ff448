//! What a machine can see in a document or a photo: facts, prepared within fixed bounds, without a judgement.
//!
//! Bytes in, [`Facts`] out: [`prepare`] is a function of the file, the [`Limits`] and whether text can be recognised.
//! No network, no database, no clock. What a fact means is decided elsewhere, by plugins.
//!
//! | module | what |
//! |---|---|
//! | [`model`] | pages, text, the file itself: what all kinds of files share |
//! | [`pdf`] | structure, revisions, metadata, fonts; what is painted on a page, and in which order |
//! | [`image`](mod@image) | coding, EXIF, editors' marks, pixels |
//! | [`ocr`] | text recognition by Tesseract, a child process |
//! | [`page_picture`] | pages drawn, for people |
//! | [`pages`] | only the text that a PDF file's pages show |
//! | [`mrz`], [`barcode`] | machine-readable zones (ICAO 9303), QR and Data Matrix codes |
//! | [`signed_code`] | codes that their issuer signed (2D-Doc), and the certificates to check them with |
//! | [`near`] | finds near duplicates among a million perceptual hashes |
//! | [`child`] | the process that runs all of it: hostile files are read where they do no harm |
//!
//! Libraries that read foreign files can loop, eat memory or panic. So a server never calls [`prepare`] itself: it starts
//! a process that runs [`child::main`], which is confined (`sealwright-child-process`) and killed when it takes too long.

pub mod barcode;
pub mod child;
mod facts;
pub mod image;
mod limits;
pub mod model;
pub mod mrz;
pub mod near;
pub mod ocr;
pub mod page_picture;
pub mod pages;
pub mod pdf;
mod prepare;
mod provenance;
pub mod signed_code;
mod text;
pub mod xmp;

pub use facts::Facts;
pub use limits::Limits;
pub use model::{Limited, Reading, UnreadableReason};
pub use prepare::{Recognition, prepare, prepare_trusting};
