//! `cargo xtask bench phones 200`: many telephones fill their cases at once on one node. Each opens the case of its own link,
//! announces and sends ten photos by tus, and closes the case. Every third one has a bad line: it is slow, and its
//! connections end within a piece.

use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use futures_util::{future::try_join_all, stream};
use reqwest::{Body, Client, Method, RequestBuilder, Response, StatusCode};
use sealwright_lab::PhotoOptions;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::{
    children::memory_mib,
    load::{median_ms, milliseconds},
    server::{DataFolder, FRAME, PHOTO_STEP, Server},
};

const PHOTOS: u64 = 10;
const PHOTO_BYTES: usize = 3 << 20;
/// A good line sends a photo in one piece; a bad one in pieces of this size, one in four of which breaks off.
const BAD_PIECE: usize = 256 << 10;
/// The pause before each piece of a bad line: about 4 Mbit/s.
const BAD_PAUSE: Duration = Duration::from_millis(500);
/// Between two questions how much of a broken piece has arrived.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

pub(crate) fn run(count: usize) -> anyhow::Result<()> {
    ensure!(count > 0, "expected at least one telephone");
    // reqwest asks for a TLS provider, even for plain http.
    let _already_installed = rustls::crypto::ring::default_provider().install_default();
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(fill(count))
}

async fn fill(count: usize) -> anyhow::Result<()> {
    let server = Server::start(DataFolder::new(None)?).await?;
    let process = server.process_id().to_string();
    let idle = memory_mib(&process, "VmRSS")?;
    let base = format!("http://{}", server.address);
    let operator = Phone::new(&base, &server.sign_in().await?, 0)?;
    let photo = photo()?;
    let mut phones = Vec::new();
    for number in 1..=count {
        let link = operator.post("/link/create", &json!({ "frameId": FRAME, "maxUses": 1 }), 201).await?;
        let token = link["token"].as_str().context("a token")?;
        phones.push(Phone::new(&base, token, number as u64)?);
    }
    let start = Instant::now();
    let filled = try_join_all(phones.iter().map(|phone| phone.fill(&photo))).await?;
    let closed_after = start.elapsed();
    for case in &filled {
        operator.wait_for_certificate(&case.certificate).await?;
    }
    let sealed_after = start.elapsed();
    let pieces: Vec<Duration> = filled.iter().flat_map(|case| case.pieces.clone()).collect();
    let broken: usize = filled.iter().map(|case| case.broken).sum();
    let mut sorted = pieces.clone();
    sorted.sort();
    let bad = phones.iter().filter(|phone| phone.has_bad_line()).count();
    println!("telephones: {count}, {bad} of them with a bad line; photos of 3 MiB: {}", count as u64 * PHOTOS);
    println!("pieces: {}, and {broken} that broke off", pieces.len());
    println!(
        "answer to a piece: p50 {:.0} ms, p99 {:.0} ms",
        median_ms(pieces),
        milliseconds(sorted[sorted.len() * 99 / 100])
    );
    println!(
        "all closed after {:.0} s, all sealed after {:.0} s",
        closed_after.as_secs_f64(),
        sealed_after.as_secs_f64()
    );
    println!("memory of the server: {idle:.0} MiB idle, {:.0} MiB at most", memory_mib(&process, "VmHWM")?);
    Ok(())
}

/// A real photo, with bytes behind its end up to the size of a telephone's.
fn photo() -> anyhow::Result<Vec<u8>> {
    let mut photo =
        sealwright_lab::photo(&PhotoOptions { seed: 1, width: 2000, height: 1500, ..PhotoOptions::default() })?;
    photo.resize(PHOTO_BYTES, 0);
    Ok(photo)
}

struct Phone {
    http: Client,
    base: String,
    token: String,
    number: u64,
}

/// A case that was closed.
struct FilledCase {
    certificate: String,
    /// How long each answer to a whole piece took.
    pieces: Vec<Duration>,
    broken: usize,
}

impl Phone {
    fn new(base: &str, token: &str, number: u64) -> anyhow::Result<Self> {
        let http = Client::builder().no_proxy().build()?;
        Ok(Self { http, base: base.to_owned(), token: token.to_owned(), number })
    }

    fn has_bad_line(&self) -> bool {
        self.number.is_multiple_of(3)
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = if path.starts_with("http") { path.to_owned() } else { format!("{}{path}", self.base) };
        self.http.request(method, url).bearer_auth(&self.token).header("tus-resumable", "1.0.0")
    }

