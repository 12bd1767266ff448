//! This installation as a witness of others' logs (C2SP `tlog-witness`): it cosigns a checkpoint only if the log has
//! grown since the last one, so that no log can show different histories to different people unnoticed.
//!
//! What was cosigned is in the log's row and in the blob store ([`heads`]): a restored copy of one of them forgets nothing.
//! An installation that was made from a backup has neither of what was cosigned since, so it gets another key.

mod heads;
pub mod key;

use sealwright_seal::{
    Sha256Digest, UnixTime,
    tlog::{
        cosignature::{Cosigner, WitnessKey},
        witness::{AddCheckpoint, SignedCheckpoint, WitnessRefusal, WitnessedHead, WitnessedLog},
    },
};

use self::key::purpose;
use super::App;
use crate::{
    blobs::{BlobArea, BlobKey, Blobs},
    clock::Timestamp,
    config::Config,
    db::{Db, Tx},
    error::{Error, Result},
    secrets::SecretKey,
    store,
};

/// The path below the public root at which checkpoints are taken.
pub const PATH: &str = "/witness";

/// A log that this installation may cosign, for the operator.
#[derive(Clone, Debug)]
pub struct WitnessedLogState {
    pub origin: String,
    /// The log's verifier key.
    pub key: String,
    /// Of the newest cosigned head; none if no head was cosigned.
    pub size: Option<u64>,
    pub cosigned_at: Option<Timestamp>,
}

/// Gives an installation that is being restored another key than any other installation with the same secret key: the
/// backup does not contain what the original has cosigned since. Returns the new key. Call it before the server starts.
pub async fn change_key(config: &Config, secrets: &SecretKey, blobs: &Blobs) -> Result<WitnessKey> {
    blobs.put(&BlobKey::random(BlobArea::WitnessKeys), "").await?;
    Ok(cosigner(config, secrets, &purpose(blobs).await?)?.verifier())
}

/// The key that verifies this installation's cosignatures, in the form `name+hash+base64`.
pub async fn verifier_key(app: &App) -> Result<WitnessKey> {
    Ok(cosigner(&app.config, &app.secrets, app.witness_key.read(&app.blobs).await?)?.verifier())
}

/// All nodes derive the same key.
fn cosigner(config: &Config, secrets: &SecretKey, purpose: &str) -> Result<Cosigner> {
    let address = config.base_url.split_once("://").map_or(config.base_url.as_str(), |(_, address)| address);
    let name = config.witnesses.name.clone().unwrap_or_else(|| format!("{address}{PATH}"));
    Cosigner::new(&name, &secrets.derive(purpose)).map_err(Error::internal)
}

/// Cosigns a checkpoint if it extends the newest one that was cosigned of its log. Returns a signature line.
///
/// The cosignature leaves this function after the commit that stores the new head, and after the head is kept in the blob
/// store. The log's row is locked from the comparison to the commit. So neither a crash nor a concurrent request nor a
/// restored database makes two histories.
pub async fn add_checkpoint(app: &App, body: &str) -> Result<Result<String, WitnessRefusal>> {
    let request: AddCheckpoint = match body.parse() {
        Ok(request) => request,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let checkpoint = match request.open(&app.config.witnesses.logs) {
        Ok(checkpoint) => checkpoint,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let purpose = app.witness_key.read(&app.blobs).await?;
    let cosigner = cosigner(&app.config, &app.secrets, purpose)?;
    let log = heads::log_of(purpose, &checkpoint.origin);
    let kept = heads::newest(&app.blobs, log).await?;
    let mut tx = app.db.begin().await?;
    let recorded = record(app, &mut tx, &cosigner, &request, &checkpoint, kept).await;
    match tx.settle(recorded).await? {
        Ok(line) => {
            heads::keep(&app.blobs, log, checkpoint.head.size, checkpoint.with_cosignature(&line)).await?;
            Ok(Ok(line))
        }
        Err(refusal) => {
            report(&refusal, &request, &checkpoint);
            Ok(Err(refusal))
        }
    }
}

/// Makes the checkpoint's head the newest one. Returns the cosignature. `kept` was read earlier from the blob store.
async fn record(
    app: &App,
    tx: &mut Tx,
    cosigner: &Cosigner,
    request: &AddCheckpoint,
    checkpoint: &SignedCheckpoint<'_>,
    kept: Option<WitnessedHead>,
) -> Result<Result<String, WitnessRefusal>> {
    let row = store::witnessed_log::lock(tx, &checkpoint.origin).await?;
    // A larger one shows that the database was restored.
    let seen = kept.filter(|kept| kept.size > row.size).unwrap_or(row);
    if let Err(refusal) = request.extends(checkpoint.head, Some(seen)) {
        return Ok(Err(refusal));
    }
    let now = app.clock.now();
    let time = UnixTime::from_millis(now.as_millis()).map_err(Error::internal)?;
    let line = cosigner.cosign(checkpoint.text, time).map_err(Error::internal)?;
    let note = checkpoint.with_cosignature(&line);
    store::witnessed_log::set_head(tx, &checkpoint.origin, checkpoint.head, &note, now).await?;
    Ok(Ok(line))
}

/// The newest cosigned checkpoint of the log whose origin has this digest, as a signed note.
pub async fn checkpoint(app: &App, origin: Sha256Digest) -> Result<Option<String>> {
    let mut reader = app.db.read().await?;
    let checkpoints = store::witnessed_log::checkpoints(&mut reader).await?;
    Ok(checkpoints.into_iter().find(|(log, _)| Sha256Digest::of(log) == origin).map(|(_, note)| note))
}

/// A log that has signed two histories has given the proof of that itself: the log line keeps it.
fn report(refusal: &WitnessRefusal, request: &AddCheckpoint, checkpoint: &SignedCheckpoint<'_>) {
    let log = &checkpoint.origin;
    match refusal {
        WitnessRefusal::OtherRoot(_) | WitnessRefusal::Inconsistent => {
            tracing::error!(log, %refusal, checkpoint = request.checkpoint, "a log shows another history than before");
        }
        _ => tracing::debug!(log, %refusal, "a checkpoint was not cosigned"),
    }
}

/// The logs that this installation may cosign, in the order of the settings.
pub async fn logs(config: &Config, db: &Db) -> Result<Vec<WitnessedLogState>> {
    let mut reader = db.read().await?;
    let rows = store::witnessed_log::all(&mut reader).await?;
    let state = |log: &WitnessedLog| {
        let last = rows.iter().find(|row| row.origin == log.origin && row.cosigned_at.is_some());
        WitnessedLogState {
            origin: log.origin.clone(),
            key: log.key.to_string(),
            size: last.map(|row| row.size),
            cosigned_at: last.and_then(|row| row.cosigned_at),
        }
    };
    Ok(config.witnesses.logs.iter().map(state).collect())
}
