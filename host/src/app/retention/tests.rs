//! Runs on a folder and a SQLite database, at a given time. Both databases are in `tests/black_box/retention.rs`.

use super::*;
use crate::{
    app::{
        apply::{ManifestSource, apply as apply_manifests},
        test_app::open_in,
    },
    clock::Clock,
    domain::company_manifest::{self, Lookup},
};

const NOW: Timestamp = Timestamp::from_millis(1_795_168_800_000);
const MILLISECOND: Duration = Duration::from_millis(1);

struct World {
    app: App,
    clock: Clock,
    _folder: tempfile::TempDir,
}

impl World {
    /// Company 7 with these settings, and company 8 without.
    async fn new(settings: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::held(NOW);
        let app = open_in(folder.path(), clock.clone()).await;
        let lookup = Lookup { env: &|_| None, file: &|_| Err(String::new()) };
        let manifest = |id: i64, settings: &str| {
            let text = format!(
                "[company]\nid = {id}\nname = \"A\"\n{settings}\n[[frame]]\nid = {id}0\nname = \"F\"\n\
                 [[frame.step]]\nid = 1\ntitle = \"N\"\naction = \"TEXT_FIELD\"\n"
            );
            company_manifest::parse("a.toml", &text, &lookup).unwrap().value
        };
        let manifests = [manifest(7, settings), manifest(8, "")];
        let source = ManifestSource::File { take_over: false };
        apply_manifests(&app, &Actor::command(), &manifests, source, false).await.unwrap();
        Self { app, clock, _folder: folder }
    }

    async fn case(&self, id: i64, company: i64, created: Timestamp, closed: Option<Timestamp>) {
        let mut tx = self.app.db.begin().await.unwrap();
        tx.query(
            "insert into cases (id, company_id, frame_id, title, created_at, closed_at, item_count)
             values ($1, $2, $3, 'a', $4, $5, 0)",
        )
        .bind(id)
        .bind(company)
        .bind(company * 10)
        .bind(created)
        .bind(closed)
        .execute()
        .await
        .unwrap();
        tx.commit().await.unwrap();
    }

