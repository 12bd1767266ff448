//! Appends time stamps to existing certificates: a pending time is added once an authority answers, a pending entry in
//! the log of seals is added, as are the cosignatures of the log's witnesses, and the newest time stamp gets another one over it before its certificates expire. The
//! earlier revisions stay as they are, byte for byte.

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use bytes::Bytes;
use sealwright_seal::{
    Sha256Digest,
    tlog::{cosignature::WitnessKey, proof::LogProof},
    verify::{ReachedLevel, cosigned_by, proves_seal, reached, time_stamp_tokens},
};

use super::signature::{self, SealedPdf};
use crate::{
    app::{
        App, backup, queue,
        seal_log::{self, Witnessing},
    },
    blobs::{BlobArea, BlobKey},
    clock::{Timestamp, random_bytes},
    domain::{id::CaseId, seal::SealLevel},
    error::{Error, Result},
    store::{
        self,
        certificate::{Certificate, CertificatePdf},
        job::{Job, JobKind, Work},
    },
    time_stamping::{NoTime, valid_until},
};

/// How long before its certificates expire a time stamp gets another one over it.
const MARGIN: Duration = Duration::from_hours(60 * 24);
/// How long a certificate with a pending entry in the log of seals waits.
const WAIT_FOR_THE_LOG: Duration = Duration::from_mins(1);
/// What a certificate waits for that is stamped, but by too few authorities.
const FURTHER_AUTHORITY: &str = "further time-stamping authority";
/// How soon a replaced certificate is checked again for missing parts.
const WAIT_AFTER_REPLACEMENT: Duration = Duration::from_secs(1);
/// How many certificates one sweep renews at most; the next sweep continues.
const MOST_AT_ONCE: i64 = 500;

/// Appends a time stamp to a certificate that needs one, as one run of a [`JobKind::RenewSeal`] job. A second run, or a case
/// deleted meanwhile, changes nothing.
///
/// The new PDF is stored in the blob store before it replaces the old one in the row; the old one is deleted
/// afterwards, and is named in the row until then.
pub async fn renew(app: &Arc<App>, job: &Job, id: CaseId) -> Result<()> {
    let Some(certificate) = find(app, id).await? else {
        return complete(app, job).await;
    };
    if let Some(replaced) = &certificate.replaced_blob_key {
        // An earlier run got this far.
        return delete_replaced(app, job, id, replaced).await;
    }
    let is_in_evidence = certificate.evidence.is_some();
    let Some(pdf) = certificate.pdf else { return complete(app, job).await };
    let is_due = !is_in_evidence && is_due(&pdf, app.clock.now());
    let was_pending = log_if_pending(app, id, pdf.manifest).await?;
    let witnessing = witnessing(app, pdf.manifest).await?;
    let must_look = was_pending || witnessing == Witnessing::Done || app.time.quorum() > 1;
    if !must_look && !is_due {
        return end(app, job, id, witnessing).await;
    }
    let key = pdf.blob_key.clone();
    let Some(bytes) = app.blobs.get(&key).await? else {
        return match find(app, id).await? {
            None => complete(app, job).await,
            Some(_) => Err(queue::missing_blob(format_args!("the PDF of case {id}"))),
        };
    };
    let log_proof = match pdf.manifest {
        // Also for a certificate that already has a proof: this one is under a newer checkpoint.
        Some(manifest) => seal_log::proof_of_seal(app, manifest).await?,
        None => None,
    };
    let (pdf_bytes, wanted) = (bytes.clone(), Wanted::of(app));
    let before = app.run_heavy(move || RenewalState::of(&pdf_bytes, log_proof.as_ref(), &wanted)).await?;
    let before = before.context("the stored file is not a certificate").map_err(Error::internal)?;
    let brings_proof = (was_pending && before.log_proof.is_some()) || before.brings_witnesses;
    let lacks_authorities = pdf.level.is_some() && before.authorities < app.time.quorum();
    // A time stamp that brings nothing else can wait for the witnesses.
    let can_wait = before.reached.document_time_stamps > 0 && !ends_soon(&pdf, app.clock.now());
    let waits = witnessing == Witnessing::Pending && can_wait;
    if !brings_proof && !lacks_authorities && (waits || !is_due) {
        return end(app, job, id, witnessing).await;
    }
    let may_repeat = brings_proof || (is_due && !can_wait);
    // Whether the log is open again is found out by trying soon.
    let is_logged = pdf.manifest.is_none() || before.log_proof.is_some();
    let (_, renewed) =
        signature::append(app, Vec::from(bytes), Vec::new(), before.log_proof.clone(), may_repeat).await?;
    match renewed {
        Ok(renewed) if brings_proof || before.is_worse_than(&renewed, &pdf) => {
            let brings_authority = lacks_authorities && renewed.authorities > before.authorities;
            replace(app, job, id, &pdf, renewed).await?;
            if brings_authority {
                // The others get one, too.
                queue::resume_waiting_for(app, FURTHER_AUTHORITY).await?;
            }
            Ok(())
        }
        Ok(_) if lacks_authorities && is_logged => await_further(app, job, witnessing, &NoTime::TooFew).await,
        Ok(_) => {
            tracing::debug!(case = %id, "the authorities' certificates expire no later than before");
            end(app, job, id, witnessing).await
        }
        Err(no_time) if lacks_authorities && is_logged && !may_repeat => {
            await_further(app, job, witnessing, &no_time).await
        }
        Err(no_time) => queue::await_time(app, job, &no_time).await,
    }
}

