//! Public keys and who vouches for them: certificates (X.509, RFC 5280), private keys from PEM files, the check of a chain
//! at a given time, and a development authority for those who have no certificate yet.

mod authority;
mod certificate;
mod key;
mod path;
#[cfg(test)]
mod tests;

pub use authority::{AuthorityError, DevelopmentAuthority, Issue, RandomBytes, Usage, issue, revocation_list};
pub use certificate::{Certificate, CertificateError};
pub use key::{Identity, IdentityError, KeyError, PrivateKey, SignError, SignatureAlgorithm, Signer};
pub use path::{PathError, Purpose, TrustAnchor, TrustedPath, verify_path};
