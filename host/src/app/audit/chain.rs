//! The chain of the audit log: each record gets a position and the digest of the digest before it and of the record.

use sealwright_seal::{
    Sha256Digest, Sha256Hasher,
    canonical::{self, CanonicalError},
};
use serde_json::Value;

use crate::{
    db::{Db, Tx},
    error::{Error, Result},
    store::{
        self,
        audit::{AuditHead, AuditRecord},
    },
};

/// What is hashed first, so that no digest of the chain means something else. Another form gets another number.
const LABEL: &str = "sealwright-audit-record/1\n";

/// The digest before the first record.
pub const BEGINNING: Sha256Digest = Sha256Digest([0; 32]);

/// How many records are chained in one transaction: on SQLite other writers wait for it.
const BATCH: i64 = 200;

/// Why nothing is chained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the head of the audit log is missing in the database; `sealwright audit verify` checks the log")]
pub struct HeadMissing;

/// The digest of a record: SHA-256 over the label, the 32 bytes of the digest before it, and the record as canonical
/// JSON (RFC 8785) without its position and its digest. So an exported record shows all that is hashed.
pub fn digest(before: Sha256Digest, record: &AuditRecord) -> Result<Sha256Digest, CanonicalError> {
    let not_json = |error: serde_json::Error| CanonicalError::NotJson(error.to_string());
    let mut json = serde_json::to_value(record).map_err(not_json)?;
    if let Value::Object(members) = &mut json {
        members.remove("position");
        members.remove("digest");
        members.remove("expiredAt");
    }
    let mut hasher = Sha256Hasher::new();
    hasher.update(LABEL);
    hasher.update(before.as_bytes());
    hasher.update(canonical::to_vec(&json)?);
    Ok(hasher.finish())
}

/// Chains every record that waits, and returns how many.
pub async fn chain_waiting(db: &Db) -> Result<usize> {
    let mut chained = 0;
    loop {
        // Most of the time nothing waits: a read does not hold up the writers.
        let mut reader = db.read().await?;
        let waits = !store::audit::waiting(&mut reader, 1).await?.is_empty();
        drop(reader);
        if !waits {
            return Ok(chained);
        }
        let mut tx = db.begin().await?;
        let batch = chain_batch(&mut tx).await;
        chained += tx.settle(batch).await?;
    }
}

/// Chains what waits, if that is possible: records can be read without it.
pub(super) async fn try_to_chain(db: &Db) {
    if let Err(error) = chain_waiting(db).await {
        tracing::warn!(%error, "the newest records of the audit log cannot be chained");
    }
}

/// Chains up to [`BATCH`] records. The head is locked first, so what another node has chained is not read again.
async fn chain_batch(tx: &mut Tx) -> Result<usize> {
    let AuditHead { mut size, mut digest } =
        store::audit::lock_head(tx).await?.ok_or_else(|| Error::internal(anyhow::Error::new(HeadMissing)))?;
    let records = store::audit::waiting(tx, BATCH).await?;
    for record in &records {
        size += 1;
        digest = self::digest(digest, record).map_err(Error::internal)?;
        store::audit::chain(tx, record.id, size, digest).await?;
    }
    store::audit::set_head(tx, AuditHead { size, digest }).await?;
    Ok(records.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Timestamp;

    fn record() -> AuditRecord {
        AuditRecord {
            id: 3,
            happened_at: Timestamp::from_millis(1_795_168_800_000),
            company: Some(7),
            actor_kind: "api".to_owned(),
            actor: "usr-acme-api".to_owned(),
            action: "closeCase".to_owned(),
            subject: Some("case 12".to_owned()),
            address: None,
            outcome: "done".to_owned(),
            detail: None,
            position: Some(1),
            digest: Some("not hashed".to_owned()),
            expired_at: None,
        }
    }

    /// Digests are stored and published: their form must never change.
    #[test]
    fn a_record_has_one_digest() {
        let json = concat!(
            r#"{"action":"closeCase","actor":"usr-acme-api","actorKind":"api","address":null,"company":7,"detail":null,"#,
            r#""happenedAt":"2026-11-20T10:00:00.000Z","id":3,"outcome":"done","subject":"case 12"}"#
        );
        let mut bytes = b"sealwright-audit-record/1\n".to_vec();
        bytes.extend([0; 32]);
        bytes.extend(json.as_bytes());
        assert_eq!(digest(BEGINNING, &record()).unwrap(), Sha256Digest::of(bytes));
    }

    #[test]
    fn each_field_and_the_record_before_count() {
        let before = digest(BEGINNING, &record()).unwrap();
        assert_ne!(digest(before, &record()).unwrap(), before);
        let others = [
            AuditRecord { id: 4, ..record() },
            AuditRecord { happened_at: Timestamp::from_millis(1_795_168_800_001), ..record() },
            AuditRecord { company: None, ..record() },
            AuditRecord { actor_kind: "field".to_owned(), ..record() },
            AuditRecord { actor: "usr-acme".to_owned(), ..record() },
            AuditRecord { action: "deleteCase".to_owned(), ..record() },
            AuditRecord { subject: Some("case 1".to_owned()), ..record() },
            AuditRecord { address: Some("203.0.113.7".to_owned()), ..record() },
            AuditRecord { outcome: "refused".to_owned(), ..record() },
            AuditRecord { detail: Some(String::new()), ..record() },
        ];
        for other in others {
            assert_ne!(digest(BEGINNING, &other).unwrap(), before, "{other:?}");
        }
    }
}
