//! The witnesses of the log (C2SP `tlog-witness`): others who cosign its head, after they have checked that the log only
//! grew since they last saw it. The operator can then not show different logs to different people. A witness that fails is
//! asked again; one that has seen another history is reported to the operator. Neither stops the log.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use bytes::Bytes;
use futures_util::future::join_all;
use hyper::{
    HeaderMap,
    header::{CONTENT_TYPE, HeaderValue},
};
use parking_lot::Mutex;
use sealwright_seal::{
    Sha256Digest,
    tlog::{
        proof::LogProof,
        tree::{consistency_proof, nodes_of_consistency_proof},
        witness::{AddCheckpoint, read_known_size},
    },
};
use tokio::{sync::Notify, time::timeout};

use super::{LogEntry, SealLog, canonical_text, head, newest, nodes, publish};
use crate::{
    app::App,
    clock::Timestamp,
    config::{LogWitness, WitnessSettings},
    db::{Db, Reader, Tx},
    egress::{Answer, Egress, EgressOptions},
    error::{Error, Result},
    store::{
        self,
        log_witness::{Cosignature, WitnessAnswer, WitnessState},
        seal_log::Head,
    },
    time_stamping::MAX_CLOCK_DIFFERENCE,
};

/// For one request to a witness.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The most bytes of an answer.
const MOST_BYTES: usize = 64 * 1024;
/// How long a witness is not asked after its first failure; twice as long after each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_mins(5);
/// How long a seal waits for the witnesses, if they are quick. Otherwise their cosignatures are appended later.
const PATIENCE: Duration = Duration::from_secs(2);

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

/// A witness of the settings, and what it answered last.
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

