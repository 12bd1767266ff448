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
        check_chain(&self.db, published, NOW.after(Duration::from_hours(24 * 31))).await.unwrap().problem
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
    let check =
        check_chain(&log.db, std::slice::from_ref(&head), NOW.after(Duration::from_hours(24 * 31))).await.unwrap();
    assert_eq!((check.records, check.problem), (5, None), "one waits");
    assert_eq!(chain_waiting(&log.db).await.unwrap(), 1);
    assert_eq!(chain_waiting(&log.db).await.unwrap(), 0);
    let check = check_chain(&log.db, &[head], NOW.after(Duration::from_hours(24 * 31))).await.unwrap();
    assert_eq!((check.records, check.problem), (6, None));
    assert_eq!(check.published.unwrap().size, 5);
}

#[tokio::test]
async fn an_empty_log_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open(&format!("sqlite://{}/test.db", folder.path().display())).await.unwrap();
    let check = check_chain(&db, &[], NOW.after(Duration::from_hours(24 * 31))).await.unwrap();
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

/// Empties records as the retention does, at a moment.
async fn emptied(log: &Log, records: &str, at: Timestamp) {
    let sql = format!(
        "update audit_records set actor_kind = '', actor = '', action = '', subject = null, outcome = '', detail = null,
           expired_at = {} where position in ({records})",
        at.as_millis()
    );
    let mut tx = log.db.begin().await.unwrap();
    tx.query(Box::leak(sql.into_boxed_str())).execute().await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn records_without_content_leave_the_chain_whole() {
    let log = Log::new().await;
    let head = log.head().await;
    emptied(&log, "1, 2, 4", NOW.after(Duration::from_hours(24 * 31))).await;
    let check = check_chain(&log.db, &[head], NOW.after(Duration::from_hours(24 * 31))).await.unwrap();
    assert_eq!((check.records, check.expired, check.problem.as_ref()), (5, 3, None));
    assert!(check.to_string().contains("of these   3 without content"), "{check}");
    // What is still there is checked as before, and so is the place of what is gone.
    log.change(&["update audit_records set detail = 'x' where position = 5"]).await;
    assert_eq!(log.problem(&[]).await, Some(Problem::Changed { position: 5 }));
}

#[tokio::test]
async fn the_digest_of_a_record_without_content_cannot_be_changed() {
    let log = Log::new().await;
    emptied(&log, "2", NOW.after(Duration::from_hours(24 * 31))).await;
    log.change(&["update audit_records set digest = (select digest from audit_records where position = 1)
                  where position = 2"])
        .await;
    assert_eq!(log.problem(&[]).await, Some(Problem::Changed { position: 3 }));
}

#[tokio::test]
async fn a_record_that_was_emptied_too_early_is_noticed() {
    let early = NOW.after(Duration::from_hours(24 * 10));
    let log = Log::new().await;
    emptied(&log, "3", early).await;
    let found = log.problem(&[]).await;
    assert!(matches!(found, Some(Problem::EmptiedEarly { position: 3, .. })), "{found:?}");
    // Without records before it, the published head is newer than it may be.
    let log = Log::new().await;
    let head = log.head().await;
    log.add(6).await;
    assert_eq!(chain_waiting(&log.db).await.unwrap(), 1);
    emptied(&log, "1, 2, 3, 4, 5, 6", early).await;
    let found = log.problem(std::slice::from_ref(&head)).await;
    assert!(matches!(found, Some(Problem::EmptiedEarly { position: 6, .. })), "{found:?}");
}

#[tokio::test]
async fn a_record_is_not_hidden_as_one_without_content() {
    // Emptied in the future.
    let log = Log::new().await;
    emptied(&log, "3", NOW.after(Duration::from_hours(24 * 400))).await;
    let check = check_chain(&log.db, &[], NOW.after(Duration::from_hours(1))).await.unwrap();
    assert!(matches!(check.problem, Some(Problem::EmptiedEarly { position: 3, .. })), "{:?}", check.problem);
    // With another content.
    let log = Log::new().await;
    emptied(&log, "3", NOW.after(Duration::from_hours(24 * 31))).await;
    log.change(&["update audit_records set actor = 'someone else' where position = 3"]).await;
    assert_eq!(log.problem(&[]).await, Some(Problem::Changed { position: 3 }));
}
