//! What unauthenticated clients can cost: the server's memory, and the response times of an unrelated company. That
//! company works during each attack and closes a case, whose certificate must be made.

use std::{
    io::Cursor,
    net::{IpAddr, SocketAddr},
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use futures_util::future::{join_all, try_join_all};
use hyper::StatusCode;
use image::{ImageFormat, RgbImage};
use serde_json::Value;
use tokio::{
    io::AsyncWriteExt as _,
    net::{TcpSocket, TcpStream},
};

use crate::{
    children::{forget_peak, memory_mib},
    close::identifier,
    create::create_case,
    load::{Call, Client, drive, milliseconds},
    process::{form, upload},
    report::{Figure, Goal, Samples, Unit},
    server::{DataFolder, PHOTO_STEP, Server},
};

/// How long the company works, with the attack and without.
const TIME: Duration = Duration::from_secs(4);
const COMPANY_CLIENTS: usize = 8;
/// Bodies that never end, their size, and how many come from each address.
const BODIES: usize = 2_000;
const BODY_BYTES: usize = 64 * 1024;
const BODIES_EACH: usize = 250;
const PICTURE_REQUESTS: usize = 150;
const PICTURE_BYTES: usize = 24 << 20;
const CHECKS: usize = 16;
/// Photos of noise, which are about 1.2 MB each in a certificate: 67 MB in all.
const PHOTOS: u64 = 56;
/// For the certificate of a case that is closed during an attack.
const TIMEOUT: Duration = Duration::from_mins(1);
const MOST_GROWTH: f64 = 256.0;
const MOST_DELAY: f64 = 2.0;

struct Scene {
    server: Server,
    company: Vec<Client>,
    closing: Client,
    /// The 99th percentile of the company's requests when nothing else happens, in milliseconds.
    calm: f64,
}

pub(crate) async fn measure() -> anyhow::Result<Vec<Figure>> {
    let server = Server::start(DataFolder::new(None)?).await?;
    let mut closing = server.clients(1).await?.remove(0);
    let picture = broken_picture(&mut closing).await?;
    let certificate = large_certificate(&mut closing).await?;
    // Only now: the server closes idle connections.
    let mut company = server.clients(COMPANY_CLIENTS).await?;
    work(&mut company).await?;
    let calm = work(&mut company).await?;
    let mut scene = Scene { server, company, closing, calm };

    let mut figures = Vec::new();
    let address = scene.server.address;
    figures.extend(
        scene
            .during("2,000 unfinished bodies", async || {
                let held = unfinished_bodies(address).await?;
                tokio::time::sleep(TIME).await;
                drop(held);
                Ok(())
            })
            .await?,
    );
    let what = "150 requests at once for one undecodable picture of 24 MB";
    figures.extend(
        scene
            .during(what, async || request_at_once(address, &picture, PICTURE_REQUESTS, StatusCode::NOT_FOUND).await)
            .await?,
    );
    let size = scene.closing.send(Call::get(certificate.clone())).await?.len() / 1_000_000;
    let (what, page) = (format!("16 checks at once of a certificate of {size} MB"), format!("{certificate}/verify"));
    figures.extend(scene.during(&what, async || request_at_once(address, &page, CHECKS, StatusCode::OK).await).await?);
    Ok(figures)
}

impl Scene {
    /// Makes an attack while the company works, and requires that a case that it closes is sealed.
    async fn during(
        &mut self,
        what: &str,
        attack: impl AsyncFn() -> anyhow::Result<()>,
    ) -> anyhow::Result<[Figure; 2]> {
        let process = self.server.process_id().to_string();
        forget_peak(&process)?;
        let before = memory_mib(&process, "VmRSS")?;
        let start = Instant::now();
        let timed = async {
            attack().await?;
            anyhow::Ok(start.elapsed())
        };
        let (attacked, p99, sealed) = tokio::join!(timed, work(&mut self.company), close_and_fetch(&mut self.closing));
        let (attacked, p99, sealed) = (attacked?, p99?, sealed?);
        let growth = memory_mib(&process, "VmHWM")? - before;
        eprintln!(
            "  {what}: {attacked:.1?}; a case closed during it was sealed after {sealed:.1?}; {before:.0} MiB before"
        );
        let samples = |unit, value| Samples::of(unit, [value]);
        Ok([
            Figure {
                what: format!("memory growth, {what}"),
                measured: samples(Unit::Mebibytes, growth),
                against: None,
                goal: Some(Goal::AtMost(MOST_GROWTH)),
            },
            Figure {
                what: format!("a company's p99, {what}"),
                measured: samples(Unit::Milliseconds, p99),
                against: Some(("the same without them", samples(Unit::Milliseconds, self.calm))),
                goal: Some(Goal::AtMost(MOST_DELAY)),
            },
        ])
    }
}

/// Reads and creates for [`TIME`], and returns the 99th percentile in milliseconds.
async fn work(clients: &mut [Client]) -> anyhow::Result<f64> {
    let number = std::cell::Cell::new(0_u32);
    let next = || {
        number.set(number.get() + 1);
        Some(if number.get().is_multiple_of(2) { Call::get("/frames") } else { create_case() })
    };
    let mut latencies = drive(clients, TIME, next).await?.latencies;
    latencies.sort_unstable();
    Ok(milliseconds(latencies[(latencies.len() - 1) * 99 / 100]))
}

/// Closes a case, waits for its certificate, and returns how long that took.
async fn close_and_fetch(client: &mut Client) -> anyhow::Result<Duration> {
    let case = identifier(&client.send(create_case()).await?)?;
    let start = Instant::now();
    let path = close(client, case).await?;
    while client.send(Call::get(path.clone())).await.is_err() {
        ensure!(start.elapsed() < TIMEOUT, "the certificate of case {case} did not come");
    }
    Ok(start.elapsed())
}

/// Closes a case and returns the path of its certificate.
pub(crate) async fn close(client: &mut Client, case: i64) -> anyhow::Result<String> {
    let closed = client.send(Call::get(format!("/cases/close/{case}"))).await?;
    let closed: Value = serde_json::from_slice(&closed)?;
    path_of(closed["pdfUrl"].as_str().context("a closed case has an address")?)
}

fn path_of(url: &str) -> anyhow::Result<String> {
    let at = url.match_indices('/').nth(2).context("an address has a path")?.0;
    Ok(url[at..].to_owned())
}

/// Uploads a picture whose start is a photo and whose rest is garbage, and returns its path.
async fn broken_picture(client: &mut Client) -> anyhow::Result<String> {
    let case = identifier(&client.send(create_case()).await?)?;
    let mut picture = noise(0, 64, 64)?;
    // In the middle of its tables.
    picture.truncate(300);
    picture.resize(PICTURE_BYTES, 0x55);
    let form = form(PHOTO_STEP, "broken.jpg", "image/jpeg", &picture);
    let added: Value = serde_json::from_slice(&client.send(upload(format!("/v2/items/{case}"), form)).await?)?;
    path_of(added["imageUrl"].as_str().context("a photo has an address")?)
}

/// Makes a certificate with photos that compress badly, and returns its path.
async fn large_certificate(client: &mut Client) -> anyhow::Result<String> {
    let case = identifier(&client.send(create_case()).await?)?;
    for seed in 1..=PHOTOS {
        let photo = noise(seed, 1600, 1200)?;
        let form = form(PHOTO_STEP, "noise.jpg", "image/jpeg", &photo);
        client.send(upload(format!("/v2/items/{case}"), form)).await?;
    }
    let path = close(client, case).await?;
    let start = Instant::now();
    while client.send(Call::get(path.clone())).await.is_err() {
        ensure!(start.elapsed() < 5 * TIMEOUT, "the large certificate did not come");
    }
    Ok(path)
}

/// A JPEG of coloured noise.
fn noise(seed: u64, width: u32, height: u32) -> anyhow::Result<Vec<u8>> {
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let picture = RgbImage::from_fn(width, height, |_, _| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let [red, green, blue, ..] = random.to_le_bytes();
        image::Rgb([red, green, blue])
    });
    let mut jpeg = Cursor::new(Vec::new());
    picture.write_to(&mut jpeg, ImageFormat::Jpeg)?;
    Ok(jpeg.into_inner())
}

