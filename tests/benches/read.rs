//! The cheapest authenticated read, `GET /frames`, against a handler that returns the same bytes and does nothing else.

use std::{
    fs,
    io::{self, BufRead as _, BufReader, Write as _},
    net::SocketAddr,
    path::Path,
    process::{Child, Stdio},
    time::Duration,
};

use anyhow::Context as _;
use axum::{Router, http::header::CONTENT_TYPE, routing::get};
use bytes::Bytes;
use tokio::net::TcpListener;

use crate::{
    CLIENTS, ROUNDS, children,
    load::{Call, Client, drive},
    report::{Figure, Goal, Samples, Unit},
    server::{DataFolder, Server},
};

const ROUND: Duration = Duration::from_millis(800);

pub(crate) async fn measure() -> anyhow::Result<Vec<Figure>> {
    let server = Server::start(DataFolder::new(None)?).await?;
    let token = server.sign_in().await?;
    let mut own_clients = Client::connect_many(CLIENTS, server.address, &token).await?;
    let answer = own_clients[0].send(Call::get("/frames")).await?;
    let bare = BareServer::start(server.data().folder(), &answer)?;
    let mut bare_clients = Client::connect_many(CLIENTS, bare.address, &token).await?;

    let [mut own, mut theirs] = [const { Samples::new(Unit::PerSecond) }; 2];
    for clients in [&mut own_clients, &mut bare_clients] {
        drive(clients, ROUND / 2, || Some(Call::get("/frames"))).await?;
    }
    for _ in 0..ROUNDS {
        own.push(drive(&mut own_clients, ROUND, || Some(Call::get("/frames"))).await?.per_second());
        theirs.push(drive(&mut bare_clients, ROUND, || Some(Call::get("/frames"))).await?.per_second());
    }
    Ok(vec![Figure {
        what: "GET /frames, 64 clients".to_owned(),
        measured: own,
        against: Some(("bare axum handler, same bytes", theirs)),
        goal: Some(Goal::AtLeast(0.75)),
    }])
}

/// A process that serves a file at `/frames`.
struct BareServer {
    process: Child,
    address: SocketAddr,
}

impl BareServer {
    fn start(folder: &Path, answer: &[u8]) -> anyhow::Result<Self> {
        let file = folder.join("frames.json");
        fs::write(&file, answer)?;
        let arguments = ["serve-file", file.to_str().context("the target folder's path is UTF-8")?];
        let mut process = children::command(&arguments)?.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(process.stdout.take().context("the child's output is a pipe")?).read_line(&mut line)?;
        Ok(Self { process, address: line.trim().parse().context("the child did not print its address")? })
    }
}

impl Drop for BareServer {
    fn drop(&mut self) {
        // It may have ended by itself; there is nothing left to do then.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The child: prints its address and serves until it is killed.
pub(crate) fn serve_file(file: &Path) -> anyhow::Result<()> {
    let answer = Bytes::from(fs::read(file)?);
    let frames = move || async move { ([(CONTENT_TYPE, "application/json")], answer) };
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        writeln!(io::stdout(), "{}", listener.local_addr()?)?;
        axum::serve(listener, Router::new().route("/frames", get(frames))).await?;
        Ok(())
    })
}
