//! The check of the audit log: every digest is computed again, and the chain is compared with its stored head and with
//! the heads in the log of seals.

use std::{fmt, time::Duration};

use sealwright_seal::Sha256Digest;
use serde::Serialize;

use super::chain::{BEGINNING, chain_waiting, digest};
use crate::{
    app::{
        App,
        seal_log::{self, PublishedHead},
    },
    clock::Timestamp,
    db::{Db, Reader},
    domain::{company_manifest::SHORTEST_AUDIT_DAYS, moment::parse_moment},
    error::{Error, Result},
    store::{
        self,
        audit::{AuditHead, AuditRecord},
    },
};

/// How many records are read at once.
const PART: i64 = 1000;

/// How long each company keeps its records at least.
const SHORTEST_RETENTION: Duration = Duration::from_hours(24).saturating_mul(SHORTEST_AUDIT_DAYS);

/// How much later than it happened a record may have been chained, and how much the clocks of nodes may differ.
const ALLOWANCE: Duration = Duration::from_hours(24);

/// What a check has found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditCheck {
    /// How many records of the chain were checked without finding a problem.
    pub records: u64,
    /// How many of them have no content any more, because their companies keep it no longer.
    pub expired: u64,
    /// The digest of the last of them.
    pub head: Sha256Digest,
    /// The newest head in the log of seals; none if none was published yet.
    pub published: Option<CoveringHead>,
    pub problem: Option<Problem>,
}

/// A published head that covers the chain up to a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CoveringHead {
    /// How many records it covers.
    pub size: u64,
    pub digest: Sha256Digest,
    pub time: String,
    /// The position of its entry in the log of seals, from 0.
    pub entry: u64,
}

/// The first thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Problem {
    #[error("record {position} was removed")]
    Removed { position: u64 },
    #[error("record {position} was changed, or another one was put in its place")]
    Changed { position: u64 },
    #[error(
        "the content of record {position} was removed too early: it is from {after} or later, and was removed on {on}"
    )]
    EmptiedEarly { position: u64, after: String, on: String },
    #[error("the records were reordered: the one that belongs at position {position} is now at position {found_at}")]
    Reordered { position: u64, found_at: i64 },
    #[error("the newest records were removed: the chain ends with record {last}, but its head is at record {head}")]
    TailCut { last: u64, head: i64 },
    #[error(
        "the head of the chain was changed: it does not match record {head}, and the chain ends with record {last}"
    )]
    HeadChanged { last: u64, head: i64 },
    #[error("the head of the chain was removed")]
    HeadRemoved,
    #[error(
        "the newest records were removed: the chain ends with record {last}, but a head over {size} records was \
         published on {time}, in entry {entry} of the log of seals"
    )]
    PublishedTailCut { last: u64, size: u64, time: String, entry: u64 },
    #[error(
        "the records up to {size} were rewritten: another head over {size} records was published on {time}, in entry \
         {entry} of the log of seals"
    )]
    Rewritten { size: u64, time: String, entry: u64 },
    #[error("the log of seals, which has the published heads, does not verify: {reason}")]
    LogBroken { reason: String },
}

/// Chains what waits and checks everything.
pub async fn verify(app: &App) -> Result<AuditCheck> {
    // A damaged head stops the chaining: the check says what is damaged.
    let chained = chain_waiting(&app.db).await;
    let log = seal_log::check(app).await?;
    let mut check = check_chain(&app.db, &log.heads, app.clock.now()).await?;
    check.problem = check.problem.or(log.problem.map(|reason| Problem::LogBroken { reason }));
    match chained {
        Err(error) if check.problem.is_none() => Err(error),
        _ => Ok(check),
    }
}

/// Checks the chain against its stored head and these published heads, which are in the order of the log.
pub async fn check_chain(db: &Db, published: &[PublishedHead], now: Timestamp) -> Result<AuditCheck> {
    let mut reader = db.read().await?;
    let stored = store::audit::head(&mut reader).await?;
    let mut walk = Walk { size: 0, expired: 0, digest: BEGINNING, newest: None, now, published, stored };
    let problem = match walk.follow(&mut reader).await? {
        Some(problem) => Some(problem),
        None => walk.end(store::audit::head(&mut reader).await?),
    };
    Ok(AuditCheck {
        records: walk.size,
        expired: walk.expired,
        head: walk.digest,
        published: published.last().map(CoveringHead::from),
        problem,
    })
}

impl From<&PublishedHead> for CoveringHead {
    fn from(PublishedHead { entry, head }: &PublishedHead) -> Self {
        Self { size: head.size, digest: head.digest, time: head.time.clone(), entry: *entry }
    }
}

/// A walk along the chain.
struct Walk<'p> {
    /// How many records were checked.
    size: u64,
    expired: u64,
    /// Of the last of them.
    digest: Sha256Digest,
    /// The time of the newest record, or of the newest published head, so far: what follows is not older, but for
    /// [`ALLOWANCE`].
    newest: Option<Timestamp>,
    now: Timestamp,
    published: &'p [PublishedHead],
    /// The state before the walk. Since then, the chain can only have grown.
    stored: Option<AuditHead>,
}

