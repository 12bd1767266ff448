//! The second part of `cargo xtask soak`: a server that makes certificates of twelve photos, two at a time, is killed
//! at random moments. In the end every closed case must have one valid certificate that proves its time.

use std::{fs, time::Duration};

use anyhow::{Context as _, ensure};
use bytes::Bytes;
use sealwright::clock::Clock;
use sealwright_seal::{
    Certificate, UnixTime,
    pki::TrustAnchor,
    verify::{self, Expectations, Outcome},
};
use serde_json::Value;

use crate::{
    certificate::{PHOTOS, draw_photos, marked},
    close::{identifier, waiting},
    create::create_case,
    load::{Call, Client},
    process::{form, upload},
    server::{DataFolder, PHOTO_STEP, Server},
};

/// Cases closed before each kill: more than are processed until then, so that there is always work to interrupt.
const CLOSED_AT_ONCE: usize = 2;
/// About as long as a certificate takes, including the scaling of its photos.
const LATEST_KILL_MILLIS: u64 = 2500;

/// Kills a server `kills` times. Fails if a certificate is missing, invalid, or does not prove its time.
pub(crate) fn run(kills: usize) -> anyhow::Result<()> {
    ensure!(kills > 0, "expected a number of kills");
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(kill_again_and_again(kills))
}

async fn kill_again_and_again(kills: usize) -> anyhow::Result<()> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    draw_photos(folder.path())?;
    let mut server = Server::start(DataFolder::new(None)?).await?;
    let mut random = kills as u64;
    let mut certificates = Vec::new();
    for kill in 0..kills {
        let mut client = server.clients(1).await?.remove(0);
        for _ in 0..CLOSED_AT_ONCE {
            certificates.push(close_a_case(&mut client, folder.path(), certificates.len()).await?);
        }
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        tokio::time::sleep(Duration::from_millis((random >> 33) % LATEST_KILL_MILLIS)).await;
        server = server.restart().await?;
        if (kill + 1) % 10 == 0 {
            println!("{:>4} kills, {} cases closed", kill + 1, certificates.len());
        }
    }
    let mut admin = Client::connect(server.admin, "none").await?;
    while waiting(&mut admin).await? > 0 {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let root = fs::read_to_string(server.data().folder().join("data/development-authority/root.pem"))?;
    let root = Certificate::from_pem_chain(&root)?.into_iter().next().context("an empty root.pem")?;
    let anchors = [TrustAnchor { certificate: root, development: true }];
    for path in &certificates {
        let pdf = Client::connect(server.address, "none").await?.send(Call::get(path.clone())).await?;
        let now = UnixTime::from_millis(Clock::system().now().as_millis())?;
        let report = verify::certificate(&pdf, &Expectations::trusting(&anchors, now, &[]));
        ensure!(report.outcome == Outcome::Valid, "{path} is not valid: {:?}", report.findings);
        ensure!(report.proven_time.is_some(), "{path} proves no time: {:?}", report.findings);
    }
    println!("{kills} kills: each of {} closed cases has a certificate that proves its time", certificates.len());
    Ok(())
}

/// Opens a case, adds twelve photos, closes it, and returns the path of its certificate.
async fn close_a_case(client: &mut Client, photos: &std::path::Path, number: usize) -> anyhow::Result<String> {
    let case = identifier(&client.send(create_case()).await?)?;
    for photo in 0..PHOTOS {
        let file: Bytes = marked(&fs::read(photos.join(format!("{photo}.jpg")))?, number);
        let form = form(PHOTO_STEP, "front.jpg", "image/jpeg", &file);
        client.send(upload(format!("/v2/items/{case}"), form)).await?;
    }
    let closed: Value = serde_json::from_slice(&client.send(Call::get(format!("/cases/close/{case}"))).await?)?;
    let url: hyper::Uri = closed["pdfUrl"].as_str().context("a closed case has a pdfUrl")?.parse()?;
    Ok(url.path().to_owned())
}
