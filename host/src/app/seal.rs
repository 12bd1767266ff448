//! Seals a closed case: from its rows and files to the signed and time-stamped PDF in the blob store.
//!
//! The certificate shows what the seal manifest says; both are made here from the same rows. Sealing ends in one
//! transaction ([`finish`]). No time stamp is ever made up: if no authority answers, the certificate says so, and gets
//! its time later ([`renew`]).

mod certificate_data;
mod commitments;
mod documents;
mod evidence;
mod material;
mod originals;
pub mod pending;
mod pictures;
mod rehearsal;
mod rendering;
mod renewal;
mod seal_manifest;
mod shown;
mod signature;
#[cfg(test)]
mod tests;
mod tokens;

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use sealwright_seal::Sha256Digest;

pub(super) use self::{commitments::commitments, rehearsal::rehearse};
pub use self::{
    evidence::{advance_evidence, evidence_of, evidence_record, renew_evidence},
    renewal::{enqueue_renewals, renew},
    shown::shown,
};
use self::{
    material::{Evidence, load},
    rendering::{Purpose, Rendering, render},
};
use super::{App, queue, seal_log};
use crate::{
    blobs::{BlobArea, BlobKey},
    clock::Timestamp,
    db::Tx,
    domain::{
        event::EventKind,
        id::{CaseId, ItemId},
        seal::SealLevel,
    },
    error::{Error, Result},
    store::{
        self,
        case::Case,
        certificate::CertificatePdf,
        job::{Job, JobKind, LeaseLost, Work},
    },
};

/// How long a case waits for the operator if the signing key has expired.
const WAIT_FOR_A_KEY: Duration = Duration::from_mins(5);
/// How soon a certificate whose time is pending is first checked again.
const FIRST_RENEWAL: Duration = Duration::from_secs(2);

/// Makes the certificate of a closed case and enqueues the case webhook, as one run of a [`JobKind::Seal`] job. A
/// second run, or a case deleted meanwhile, changes nothing.
pub async fn seal(app: &Arc<App>, job: &Job, id: CaseId) -> Result<()> {
    let Some((case, certificate, items)) = load(app, id).await? else {
        return finish(app, job, None).await;
    };
    if certificate.pdf.is_some() {
        return finish(app, job, None).await;
    }
    let now = app.clock.now();
    if let Err(error) = app.seal_keys.check_validity(now) {
        // The expired key is not used, and the case is not given up either.
        tracing::error!(%error, case = %case.reference(), "no certificate can be signed");
        return queue::wait_for(app, job, WAIT_FOR_A_KEY, "signing key", &error.to_string()).await;
    }
    let erased = store::erasure::of_case(&mut app.db.read().await?, id).await?;
    // The items of a successor are those of the first certificate, with the tokens that they had there.
    let tokens = if erased.is_empty() {
        tokens::of_items(app, &case, &items).await?
    } else {
        tokens::stored(app, &case, &items).await?
    };
    let replaced = erased.last().map(|item| item.predecessor);
    if replaced.is_some() {
        // Without its entry there is no successor: one that waits for the log is not rendered and stamped at each attempt.
        seal_log::check_running(app).await?;
    }
    let unstamped = items.iter().filter(|item| item.content.wants_time_stamp && !tokens.contains_key(&item.id));
    let unstamped = unstamped.map(|item| item.id).collect();
    let reference = case.reference();
    let records = store::capture_record::of_case(&mut app.db.read().await?, id).await?;
    let evidence = Evidence { case, certificate, items, tokens, records, erased };
    let Rendering { certificate: rendered, tokens: attached, manifest, log_key } =
        render(app, &evidence, Purpose::Seal, now).await?;
    let appended = seal_log::append_seal(app, id, manifest).await?;
    let is_logged = appended.is_ok();
    if let Some(predecessor) = replaced {
        seal_log::append_erasure(app, id, predecessor, manifest).await?;
    }
    let log_proof = match appended {
        // A new log may have been started since the manifest was written.
        Ok(proof) => Some(proof).filter(|proof| seal_log::is_proven_by(proof, manifest, &log_key)),
        Err(stopped) => {
            tracing::error!(
                %stopped,
                case = %reference,
                "a certificate is sealed, but its entry in the log of seals is pending"
            );
            None
        }
    };
    let is_witnessed = log_proof.as_ref().is_none_or(|proof| seal_log::is_witnessed(&app.config.witnesses, proof));
    let log_proof = log_proof.map(|proof| proof.to_string().into_bytes());
    let reason = format!("Seal of the evidence of case {reference}");
    let sealed = signature::sign(app, rendered.pdf, reason, attached, log_proof).await?;
    let is_complete = sealed.is_stamped_whole && sealed.authorities >= app.time.quorum() && is_logged && is_witnessed;
    let bytes = Bytes::from(sealed.bytes);
    let key = BlobKey::random(BlobArea::Certificates);
    let pages = i64::try_from(rendered.pages).map_err(Error::internal)?;
    let pdf = pdf_row(&key, &bytes, sealed.level, sealed.renew_before, pages, now)?;
    let pdf = CertificatePdf { manifest: Some(manifest), ..pdf };
    app.blobs.put(&key, bytes).await?;
    tracing::info!(case = %reference, pages = pdf.pages, bytes = pdf.size, level = %sealed.level, "certificate made");
    finish(
        app,
        job,
        Some(NewCertificate {
            case: evidence.case,
            pdf,
            key,
            unstamped,
            is_complete,
            is_successor: replaced.is_some(),
        }),
    )
    .await
}

