//! The files attached to a certificate: the seal manifest and its proofs.

use sealwright_seal::manifest::{ATTACHMENT, TOKEN_ATTACHMENT};
use serde::{Deserialize, Serialize};

/// The most files that can be attached to one certificate. A reader of certificates accepts at most 10,000.
pub const MAX_ATTACHMENTS: usize = 5000;

/// A file to be attached. Its name is its address inside the certificate: letters, digits, `.`, `-` and `_`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// Not in the JSON: between processes the bytes are sent separately.
    #[serde(skip)]
    pub(super) bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Kind {
    SealManifest,
    ManifestToken,
    ItemToken,
    Chain,
}

impl Attachment {
    /// The seal manifest in its canonical form. Every certificate has exactly one.
    pub fn seal_manifest(bytes: Vec<u8>) -> Self {
        Self { name: ATTACHMENT.to_owned(), kind: Kind::SealManifest, bytes }
    }

    /// The DER of the time-stamp token over the seal manifest.
    pub fn manifest_token(der: Vec<u8>) -> Self {
        Self { name: TOKEN_ATTACHMENT.to_owned(), kind: Kind::ManifestToken, bytes: der }
    }

    /// The DER of the time-stamp token over the file of an item, by the item's reference.
    pub fn item_token(reference: &str, der: Vec<u8>) -> Self {
        Self { name: format!("{reference}.tst"), kind: Kind::ItemToken, bytes: der }
    }

    /// The signer's certificates in PEM, its own first.
    pub fn chain(pem: String) -> Self {
        Self { name: "seal-chain.pem".to_owned(), kind: Kind::Chain, bytes: pem.into_bytes() }
    }

    /// A copy without the bytes, which are sent separately.
    pub(super) fn without_bytes(&self) -> Self {
        Self { name: self.name.clone(), kind: self.kind, bytes: Vec::new() }
    }

    /// Its entry in `attachments.json`; `source` is the path of its bytes in Typst's world.
    pub(super) fn described(&self, source: String) -> AttachmentEntry<'_> {
        let (relationship, media_type, description) = match self.kind {
            Kind::SealManifest => ("data", "application/json", "Seal manifest: what was sealed, for programs to check"),
            Kind::ManifestToken => {
                ("supplement", TOKEN_MEDIA_TYPE, "Time-stamp token (RFC 3161) over the seal manifest")
            }
            Kind::ItemToken => ("supplement", TOKEN_MEDIA_TYPE, "Time-stamp token (RFC 3161) over an item's file"),
            Kind::Chain => ("supplement", "application/pem-certificate-chain", "Certificates of the signer"),
        };
        AttachmentEntry { name: &self.name, source, relationship, media_type, description }
    }
}

/// ETSI EN 319 422, section 9.2: the media type of a token by itself.
const TOKEN_MEDIA_TYPE: &str = "application/vnd.etsi.timestamp-token";

#[derive(Serialize)]
pub(super) struct AttachmentEntry<'a> {
    name: &'a str,
    source: String,
    relationship: &'static str,
    media_type: &'static str,
    description: &'static str,
}
