//! Shows some of a certificate's items without the others.
//!
//! A certificate contains everything, so a reader who may only see a part of it gets a *disclosure* instead: the chosen
//! items, each with a proof that the manifest commits to it. The certificate, or an entry in a log of seals that names
//! the root, ties the root to a date and a signer. A [`signed`] disclosure does not need the certificate.

pub mod signed;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    canonical::CanonicalError,
    commitment::{self, CommitmentError, Commitments},
    digest::Sha256Digest,
    manifest::{Item, SealManifest},
    merkle,
};

/// The value of [`Disclosure::format`].
pub const FORMAT: &str = "sealwright-disclosure";
/// The value of [`Disclosure::version`].
pub const VERSION: u32 = 1;

/// Some items of a manifest, with proofs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Disclosure {
    /// Always [`FORMAT`].
    pub format: String,
    /// Always [`VERSION`].
    pub version: u32,
    /// The case's public reference.
    pub reference: String,
    /// Those of the manifest.
    pub commitments: Commitments,
    pub items: Vec<DisclosedItem>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DisclosedItem {
    /// The item's place among all items of the first certificate, from 0.
    pub index: u64,
    /// The item as in the manifest, including its salt.
    pub item: Value,
    /// The sibling nodes on its path to the root, lowest first.
    pub proof: Vec<Sha256Digest>,
}

/// Why a disclosure proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DisclosureError {
    #[error("not a disclosure of format `{FORMAT}`, version {VERSION}")]
    OtherFormat,
    #[error("its root is not the one expected")]
    OtherRoot,
    #[error("item {0} does not match the commitments")]
    NotCommitted(u64),
    #[error("there is no item {0}")]
    NoSuchItem(usize),
    #[error("the certificate has no item {0}")]
    NoSuchReference(String),
    #[error("the certificate cannot be read: {0}")]
    Certificate(String),
    #[error("not a signed disclosure: {0}")]
    NotSigned(String),
    #[error(transparent)]
    Commitment(#[from] CommitmentError),
    #[error("item {0} cannot be read: {1}")]
    Item(u64, String),
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
}

/// Discloses the items at these places of a manifest from version 2 on, given as its JSON.
pub fn disclose(manifest: &[u8], indices: &[usize]) -> Result<Disclosure, DisclosureError> {
    let not_json = |error: String| DisclosureError::Canonical(CanonicalError::NotJson(error));
    let json: Value = serde_json::from_slice(manifest).map_err(|error| not_json(error.to_string()))?;
    let manifest = SealManifest::from_json(manifest).map_err(|error| not_json(error.to_string()))?;
    let leaves = commitment::check(&manifest, &json)?;
    let places = manifest.places();
    let disclosed = |index: &usize| {
        let missing = || DisclosureError::NoSuchItem(*index);
        let item = json["items"].get(*index).cloned().ok_or_else(missing)?;
        let place = places.get(*index).copied().ok_or_else(missing)?;
        let leaf = usize::try_from(place).map_err(|_| missing())?;
        let proof = merkle::inclusion_proof(&leaves, leaf).ok_or_else(missing)?;
        Ok(DisclosedItem { index: place, item, proof })
    };
    Ok(Disclosure {
        format: FORMAT.to_owned(),
        version: VERSION,
        items: indices.iter().map(disclosed).collect::<Result<_, DisclosureError>>()?,
        reference: manifest.reference,
        commitments: manifest.commitments.ok_or(CommitmentError::Missing)?,
    })
}

impl Disclosure {
    /// Checks every item against `root`, which the caller takes from a certificate or a log, and returns them.
    pub fn verify(&self, root: &Sha256Digest) -> Result<Vec<Item>, DisclosureError> {
        if self.format != FORMAT || self.version != VERSION {
            return Err(DisclosureError::OtherFormat);
        }
        if self.commitments.root != *root {
            return Err(DisclosureError::OtherRoot);
        }
        let check = |disclosed: &DisclosedItem| {
            let leaf = commitment::leaf_of(&disclosed.item)?;
            if !merkle::verify_inclusion(&leaf, disclosed.index, self.commitments.size, &disclosed.proof, root) {
                return Err(DisclosureError::NotCommitted(disclosed.index));
            }
            serde_json::from_value(disclosed.item.clone())
                .map_err(|error| DisclosureError::Item(disclosed.index, error.to_string()))
        };
        self.items.iter().map(check).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{manifest, testing::random};

    fn manifest_of(count: u8) -> SealManifest {
        let mut manifest = manifest::tests::manifest();
        let item = manifest.items[0].clone();
        manifest.items = (0..count).map(|number| Item { step_id: number.into(), ..item.clone() }).collect();
        let salts: Vec<[u8; 32]> = (0..count).map(|number| random(&format!("salt {number}"))).collect();
        manifest.commit(&salts).unwrap();
        manifest
    }

    #[test]
    fn some_items_are_proven_without_the_others() {
        let manifest = manifest_of(5);
        let root = manifest.commitments.as_ref().unwrap().root;
        let disclosure = disclose(&manifest.to_canonical_json().unwrap(), &[1, 4]).unwrap();
        let text = serde_json::to_string(&disclosure).unwrap();
        for (number, item) in manifest.items.iter().enumerate() {
            let shown = text.contains(&item.salt.unwrap().to_string());
            assert_eq!(shown, [1, 4].contains(&number), "{number}");
        }
        let read: Disclosure = serde_json::from_str(&text).unwrap();
        assert_eq!(read.verify(&root).unwrap(), [manifest.items[1].clone(), manifest.items[4].clone()]);
    }

    #[test]
    fn a_changed_moved_or_foreign_item_is_not_proven() {
        let manifest = manifest_of(3);
        let root = manifest.commitments.as_ref().unwrap().root;
        let disclosure = disclose(&manifest.to_canonical_json().unwrap(), &[1]).unwrap();
        let mut changed = disclosure.clone();
        changed.items[0].item["createdAt"] = "2020-01-01T00:00:00.000Z".into();
        assert_eq!(changed.verify(&root), Err(DisclosureError::NotCommitted(1)));
        let mut moved = disclosure.clone();
        moved.items[0].index = 2;
        assert_eq!(moved.verify(&root), Err(DisclosureError::NotCommitted(2)));
        assert_eq!(disclosure.verify(&Sha256Digest::of("other")), Err(DisclosureError::OtherRoot));
    }

    #[test]
    fn commitments_to_other_items_are_detected() {
        let manifest = manifest_of(3);
        let bytes = manifest.to_canonical_json().unwrap();
        let mut json: Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(commitment::check(&manifest, &json).unwrap().len(), 3);
        json["items"][0]["unknown to this program"] = "counts too".into();
        assert_eq!(commitment::check(&manifest, &json), Err(CommitmentError::OtherItems));
        let mut unsalted = manifest.clone();
        unsalted.items[0].salt = None;
        assert_eq!(commitment::check(&unsalted, &json), Err(CommitmentError::Missing));
        assert_eq!(manifest_of(2).commit(&[[0; 32]]), Err(CommitmentError::Salts { items: 2, salts: 1 }));
    }

    #[test]
    fn a_case_without_items_has_commitments_too() {
        let manifest = manifest_of(0);
        let read = SealManifest::from_json(&manifest.to_canonical_json().unwrap()).unwrap();
        assert_eq!(read.commitments.unwrap().size, 0);
        assert_eq!(disclose(&manifest.to_canonical_json().unwrap(), &[0]), Err(DisclosureError::NoSuchItem(0)));
    }
}
