//! Makes and checks a proof: what was sealed, who signed it, when it existed, and that nothing was changed since.
//!
//! Pure: no input or output, no clock, no randomness, nothing asynchronous, no unsafe code. The caller passes in times,
//! random bytes and the answers of time-stamping authorities; files are bytes. So it runs wherever Rust runs, including
//! browsers. Nothing here knows the server, its database or the certificate's layout.
//!
//! | module | what |
//! |---|---|
//! | [`manifest`], [`canonical`], [`digest`] | the machine's account of what was sealed, its one form as bytes (RFC 8785), SHA-256 |
//! | [`capture`] | what the devices of those who captured have signed, as a chain |
//! | [`commitment`], [`disclosure`], [`merkle`] | a commitment to each item, and showing some without the others |
//! | [`tsp`] | time stamps (RFC 3161): request, answer, token, and an authority for development |
//! | [`pki`] | keys, certificates, chains at a time, and an authority for development |
//! | [`pades`] | signatures and time stamps in PDF files, levels B-B to B-LTA (EN 319 142-1) |
//! | [`verify`](mod@verify) | checking a certificate, to a report of facts |
//! | [`asic`], [`package`] | the manifest of a case's package (EN 319 162-1), and checking the package |
//! | [`evidence`] | evidence records (RFC 4998): one time stamp for many files, and its renewal |
//! | [`tlog`] | the forms of a transparency log (C2SP) |
//!
//! # From a PDF file to a proof
//!
//! ```
//! # include!("testing/base_pdf.rs");
//! use sealwright_seal::{
//!     UnixTime,
//!     manifest::SealManifest,
//!     pades::{SignatureText, prepare_signature},
//!     pki::{DevelopmentAuthority, RandomBytes, TrustAnchor},
//!     tsp::{Request, TimeStampAuthority},
//!     verify::{self, Expectations, Outcome},
//! };
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let manifest = br#"{"case":{"closedAt":"","createdAt":"","id":1,"title":""},"company":{"id":1,"name":""},"context":{"visibleData":{}},"format":"sealwright-seal-manifest","frame":{"id":1,"name":""},"items":[],"missingMandatorySteps":[],"reference":"CAS-1_CMP-1","steps":[],"version":1}"#;
//! # let pdf = base_pdf(&[("seal-manifest.json", manifest)]);
//! // From the caller's clock and randomness.
//! let now = UnixTime::from_millis(1_795_168_800_000)?;
//! let random = RandomBytes { keys: [[1; 32], [2; 32], [3; 32]], serial_numbers: [[4; 16], [5; 16], [6; 16]] };
//!
//! // A root, a key that signs and a key that stamps. An operator has certificates of a real authority instead.
//! let authority = DevelopmentAuthority::new("Example Org", &random, now)?;
//! let root = TrustAnchor { certificate: authority.root.clone(), development: true };
//! let (identity, time_stamping) = authority.into_identities()?;
//! let stamps = TimeStampAuthority::new(time_stamping, Some(1000));
//!
//! // Sign: the signer sees a digest, never the file.
//! let text = SignatureText { name: "Example Org", reason: "Sealed", time: now };
//! let signed = prepare_signature(&pdf, &text)?.sign(&identity)?;
//!
//! // Stamp the signature. The request would travel over HTTP.
//! let request = Request::new(signed.digest_to_stamp(), [7; 8]);
//! let answer = stamps.respond(&request.to_der(), [8; 16], now)?;
//! let certificate = signed.finish(Some(&request.accept(&answer)?))?;
//!
//! // Verify, years later and without any of the above but the root.
//! let report = verify::certificate(&certificate, &Expectations::trusting(&[root], now, &[]));
//! assert_eq!(report.outcome, Outcome::Valid);
//! assert_eq!(report.proven_time, Some(now));
//! # Ok(())
//! # }
//! ```

// Code that the unit tests share with `tests/judges` calls this crate by its name.
#[cfg(test)]
extern crate self as sealwright_seal;

mod algorithm;
pub mod asic;
mod asn1;
pub mod canonical;
pub mod capture;
mod cms;
pub mod commitment;
pub mod digest;
pub mod disclosure;
pub mod evidence;
pub mod manifest;
pub mod merkle;
pub mod package;
pub mod pades;
mod pdf;
pub mod pki;
#[cfg(test)]
mod testing;
pub mod time;
pub mod tlog;
pub mod tsp;
pub mod verify;

pub use algorithm::{AlgorithmError, cose::CoseAlgorithm};
pub use cms::CmsError;
pub use digest::{Sha256Digest, Sha256Hasher};
pub use manifest::SealManifest;
pub use pdf::PdfError;
pub use pki::Certificate;
pub use time::UnixTime;
