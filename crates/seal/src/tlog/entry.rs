//! The entries of a log of seals: that something was sealed, deleted or erased, and how far the audit log was.
//! They are public, so an entry has only hashes, a count and a time, nothing personal and nothing that could be guessed.

use serde::{Deserialize, Serialize};

use crate::{canonical, canonical::CanonicalError, digest::Sha256Digest};

/// An entry's bytes are its canonical form (RFC 8785): one line of JSON with these members, and `format`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
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
    /// Items of a sealed case were erased, and its certificate was replaced.
    Erasure {
        /// The manifest before.
        seal_manifest_sha256: Sha256Digest,
        /// The manifest after.
        successor_sha256: Sha256Digest,
    },
    /// How far the operator's audit log was at some time.
    AuditHead(AuditHead),
}

/// The head of an audit log: anyone who has seen it can show later that the records up to it were changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditHead {
    /// How many records were chained.
    pub size: u64,
    /// Of the last of them and, through it, of all.
    pub digest: Sha256Digest,
    /// When the operator's clock said so: RFC 3339 in UTC with milliseconds.
    pub time: String,
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

impl AuditHead {
    /// Reads the head from an entry of the log; none if the entry is of another kind.
    pub fn of_entry(entry: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Kind {
            kind: String,
        }
        let Kind { kind } = serde_json::from_str(entry).ok()?;
        if kind == "audit-head" { serde_json::from_str(entry).ok() } else { None }
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
        let erasure = LogEntry::Erasure { seal_manifest_sha256: sha256, successor_sha256: sha256 };
        let expected = format!(
            r#"{{"format":"sealwright-log-entry","kind":"erasure","sealManifestSha256":"{sha256}","successorSha256":"{sha256}"}}"#
        );
        assert_eq!(String::from_utf8(erasure.to_canonical_json().unwrap()).unwrap(), expected);
        let head = AuditHead { size: 7, digest: sha256, time: "2026-11-20T10:00:00.000Z".into() };
        let entry = String::from_utf8(LogEntry::AuditHead(head.clone()).to_canonical_json().unwrap()).unwrap();
        let expected = format!(
            r#"{{"digest":"{sha256}","format":"sealwright-log-entry","kind":"audit-head","size":7,"time":"2026-11-20T10:00:00.000Z"}}"#
        );
        assert_eq!(entry, expected);
        assert_eq!(AuditHead::of_entry(&entry), Some(head));
        assert_eq!(AuditHead::of_entry(&entry.replace("audit-head", "seal")), None);
    }
}
