//! Public keys and who vouches for them: certificates (X.509, RFC 5280), private keys from PEM files, the check of a
//! chain at a given time, and a development authority for operators without a certificate.

mod authority;
mod blinding;
mod certificate;
mod identity;
mod key;
mod names;
mod path;
pub(crate) mod revocation;
mod signer;
#[cfg(test)]
mod tests;

pub use authority::{AuthorityError, DevelopmentAuthority, Issue, RandomBytes, Usage, issue, revocation_list};
pub use certificate::{Certificate, CertificateError};
pub use identity::{Identity, IdentityError};
pub use key::{KeyError, PrivateKey};
pub use path::{PathError, Purpose, TrustAnchor, TrustedPath, doubts_about_signer, verify_path};
pub use revocation::{Revocation, StatementDates, read_revocation_list, read_status_answer, status_request};
pub use signer::{SignError, SignatureAlgorithm, Signer, ecdsa_signature_der};
