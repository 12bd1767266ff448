//! The entries of a log of seals: that something was sealed, and that something was deleted. They are public, so an
//! entry has only hashes and a time, nothing personal and nothing that could be guessed.

use serde::Serialize;

use crate::{canonical, canonical::CanonicalError, digest::Sha256Digest};

/// An entry's bytes are its canonical form (RFC 8785): one line of JSON with these members, and `format`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum LogEntry {
    /// A case was sealed. It depends only on the seal manifest, so anyone with a certificate can recreate it.
    Seal {
        /// Of the manifest's canonical bytes. Its items are salted, so this does not reveal them.
        seal_manifest_sha256: Sha256Digest,
    },
    /// A case was deleted.
    Deletion {
        /// Of the operator's record of the deletion: hashes of what was deleted.
        record_sha256: Sha256Digest,
        /// The manifest of the sealed case, if it had been sealed.
        #[serde(skip_serializing_if = "Option::is_none")]
        seal_manifest_sha256: Option<Sha256Digest>,
        /// RFC 3339 in UTC with milliseconds.
        deleted_at: String,
    },
}

/// The value of `format`.
pub const FORMAT: &str = "sealwright-log-entry";

#[derive(Serialize)]
struct EntryJson<'e> {
    format: &'static str,
    #[serde(flatten)]
    entry: &'e LogEntry,
}

impl LogEntry {
    /// The content of the log's leaf, at most a few hundred bytes.
    pub fn to_canonical_json(&self) -> Result<Vec<u8>, CanonicalError> {
        let written = serde_json::to_value(EntryJson { format: FORMAT, entry: self });
        canonical::to_vec(&written.map_err(|error| CanonicalError::NotJson(error.to_string()))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_have_one_form() {
        let sha256 = Sha256Digest::of("x");
        let seal = LogEntry::Seal { seal_manifest_sha256: sha256 }.to_canonical_json().unwrap();
        let expected = format!(r#"{{"format":"sealwright-log-entry","kind":"seal","sealManifestSha256":"{sha256}"}}"#);
        assert_eq!(String::from_utf8(seal).unwrap(), expected);
        let deletion = LogEntry::Deletion {
            record_sha256: sha256,
            seal_manifest_sha256: None,
            deleted_at: "2026-11-20T10:00:00.000Z".into(),
        };
        let expected = format!(
            r#"{{"deletedAt":"2026-11-20T10:00:00.000Z","format":"sealwright-log-entry","kind":"deletion","recordSha256":"{sha256}"}}"#
        );
        assert_eq!(String::from_utf8(deletion.to_canonical_json().unwrap()).unwrap(), expected);
    }
}
