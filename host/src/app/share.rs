//! Certificates, served to anyone who knows their share token (decisions 9).

use std::{sync::Arc, time::Duration};

use futures_util::TryStreamExt;
use sealwright_seal::Sha256Digest;

use super::{
    App,
    public_work::on_background_thread,
    seal,
    verification::{self, Account, CheckedCertificate, Language, NamedRecord, Subject},
};
use crate::{
    blobs::BlobStream,
    domain::{access_key::ShareToken, case::CaseReference},
    error::{Error, Result},
    store::{
        self,
        certificate::{Certificate, CertificatePdf},
    },
};

/// How long to wait for a certificate that is still being rendered.
const TIMEOUT: Duration = Duration::from_secs(30);
/// How often the database is polled meanwhile: another process may be rendering.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// A certificate to send.
pub struct SharedCertificate {
    pub reference: CaseReference,
    /// Of the PDF.
    pub sha256: Sha256Digest,
    pub pdf: BlobStream,
}

/// The token that `text`, the end of an address, is. 404 if no certificate has it, rendered or not.
pub async fn find(app: &App, text: &str) -> Result<ShareToken> {
    let share_token = ShareToken::parse(text).ok_or_else(unknown)?;
    let mut reader = app.db.read().await?;
    store::certificate::find_by_share_token(&mut reader, &share_token).await?.ok_or_else(unknown)?;
    Ok(share_token)
}

/// The certificate behind a share token. Waits up to 30 s if it is still being rendered.
pub async fn certificate(app: &Arc<App>, share_token: &ShareToken) -> Result<SharedCertificate> {
    let (mut certificate, mut pdf) = wait_for_rendering(app, share_token).await?;
    let reference = CaseReference { case: certificate.case, company: certificate.frozen.company };
    loop {
        let key = pdf.blob_key.clone();
        if let Some(stream) = app.blobs.stream(&key, None).await? {
            return Ok(SharedCertificate { reference, sha256: pdf.sha256, pdf: stream });
        }
        let missing = pdf.blob_key;
        // Deleted with its case, replaced by one with another time stamp, or lost.
        (certificate, pdf) = rendered(app, share_token).await?;
        if pdf.blob_key == missing {
            let case = certificate.case;
            return Err(Error::internal(anyhow::anyhow!("the PDF of case {case} is not in the blob store")));
        }
    }
}

/// The evidence record of a certificate.
pub struct SharedEvidence {
    pub reference: CaseReference,
    /// DER.
    pub record: Vec<u8>,
}

/// The evidence record of the certificate behind a share token. 404 if it has none.
pub async fn evidence(app: &App, share_token: &ShareToken) -> Result<SharedEvidence> {
    let mut reader = app.db.read().await?;
    let certificate = store::certificate::find_by_share_token(&mut reader, share_token).await?.ok_or_else(unknown)?;
    drop(reader);
    let record = seal::evidence_record(&app.db, certificate.case).await?;
    let record = record.ok_or_else(|| Error::not_found("the certificate has no evidence record yet"))?;
    let reference = CaseReference { case: certificate.case, company: certificate.frozen.company };
    Ok(SharedEvidence { reference, record: record.to_der() })
}

/// What the certificate behind a share token proves, in a language.
pub struct SharedAccount {
    pub reference: CaseReference,
    pub account: Account,
}

/// What the certificate behind a share token proves.
pub async fn account(app: &Arc<App>, share_token: &ShareToken, language: Language) -> Result<SharedAccount> {
    let (reference, checked) = checked(app, share_token).await?;
    let account = Account::of(&checked, &subject(reference), language);
    Ok(SharedAccount { reference, account })
}

/// Checks the certificate behind a share token as anyone would: from its bytes, trusting this installation's roots.
pub async fn checked(app: &Arc<App>, share_token: &ShareToken) -> Result<(CaseReference, Arc<CheckedCertificate>)> {
    let (certificate, pdf) = wait_for_rendering(app, share_token).await?;
    let checked = if let Some(checked) = verification::remembered(app, pdf.sha256) {
        checked
    } else {
        let (worker, token, size) = (Arc::clone(app), share_token.clone(), pdf.size);
        app.public_work.checks.run(pdf.sha256.to_string(), || check(worker, token, size)).await?
    };
    Ok((CaseReference { case: certificate.case, company: certificate.frozen.company }, checked))
}

/// The certificate of a case, by the name under which it is saved.
pub fn subject(reference: CaseReference) -> Subject {
    Subject { name: format!("{reference}.pdf") }
}

/// Reads a certificate of about `size` bytes, once there is room for it, and checks it.
async fn check(app: Arc<App>, share_token: ShareToken, size: i64) -> Result<Arc<CheckedCertificate>> {
    let reserved = app.public_work.checks.reserve(u64::try_from(size).map_err(Error::internal)?).await?;
    let SharedCertificate { reference, sha256, pdf: stream } = certificate(&app, &share_token).await?;
    let mut pdf = Vec::with_capacity(usize::try_from(stream.size).map_err(Error::internal)?);
    let mut pieces = stream.bytes;
    while let Some(piece) = pieces.try_next().await? {
        pdf.extend_from_slice(&piece);
    }
    let worker = Arc::clone(&app);
    let recorded = verification::recorded(&app.db).await?;
    // The PDF may have been replaced since it was opened.
    let evidence = seal::evidence_of(&app.db, reference.case).await?.filter(|evidence| evidence.sha256 == sha256);
    let record =
        evidence.map(|evidence| NamedRecord { name: format!("{reference}.ers"), der: evidence.record.to_der() });
    let check = move || verification::check_and_remember(&worker, sha256, &pdf, recorded, record.as_ref());
    on_background_thread(reserved, check).await?.map_err(Error::internal)
}

/// Waits for the certificate, up to 30 s.
async fn wait_for_rendering(app: &App, share_token: &ShareToken) -> Result<(Certificate, CertificatePdf)> {
    let rendered = tokio::time::timeout(TIMEOUT, rendered(app, share_token));
    rendered.await.unwrap_or_else(|_| Err(not_ready("the certificate is still being made")))
}

async fn rendered(app: &App, share_token: &ShareToken) -> Result<(Certificate, CertificatePdf)> {
    loop {
        // Before the database is read: a certificate that becomes ready in between must not be missed.
        let ready = app.wake.certificate.notified();
        let mut reader = app.db.read().await?;
        let certificate = store::certificate::find_by_share_token(&mut reader, share_token).await?;
        drop(reader);
        let certificate = certificate.ok_or_else(unknown)?;
        match certificate.pdf.clone() {
            Some(pdf) => return Ok((certificate, pdf)),
            None if certificate.failure.is_some() => return Err(not_ready("the certificate could not be made yet")),
            // A timeout is not an error: it is time to poll again.
            None => drop(tokio::time::timeout(POLL_INTERVAL, ready).await),
        }
    }
}

fn unknown() -> Error {
    Error::not_found("no certificate has this address")
}

fn not_ready(message: &str) -> Error {
    Error::NotReady { message: message.to_owned(), retry_after_seconds: 10 }
}
