//! A page of 50 cases and the count of all that match, among few cases and among many. The window contains equally many
//! in both: cases outside it must not cost anything.

use std::time::Duration;

use sealwright::clock::Clock;
use sqlx::{Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};

use crate::{
    ROUNDS,
    load::{Call, drive},
    report::{Figure, Goal, Samples, Unit},
    server::{COMPANY, DataFolder, FRAME, Server, USER},
};

const ROUND: Duration = Duration::from_millis(500);
const FEW: i64 = 10_000;
const MANY: i64 = 1_000_000;
/// How many of them were created in the hours that the search looks back.
const IN_WINDOW: i64 = 1_000;

pub(crate) async fn measure() -> anyhow::Result<Vec<Figure>> {
    let mut contestants = Vec::new();
    for cases in [FEW, MANY] {
        let data = DataFolder::new(None)?;
        fill(&data, cases).await?;
        let server = Server::start(data).await?;
        let mut clients = server.clients(1).await?;
        drive(&mut clients, ROUND / 2, || Some(page())).await?;
        contestants.push((server, clients, Samples::new(Unit::Milliseconds)));
    }
    for _ in 0..ROUNDS {
        for (_, clients, samples) in &mut contestants {
            samples.push(drive(clients, ROUND, || Some(page())).await?.median_ms());
        }
    }
    let mut measured = contestants.into_iter().map(|(.., samples)| samples);
    let (few, many) = (measured.next(), measured.next());
    Ok(few.zip(many).map_or_else(Vec::new, |(few, many)| {
        vec![Figure {
            what: "search, 50 of 1,000 among 1,000,000 cases".to_owned(),
            measured: many,
            against: Some(("the same among 10,000", few)),
            goal: Some(Goal::AtMost(1.2)),
        }]
    }))
}

fn page() -> Call {
    Call::get("/cases?format=metadata&limit=50")
}

/// Adds cases to the database of a server that is not running: the newest is a minute old, then one every 10 s; those
/// outside the window are at least 30 days old.
async fn fill(data: &DataFolder, cases: i64) -> anyhow::Result<()> {
    let options = SqliteConnectOptions::new().filename(data.database());
    let mut connection = SqliteConnection::connect_with(&options).await?;
    sqlx::query(
        "with recursive number(n) as (select 1 union all select n + 1 from number where n < $1)
         insert into cases (company_id, frame_id, title, user_id, created_at, item_count)
         select $2, $3, 'Water damage', $4,
                $5 - case when $1 - n < $6 then 60000 + ($1 - n) * 10000 else 2592000000 + ($1 - n) * 10000 end, 0
         from number",
    )
    .bind(cases)
    .bind(COMPANY)
    .bind(FRAME)
    .bind(USER)
    .bind(Clock::system().now().as_millis())
    .bind(IN_WINDOW)
    .execute(&mut connection)
    .await?;
    connection.close().await?;
    Ok(())
}
