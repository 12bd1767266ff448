//! What makes and checks a proof. Pure: no input or output, no clock, no randomness; times are texts given by the caller.
//!
//! Here live the [seal manifest](manifest) (what was sealed), its [canonical form](canonical) and its [digests](digest).
//! Nothing here knows the server, its database or the certificate's layout.

pub mod canonical;
pub mod digest;
pub mod manifest;

pub use digest::{Sha256Digest, Sha256Hasher};
pub use manifest::SealManifest;
