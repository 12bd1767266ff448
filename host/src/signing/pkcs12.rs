//! Key and certificates from one password-protected file (PKCS #12, RFC 7292), as certification authorities issue them.

use p12_keystore::{Pkcs12Archive, error::Error};
use sealwright_seal::{
    Certificate,
    pki::{CertificateError, KeyError, PrivateKey},
};

/// Why a file has no usable key.
#[derive(Debug, thiserror::Error)]
pub enum Pkcs12Error {
    #[error("the password is wrong, or the file was changed")]
    Password,
    #[error("not a PKCS #12 file that can be read: {0}")]
    Malformed(String),
    #[error("the file contains {0} private keys, expected one")]
    Keys(usize),
    #[error("the file contains no certificate")]
    NoCertificate,
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error(transparent)]
    Certificate(#[from] CertificateError),
}

/// The one private key of the file, and its certificates: the key's own first, then its issuers as far as they are
/// included.
pub(super) fn read(bytes: &[u8], password: &str) -> Result<(PrivateKey, Vec<Certificate>), Pkcs12Error> {
    let archive = Pkcs12Archive::from_pkcs12(bytes, password).map_err(|error| match error {
        Error::MacError(_) => Pkcs12Error::Password,
        other => Pkcs12Error::Malformed(other.to_string()),
    })?;
    let [bag] = archive.keys.as_slice() else { return Err(Pkcs12Error::Keys(archive.keys.len())) };
    let key = PrivateKey::from_pkcs8_der(bag.key.as_der())?;
    let read = archive.certs.iter().map(|bag| Certificate::from_der(bag.cert.as_der()));
    let certificates = read.collect::<Result<Vec<_>, _>>()?;
    let public = key.public_key_der()?;
    let own = certificates.iter().find(|certificate| certificate.public_key_der() == public);
    // If the key's own is missing, use the first: the later check reports that it belongs to another key.
    let own = own.or(certificates.first()).ok_or(Pkcs12Error::NoCertificate)?;
    let mut chain = vec![own.clone()];
    while let Some(last) = chain.last() {
        let issuer = certificates.iter().find(|other| !chain.contains(other) && last.is_issued_by(other));
        let Some(issuer) = issuer else { break };
        chain.push(issuer.clone());
    }
    Ok((key, chain))
}
