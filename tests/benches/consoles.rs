//! What people in the console cost the programs that use the interface: the slowest requests of a server under full load,
//! with 50 consoles in use and without. The rounds alternate.
//!
//! A person looks at a page for five seconds before the next one: the list of cases, a search, a case, by turns.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use bytes::Bytes;
use futures_util::future::{join_all, try_join_all};
use http_body_util::{BodyExt as _, Full};
use hyper::{
    Method, Request, StatusCode,
    client::conn::http1::{SendRequest, handshake},
    header::{CONTENT_TYPE, COOKIE, HOST, SET_COOKIE},
};
use hyper_util::rt::TokioIo;
use tokio::{net::TcpStream, time::sleep};

use crate::{
    CLIENTS,
    close::identifier,
    create::create_case,
    load::{drive, milliseconds},
    report::{Figure, Goal, Samples, Unit},
    server::{DataFolder, Server},
};

const CONSOLES: usize = 50;
const PAUSE: Duration = Duration::from_secs(5);
const ROUNDS: usize = 3;
const ROUND: Duration = Duration::from_secs(15);
const MOST_SLOWER: f64 = 1.2;
const PASSWORD: &str = "fifty others at work";

pub(crate) async fn measure() -> anyhow::Result<Vec<Figure>> {
    let server = Server::start(DataFolder::new(None)?).await?;
    server.data().add_console_user("people", PASSWORD)?;
    let mut clients = server.clients(CLIENTS).await?;
    let first = drive(&mut clients, Duration::from_secs(1), || Some(create_case())).await?;
    let case = identifier(first.answers.first().context("a case was opened")?)?;
    let mut consoles = try_join_all((0..CONSOLES).map(|_| Console::sign_in(server.address))).await?;

    let [mut alone, mut crowded] = [const { Samples::new(Unit::Milliseconds) }; 2];
    let mut pages = Samples::new(Unit::Milliseconds);
    for _ in 0..ROUNDS {
        let done = drive(&mut clients, ROUND, || Some(create_case())).await?;
        alone.push(slowest_percent(done.latencies));
        let end = Instant::now() + ROUND;
        let (done, looked) = tokio::join!(
            drive(&mut clients, ROUND, || Some(create_case())),
            join_all(consoles.iter_mut().enumerate().map(|(number, console)| console.look_around(number, case, end))),
        );
        crowded.push(slowest_percent(done?.latencies));
        let looked = looked.into_iter().collect::<anyhow::Result<Vec<_>>>()?.concat();
        ensure!(looked.len() >= CONSOLES, "only {} pages were read", looked.len());
        pages.push(slowest_percent(looked));
    }
    Ok(vec![
        Figure {
            what: format!("create under full load, with {CONSOLES} consoles in use, p99"),
            measured: crowded,
            against: Some(("without consoles", alone)),
            goal: Some(Goal::AtMost(MOST_SLOWER)),
        },
        Figure { what: "a page of the console meanwhile, p99".to_owned(), measured: pages, against: None, goal: None },
    ])
}

/// The latency that 99 of 100 requests do not exceed, in milliseconds.
fn slowest_percent(mut latencies: Vec<Duration>) -> f64 {
    latencies.sort_unstable();
    let place = (latencies.len() * 99 / 100).min(latencies.len().saturating_sub(1));
    latencies.get(place).copied().map_or(0.0, milliseconds)
}

/// A browser of someone who is signed in.
struct Console {
    sender: SendRequest<Full<Bytes>>,
    host: String,
    cookie: String,
}

impl Console {
    async fn sign_in(address: SocketAddr) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        let mut console = Self { sender, host: address.to_string(), cookie: String::new() };
        let form = format!("username=people&password={}", PASSWORD.replace(' ', "+"));
        let request = console.request(Method::POST, "/console/sign-in");
        let request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(Full::from(form))?;
        let response = console.sender.send_request(request).await?;
        ensure!(response.status() == StatusCode::SEE_OTHER, "the sign-in answers {}", response.status());
        let cookie = response.headers().get(SET_COOKIE).context("the sign-in sets a cookie")?.to_str()?;
        cookie.split(';').next().unwrap_or_default().clone_into(&mut console.cookie);
        response.into_body().collect().await?;
        Ok(console)
    }

    fn request(&self, method: Method, path: &str) -> hyper::http::request::Builder {
        Request::builder().method(method).uri(path).header(HOST, &self.host).header(COOKIE, &self.cookie)
    }

    /// Reads a page every few seconds until `end`, and returns how long each took. The consoles do not act in step.
    async fn look_around(&mut self, number: usize, case: i64, end: Instant) -> anyhow::Result<Vec<Duration>> {
        static TURN: AtomicUsize = AtomicUsize::new(0);
        sleep(PAUSE * u32::try_from(number)? / u32::try_from(CONSOLES)?).await;
        let mut took = Vec::new();
        while Instant::now() < end {
            let path = match TURN.fetch_add(1, Ordering::Relaxed) % 3 {
                0 => "/console/cases".to_owned(),
                1 => "/console/cases?q=water".to_owned(),
                _ => format!("/console/cases/{case}"),
            };
            let start = Instant::now();
            self.read(&path).await?;
            took.push(start.elapsed());
            sleep(PAUSE).await;
        }
        Ok(took)
    }

    async fn read(&mut self, path: &str) -> anyhow::Result<()> {
        let request = self.request(Method::GET, path).body(Full::default())?;
        self.sender.ready().await?;
        let response = self.sender.send_request(request).await?;
        ensure!(response.status() == StatusCode::OK, "{path} answers {}", response.status());
        response.into_body().collect().await?;
        Ok(())
    }
}
