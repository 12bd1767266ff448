//! A time-stamping authority in the program itself, for development and tests. It only vouches for the clock of its own
//! machine, and its certificate says so.

use der::{
    Any, Decode, Encode, Tag,
    asn1::{BitString, ObjectIdentifier},
};
use x509_cert::ext::pkix::name::GeneralName;

use super::{
    Token, TokenError,
    request::positive,
    structures::{Accuracy, MessageImprint, PkiStatusInfo, TimeStampReq, TimeStampResp, TstInfo},
};
use crate::{
    asn1::oid,
    cms,
    digest::Sha256Digest,
    pki::{Identity, SignError},
    time::UnixTime,
};

/// The policy that tokens name: an arc of the documentation enterprise number (RFC 5612), since no one should rely on
/// it.
const POLICY: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.32473.1.1");

/// Answers RFC 3161 requests with the given key.
#[derive(Debug)]
pub struct TimeStampAuthority {
    identity: Identity,
    accuracy_millis: Option<u64>,
}

/// Bits of `PKIFailureInfo`.
#[derive(Clone, Copy)]
enum Failure {
    BadAlgorithm = 0,
    BadDataFormat = 5,
    UnacceptedPolicy = 15,
    UnacceptedExtension = 16,
}

impl TimeStampAuthority {
    /// `accuracy_millis` is the accuracy of the clock; `None` states none.
    pub fn new(identity: Identity, accuracy_millis: Option<u64>) -> Self {
        Self { identity, accuracy_millis }
    }

    /// The token for `digest` at `now`, without request and response.
    pub fn stamp(&self, digest: &Sha256Digest, serial_number: [u8; 16], now: UnixTime) -> Result<Token, StampError> {
        let info = self.info(MessageImprint::of(digest)?, None, serial_number, now)?;
        Ok(Token::from_der(&self.sign(&info, true)?)?)
    }

    /// Answers a `TimeStampReq` with a `TimeStampResp`, which may be a refusal. `serial_number` comes from the caller's
    /// randomness, `now` from its clock.
    pub fn respond(&self, request: &[u8], serial_number: [u8; 16], now: UnixTime) -> Result<Vec<u8>, StampError> {
        let request = match read(request) {
            Ok(request) => request,
            Err(failure) => return refusal(failure),
        };
        let info = self.info(request.message_imprint, request.nonce, serial_number, now)?;
        let token = self.sign(&info, request.cert_req)?;
        let status = PkiStatusInfo { status: 0, status_string: None, fail_info: None };
        Ok(TimeStampResp { status, time_stamp_token: Some(Any::from_der(&token)?) }.to_der()?)
    }

    fn info(
        &self,
        message_imprint: MessageImprint,
        nonce: Option<der::asn1::Int>,
        serial_number: [u8; 16],
        now: UnixTime,
    ) -> der::Result<TstInfo> {
        let name = self.identity.certificate().as_x509().tbs_certificate().subject().clone();
        let accuracy = self.accuracy_millis.map(|millis| Accuracy {
            seconds: (millis >= 1000).then_some(millis / 1000),
            // The field takes 1 to 999.
            millis: u16::try_from(millis % 1000).ok().filter(|millis| *millis > 0),
            micros: None,
        });
        Ok(TstInfo {
            version: 1,
            policy: POLICY,
            message_imprint,
            serial_number: positive(&serial_number),
            gen_time: Any::new(Tag::GeneralizedTime, now.to_generalized_time().into_bytes())?,
            accuracy,
            ordering: false,
            nonce,
            tsa: Some(Any::encode_from(&GeneralName::DirectoryName(name))?),
            extensions: None,
        })
    }

    fn sign(&self, info: &TstInfo, with_certificates: bool) -> Result<Vec<u8>, StampError> {
        let content = info.to_der()?;
        let signed = cms::sign(&self.identity, oid::TST_INFO, &Sha256Digest::of(&content))?;
        Ok(signed.to_message(Some(&content), with_certificates, None)?)
    }
}

fn read(request: &[u8]) -> Result<TimeStampReq, Failure> {
    let request = TimeStampReq::from_der(request).map_err(|_| Failure::BadDataFormat)?;
    if request.version != 1 {
        return Err(Failure::BadDataFormat);
    }
    if request.extensions.is_some() {
        return Err(Failure::UnacceptedExtension);
    }
    if request.req_policy.is_some_and(|policy| policy != POLICY) {
        return Err(Failure::UnacceptedPolicy);
    }
    let length = match request.message_imprint.hash_algorithm.oid {
        oid::SHA_256 => 32,
        oid::SHA_384 => 48,
        oid::SHA_512 => 64,
        _ => return Err(Failure::BadAlgorithm),
    };
    match request.message_imprint.hashed_message.as_bytes().len() {
        actual if actual == length => Ok(request),
        _ => Err(Failure::BadDataFormat),
    }
}

fn refusal(failure: Failure) -> Result<Vec<u8>, StampError> {
    let bit = failure as u8;
    let mut bytes = vec![0; usize::from(bit / 8) + 1];
    bytes[usize::from(bit / 8)] = 0x80 >> (bit % 8);
    // A named bit list has no trailing zero bits (X.690, section 11.2.2).
    let fail_info = Some(BitString::new(7 - bit % 8, bytes)?);
    let status = PkiStatusInfo { status: 2, status_string: None, fail_info };
    Ok(TimeStampResp { status, time_stamp_token: None }.to_der()?)
}

/// Why no token was created.
#[derive(Debug, thiserror::Error)]
pub enum StampError {
    #[error(transparent)]
    Sign(#[from] SignError),
    #[error("the token cannot be written: {0}")]
    Encoding(#[from] der::Error),
    #[error("the new token is not valid: {0}")]
    Token(#[from] TokenError),
}
