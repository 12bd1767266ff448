//! The certificates of many cases as one ZIP archive, made while it is read (spec 4.3, 4.15; decisions 6, 10).
//!
//! The archive is built only while it is read: a client that hangs up drops the stream, and with it the remaining work.
//! An error ends the stream before the archive's directory is written, so that a partial archive cannot be mistaken for
//! a whole one.

use std::{io, sync::Arc, time::Duration};

use anyhow::anyhow;
use bytes::Bytes;
use futures_util::{
    StreamExt, TryStreamExt,
    stream::{self, BoxStream},
};

pub use super::zip_stream::Archive;
use super::{
    App,
    overview::Parts,
    package, seal,
    zip_stream::{self, OpenEntry, crc32_of, in_memory},
};
use crate::{
    clock::Timestamp,
    domain::{case::CaseReference, report::Contents},
    error::{Error, Result},
    store::{
        self,
        certificate::{CertificateFile, CertificateState},
        overview::CaseOverview,
    },
    zip::ZipFile,
};

/// How many certificates are opened ahead of the one being sent.
const AHEAD: usize = 4;
/// A certificate of at most this many bytes is read whole when it is opened: one trip to the disk instead of several.
const SMALL: i64 = 256 * 1024;
/// How long to wait for a certificate that is still being made. Others may be before it in the queue.
const TIMEOUT: Duration = Duration::from_mins(10);
/// How often the database is polled meanwhile: another process may be rendering.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// The archive of the closed ones among `cases`: `<cfRef>.pdf` or `<cfRef>.asice` for each, in order. A certificate is
/// followed by its evidence record `<cfRef>.ers` if `seal.evidence` is set and it has one. Waits for a certificate that is
/// still being made. If a certificate failed for good, or a package cannot be made now, `<cfRef>.missing.txt` takes its
/// place: it is never left out silently, and does not block the others.
pub(super) fn of(app: &Arc<App>, cases: Parts<CaseOverview>, contents: Contents) -> Archive {
    let app = Arc::clone(app);
    let closed = |part: Vec<CaseOverview>| {
        let wanted = part.into_iter().filter_map(|case| {
            let reference = case.reference();
            case.closed.map(|closed| ArchiveEntry { reference, closed_at: closed.at, certificate: closed.certificate })
        });
        stream::iter(wanted.map(Ok).collect::<Vec<Result<ArchiveEntry>>>())
    };
    let files = cases
        .map_ok(closed)
        .try_flatten()
        .map_ok(move |wanted| open(Arc::clone(&app), wanted, contents))
        .try_buffered(AHEAD)
        .map_ok(|opened| stream::iter(opened.into_iter().map(Ok::<OpenEntry, Error>)))
        .try_flatten();
    zip_stream::write(files.boxed())
}

/// The certificate of a closed case.
struct ArchiveEntry {
    reference: CaseReference,
    closed_at: Timestamp,
    certificate: CertificateState,
}

/// Empty if the case was deleted in the meantime.
async fn open(app: Arc<App>, mut wanted: ArchiveEntry, contents: Contents) -> Result<Vec<OpenEntry>> {
    let modified = wanted.closed_at;
    loop {
        let found = match wanted.certificate {
            CertificateState::Failed => return Ok(vec![notice("certificate", wanted.reference, modified)]),
            CertificateState::Ready(found) => found,
            CertificateState::Awaited => match wait_for_certificate(&app, wanted.reference).await? {
                Some(certificate) => {
                    wanted.certificate = certificate;
                    continue;
                }
                None => return Ok(Vec::new()),
            },
        };
        if contents == Contents::Packages {
            return Ok(packaged(&app, wanted.reference, modified).await?.into_iter().collect());
        }
        if let Some((bytes, crc32)) = read(&app, &found).await? {
            let size = u64::try_from(found.size).map_err(Error::internal)?;
            let file = ZipFile { name: format!("{}.pdf", wanted.reference), size, crc32, modified };
            let record = evidence(&app, wanted.reference, &found, modified).await?;
            return Ok([OpenEntry { file, bytes }].into_iter().chain(record).collect());
        }
        // Replaced or deleted since the row was read, or lost.
        match certificate_state(&app, wanted.reference).await? {
            None => return Ok(Vec::new()),
            Some(CertificateState::Ready(again)) if again.blob_key == found.blob_key => {
                let reference = wanted.reference;
                return Err(Error::internal(anyhow!("the PDF of {reference} is not in the blob store")));
            }
            Some(certificate) => wanted.certificate = certificate,
        }
    }
}

