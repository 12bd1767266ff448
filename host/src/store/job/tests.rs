//! The queue's statements, on SQLite; black-box tests run them on both databases.

use std::time::Duration;

use tempfile::TempDir;

use super::*;
use crate::db::Db;

const NOW: Timestamp = Timestamp::from_millis(1_795_168_800_000);
const LEASE: Duration = Duration::from_secs(30);
const BY: Claimant = Claimant { worker: Some(1), lease: LEASE };

async fn queue() -> (TempDir, Tx) {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open(&format!("sqlite://{}/jobs.db", folder.path().display())).await.unwrap();
    let tx = db.begin().await.unwrap();
    (folder, tx)
}

/// Enqueues a job for a company.
async fn put(tx: &mut Tx, kind: JobKind, company: i64, subject: i64, run_at: Timestamp) {
    assert!(enqueue(tx, Work::new(kind, subject).unwrap(), run_at).await.unwrap());
    let of_company = "update jobs set company_id = $2 where kind = $1 and subject = $3";
    tx.query(of_company).bind(kind).bind(company).bind(subject).execute().await.unwrap();
}

async fn take(tx: &mut Tx, now: Timestamp) -> Job {
    claim(tx, JobKind::Seal, 7, 1, now, BY).await.unwrap().pop().expect("a job is due")
}

async fn states(tx: &mut Reader) -> Vec<(i64, JobState)> {
    tx.query("select subject, state from jobs order by subject").all().await.unwrap()
}

#[tokio::test]
async fn a_worker_that_lost_a_job_cannot_end_it() {
    let (_folder, mut tx) = queue().await;
    put(&mut tx, JobKind::Seal, 7, 1, NOW).await;
    let lost = take(&mut tx, NOW).await;
    let later = NOW.after(LEASE + Duration::from_secs(1));
    assert_eq!(overdue(&mut tx, later).await.unwrap(), [(lost.id, lost.claim)]);
    interrupt(&mut tx, lost.id, lost.claim).await.unwrap().unwrap();
    let held = take(&mut tx, later).await;
    assert_eq!((held.id, held.claim), (lost.id, lost.claim + 1));

    assert!(LeaseLost::is(&complete(&mut tx, &lost).await.unwrap_err()));
    assert!(LeaseLost::is(&reschedule(&mut tx, &lost, later).await.unwrap_err()));
    assert!(LeaseLost::is(&retry(&mut tx, &lost, later, RetryReason::Failed, "x").await.unwrap_err()));
    assert!(LeaseLost::is(&give_up(&mut tx, &lost, "x").await.unwrap_err()));
    assert!(!renew(&mut tx, lost.id, lost.claim, later.after(LEASE)).await.unwrap());
    assert!(!is_held(&mut tx, &lost, later).await.unwrap());
    assert_eq!(interrupt(&mut tx, lost.id, lost.claim).await.unwrap(), None);
    assert_eq!(states(&mut tx).await, [(1, JobState::Running)]);

    assert!(is_held(&mut tx, &held, later.after(LEASE)).await.unwrap());
    assert!(complete(&mut tx, &held).await.unwrap());
    // Its case may have been deleted, which does not count as a lost lease.
    assert!(!complete(&mut tx, &held).await.unwrap());
    assert!(!complete(&mut tx, &lost).await.unwrap());
}

