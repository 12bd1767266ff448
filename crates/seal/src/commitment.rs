//! Commitments to a manifest's items, one by one: a Merkle root that the certificate's signature covers, and a salt in each
//! item.
//!
//! The leaf of an item is the [leaf hash](merkle::leaf_hash) of the item's canonical JSON in the manifest, including
//! its salt. So a single item can be shown and proven without the others ([`crate::disclosure`]), and an erased item
//! leaves only a hash that reveals nothing, while the rest stays provable.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

use crate::{
    canonical::{self, CanonicalError},
    digest::Sha256Digest,
    manifest::{ErasedItem, Erasure, Item, SealManifest, VERSION, VERSION_3},
    merkle,
};

/// 32 random bytes. Its text form is 64 lowercase hexadecimal characters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Salt(pub [u8; 32]);

/// The commitments of a manifest of version 2 to all of its items.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commitments {
    /// The Merkle root (RFC 9162) over the items' leaves in the manifest's order.
    pub root: Sha256Digest,
    /// The number of leaves.
    pub size: u64,
}

/// Why a manifest's commitments do not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommitmentError {
    #[error("the manifest has {items} items, but {salts} salts were given")]
    Salts { items: usize, salts: usize },
    #[error("the manifest of version {VERSION} has no commitments, or an item without a salt")]
    Missing,
    #[error("the commitments do not match the items in the manifest")]
    OtherItems,
    #[error("the manifest claims erased items in a form that a successor does not have")]
    Erasure,
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
}

impl SealManifest {
    /// Makes this a manifest of version 2: gives each item one of `salts`, which come from the caller's randomness and are
    /// used nowhere else, and commits to all of them.
    pub fn commit(&mut self, salts: &[[u8; 32]]) -> Result<(), CommitmentError> {
        if salts.len() != self.items.len() {
            return Err(CommitmentError::Salts { items: self.items.len(), salts: salts.len() });
        }
        for (item, salt) in self.items.iter_mut().zip(salts) {
            item.salt = Some(Salt(*salt));
        }
        let leaves = self.items.iter().map(Item::leaf).collect::<Result<Vec<_>, _>>()?;
        self.version = VERSION;
        self.commitments = Some(Commitments { root: merkle::root(&leaves), size: leaves.len() as u64 });
        Ok(())
    }

    /// Makes this the manifest of version 3 that replaces another: like [`commit`](Self::commit), for the items that are
    /// left, with the commitments of those that were erased. The root is that of the replaced manifest if nothing else
    /// has changed.
    pub fn commit_erased(&mut self, salts: &[[u8; 32]], erasure: Erasure) -> Result<(), CommitmentError> {
        self.commit(salts)?;
        let leaves = self.items.iter().map(Item::leaf).collect::<Result<Vec<_>, _>>()?;
        let leaves = with_erased(leaves, &erasure.items)?;
        self.version = VERSION_3;
        self.commitments = Some(Commitments { root: merkle::root(&leaves), size: leaves.len() as u64 });
        self.erasure = Some(erasure);
        Ok(())
    }

    /// The place of each item among all items of the first certificate.
    pub fn places(&self) -> Vec<u64> {
        let erased = self.erasure.iter().flat_map(|erasure| &erasure.items);
        let erased: Vec<u64> = erased.map(|item| item.index).collect();
        (0..).filter(|place| !erased.contains(place)).take(self.items.len()).collect()
    }
}

impl Item {
    /// The hash of this item in the tree.
    pub fn leaf(&self) -> Result<Sha256Digest, CanonicalError> {
        let value = serde_json::to_value(self).map_err(|error| CanonicalError::NotJson(error.to_string()))?;
        leaf_of(&value)
    }
}

/// The leaf of an item as JSON. An item from a file must be hashed as JSON, since it may have members that this program
/// does not know.
pub(crate) fn leaf_of(item: &Value) -> Result<Sha256Digest, CanonicalError> {
    canonical::to_vec(item).map(|bytes| merkle::leaf_hash(&bytes))
}

/// The leaves of all items: of those that are left, and between them those of the erased ones.
fn with_erased(leaves: Vec<Sha256Digest>, erased: &[ErasedItem]) -> Result<Vec<Sha256Digest>, CommitmentError> {
    let total = leaves.len() + erased.len();
    let (mut all, mut left, mut erased) = (Vec::with_capacity(total), leaves.into_iter(), erased.iter().peekable());
    for place in 0..total as u64 {
        let leaf = match erased.next_if(|item| item.index == place) {
            Some(item) => Some(item.commitment),
            None => left.next(),
        };
        // Places that are taken twice, not in order, or beyond the end leave no item for this one.
        all.push(leaf.ok_or(CommitmentError::Erasure)?);
    }
    Ok(all)
}

/// Checks the commitments of a manifest from version 2 on against its items, and returns the leaves of all items, also
/// of those that were erased.
pub(crate) fn check(manifest: &SealManifest, json: &Value) -> Result<Vec<Sha256Digest>, CommitmentError> {
    let commitments = manifest.commitments.as_ref().ok_or(CommitmentError::Missing)?;
    if manifest.items.iter().any(|item| item.salt.is_none()) {
        return Err(CommitmentError::Missing);
    }
    let items = json.get("items").and_then(Value::as_array).ok_or(CommitmentError::Missing)?;
    let leaves = items.iter().map(leaf_of).collect::<Result<Vec<_>, _>>()?;
    let leaves = match &manifest.erasure {
        None if manifest.version == VERSION => leaves,
        Some(erasure) if manifest.version == VERSION_3 && !erasure.items.is_empty() => {
            with_erased(leaves, &erasure.items)?
        }
        _ => return Err(CommitmentError::Erasure),
    };
    if commitments.size != leaves.len() as u64 || commitments.root != merkle::root(&leaves) {
        return Err(CommitmentError::OtherItems);
    }
    Ok(leaves)
}

impl fmt::Display for Salt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for Salt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Salt({self})")
    }
}

impl Serialize for Salt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Salt {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The same text form, with the same strictness.
        let text = String::deserialize(deserializer)?;
        let bytes = Sha256Digest::from_str(&text);
        bytes.map(|bytes| Self(bytes.0)).map_err(|_| de::Error::custom("a salt is 64 lowercase hexadecimal characters"))
    }
}