/// Enqueues the renewal of certificates whose newest time stamps expire soon, if an authority's certificates now expire
/// later; returns how many.
pub async fn enqueue_renewals(app: &App) -> Result<usize> {
    let now = app.clock.now();
    let mut reader = app.db.read().await?;
    let due = store::certificate::due_for_renewal(&mut reader, now.after(MARGIN), MOST_AT_ONCE).await?;
    drop(reader);
    if due.is_empty() {
        return Ok(0);
    }
    let trial = match app.time.stamp(Sha256Digest::of(random_bytes::<32>())).await {
        Ok(token) => valid_until(&token).as_millis(),
        Err(no_time) => {
            tracing::warn!(certificates = due.len(), %no_time, "time stamps expire soon and cannot be renewed");
            return Ok(0);
        }
    };
    if trial <= now.after(MARGIN).as_millis() {
        tracing::warn!(certificates = due.len(), "time stamps expire soon, and so does the authority's certificate");
        return Ok(0);
    }
    let mut tx = app.db.begin_maintenance().await?;
    for &id in &due {
        store::job::enqueue(&mut tx, Work::RenewSeal(id), now).await?;
    }
    tx.commit().await?;
    app.wake.job(JobKind::RenewSeal).notify_one();
    Ok(due.len())
}

/// Whether a certificate needs a time stamp. An unsigned one, from an older version, has nothing to stamp.
fn is_due(pdf: &CertificatePdf, now: Timestamp) -> bool {
    match (pdf.level, pdf.renew_before) {
        (None, _) => false,
        (Some(SealLevel::Archived), Some(_)) => ends_soon(pdf, now),
        (Some(_), _) => true,
    }
}

/// Whether the certificates of its newest time stamp expire soon.
fn ends_soon(pdf: &CertificatePdf, now: Timestamp) -> bool {
    pdf.renew_before.is_some_and(|end| end < now.after(MARGIN))
}

/// Appends a seal that was made while the log was stopped, if the log works now. Returns whether it did.
async fn log_if_pending(app: &App, id: CaseId, manifest: Option<Sha256Digest>) -> Result<bool> {
    let Some(manifest) = manifest else { return Ok(false) };
    let mut reader = app.db.read().await?;
    let is_logged = seal_log::has_seal(&mut reader, manifest).await?;
    drop(reader);
    Ok(!is_logged && seal_log::append_seal(app, id, manifest).await?.is_ok())
}

/// Whether enough witnesses have seen the seal of a manifest.
async fn witnessing(app: &App, manifest: Option<Sha256Digest>) -> Result<Witnessing> {
    match manifest {
        Some(manifest) => seal_log::witnessing(app, manifest).await,
        None => Ok(Witnessing::NotWanted),
    }
}

/// How many witnesses and authorities a certificate needs.
struct Wanted {
    /// The witnesses of the settings.
    keys: Vec<WitnessKey>,
    witnesses: usize,
    authorities: usize,
}

impl Wanted {
    fn of(app: &App) -> Self {
        let settings = &app.config.witnesses;
        let keys = settings.of_log.iter().map(|witness| witness.key.clone()).collect();
        Self { keys, witnesses: settings.quorum, authorities: app.time.quorum() }
    }
}

/// A certificate before its renewal.
struct RenewalState {
    reached: ReachedLevel,
    /// For the next revision. None if the seal is in another log than the one that the manifest names: a reader would
    /// consider the proof false.
    log_proof: Option<Vec<u8>>,
    /// Whether the proof has enough cosignatures of witnesses, and the certificate has none with enough yet.
    brings_witnesses: bool,
    /// How many independent authorities have stamped it, if more than one is needed; otherwise 1.
    authorities: usize,
}

