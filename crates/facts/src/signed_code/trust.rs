//! The certificates of the issuers of signed codes, which the operator keeps up to date, and the check of a signature.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use p256::ecdsa::signature::hazmat::PrehashVerifier;
use p256::pkcs8::DecodePublicKey;
use sealwright_seal::pki::Certificate;
use sha2::{Digest, Sha256, Sha384};

use super::{SignatureState, SignedCode, date};

/// The most files of a folder, and the most bytes of one.
const MAX_FILES: usize = 10_000;
const MAX_FILE_BYTES: u64 = 4 << 20;
const DAY: i64 = 86_400_000;

/// Certificates by authority and name: the common names of a certificate's issuer and of its subject.
#[derive(Clone, Debug, Default)]
pub struct TrustList {
    /// Several of one name follow each other when a key is renewed.
    certificates: BTreeMap<(String, String), Vec<Certificate>>,
    /// Why certificates of the files are not in the list, for people.
    pub rejected: Vec<String>,
}

/// Why there is no list.
#[derive(Debug, thiserror::Error)]
pub enum TrustListError {
    #[error("cannot read {}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{} has more than {MAX_FILES} files", .0.display())]
    TooManyFiles(PathBuf),
    #[error("{} has no certificate in DER or PEM", .0.display())]
    Empty(PathBuf),
}

impl TrustList {
    /// Reads a file, or all files of a folder: certificates in PEM, in DER, or several in DER one after the other, as
    /// the authorities publish them. The certificate of an authority itself is the test of those that it issued; if it
    /// is not there, those are trusted as they are.
    pub fn read(path: &Path) -> Result<Self, TrustListError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| TrustListError::Io { path, source }
        };
        let mut files = Vec::new();
        if path.is_dir() {
            for entry in fs::read_dir(path).map_err(failed(path))? {
                let file = entry.map_err(failed(path))?.path();
                if file.is_file() {
                    files.push(file);
                }
                if files.len() > MAX_FILES {
                    return Err(TrustListError::TooManyFiles(path.to_owned()));
                }
            }
        } else {
            files.push(path.to_owned());
        }
        files.sort();
        let (mut certificates, mut rejected) = (Vec::new(), Vec::new());
        for file in files {
            let size = fs::metadata(&file).map_err(failed(&file))?.len();
            if size > MAX_FILE_BYTES {
                rejected.push(format!("{}: it has more than 4 MiB", file.display()));
                continue;
            }
            let read = certificates_of(&fs::read(&file).map_err(failed(&file))?);
            if read.is_empty() {
                rejected.push(format!("{}: no certificate in DER or PEM", file.display()));
            }
            certificates.extend(read);
        }
        if certificates.is_empty() {
            return Err(TrustListError::Empty(path.to_owned()));
        }
        Ok(Self::of(&certificates, rejected))
    }

    fn of(certificates: &[Certificate], mut rejected: Vec<String>) -> Self {
        let subjects: Vec<String> = certificates.iter().map(Certificate::subject).collect();
        let mut list: BTreeMap<(String, String), Vec<Certificate>> = BTreeMap::new();
        for certificate in certificates {
            let names = common_name(&certificate.issuer()).zip(common_name(&certificate.subject()));
            let Some((authority, name)) = names else {
                rejected.push(format!("{}: it has no common name", certificate.subject()));
                continue;
            };
            let issuer = certificate.issuer();
            let named = subjects.iter().zip(certificates).filter(|(subject, _)| **subject == issuer);
            let mut authorities = named.map(|(_, certificate)| certificate).peekable();
            if authorities.peek().is_some() && !authorities.any(|authority| certificate.is_issued_by(authority)) {
                rejected.push(format!("{name} of {authority}: the authority did not issue it"));
                continue;
            }
            list.entry((authority, name)).or_default().push(certificate.clone());
        }
        Self { certificates: list, rejected }
    }

    /// How many certificates it has.
    pub fn len(&self) -> usize {
        self.certificates.values().map(Vec::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.certificates.is_empty()
    }

    /// Whether the owner of the certificate that a code names has signed it.
    pub fn check(&self, code: &SignedCode) -> SignatureState {
        let Some(certificates) = self.certificates.get(&(code.authority.clone(), code.certificate.clone())) else {
            return SignatureState::UnknownCertificate;
        };
        let Ok(signature) = hex::decode(&code.signature) else { return SignatureState::Invalid };
        let right: Vec<&Certificate> =
            certificates.iter().filter(|certificate| fits(certificate, code.signed.as_bytes(), &signature)).collect();
        if right.is_empty() {
            return SignatureState::Invalid;
        }
        // A code without a date of signature is held against the date of issue; without both, there is no time to check.
        let day = code.signed_on.as_ref().or(code.issued_on.as_ref()).and_then(|day| date::millis(day));
        let is_valid = |certificate: &&Certificate| {
            day.is_none_or(|day| {
                // The code names a day, and the certificate may begin or end within it.
                certificate.not_before().as_millis() < day + DAY && day <= certificate.not_after().as_millis()
            })
        };
        if right.iter().any(is_valid) { SignatureState::Valid } else { SignatureState::OutsideValidity }
    }
}

/// Whether the key of a certificate made a signature. The hash follows the curve; some issuers use SHA-256 with both.
fn fits(certificate: &Certificate, signed: &[u8], signature: &[u8]) -> bool {
    let key = certificate.public_key_der();
    if let Ok(key) = p256::ecdsa::VerifyingKey::from_public_key_der(&key) {
        return p256::ecdsa::Signature::from_slice(signature)
            .is_ok_and(|signature| key.verify_prehash(&Sha256::digest(signed), &signature).is_ok());
    }
    if let Ok(key) = p384::ecdsa::VerifyingKey::from_public_key_der(&key) {
        return p384::ecdsa::Signature::from_slice(signature).is_ok_and(|signature| {
            key.verify_prehash(&Sha384::digest(signed), &signature).is_ok()
                || key.verify_prehash(&Sha256::digest(signed), &signature).is_ok()
        });
    }
    false
}

/// The common name in a distinguished name as RFC 4514 writes it. Names of authorities and issuers have four letters
/// and digits, so nothing in them is escaped.
fn common_name(name: &str) -> Option<String> {
    let part = name.split([',', '+']).find_map(|part| part.trim().strip_prefix("CN="))?;
    Some(part.to_owned())
}

/// The certificates in a file.
fn certificates_of(file: &[u8]) -> Vec<Certificate> {
    if let Some(text) = str::from_utf8(file).ok().filter(|text| text.contains("-----BEGIN")) {
        return Certificate::from_pem_chain(text).unwrap_or_default();
    }
    // What an authority publishes has lines of text between the certificates.
    let mut certificates = Vec::new();
    let mut at = 0;
    while let Some(start) = file.get(at..).and_then(|rest| rest.windows(2).position(|bytes| bytes == [0x30, 0x82])) {
        let start = at + start;
        let length = file.get(start + 2..start + 4).map(|bytes| usize::from(u16::from_be_bytes([bytes[0], bytes[1]])));
        let end = length.map_or(file.len(), |length| start + 4 + length);
        let read = file.get(start..end).and_then(|der| Certificate::from_der(der).ok());
        at = if read.is_some() { end } else { start + 2 };
        certificates.extend(read);
    }
    certificates
}
