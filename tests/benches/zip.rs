//! An archive of 1,000 certificates against a plain download of the same bytes, stored as one file in the blob store,
//! and the memory that the archive adds to the server. The certificates have one page: small files have the highest
//! overhead.

use std::{
    fs,
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use bytes::Bytes;
use sqlx::{Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};

use crate::{
    ROUNDS,
    children::{forget_peak, memory_mib},
    close::identifier,
    create::create_case,
    load::{Call, Client},
    report::{Figure, Goal, Samples, Unit},
    server::{DataFolder, Server},
};

const CERTIFICATES: usize = 1_000;
const ARCHIVE: &str = "/cases?format=zip";
const PLAIN: &str = "/share/case/plain";

pub(crate) async fn measure() -> anyhow::Result<Vec<Figure>> {
    let server = Server::start(DataFolder::new(None)?).await?;
    let mut client = server.clients(1).await?.remove(0);
    copy_certificate(&server, &mut client).await?;
    let process = server.process_id().to_string();
    let before = memory_mib(&process, "VmRSS")?;
    let archive = client.send(Call::get(ARCHIVE)).await?;
    keep_as_certificate(&server, &archive).await?;
    ensure!(client.send(Call::get(PLAIN)).await? == archive, "both contestants send the same bytes");
    drop(archive);

    let [mut zipped, mut plain, mut growth] = [const { Samples::new(Unit::Mebibytes) }; 3];
    for _ in 0..ROUNDS {
        forget_peak(&process)?;
        zipped.push(mebibytes_per_second(&mut client, ARCHIVE).await?);
        growth.push(memory_mib(&process, "VmHWM")? - before);
        plain.push(mebibytes_per_second(&mut client, PLAIN).await?);
    }
    Ok(vec![
        Figure {
            what: "archive of 1,000 certificates, MiB a second".to_owned(),
            measured: zipped,
            against: Some(("plain download, same bytes", plain)),
            goal: Some(Goal::AtLeast(0.6)),
        },
        Figure {
            what: "memory growth, archive of 1,000 certificates".to_owned(),
            measured: growth,
            against: None,
            goal: Some(Goal::AtMost(16.0)),
        },
    ])
}

/// The median rate of some downloads.
async fn mebibytes_per_second(client: &mut Client, path: &str) -> anyhow::Result<f64> {
    let mut rates = Vec::new();
    for _ in 0..3 {
        let start = Instant::now();
        let length = u32::try_from(client.send(Call::get(path)).await?.len())?;
        rates.push(f64::from(length) / f64::from(1_u32 << 20) / start.elapsed().as_secs_f64());
    }
    Ok(crate::report::median(rates))
}

/// Has the server make one certificate, and makes 999 copies of it, each a file of its own.
async fn copy_certificate(server: &Server, client: &mut Client) -> anyhow::Result<()> {
    let case = identifier(&client.send(create_case()).await?)?;
    client.send(Call::get(format!("/cases/close/{case}"))).await?;
    let mut database = open(server).await?;
    let model = loop {
        let made: Option<(String,)> = sqlx::query_as("select blob_key from certificates where blob_key is not null")
            .fetch_optional(&mut database)
            .await?;
        match made {
            Some((key,)) => break fs::read(server.data().folder().join("data/blobs").join(key))?,
            None => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    };
    for copy in 1..CERTIFICATES {
        let key = keep(server, copy, &model)?;
        let (id,): (i64,) = sqlx::query_as(
            "insert into cases (company_id, frame_id, title, created_at, closed_at, item_count)
             select company_id, frame_id, title, created_at, closed_at, 0 from cases where id = $1 returning id",
        )
        .bind(case)
        .fetch_one(&mut database)
        .await?;
        sqlx::query(
            "insert into certificates (case_id, share_token, frozen, blob_key, size, sha256, crc32, pages, rendered_at)
             select $2, 'copy-' || $2, frozen, $3, size, sha256, crc32, pages, rendered_at
             from certificates where case_id = $1",
        )
        .bind(case)
        .bind(id)
        .bind(key)
        .execute(&mut database)
        .await?;
    }
    database.close().await?;
    Ok(())
}

/// Stores the archive as the certificate of a case that no search finds.
async fn keep_as_certificate(server: &Server, archive: &Bytes) -> anyhow::Result<()> {
    let key = keep(server, CERTIFICATES, archive)?;
    let mut database = open(server).await?;
    sqlx::query(
        "insert into cases (company_id, frame_id, title, created_at, closed_at, item_count)
         select company_id, frame_id, title, 0, 0, 0 from cases limit 1",
    )
    .execute(&mut database)
    .await?;
    sqlx::query(
        "insert into certificates (case_id, share_token, frozen, blob_key, size, sha256, pages, rendered_at)
         select (select max(id) from cases), 'plain', frozen, $1, $2, 'plain', pages, rendered_at
         from certificates limit 1",
    )
    .bind(key)
    .bind(i64::try_from(archive.len())?)
    .execute(&mut database)
    .await?;
    database.close().await?;
    Ok(())
}

/// Writes bytes to the blob store without the server, and returns their key.
fn keep(server: &Server, number: usize, bytes: &[u8]) -> anyhow::Result<String> {
    let name = format!("{:02x}{number:030x}", number % 256);
    let key = format!("certificates/{}/{name}", &name[..2]);
    fs::write(server.data().folder().join("data/blobs").join(&key), bytes).context("storing a certificate")?;
    Ok(key)
}

async fn open(server: &Server) -> anyhow::Result<SqliteConnection> {
    let options = SqliteConnectOptions::new()
        .filename(server.data().database())
        .busy_timeout(Duration::from_secs(10))
        .synchronous(sqlx::sqlite::SqliteSynchronous::Off);
    Ok(SqliteConnection::connect_with(&options).await?)
}
