//! The server as a process: how soon it is ready, its memory when idle, and the memory that uploads add.

use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::future::try_join_all;
use hyper::{Method, StatusCode};
use sealwright_lab::{Person, energy_bill};
use serde_json::json;

use crate::{
    ROUNDS,
    children::{forget_peak, memory_mib},
    close::identifier,
    create::create_case,
    load::{Call, milliseconds, per_second},
    report::{Figure, Goal, Samples, Unit},
    server::{COMPANY, DOCUMENT_STEP, DataFolder, Server},
};

/// After it is ready, until it has freed the memory of its start and no job runs.
const SETTLING: Duration = Duration::from_secs(1);
const UPLOADS: usize = 32;
/// The largest size of a document (decisions 8).
const DOCUMENT_BYTES: usize = 10 << 20;

pub(crate) async fn measure() -> anyhow::Result<Vec<Figure>> {
    // The first start compiles the plugins into their cache.
    let mut server = Server::start(DataFolder::new(None)?).await?;
    let (mut ready, mut idle) = (Samples::new(Unit::Milliseconds), Samples::new(Unit::Mebibytes));
    for _ in 0..ROUNDS {
        server = server.restart().await?;
        ready.push(milliseconds(server.ready_after));
        tokio::time::sleep(SETTLING).await;
        idle.push(memory_mib(&server.process_id().to_string(), "VmRSS")?);
    }
    Ok(vec![
        Figure {
            what: "start to ready, warm".to_owned(),
            measured: ready,
            against: None,
            goal: Some(Goal::AtMost(300.0)),
        },
        Figure { what: "memory when idle".to_owned(), measured: idle, against: None, goal: Some(Goal::AtMost(100.0)) },
    ])
}

pub(crate) async fn measure_upload() -> anyhow::Result<Vec<Figure>> {
    let server = Server::start(DataFolder::new(None)?).await?;
    let process = server.process_id().to_string();
    let mut clients = server.clients(UPLOADS).await?;
    let case = identifier(&clients[0].send(create_case()).await?)?;
    let form = form(DOCUMENT_STEP, "bill.pdf", "application/pdf", &document()?);
    let upload = || upload(format!("/v2/items/{case}/document"), form.clone());
    // One before, so that what the first upload sets up permanently is not counted.
    clients[0].send(upload()).await?;
    let (mut growth, mut rate) = (Samples::new(Unit::Mebibytes), Samples::new(Unit::PerSecond));
    for _ in 0..ROUNDS {
        forget_peak(&process)?;
        let (before, start) = (memory_mib(&process, "VmRSS")?, Instant::now());
        try_join_all(clients.iter_mut().map(|client| client.send(upload()))).await?;
        rate.push(per_second(UPLOADS, start.elapsed()));
        growth.push(memory_mib(&process, "VmHWM")? - before);
    }
    let what = |what: &str| format!("{what}, 10 MiB documents, {UPLOADS} at once");
    Ok(vec![
        Figure { what: what("memory growth"), measured: growth, against: None, goal: Some(Goal::AtMost(8.0)) },
        Figure { what: what("uploads"), measured: rate, against: None, goal: None },
    ])
}

/// A real PDF, padded with white space to the largest size of a document.
fn document() -> anyhow::Result<Vec<u8>> {
    let mut document = energy_bill(&Person::invented(1), 1)?;
    document.resize(DOCUMENT_BYTES, b'\n');
    Ok(document)
}

/// An upload of a [`form`].
pub(crate) fn upload(path: String, form: Bytes) -> Call {
    let content_type = "multipart/form-data; boundary=bench";
    Call { method: Method::POST, path, content_type, body: form, expected: StatusCode::OK }
}

/// The body of an upload (spec 4.11, 4.13).
pub(crate) fn form(step: i64, name: &str, media_type: &str, file: &[u8]) -> Bytes {
    let item = json!({
        "companyId": COMPANY,
        "stepId": step,
        "data": name,
        "clientAppName": "Bench",
        "clientAppVersion": "1.0.0",
        "frontCreatedAt": "2026-11-20T10:42:17.000+01:00",
        "geolocLatitude": "48.8566",
        "geolocLongitude": "2.3522",
    });
    let mut form = format!(
        "--bench\r\ncontent-disposition: form-data; name=\"createItemDto\"\r\n\r\n{item}\r\n--bench\r\n\
         content-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\ncontent-type: {media_type}\r\n\r\n"
    )
    .into_bytes();
    form.extend(file);
    form.extend(b"\r\n--bench--\r\n");
    form.into()
}
