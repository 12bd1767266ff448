//! The guarantees of SQLite's shared commit. The black-box suite tests that every query runs on both databases.

use std::time::Duration;

use futures_util::TryStreamExt;

use super::{Db, Reader};

struct TestDb {
    db: Db,
    _folder: tempfile::TempDir,
}

async fn open() -> TestDb {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open(&format!("sqlite://{}/test.db", folder.path().display())).await.unwrap();
    TestDb { db, _folder: folder }
}

async fn put(db: &Db, name: &str) -> sqlx::Result<()> {
    let mut tx = db.begin().await?;
    tx.query("insert into secrets (name, ciphertext) values ($1, 'x')").bind(name).execute().await?;
    tx.commit().await
}

/// How many commits the metrics have counted, by outcome.
fn commits(db: &Db, outcome: &str) -> String {
    let mut registry = prometheus_client::registry::Registry::default();
    registry.register("commits", "", db.commit_durations());
    let mut text = String::new();
    prometheus_client::encoding::text::encode(&mut text, &registry).unwrap();
    let name = format!("commits_count{{outcome=\"{outcome}\"}} ");
    text.lines().find_map(|line| line.strip_prefix(&name)).unwrap().to_owned()
}

async fn count(db: &Db) -> i64 {
    let (count,): (i64,) = db.read().await.unwrap().query("select count(*) from secrets").one().await.unwrap();
    count
}