    async fn post(&self, path: &str, body: &Value, status: u16) -> anyhow::Result<Value> {
        let answer = expect(self.request(Method::POST, path).json(body).send().await?, status).await?;
        Ok(answer.json().await?)
    }

    async fn fill(&self, photo: &[u8]) -> anyhow::Result<FilledCase> {
        let case = self.post("/v2/capture/cases", &json!({}), 201).await?["caseId"].clone();
        let mut filled = FilledCase { certificate: String::new(), pieces: Vec::new(), broken: 0 };
        for number in 0..PHOTOS {
            // Each telephone's photos differ in their last bytes.
            let mut photo = photo.to_vec();
            let mark = photo.len() - 16;
            photo[mark..mark + 8].copy_from_slice(&self.number.to_be_bytes());
            photo[mark + 8..].copy_from_slice(&number.to_be_bytes());
            self.send(&case, number, photo, &mut filled).await?;
        }
        let closed = self.post(&format!("/v2/capture/cases/{case}/close"), &json!({}), 200).await?;
        closed["pdfUrl"].as_str().context("an address")?.clone_into(&mut filled.certificate);
        Ok(filled)
    }

    async fn send(&self, case: &Value, number: u64, photo: Vec<u8>, filled: &mut FilledCase) -> anyhow::Result<()> {
        let metadata = [
            ("caseId", case.to_string()),
            ("stepId", PHOTO_STEP.to_string()),
            ("filename", format!("{number}.jpg")),
            ("frontCreatedAt", "2026-11-20T10:42:17.000+01:00".to_owned()),
            ("latitude", "45.764043".to_owned()),
            ("longitude", "4.835659".to_owned()),
            ("clientAppName", "Telephone".to_owned()),
            ("clientAppVersion", "1".to_owned()),
            ("sha256", hex::encode(Sha256::digest(&photo))),
        ];
        let metadata = metadata.map(|(name, value)| format!("{name} {}", STANDARD.encode(value))).join(",");
        let request = self.request(Method::POST, "/v2/uploads").header("upload-length", photo.len());
        let created = expect(request.header("upload-metadata", metadata).send().await?, 201).await?;
        let url = created.headers().get("location").context("a location")?.to_str()?.to_owned();
        let size = if self.has_bad_line() { BAD_PIECE } else { photo.len() };
        let (mut start, mut attempt) = (0, number);
        while start < photo.len() {
            if self.has_bad_line() {
                tokio::time::sleep(BAD_PAUSE).await;
            }
            attempt += 1;
            let piece = photo[start..photo.len().min(start + size)].to_vec();
            if self.has_bad_line() && attempt.is_multiple_of(4) {
                filled.broken += 1;
                start = self.break_off(&url, start, &piece).await?;
                continue;
            }
            let sent = Instant::now();
            start += piece.len();
            expect(self.piece(&url, start - piece.len()).body(piece).send().await?, 204).await?;
            filled.pieces.push(sent.elapsed());
        }
        Ok(())
    }

    fn piece(&self, url: &str, start: usize) -> RequestBuilder {
        let request = self.request(Method::PATCH, url).header("upload-offset", start);
        request.header("content-type", "application/offset+octet-stream")
    }

    /// Sends the first half of a piece, ends the connection, and asks how much has arrived.
    async fn break_off(&self, url: &str, start: usize, piece: &[u8]) -> anyhow::Result<usize> {
        let half = piece[..piece.len() / 2].to_vec();
        let body = Body::wrap_stream(stream::iter([Ok(half), Err(std::io::Error::other("the line is gone"))]));
        ensure!(self.piece(url, start).body(body).send().await.is_err(), "the connection was to end");
        let mut pause = FIRST_PAUSE;
        loop {
            let answer = expect(self.request(Method::HEAD, url).send().await?, 200).await?;
            let offset = answer.headers().get("upload-offset").context("an offset")?.to_str()?.parse()?;
            if offset > start {
                return Ok(offset);
            }
            // A busy server may not have seen the end of the connection yet. More requests would exceed the quota.
            tokio::time::sleep(pause).await;
            pause = (2 * pause).min(LONGEST_PAUSE);
        }
    }

    async fn wait_for_certificate(&self, address: &str) -> anyhow::Result<()> {
        for _ in 0..600 {
            if self.http.get(address).send().await?.status() == StatusCode::OK {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        anyhow::bail!("no certificate after five minutes: {address}")
    }
}

async fn expect(answer: Response, status: u16) -> anyhow::Result<Response> {
    if answer.status().as_u16() == status {
        return Ok(answer);
    }
    anyhow::bail!("{} instead of {status}: {}", answer.status(), answer.text().await?)
}
