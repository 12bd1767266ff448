//! Sealing a closed case: from its rows and files to the PDF in the blob store.
//!
//! The certificate shows what the seal manifest says; both are made here from the same rows. The file's signature and
//! time stamps go in between rendering and storing (see [`seal`]).

mod certificate_data;
mod seal_manifest;

use std::sync::Arc;

use anyhow::Context;
use bytes::Bytes;
use sha2::{Digest, Sha256};

use super::{App, run_within};
use crate::{
    blobs::{BlobArea, BlobKey},
    certificate::RenderedCertificate,
    clock::Timestamp,
    domain::{id::CaseId, step::StepAction},
    error::{Error, Result},
    media::image,
    store::{
        self,
        case::Case,
        certificate::{Certificate, CertificatePdf},
        item::Item,
        job::{Job, JobKind},
    },
};

/// The longest side of a photo in a certificate, in pixels: sharp at a page's width, and a tenth of a phone's file.
const PHOTO_SIDE: u32 = 1600;

/// Makes the certificate of a closed case and hands over to the case webhook, as one run of a [`JobKind::Seal`] job. A
/// second run, or a case deleted meanwhile, changes nothing.
pub async fn seal(app: &Arc<App>, job: &Job) -> Result<()> {
    let Some(id) = CaseId::new(job.subject) else {
        return Err(Error::internal(anyhow::anyhow!("job {:?} names no case", job.id)));
    };
    let Some((case, certificate, items)) = load(app, id).await? else {
        return finish(app, job, id, None).await;
    };
    if certificate.pdf.is_some() {
        return finish(app, job, id, None).await;
    }
    let (now, reference) = (app.clock.now(), case.reference());
    let rendered = render(app, case, certificate, items, now).await?;
    // The seam of signature and time stamp: bytes of a PDF in, bytes of a sealed PDF out.
    let bytes = Bytes::from(rendered.pdf);
    let key = BlobKey::random(BlobArea::Certificates);
    let pdf = CertificatePdf {
        blob_key: key.to_string(),
        size: i64::try_from(bytes.len()).map_err(Error::internal)?,
        sha256: hex::encode(Sha256::digest(&bytes)),
        crc32: Some(crc32fast::hash(&bytes).into()),
        pages: i64::try_from(rendered.pages).map_err(Error::internal)?,
        rendered_at: now,
    };
    app.blobs.put(&key, bytes).await?;
    tracing::info!(case = %reference, pages = pdf.pages, bytes = pdf.size, "certificate made");
    finish(app, job, id, Some((pdf, key))).await
}

/// Gives up on a certificate that cannot be made: the webhook is then sent without its address (decisions 12).
pub async fn give_up(app: &Arc<App>, job: &Job, error: &str) -> Result<()> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    if let Some(id) = CaseId::new(job.subject) {
        store::certificate::set_failure(&mut tx, id, error).await?;
        store::job::enqueue(&mut tx, JobKind::DeliverCase, job.subject, now).await?;
    }
    store::job::give_up(&mut tx, job.id, error).await?;
    tx.commit().await?;
    app.wake.certificate.notify_waiters();
    app.wake.job(JobKind::DeliverCase).notify_one();
    Ok(())
}

async fn load(app: &App, id: CaseId) -> Result<Option<(Case, Certificate, Vec<Item>)>> {
    let mut tx = app.db.read().await?;
    let case = store::case::find(&mut tx, id).await?;
    let certificate = store::certificate::find(&mut tx, id).await?;
    let items = store::item::of_case(&mut tx, id).await?;
    Ok(case.zip(certificate).map(|(case, certificate)| (case, certificate, items)))
}

/// Notes the PDF, enqueues the webhook and ends the job, all in one transaction.
async fn finish(app: &App, job: &Job, id: CaseId, pdf: Option<(CertificatePdf, BlobKey)>) -> Result<()> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let mut unwanted = None;
    if let Some((pdf, key)) = pdf {
        if store::certificate::set_pdf(&mut tx, id, &pdf).await? {
            store::job::enqueue(&mut tx, JobKind::DeliverCase, id.get(), now).await?;
        } else {
            unwanted = Some(key);
        }
    }
    store::job::complete(&mut tx, job.id).await?;
    tx.commit().await?;
    app.wake.certificate.notify_waiters();
    app.wake.job(JobKind::DeliverCase).notify_one();
    if let Some(key) = unwanted {
        app.blobs.delete(&key).await?;
    }
    Ok(())
}

async fn render(
    app: &Arc<App>,
    case: Case,
    certificate: Certificate,
    items: Vec<Item>,
    now: Timestamp,
) -> Result<RenderedCertificate> {
    let manifest = seal_manifest::of(&case, &certificate.frozen, &items)?;
    let attached = manifest.to_canonical_json().context("writing the seal manifest")?;
    let pictures = pictures(app, &items).await?;
    let share_url = super::case::certificate_url(app, &certificate.share_token);
    let data = certificate_data::of(&case, &certificate.frozen, &items, &pictures.places, share_url)?;
    let (templates, name) = (Arc::clone(&app.templates), certificate.frozen.certificate_template);
    let rendered = run_within(&app.rendering, move || {
        anyhow::Ok(templates.renderer(&name)?.render(&data, pictures.files, &attached, now)?)
    });
    Ok(rendered.await?.context("rendering a certificate")?)
}

/// The photos and signatures of a case, ready to be placed on a page.
#[derive(Default)]
struct Pictures {
    files: Vec<Bytes>,
    /// For each item, its picture's place in `files`; none for an item without one, or one that cannot be decoded.
    places: Vec<Option<usize>>,
}

async fn pictures(app: &Arc<App>, items: &[Item]) -> Result<Pictures> {
    let mut pictures = Pictures::default();
    for item in items {
        let place = match picture(app, item).await? {
            Some(bytes) => {
                pictures.files.push(bytes);
                Some(pictures.files.len() - 1)
            }
            None => None,
        };
        pictures.places.push(place);
    }
    Ok(pictures)
}

/// An item's photo or signature, upright and scaled. One that cannot be decoded is left out and the certificate says so;
/// its hash stands.
async fn picture(app: &Arc<App>, item: &Item) -> Result<Option<Bytes>> {
    let (StepAction::Photography | StepAction::Signature, Some(file)) = (item.content.action, &item.content.file)
    else {
        return Ok(None);
    };
    let key = file.blob_key.parse().map_err(Error::internal)?;
    let Some(sent) = app.blobs.get(&key).await? else {
        return Err(Error::internal(anyhow::anyhow!("the file of {} is not in the blob store", item.reference())));
    };
    match app.run_heavy(move || image::for_certificate(&sent, PHOTO_SIDE)).await? {
        Ok(picture) => Ok(Some(Bytes::from(picture.bytes))),
        Err(error) => {
            tracing::warn!(item = %item.reference(), %error, "a picture cannot be shown in the certificate");
            Ok(None)
        }
    }
}
