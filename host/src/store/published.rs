//! Plugins and certificate templates that every node has, and the revision number by which nodes detect changes.

use sealwright_seal::digest::Sha256Digest;
use strum::{Display, EnumString};

use crate::{
    blobs::BlobKey,
    clock::Timestamp,
    db::{Reader, Tx},
};

/// What can be published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum PublishedKind {
    Plugin,
    Template,
}

sealwright_base::text_column!(PublishedKind, "kind of publication");

/// How something was published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum PublishedBy {
    Command,
    /// A node found it in its `plugin_dir`.
    Folder,
}

sealwright_base::text_column!(PublishedBy, "source of a publication");

/// A published plugin or template, perhaps withdrawn.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Published {
    pub kind: PublishedKind,
    pub name: String,
    /// SHA-256 of the bytes.
    pub digest: Sha256Digest,
    /// Empty for a template.
    pub version: String,
    pub size: i64,
    pub blob_key: BlobKey,
    pub source: PublishedBy,
    /// The machine that published it, for people.
    pub node: String,
    pub published_at: Timestamp,
    /// None: every node has it.
    pub withdrawn_at: Option<Timestamp>,
    /// The revision of the last change of this row. The highest of a name is the newest.
    pub revision: i64,
}

impl Published {
    pub fn is(&self, kind: PublishedKind) -> bool {
        self.kind == kind
    }

    pub const fn is_in_service(&self) -> bool {
        self.withdrawn_at.is_none()
    }
}

/// What [`publish`] writes.
#[derive(Clone, Copy, Debug)]
pub struct NewPublished<'a> {
    pub kind: PublishedKind,
    pub name: &'a str,
    pub digest: Sha256Digest,
    pub version: &'a str,
    pub size: i64,
    pub blob_key: &'a BlobKey,
    pub source: PublishedBy,
    pub node: &'a str,
}

/// A number that changes with every change.
pub async fn revision(reader: &mut Reader) -> sqlx::Result<i64> {
    let (revision,) = reader.query("select revision from published_revision where id = 1").one::<(i64,)>().await?;
    Ok(revision)
}

/// Every row, by kind and name, the newest first.
pub async fn all(reader: &mut Reader) -> sqlx::Result<Vec<Published>> {
    reader
        .query(
            "select kind, name, digest, version, size, blob_key, source, node, published_at, withdrawn_at, revision
         from published order by kind, name, revision desc",
        )
        .all()
        .await
}

/// Publishes it for every node, or makes it the newest of its name again. Its bytes must be in the blob store already.
pub async fn publish(tx: &mut Tx, new: &NewPublished<'_>, now: Timestamp) -> sqlx::Result<()> {
    let revision = next_revision(tx).await?;
    tx.query(
        "insert into published (kind, name, digest, version, size, blob_key, source, node, published_at, withdrawn_at, revision)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, null, $10)
         on conflict (kind, name, digest) do update set
           version = excluded.version, size = excluded.size, blob_key = excluded.blob_key, source = excluded.source,
           node = excluded.node, published_at = excluded.published_at, withdrawn_at = null, revision = excluded.revision",
    )
    .bind(new.kind)
    .bind(new.name)
    .bind(new.digest)
    .bind(new.version)
    .bind(new.size)
    .bind(new.blob_key)
    .bind(new.source)
    .bind(new.node)
    .bind(now)
    .bind(revision)
    .execute()
    .await?;
    Ok(())
}

/// Withdraws everything with this name, or only the given digest. Returns the number of rows.
pub async fn withdraw(
    tx: &mut Tx,
    kind: PublishedKind,
    name: &str,
    digest: Option<Sha256Digest>,
    now: Timestamp,
) -> sqlx::Result<u64> {
    let revision = next_revision(tx).await?;
    tx.query(
        "update published set withdrawn_at = $4, revision = $5
         where kind = $1 and name = $2 and withdrawn_at is null and ($3 is null or digest = $3)",
    )
    .bind(kind)
    .bind(name)
    .bind(digest)
    .bind(now)
    .bind(revision)
    .execute()
    .await
}

/// Withdraws everything with this name except one digest: only one version of a template is in service.
pub async fn withdraw_others(
    tx: &mut Tx,
    kind: PublishedKind,
    name: &str,
    digest: Sha256Digest,
    now: Timestamp,
) -> sqlx::Result<u64> {
    tx.query(
        "update published set withdrawn_at = $4
         where kind = $1 and name = $2 and withdrawn_at is null and digest <> $3",
    )
    .bind(kind)
    .bind(name)
    .bind(digest)
    .bind(now)
    .execute()
    .await
}

/// Locks the counter until the transaction ends, so that changes have one order.
async fn next_revision(tx: &mut Tx) -> sqlx::Result<i64> {
    let (revision,) = tx
        .query("update published_revision set revision = revision + 1 where id = 1 returning revision")
        .one::<(i64,)>()
        .await?;
    Ok(revision)
}

/// How many jobs wait for a part of the machine.
pub async fn jobs_waiting_for(reader: &mut Reader, part: &str) -> sqlx::Result<i64> {
    let waiting = reader.query("select count(*) from jobs where state = 'ready' and waits_for = $1").bind(part);
    let (count,) = waiting.one::<(i64,)>().await?;
    Ok(count)
}

/// Makes the jobs that wait for a part of the machine due now.
pub async fn reschedule_waiting_jobs(tx: &mut Tx, part: &str, now: Timestamp) -> sqlx::Result<u64> {
    tx.query("update jobs set run_at = $2 where state = 'ready' and waits_for = $1 and run_at > $2")
        .bind(part)
        .bind(now)
        .execute()
        .await
}
