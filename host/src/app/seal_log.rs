//! The public log of seals: every seal and every deletion is an entry of one Merkle tree, whose head the server signs. Who
//! follows the log, or holds a certificate with a proof of inclusion, notices when the operator takes something back,
//! slips something in before it, or shows different people different logs.
//!
//! The forms are those of C2SP `tlog-tiles` and `tlog-checkpoint`; what is pure about it is in [`sealwright_seal::tlog`].

use std::collections::BTreeMap;

use anyhow::Context;
use sealwright_seal::{
    Sha256Digest, canonical,
    tlog::{
        Checkpoint,
        entry::LogEntry,
        note::NoteSigner,
        proof::LogProof,
        tiles,
        tree::{inclusion_proof, nodes_of_inclusion_proof},
    },
};

use super::App;
use crate::{
    db::Tx,
    domain::id::CaseId,
    error::{Error, Result},
    secrets::SecretKey,
    store::{
        self,
        job::Job,
        seal_log::{Head, NewEntry},
    },
};

/// Where the log is published, below the public root.
pub const PATH: &str = "/log";
/// What the log's key is derived for.
const KEY_PURPOSE: &str = "seal-log";

/// The log's key and name.
pub struct SealLog {
    key: [u8; 32],
    /// What the log is called if it has no entry yet: its address without the scheme, as C2SP recommends. A log keeps its
    /// first name when the server moves, since certificates know it by that.
    origin: String,
}

impl SealLog {
    /// The key follows from the server's secret key, so that all nodes sign with the same.
    pub fn new(secrets: &SecretKey, base_url: &str) -> Self {
        let address = base_url.split_once("://").map_or(base_url, |(_, address)| address);
        Self { key: secrets.derive(KEY_PURPOSE), origin: format!("{address}{PATH}") }
    }

    fn signer(&self, origin: &str) -> Result<NoteSigner> {
        NoteSigner::new(origin, &self.key).map_err(Error::internal)
    }
}

/// The key by which the log's checkpoints are checked, in the form `name+hash+base64`. Its name is the log's.
pub async fn verifier_key(app: &App) -> Result<String> {
    let head = head(app).await?;
    let origin = head.as_ref().map_or(app.seal_log.origin.as_str(), |head| &head.origin);
    Ok(app.seal_log.signer(origin)?.verifier().to_string())
}

/// Appends the seal of a case and gives the proof of it. One that is in the log already is only proven: a seal may be made
/// twice.
pub async fn append_seal(app: &App, case: CaseId, manifest: Sha256Digest) -> Result<LogProof> {
    let entry = LogEntry::Seal { seal_manifest_sha256: manifest };
    let mut tx = app.db.begin().await?;
    let appended = append(app, &mut tx, case, &entry, Some(manifest)).await;
    let index = tx.settle(appended).await?;
    prove(app, index).await
}

/// The proof that a manifest's seal is in the log, under the newest checkpoint; none where it is not.
pub async fn proof_of_seal(app: &App, manifest: Sha256Digest) -> Result<Option<LogProof>> {
    let entry = written(&LogEntry::Seal { seal_manifest_sha256: manifest })?;
    let mut tx = app.db.read().await?;
    let position = store::seal_log::position(&mut tx, &entry).await?;
    drop(tx);
    match position {
        Some(index) => Ok(Some(prove(app, index).await?)),
        None => Ok(None),
    }
}

/// Appends the deletion of a case, as one run of a [`LogDeletion`](store::job::JobKind::LogDeletion) job.
pub async fn append_deletion(app: &App, job: &Job) -> Result<()> {
    let Some(case) = CaseId::new(job.subject) else {
        return Err(Error::internal(anyhow::anyhow!("job {:?} names no case", job.id)));
    };
    let mut tx = app.db.read().await?;
    let record = store::deleted_case::record(&mut tx, case).await?;
    let manifest = store::seal_log::manifest_of_case(&mut tx, case).await?;
    drop(tx);
    let record = record.context("a deleted case has no record").map_err(Error::internal)?;
    let value = serde_json::to_value(&record).map_err(Error::internal)?;
    let entry = LogEntry::Deletion {
        record_sha256: canonical::digest(&value).map_err(Error::internal)?,
        seal_manifest_sha256: manifest,
        deleted_at: record.deleted_at.to_string(),
    };
    let mut tx = app.db.begin().await?;
    let appended = append(app, &mut tx, case, &entry, None).await;
    let appended = match appended {
        Ok(_) => store::job::complete(&mut tx, job).await.map(drop),
        Err(error) => Err(error),
    };
    tx.settle(appended).await
}

