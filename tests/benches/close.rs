//! Closings, and the certificates that follow from them.

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use serde_json::Value;

use crate::{
    CLIENTS, ROUNDS,
    bare::OneCommitEach,
    create::create_case,
    load::{Call, Client, drive, per_second},
    report::{Figure, Samples, Unit},
    server::{DataFolder, Server},
};

const OPENING: Duration = Duration::from_secs(3);
const ROUND: Duration = Duration::from_millis(500);
/// Certificates are counted for at most this long; more cases may still wait for theirs.
const SEALING: Duration = Duration::from_secs(6);

pub(crate) async fn measure() -> anyhow::Result<Vec<Figure>> {
    let server = Server::start(DataFolder::new(None)?).await?;
    let mut clients = server.clients(CLIENTS).await?;
    let other = DataFolder::new(None)?;
    let mut bare = OneCommitEach::open(&other.database()).await?;
    bare.stock_up().await?;

    let opened = drive(&mut clients, OPENING, || Some(create_case())).await?;
    let cases: Vec<i64> = opened.answers.iter().map(|answer| identifier(answer)).collect::<anyhow::Result<_>>()?;
    let next = Cell::new(0);
    let close_next = || {
        let case = cases.get(next.get())?;
        next.set(next.get() + 1);
        Some(Call::get(format!("/cases/close/{case}")))
    };
    let [mut shared, mut single] = [const { Samples::new(Unit::PerSecond) }; 2];
    for _ in 0..ROUNDS {
        shared.push(drive(&mut clients, ROUND, close_next).await?.per_second());
        single.push(bare.close_cases(ROUND).await?);
    }
    let certificates = certificates_per_second(&server).await?;
    Ok(vec![
        Figure {
            what: "closings, 64 clients, SQLite".to_owned(),
            measured: shared,
            against: Some(("sqlx, one commit a closing", single)),
            goal: None,
        },
        Figure {
            what: "certificates of one page, closed to stored".to_owned(),
            measured: Samples::of(Unit::PerSecond, [certificates]),
            against: None,
            goal: None,
        },
    ])
}

/// The identifier of a case in the answer to its creation.
pub(crate) fn identifier(created: &[u8]) -> anyhow::Result<i64> {
    let created: Value = serde_json::from_slice(created)?;
    created["id"].as_i64().context("a created case has an id")
}

/// How fast the queue of certificates to make gets shorter.
async fn certificates_per_second(server: &Server) -> anyhow::Result<f64> {
    let mut admin = Client::connect(server.admin, "none").await?;
    let (start, before) = (Instant::now(), waiting(&mut admin).await?);
    ensure!(before > 0, "every certificate was made before the count started");
    loop {
        let left = waiting(&mut admin).await?;
        if left == 0 || start.elapsed() > SEALING {
            return Ok(per_second(before - left, start.elapsed()));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// How many certificates are still to be made, according to the server's metrics.
pub(crate) async fn waiting(admin: &mut Client) -> anyhow::Result<usize> {
    let metrics = admin.send(Call::get("/metrics")).await?;
    let metrics = String::from_utf8_lossy(&metrics).into_owned();
    let jobs = metrics.lines().filter(|line| line.starts_with("sealwright_jobs{kind=\"seal\""));
    jobs.map(|line| line.rsplit(' ').next().unwrap_or_default().parse::<usize>().context("a metric is a number")).sum()
}
