//! Requests a token from an authority, and checks whether the answer matches the request.

use der::{Decode, Encode, asn1::Int};

use super::{
    Token, TokenError,
    structures::{FAILURES, MessageImprint, PkiStatusInfo, TimeStampReq, TimeStampResp},
};
use crate::digest::Sha256Digest;

/// The largest answer that is read, in bytes. A token with a chain of RSA certificates has about 7,000.
pub(super) const MAX_RESPONSE: usize = 64 * 1024;

/// A request for a token over a SHA-256 digest, with a nonce, and asking for the authority's certificates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    digest: Sha256Digest,
    nonce: Int,
}

/// Why an answer has no usable token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResponseError {
    #[error("the answer has {0} bytes; at most {MAX_RESPONSE} are read")]
    TooLarge(usize),
    #[error("the answer is not a TimeStampResp: {0}")]
    Malformed(String),
    #[error("the authority refused (status {status}): {reason}")]
    Refused { status: u8, reason: String },
    #[error("the authority granted the request, but sent no token")]
    NoToken,
    #[error("the token has another nonce: it answers a different or an earlier request")]
    OtherNonce,
    #[error("the token: {0}")]
    Token(#[from] TokenError),
}

impl Request {
    /// `nonce` comes from the caller's randomness and is not used twice.
    pub fn new(digest: Sha256Digest, nonce: [u8; 8]) -> Self {
        Self { digest, nonce: positive(&nonce) }
    }

    /// The `TimeStampReq` to send.
    #[expect(clippy::missing_panics_doc, reason = "a digest and a nonce of fixed sizes always have an encoding")]
    pub fn to_der(&self) -> Vec<u8> {
        let encode = || {
            TimeStampReq {
                version: 1,
                message_imprint: MessageImprint::of(&self.digest)?,
                req_policy: None,
                nonce: Some(self.nonce.clone()),
                cert_req: true,
                extensions: None,
            }
            .to_der()
        };
        encode().expect("a digest and a nonce of fixed sizes always have an encoding")
    }

    /// Reads a `TimeStampResp` and takes its token if it answers this request: granted, over the same digest, with the
    /// same nonce, and with an intact signature by an included certificate. Whether that certificate is trusted is
    /// checked when the token is verified ([`Token::verify`]).
    ///
    /// The token is kept in the strict form that [`Token::from_der`] reads.
    pub fn accept(&self, response: &[u8]) -> Result<Token, ResponseError> {
        if response.len() > MAX_RESPONSE {
            return Err(ResponseError::TooLarge(response.len()));
        }
        let malformed = |error: der::Error| ResponseError::Malformed(error.to_string());
        let response = TimeStampResp::from_der(response).map_err(malformed)?;
        // 0 granted, 1 granted with modifications.
        if response.status.status > 1 {
            return Err(ResponseError::Refused { status: response.status.status, reason: reason(&response.status) });
        }
        let token = response.time_stamp_token.ok_or(ResponseError::NoToken)?;
        let token = Token::from_foreign_der(&token.to_der().map_err(malformed)?)?;
        if token.nonce() != Some(&self.nonce) {
            return Err(ResponseError::OtherNonce);
        }
        token.verify_signature(&self.digest)?;
        Ok(token)
    }
}

fn reason(status: &PkiStatusInfo) -> String {
    let mut reasons: Vec<String> = status.status_string.clone().unwrap_or_default();
    let bits = status.fail_info.as_ref().map(der::asn1::BitString::raw_bytes).unwrap_or_default();
    let is_set = |bit: u8| bits.get(usize::from(bit / 8)).is_some_and(|byte| byte & (0x80 >> (bit % 8)) != 0);
    reasons.extend(FAILURES.iter().filter(|(bit, _)| is_set(*bit)).map(|(_, text)| (*text).to_owned()));
    if reasons.is_empty() { "it gives no reason".to_owned() } else { reasons.join("; ") }
}

/// A non-negative integer from big-endian bytes.
pub(super) fn positive(bytes: &[u8]) -> Int {
    let leading_zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let mut minimal = bytes[leading_zeros..].to_vec();
    if minimal.first().is_none_or(|byte| byte & 0x80 != 0) {
        minimal.insert(0, 0);
    }
    Int::new(&minimal).expect("a few bytes without superfluous zeros are an INTEGER")
}
