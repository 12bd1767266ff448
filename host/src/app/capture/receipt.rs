//! Receipts: what the server signs once a capture is stored, so that a client can delete its own copy.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use schemars::JsonSchema;
use sealwright_seal::Sha256Digest;
use serde::Serialize;

use crate::{
    app::{App, item::CreatedEntry},
    clock::Timestamp,
    domain::{
        capture::CaptureId,
        id::{CaseId, ItemId, StepId},
    },
    error::Result,
    store::item::Item,
};

/// The payload of a receipt, a compact JWS with the header `typ` `capture-receipt+jws` (RFC 7515).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    pub capture_id: CaptureId,
    pub case_id: CaseId,
    pub item_id: ItemId,
    pub step_id: StepId,
    /// Of the file's bytes, or of the entered value's bytes in UTF-8, in lowercase hexadecimal.
    #[schemars(with = "String")]
    pub sha256: Sha256Digest,
    /// The number of these bytes.
    pub size: u64,
    /// When the server stored the item.
    pub received_at: Timestamp,
}

/// The keys that verify receipts: a JWK set (RFC 7517, section 5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReceiptKeys {
    pub keys: Vec<ReceiptKey>,
}

/// An Ed25519 key as a JWK (RFC 8037).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReceiptKey {
    /// `OKP`.
    pub kty: &'static str,
    /// `Ed25519`.
    pub crv: &'static str,
    /// `EdDSA`.
    pub alg: &'static str,
    /// `sig`.
    #[serde(rename = "use")]
    pub usage: &'static str,
    /// The `kid` in a receipt's header.
    pub kid: String,
    /// The public key, in base64url.
    pub x: String,
}

impl ReceiptKeys {
    pub fn of(app: &App) -> Self {
        let (kid, public) = app.tokens.public_key();
        Self { keys: vec![ReceiptKey::new(kid.to_owned(), public)] }
    }
}

impl ReceiptKey {
    pub(crate) fn new(kid: String, public: &[u8; 32]) -> Self {
        let x = BASE64_URL_SAFE_NO_PAD.encode(public);
        Self { kty: "OKP", crv: "Ed25519", alg: "EdDSA", usage: "sig", kid, x }
    }
}

/// The `typ` of a receipt.
const KIND: &str = "capture-receipt+jws";

impl Receipt {
    /// The receipt as a compact JWS.
    pub(in crate::app) fn sign(&self, app: &App) -> Result<String> {
        Ok(app.tokens.sign(KIND, self)?)
    }

    /// None for an item without a file, or without an identifier of its capture.
    pub(in crate::app) fn of_file(item: &Item) -> Option<Self> {
        let file = item.content.file.as_ref()?;
        Some(Self {
            capture_id: item.content.capture.clone()?,
            case_id: item.case,
            item_id: item.id,
            step_id: item.content.step,
            sha256: file.sha256,
            size: u64::try_from(file.size).ok()?,
            received_at: item.created_at,
        })
    }

    pub(super) fn of_entry(entry: &CreatedEntry, capture: &CaptureId) -> Self {
        Self {
            capture_id: capture.clone(),
            case_id: entry.case_id,
            item_id: entry.item_id,
            step_id: entry.step_id,
            sha256: Sha256Digest::of(&entry.data),
            size: entry.data.len() as u64,
            received_at: entry.created_at,
        }
    }
}