impl RenewalState {
    fn of(pdf: &[u8], log_proof: Option<&LogProof>, wanted: &Wanted) -> Option<Self> {
        let reached = reached(pdf)?;
        let Wanted { keys, witnesses: quorum, authorities } = wanted;
        let authorities = if *authorities > 1 { signature::roots_of(&time_stamp_tokens(pdf)).len() } else { 1 };
        let log_proof = log_proof.filter(|proof| proves_seal(pdf, proof));
        let brings_witnesses = log_proof.is_some_and(|proof| proof.cosigned_by(keys) >= *quorum)
            && !keys.is_empty()
            && cosigned_by(pdf, keys) < *quorum;
        let log_proof = log_proof.map(|proof| proof.to_string().into_bytes());
        Some(Self { reached, log_proof, brings_witnesses, authorities })
    }

    /// Whether another time stamp is useful: without this check, an authority whose own certificate expires soon would
    /// make a certificate grow with every sweep.
    fn is_worse_than(&self, renewed: &SealedPdf, pdf: &CertificatePdf) -> bool {
        self.reached.document_time_stamps == 0
            || renewed.authorities > self.authorities
            || renewed.level > SealLevel::from(self.reached.level)
            || renewed.renew_before > pdf.renew_before
    }
}

async fn find(app: &App, id: CaseId) -> Result<Option<Certificate>> {
    let mut reader = app.db.read().await?;
    Ok(store::certificate::find(&mut reader, id).await?)
}

async fn replace(app: &Arc<App>, job: &Job, id: CaseId, old: &CertificatePdf, renewed: SealedPdf) -> Result<()> {
    let bytes = Bytes::from(renewed.bytes);
    let key = BlobKey::random(BlobArea::Certificates);
    let pdf = super::pdf_row(&key, &bytes, renewed.level, renewed.renew_before, old.pages, old.rendered_at)?;
    app.blobs.put(&key, bytes).await?;
    let mut tx = app.db.begin().await?;
    let is_replaced = store::certificate::replace_pdf(&mut tx, id, &old.blob_key, &pdf).await?;
    if !is_replaced {
        store::job::complete(&mut tx, job).await?;
    }
    tx.commit().await?;
    if !is_replaced {
        // The case is gone, or another run was faster.
        app.blobs.delete(&key).await?;
        return Ok(());
    }
    tracing::info!(case = %id, level = %renewed.level, bytes = pdf.size, "a certificate got a time stamp");
    delete_replaced(app, job, id, &old.blob_key).await
}

/// Readers of the old PDF are not interrupted: an open file outlives its name, and so does a download from a bucket.
async fn delete_replaced(app: &App, job: &Job, id: CaseId, replaced: &BlobKey) -> Result<()> {
    backup::turn::check_deletion(&app.db, app.clock.now()).await?;
    app.blobs.delete(replaced).await?;
    let mut tx = app.db.begin().await?;
    store::certificate::forget_replaced(&mut tx, id, replaced).await?;
    tx.commit().await?;
    if !app.config.witnesses.of_log.is_empty() || app.time.quorum() > 1 {
        // The next run finds out whether the new file has enough cosignatures and time stamps.
        let (part, reason) = ("next look at the certificate", "the certificate was just replaced");
        return queue::wait_for(app, job, WAIT_AFTER_REPLACEMENT, part, reason).await;
    }
    end(app, job, id, Witnessing::NotWanted).await
}

/// Ends the job, or reschedules it if the certificate's seal is not in the log, or if too few witnesses have seen it.
async fn end(app: &App, job: &Job, id: CaseId, witnessing: Witnessing) -> Result<()> {
    let mut reader = app.db.read().await?;
    let pdf = store::certificate::find(&mut reader, id).await?.and_then(|certificate| certificate.pdf);
    let is_pending = match pdf.and_then(|pdf| pdf.manifest) {
        Some(manifest) => !seal_log::has_seal(&mut reader, manifest).await?,
        None => false,
    };
    drop(reader);
    if is_pending {
        return queue::wait_for(app, job, WAIT_FOR_THE_LOG, "log of seals", "the log of seals has stopped").await;
    }
    if witnessing == Witnessing::Pending {
        return queue::wait_long(app, job, seal_log::WITNESSES, "too few witnesses have cosigned the log of seals")
            .await;
    }
    complete(app, job).await
}

/// Reschedules the job of a stamped certificate that lacks time stamps of further authorities, and perhaps cosignatures.
async fn await_further(app: &App, job: &Job, witnessing: Witnessing, no_time: &NoTime) -> Result<()> {
    let part = if witnessing == Witnessing::Pending { seal_log::WITNESSES } else { FURTHER_AUTHORITY };
    queue::wait_long(app, job, part, &no_time.to_string()).await
}

async fn complete(app: &App, job: &Job) -> Result<()> {
    let mut tx = app.db.begin().await?;
    store::job::complete(&mut tx, job).await?;
    Ok(tx.commit().await?)
}
