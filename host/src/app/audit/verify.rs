//! The check of the audit log: every digest is computed again, and the chain is compared with its stored head and with
//! the heads in the log of seals.

use std::fmt;

use sealwright_seal::Sha256Digest;
use serde::Serialize;

use super::chain::{BEGINNING, chain_waiting, digest};
use crate::{
    app::{
        App,
        seal_log::{self, PublishedHead},
    },
    db::{Db, Reader},
    error::{Error, Result},
    store::{
        self,
        audit::{AuditHead, AuditRecord},
    },
};

/// How many records are read at once.
const PART: i64 = 1000;

/// What a check has found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditCheck {
    /// How many records of the chain were checked without finding a problem.
    pub records: u64,
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
    let mut check = check_chain(&app.db, &log.heads).await?;
    check.problem = check.problem.or(log.problem.map(|reason| Problem::LogBroken { reason }));
    match chained {
        Err(error) if check.problem.is_none() => Err(error),
        _ => Ok(check),
    }
}

/// Checks the chain against its stored head and these published heads, which are in the order of the log.
pub async fn check_chain(db: &Db, published: &[PublishedHead]) -> Result<AuditCheck> {
    let mut reader = db.read().await?;
    let mut walk = Walk { size: 0, digest: BEGINNING, published, stored: store::audit::head(&mut reader).await? };
    let problem = match walk.follow(&mut reader).await? {
        Some(problem) => Some(problem),
        None => walk.end(store::audit::head(&mut reader).await?),
    };
    Ok(AuditCheck {
        records: walk.size,
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
    /// Of the last of them.
    digest: Sha256Digest,
    published: &'p [PublishedHead],
    /// As it was before the walk: the chain has grown since at most.
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
                match digest(self.digest, &record) {
                    Ok(computed) if is_stored(&record, computed) => self.digest = computed,
                    _ => return self.why_different(reader, position, &record).await.map(Some),
                }
                self.size = position;
                if let Some(problem) = self.compare() {
                    return Ok(Some(problem));
                }
            }
        }
    }

    /// Compares the chain up to here with the heads of this size.
    fn compare(&self) -> Option<Problem> {
        let is_here = |head: &&PublishedHead| head.head.size == self.size && head.head.digest != self.digest;
        if let Some(PublishedHead { entry, head }) = self.published.iter().find(is_here) {
            return Some(Problem::Rewritten { size: head.size, time: head.time.clone(), entry: *entry });
        }
        let other =
            self.stored.filter(|head| u64::try_from(head.size) == Ok(self.size) && head.digest != self.digest)?;
        Some(Problem::HeadChanged { last: self.size, head: other.size })
    }

    /// Compares the end of the chain with the heads. `newest`: the stored head after the walk.
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
        let Self { records, head, published, problem } = self;
        if let Some(problem) = problem {
            write!(f, "The audit log is not as it was written: {problem}.")?;
            return write!(f, "\n  checked    {records} records before it");
        }
        writeln!(f, "The audit log is whole: no record was changed, removed or reordered.")?;
        writeln!(f, "  checked    {records} records")?;
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
mod tests {
    use sealwright_seal::tlog::entry;

    use super::*;
    use crate::{
        app::audit::{Actor, ActorKind, Event, record},
        clock::Timestamp,
    };

    const NOW: Timestamp = Timestamp::from_millis(1_795_168_800_000);

    struct Log {
        db: Db,
        _folder: tempfile::TempDir,
    }

    impl Log {
        /// Of five records.
        async fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let db = Db::open(&format!("sqlite://{}/test.db", folder.path().display())).await.unwrap();
            let log = Self { db, _folder: folder };
            for number in 1..=5 {
                log.add(number).await;
            }
            assert_eq!(chain_waiting(&log.db).await.unwrap(), 5);
            log
        }

        async fn add(&self, number: i64) {
            let actor = Actor { kind: ActorKind::Command, name: "maria".to_owned(), address: None };
            let mut tx = self.db.begin().await.unwrap();
            let event = Event::done("closeCase", None, Some(format!("case {number}")));
            record(&mut tx, NOW, &actor, event).await.unwrap();
            tx.commit().await.unwrap();
        }

        async fn change(&self, statements: &[&'static str]) {
            let mut tx = self.db.begin().await.unwrap();
            for sql in statements {
                assert!(tx.query(sql).execute().await.unwrap() > 0, "{sql}");
            }
            tx.commit().await.unwrap();
        }

        async fn head(&self) -> PublishedHead {
            let head = store::audit::head(&mut self.db.read().await.unwrap()).await.unwrap().unwrap();
            let size = u64::try_from(head.size).unwrap();
            let head = entry::AuditHead { size, digest: head.digest, time: NOW.to_string() };
            PublishedHead { entry: 7, head }
        }

        async fn problem(&self, published: &[PublishedHead]) -> Option<Problem> {
            check_chain(&self.db, published).await.unwrap().problem
        }
    }

