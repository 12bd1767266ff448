//! The names of blobs.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use sealwright_base::clock::random_key;

/// What a blob is for; the first part of its key. Each has its own folder, and lifecycle rules of a bucket can
/// distinguish them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum BlobArea {
    /// Files as they were sent.
    Items,
    /// Pieces of files that are being sent.
    Pieces,
    /// Sealed PDFs.
    Certificates,
    /// Files derived from an item's file, which can be regenerated.
    Derivatives,
    /// Small pictures derived from an item's file, which can be regenerated.
    Previews,
    /// Facts that were read from an item's file.
    Facts,
    /// Components of plugins that a verdict depends on, or that were published.
    Components,
    /// Certificate templates that were published.
    Templates,
    /// The published heads of the log of seals.
    LogHeads,
    /// The newest cosigned heads of the logs of others.
    WitnessedHeads,
    /// Names the key with which a restored installation cosigns the logs of others.
    WitnessKeys,
    /// Written and deleted by the readiness check.
    Probes,
}

impl BlobArea {
    pub(super) const fn folder(self) -> &'static str {
        self.into_str()
    }
}

/// A blob's name: `items/3f/3f0c…`, an area, two hexadecimal digits, and 32 of them that start with the same two (so no
/// folder becomes too large for a file system). No part of it ever comes from a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct BlobKey(String);

impl BlobKey {
    /// A new unguessable key.
    pub fn random(area: BlobArea) -> Self {
        Self::new(area, &random_key())
    }

    /// The key of what is derived from this blob: the same random part in [`BlobArea::Derivatives`], so that the caller
    /// who deletes the blob can delete that too.
    #[must_use]
    pub fn derivative(&self) -> Self {
        self.in_area(BlobArea::Derivatives)
    }

    /// The key of the small picture that is derived from this blob, like [`derivative`](Self::derivative).
    #[must_use]
    pub fn preview(&self) -> Self {
        self.in_area(BlobArea::Previews)
    }

    /// The keys of all that may be derived from this blob. It is deleted with the blob.
    #[must_use]
    pub fn derived(&self) -> [Self; 2] {
        [self.derivative(), self.preview()]
    }

    /// The key of the item's file that this blob was made from, if it is a derivative or a preview.
    #[must_use]
    pub fn item_of_derivative(&self) -> Self {
        self.in_area(BlobArea::Items)
    }

    /// The key with the same random part in another area.
    fn in_area(&self, area: BlobArea) -> Self {
        let random = self.0.rsplit('/').next().unwrap_or_default();
        Self::new(area, random)
    }

    /// The key of the component with this SHA-256: its first 128 bits, so that storing it twice keeps one copy. Readers
    /// compare the whole digest with the bytes.
    pub fn component(sha256: &[u8; 32]) -> Self {
        Self::of_digest(BlobArea::Components, sha256)
    }

    /// The key of the published template whose bundle has this SHA-256, like [`component`](Self::component).
    pub fn template(sha256: &[u8; 32]) -> Self {
        Self::of_digest(BlobArea::Templates, sha256)
    }

    fn of_digest(area: BlobArea, sha256: &[u8; 32]) -> Self {
        Self::new(area, &hex::encode(&sha256[..16]))
    }

    /// The key of the head of a log when it had `size` entries. `log` identifies the log.
    pub fn log_head(log: [u8; 8], size: u64) -> Self {
        Self::of_head(BlobArea::LogHeads, log, size)
    }

    /// The arguments from which [`log_head`](Self::log_head) made this key. None for any other key.
    pub fn read_log_head(&self) -> Option<([u8; 8], u64)> {
        self.read_head(BlobArea::LogHeads)
    }

    /// The key of a cosigned head of another's log, like [`log_head`](Self::log_head).
    pub fn witnessed_head(log: [u8; 8], size: u64) -> Self {
        Self::of_head(BlobArea::WitnessedHeads, log, size)
    }

    /// The arguments from which [`witnessed_head`](Self::witnessed_head) made this key. None for any other key.
    pub fn read_witnessed_head(&self) -> Option<([u8; 8], u64)> {
        self.read_head(BlobArea::WitnessedHeads)
    }

    fn of_head(area: BlobArea, log: [u8; 8], size: u64) -> Self {
        Self::new(area, &format!("{}{size:016x}", hex::encode(log)))
    }

