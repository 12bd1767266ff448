//! Uploaded files: receiving them ([`upload`]) and making pictures from them
//! ([`image`]). Their content is read in `facts`.
//!
//! This module knows neither cases, steps nor HTTP; the bytes are stored in [`crate::blobs`].

mod checksum;
pub mod image;
mod jpeg;
pub mod upload;

pub use self::{
    checksum::{Checksum, RunningChecksum},
    upload::{Accepts, StoredFile, Upload, UploadError},
};