    async fn change(&self, sql: &'static str, moment: Timestamp) {
        let mut tx = self.app.db.begin().await.unwrap();
        tx.query(sql).bind(moment).execute().await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn cases(&self) -> Vec<i64> {
        let mut reader = self.app.db.read().await.unwrap();
        let rows: Vec<(i64,)> = reader.query("select id from cases order by id").all().await.unwrap();
        rows.into_iter().map(|(id,)| id).collect()
    }
}

fn days_ago(days: u32) -> Timestamp {
    NOW.before(DAY.saturating_mul(days))
}

/// The numbers of the cases that go as a whole.
fn whole(expired: &[Expired]) -> Vec<i64> {
    let cases = expired.iter().filter(|expired| expired.what == Expiring::Case);
    cases.filter_map(|expired| expired.case_id).map(CaseId::get).collect()
}

#[tokio::test]
async fn a_case_goes_when_its_days_are_over_and_not_a_millisecond_earlier() {
    let world = World::new("case_days = 10").await;
    let (end, over) = (days_ago(10), days_ago(10).before(MILLISECOND));
    world.case(1, 7, days_ago(90), Some(end)).await;
    world.case(2, 7, days_ago(90), Some(over)).await;
    world.case(3, 8, days_ago(90), Some(over)).await;
    // Cases that were never closed: from their creation, their month, or their newest item.
    world.case(4, 7, end, None).await;
    world.case(5, 7, over, None).await;
    world.case(6, 7, over, None).await;
    world.change("update cases set scheduled_at = $1 where id = 6", end).await;
    world.case(7, 7, over, None).await;
    let item =
        "insert into items (id, case_id, step_id, step_title, step_description, action, data, created_at, device)
                values (1, 7, 1, '', '', 'TEXT_FIELD', '', $1, '{}')";
    world.change(item, end).await;
    let listed = list(&world.app).await.unwrap();
    assert_eq!(whole(&listed), [2, 5]);
    assert_eq!(world.cases().await, [1, 2, 3, 4, 5, 6, 7], "a dry run changes nothing");
    assert_eq!(apply(&world.app, &Actor::command()).await.unwrap(), listed);
    assert_eq!(world.cases().await, [1, 3, 4, 6, 7]);
    world.clock.advance(MILLISECOND);
    // The closed one first, then the others by their creation.
    assert_eq!(whole(&apply(&world.app, &Actor::command()).await.unwrap()), [1, 6, 7, 4]);
    assert_eq!(world.cases().await, [3], "the other company keeps its case");
}

#[tokio::test]
async fn a_run_that_was_interrupted_is_finished_by_another_and_two_never_run_at_once() {
    let world = World::new("case_days = 10").await;
    for id in 1..=3 {
        world.case(id, 7, days_ago(90), Some(days_ago(20))).await;
    }
    let app = &world.app;
    let claim = take_turn(app, END_OF_TIME).await.unwrap().unwrap();
    let interrupted = Run { app, claim: Some(claim), now: NOW, expired: Vec::new() };
    let (company, first) = (CompanyId::new(7).unwrap(), CaseId::new(1).unwrap());
    assert!(interrupted.delete_case(company, first, days_ago(10)).await.unwrap());
    // Its process ends here, and its turn lasts a while.
    assert_eq!(apply_if_due(app).await.unwrap(), None);
    let refused = apply(app, &Actor::command()).await.unwrap_err().to_string();
    assert!(refused.contains("try again later"), "{refused}");
    world.clock.advance(LEASE);
    let rest = apply_if_due(app).await.unwrap().unwrap();
    assert_eq!(whole(&rest), [2, 3]);
    assert_eq!(world.cases().await, [0_i64; 0]);

    // The first process was only slow.
    world.case(4, 7, days_ago(90), Some(days_ago(20))).await;
    let lost = walk(app, Some(claim)).await.unwrap_err().to_string();
    assert!(lost.contains("another process has taken over"), "{lost}");
    assert_eq!(world.cases().await, [4]);
    assert_eq!(apply_if_due(app).await.unwrap(), None, "it is done once a day");
    world.clock.advance(BETWEEN_RUNS);
    assert_eq!(whole(&apply_if_due(app).await.unwrap().unwrap()), [4]);
}

#[tokio::test]
async fn a_case_that_is_held_after_it_was_listed_stays() {
    let world = World::new("case_days = 10").await;
    world.case(1, 7, days_ago(90), Some(days_ago(20))).await;
    let claim = take_turn(&world.app, END_OF_TIME).await.unwrap();
    let run = Run { app: &world.app, claim, now: NOW, expired: Vec::new() };
    assert_eq!(whole(&list(&world.app).await.unwrap()), [1]);
    let hold = "insert into legal_holds (case_id, reason, held_by, held_at) values (1, 'lawsuit', 'maria', $1)";
    world.change(hold, NOW).await;
    assert_eq!(list(&world.app).await.unwrap(), []);
    let (company, case) = (CompanyId::new(7).unwrap(), CaseId::new(1).unwrap());
    assert!(!run.delete_case(company, case, days_ago(10)).await.unwrap());
    // Whatever else forgets to ask: the database refuses.
    let mut tx = world.app.db.begin().await.unwrap();
    let refused = store::case::delete(&mut tx, company, case).await;
    assert!(crate::db::is_foreign_key_violation(&refused.unwrap_err()));
    drop(tx);
    assert_eq!(world.cases().await, [1]);
}

#[tokio::test]
async fn nothing_goes_unless_a_company_says_so() {
    let world = World::new("").await;
    world.case(1, 7, days_ago(30_000), Some(days_ago(30_000))).await;
    assert_eq!(list(&world.app).await.unwrap(), []);
    assert_eq!(apply_if_due(&world.app).await.unwrap(), None);
    assert_eq!(apply(&world.app, &Actor::command()).await.unwrap(), []);
    assert_eq!(world.cases().await, [1]);
}
