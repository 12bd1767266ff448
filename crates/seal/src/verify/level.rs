//! The level that the seal of a certificate has reached. It depends only on the bytes, not on whom the reader trusts or
//! on the time of reading. So the creator of a certificate and its reader get the same result.

use super::{
    Level, revisions,
    revisions::DocumentTimeStamp,
    signatures::{ReadSignature, read_signature, statements},
};
use crate::{
    digest::Sha256Digest,
    pki::{Certificate, Revocation, revocation::Statements},
    time::UnixTime,
    tsp::Token,
};

/// How far a certificate has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReachedLevel {
    pub level: Level,
    /// The number of revisions that are time stamps over the whole file before them.
    pub document_time_stamps: usize,
}

/// How far a certificate has come. `None` if the file is not a certificate, or its signature is not valid.
pub fn reached(pdf: &[u8]) -> Option<ReachedLevel> {
    let certificate = revisions::read(pdf).ok()?;
    let signature = read_signature(&certificate.signature).ok()?;
    let level = of(&certificate.time_stamps, Some(&signature), &statements(&certificate.time_stamps));
    Some(ReachedLevel { level, document_time_stamps: certificate.time_stamps.len() })
}

/// The tokens of the time stamps on a certificate's signature and document, oldest first. Empty if the file is not a
/// certificate, or its signature is not valid. The tokens are not checked.
pub fn time_stamp_tokens(pdf: &[u8]) -> Vec<Token> {
    let Ok(certificate) = revisions::read(pdf) else { return Vec::new() };
    let Ok(signature) = read_signature(&certificate.signature) else { return Vec::new() };
    let on_document = certificate.time_stamps.iter().map(|stamp| &stamp.covered.der);
    signature.token.iter().chain(on_document).filter_map(|der| Token::from_der(der).ok()).collect()
}

/// The level of a certificate with these time stamps on the document, oldest first.
pub(super) fn of(
    time_stamps: &[DocumentTimeStamp],
    signature: Option<&ReadSignature>,
    statements: &Statements,
) -> Level {
    let has_token = signature.is_some_and(|signature| signature.token.is_some());
    if !has_token && time_stamps.is_empty() {
        return Level::BB;
    }
    let has_material = time_stamps.iter().any(|stamp| stamp.material.is_some());
    if has_material && chains(time_stamps, signature).iter().all(|chain| chain.is_covered(statements)) {
        Level::BLta
    } else {
        Level::BT
    }
}

/// A certificate that signed or stamped, and the other included certificates.
struct Chain {
    certificate: Certificate,
    others: Vec<Certificate>,
    /// The time at which revocation matters.
    at: UnixTime,
}

/// The chains whose revocation status must be in the file, whether or not they are trusted: the signature's, and each
/// time stamp's except the newest, which the next one covers.
fn chains(time_stamps: &[DocumentTimeStamp], signature: Option<&ReadSignature>) -> Vec<Chain> {
    let on_signature = signature.and_then(|signature| {
        let token = signature.token.as_ref()?;
        chain_of_token(token, &Sha256Digest::of(signature.message.signature()))
    });
    let mut on_document: Vec<_> =
        time_stamps.iter().map(|stamp| chain_of_token(&stamp.covered.der, &stamp.covered.digest)).collect();
    // The signature existed at the earliest time stated by a time stamp over it.
    let at = on_signature.iter().chain(on_document.iter().flatten()).map(|chain| chain.at).min();
    on_document.pop();
    let mut chains: Vec<Chain> = on_signature.into_iter().chain(on_document.into_iter().flatten()).collect();
    if let (Some(ReadSignature { message, signer, .. }), Some(at)) = (signature, at) {
        chains.push(Chain { certificate: signer.clone(), others: message.certificates().to_vec(), at });
    }
    let materials = time_stamps.iter().filter_map(|stamp| stamp.material.as_ref());
    let stored: Vec<Certificate> = materials.flat_map(|material| material.certificates.clone()).collect();
    for chain in &mut chains {
        chain.others.extend_from_slice(&stored);
    }
    chains
}

/// The chain of a token that is intact and over this digest.
fn chain_of_token(der: &[u8], digest: &Sha256Digest) -> Option<Chain> {
    let token = Token::from_der(der).ok()?;
    let certificate = token.verify_signature(digest).ok()?;
    Some(Chain { certificate, others: token.certificates().to_vec(), at: token.time() })
}

impl Chain {
    /// Whether the file states the revocation status of each certificate up to a self-issued one.
    fn is_covered(&self, statements: &Statements) -> bool {
        /// As for a trusted path.
        const MAX_LENGTH: usize = 8;
        let mut certificate = &self.certificate;
        for _ in 0..MAX_LENGTH {
            if certificate.is_self_issued() {
                return true;
            }
            let Some(issuer) = self.others.iter().find(|other| certificate.is_issued_by(other)) else { return false };
            if statements.about_one(certificate, issuer, self.at) == Revocation::Unknown {
                return false;
            }
            certificate = issuer;
        }
        false
    }
}