/// The evidence record of the PDF that was found.
async fn evidence(
    app: &App,
    reference: CaseReference,
    found: &CertificateFile,
    modified: Timestamp,
) -> Result<Option<OpenEntry>> {
    if !app.config.seal.evidence {
        return Ok(None);
    }
    let evidence = seal::evidence_of(&app.db, reference.case).await?;
    let evidence = evidence.filter(|evidence| evidence.blob_key == found.blob_key);
    Ok(evidence.map(|evidence| small(format!("{reference}.ers"), evidence.record.to_der().into(), modified)))
}

/// The package of a case whose certificate is ready. None if the case was deleted meanwhile.
async fn packaged(app: &Arc<App>, reference: CaseReference, modified: Timestamp) -> Result<Option<OpenEntry>> {
    match package::of_case(app, reference.case).await {
        Ok(package) => {
            let (size, crc32) = (package.size, package.crc32);
            let file = ZipFile { name: format!("{reference}.asice"), size, crc32, modified };
            return Ok(Some(OpenEntry { file, bytes: package.bytes.map_err(io::Error::other).boxed() }));
        }
        Err(Error::NotFound(_)) => return Ok(None),
        Err(Error::NotReady { .. }) => {}
        // An original is lost or changed. The other packages are made.
        Err(error @ Error::Internal(_)) => {
            tracing::error!(case = %reference, %error, "a package is missing from an archive");
        }
        Err(error) => return Err(error),
    }
    let is_there = certificate_state(app, reference).await?.is_some();
    Ok(is_there.then(|| notice("package", reference, modified)))
}

/// The PDF's bytes and their CRC. None if the blob does not exist.
async fn read(app: &App, found: &CertificateFile) -> Result<Option<(BoxStream<'static, io::Result<Bytes>>, u32)>> {
    let key = &found.blob_key;
    let noted = found.crc32.map(u32::try_from).transpose().map_err(Error::internal)?;
    if found.size <= SMALL {
        let Some(bytes) = app.blobs.get(key).await? else { return Ok(None) };
        let crc32 = noted.unwrap_or_else(|| crc32fast::hash(&bytes));
        return Ok(Some((in_memory(bytes), crc32)));
    }
    let crc32 = match noted {
        Some(crc32) => crc32,
        None => match crc32_of(app, key).await? {
            Some(crc32) => crc32,
            None => return Ok(None),
        },
    };
    Ok(app.blobs.stream(key, None).await?.map(|stream| (stream.bytes, crc32)))
}

/// Waits until a certificate is made or given up. None when the case is deleted.
async fn wait_for_certificate(app: &App, reference: CaseReference) -> Result<Option<CertificateState>> {
    let waiting = async {
        loop {
            // Before the database is read: a certificate that becomes ready in between must not be missed.
            let ready = app.wake.certificate.notified();
            match certificate_state(app, reference).await? {
                // A timeout is not an error: it is time to poll again.
                Some(CertificateState::Awaited) => drop(tokio::time::timeout(POLL_INTERVAL, ready).await),
                other => return Ok(other),
            }
        }
    };
    let late = || Error::internal(anyhow!("the certificate of {reference} was not made within {TIMEOUT:?}"));
    tokio::time::timeout(TIMEOUT, waiting).await.unwrap_or_else(|_| Err(late()))
}

/// The current state of the certificate.
async fn certificate_state(app: &App, reference: CaseReference) -> Result<Option<CertificateState>> {
    let mut reader = app.db.read().await?;
    Ok(store::certificate::find_state(&mut reader, reference.case).await?)
}

/// The file that replaces a certificate or a package that could not be made.
fn notice(what: &str, reference: CaseReference, modified: Timestamp) -> OpenEntry {
    let text = format!(
        "The {what} of case {reference} could not be made, so it is missing from this archive.\n\
         The case is closed and its evidence is kept. Please ask the operator of the service.\n"
    );
    small(format!("{reference}.missing.txt"), Bytes::from(text), modified)
}

/// A file of the archive that is in memory.
fn small(name: String, bytes: Bytes, modified: Timestamp) -> OpenEntry {
    let file = ZipFile { name, size: bytes.len() as u64, crc32: crc32fast::hash(&bytes), modified };
    OpenEntry { file, bytes: in_memory(bytes) }
}
