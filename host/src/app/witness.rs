//! This installation as a witness of others' logs (C2SP `tlog-witness`): it cosigns a checkpoint only if the log has
//! grown since the last one, so that no log can show different histories to different people unnoticed.

use sealwright_seal::{
    UnixTime,
    tlog::{
        cosignature::{Cosigner, WitnessKey},
        witness::{AddCheckpoint, SignedCheckpoint, WitnessRefusal, WitnessedLog},
    },
};

use super::App;
use crate::{
    clock::Timestamp,
    config::Config,
    db::{Db, Tx},
    error::{Error, Result},
    secrets::SecretKey,
    store,
};

/// The path below the public root at which checkpoints are taken.
pub const PATH: &str = "/witness";
/// The purpose that the key is derived for.
const KEY_PURPOSE: &str = "witness";

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

/// The key that verifies this installation's cosignatures, in the form `name+hash+base64`.
pub fn verifier_key(config: &Config, secrets: &SecretKey) -> Result<WitnessKey> {
    Ok(cosigner(config, secrets)?.verifier())
}

/// All nodes derive the same key.
fn cosigner(config: &Config, secrets: &SecretKey) -> Result<Cosigner> {
    let address = config.base_url.split_once("://").map_or(config.base_url.as_str(), |(_, address)| address);
    let name = config.witnesses.name.clone().unwrap_or_else(|| format!("{address}{PATH}"));
    Cosigner::new(&name, &secrets.derive(KEY_PURPOSE)).map_err(Error::internal)
}

/// Cosigns a checkpoint if it extends the newest one that was cosigned of its log. Returns signature lines.
///
/// The new head is committed before the cosignature leaves this function, and the log's row is locked from the
/// comparison to the commit. So neither a crash nor a concurrent request makes two histories.
pub async fn add_checkpoint(app: &App, body: &str) -> Result<Result<String, WitnessRefusal>> {
    let request: AddCheckpoint = match body.parse() {
        Ok(request) => request,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let checkpoint = match request.open(&app.config.witnesses.logs) {
        Ok(checkpoint) => checkpoint,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let cosigner = cosigner(&app.config, &app.secrets)?;
    let mut tx = app.db.begin().await?;
    let recorded = record(app, &mut tx, &request, &checkpoint).await;
    match tx.settle(recorded).await? {
        Ok(now) => Ok(Ok(cosigner.cosign(checkpoint.text, now).map_err(Error::internal)?)),
        Err(refusal) => {
            report(&refusal, &request, &checkpoint);
            Ok(Err(refusal))
        }
    }
}

/// Makes the checkpoint's head the newest one. Returns the time of the cosignature.
async fn record(
    app: &App,
    tx: &mut Tx,
    request: &AddCheckpoint,
    checkpoint: &SignedCheckpoint<'_>,
) -> Result<Result<UnixTime, WitnessRefusal>> {
    let seen = store::witnessed_log::lock(tx, &checkpoint.origin).await?;
    if let Err(refusal) = request.extends(checkpoint.head, Some(seen)) {
        return Ok(Err(refusal));
    }
    let now = app.clock.now();
    store::witnessed_log::set_head(tx, &checkpoint.origin, checkpoint.head, now).await?;
    Ok(Ok(UnixTime::from_millis(now.as_millis()).map_err(Error::internal)?))
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