#[tokio::test]
async fn a_job_that_crashes_processes_is_quarantined_and_one_that_ends_is_cleared() {
    let (_folder, mut tx) = queue().await;
    put(&mut tx, JobKind::Seal, 7, 1, NOW).await;
    put(&mut tx, JobKind::Seal, 7, 2, NOW).await;
    for _ in 0..2 {
        for job in claim(&mut tx, JobKind::Seal, 7, 2, NOW, BY).await.unwrap() {
            interrupt(&mut tx, job.id, job.claim).await.unwrap().unwrap();
        }
    }
    // Both were running twice when the process ended, so each runs alone from now on.
    assert_eq!(states(&mut tx).await, [(1, JobState::Suspect), (2, JobState::Suspect)]);
    assert!(claim(&mut tx, JobKind::Seal, 7, 2, NOW, BY).await.unwrap().is_empty());
    for crash in 3..=5 {
        let guilty = claim_suspect(&mut tx, NOW, BY).await.unwrap().unwrap();
        let interrupted = interrupt(&mut tx, guilty.id, guilty.claim).await.unwrap().unwrap();
        assert_eq!((interrupted.subject, interrupted.is_quarantined), (1, crash == 5));
    }
    let innocent = claim_suspect(&mut tx, NOW, BY).await.unwrap().unwrap();
    assert_eq!(innocent.subject(), 2);
    retry(&mut tx, &innocent, NOW, RetryReason::Failed, "x").await.unwrap();
    let innocent = take(&mut tx, NOW).await;
    assert_eq!((innocent.subject(), innocent.failures), (2, 1));
    interrupt(&mut tx, innocent.id, innocent.claim).await.unwrap();
    assert_eq!(states(&mut tx).await, [(1, JobState::Quarantined), (2, JobState::Ready)]);
    // Until the operator restarts it.
    let stopped = stopped(&mut tx).await.unwrap();
    assert_eq!(stopped.iter().map(|job| job.work.subject()).collect::<Vec<_>>(), [1]);
    assert!(restart(&mut tx, stopped[0].id, NOW).await.unwrap());
    assert_eq!(states(&mut tx).await, [(1, JobState::Ready), (2, JobState::Ready)]);
}

#[tokio::test]
async fn a_list_has_stopped_jobs_first_and_then_the_oldest_of_all_kinds() {
    let (_folder, mut tx) = queue().await;
    let kinds = [JobKind::Seal, JobKind::DeliverCase, JobKind::StampItem];
    for subject in 1..=9 {
        // The oldest is the one with the highest number.
        let run_at = Timestamp::from_millis(NOW.as_millis() - subject);
        put(&mut tx, kinds[usize::try_from(subject).unwrap() % 3], 7, subject, run_at).await;
    }
    for (subject, state) in [(1_i64, "failed"), (2, "quarantined"), (3, "running"), (4, "suspect")] {
        let change = tx.query("update jobs set state = $2 where subject = $1");
        change.bind(subject).bind(state).execute().await.unwrap();
    }
    for (most, expected) in [(1, &[2][..]), (2, &[2, 1]), (4, &[2, 1, 9, 8]), (100, &[2, 1, 9, 8, 7, 6, 5, 4, 3])] {
        let listed = list(&mut tx, most).await.unwrap();
        assert_eq!(listed.iter().map(|job| job.subject).collect::<Vec<_>>(), expected, "{most}");
    }
    let stopped: Vec<i64> = stopped(&mut tx).await.unwrap().iter().map(|job| job.work.subject()).collect();
    assert_eq!(stopped, [1, 2]);
    assert!(stopped_job(&mut tx, 1).await.unwrap().is_some());
    assert!(stopped_job(&mut tx, 3).await.unwrap().is_none());
}

#[tokio::test]
async fn a_webhook_that_was_being_sent_when_processes_were_killed_is_not_quarantined_soon() {
    let (_folder, mut tx) = queue().await;
    put(&mut tx, JobKind::DeliverCase, 7, 1, NOW).await;
    for crash in 1..20 {
        let job = match claim_suspect(&mut tx, NOW, BY).await.unwrap() {
            Some(suspect) => suspect,
            None => claim(&mut tx, JobKind::DeliverCase, 7, 1, NOW, BY).await.unwrap().remove(0),
        };
        let interrupted = interrupt(&mut tx, job.id, job.claim).await.unwrap().unwrap();
        assert!(!interrupted.is_quarantined, "after {crash} crashes");
    }
    let job = claim_suspect(&mut tx, NOW, BY).await.unwrap().unwrap();
    assert!(interrupt(&mut tx, job.id, job.claim).await.unwrap().unwrap().is_quarantined);
}