    fn read_head(&self, area: BlobArea) -> Option<([u8; 8], u64)> {
        let name = self.0.strip_prefix(area.folder())?.rsplit('/').next()?;
        let (log, size) = name.split_at_checked(16)?;
        Some((hex::decode(log).ok()?.try_into().ok()?, u64::from_str_radix(size, 16).ok()?))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn new(area: BlobArea, random: &str) -> Self {
        Self(format!("{}/{}/{random}", area.folder(), &random[..2]))
    }
}

/// A text that is not a [`BlobKey`], for example in a database that was edited by hand.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a blob key")]
pub struct InvalidBlobKey(String);

impl FromStr for BlobKey {
    type Err = InvalidBlobKey;

    fn from_str(text: &str) -> Result<Self, InvalidBlobKey> {
        let well_formed = || {
            let mut parts = text.split('/');
            let (area, shard, random) = (parts.next()?, parts.next()?, parts.next()?);
            let known = BlobArea::VARIANTS.iter().any(|known| known.folder() == area);
            let hexadecimal = random.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            (parts.next().is_none() && known && hexadecimal && random.len() == 32 && shard == &random[..2])
                .then(|| Self(text.to_owned()))
        };
        well_formed().ok_or_else(|| InvalidBlobKey(text.to_owned()))
    }
}

impl TryFrom<String> for BlobKey {
    type Error = InvalidBlobKey;

    fn try_from(text: String) -> Result<Self, InvalidBlobKey> {
        text.parse()
    }
}

impl From<BlobKey> for String {
    fn from(key: BlobKey) -> Self {
        key.0
    }
}

impl fmt::Display for BlobKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

sealwright_base::text_column!(BlobKey, "blob key");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_key_reads_back_and_differs_from_the_next() {
        for &area in BlobArea::VARIANTS {
            let key = BlobKey::random(area);
            assert_eq!(key.as_str().parse(), Ok(key.clone()));
            assert_ne!(key, BlobKey::random(area));
        }
    }

    #[test]
    fn a_derivative_shares_the_random_part() {
        let item = BlobKey::random(BlobArea::Items);
        let derivative = item.derivative();
        assert_eq!(derivative.as_str().strip_prefix("derivatives"), item.as_str().strip_prefix("items"));
        assert_eq!(derivative.as_str().parse(), Ok(derivative.clone()));
        let preview = item.preview();
        assert_eq!(preview.as_str().strip_prefix("previews"), item.as_str().strip_prefix("items"));
        assert_eq!(item.derived(), [derivative, preview]);
        for derived in item.derived() {
            assert_eq!(derived.item_of_derivative(), item);
        }
    }

    #[test]
    fn a_component_has_one_key() {
        let mut sha256 = [0x4F; 32];
        sha256[16..].fill(0x3C);
        let key = BlobKey::component(&sha256);
        assert_eq!(key.as_str(), "components/4f/4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f");
        assert_eq!(key.as_str().parse(), Ok(key.clone()));
        assert_eq!(BlobKey::component(&sha256), key);
        assert_eq!(BlobKey::template(&sha256).as_str(), "templates/4f/4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f");
    }

    #[test]
    fn the_key_of_a_logs_head_contains_the_log_and_its_size() {
        let key = BlobKey::log_head([0xAB; 8], 0x0123);
        assert_eq!(key.as_str(), "log-heads/ab/abababababababab0000000000000123");
        assert_eq!(key.as_str().parse(), Ok(key.clone()));
        assert_eq!(key.read_log_head(), Some(([0xAB; 8], 0x0123)));
        assert_eq!(BlobKey::random(BlobArea::Items).read_log_head(), None);
        let key = BlobKey::witnessed_head([0xAB; 8], 0x0123);
        assert_eq!(key.as_str(), "witnessed-heads/ab/abababababababab0000000000000123");
        assert_eq!((key.read_witnessed_head(), key.read_log_head()), (Some(([0xAB; 8], 0x0123)), None));
    }

    #[test]
    fn what_is_not_a_key_is_refused() {
        let random = "0123456789abcdef0123456789abcdef";
        for text in [
            String::new(),
            "items".into(),
            format!("items/{random}"),
            format!("items/01/{random}/"),
            format!("/items/01/{random}"),
            format!("items/02/{random}"),
            format!("others/01/{random}"),
            format!("items/01/{}", random.to_uppercase()),
            format!("items/01/{}", &random[1..]),
            format!("items/01/{random}#1"),
            "items/../../../../etc/passwd".into(),
            format!("items/0é/{random}"),
            format!("items/01/é{}", &random[2..]),
        ] {
            assert_eq!(text.parse::<BlobKey>(), Err(InvalidBlobKey(text.clone())));
        }
    }
}
