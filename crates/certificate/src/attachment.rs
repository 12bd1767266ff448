//! The files attached to a certificate: the seal manifest and its proofs, and original files.

use bytes::Bytes;
use sealwright_seal::{
    Sha256Digest,
    manifest::{ATTACHMENT, TOKEN_ATTACHMENT},
};
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
    pub(super) bytes: Bytes,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Kind {
    SealManifest,
    ManifestToken,
    ItemToken,
    Chain,
    Original(OriginalText),
}

/// What the PDF says of an original file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OriginalText {
    media_type: String,
    description: String,
}

/// The file of an item as it was received.
#[derive(Clone, Debug)]
pub struct Original<'a> {
    /// Of the item.
    pub reference: &'a str,
    /// As declared by the client.
    pub declared_name: &'a str,
    pub media_type: &'a str,
    /// The usual one of its type, without the dot.
    pub extension: &'a str,
    pub sha256: Sha256Digest,
}

/// The most characters of a declared name in a description.
const LONGEST_NAME: usize = 100;

impl Original<'_> {
    /// The name of the attachment. It is made from the reference, so it is unique, and no client chooses it.
    pub fn name(&self) -> String {
        format!("{}.{}", self.reference, self.extension)
    }

    fn description(&self) -> String {
        let printable = self.declared_name.chars().filter(|character| !character.is_control());
        let name: String = printable.take(LONGEST_NAME).collect();
        let name = if name.is_empty() { name } else { format!(", received as {name}") };
        format!("Original file of {}{name}, SHA-256 {}", self.reference, self.sha256)
    }
}

impl Attachment {
    /// The seal manifest in its canonical form. Every certificate has exactly one.
    pub fn seal_manifest(bytes: Vec<u8>) -> Self {
        Self { name: ATTACHMENT.to_owned(), kind: Kind::SealManifest, bytes: bytes.into() }
    }

    /// The DER of the time-stamp token over the seal manifest.
    pub fn manifest_token(der: Vec<u8>) -> Self {
        Self { name: TOKEN_ATTACHMENT.to_owned(), kind: Kind::ManifestToken, bytes: der.into() }
    }

    /// The DER of the time-stamp token over the file of an item, by the item's reference.
    pub fn item_token(reference: &str, der: Vec<u8>) -> Self {
        Self { name: format!("{reference}.tst"), kind: Kind::ItemToken, bytes: der.into() }
    }

    /// The signer's certificates in PEM, its own first.
    pub fn chain(pem: String) -> Self {
        Self { name: "seal-chain.pem".to_owned(), kind: Kind::Chain, bytes: pem.into() }
    }

    /// The file of an item. A reader accepts at most 64 MiB for one file.
    pub fn original(original: &Original<'_>, bytes: Bytes) -> Self {
        let text = OriginalText { media_type: original.media_type.to_owned(), description: original.description() };
        Self { name: original.name(), kind: Kind::Original(text), bytes }
    }

    /// Its name inside the certificate.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A copy without the bytes, which are sent separately.
    pub(super) fn without_bytes(&self) -> Self {
        Self { name: self.name.clone(), kind: self.kind.clone(), bytes: Bytes::new() }
    }

    /// Its entry in `attachments.json`; `source` is the path of its bytes in Typst's world.
    pub(super) fn described(&self, source: String) -> AttachmentEntry<'_> {
        let (relationship, media_type, description) = match &self.kind {
            Kind::SealManifest => ("data", "application/json", "Seal manifest: what was sealed, for programs to check"),
            Kind::ManifestToken => {
                ("supplement", TOKEN_MEDIA_TYPE, "Time-stamp token (RFC 3161) over the seal manifest")
            }
            Kind::ItemToken => ("supplement", TOKEN_MEDIA_TYPE, "Time-stamp token (RFC 3161) over an item's file"),
            Kind::Chain => ("supplement", "application/pem-certificate-chain", "Certificates of the signer"),
            Kind::Original(text) => ("source", text.media_type.as_str(), text.description.as_str()),
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
    media_type: &'a str,
    description: &'a str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_an_original_is_its_item_s_and_its_description_has_no_control_characters() {
        let original = Original {
            reference: "ITM-7_CAS-3",
            declared_name: "../a\u{7}\nb.jpg",
            media_type: "image/jpeg",
            extension: "jpg",
            sha256: Sha256Digest::of("photo"),
        };
        assert_eq!(original.name(), "ITM-7_CAS-3.jpg");
        let expected =
            format!("Original file of ITM-7_CAS-3, received as ../ab.jpg, SHA-256 {}", Sha256Digest::of("photo"));
        assert_eq!(original.description(), expected);
        let name = "é".repeat(101);
        let long = Original { declared_name: &name, ..original.clone() };
        assert!(long.description().contains(&format!(" {}, SHA", "é".repeat(100))));
        let unnamed = Original { declared_name: "", ..original };
        assert!(unnamed.description().starts_with("Original file of ITM-7_CAS-3, SHA-256 "));
    }
}
