//! A delivery that begins to wait while the one that was to try the paused receiver is deleted.

use std::time::Duration;

use super::*;
use crate::{db::Db, store::job::Work, test_database};

const NOW: Timestamp = Timestamp::from_millis(1_795_168_800_000);
const KIND: WebhookKind = WebhookKind::Case;

/// A database in which the receiver of Acme's case webhook is paused, and one delivery tries it at `probe_at`.
async fn paused(db: &Db, case: CaseId, probe_at: Timestamp) {
    let mut tx = db.begin().await.unwrap();
    for sql in [
        "insert into companies (id, name, document_analysis, certificate_template, rate_limits, analysis, updated_at)
         values (7, 'Acme', true, 'default', '{}', '{}', 0)",
        "insert into webhooks (company_id, kind, endpoint, mode, credentials, source)
         values (7, 'case', 'https://acme.example', 'bearer', '', 'manifest')",
    ] {
        tx.query(sql).execute().await.unwrap();
    }
    tx.query("update webhooks set failures = 10, paused_at = $1, probe_at = $2")
        .bind(NOW)
        .bind(probe_at)
        .execute()
        .await
        .unwrap();
    assert!(job::enqueue(&mut tx, Work::DeliverCase(case), probe_at).await.unwrap());
    tx.query("update jobs set company_id = 7").execute().await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_delivery_does_not_rely_on_one_that_is_being_deleted() {
    if !test_database::is_there() {
        return;
    }
    let database = test_database::FreshDatabase::create();
    let db = Db::open(&database.url()).await.unwrap();
    let (company, case) = (CompanyId::new(7).unwrap(), CaseId::new(1).unwrap());
    let probe_at = NOW.after(Duration::from_mins(1));
    paused(&db, case, probe_at).await;

    let mut deletion = db.begin().await.unwrap();
    assert_eq!(lock_failing_receivers(&mut deletion, company).await.unwrap(), [KIND]);
    job::delete_of_case(&mut deletion, case).await.unwrap();
    let other = db.clone();
    let waiting = tokio::spawn(async move {
        let mut tx = other.begin().await.unwrap();
        lock_receiver(&mut tx, company, KIND).await.unwrap();
        let is_other_due = job::is_next_due(&mut tx, job_kind(KIND), company, probe_at).await.unwrap();
        tx.commit().await.unwrap();
        is_other_due
    });
    let blocked = "select count(*) from pg_stat_activity
                   where datname = current_database() and wait_event_type = 'Lock'";
    loop {
        let (count,): (i64,) = db.read().await.unwrap().query(blocked).one().await.unwrap();
        if count > 0 || waiting.is_finished() {
            break;
        }
    }
    pass_turn(&mut deletion, company, KIND, NOW).await.unwrap();
    deletion.commit().await.unwrap();
    assert!(!waiting.await.unwrap(), "it would wait for a delivery that is gone");
}

#[tokio::test]
async fn changed_settings_wait_for_the_deletion_of_many_cases_before_they_lock_a_job() {
    if !test_database::is_there() {
        return;
    }
    let database = test_database::FreshDatabase::create();
    let db = Db::open(&database.url()).await.unwrap();
    let (company, case) = (CompanyId::new(7).unwrap(), CaseId::new(1).unwrap());
    paused(&db, case, NOW.after(Duration::from_mins(1))).await;
    let mut tx = db.begin().await.unwrap();
    // No receiver is failing: the deletion of one case would lock none.
    note_success(&mut tx, company, KIND).await.unwrap();
    assert!(lock_failing_receivers(&mut tx, company).await.unwrap().is_empty());
    tx.commit().await.unwrap();

    let mut deletion = db.begin().await.unwrap();
    lock_receivers(&mut deletion, company).await.unwrap();
    let other = db.clone();
    let change = tokio::spawn(async move {
        let mut tx = other.begin().await.unwrap();
        lock_receiver(&mut tx, company, KIND).await.unwrap();
        let moved = job::bring_forward(&mut tx, job_kind(KIND), company, NOW).await.unwrap();
        tx.commit().await.unwrap();
        moved
    });
    let blocked = "select count(*) from pg_stat_activity
                   where datname = current_database() and wait_event_type = 'Lock'";
    loop {
        let (count,): (i64,) = db.read().await.unwrap().query(blocked).one().await.unwrap();
        if count > 0 {
            break;
        }
        assert!(!change.is_finished(), "the receiver is not locked");
    }
    // Would wait for the other transaction, which waits for this one, if that had locked the job.
    job::delete_of_case(&mut deletion, case).await.unwrap();
    deletion.commit().await.unwrap();
    assert_eq!(change.await.unwrap(), 0);
}

#[tokio::test]
async fn the_turn_passes_to_a_delivery_that_waits_longer() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open(&format!("sqlite://{}/test.db", folder.path().display())).await.unwrap();
    let (company, case) = (CompanyId::new(7).unwrap(), CaseId::new(1).unwrap());
    let probe_at = NOW.after(Duration::from_mins(1));
    paused(&db, case, probe_at).await;
    let mut tx = db.begin().await.unwrap();
    assert!(
        job::enqueue(&mut tx, Work::DeliverCase(CaseId::new(2).unwrap()), NOW.after(Duration::from_hours(1)))
            .await
            .unwrap()
    );
    tx.query("update jobs set company_id = 7").execute().await.unwrap();

    assert_eq!(lock_failing_receivers(&mut tx, company).await.unwrap(), [KIND]);
    job::delete_of_case(&mut tx, case).await.unwrap();
    assert!(!job::is_next_due(&mut tx, job_kind(KIND), company, probe_at).await.unwrap());
    pass_turn(&mut tx, company, KIND, NOW).await.unwrap();
    assert!(job::is_next_due(&mut tx, job_kind(KIND), company, probe_at).await.unwrap());

    note_success(&mut tx, company, KIND).await.unwrap();
    assert!(lock_failing_receivers(&mut tx, company).await.unwrap().is_empty());
}
