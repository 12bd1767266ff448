//! What makes and checks a proof. Pure: no input or output, no clock, no randomness; times are texts given by the caller.
//!
//! Here live the [seal manifest](manifest) (what was sealed), its [canonical form](canonical) and its [digests](digest).
//! Nothing here knows the server, its database or the certificate's layout.

mod algorithm;
mod asn1;
pub mod canonical;
mod cms;
pub mod digest;
pub mod manifest;
pub mod pki;
#[cfg(test)]
mod testing;
pub mod time;
pub mod tsp;

pub use algorithm::AlgorithmError;
pub use cms::CmsError;
pub use digest::{Sha256Digest, Sha256Hasher};
pub use manifest::SealManifest;
pub use time::UnixTime;
