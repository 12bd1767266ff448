//! The decision whether a request is within its limit: in memory against GCRA, which estimates from one number per
//! counter, and shared by nodes in PostgreSQL against a minimal round trip to it.
//!
//! GCRA is written here as the crate `governor` has it, with a map behind a mutex. The crate itself would enable a
//! feature of a crate that Typst depends on too, so tests and program would each build their own Typst.

use std::{
    collections::HashMap,
    hint::black_box,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::ensure;
use futures_util::future::try_join_all;
use parking_lot::Mutex;
use sealwright::{
    app::rate_limit::RateLimiter,
    clock::Clock,
    db::Db,
    domain::{
        id::CompanyId,
        operation::Operation,
        rate_limit::{Counter, WINDOW},
    },
};

use crate::{
    CLIENTS,
    load::{milliseconds, per_second},
    postgres::{self, FreshDatabase},
    report::{Figure, Goal, Samples, Unit},
};

const ROUNDS: usize = 9;
/// Decisions per round, spread over [`COMPANIES`].
const DECISIONS: u32 = 200_000;
const COMPANIES: u32 = 100;
/// Never reached: measures accepted requests.
const HIGH: u32 = 1_000_000;
/// Reached at once: measures refusals.
const LOW: u32 = 5;
/// Decisions of each of many clients.
const EACH: usize = 100;
const SHARED_DECISIONS: u32 = 2_000;

/// The generic cell rate algorithm: for each counter, the time at which its requests would end at an even pace.
struct Gcra {
    start: Instant,
    cells: Mutex<HashMap<Counter, Duration>>,
    interval: Duration,
}

impl Gcra {
    fn new(limit: u32) -> Self {
        Self { start: Instant::now(), cells: Mutex::default(), interval: WINDOW / limit }
    }

    fn admit(&self, counter: &Counter) -> bool {
        let now = self.start.elapsed();
        let mut cells = self.cells.lock();
        let cell = match cells.get_mut(counter) {
            Some(cell) => cell,
            None => cells.entry(counter.clone()).or_default(),
        };
        let at = (*cell).max(now);
        let is_within = at + self.interval <= now + WINDOW;
        if is_within {
            *cell = at + self.interval;
        }
        is_within
    }
}

pub(crate) async fn measure() -> anyhow::Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (limit, what) in [(HIGH, "let through"), (LOW, "refused")] {
        figures.extend(in_memory(limit, what).await?);
    }
    figures.extend(shared().await?);
    Ok(figures)
}

async fn in_memory(limit: u32, what: &str) -> anyhow::Result<Vec<Figure>> {
    let limiter = RateLimiter::in_memory(Clock::system());
    let gcra = Gcra::new(limit);
    let counters = counters();
    let [mut own, mut theirs] = [const { Samples::new(Unit::Microseconds) }; 2];
    // Both create a key for each decision, as a server does.
    for _ in 0..ROUNDS {
        let (start, mut admitted) = (Instant::now(), 0);
        for number in 0..DECISIONS {
            let counter = counters[(number % COMPANIES) as usize].clone();
            admitted += u32::from(limiter.admit(counter, limit).await?.admitted);
        }
        own.push(microseconds_each(start, DECISIONS));
        ensure!(admitted == DECISIONS || limit == LOW, "{admitted} of {DECISIONS} were let through");
        let start = Instant::now();
        for number in 0..DECISIONS {
            let counter = counters[(number % COMPANIES) as usize].clone();
            // Its decisions are not compared: it estimates.
            black_box(gcra.admit(&counter));
        }
        theirs.push(microseconds_each(start, DECISIONS));
    }
    let what = format!("rate check in memory, {what}");
    Ok(vec![
        Figure {
            what: what.clone(),
            measured: own.clone(),
            against: Some(("GCRA, as governor has it", theirs)),
            goal: Some(Goal::AtMost(3.0)),
        },
        Figure { what, measured: own, against: None, goal: Some(Goal::AtMost(1.0)) },
    ])
}

fn microseconds_each(start: Instant, decisions: u32) -> f64 {
    milliseconds(start.elapsed()) * 1000.0 / f64::from(decisions)
}

fn counters() -> Vec<Counter> {
    let companies = (1..=i64::from(COMPANIES)).filter_map(CompanyId::new);
    companies.map(|company| Counter::Company(Operation::CreateCase, company)).collect()
}

async fn shared() -> anyhow::Result<Vec<Figure>> {
    if !postgres::is_there() {
        return Ok(Vec::new());
    }
    let database = FreshDatabase::create();
    let db = Db::open(&database.url()).await?;
    let limiter = Arc::new(RateLimiter::new(&db, Clock::system()));
    let counters = counters();
    let [mut one, mut bare] = [const { Samples::new(Unit::Microseconds) }; 2];
    let [mut crowd, mut apart] = [const { Samples::new(Unit::PerSecond) }; 2];
    for _ in 0..ROUNDS {
        // One client, one request at a time.
        let start = Instant::now();
        for number in 0..SHARED_DECISIONS {
            limiter.admit(counters[(number % COMPANIES) as usize].clone(), HIGH).await?;
        }
        one.push(microseconds_each(start, SHARED_DECISIONS));
        let start = Instant::now();
        for _ in 0..SHARED_DECISIONS {
            db.read().await?.query("select cast(1 as bigint)").one::<(i64,)>().await?;
        }
        bare.push(microseconds_each(start, SHARED_DECISIONS));
        crowd.push(drive(&limiter, |_| counters[0].clone()).await?);
        apart.push(drive(&limiter, |client| counters[client].clone()).await?);
    }
    let figure = |what: &str, measured, against| Figure { what: what.to_owned(), measured, against, goal: None };
    Ok(vec![
        figure("rate check in PostgreSQL, 1 client", one, Some(("select 1", bare))),
        figure("rate checks in PostgreSQL, 64 clients, one counter", crowd, None),
        figure("rate checks in PostgreSQL, 64 clients, 64 counters", apart, None),
    ])
}

/// Has [`CLIENTS`] clients each send one request at a time. Returns decisions per second.
async fn drive(limiter: &Arc<RateLimiter>, counter: impl Fn(usize) -> Counter) -> anyhow::Result<f64> {
    let start = Instant::now();
    try_join_all((0..CLIENTS).map(|client| {
        let (limiter, counter) = (Arc::clone(limiter), counter(client));
        async move {
            for _ in 0..EACH {
                limiter.admit(counter.clone(), HIGH).await?;
            }
            anyhow::Ok(())
        }
    }))
    .await?;
    Ok(per_second(EACH * CLIENTS, start.elapsed()))
}