/// How a request to a witness ended.
enum Asked {
    /// With its signature line.
    Cosigned(String),
    /// It has seen another history.
    Refused(String),
    Failed(String),
    /// Another node has submitted a newer checkpoint.
    Outdated,
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
        if let Some(Failing { failures, .. }) = self.failing.lock().remove(key) {
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

/// Asks the witnesses that have not cosigned the newest checkpoint, and stores what they answer.
pub async fn ask_witnesses(app: &App) -> Result<()> {
    let Some(before) = head(&app.db).await?.filter(|head| head.frontier.size() > 0) else { return Ok(()) };
    if due(app, &before).await?.is_empty() {
        return Ok(());
    }
    let newest = newest(app).await?;
    // A log that has stopped is reported elsewhere.
    let Ok(head) = publish(app, newest).await? else { return Ok(()) };
    let verifier = app.seal_log.signer_of(Some(&head))?.verifier();
    let text = verifier.open(&head.checkpoint).map_err(Error::internal)?;
    let due = due(app, &head).await?;
    let mut requests = Vec::new();
    for (witness, known) in &due {
        requests.push(ask(app, witness, &head, text, *known));
    }
    let answers = join_all(requests).await;
    let mut asked = Vec::new();
    for ((witness, known), answer) in due.into_iter().zip(answers) {
        asked.push((witness, known, answer?));
    }
    note(app, &asked);
    let mut tx = app.db.begin().await?;
    let stored = store_answers(app, &mut tx, &head, &asked).await;
    let has_quorum = tx.settle(stored).await?;
    app.log_witnesses.are_quick.store(has_quorum, Ordering::Relaxed);
    if has_quorum {
        app.log_witnesses.cosigned.notify_waiters();
    }
    Ok(())
}

/// The witnesses to ask about this head, each with the size of the checkpoint that it has cosigned as far as is known.
async fn due<'a>(app: &'a App, head: &Head) -> Result<Vec<(&'a LogWitness, u64)>> {
    let mut reader = app.db.read().await?;
    let answers = store::log_witness::answers(&mut reader, &head.origin).await?;
    drop(reader);
    let (now, size) = (app.clock.steady(), head.frontier.size());
    let mut due = Vec::new();
    for witness in &app.config.witnesses.of_log {
        let key = witness.key.to_string();
        let last = answers.iter().find(|answer| answer.witness == key);
        let has_cosigned = last.is_some_and(|last| last.state == WitnessState::Cosigned && last.size == size);
        if !has_cosigned && !app.log_witnesses.is_paused(&key, now) {
            due.push((witness, last.map_or(0, |last| last.size).min(size)));
        }
    }
    Ok(due)
}

/// Submits a head, with its checkpoint's `text`, to a witness that has probably cosigned the first `known` entries.
async fn ask(app: &App, witness: &LogWitness, head: &Head, text: &str, known: u64) -> Result<Asked> {
    let size = head.frontier.size();
    let mut old_size = known;
    // If the witness knows another checkpoint than expected, it says which, and is asked once more.
    for _ in 0..2 {
        let answer = match submit(app, witness, head, old_size).await? {
            Ok(answer) => answer,
            Err(failure) => return Ok(Asked::Failed(failure)),
        };
        let body = str::from_utf8(&answer.body).unwrap_or_default();
        match answer.status.as_u16() {
            200 => return Ok(cosignature(app, witness, text, body)),
            409 => match read_known_size(body) {
                None => return Ok(Asked::Failed("it answered with status 409 and without a size".to_owned())),
                Some(seen) if seen > size => return ahead(app, seen).await,
                Some(seen) if seen == old_size => {
                    return Ok(Asked::Refused(format!("it has cosigned another root over {seen} entries")));
                }
                Some(seen) => old_size = seen,
            },
            422 => {
                return Ok(Asked::Refused(format!(
                    "it has cosigned a checkpoint over {old_size} entries with which the log does not start"
                )));
            }
            status => return Ok(Asked::Failed(format!("it answered with status {status}"))),
        }
    }
    Ok(Asked::Failed("it named another size of its newest checkpoint each time".to_owned()))
}

async fn submit(app: &App, witness: &LogWitness, head: &Head, old_size: u64) -> Result<Result<Answer, String>> {
    let proof = consistency(app, old_size, head.frontier.size()).await?;
    let request = AddCheckpoint { old_size, proof, checkpoint: head.checkpoint.clone() };
    let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"))]);
    let body = Bytes::from(request.to_string());
    Ok(app.log_witnesses.client.ask(&witness.url, headers, body, MOST_BYTES).await)
}

async fn consistency(app: &App, old_size: u64, size: u64) -> Result<Vec<Sha256Digest>> {
    let wanted = nodes_of_consistency_proof(old_size, size).unwrap_or_default();
    let hashes = nodes(app, wanted).await?;
    let lacking = || Error::internal(anyhow::anyhow!("the log lacks nodes of its tree"));
    consistency_proof(old_size, size, &hashes).ok_or_else(lacking)
}

/// The cosignature in a witness's answer, made now.
fn cosignature(app: &App, witness: &LogWitness, text: &str, lines: &str) -> Asked {
    match witness.key.verify(text, lines) {
        Err(error) => Asked::Failed(format!("its answer: {error}")),
        Ok(cosignature) => {
            let apart = cosignature.time.as_millis().abs_diff(app.clock.now().as_millis());
            if Duration::from_millis(apart) > MAX_CLOCK_DIFFERENCE {
                let (time, apart) = (cosignature.time, apart / 1000);
                return Asked::Failed(format!(
                    "its cosignature states {time}, {apart} s from the clock of this machine"
                ));
            }
            Asked::Cosigned(cosignature.line.to_owned())
        }
    }
}

/// The witness has cosigned more entries than were submitted: by another node, or of another history.
async fn ahead(app: &App, seen: u64) -> Result<Asked> {
    let entries = head(&app.db).await?.map_or(0, |head| head.frontier.size());
    if entries >= seen {
        return Ok(Asked::Outdated);
    }
    Ok(Asked::Refused(format!("it has cosigned a checkpoint over {seen} entries, but the log has {entries}")))
}

/// Reports what the witnesses answered, and pauses those that failed.
fn note(app: &App, asked: &[(&LogWitness, u64, Asked)]) {
    let (known, now) = (&app.log_witnesses, app.clock.steady());
    for (witness, _, asked) in asked {
        let (key, name) = (witness.key.to_string(), witness.key.name());
        match asked {
            Asked::Cosigned(_) | Asked::Outdated => known.note_success(&key, name),
            Asked::Failed(problem) => {
                tracing::warn!(witness = name, problem, "a witness did not cosign the log of seals; it is asked again");
                known.note_failure(&key, now);
            }
            Asked::Refused(problem) => {
                tracing::error!(
                    witness = name,
                    problem,
                    "a witness refuses the log of seals: it has seen another history of this log"
                );
                known.note_failure(&key, now);
            }
        }
    }
}

/// Returns whether the head has enough cosignatures now.
async fn store_answers(app: &App, tx: &mut Tx, head: &Head, asked: &[(&LogWitness, u64, Asked)]) -> Result<bool> {
    let (origin, size) = (&head.origin, head.frontier.size());
    for (witness, known, asked) in asked {
        let witness = witness.key.to_string();
        let (size, state, problem) = match asked {
            Asked::Outdated => continue,
            Asked::Cosigned(line) => {
                let (witness, checkpoint) = (witness.clone(), head.checkpoint.clone());
                let cosignature = Cosignature { size, witness, checkpoint, line: line.clone() };
                store::log_witness::insert(tx, origin, &cosignature).await?;
                (size, WitnessState::Cosigned, None)
            }
            Asked::Refused(problem) => (*known, WitnessState::Refused, Some(problem.clone())),
            Asked::Failed(problem) => (*known, WitnessState::Failed, Some(problem.clone())),
        };
        let answer = WitnessAnswer { witness, size, state, problem, asked_at: app.clock.now() };
        store::log_witness::set_answer(tx, origin, &answer).await?;
    }
    let stored = store::log_witness::cosignatures(tx, origin).await?;
    let of_head: Vec<Cosignature> = stored.into_iter().filter(|cosignature| cosignature.size == size).collect();
    let has_quorum = has_quorum(&app.config.witnesses, &of_head);
    if has_quorum {
        store::log_witness::delete_below(tx, origin, size).await?;
    }
    Ok(has_quorum)
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
    let lines = cosignatures.iter().map(|cosignature| format!("{}\n", cosignature.line));
    checkpoint.to_owned() + &lines.collect::<String>()
}

/// The head's checkpoint, with the cosignatures that it has so far.
pub(super) async fn with_cosignatures(app: &App, head: Head) -> Result<String> {
    if app.config.witnesses.of_log.is_empty() {
        return Ok(head.checkpoint);
    }
    let mut reader = app.db.read().await?;
    let mut cosignatures = store::log_witness::cosignatures(&mut reader, &head.origin).await?;
    cosignatures.retain(|cosignature| cosignature.checkpoint == head.checkpoint);
    Ok(cosigned_note(&head.checkpoint, &cosignatures))
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
    let mut checkpoints = cosignatures.chunk_by(|one, other| one.size == other.size);
    let newest = checkpoints.find(|cosignatures| has_quorum(settings, cosignatures));
    Ok(newest.and_then(|cosignatures| {
        let Cosignature { size, checkpoint, .. } = cosignatures.first()?;
        Some(CosignedCheckpoint { size: *size, note: cosigned_note(checkpoint, cosignatures) })
    }))
}

/// The newest checkpoint with enough cosignatures, as a signed note.
pub async fn cosigned_checkpoint(app: &App) -> Result<Option<String>> {
    let Some(head) = head(&app.db).await? else { return Ok(None) };
    let mut reader = app.db.read().await?;
    let newest = newest_cosigned(&mut reader, &app.config.witnesses, &head.origin).await?;
    Ok(newest.map(|checkpoint| checkpoint.note))
}

/// Waits a moment for the witnesses to cosign a checkpoint with the entry at `index`, if they were quick last time.
pub(super) async fn await_quorum(app: &App, index: u64) -> Result<()> {
    let witnesses = &app.log_witnesses;
    if app.config.witnesses.of_log.is_empty() || !witnesses.are_quick.load(Ordering::Relaxed) {
        return Ok(());
    }
    let waiting = async {
        loop {
            // Before reading, so that cosignatures that arrive in between are not missed.
            let cosigned = witnesses.cosigned.notified();
            if is_cosigned(app, index).await? {
                return Ok::<(), Error>(());
            }
            cosigned.await;
        }
    };
    timeout(PATIENCE, waiting).await.unwrap_or(Ok(()))
}

async fn is_cosigned(app: &App, index: u64) -> Result<bool> {
    let Some(head) = head(&app.db).await? else { return Ok(false) };
    let mut reader = app.db.read().await?;
    let newest = newest_cosigned(&mut reader, &app.config.witnesses, &head.origin).await?;
    Ok(newest.is_some_and(|checkpoint| checkpoint.size > index))
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
    match position {
        None => Ok(Witnessing::NotWanted),
        Some(index) if is_cosigned(app, index).await? => Ok(Witnessing::Done),
        Some(_) => Ok(Witnessing::Pending),
    }
}

/// Whether enough witnesses of the settings have cosigned this proof. True if none are named.
pub fn is_witnessed(settings: &WitnessSettings, proof: &LogProof) -> bool {
    let keys: Vec<_> = settings.of_log.iter().map(|witness| witness.key.clone()).collect();
    keys.is_empty() || proof.cosigned_by(&keys) >= settings.quorum
}

/// The witnesses of the settings, and what each answered last.
pub async fn witness_reports(log: &SealLog, settings: &WitnessSettings, db: &Db) -> Result<Vec<WitnessReport>> {
    if settings.of_log.is_empty() {
        return Ok(Vec::new());
    }
    let mut reader = db.read().await?;
    let origin = store::seal_log::head(&mut reader).await?.map_or_else(|| log.origin.clone(), |head| head.origin);
    let answers = store::log_witness::answers(&mut reader, &origin).await?;
    let report = |witness: &LogWitness| {
        let key = witness.key.to_string();
        let last = answers.iter().find(|answer| answer.witness == key).cloned();
        WitnessReport { name: witness.key.name().to_owned(), last }
    };
    Ok(settings.of_log.iter().map(report).collect())
}