#[tokio::test]
async fn a_job_that_waits_for_a_part_of_the_machine_is_resumed_and_not_counted() {
    let (_folder, mut tx) = queue().await;
    put(&mut tx, JobKind::Seal, 7, 1, NOW).await;
    let much_later = NOW.after(Duration::from_mins(2));
    for _ in 0..20 {
        let job = take(&mut tx, NOW).await;
        assert_eq!(job.failures, 0);
        retry(&mut tx, &job, much_later, RetryReason::Away("disk"), "no space is left\0").await.unwrap();
        assert_eq!(due(&mut tx, JobKind::Seal, NOW).await.unwrap(), []);
        assert_eq!(resume_waiting(&mut tx, NOW).await.unwrap(), 1);
    }
    // It is due since it was enqueued, not since its last pause.
    assert_eq!(oldest(&mut tx, much_later).await.unwrap(), [(JobKind::Seal, NOW)]);
    let listed = &list(&mut tx, 10).await.unwrap()[0];
    assert_eq!((listed.state, listed.company_id, listed.failures), (JobState::Ready, 7, 0));
}

#[tokio::test]
async fn companies_with_due_jobs_are_found_and_taken_from_by_index() {
    let (_folder, mut tx) = queue().await;
    let later = NOW.after(Duration::from_secs(1));
    for (company, subject, run_at) in [(9, 1, NOW), (7, 2, later), (7, 3, NOW), (8, 4, later), (7, 5, NOW)] {
        put(&mut tx, JobKind::Seal, company, subject, run_at).await;
    }
    put(&mut tx, JobKind::RenewSeal, 5, 1, NOW).await;
    let at = |company, since| DueCompany { company, since };
    assert_eq!(due(&mut tx, JobKind::Seal, NOW).await.unwrap(), [at(7, NOW), at(9, NOW)]);
    assert_eq!(due(&mut tx, JobKind::Seal, later).await.unwrap(), [at(7, NOW), at(8, later), at(9, NOW)]);
    let jobs = claim(&mut tx, JobKind::Seal, 7, 2, later, BY).await.unwrap();
    assert_eq!(jobs.iter().map(Job::subject).collect::<Vec<_>>(), [3, 5]);
    // A statement that runs every second must not scan or sort the waiting jobs.
    let plan = "explain query plan update jobs set state = 'running' where id in (
      select id from jobs where kind = 'seal' and state = 'ready' and company_id = 7 and run_at <= 1
      order by run_at, id limit 4)";
    let plan: Vec<(i64, i64, i64, String)> = tx.query(plan).all().await.unwrap();
    let steps: Vec<&str> = plan.iter().map(|step| step.3.as_str()).collect();
    assert!(steps.iter().any(|step| step.contains("INDEX jobs_by_company (kind=? AND state=? AND company_id=?")));
    assert!(!steps.iter().any(|step| step.contains("TEMP B-TREE") || step.starts_with("SCAN jobs")), "{steps:?}");
}

