//! How long a company waits for its certificate right after another one has closed hundreds of cases, compared with an
//! idle server. The rounds alternate.

use std::time::{Duration, Instant};

use anyhow::ensure;
use futures_util::future::try_join_all;
use hyper::StatusCode;
use serde_json::json;

use crate::{
    close::{identifier, waiting},
    create::create_case,
    load::{Call, Client, milliseconds},
    report::{Figure, Goal, Samples, Unit},
    server::{DataFolder, Server},
    strangers::close,
};

const ROUNDS: usize = 3;
/// How many cases the other company closes at once.
const BURST: usize = 500;
const BURST_CLIENTS: usize = 20;
/// A certificate that has not come by then never comes.
const TIMEOUT: Duration = Duration::from_mins(5);
const MOST_DELAY: f64 = 2.0;
/// The second company's frame: its manifest is the first one's with other identifiers.
const OTHER_FRAME: i64 = 20;

pub(crate) async fn measure() -> anyhow::Result<Vec<Figure>> {
    let data = DataFolder::new(None)?;
    data.apply_second_company()?;
    let server = Server::start(data).await?;
    let mut busy = server.clients(BURST_CLIENTS).await?;
    let token = server.sign_in_as("other").await?;
    let mut company = Client::connect(server.address, &token).await?;
    let mut admin = Client::connect(server.admin, "none").await?;
    // The first certificate starts the process that renders.
    certificate(&mut company).await?;

    let [mut idle, mut crowded] = [const { Samples::new(Unit::Milliseconds) }; 2];
    for _ in 0..ROUNDS {
        idle.push(milliseconds(certificate(&mut company).await?));
        close_many(&mut busy).await?;
        crowded.push(milliseconds(certificate(&mut company).await?));
        let left = waiting(&mut admin).await?;
        eprintln!("  {left} certificates of the other company were still to be made");
        ensure!(left > BURST / 4, "the burst was over before the company closed its case");
        let start = Instant::now();
        while waiting(&mut admin).await? > 0 {
            ensure!(start.elapsed() < TIMEOUT, "the other company's certificates did not come");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    Ok(vec![Figure {
        what: format!("closing to certificate, after another company closed {BURST} cases"),
        measured: crowded,
        against: Some(("the same on an idle server", idle)),
        goal: Some(Goal::AtMost(MOST_DELAY)),
    }])
}

/// Closes a case, waits for its certificate, and returns how long that took.
async fn certificate(client: &mut Client) -> anyhow::Result<Duration> {
    let open = Call::post("/cases/create", json!({ "frameId": OTHER_FRAME }).to_string(), StatusCode::CREATED);
    let case = identifier(&client.send(open).await?)?;
    let start = Instant::now();
    let path = close(client, case).await?;
    while client.send(Call::get(path.clone())).await.is_err() {
        ensure!(start.elapsed() < TIMEOUT, "the certificate of case {case} did not come");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    Ok(start.elapsed())
}

async fn close_many(clients: &mut [Client]) -> anyhow::Result<()> {
    let share = BURST / clients.len();
    let close_some = async |client: &mut Client| {
        let mut cases = Vec::with_capacity(share);
        for _ in 0..share {
            cases.push(identifier(&client.send(create_case()).await?)?);
        }
        for case in cases {
            close(client, case).await?;
        }
        anyhow::Ok(())
    };
    try_join_all(clients.iter_mut().map(close_some)).await?;
    Ok(())
}
