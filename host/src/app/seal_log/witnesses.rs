//! The witnesses of the log (C2SP `tlog-witness`): others who cosign its head, after they have checked that the log only
//! grew since they last saw it. The operator can then not show different logs to different people. A witness that fails is
//! asked again; one that has seen another history is reported to the operator. Neither stops the log.

mod asking;

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use parking_lot::Mutex;
use sealwright_seal::tlog::proof::LogProof;
use tokio::{sync::Notify, time::timeout};

pub use self::asking::ask_witnesses;
use crate::{
    clock::Timestamp,
    config::{LogWitness, WitnessSettings},
    db::{Db, Reader},
    egress::{Egress, EgressOptions},
    error::{Error, Result},
    store::{
        self,
        log_witness::{Cosignature, WitnessAnswer, WitnessState},
        seal_log::Head,
    },
};

/// For one request to a witness.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How long a witness is not asked after its first failure; twice as long after each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_mins(5);
/// How long a seal waits for the witnesses, if they are quick. Otherwise their cosignatures are appended later.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the certificates without enough cosignatures wait for. They are resumed once the head has enough.
pub const WITNESSES: &str = "witnesses of the log of seals";

/// The client for the witnesses, and what this process knows of them.
pub struct LogWitnesses {
    client: Egress,
    /// By verifier key, those that failed last time.
    failing: Mutex<BTreeMap<String, Failing>>,
    /// Whether enough of them answered last time.
    are_quick: AtomicBool,
    /// The log has grown.
    pub(super) grown: Notify,
    /// A checkpoint has got enough cosignatures.
    cosigned: Notify,
}

#[derive(Clone, Copy)]
struct Failing {
    failures: u32,
    /// By the steady clock.
    paused_until: Timestamp,
}

/// Whether enough witnesses have seen a seal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Witnessing {
    /// No witness is named in the settings, or the seal is not in the log yet.
    NotWanted,
    Pending,
    Done,
}

/// A witness from the settings, and its last answer.
#[derive(Clone, Debug)]
pub struct WitnessReport {
    pub name: String,
    /// None if it was never asked.
    pub last: Option<WitnessAnswer>,
}

impl WitnessReport {
    /// Whether the witness has seen another history of the log.
    pub fn is_refusal(&self) -> bool {
        self.last.as_ref().is_some_and(|last| last.state == WitnessState::Refused)
    }

    /// Whether it cosigned when it was last asked, or was never asked.
    pub fn is_up(&self) -> bool {
        self.last.as_ref().is_none_or(|last| last.state == WitnessState::Cosigned)
    }
}

/// A checkpoint with enough cosignatures.
pub(super) struct CosignedCheckpoint {
    pub(super) size: u64,
    /// The signed note.
    pub(super) note: String,
}

impl LogWitnesses {
    /// # Errors
    /// If TLS cannot be set up.
    pub fn new() -> anyhow::Result<Self> {
        // The operator may choose a private address or http, because cosignatures are verified.
        let client = Egress::new(EgressOptions { timeout: TIMEOUT, allow_private_addresses: true })?;
        Ok(Self {
            client,
            failing: Mutex::default(),
            are_quick: AtomicBool::new(true),
            grown: Notify::new(),
            cosigned: Notify::new(),
        })
    }

    /// Returns when the log has grown.
    pub async fn wait_for_growth(&self) {
        self.grown.notified().await;
    }

    fn is_paused(&self, key: &str, now: Timestamp) -> bool {
        self.failing.lock().get(key).is_some_and(|failing| now < failing.paused_until)
    }

    fn note_success(&self, key: &str, name: &str) {
        let before = self.failing.lock().remove(key);
        if let Some(Failing { failures, .. }) = before {
            tracing::info!(witness = name, failures, "a witness of the log of seals cosigns again");
        }
    }

    fn note_failure(&self, key: &str, now: Timestamp) {
        let mut failing = self.failing.lock();
        let failures = failing.get(key).map_or(0, |failing| failing.failures);
        let pause = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(failures)).min(LONGEST_PAUSE);
        let failures = failures.saturating_add(1);
        failing.insert(key.to_owned(), Failing { failures, paused_until: now.after(pause) });
    }
}

/// Whether enough of the witnesses in the settings are among those of one checkpoint.
fn has_quorum(settings: &WitnessSettings, cosignatures: &[Cosignature]) -> bool {
    let has_cosigned = |witness: &&LogWitness| {
        let key = witness.key.to_string();
        cosignatures.iter().any(|cosignature| cosignature.witness == key)
    };
    settings.of_log.iter().filter(has_cosigned).count() >= settings.quorum
}