#[tokio::test]
async fn the_queue_waits_for_workers_only_with_jobs_that_one_could_take() {
    let (_folder, mut tx) = queue().await;
    let ago = |seconds: u64| NOW.before(Duration::from_secs(seconds));
    // No one waits for a renewal, and the seal is not due.
    put(&mut tx, JobKind::RenewSeal, 7, 1, ago(300)).await;
    put(&mut tx, JobKind::Seal, 7, 2, NOW.after(Duration::from_secs(1))).await;
    assert_eq!(ready_since(&mut tx, NOW).await.unwrap(), None);
    put(&mut tx, JobKind::Seal, 8, 3, ago(60)).await;
    put(&mut tx, JobKind::DeliverCase, 7, 4, ago(90)).await;
    assert_eq!(ready_since(&mut tx, NOW).await.unwrap(), Some(ago(90)));
    assert_eq!(claim(&mut tx, JobKind::DeliverCase, 7, 1, NOW, BY).await.unwrap().len(), 1);
    assert_eq!(ready_since(&mut tx, NOW).await.unwrap(), Some(ago(60)));
    // More workers would not bring the disk back.
    let job = claim(&mut tx, JobKind::Seal, 8, 1, NOW, BY).await.unwrap().remove(0);
    let later = NOW.after(Duration::from_mins(2));
    retry(&mut tx, &job, later, RetryReason::Away("disk"), "no space is left").await.unwrap();
    assert_eq!(ready_since(&mut tx, NOW).await.unwrap(), None);
    // They are due anyway.
    let due = [(JobKind::DeliverCase, ago(90)), (JobKind::RenewSeal, ago(300)), (JobKind::Seal, ago(60))];
    assert_eq!(oldest(&mut tx, NOW).await.unwrap(), due);
}

#[tokio::test]
async fn counting_stops_at_ten_thousand_jobs_of_a_kind_and_state() {
    let (_folder, mut tx) = queue().await;
    assert_eq!(counts(&mut tx).await.unwrap(), []);
    put(&mut tx, JobKind::StampItem, 7, 1, NOW).await;
    put(&mut tx, JobKind::DeliverCase, 7, 1, NOW).await;
    tx.query("update jobs set state = 'failed' where kind = 'deliver-case'").execute().await.unwrap();
    let many = "insert into jobs (kind, subject, company_id, state, run_at, due_at, attempt, created_at)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 10001)
      select 'seal', n, n % 7, 'ready', 0, 0, 0, 0 from numbers";
    assert_eq!(tx.query(many).execute().await.unwrap(), 10_001);
    let of = |kind, state, count| Count { kind, state, count };
    let expected = [
        of(JobKind::DeliverCase, JobState::Failed, 1),
        of(JobKind::Seal, JobState::Ready, 10_000),
        of(JobKind::StampItem, JobState::Ready, 1),
    ];
    assert_eq!(counts(&mut tx).await.unwrap(), expected);
}

#[tokio::test]
async fn the_next_job_of_a_company_is_brought_forward_if_none_is_due() {
    let (_folder, mut tx) = queue().await;
    let (kind, company) = (JobKind::DeliverCase, CompanyId::new(7).unwrap());
    assert!(!bring_next_forward(&mut tx, kind, company, NOW).await.unwrap());
    for (owner, subject, minutes) in [(8, 1, 1), (7, 2, 20), (7, 3, 10)] {
        put(&mut tx, kind, owner, subject, NOW.after(Duration::from_mins(minutes))).await;
    }
    assert!(!is_next_due(&mut tx, kind, company, NOW).await.unwrap());
    assert!(is_next_due(&mut tx, kind, company, NOW.after(Duration::from_mins(10))).await.unwrap());
    assert!(bring_next_forward(&mut tx, kind, company, NOW).await.unwrap());
    assert!(is_next_due(&mut tx, kind, company, NOW).await.unwrap());
    let claimed = claim(&mut tx, kind, 7, 9, NOW, BY).await.unwrap();
    assert_eq!(claimed.iter().map(Job::subject).collect::<Vec<_>>(), [3]);
    // One that is running is not waiting.
    assert!(!is_next_due(&mut tx, kind, company, NOW).await.unwrap());
}

#[tokio::test]
async fn an_unknown_state_is_an_error_that_names_the_column() {
    let (_folder, mut tx) = queue().await;
    put(&mut tx, JobKind::Seal, 7, 1, NOW).await;
    tx.query("update jobs set state = 'lost'").execute().await.unwrap();
    let error = of_work(&mut tx, Work::new(JobKind::Seal, 1).unwrap()).await.unwrap_err().to_string();
    assert!(error.contains("\"state\"") && error.contains("`lost` is not a state of a job"), "{error}");
}
