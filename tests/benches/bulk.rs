//! `POST /cases/bulk-create` of 50 cases against `POST /cases/create` of one, by one client.

use std::time::Duration;

use anyhow::ensure;
use hyper::StatusCode;
use serde_json::Value;

use crate::{
    ROUNDS,
    create::create_case,
    load::{Call, Client, drive},
    postgres::{self, FreshDatabase},
    report::{Figure, Goal, Samples, Unit},
    server::{DataFolder, FRAME, Server},
};

const ROUND: Duration = Duration::from_millis(500);
/// The most that one request may have (spec 4.5).
const CASES: usize = 50;

pub(crate) async fn measure() -> anyhow::Result<Vec<Figure>> {
    let mut figures = vec![on("SQLite", Server::start(DataFolder::new(None)?).await?).await?];
    if postgres::is_there() {
        let database = FreshDatabase::create();
        figures.push(on("PostgreSQL", Server::start(DataFolder::new(Some(database.url()))?).await?).await?);
    }
    Ok(figures)
}

async fn on(database: &str, server: Server) -> anyhow::Result<Figure> {
    let mut client = server.clients(1).await?;
    ensure_all_are_created(&mut client).await?;
    let [mut many, mut one] = [const { Samples::new(Unit::Milliseconds) }; 2];
    for _ in 0..ROUNDS {
        many.push(drive(&mut client, ROUND, || Some(create_cases())).await?.median_ms());
        one.push(drive(&mut client, ROUND, || Some(create_case())).await?.median_ms());
    }
    Ok(Figure {
        what: format!("bulk of {CASES} creates, 1 client, {database}, p50"),
        measured: many,
        against: Some(("one create", one)),
        goal: Some(Goal::AtMost(8.0)),
    })
}

fn create_cases() -> Call {
    let cases = vec![format!(r#"{{"frameId":{FRAME}}}"#); CASES].join(",");
    Call::post("/cases/bulk-create", format!("[{cases}]"), StatusCode::OK)
}

/// The status is 200 even if elements failed: the benchmark must measure creations.
async fn ensure_all_are_created(client: &mut [Client]) -> anyhow::Result<()> {
    let answer: Value = serde_json::from_slice(&client[0].send(create_cases()).await?)?;
    ensure!(answer["success"].as_array().is_some_and(|created| created.len() == CASES), "not all created: {answer}");
    Ok(())
}