/// The newest checkpoint, as it is published.
pub async fn checkpoint(app: &App) -> Result<String> {
    match head(app).await? {
        Some(head) if head.frontier.size() > 0 => Ok(head.checkpoint),
        _ => sign(app, &app.seal_log.origin, 0, Sha256Digest::of("")),
    }
}

/// The bytes of a tile (C2SP `tlog-tiles`): `width` hashes of `level`, 1 to 256. None where the log has not that many yet.
pub async fn tile(app: &App, level: u8, index: u64, width: u16) -> Result<Option<Vec<u8>>> {
    let (Some(level), Some(first)) = (level.checked_mul(8), index.checked_mul(tiles::WIDTH)) else { return Ok(None) };
    let mut tx = app.db.read().await?;
    let hashes = store::seal_log::nodes(&mut tx, level, first, width.into()).await?;
    Ok((hashes.len() == usize::from(width)).then(|| hashes.iter().flat_map(|hash| hash.0).collect()))
}

/// The bytes of a bundle of `width` entries, 1 to 256. None where the log has not that many yet.
pub async fn entries(app: &App, index: u64, width: u16) -> Result<Option<Vec<u8>>> {
    let Some(first) = index.checked_mul(tiles::WIDTH) else { return Ok(None) };
    let mut tx = app.db.read().await?;
    let entries = store::seal_log::entries(&mut tx, first, width.into()).await?;
    if entries.len() != usize::from(width) {
        return Ok(None);
    }
    let entries: Vec<&[u8]> = entries.iter().map(String::as_bytes).collect();
    Ok(Some(tiles::write_bundle(&entries).map_err(Error::internal)?))
}

async fn head(app: &App) -> Result<Option<Head>> {
    let mut tx = app.db.read().await?;
    Ok(store::seal_log::head(&mut tx).await?)
}

/// Appends an entry, unless it is there, and says where it stands.
async fn append(app: &App, tx: &mut Tx, case: CaseId, entry: &LogEntry, manifest: Option<Sha256Digest>) -> Result<u64> {
    let entry = written(entry)?;
    let Head { origin, mut frontier, .. } = store::seal_log::lock(tx, &app.seal_log.origin).await?;
    if let Some(position) = store::seal_log::position(tx, &entry).await? {
        return Ok(position);
    }
    let position = frontier.size();
    store::seal_log::insert(tx, position, NewEntry { entry: &entry, case, manifest }).await?;
    for (node, hash) in frontier.append(entry.as_bytes()) {
        store::seal_log::insert_node(tx, node, &hash).await?;
    }
    let checkpoint = sign(app, &origin, frontier.size(), frontier.root())?;
    store::seal_log::set_head(tx, &frontier, &checkpoint).await?;
    Ok(position)
}

fn sign(app: &App, origin: &str, size: u64, root: Sha256Digest) -> Result<String> {
    let checkpoint = Checkpoint { origin: origin.to_owned(), size, root, extensions: Vec::new() };
    app.seal_log.signer(origin)?.sign(&checkpoint.to_string()).map_err(Error::internal)
}

/// The proof of what stands at `index`, under the newest checkpoint.
async fn prove(app: &App, index: u64) -> Result<LogProof> {
    let mut tx = app.db.read().await?;
    // The nodes of a tree never change, so what is read after the head belongs to it.
    let head =
        store::seal_log::head(&mut tx).await?.context("the log has an entry and no head").map_err(Error::internal)?;
    let size = head.frontier.size();
    let mut hashes = BTreeMap::new();
    for node in nodes_of_inclusion_proof(index, size).unwrap_or_default() {
        let found = store::seal_log::nodes(&mut tx, node.level, node.index, 1).await?;
        hashes.extend(found.first().map(|hash| (node, *hash)));
    }
    let proof =
        inclusion_proof(index, size, &hashes).context("the log lacks nodes of its tree").map_err(Error::internal)?;
    Ok(LogProof { index, hashes: proof, checkpoint: head.checkpoint })
}

fn written(entry: &LogEntry) -> Result<String> {
    let bytes = entry.to_canonical_json().map_err(Error::internal)?;
    String::from_utf8(bytes).map_err(Error::internal)
}