    async fn problem_after(statements: &[&'static str]) -> Option<Problem> {
        let log = Log::new().await;
        log.change(statements).await;
        log.problem(&[]).await
    }

    #[tokio::test]
    async fn an_untouched_log_is_whole_and_grows() {
        let log = Log::new().await;
        let head = log.head().await;
        log.add(6).await;
        let check = check_chain(&log.db, std::slice::from_ref(&head)).await.unwrap();
        assert_eq!((check.records, check.problem), (5, None), "one waits");
        assert_eq!(chain_waiting(&log.db).await.unwrap(), 1);
        assert_eq!(chain_waiting(&log.db).await.unwrap(), 0);
        let check = check_chain(&log.db, &[head]).await.unwrap();
        assert_eq!((check.records, check.problem), (6, None));
        assert_eq!(check.published.unwrap().size, 5);
    }

    #[tokio::test]
    async fn an_empty_log_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open(&format!("sqlite://{}/test.db", folder.path().display())).await.unwrap();
        let check = check_chain(&db, &[]).await.unwrap();
        assert_eq!((check.records, check.problem), (0, None));
    }

    #[tokio::test]
    async fn a_deleted_record_is_noticed() {
        for (sql, position) in [
            ("delete from audit_records where position = 1", 1),
            ("delete from audit_records where position = 3", 3),
            ("update audit_records set position = null where position = 3", 3),
        ] {
            assert_eq!(problem_after(&[sql]).await, Some(Problem::Removed { position }), "{sql}");
        }
        // The gap is closed.
        let closed = [
            "delete from audit_records where position = 3",
            "update audit_records set position = 3 where position = 4",
            "update audit_records set position = 4 where position = 5",
        ];
        assert_eq!(problem_after(&closed).await, Some(Problem::Changed { position: 3 }));
    }

    #[tokio::test]
    async fn a_changed_record_is_noticed() {
        for sql in [
            "update audit_records set actor = 'paul' where position = 4",
            "update audit_records set detail = 'more' where position = 4",
            "update audit_records set happened_at = happened_at + 1 where position = 4",
            "update audit_records set id = 400 where position = 4",
            "update audit_records set digest = null where position = 4",
        ] {
            assert_eq!(problem_after(&[sql]).await, Some(Problem::Changed { position: 4 }), "{sql}");
        }
    }

    #[tokio::test]
    async fn reordered_records_are_noticed() {
        let positions = [
            "update audit_records set position = 100 where position = 2",
            "update audit_records set position = 2 where position = 4",
            "update audit_records set position = 4 where position = 100",
        ];
        assert_eq!(problem_after(&positions).await, Some(Problem::Reordered { position: 2, found_at: 4 }));
        let digests = [
            "update audit_records set detail = digest where position in (2, 4)",
            "update audit_records set digest = (select detail from audit_records where id = 4) where id = 2",
            "update audit_records set digest = (select detail from audit_records where id = 2) where id = 4",
            "update audit_records set detail = null",
        ];
        let both = [&positions[..], &digests[..]].concat();
        assert_eq!(problem_after(&both).await, Some(Problem::Reordered { position: 2, found_at: 4 }));
    }

    #[tokio::test]
    async fn a_cut_tail_is_noticed() {
        let cut = "delete from audit_records where position > 3";
        assert_eq!(problem_after(&[cut]).await, Some(Problem::TailCut { last: 3, head: 5 }));
        // The head is cut as well: the published one shows it.
        let log = Log::new().await;
        let published = log.head().await;
        let moved = "update audit_head set size = 3, digest = (select digest from audit_records where position = 3)";
        log.change(&[cut, moved]).await;
        assert_eq!(log.problem(&[]).await, None, "only others know that it was longer");
        let time = NOW.to_string();
        let expected = Problem::PublishedTailCut { last: 3, size: 5, time: time.clone(), entry: 7 };
        assert_eq!(log.problem(std::slice::from_ref(&published)).await, Some(expected));
        // It grows again, with other records.
        log.add(8).await;
        log.add(9).await;
        chain_waiting(&log.db).await.unwrap();
        assert_eq!(log.problem(&[published]).await, Some(Problem::Rewritten { size: 5, time, entry: 7 }));
    }

    #[tokio::test]
    async fn a_head_that_was_changed_is_noticed() {
        for (sql, expected) in [
            ("delete from audit_head", Problem::HeadRemoved),
            ("update audit_head set size = 4", Problem::HeadChanged { last: 4, head: 4 }),
            ("update audit_head set size = 9", Problem::TailCut { last: 5, head: 9 }),
            (
                "update audit_head set size = 4, digest = (select digest from audit_records where position = 4)",
                Problem::HeadChanged { last: 5, head: 4 },
            ),
            (
                "update audit_head set digest = (select digest from audit_records where position = 4)",
                Problem::HeadChanged { last: 5, head: 5 },
            ),
        ] {
            assert_eq!(problem_after(&[sql]).await, Some(expected), "{sql}");
        }
    }
}
