//! The public log of seals: every seal and every deletion is an entry of one Merkle tree, whose head the server signs.
//! So are heads of the audit log ([`audit_heads`]).
//! Anyone who follows the log, or holds a certificate with a proof of inclusion, can detect that the operator has
//! removed an entry, inserted an earlier one, or shows different logs to different people.
//!
//! [`witnesses`] cosign the head, so that everyone is shown the same log.
//!
//! The formats are those of C2SP `tlog-tiles` and `tlog-checkpoint`; the pure part is in [`sealwright_seal::tlog`].

mod audit_heads;
mod guard;
mod restart;
mod witnesses;

use std::collections::BTreeMap;

use anyhow::Context;
use sealwright_seal::{
    Sha256Digest, canonical,
    tlog::{
        Checkpoint,
        entry::LogEntry,
        note::{NoteSigner, NoteVerifier},
        proof::LogProof,
        tiles,
        tree::{Frontier, Node, inclusion_proof, nodes_of_inclusion_proof},
    },
};

use self::guard::{Guard, NewestHead};
pub use self::{
    audit_heads::{LogCheck, PublishedHead, append_audit_head, check},
    guard::LogStopped,
    restart::restart,
    witnesses::{LogWitnesses, WITNESSES, WitnessReport, Witnessing, ask_witnesses, is_witnessed},
};
use super::App;
use crate::{
    blobs::Blobs,
    config::WitnessSettings,
    db::{Db, Reader, Tx},
    domain::id::CaseId,
    error::{Error, Result},
    secrets::SecretKey,
    store::{
        self,
        job::Job,
        seal_log::{Head, NewEntry},
    },
};

/// The path of the log, below the public root.
pub const PATH: &str = "/log";
/// The purpose that the log's key is derived for.
const KEY_PURPOSE: &str = "seal-log";

/// The log's keys and its first name, and the guard against signing two different logs.
pub struct SealLog {
    secrets: SecretKey,
    /// The log's name if it has no entry yet: its address without the scheme, as C2SP recommends. A log keeps its first
    /// name when the server moves, since certificates refer to it.
    origin: String,
    guard: Guard,
}

impl SealLog {
    /// The keys are derived from the server's secret key, so that all nodes sign with the same ones.
    pub fn new(secrets: &SecretKey, base_url: &str) -> Self {
        let address = base_url.split_once("://").map_or(base_url, |(_, address)| address);
        Self { secrets: secrets.clone(), origin: format!("{address}{PATH}"), guard: Guard::default() }
    }

    /// Each log has its own key.
    fn signer(&self, origin: &str, epoch: i64) -> Result<NoteSigner> {
        let purpose = if epoch == 1 { KEY_PURPOSE.to_owned() } else { format!("{KEY_PURPOSE}/{epoch}") };
        NoteSigner::new(origin, &self.secrets.derive(&purpose)).map_err(Error::internal)
    }

    fn signer_of(&self, head: Option<&Head>) -> Result<NoteSigner> {
        match head {
            Some(head) => self.signer(&head.origin, head.epoch),
            None => self.signer(&self.origin, 1),
        }
    }

    fn sign(&self, origin: &str, epoch: i64, size: u64, root: Sha256Digest) -> Result<String> {
        let checkpoint = Checkpoint { origin: origin.to_owned(), size, root, extensions: Vec::new() };
        self.signer(origin, epoch)?.sign(&checkpoint.to_string()).map_err(Error::internal)
    }
}

/// The state of the log, for the operator.
#[derive(Clone, Debug)]
pub struct LogState {
    /// The log's name.
    pub origin: String,
    pub entries: u64,
    /// Why it has stopped, if it has.
    pub stopped: Option<LogStopped>,
}

/// The key that verifies the log's checkpoints, in the form `name+hash+base64`. Its name is the log's.
pub async fn verifier_key(app: &App) -> Result<String> {
    Ok(app.seal_log.signer_of(head(&app.db).await?.as_ref())?.verifier().to_string())
}

