//! Ten thousand random schedules of arrivals, closings, crashes and late results, against a small model of spec 3.3.
//!
//! All of it runs in one transaction that is never committed, so nothing waits for a disk. A crash is a claimed job
//! whose work was not written; a doubled run writes its work twice; a slow run writes it after others. A lost signal is
//! a job that is gone from the queue.

mod schedule;

use super::*;
use crate::{db::Db, domain::analysis::progress::PICTURE_GRACE, store::job::LeaseLost};

/// Whether another run has taken over the job. No other error is allowed.
fn is_lost<T>(ended: Result<T>) -> bool {
    ended.is_err_and(|error| {
        assert!(LeaseLost::is(&error), "{error}");
        true
    })
}

const SCHEDULES: u64 = 10_000;
const TIMEOUT: Duration = Duration::from_mins(15);

/// The same numbers for the same seed (`SplitMix64`).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % bound
    }

    fn one_in(&mut self, bound: u64) -> bool {
        self.below(bound) == 0
    }
}

/// How the analysis of an item ends, whenever it does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    Answer(u8),
    Failure,
    Never,
}

#[derive(Clone, Copy, Debug)]
struct Planned {
    id: ItemId,
    is_document: bool,
    fate: Fate,
    has_come: bool,
    has_ended: bool,
}

/// A notice that the receiver got.
#[derive(Clone, Debug, PartialEq)]
struct Notice {
    revision: i64,
    progress: AnalysisProgress,
    analysis: CaseAnalysis,
}

/// A job whose work is not written yet.
enum Held {
    Item(Job),
    Case(Job, Standing, NewVerdict),
    Notice(Job, i64),
}

struct World {
    tx: Tx,
    numbers: Numbers,
    now: Timestamp,
    company: CompanyId,
    case: CaseId,
    /// Whether nothing is examined before the first verdict: few random schedules have late results.
    is_late: bool,
    items: Vec<Planned>,
    closed_at: Option<Timestamp>,
    /// How many had ended at the last verdict.
    judged: Option<usize>,
    notices: Vec<Notice>,
    held: Vec<Held>,
}

/// The model: what spec 3.3 requires of a case, given its history.
impl World {
    fn ended(&self) -> usize {
        self.items.iter().filter(|item| item.has_ended).count()
    }

    /// Whether a verdict is due.
    fn is_due(&self) -> bool {
        let Some(closed_at) = self.closed_at else { return false };
        if let Some(judged) = self.judged {
            return self.ended() > judged;
        }
        let all = |is_document| {
            self.items.iter().filter(|item| item.has_come && item.is_document == is_document).all(|item| item.has_ended)
        };
        let has_time_passed = |after| self.now >= closed_at.after(after);
        has_time_passed(TIMEOUT) || (all(true) && (all(false) || has_time_passed(PICTURE_GRACE)))
    }

    fn progress(&self) -> AnalysisProgress {
        let mut documents = self.items.iter().filter(|item| item.has_come && item.is_document);
        let answered = documents.all(|item| item.has_ended && matches!(item.fate, Fate::Answer(_)));
        if answered { AnalysisProgress::Completed } else { AnalysisProgress::Failed }
    }

    fn score(&self) -> u8 {
        let answers = self.items.iter().filter(|item| item.has_ended && item.is_document);
        let answers = answers.filter_map(|item| if let Fate::Answer(score) = item.fate { Some(score) } else { None });
        answers.min().unwrap_or(100)
    }
}

#[tokio::test]
async fn spec_3_3_ten_thousand_schedules_end_as_the_model_says() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open(&format!("sqlite://{}/schedules.db", folder.path().display())).await.unwrap();
    let mut tx = db.begin().await.unwrap();
    for sql in [
        "insert into companies (id, name, document_analysis, certificate_template, rate_limits, analysis, updated_at)
         values (1, 'c', true, 'default', '{}', '{}', 0)",
        "insert into frames (id, company_id, name, shared_with_children, active, position) values (1, 1, 'f', false, true, 0)",
    ] {
        tx.query(sql).execute().await.unwrap();
    }
    let mut several_notices = 0;
    let mut degraded = 0;
    for seed in 0..SCHEDULES {
        let mut world = World::begin(tx, seed).await;
        for _ in 0..10 + world.numbers.below(20) {
            world.act().await;
        }
        world.settle_down().await;
        world.check().await;
        several_notices += usize::from(world.notices.len() > 1);
        degraded += usize::from(world.notices[0].progress == AnalysisProgress::Failed);
        tx = world.end().await;
    }
    // The schedules are worth their time only if they reach the cases they are meant to test.
    assert!(several_notices >= 500 && degraded > 1000, "{several_notices} with several notices, {degraded} degraded");
}
