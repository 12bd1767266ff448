//! Erasures with a frozen clock: what becomes of the successor.

use super::*;
use crate::{
    app::{erasure::erase_by_command, webhook},
    domain::erasure::{ErasureRequest, Ground},
};

/// A world whose case has two entries and is sealed.
async fn sealed() -> World {
    let world = World::new().await;
    world
        .change(
            "insert into items (case_id, step_id, step_title, step_description, action, data, created_at, device)
             values (12, 702, 'Place', '', 'TEXT_FIELD', 'The kitchen', 1795168760000, '{}')",
        )
        .await;
    world.run_twice(JobKind::Seal).await;
    world
}

impl World {
    async fn change(&self, sql: &'static str) {
        let mut tx = self.app.db.begin().await.unwrap();
        tx.query(sql).execute().await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Whether the case webhook is still to be sent, after one run of its job.
    async fn still_delivers(&self) -> bool {
        let jobs = claimed(&self.app, JobKind::DeliverCase).await;
        assert_eq!(jobs.len(), 1);
        webhook::deliver_case(&self.app, &jobs[0], self.case).await.unwrap();
        let mut reader = self.app.db.read().await.unwrap();
        let sql = "select count(*) from jobs where kind = 'deliver-case'";
        let (left,): (i64,) = reader.query(sql).one().await.unwrap();
        left > 0
    }

    async fn erase(&self, item: i64) -> Result<()> {
        let request = ErasureRequest { items: vec![ItemId::new(item).unwrap()], ground: Ground::Mistake };
        erase_by_command(&self.app, self.case, &request).await.map(drop)
    }
}

#[tokio::test]
async fn a_successor_that_is_given_up_sends_no_webhook_and_is_not_counted() {
    let world = sealed().await;
    assert!(!world.still_delivers().await);
    world.erase(1).await.unwrap();
    let jobs = claimed(&world.app, JobKind::Seal).await;
    give_up(&world.app, &jobs[0], world.case, "broken").await.unwrap();
    assert!(claimed(&world.app, JobKind::DeliverCase).await.is_empty());
    let metrics = crate::app::metrics::encode(&world.app).await.unwrap();
    let counted = metrics.lines().filter(|line| line.starts_with("sealwright_seal_duration_seconds_count"));
    let counted: u64 = counted.map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(counted, 1, "{metrics}");
}

#[tokio::test]
async fn a_webhook_that_waits_at_an_erasure_is_sent_after_the_successor_is_made() {
    let world = sealed().await;
    world.erase(1).await.unwrap();
    assert!(world.still_delivers().await, "its address would be null");
    world.run_twice(JobKind::Seal).await;
    world.app.clock.advance(Duration::from_secs(2));
    assert!(!world.still_delivers().await);
}

#[tokio::test]
async fn the_last_erasure_names_the_predecessor_even_if_the_clock_stands_still() {
    let world = sealed().await;
    world.erase(2).await.unwrap();
    world.run_twice(JobKind::Seal).await;
    let between = world.row().await.manifest;
    world.erase(1).await.unwrap();
    let erased = store::erasure::of_case(&mut world.app.db.read().await.unwrap(), world.case).await.unwrap();
    let order: Vec<(i64, i64)> = erased.iter().map(|item| (item.place, item.erased_at.as_millis())).collect();
    assert_eq!(order, [(1, NOW.as_millis()), (0, NOW.as_millis() + 1)]);
    assert_eq!(erased.last().map(|item| item.predecessor), between);
}

#[tokio::test]
async fn a_successor_that_waits_for_a_stopped_log_is_not_rendered() {
    let world = sealed().await;
    world.erase(1).await.unwrap();
    // As after a restore from a backup. A rendering would count as one with another template.
    world.change("update log_head set size = 0, peaks = '[]', checkpoint = ''").await;
    world.change("update certificates set frozen = replace(frozen, '\"default\"', '\"missing\"')").await;
    let jobs = claimed(&world.app, JobKind::Seal).await;
    let error = seal(&world.app, &jobs[0], world.case).await.unwrap_err();
    assert!(matches!(error, Error::Unavailable { part: "log of seals", .. }), "{error}");
    assert_eq!(world.app.templates.fallbacks(), 0);
}
