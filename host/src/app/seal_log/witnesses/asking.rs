//! Submits the head of the log to its witnesses, and stores their answers.

use std::{sync::atomic::Ordering, time::Duration};

use bytes::Bytes;
use futures_util::future::join_all;
use hyper::{
    HeaderMap,
    header::{CONTENT_TYPE, HeaderValue},
};
use sealwright_seal::{
    Sha256Digest,
    tlog::{
        tree::{consistency_proof, nodes_of_consistency_proof},
        witness::{AddCheckpoint, read_known_size},
    },
};
use tokio::sync::Mutex;

use super::{WITNESSES, cosignatures_of, has_quorum, newest_cosigned};
use crate::{
    app::{
        App, queue,
        seal_log::{head, newest, nodes, publish},
    },
    config::LogWitness,
    db::Tx,
    egress::Answer,
    error::{Error, Result},
    store::{
        self,
        log_witness::{Cosignature, WitnessAnswer, WitnessState},
        seal_log::Head,
    },
    time_stamping::MAX_CLOCK_DIFFERENCE,
};

/// The most bytes of an answer.
const MOST_BYTES: usize = 64 * 1024;

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

/// Asks the witnesses that have not cosigned the newest checkpoint, and stores what each answers as soon as it does.
pub async fn ask_witnesses(app: &App) -> Result<()> {
    let Some(before) = head(&app.db).await?.filter(|head| head.frontier.size() > 0) else { return Ok(()) };
    if due(app, &before).await?.is_empty() {
        return announce_stored(app, &before).await;
    }
    let newest = newest(app).await?;
    // A log that has stopped is reported elsewhere.
    let Ok(head) = publish(app, newest).await? else { return Ok(()) };
    let verifier = app.seal_log.signer_of(Some(&head))?.verifier();
    let text = verifier.open(&head.checkpoint).map_err(Error::internal)?;
    let due = due(app, &head).await?;
    if due.is_empty() {
        return announce_stored(app, &head).await;
    }
    let turn = Mutex::new(());
    let mut requests = Vec::new();
    for (witness, known) in due {
        requests.push(ask_and_store(app, witness, &head, text, known, &turn));
    }
    let mut has_quorum = false;
    for stored in join_all(requests).await {
        has_quorum |= stored?;
    }
    if !has_quorum {
        app.log_witnesses.are_quick.store(false, Ordering::Relaxed);
    }
    Ok(())
}

/// Another node may have asked the witnesses: if this head has enough cosignatures, resumes what waits for them.
async fn announce_stored(app: &App, head: &Head) -> Result<()> {
    let mut reader = app.db.read().await?;
    let cosignatures = cosignatures_of(&mut reader, head).await?;
    drop(reader);
    let has_quorum = has_quorum(&app.config.witnesses, &cosignatures);
    let was_quick = app.log_witnesses.are_quick.swap(has_quorum, Ordering::Relaxed);
    if has_quorum {
        app.log_witnesses.cosigned.notify_waiters();
        if !was_quick {
            queue::resume_waiting_for(app, WITNESSES).await?;
        }
    }
    Ok(())
}

/// Asks one witness and stores its answer, so that no other has to wait for it. Returns whether the head has enough
/// cosignatures now. Answers are stored one after the other, in `turn`: each is counted with those before it.
async fn ask_and_store(
    app: &App,
    witness: &LogWitness,
    head: &Head,
    text: &str,
    known: u64,
    turn: &Mutex<()>,
) -> Result<bool> {
    let asked = ask(app, witness, head, text, known).await?;
    note(app, witness, &asked);
    let _turn = turn.lock().await;
    let mut tx = app.db.begin().await?;
    let stored = store_answer(app, &mut tx, head, witness, known, asked).await;
    let has_quorum = tx.settle(stored).await?;
    if has_quorum {
        app.log_witnesses.are_quick.store(true, Ordering::Relaxed);
        app.log_witnesses.cosigned.notify_waiters();
        queue::resume_waiting_for(app, WITNESSES).await?;
    }
    Ok(has_quorum)
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
                // So answers a witness of the protocol's first version.
                Some(seen) if seen == old_size => return Ok(other_root(seen)),
                Some(seen) => old_size = seen,
            },
            422 if old_size == size => return Ok(other_root(size)),
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

fn other_root(entries: u64) -> Asked {
    Asked::Refused(format!("it has cosigned another root over {entries} entries"))
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

/// Reports what a witness answered, and pauses it if it failed.
fn note(app: &App, witness: &LogWitness, asked: &Asked) {
    let (known, now) = (&app.log_witnesses, app.clock.steady());
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

/// Returns whether the head has enough cosignatures now. `known`: the size that the witness had cosigned before.
async fn store_answer(
    app: &App,
    tx: &mut Tx,
    head: &Head,
    witness: &LogWitness,
    known: u64,
    asked: Asked,
) -> Result<bool> {
    let (origin, size, witness) = (&head.origin, head.frontier.size(), witness.key.to_string());
    let answered = match asked {
        Asked::Outdated => None,
        Asked::Cosigned(line) => {
            let (witness, checkpoint) = (witness.clone(), head.checkpoint.clone());
            store::log_witness::insert(tx, origin, &Cosignature { size, witness, checkpoint, line }).await?;
            Some((size, WitnessState::Cosigned, None))
        }
        Asked::Refused(problem) => Some((known, WitnessState::Refused, Some(problem))),
        Asked::Failed(problem) => Some((known, WitnessState::Failed, Some(problem))),
    };
    if let Some((size, state, problem)) = answered {
        let answer = WitnessAnswer { witness, size, state, problem, asked_at: app.clock.now() };
        store::log_witness::set_answer(tx, origin, &answer).await?;
    }
    // Only the head is submitted from now on. Certificates are proven under the newest checkpoint with enough cosignatures.
    let kept = newest_cosigned(tx, &app.config.witnesses, origin).await?.map_or(0, |checkpoint| checkpoint.size);
    store::log_witness::delete_below(tx, origin, size, kept).await?;
    Ok(has_quorum(&app.config.witnesses, &cosignatures_of(tx, head).await?))
}
