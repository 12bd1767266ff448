//! A disclosure that can be checked without the certificate: the operator signs it with the key of its seals.
//!
//! A certificate's signature covers the whole file, so it cannot be shown with a part of it. Instead, the holder of the
//! key states which root the certificate has ([`Statement`]), next to what others have said about the certificate: a
//! time stamp over its seal manifest, and its place in the log of seals. The items lead to that root, and their own
//! time-stamp tokens are those of the certificate.
//!
//! The file is the canonical JSON ([`crate::canonical`]) of an object with two members: `statement`, and `signature`, a
//! detached CMS signature over the canonical JSON of the statement, in Base64.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Disclosure, DisclosureError, disclose};
use crate::{
    asn1::oid,
    canonical, cms,
    digest::Sha256Digest,
    manifest::{self, Item, Named, SealManifest, Step},
    pdf::{
        attachment::{self, Attachment},
        file::File,
    },
    pki::{Identity, SignError},
    time::UnixTime,
    tsp::Token,
};

/// The value of [`Statement::format`].
pub const FORMAT: &str = "sealwright-signed-disclosure";
/// The value of [`Statement::version`].
pub const VERSION: u32 = 1;

/// What the operator signs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Statement {
    /// Always [`FORMAT`].
    pub format: String,
    /// Always [`VERSION`].
    pub version: u32,
    /// By the signer's clock: RFC 3339 in UTC with milliseconds.
    pub disclosed_at: String,
    pub certificate: Source,
    /// The items, in the manifest's order.
    pub disclosure: Disclosure,
    /// The steps of these items.
    pub steps: Vec<Step>,
    /// The time-stamp tokens that these items name: DER in Base64.
    pub tokens: Vec<String>,
}

/// The certificate that the items come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Source {
    pub company: Named,
    pub frame: Named,
    pub created_at: String,
    pub closed_at: String,
    /// Over the bytes of its seal manifest. Each item there has a random salt, so this reveals nothing of them.
    pub seal_manifest_sha256: Sha256Digest,
    /// The time-stamp token over that digest: DER in Base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal_manifest_token: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<LoggedSeal>,
}

/// The certificate's place in the log of seals ([`crate::tlog`]).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoggedSeal {
    /// The key of the log.
    pub key: String,
    /// As [`crate::tlog::proof::LogProof`] writes it.
    pub proof: String,
}

/// A disclosure as it was read. Nothing in it is checked yet.
#[derive(Clone, Debug)]
pub(crate) struct SignedDisclosure {
    pub(crate) statement: Statement,
    /// Over what is signed.
    pub(crate) digest: Sha256Digest,
    /// DER.
    pub(crate) signature: Vec<u8>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    statement: Statement,
    signature: String,
}

impl Statement {
    /// Discloses the items with these references of a certificate, given as its PDF.
    pub fn of_certificate(pdf: &[u8], references: &[String], now: UnixTime) -> Result<Self, DisclosureError> {
        let unreadable = |error: &dyn std::fmt::Display| DisclosureError::Certificate(error.to_string());
        let file = File::read(pdf).map_err(|error| unreadable(&error))?;
        let attachments = attachment::read(&file).map_err(|error| unreadable(&error))?;
        let attached = |name: &str| attachments.iter().find(|attachment| attachment.name == name);
        let bytes = &attached(manifest::ATTACHMENT).ok_or_else(|| unreadable(&"it has no seal manifest"))?.bytes;
        let manifest = SealManifest::from_json(bytes).map_err(|error| unreadable(&error))?;
        let indices = indices_of(&manifest, references)?;
        let shown: Vec<&Item> = indices.iter().filter_map(|index| manifest.items.get(*index)).collect();
        let tokens = shown.iter().filter_map(|item| token_of(item, &attachments)).collect::<Result<Vec<_>, _>>()?;
        let is_of_shown = |step: &&Step| shown.iter().any(|item| item.step_id == step.id);
        Ok(Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            disclosed_at: now.to_string(),
            disclosure: disclose(bytes, &indices)?,
            steps: manifest.steps.iter().filter(is_of_shown).cloned().collect(),
            tokens,
            certificate: Source {
                seal_manifest_sha256: Sha256Digest::of(bytes),
                seal_manifest_token: attached(manifest::TOKEN_ATTACHMENT).map(|token| STANDARD.encode(&token.bytes)),
                company: manifest.company,
                frame: manifest.frame,
                created_at: manifest.case.created_at,
                closed_at: manifest.case.closed_at,
                log: None,
            },
        })
    }

    /// Signs. The next step is [`UnstampedDisclosure::finish`].
    pub fn sign(&self, identity: &Identity) -> Result<UnstampedDisclosure, SignError> {
        let statement = serde_json::to_value(self).map_err(|error| SignError::Encoding(error.to_string()))?;
        let signed = canonical::to_vec(&statement).map_err(|error| SignError::Encoding(error.to_string()))?;
        let signature = cms::sign(identity, oid::DATA, &Sha256Digest::of(&signed))?;
        Ok(UnstampedDisclosure { statement, signature })
    }
}