/// The row of a PDF. Archives state its size and CRC before its bytes.
fn pdf_row(
    key: &BlobKey,
    bytes: &[u8],
    level: SealLevel,
    renew_before: Option<Timestamp>,
    pages: i64,
    rendered_at: Timestamp,
) -> Result<CertificatePdf> {
    Ok(CertificatePdf {
        blob_key: key.clone(),
        size: i64::try_from(bytes.len()).map_err(Error::internal)?,
        sha256: Sha256Digest::of(bytes),
        crc32: Some(crc32fast::hash(bytes).into()),
        pages,
        rendered_at,
        level: Some(level),
        renew_before,
        manifest: None,
    })
}

/// Gives up on a certificate that cannot be made: the webhook is then sent without its address (decisions 12). For a
/// successor it is not sent again, and the time since the closing says nothing.
pub async fn give_up(app: &Arc<App>, job: &Job, id: CaseId, error: &str) -> Result<()> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let given_up = store::case::find(&mut tx, id).await?;
    if let Some(case) = &given_up {
        // Before the certificate and the jobs, as a deletion does.
        store::case::lock(&mut tx, case.company, id).await?;
    }
    let is_successor = !store::erasure::of_case(&mut tx, id).await?.is_empty();
    store::certificate::set_failure(&mut tx, id, error).await?;
    if let Some(case) = &given_up {
        store::event::insert(&mut tx, case.company, id, EventKind::SealFailed, now).await?;
    }
    if !is_successor {
        store::job::enqueue(&mut tx, Work::DeliverCase(id), now).await?;
    }
    store::job::give_up(&mut tx, job, error).await?;
    tx.commit().await?;
    if let Some(case) = given_up.filter(|_| !is_successor) {
        count(app, &case, None);
    }
    app.wake.certificate.notify_waiters();
    app.wake.job(JobKind::DeliverCase).notify_one();
    Ok(())
}

/// Counts a certificate that was made, or given up if it has no level.
fn count(app: &App, case: &Case, level: Option<SealLevel>) {
    let closed_at = case.closed_at.unwrap_or(case.created_at);
    app.metrics.seal(level, app.clock.now().since(closed_at));
}

/// A certificate that is in the blob store but has no row yet.
struct NewCertificate {
    case: Case,
    pdf: CertificatePdf,
    key: BlobKey,
    /// Items whose tokens did not arrive in time: they are in the certificate without one.
    unstamped: Vec<ItemId>,
    /// Whether enough authorities stamped the whole file, with its place in the log of seals, which enough witnesses saw.
    is_complete: bool,
    /// Whether it replaces a certificate from which items were erased. The webhook was sent with the first one.
    is_successor: bool,
}

/// Stores the PDF's row, enqueues the webhook and, if the seal is incomplete, the renewal, and ends the job, all in one
/// transaction.
async fn finish(app: &App, job: &Job, finished: Option<NewCertificate>) -> Result<()> {
    let is_noted = match end(app, job, finished.as_ref()).await {
        // The worker that has the job now makes its own certificate.
        Err(error) if LeaseLost::is(&error) => Err(error),
        ended => Ok(ended?),
    };
    match (&is_noted, finished) {
        // The time since the closing says nothing about a successor.
        (Ok(true), Some(finished)) if finished.is_successor => {}
        (Ok(true), Some(finished)) => count(app, &finished.case, finished.pdf.level),
        (_, Some(finished)) => app.blobs.delete(&finished.key).await?,
        (_, None) => {}
    }
    is_noted?;
    app.wake.certificate.notify_waiters();
    app.wake.job(JobKind::DeliverCase).notify_one();
    Ok(())
}

/// Returns false if there is nothing to store, or it was already stored.
async fn end(app: &App, job: &Job, finished: Option<&NewCertificate>) -> Result<bool> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let is_noted = match finished {
        Some(finished) => note(&mut tx, finished, now).await?,
        None => false,
    };
    store::job::complete(&mut tx, job).await?;
    tx.commit().await?;
    Ok(is_noted)
}

/// Returns false if the certificate was already stored, or the case is gone.
async fn note(tx: &mut Tx, finished: &NewCertificate, now: Timestamp) -> Result<bool> {
    let NewCertificate { case: Case { id, company, .. }, pdf, unstamped, .. } = finished;
    // Before the certificate and the jobs, as a deletion does. The jobs of items without a token take the same lock, and
    // find the finished certificate: only tokens in the certificate are shown.
    if !store::case::lock(tx, *company, *id).await? {
        return Ok(false);
    }
    for item in unstamped {
        store::item_token::delete(tx, *item).await?;
    }
    if !store::certificate::set_pdf(tx, *id, pdf).await? {
        return Ok(false);
    }
    store::event::insert(tx, *company, *id, EventKind::Sealed, now).await?;
    if !finished.is_successor {
        store::job::enqueue(tx, Work::DeliverCase(*id), now).await?;
    }
    if !finished.is_complete {
        store::job::enqueue(tx, Work::RenewSeal(*id), now.after(FIRST_RENEWAL)).await?;
    }
    Ok(true)
}
