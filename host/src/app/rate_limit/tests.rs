//! Several nodes on one PostgreSQL: together they admit what one exact log would.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use tokio::task::JoinSet;

use super::{Db, RateLimiter, forget_idle_counters};
use crate::{
    clock::{Clock, Timestamp},
    domain::{
        id::CompanyId,
        operation::Operation,
        rate_limit::{Admission, Counter},
    },
    store::{
        self,
        rate_limit::{Decision, Measure},
    },
    test_database,
};

/// Two nodes, each with its own connections, on a fresh database. None without PostgreSQL.
async fn two_nodes() -> Option<([Db; 2], test_database::FreshDatabase)> {
    if !test_database::is_there() {
        return None;
    }
    let database = test_database::FreshDatabase::create();
    let nodes = [Db::open(&database.url()).await.unwrap(), Db::open(&database.url()).await.unwrap()];
    Some((nodes, database))
}

fn counter(company: i64) -> Counter {
    Counter::Company(Operation::ListFrames, CompanyId::new(company).unwrap())
}

fn exactly(window: Duration) -> Measure {
    Measure { window, exact: usize::MAX, step: Duration::from_secs(1) }
}

/// One decision of the database about a batch of requests.
struct BatchDecision {
    requests: u32,
    decision: Decision,
}

/// Makes both nodes send requests as fast as they can, from several tasks each, for `time`.
async fn press(nodes: &[Db; 2], limit: u32, measure: Measure, time: Duration) -> Vec<BatchDecision> {
    let (clock, mut tasks) = (Clock::system(), JoinSet::new());
    let until = clock.steady().after(time);
    // A slow machine must reach a high limit too.
    let scale = limit / 60 + 1;
    for task in 0..8_u32 {
        let (db, clock) = (nodes[usize::try_from(task % 2).unwrap()].clone(), clock.clone());
        tasks.spawn(async move {
            let mut decided = Vec::new();
            let mut requests = 1;
            while clock.steady() < until {
                let mut tx = db.shared().await.unwrap().unwrap();
                let asked = usize::try_from(requests).unwrap();
                let decision = store::rate_limit::admit(&mut tx, "x", asked, limit, measure).await.unwrap();
                decided.push(BatchDecision { requests, decision });
                requests = requests % (scale * (task + 1)) + 1;
            }
            decided
        });
    }
    tasks.join_all().await.into_iter().flatten().collect()
}

/// The admitted requests at each millisecond of the database's clock.
fn admitted_at(decided: &[BatchDecision]) -> BTreeMap<Timestamp, u32> {
    let mut admitted = BTreeMap::new();
    for BatchDecision { decision, .. } in decided {
        *admitted.entry(decision.at).or_default() += decision.admitted;
    }
    admitted
}