/// The places of these items in the manifest, in its order, each once.
fn indices_of(manifest: &SealManifest, references: &[String]) -> Result<Vec<usize>, DisclosureError> {
    for reference in references {
        if manifest.items.iter().all(|item| item.reference != *reference) {
            return Err(DisclosureError::NoSuchReference(reference.clone()));
        }
    }
    let places = manifest.items.iter().enumerate();
    Ok(places.filter(|(_, item)| references.contains(&item.reference)).map(|(index, _)| index).collect())
}

/// The token of an item, if the item names one.
fn token_of(item: &Item, attachments: &[Attachment]) -> Option<Result<String, DisclosureError>> {
    let named = item.time_stamp_token.as_ref()?;
    let found = attachments.iter().find(|attachment| Sha256Digest::of(&attachment.bytes) == named.sha256);
    let missing = || DisclosureError::Certificate(format!("the token of {} is not attached", item.reference));
    Some(found.map(|token| STANDARD.encode(&token.bytes)).ok_or_else(missing))
}

/// A disclosure that is signed, and not time-stamped yet.
#[derive(Clone, Debug)]
pub struct UnstampedDisclosure {
    statement: Value,
    signature: cms::CmsSignature,
}

impl UnstampedDisclosure {
    /// The digest for a time stamp on the signature: request a token over it from an authority.
    pub fn digest_to_stamp(&self) -> Sha256Digest {
        Sha256Digest::of(self.signature.signature())
    }

    /// The bytes of the file, with the authority's token if there is one.
    pub fn finish(self, token: Option<&Token>) -> Result<Vec<u8>, SignError> {
        let message = self.signature.to_message(None, true, token.map(Token::der));
        let message = message.map_err(|error| SignError::Encoding(error.to_string()))?;
        let file = json!({ "statement": self.statement, "signature": STANDARD.encode(message) });
        canonical::to_vec(&file).map_err(|error| SignError::Encoding(error.to_string()))
    }
}

impl SignedDisclosure {
    /// Reads a file. It must be in its one form, so that no byte can be changed unnoticed.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, DisclosureError> {
        let not_signed = DisclosureError::NotSigned;
        let file: Value = serde_json::from_slice(bytes).map_err(|error| not_signed(error.to_string()))?;
        if canonical::to_vec(&file)? != bytes {
            return Err(not_signed("it is not in its canonical form".to_owned()));
        }
        let signed = canonical::to_vec(&file["statement"])?;
        let Written { statement, signature } =
            serde_json::from_value(file).map_err(|error| not_signed(error.to_string()))?;
        if statement.format != FORMAT || statement.version != VERSION {
            return Err(not_signed(format!("expected format `{FORMAT}`, version {VERSION}")));
        }
        let signature = STANDARD.decode(signature).map_err(|error| not_signed(error.to_string()))?;
        Ok(Self { statement, digest: Sha256Digest::of(&signed), signature })
    }
}