#[tokio::test(flavor = "multi_thread")]
async fn committed_data_is_visible_to_readers() {
    let test = open().await;
    put(&test.db, "a").await.unwrap();
    assert_eq!(count(&test.db).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn commits_are_counted_and_reads_are_not() {
    let test = open().await;
    put(&test.db, "a").await.unwrap();
    let reader = test.db.read().await.unwrap();
    let connections = test.db.connections();
    assert_eq!((connections.busy, connections.most), (1, super::CONNECTIONS), "{connections:?}");
    drop(reader);
    let refused: sqlx::Result<()> = Err(sqlx::Error::RowNotFound);
    test.db.begin().await.unwrap().settle(refused).await.unwrap_err();
    assert_eq!((commits(&test.db, "done"), commits(&test.db, "failed")), ("1".to_owned(), "0".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn many_concurrent_writers_all_succeed() {
    let test = open().await;
    let writers: Vec<_> = (0..200)
        .map(|n| {
            let db = test.db.clone();
            tokio::spawn(async move { put(&db, &n.to_string()).await })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap().unwrap();
    }
    assert_eq!(count(&test.db).await, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_writer_does_not_affect_others() {
    let test = open().await;
    put(&test.db, "taken").await.unwrap();
    let writers: Vec<_> = (0..50)
        .map(|n| {
            let db = test.db.clone();
            tokio::spawn(async move { put(&db, &if n % 2 == 0 { "taken".to_owned() } else { n.to_string() }).await })
        })
        .collect();
    let mut refused = 0;
    for writer in writers {
        if let Err(error) = writer.await.unwrap() {
            let is_taken = error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation);
            assert!(is_taken, "{error}");
            refused += 1;
        }
    }
    assert_eq!(refused, 25);
    assert_eq!(count(&test.db).await, 26);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_fails_writers_for_as_long_as_it_is_full() {
    let test = open().await;
    // The file may not grow, which for SQLite is a full disk.
    let mut tx = test.db.begin().await.unwrap();
    let _: Option<(i64,)> = tx.query("pragma max_page_count = 1").optional().await.unwrap();
    tx.commit().await.unwrap();
    let writers: Vec<_> = (0..60)
        .map(|n| {
            let db = test.db.clone();
            tokio::spawn(async move {
                let mut tx = db.begin().await?;
                let text = "x".repeat(if n % 6 == 0 { 1_000_000 } else { 1 });
                let sql = "insert into secrets (name, ciphertext) values ($1, $2)";
                tx.query(sql).bind(n.to_string()).bind(text).execute().await?;
                tx.commit().await?;
                Ok::<String, sqlx::Error>(n.to_string())
            })
        })
        .collect();
    let mut acknowledged = Vec::new();
    let mut refused = 0;
    for writer in writers {
        match writer.await.unwrap() {
            Ok(name) => acknowledged.push(name),
            Err(error) => {
                let error = crate::error::Error::from(error);
                assert!(error.is_temporary(), "{error}");
                refused += 1;
            }
        }
    }
    assert!(refused >= 10, "{refused}");
    let mut tx = test.db.begin().await.unwrap();
    let _: Option<(i64,)> = tx.query("pragma max_page_count = 1000000").optional().await.unwrap();
    tx.commit().await.unwrap();
    put(&test.db, "again").await.unwrap();
    acknowledged.push("again".to_owned());
    acknowledged.sort();
    let mut tx = test.db.read().await.unwrap();
    let kept: Vec<(String,)> = tx.query("select name from secrets order by name").all().await.unwrap();
    let kept: Vec<String> = kept.into_iter().map(|(name,)| name).collect();
    assert_eq!(kept, acknowledged);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_dropped_before_its_commit_leaves_nothing() {
    let test = open().await;
    let mut tx = test.db.begin().await.unwrap();
    tx.query("insert into secrets (name, ciphertext) values ('lost', 'x')").execute().await.unwrap();
    drop(tx);
    put(&test.db, "kept").await.unwrap();
    assert_eq!(count(&test.db).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_refusal_saw_is_durable_before_the_refusal_is_returned() {
    let test = open().await;
    let mut first = test.db.begin().await.unwrap();
    first.query("insert into secrets (name, ciphertext) values ('seen', 'x')").execute().await.unwrap();
    let second = tokio::spawn({
        let db = test.db.clone();
        async move {
            let mut tx = db.begin().await.unwrap();
            let (seen,): (i64,) = tx.query("select count(*) from secrets").one().await.unwrap();
            tx.query("insert into secrets (name, ciphertext) values ('undone', 'x')").execute().await.unwrap();
            let durable_before = count(&db).await;
            let refused: sqlx::Result<()> = Err(sqlx::Error::RowNotFound);
            assert!(matches!(tx.settle(refused).await, Err(sqlx::Error::RowNotFound)));
            (seen, durable_before, count(&db).await)
        }
    });
    // The second waits for its turn, so the first leaves the commit to it.
    while !test.db.has_waiting() {
        tokio::task::yield_now().await;
    }
    first.commit().await.unwrap();
    assert_eq!(second.await.unwrap(), (1, 0, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_that_vanish_at_any_point_do_not_block_others() {
    let test = open().await;
    let mut others = Vec::new();
    for n in 0..300_u64 {
        let db = test.db.clone();
        if n % 3 == 0 {
            others.push(tokio::spawn(async move { put(&db, &format!("stays {n}")).await }));
        } else {
            // Cancelled somewhere between waiting for the turn and the commit.
            let name = format!("vanishes {n}");
            others.push(tokio::spawn(async move {
                let _ = tokio::time::timeout(Duration::from_micros(n * 37 % 9_000), put(&db, &name)).await;
                Ok(())
            }));
        }
    }
    for other in others {
        tokio::time::timeout(Duration::from_mins(1), other).await.expect("no writer waits for ever").unwrap().unwrap();
    }
    let (stay,): (i64,) = test
        .db
        .read()
        .await
        .unwrap()
        .query("select count(*) from secrets where name like 'stays%'")
        .one()
        .await
        .unwrap();
    assert_eq!(stay, 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_rejects_a_statement_that_writes() {
    async fn put_by(reader: &mut Reader) -> sqlx::Result<Option<(String,)>> {
        reader.query("insert into secrets (name, ciphertext) values ('a', 'x') returning name").optional().await
    }
    let test = open().await;
    let rejected = put_by(&mut test.db.read().await.unwrap()).await;
    assert!(matches!(rejected, Err(sqlx::Error::InvalidArgument(_))), "{rejected:?}");
    // A transaction could write, but not as a reader. It can still be used.
    let mut tx = test.db.begin().await.unwrap();
    let rejected = put_by(&mut tx).await;
    assert!(matches!(rejected, Err(sqlx::Error::InvalidArgument(_))), "{rejected:?}");
    tx.query("insert into secrets (name, ciphertext) values ('b', 'x')").execute().await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(count(&test.db).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_reads_what_it_has_written() {
    async fn count_by(reader: &mut Reader) -> i64 {
        let (count,): (i64,) = reader.query("select count(*) from secrets").one().await.unwrap();
        count
    }
    let test = open().await;
    let mut tx = test.db.begin().await.unwrap();
    tx.query("insert into secrets (name, ciphertext) values ('a', 'x')").execute().await.unwrap();
    assert_eq!((count_by(&mut tx).await, count(&test.db).await), (1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn identifiers_are_never_reused() {
    let test = open().await;
    let mut tx = test.db.begin().await.unwrap();
    let insert = "insert into jobs (kind, subject, state, run_at, attempt, created_at)
                  values ('seal', $1, 'ready', 0, 0, 0) returning id";
    let (first,): (i64,) = tx.query(insert).bind(1_i64).one().await.unwrap();
    tx.query("delete from jobs").execute().await.unwrap();
    let (second,): (i64,) = tx.query(insert).bind(2_i64).one().await.unwrap();
    tx.commit().await.unwrap();
    assert!(second > first);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_is_rolled_back_separately() {
    let test = open().await;
    put(&test.db, "taken").await.unwrap();
    let mut tx = test.db.begin().await.unwrap();
    for (name, kept) in [("a", true), ("taken", false), ("b", false), ("c", true)] {
        tx.begin_part().await.unwrap();
        let sql = "insert into secrets (name, ciphertext) values ($1, 'x')";
        let inserted = tx.query(sql).bind(name).execute().await;
        assert_eq!(inserted.is_ok(), name != "taken");
        tx.end_part(kept).await.unwrap();
    }
    tx.commit().await.unwrap();
    let mut tx = test.db.read().await.unwrap();
    let names: Vec<(String,)> = tx.query("select name from secrets order by name").all().await.unwrap();
    assert_eq!(names, ["a", "c", "taken"].map(|name| (name.to_owned(),)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_dropped_during_a_part_leaves_nothing() {
    let test = open().await;
    let mut tx = test.db.begin().await.unwrap();
    tx.query("insert into secrets (name, ciphertext) values ('before', 'x')").execute().await.unwrap();
    tx.begin_part().await.unwrap();
    tx.query("insert into secrets (name, ciphertext) values ('within', 'x')").execute().await.unwrap();
    drop(tx);
    put(&test.db, "kept").await.unwrap();
    assert_eq!(count(&test.db).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_stays_as_it_was_and_fills_an_empty_database() {
    let test = open().await;
    put(&test.db, "a").await.unwrap();
    let mut snapshot = test.db.snapshot().await.unwrap();
    put(&test.db, "b").await.unwrap();
    let tables = snapshot.tables().await.unwrap();
    let place = |name: &str| tables.iter().position(|table| table.name == name).unwrap();
    assert!(place("companies") < place("users") && place("cases") < place("items"));
    assert!(tables[place("companies")].refers_to_itself && !tables[place("cases")].refers_to_itself);
    assert_eq!((tables[place("cases")].identity, tables[place("users")].identity), (Some(0), None));
    let secrets = &tables[place("secrets")];
    let rows: Vec<(String,)> = snapshot.rows(secrets).try_collect().await.unwrap();
    assert_eq!(rows, [("[\"a\",\"x\"]".to_owned(),)]);

    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/copy.db", folder.path().display());
    assert!(Db::is_unused(&url).await.unwrap());
    // Without a commit nothing is there, and it can be done again.
    for commits in [false, true] {
        let mut loader = Db::load_into(&url, Db::newest_schema()).await.unwrap();
        loader.compare(&tables).unwrap();
        loader.compare(&tables[1..]).unwrap_err();
        loader.insert(secrets, "[[\"a\",\"x\"]]").await.unwrap();
        if commits {
            loader.commit().await.unwrap();
        }
        assert_eq!(Db::is_unused(&url).await.unwrap(), !commits);
    }
    Db::load_into(&url, Db::newest_schema()).await.unwrap_err();
    assert_eq!(count(&Db::open(&url).await.unwrap()).await, 1);
}