#[tokio::test(flavor = "multi_thread")]
async fn decisions_11_two_nodes_together_keep_one_exact_window() {
    const WINDOW: Duration = Duration::from_millis(150);
    let Some((nodes, _database)) = two_nodes().await else { return };
    for limit in [1, 7, 60, 500] {
        let decided = press(&nodes, limit, exactly(WINDOW), Duration::from_secs(1)).await;
        let admitted = admitted_at(&decided);
        let within = |from: Timestamp, to: Timestamp| admitted.range(from..=to).map(|(_, n)| n).sum::<u32>();
        for at in admitted.keys() {
            // The window that ends with this millisecond: requests admitted exactly one window earlier have left it.
            let used = within(at.before(WINDOW).after(Duration::from_millis(1)), *at);
            assert!(used <= limit, "{used} of {limit} in the window that ends at {at}");
        }
        let mut refused = 0;
        for BatchDecision { requests, decision } in &decided {
            assert!(decision.used <= limit);
            if decision.admitted < *requests {
                refused += 1;
                // Requests are refused only if the limit is reached.
                assert_eq!(decision.used, limit);
                assert_eq!(within(decision.at.before(WINDOW).after(Duration::from_millis(1)), decision.at), limit);
                assert!(decision.reset <= WINDOW && decision.reset > Duration::ZERO, "{:?}", decision.reset);
            }
        }
        assert!(refused > 10, "the limit {limit} was reached");
        assert!(admitted.len() > 1);
        // The next limit starts with an empty window.
        tokio::time::sleep(WINDOW).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_counter_in_steps_admits_no_more_and_keeps_its_row_small() {
    const WINDOW: Duration = Duration::from_millis(300);
    const MEASURE: Measure = Measure { window: WINDOW, exact: 5, step: Duration::from_millis(50) };
    const LIMIT: u32 = 300;
    let Some((nodes, database)) = two_nodes().await else { return };
    let decided = press(&nodes, LIMIT, MEASURE, Duration::from_secs(2)).await;
    let admitted = admitted_at(&decided);
    for at in admitted.keys() {
        let within = admitted.range(at.before(WINDOW).after(Duration::from_millis(1))..=*at);
        let used: u32 = within.map(|(_, n)| n).sum();
        assert!(used <= LIMIT, "{used} of {LIMIT} in the window that ends at {at}");
    }
    assert!(decided.iter().all(|decided| decided.decision.reset <= WINDOW), "the oldest is never a late one");
    let all: u32 = admitted.values().sum();
    assert!(all >= 4 * LIMIT, "{all} in seven windows: the steps cost at most one of them in seven");
    let mut reader = nodes[0].read().await.unwrap();
    let (steps,): (i32,) = reader.query("select cardinality(until) from rate_windows").one().await.unwrap();
    assert!(steps <= 5 + 8, "{steps} entries");
    drop((reader, database));
}

#[tokio::test(flavor = "multi_thread")]
async fn spec_8_rule_5_what_is_left_is_true_on_every_node() {
    let Some((nodes, _database)) = two_nodes().await else { return };
    let limiters = nodes.each_ref().map(|db| Arc::new(RateLimiter::new(db, Clock::system())));
    let mut tasks = JoinSet::new();
    for request in 0..200 {
        let limiter = Arc::clone(&limiters[request % 2]);
        tasks.spawn(async move { limiter.admit(counter(7), 60).await.unwrap() });
    }
    let answers = tasks.join_all().await;
    let (admitted, refused): (Vec<Admission>, Vec<Admission>) = answers.into_iter().partition(|answer| answer.admitted);
    let mut left: Vec<u32> = admitted.iter().map(|admission| admission.remaining).collect();
    left.sort_unstable();
    assert_eq!(left, (0..60).collect::<Vec<_>>(), "each number is given once, on whichever node");
    assert_eq!(refused.len(), 140);
    assert!(refused.iter().all(|refusal| refusal.remaining == 0 && (1..=60).contains(&refusal.reset_seconds())));
    // Another counter has its own, and a raised quota counts at once.
    assert_eq!(limiters[0].admit(counter(8), 60).await.unwrap().remaining, 59);
    assert_eq!(limiters[1].admit(counter(8), 60).await.unwrap().remaining, 58);
    for (limiter, remaining) in limiters.iter().zip([9, 8]) {
        let raised = limiter.admit(counter(7), 70).await.unwrap();
        assert_eq!((raised.admitted, raised.limit, raised.remaining), (true, 70, remaining));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_hangs_up_delays_no_one() {
    let Some((nodes, _database)) = two_nodes().await else { return };
    let limiter = Arc::new(RateLimiter::new(&nodes[0], Clock::system()));
    let mut tasks = JoinSet::new();
    for request in 0..300_u64 {
        let limiter = Arc::clone(&limiter);
        tasks.spawn(async move {
            let asked = limiter.admit(counter(7), 1_000);
            let timeout = if request % 3 == 0 { Duration::from_mins(1) } else { Duration::from_micros(request * 7) };
            tokio::time::timeout(timeout, asked).await.is_ok() || request % 3 != 0
        });
    }
    assert!(tasks.join_all().await.into_iter().all(|answered| answered));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unavailable_database_is_an_error_and_not_a_free_pass() {
    let Some((nodes, _database)) = two_nodes().await else { return };
    let limiter = RateLimiter::new(&nodes[0], Clock::system());
    assert!(limiter.admit(counter(7), 60).await.unwrap().admitted);
    nodes[0].close().await;
    for _ in 0..2 {
        limiter.admit(counter(7), 60).await.unwrap_err();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn empty_counters_are_swept() {
    let Some((nodes, _database)) = two_nodes().await else { return };
    let mut tx = nodes[0].shared().await.unwrap().unwrap();
    for (name, window) in [("over", Duration::ZERO), ("lasts", Duration::from_mins(1))] {
        store::rate_limit::admit(&mut tx, name, 1, 5, exactly(window)).await.unwrap();
    }
    tokio::time::sleep(Duration::from_millis(2)).await;
    assert_eq!(forget_idle_counters(&nodes[1]).await.unwrap(), 1);
    let left: Vec<(String,)> = tx.query("select counter from rate_windows").all().await.unwrap();
    assert_eq!(left, [("lasts".to_owned(),)]);
}