impl Walk<'_> {
    async fn follow(&mut self, reader: &mut Reader) -> Result<Option<Problem>> {
        if let Some(problem) = self.compare() {
            return Ok(Some(problem));
        }
        loop {
            let after = i64::try_from(self.size).map_err(Error::internal)?;
            let records = store::audit::chained(reader, after, PART).await?;
            if records.is_empty() {
                return Ok(None);
            }
            for record in records {
                let position = self.size + 1;
                if record.position.and_then(|at| u64::try_from(at).ok()) != Some(position) {
                    return Ok(Some(Problem::Removed { position }));
                }
                match (record.expired_at, digest(self.digest, &record)) {
                    (Some(expired_at), _) => match self.pass_expired(position, &record, expired_at) {
                        Ok(digest) => self.digest = digest,
                        Err(problem) => return Ok(Some(problem)),
                    },
                    (None, Ok(computed)) if is_stored(&record, computed) => {
                        self.digest = computed;
                        self.newest = self.newest.max(Some(record.happened_at));
                    }
                    _ => return self.why_different(reader, position, &record).await.map(Some),
                }
                self.size = position;
                if let Some(problem) = self.compare() {
                    return Ok(Some(problem));
                }
            }
        }
    }

    /// The digest of a record without content. It cannot be computed, but the records after it depend on it. Its time is
    /// not hashed either, so what comes before it shows that it was old enough.
    fn pass_expired(
        &mut self,
        position: u64,
        record: &AuditRecord,
        expired_at: Timestamp,
    ) -> Result<Sha256Digest, Problem> {
        let stored = record.digest.as_deref().and_then(|digest| digest.parse().ok());
        let digest = stored.filter(|_| record.is_empty()).ok_or(Problem::Changed { position })?;
        let newest_possible = expired_at.min(self.now).before(SHORTEST_RETENTION).after(ALLOWANCE);
        if let Some(after) = self.newest.filter(|newest| *newest > newest_possible) {
            return Err(Problem::EmptiedEarly { position, after: after.to_string(), on: expired_at.to_string() });
        }
        self.expired += 1;
        Ok(digest)
    }

    /// Compares the chain up to here with the heads of this size.
    fn compare(&mut self) -> Option<Problem> {
        let passed = self.published.iter().filter(|published| published.head.size == self.size);
        let times = passed.filter_map(|published| parse_moment(&published.head.time));
        self.newest = self.newest.max(times.max());
        let is_here = |head: &&PublishedHead| head.head.size == self.size && head.head.digest != self.digest;
        if let Some(PublishedHead { entry, head }) = self.published.iter().find(is_here) {
            return Some(Problem::Rewritten { size: head.size, time: head.time.clone(), entry: *entry });
        }
        let other =
            self.stored.filter(|head| u64::try_from(head.size) == Ok(self.size) && head.digest != self.digest)?;
        Some(Problem::HeadChanged { last: self.size, head: other.size })
    }

    /// Compares the end of the chain with the heads. `newest` is the stored head after the walk.
    fn end(&self, newest: Option<AuditHead>) -> Option<Problem> {
        let last = self.size;
        let beyond = self.published.iter().rfind(|published| published.head.size > last);
        let cut = beyond.map(|PublishedHead { entry, head }| Problem::PublishedTailCut {
            last,
            size: head.size,
            time: head.time.clone(),
            entry: *entry,
        });
        let (Some(stored), Some(newest)) = (self.stored, newest) else { return cut.or(Some(Problem::HeadRemoved)) };
        let is_longer = |head: AuditHead| u64::try_from(head.size).is_ok_and(|size| size > last);
        if is_longer(stored) {
            return Some(Problem::TailCut { last, head: stored.size });
        }
        let is_shorter = u64::try_from(newest.size).map_or(true, |size| size < last);
        cut.or(is_shorter.then_some(Problem::HeadChanged { last, head: newest.size }))
    }

    /// Looks for the record that belongs at `position`: it is the one whose digest, after that of the record before, is
    /// stored with it or at the position.
    async fn why_different(&self, reader: &mut Reader, position: u64, here: &AuditRecord) -> Result<Problem> {
        let mut after = 0;
        loop {
            let records = store::audit::chained(reader, after, PART).await?;
            let Some(last) = records.last().and_then(|record| record.position) else {
                return Ok(Problem::Changed { position });
            };
            after = last;
            for record in records {
                let Ok(computed) = digest(self.digest, &record) else { continue };
                if let Some(found_at) = record.position
                    && record.id != here.id
                    && (is_stored(&record, computed) || is_stored(here, computed))
                {
                    return Ok(Problem::Reordered { position, found_at });
                }
            }
        }
    }
}

fn is_stored(record: &AuditRecord, digest: Sha256Digest) -> bool {
    record.digest.as_deref().is_some_and(|stored| stored == digest.to_string())
}

impl fmt::Display for AuditCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { records, expired, head, published, problem } = self;
        if let Some(problem) = problem {
            write!(f, "The audit log is not as it was written: {problem}.")?;
            return write!(f, "\n  checked    {records} records before it");
        }
        writeln!(f, "The audit log is whole: no record was changed, removed or reordered.")?;
        writeln!(f, "  checked    {records} records")?;
        if *expired > 0 {
            writeln!(f, "  of these   {expired} without content, because their companies keep it no longer")?;
        }
        writeln!(f, "  head       {head}")?;
        match published {
            Some(CoveringHead { size, time, entry, .. }) => {
                write!(f, "  published  {size} records on {time}, in entry {entry} of the log of seals")
            }
            None => write!(f, "  published  no head yet; a running server publishes one every hour"),
        }
    }
}

#[cfg(test)]
mod tests;