/// Appends the seal of a case and returns its proof. A seal that is already in the log is not appended again: a seal
/// may be made twice. If the log has stopped, nothing is appended.
pub async fn append_seal(app: &App, case: CaseId, manifest: Sha256Digest) -> Result<Result<LogProof, LogStopped>> {
    let entry = LogEntry::Seal { seal_manifest_sha256: manifest };
    let newest = newest(app).await?;
    let mut tx = app.db.begin().await?;
    let appended = append(app, &mut tx, newest, Some(case), &entry, Some(manifest)).await;
    match tx.settle(appended).await? {
        Ok(index) => {
            app.log_witnesses.grown.notify_one();
            app.log_witnesses.await_quorum(&app.db, &app.config.witnesses, index).await?;
            prove(app, index, newest).await
        }
        Err(stopped) => Ok(Err(stopped)),
    }
}

/// Appends that a case's certificate was replaced after an erasure. Waits for a log that has stopped: without this entry
/// there is no successor.
pub async fn append_erasure(app: &App, case: CaseId, before: Sha256Digest, after: Sha256Digest) -> Result<()> {
    let entry = LogEntry::Erasure { seal_manifest_sha256: before, successor_sha256: after };
    let newest = newest(app).await?;
    let mut tx = app.db.begin().await?;
    let appended = append(app, &mut tx, newest, Some(case), &entry, None).await;
    let appended = appended.and_then(|appended| appended.map(drop).map_err(unavailable));
    tx.settle(appended).await
}

/// An error if the log has stopped, before work that needs an entry in it.
pub async fn check_running(app: &App) -> Result<()> {
    let state = state(&app.seal_log, &app.db, &app.blobs).await?;
    state.stopped.map_or(Ok(()), |stopped| Err(unavailable(stopped)))
}

/// What needs an entry is tried again until the log works again.
fn unavailable(stopped: LogStopped) -> Error {
    Error::Unavailable { part: "log of seals", cause: stopped.into() }
}

/// Whether a manifest's seal is in the log.
pub async fn has_seal(reader: &mut Reader, manifest: Sha256Digest) -> Result<bool> {
    let entry = canonical_text(&LogEntry::Seal { seal_manifest_sha256: manifest })?;
    Ok(store::seal_log::position(reader, &entry).await?.is_some())
}

/// The proof that a manifest's seal is in the log, under the newest checkpoint; none if not, or if the log has stopped.
pub async fn proof_of_seal(app: &App, manifest: Sha256Digest) -> Result<Option<LogProof>> {
    let entry = canonical_text(&LogEntry::Seal { seal_manifest_sha256: manifest })?;
    let mut reader = app.db.read().await?;
    let position = store::seal_log::position(&mut reader, &entry).await?;
    drop(reader);
    match position {
        Some(index) => {
            let newest = newest(app).await?;
            Ok(prove(app, index, newest).await?.ok())
        }
        None => Ok(None),
    }
}

/// Whether this proof shows that a manifest's seal is in the log with this key.
pub fn is_proven_by(proof: &LogProof, manifest: Sha256Digest, key: &str) -> bool {
    let entry = LogEntry::Seal { seal_manifest_sha256: manifest }.to_canonical_json();
    let (Ok(entry), Ok(key)) = (entry, key.parse::<NoteVerifier>()) else { return false };
    proof.verify(&entry, &key).is_ok()
}

/// Appends the deletion of a case, as one run of a [`LogDeletion`](store::job::JobKind::LogDeletion) job.
pub async fn append_deletion(app: &App, job: &Job, case: CaseId) -> Result<()> {
    let mut reader = app.db.read().await?;
    let record = store::deleted_case::record(&mut reader, case).await?;
    let manifest = store::seal_log::manifest_of_case(&mut reader, case).await?;
    drop(reader);
    let record = record.context("a deleted case has no record").map_err(Error::internal)?;
    let value = serde_json::to_value(&record).map_err(Error::internal)?;
    let entry = LogEntry::Deletion {
        record_sha256: canonical::digest(&value).map_err(Error::internal)?,
        seal_manifest_sha256: manifest,
        deleted_at: record.deleted_at.to_string(),
    };
    let newest = newest(app).await?;
    let mut tx = app.db.begin().await?;
    let appended = append(app, &mut tx, newest, Some(case), &entry, None).await;
    let appended = match appended {
        Ok(Err(stopped)) => Err(unavailable(stopped)),
        Ok(Ok(_)) => store::job::complete(&mut tx, job).await.map(drop),
        Err(error) => Err(error),
    };
    tx.settle(appended).await
}

