//! A time-stamp token: an authority's statement that a digest existed at a time.

use der::{Decode, Encode, Tag, asn1::Int};

use super::structures::{Accuracy, MessageImprint, TimeStampResp, TstInfo};
use crate::{
    algorithm::HashAlgorithm,
    asn1::{decode_exactly, oid},
    cms::{CmsError, SignedMessage},
    digest::Sha256Digest,
    pki::{Certificate, PathError, Purpose, TrustAnchor, TrustedPath, verify_path},
    time::{TimeError, UnixTime},
};

/// A token (`TimeStampToken`, RFC 3161, section 2.4.2). Reading one checks its form, [`verify`](Self::verify) its
/// validity.
#[derive(Clone, Debug)]
pub struct Token {
    der: Vec<u8>,
    message: SignedMessage,
    info: TstInfo,
    time: UnixTime,
}

/// Why a token does not prove the expected digest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    #[error(transparent)]
    Message(#[from] CmsError),
    #[error("not a time-stamp token: {0}")]
    Malformed(String),
    #[error(transparent)]
    Time(#[from] TimeError),
    #[error("it stamps a different digest")]
    OtherDigest,
    #[error(transparent)]
    Path(#[from] PathError),
}

impl TokenError {
    /// Whether the token was changed or belongs to something else, as opposed to an untrusted authority.
    pub fn is_tampering(&self) -> bool {
        !matches!(self, Self::Path(error) if !error.is_tampering())
    }
}

impl From<der::Error> for TokenError {
    fn from(error: der::Error) -> Self {
        Self::Malformed(error.to_string())
    }
}

/// A token whose authority is trusted.
#[derive(Clone, Debug)]
pub struct VerifiedToken {
    /// The latest time at which the digest came into existence.
    pub time: UnixTime,
    /// From the authority's certificate to the anchor.
    pub path: TrustedPath,
}

impl Token {
    /// Reads a token in the strict form in which this crate writes and keeps them: DER, one signer, and no unsigned
    /// part that could be changed without detection.
    pub fn from_der(der: &[u8]) -> Result<Self, TokenError> {
        let message = SignedMessage::from_der(der)?;
        if message.time_stamp_token()?.is_some() {
            return Err(TokenError::Malformed("it is itself time-stamped".to_owned()));
        }
        Self::read(der.to_vec(), message)
    }

    /// Reads a token as its authority sent it, and converts it to the strict form.
    pub fn from_foreign_der(der: &[u8]) -> Result<Self, TokenError> {
        Self::from_der(&SignedMessage::from_foreign_der(der)?.trimmed()?)
    }

    /// Reads a token as another program stored it: the token itself, or the answer of its authority around it.
    pub fn from_foreign_answer(der: &[u8]) -> Result<Self, TokenError> {
        let answer = TimeStampResp::from_der(der).ok().and_then(|answer| answer.time_stamp_token);
        match answer {
            Some(token) => Self::from_foreign_der(&token.to_der()?),
            None => Self::from_foreign_der(der),
        }
    }

    fn read(der: Vec<u8>, message: SignedMessage) -> Result<Self, TokenError> {
        if message.content_type() != oid::TST_INFO {
            return Err(TokenError::Malformed("what it signs is not a TSTInfo".to_owned()));
        }
        let content = message.content().ok_or_else(|| TokenError::Malformed("it contains no TSTInfo".to_owned()))?;
        let info: TstInfo = decode_exactly(content)?;
        if info.version != 1 {
            return Err(TokenError::Malformed(format!("its version is {}, expected 1", info.version)));
        }
        if info.gen_time.header().tag() != Tag::GeneralizedTime {
            return Err(TokenError::Malformed("its time is not a GeneralizedTime".to_owned()));
        }
        let time = UnixTime::from_generalized_time(&String::from_utf8_lossy(info.gen_time.value()))?;
        Ok(Self { der, message, info, time })
    }

    pub fn der(&self) -> &[u8] {
        &self.der
    }

    /// The SHA-256 of the token's DER (decisions 14).
    pub fn sha256(&self) -> Sha256Digest {
        Sha256Digest::of(&self.der)
    }

    /// The time it states (`genTime`).
    pub fn time(&self) -> UnixTime {
        self.time
    }

    /// The accuracy of the stated time in milliseconds, rounded up. `None` if the authority does not state it.
    pub fn accuracy_millis(&self) -> Option<u64> {
        let Accuracy { seconds, millis, micros } = self.info.accuracy.as_ref()?;
        let seconds = seconds.unwrap_or(0).saturating_mul(1000);
        Some(seconds.saturating_add(u64::from(millis.unwrap_or(0))).saturating_add(u64::from(micros.is_some())))
    }

    /// The serial number in lowercase hexadecimal.
    pub fn serial_number(&self) -> String {
        hex::encode(self.info.serial_number.as_bytes())
    }

    /// The policy under which it was issued.
    pub fn policy(&self) -> String {
        self.info.policy.to_string()
    }

    /// The certificates in the token.
    pub fn certificates(&self) -> &[Certificate] {
        self.message.certificates()
    }

    /// The stamped digest, if it is a SHA-256.
    pub fn stamped_digest(&self) -> Option<Sha256Digest> {
        let MessageImprint { hash_algorithm, hashed_message } = &self.info.message_imprint;
        let is_sha_256 = hash_algorithm.oid == oid::SHA_256;
        hashed_message.as_bytes().try_into().ok().filter(|_| is_sha_256).map(Sha256Digest)
    }

    pub(super) fn nonce(&self) -> Option<&Int> {
        self.info.nonce.as_ref()
    }

    /// Checks that the token stamps `digest` and that its signature is intact, and returns the signer's certificate. It
    /// does not check whether to trust that authority.
    pub fn verify_signature(&self, digest: &Sha256Digest) -> Result<Certificate, TokenError> {
        if self.stamped_digest() != Some(*digest) {
            return Err(TokenError::OtherDigest);
        }
        let content = self.message.content().unwrap_or_default();
        Ok(self.message.verify(|hash| hash.digest(&[content]))?)
    }

    /// The name at the top of the authority's chain, as far as the token contains the chain. Authorities with the same name
    /// at the top are not independent. None if the token is not intact.
    pub fn root_name(&self) -> Option<String> {
        /// As for a trusted path.
        const MAX_LENGTH: usize = 8;
        let mut top = self.verify_signature(&self.stamped_digest()?).ok()?;
        for _ in 0..MAX_LENGTH {
            let issuer = self.certificates().iter().find(|other| top.is_issued_by(other));
            match issuer {
                Some(issuer) if !top.is_self_issued() => top = issuer.clone(),
                _ => break,
            }
        }
        Some(top.issuer())
    }

    /// The hash algorithm of the stamped hash.
    pub(crate) fn imprint_algorithm(&self) -> Result<HashAlgorithm, TokenError> {
        HashAlgorithm::from_identifier(&self.info.message_imprint.hash_algorithm)
            .map_err(|error| TokenError::Malformed(error.to_string()))
    }

    /// Like [`verify_signature`](Self::verify_signature), for a hash of any supported algorithm.
    pub(crate) fn verify_signature_of_hash(
        &self,
        algorithm: HashAlgorithm,
        hash: &[u8],
    ) -> Result<Certificate, TokenError> {
        if self.imprint_algorithm()? != algorithm || self.info.message_imprint.hashed_message.as_bytes() != hash {
            return Err(TokenError::OtherDigest);
        }
        let content = self.message.content().unwrap_or_default();
        Ok(self.message.verify(|hash| hash.digest(&[content]))?)
    }

    /// Whether it stamps the digest of `message`, with any supported hash.
    pub fn stamps(&self, message: &[u8]) -> bool {
        let MessageImprint { hash_algorithm, hashed_message } = &self.info.message_imprint;
        HashAlgorithm::from_identifier(hash_algorithm)
            .is_ok_and(|hash| hash.digest(&[message]) == hashed_message.as_bytes())
    }

    /// Like [`verify_signature`](Self::verify_signature), for a message that was stamped with any supported hash.
    pub fn verify_signature_over(&self, message: &[u8]) -> Result<Certificate, TokenError> {
        if !self.stamps(message) {
            return Err(TokenError::OtherDigest);
        }
        let content = self.message.content().unwrap_or_default();
        Ok(self.message.verify(|hash| hash.digest(&[content]))?)
    }

    /// Like [`verify`](Self::verify), for a message that was stamped with any supported hash.
    pub fn verify_over(&self, message: &[u8], anchors: &[TrustAnchor]) -> Result<VerifiedToken, TokenError> {
        self.verify_authority(&self.verify_signature_over(message)?, anchors)
    }

    /// Checks everything: the digest, the signature, and the authority's chain at the time that the token states, for
    /// the purpose of time stamping, up to one of `anchors`.
    pub fn verify(&self, digest: &Sha256Digest, anchors: &[TrustAnchor]) -> Result<VerifiedToken, TokenError> {
        self.verify_authority(&self.verify_signature(digest)?, anchors)
    }

    /// The second half of [`verify`](Self::verify): the chain of the certificate that the first half returned.
    pub(crate) fn verify_authority(
        &self,
        authority: &Certificate,
        anchors: &[TrustAnchor],
    ) -> Result<VerifiedToken, TokenError> {
        let path = verify_path(authority, self.certificates(), anchors, self.time, Purpose::TimeStamping)?;
        Ok(VerifiedToken { time: self.time, path })
    }
}

impl PartialEq for Token {
    fn eq(&self, other: &Self) -> bool {
        self.der == other.der
    }
}

impl Eq for Token {}