/// A checkpoint with the cosignatures of it.
fn cosigned_note(checkpoint: &str, cosignatures: &[Cosignature]) -> String {
    let mut note = checkpoint.to_owned();
    for cosignature in cosignatures {
        note.push_str(&cosignature.line);
        note.push('\n');
    }
    note
}

/// The head's checkpoint, with the cosignatures that it has so far.
pub(super) async fn with_cosignatures(db: &Db, settings: &WitnessSettings, head: Head) -> Result<String> {
    if settings.of_log.is_empty() {
        return Ok(head.checkpoint);
    }
    let mut reader = db.read().await?;
    let cosignatures = cosignatures_of(&mut reader, &head).await?;
    Ok(cosigned_note(&head.checkpoint, &cosignatures))
}

/// The cosignatures of the head's checkpoint.
async fn cosignatures_of(reader: &mut Reader, head: &Head) -> Result<Vec<Cosignature>> {
    let mut cosignatures = store::log_witness::cosignatures_at(reader, &head.origin, head.frontier.size()).await?;
    cosignatures.retain(|cosignature| cosignature.checkpoint == head.checkpoint);
    Ok(cosignatures)
}

/// The newest checkpoint with enough cosignatures; none if no witness is named in the settings.
pub(super) async fn newest_cosigned(
    reader: &mut Reader,
    settings: &WitnessSettings,
    origin: &str,
) -> Result<Option<CosignedCheckpoint>> {
    if settings.of_log.is_empty() {
        return Ok(None);
    }
    let cosignatures = store::log_witness::cosignatures(reader, origin).await?;
    let mut checkpoints = cosignatures.chunk_by(|one, other| one.checkpoint == other.checkpoint);
    let newest = checkpoints.find(|cosignatures| has_quorum(settings, cosignatures));
    Ok(newest.and_then(|cosignatures| {
        let Cosignature { size, checkpoint, .. } = cosignatures.first()?;
        Some(CosignedCheckpoint { size: *size, note: cosigned_note(checkpoint, cosignatures) })
    }))
}

impl LogWitnesses {
    /// Waits a moment for the witnesses to cosign a checkpoint with the entry at `index`, if they were quick last time.
    pub(super) async fn await_quorum(&self, db: &Db, settings: &WitnessSettings, index: u64) -> Result<()> {
        if settings.of_log.is_empty() || !self.are_quick.load(Ordering::Relaxed) {
            return Ok(());
        }
        let waiting = async {
            loop {
                // Before reading, so that cosignatures that arrive in between are not missed.
                let cosigned = self.cosigned.notified();
                if is_cosigned(db, settings, index).await? {
                    return Ok::<(), Error>(());
                }
                cosigned.await;
            }
        };
        timeout(PATIENCE, waiting).await.unwrap_or(Ok(()))
    }
}

/// Whether enough witnesses have cosigned a checkpoint with the entry at `index`.
pub(super) async fn is_cosigned(db: &Db, settings: &WitnessSettings, index: u64) -> Result<bool> {
    let mut reader = db.read().await?;
    let Some(head) = store::seal_log::head(&mut reader).await? else { return Ok(false) };
    let newest = newest_cosigned(&mut reader, settings, &head.origin).await?;
    Ok(newest.is_some_and(|checkpoint| checkpoint.size > index))
}

/// Whether enough witnesses of the settings have cosigned this proof. True if none are named.
pub fn is_witnessed(settings: &WitnessSettings, proof: &LogProof) -> bool {
    let keys: Vec<_> = settings.of_log.iter().map(|witness| witness.key.clone()).collect();
    keys.is_empty() || proof.cosigned_by(&keys) >= settings.quorum
}

/// The witnesses of the settings, and what each answered last about the log of this name.
pub(super) async fn reports(
    reader: &mut Reader,
    settings: &WitnessSettings,
    origin: &str,
) -> Result<Vec<WitnessReport>> {
    let answers = store::log_witness::answers(reader, origin).await?;
    let report = |witness: &LogWitness| {
        let key = witness.key.to_string();
        let last = answers.iter().find(|answer| answer.witness == key).cloned();
        WitnessReport { name: witness.key.name().to_owned(), last }
    };
    Ok(settings.of_log.iter().map(report).collect())
}