/// The newest published checkpoint, with the cosignatures that it has so far.
pub async fn checkpoint(app: &App) -> Result<String> {
    let log = &app.seal_log;
    match head(&app.db).await? {
        Some(head) if head.frontier.size() > 0 => {
            if log.guard.has(&log.signer_of(Some(&head))?.verifier(), &head) {
                return witnesses::with_cosignatures(&app.db, &app.config.witnesses, head).await;
            }
            let newest = newest(app).await?;
            match publish(app, newest).await? {
                Ok(head) => witnesses::with_cosignatures(&app.db, &app.config.witnesses, head).await,
                Err(stopped) => Err(Error::NotReady { message: stopped.to_string(), retry_after_seconds: 60 }),
            }
        }
        head => {
            let epoch = head.as_ref().map_or(1, |head| head.epoch);
            let origin = head.map_or_else(|| log.origin.clone(), |head| head.origin);
            log.sign(&origin, epoch, 0, Sha256Digest::of(""))
        }
    }
}

/// The newest checkpoint with enough cosignatures, as a signed note.
pub async fn cosigned_checkpoint(app: &App) -> Result<Option<String>> {
    let mut reader = app.db.read().await?;
    let Some(head) = store::seal_log::head(&mut reader).await? else { return Ok(None) };
    let newest = witnesses::newest_cosigned(&mut reader, &app.config.witnesses, &head.origin).await?;
    Ok(newest.map(|checkpoint| checkpoint.note))
}

/// Whether enough witnesses have seen a manifest's seal.
pub async fn witnessing(app: &App, manifest: Sha256Digest) -> Result<Witnessing> {
    if app.config.witnesses.of_log.is_empty() {
        return Ok(Witnessing::NotWanted);
    }
    let entry = canonical_text(&LogEntry::Seal { seal_manifest_sha256: manifest })?;
    let mut reader = app.db.read().await?;
    let position = store::seal_log::position(&mut reader, &entry).await?;
    drop(reader);
    let Some(index) = position else { return Ok(Witnessing::NotWanted) };
    let is_cosigned = witnesses::is_cosigned(&app.db, &app.config.witnesses, index).await?;
    Ok(if is_cosigned { Witnessing::Done } else { Witnessing::Pending })
}

/// The witnesses of the settings, and what each answered last.
pub async fn witness_reports(log: &SealLog, settings: &WitnessSettings, db: &Db) -> Result<Vec<WitnessReport>> {
    let mut reader = db.read().await?;
    let head = store::seal_log::head(&mut reader).await?;
    let origin = head.map_or_else(|| log.origin.clone(), |head| head.origin);
    witnesses::reports(&mut reader, settings, &origin).await
}

/// The size of the log, and whether it has stopped. Signs and keeps nothing.
pub async fn state(log: &SealLog, db: &Db, blobs: &Blobs) -> Result<LogState> {
    let newest = newest_of(log, db, blobs).await?;
    let mut reader = db.read().await?;
    let (origin, frontier) = match store::seal_log::head(&mut reader).await? {
        Some(Head { origin, frontier, .. }) => (origin, frontier),
        None => (log.origin.clone(), Frontier::default()),
    };
    let stopped = newest.is_in(&mut reader, &frontier).await?.err();
    Ok(LogState { origin, entries: frontier.size(), stopped })
}

/// The bytes of a tile (C2SP `tlog-tiles`): `width` hashes of `level`, 1 to 256. None if the log has fewer.
pub async fn tile(app: &App, level: u8, index: u64, width: u16) -> Result<Option<Vec<u8>>> {
    let (Some(level), Some(first)) = (level.checked_mul(8), index.checked_mul(tiles::WIDTH)) else { return Ok(None) };
    let mut reader = app.db.read().await?;
    let hashes = store::seal_log::nodes(&mut reader, level, first, width.into()).await?;
    Ok((hashes.len() == usize::from(width)).then(|| hashes.iter().flat_map(|hash| hash.0).collect()))
}

/// The bytes of a bundle of `width` entries, 1 to 256. None if the log does not have that many yet.
pub async fn entries(app: &App, index: u64, width: u16) -> Result<Option<Vec<u8>>> {
    let Some(first) = index.checked_mul(tiles::WIDTH) else { return Ok(None) };
    let mut reader = app.db.read().await?;
    let entries = store::seal_log::entries(&mut reader, first, width.into()).await?;
    if entries.len() != usize::from(width) {
        return Ok(None);
    }
    let entries: Vec<&[u8]> = entries.iter().map(String::as_bytes).collect();
    Ok(Some(tiles::write_bundle(&entries).map_err(Error::internal)?))
}

