//! One record: its form, and its signature.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use p256::ecdsa::{Signature, VerifyingKey, signature::Verifier as _};
use serde::{Deserialize, Serialize};

use super::{MOST_BYTES, TYPE};
use crate::digest::Sha256Digest;

/// The name of a session: the thumbprint of its key (RFC 7638), 43 characters of base64url.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct SessionId(String);

impl SessionId {
    /// Reads a thumbprint of SHA-256.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        (bytes.len() == 32).then(|| Self(text.to_owned()))
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A record whose signature is valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub session: SessionId,
    pub case_id: i64,
    pub sequence: u32,
    /// The digest of the record before it; none for the first of a session.
    pub previous: Option<Sha256Digest>,
    /// When, by the device's clock, with its offset: ISO 8601 as the device wrote it.
    pub at: String,
    pub event: Event,
    /// Over its compact form.
    pub digest: Sha256Digest,
}

/// What happened on the device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    Taken(Shot),
    Retaken(Shot),
    Deleted { capture_id: String },
    Skipped { step_id: i64 },
    Closing,
}

/// A capture at the moment of its shutter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Shot {
    /// A UUID v4.
    pub capture_id: String,
    pub step_id: i64,
    /// Over the file's bytes.
    pub sha256: Sha256Digest,
    /// In bytes.
    pub size: u64,
}

/// Why a text is not a record, or not the next one of its session.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    #[error("not a capture record: {0}")]
    Form(&'static str),
    #[error("not a capture record: its payload is not valid: {0}")]
    Payload(String),
    #[error("its signature is not valid")]
    Signature,
    #[error("it is about case {0}")]
    OtherCase(i64),
    #[error("it is signed by the key of another session")]
    OtherKey,
    #[error("its sequence number is {found}, but {expected} is the next one of its session")]
    Gap { expected: u32, found: u32 },
    #[error("it does not follow the record before it")]
    Previous,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    typ: String,
    jwk: Jwk,
}

#[derive(Deserialize)]
struct Jwk {
    kty: String,
    crv: String,
    x: String,
    y: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Payload {
    case_id: i64,
    sequence: u32,
    previous: Option<Sha256Digest>,
    at: String,
    #[serde(flatten)]
    event: Event,
}

impl Record {
    /// Reads a record and verifies its signature by the key in its header.
    pub fn read(compact: &str) -> Result<Self, RecordError> {
        use RecordError::Form;
        if compact.len() > MOST_BYTES {
            return Err(Form("it is longer than 2,048 bytes"));
        }
        let mut parts = compact.split('.');
        let (Some(header), Some(payload), Some(signature), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(Form("expected a compact JWS, three parts with dots between them"));
        };
        let decode = |part: &str| URL_SAFE_NO_PAD.decode(part).map_err(|_| Form("a part is not base64url"));
        let (header_bytes, payload_bytes, signature) = (decode(header)?, decode(payload)?, decode(signature)?);
        let header: Header = serde_json::from_slice(&header_bytes)
            .map_err(|_| Form("its header does not have exactly `alg`, `typ` and `jwk` of a P-256 key"))?;
        if header.alg != "ES256" || header.typ != TYPE {
            return Err(Form("expected `alg` ES256 and `typ` capture-record+jws"));
        }
        let (key, session) = header.jwk.read().ok_or(Form("its `jwk` is not the public key of a P-256 key"))?;
        let signature = Signature::from_slice(&signature).map_err(|_| RecordError::Signature)?;
        let (signed, _) = compact.rsplit_once('.').unwrap_or_default();
        key.verify(signed.as_bytes(), &signature).map_err(|_| RecordError::Signature)?;
        let payload: Payload =
            serde_json::from_slice(&payload_bytes).map_err(|error| RecordError::Payload(error.to_string()))?;
        if !is_moment(&payload.at) {
            return Err(Form("`at` is not a date-time with its offset"));
        }
        Ok(Self {
            session,
            case_id: payload.case_id,
            sequence: payload.sequence,
            previous: payload.previous,
            at: payload.at,
            event: payload.event,
            digest: Sha256Digest::of(compact),
        })
    }
}

impl Jwk {
    fn read(&self) -> Option<(VerifyingKey, SessionId)> {
        if self.kty != "EC" || self.crv != "P-256" {
            return None;
        }
        let mut point = vec![4];
        for coordinate in [&self.x, &self.y] {
            point.extend(URL_SAFE_NO_PAD.decode(coordinate).ok().filter(|bytes| bytes.len() == 32)?);
        }
        let key = VerifyingKey::from_sec1_bytes(&point).ok()?;
        let members = format!(r#"{{"crv":"P-256","kty":"EC","x":"{}","y":"{}"}}"#, self.x, self.y);
        let thumbprint = URL_SAFE_NO_PAD.encode(Sha256Digest::of(members).as_bytes());
        Some((key, SessionId(thumbprint)))
    }
}

/// Whether the text has the shape `2026-11-20T10:42:17.000+01:00`, with or without a fraction, or with `Z`. Such a text is
/// safe to print anywhere.
fn is_moment(text: &str) -> bool {
    let shape: String = text.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect();
    let Some(rest) = shape.strip_prefix("0000-00-00T00:00:00") else { return false };
    let offset = match rest.strip_prefix('.') {
        Some(fraction) => {
            let offset = fraction.trim_start_matches('0');
            if !(1..=9).contains(&(fraction.len() - offset.len())) {
                return false;
            }
            offset
        }
        None => rest,
    };
    ["Z", "+00:00", "-00:00"].contains(&offset)
}
