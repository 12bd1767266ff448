//! The queue for the operator: `sealwright job`, a check of `doctor`, metrics.

use serde::Serialize;

use crate::{
    app::{
        analysis,
        audit::{self, Actor, Event},
    },
    clock::Timestamp,
    db::{Db, Reader, Tx},
    error::{Error, Result},
    store::{
        self,
        job::{JobKind, JobState, ListedJob, StoppedJob, Work},
    },
};

/// Jobs that are restarted in one transaction: others must not wait for all.
const IN_A_TRANSACTION: usize = 500;

/// At most `most` jobs: first the stopped ones, then the oldest.
pub async fn list(db: &Db, most: u32) -> Result<Vec<ListedJob>> {
    let mut tx = db.read().await?;
    Ok(store::job::list(&mut tx, i64::from(most)).await?)
}

/// A job that runs again.
#[derive(Clone, Debug, Serialize)]
pub struct RestartedJob {
    pub id: i64,
    pub kind: JobKind,
    pub subject: i64,
}

/// Restarts the job with this identifier, or every job that was given up or quarantined, some in each transaction. If one
/// fails, those of earlier transactions are restarted.
///
/// # Errors
/// There is no such job, or it was not stopped.
pub async fn restart(db: &Db, actor: &Actor, id: Option<i64>, now: Timestamp) -> Result<Vec<RestartedJob>> {
    let mut reader = db.read().await?;
    let stopped = match id {
        None => store::job::stopped(&mut reader).await?,
        Some(id) => vec![stopped_job(&mut reader, id).await?],
    };
    drop(reader);
    let mut restarted = Vec::new();
    for some in stopped.chunks(IN_A_TRANSACTION) {
        let mut tx = db.begin().await?;
        let done = restart_in(&mut tx, actor, some, now).await;
        restarted.extend(tx.settle(done).await?);
    }
    Ok(restarted)
}

async fn stopped_job(reader: &mut Reader, id: i64) -> Result<StoppedJob> {
    if let Some(stopped) = store::job::stopped_job(reader, id).await? {
        return Ok(stopped);
    }
    Err(match store::job::state(reader, id).await? {
        None => Error::not_found(format!("no job {id}")),
        Some(state) => Error::state(format!("job {id} is {state}; only one that failed or is quarantined is retried")),
    })
}

async fn restart_in(tx: &mut Tx, actor: &Actor, stopped: &[StoppedJob], now: Timestamp) -> Result<Vec<RestartedJob>> {
    let mut restarted = Vec::new();
    for &StoppedJob { id, work, company } in stopped {
        // It may have been restarted or deleted since it was read.
        if store::job::stopped_job(tx, id.get()).await?.is_none() {
            continue;
        }
        // Locks the case, and so comes before the job, as in a deletion.
        if let Work::AnalyseItem(item) = work {
            analysis::reopen(tx, item).await?;
        }
        if !store::job::restart(tx, id, now).await? {
            continue;
        }
        let event = Event::done("retryJob", company, Some(format!("job {}", id.get())));
        let about = format!("{} of {}", work.kind().as_str(), work.subject());
        audit::record(tx, now, actor, event.with_detail(about)).await?;
        restarted.push(RestartedJob { id: id.get(), kind: work.kind(), subject: work.subject() });
    }
    Ok(restarted)
}

/// The state of the queue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueState {
    /// How many were given up or quarantined, by kind and state.
    pub stopped: Vec<(JobKind, JobState, i64)>,
    /// The kind that has waited longest, and its wait in seconds.
    pub oldest: Option<(JobKind, i64)>,
}

/// How many jobs there are, or `≥ 10000`: more are not counted.
pub fn count_text(count: i64) -> String {
    if count < store::job::MOST_COUNTED { count.to_string() } else { format!("≥ {count}") }
}

/// Reads the state of the queue.
pub async fn queue_state(db: &Db, now: Timestamp) -> Result<QueueState> {
    let mut tx = db.read().await?;
    let counts = store::job::counts(&mut tx).await?;
    let oldest = store::job::oldest(&mut tx, now).await?;
    let stopped = counts.into_iter().filter(|count| count.state.is_stopped());
    let age = |since: Timestamp| (now.as_millis() - since.as_millis()) / 1000;
    Ok(QueueState {
        stopped: stopped.map(|count| (count.kind, count.state, count.count)).collect(),
        oldest: oldest.into_iter().map(|(kind, since)| (kind, age(since))).max_by_key(|(_, age)| *age),
    })
}