/// Opens connections from many addresses and sends on each only the start of a body.
async fn unfinished_bodies(server: SocketAddr) -> anyhow::Result<Vec<TcpStream>> {
    let head = format!("POST /auth/token HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n", 1 << 20);
    let body = [head.as_bytes(), &vec![b' '; BODY_BYTES]].concat();
    let connect = |number: usize| {
        let body = &body;
        async move {
            let mut stream = connect_from(number / BODIES_EACH, server).await?;
            // What the server does not read waits in the sockets.
            let sent = tokio::time::timeout(Duration::from_millis(200), stream.write_all(body)).await;
            if let Ok(sent) = sent {
                sent?;
            }
            anyhow::Ok(stream)
        }
    };
    let mut held = Vec::new();
    for chunk in (0..BODIES).collect::<Vec<_>>().chunks(100) {
        held.extend(try_join_all(chunk.iter().map(|number| connect(*number))).await?);
    }
    Ok(held)
}

/// All of 127.0.0.0/8 is this machine: strangers use other addresses than the company.
async fn connect_from(stranger: usize, server: SocketAddr) -> anyhow::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::new(IpAddr::from([127, 0, 1, u8::try_from(stranger)?]), 0))?;
    Ok(socket.connect(server).await?)
}

/// Sends the same request from `count` clients at once. All must get the expected status.
async fn request_at_once(server: SocketAddr, path: &str, count: usize, expected: StatusCode) -> anyhow::Result<()> {
    let ask = async || {
        let mut client = Client::over(connect_from(9, server).await?, server, "none").await?;
        client.send(Call { expected, ..Call::get(path) }).await
    };
    join_all((0..count).map(|_| ask())).await.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    Ok(())
}