async fn head(db: &Db) -> Result<Option<Head>> {
    let mut reader = db.read().await?;
    Ok(store::seal_log::head(&mut reader).await?)
}

async fn newest(app: &App) -> Result<NewestHead> {
    newest_of(&app.seal_log, &app.db, &app.blobs).await
}

async fn newest_of(log: &SealLog, db: &Db, blobs: &Blobs) -> Result<NewestHead> {
    let verifier = log.signer_of(head(db).await?.as_ref())?.verifier();
    log.guard.newest(blobs, db.is_shared(), &verifier).await
}

/// Appends an entry, unless it is already there, and returns its position. Nothing is signed if the log does not
/// contain `newest`.
async fn append(
    app: &App,
    tx: &mut Tx,
    newest: NewestHead,
    case: Option<CaseId>,
    entry: &LogEntry,
    manifest: Option<Sha256Digest>,
) -> Result<Result<u64, LogStopped>> {
    let entry = canonical_text(entry)?;
    let Head { origin, epoch, mut frontier, .. } = store::seal_log::lock(tx, &app.seal_log.origin).await?;
    if let Some(position) = store::seal_log::position(tx, &entry).await? {
        return Ok(Ok(position));
    }
    if let Err(stopped) = newest.is_in(tx, &frontier).await? {
        return Ok(Err(stopped));
    }
    let position = frontier.size();
    store::seal_log::insert(tx, position, NewEntry { entry: &entry, case, manifest }).await?;
    for (node, hash) in frontier.append(entry.as_bytes()) {
        store::seal_log::insert_node(tx, node, hash).await?;
    }
    let checkpoint = app.seal_log.sign(&origin, epoch, frontier.size(), frontier.root())?;
    store::seal_log::set_head(tx, &frontier, &checkpoint).await?;
    Ok(Ok(position))
}

/// The newest head, kept outside the database before it is published. `newest` was read earlier: the head that is read
/// now can only be newer.
async fn publish(app: &App, newest: NewestHead) -> Result<Result<Head, LogStopped>> {
    let log = &app.seal_log;
    let _turn = log.guard.turn().await;
    let mut reader = app.db.read().await?;
    let head = store::seal_log::head(&mut reader).await?.context("the log has an entry but no head")?;
    if let Err(stopped) = newest.is_in(&mut reader, &head.frontier).await? {
        return Ok(Err(stopped));
    }
    drop(reader);
    log.guard.keep(&app.blobs, app.db.is_shared(), &log.signer_of(Some(&head))?.verifier(), &head, newest).await?;
    Ok(Ok(head))
}

/// The proof of the entry at `index`, under the newest checkpoint that enough witnesses have cosigned, or if none has the
/// entry, under the newest checkpoint.
async fn prove(app: &App, index: u64, newest: NewestHead) -> Result<Result<LogProof, LogStopped>> {
    let head = match publish(app, newest).await? {
        Ok(head) => head,
        Err(stopped) => return Ok(Err(stopped)),
    };
    let mut reader = app.db.read().await?;
    let cosigned = witnesses::newest_cosigned(&mut reader, &app.config.witnesses, &head.origin).await?;
    drop(reader);
    let (size, checkpoint) = match cosigned.filter(|cosigned| cosigned.size > index) {
        Some(cosigned) => (cosigned.size, cosigned.note),
        None => (head.frontier.size(), head.checkpoint),
    };
    let hashes = nodes(app, nodes_of_inclusion_proof(index, size).unwrap_or_default()).await?;
    let proof = inclusion_proof(index, size, &hashes).context("the log lacks nodes of its tree")?;
    Ok(Ok(LogProof { index, hashes: proof, checkpoint }))
}

/// These nodes, as far as they are stored. A tree's nodes never change, so those that are read after its head belong to it.
async fn nodes(app: &App, wanted: Vec<Node>) -> Result<BTreeMap<Node, Sha256Digest>> {
    let mut reader = app.db.read().await?;
    let mut hashes = BTreeMap::new();
    for node in wanted {
        let found = store::seal_log::nodes(&mut reader, node.level, node.index, 1).await?;
        hashes.extend(found.first().map(|hash| (node, *hash)));
    }
    Ok(hashes)
}

fn canonical_text(entry: &LogEntry) -> Result<String> {
    let bytes = entry.to_canonical_json().map_err(Error::internal)?;
    String::from_utf8(bytes).map_err(Error::internal)
}
