//! A device that signs capture records, as the capture page does.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use p256::ecdsa::{Signature, SigningKey, signature::Signer as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// A key and the chain of its records.
pub(crate) struct CapturingDevice {
    key: SigningKey,
    case: i64,
    pub(crate) records: Vec<String>,
}

impl CapturingDevice {
    /// The same name gives the same key.
    pub(crate) fn new(name: &str, case: i64) -> Self {
        Self { key: SigningKey::from_slice(&Sha256::digest(name)).expect("a key"), case, records: Vec::new() }
    }

    fn jwk(&self) -> [String; 2] {
        let point = self.key.verifying_key().to_sec1_point(false);
        [point.x(), point.y()].map(|coordinate| BASE64_URL_SAFE_NO_PAD.encode(coordinate.expect("a point")))
    }

    /// The thumbprint of its key (RFC 7638).
    pub(crate) fn session(&self) -> String {
        let [x, y] = self.jwk();
        let members = format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#);
        BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(members))
    }

    /// Signs a payload, and returns the record without adding it to the chain.
    pub(crate) fn sign(&self, payload: &Value) -> String {
        let [x, y] = self.jwk();
        let header = json!({
            "alg": "ES256", "typ": "capture-record+jws", "jwk": { "kty": "EC", "crv": "P-256", "x": x, "y": y },
        });
        let signed = [&header, payload].map(|part| BASE64_URL_SAFE_NO_PAD.encode(part.to_string())).join(".");
        let signature: Signature = self.key.sign(signed.as_bytes());
        format!("{signed}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature.to_bytes()))
    }

    /// The payload of the next record, with these members.
    pub(crate) fn next(&self, event: &Value) -> Value {
        let number = self.records.len();
        let mut payload = json!({
            "caseId": self.case,
            "sequence": number,
            "previous": self.records.last().map(|record| hex::encode(Sha256::digest(record))),
            "at": format!("2026-11-20T10:{number:02}:00.000+01:00"),
        });
        for (name, value) in event.as_object().expect("an object") {
            payload[name] = value.clone();
        }
        payload
    }

    /// Signs the next record and adds it to the chain.
    pub(crate) fn record(&mut self, event: &Value) -> String {
        let record = self.sign(&self.next(event));
        self.records.push(record.clone());
        record
    }

    /// Records a capture: `taken` or `retaken`.
    pub(crate) fn shot(&mut self, event: &str, capture: &str, step: i64, bytes: &[u8]) -> String {
        self.record(&shot(event, capture, step, bytes))
    }
}

/// The members of a capture's record.
pub(crate) fn shot(event: &str, capture: &str, step: i64, bytes: &[u8]) -> Value {
    json!({
        "event": event, "captureId": capture, "stepId": step, "sha256": hex::encode(Sha256::digest(bytes)),
        "size": bytes.len(),
    })
}
