//! Certificates as everybody who knows their share token gets them (decisions 9).

use std::{sync::Arc, time::Duration};

use futures_util::TryStreamExt;

use super::{
    App,
    verification::{self, Account, Language, Subject},
};
use crate::{
    blobs::BlobStream,
    domain::case::CaseReference,
    error::{Error, Result},
    store::{
        self,
        certificate::{Certificate, CertificatePdf},
    },
};

/// How long a certificate that is still being rendered is waited for.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often the database is looked at meanwhile: another process may be rendering.
const LOOK: Duration = Duration::from_millis(500);

/// A certificate on its way out.
pub struct SharedCertificate {
    pub reference: CaseReference,
    /// Of the PDF, in lowercase hexadecimal.
    pub sha256: String,
    pub pdf: BlobStream,
}

/// Whether a certificate has this token, rendered or not.
pub async fn exists(app: &App, share_token: &str) -> Result<bool> {
    let mut tx = app.db.read().await?;
    Ok(store::certificate::find_by_share_token(&mut tx, share_token).await?.is_some())
}

/// The certificate behind a share token. One that is still being rendered is waited for, up to 30 s.
pub async fn certificate(app: &Arc<App>, share_token: &str) -> Result<SharedCertificate> {
    let (mut certificate, mut pdf) = tokio::time::timeout(PATIENCE, rendered(app, share_token))
        .await
        .unwrap_or_else(|_| Err(not_ready("the certificate is still being made")))?;
    let reference = CaseReference { case: certificate.case, company: certificate.frozen.company };
    loop {
        let key = pdf.blob_key.parse().map_err(Error::internal)?;
        if let Some(stream) = app.blobs.stream(&key, None).await? {
            return Ok(SharedCertificate { reference, sha256: pdf.sha256, pdf: stream });
        }
        let missing = pdf.blob_key;
        // Deleted with its case, replaced by one with a further time stamp, or lost.
        (certificate, pdf) = rendered(app, share_token).await?;
        if pdf.blob_key == missing {
            let case = certificate.case;
            return Err(Error::internal(anyhow::anyhow!("the PDF of case {case} is not in the blob store")));
        }
    }
}

/// What the certificate behind a share token proves, told in a language.
pub struct SharedAccount {
    pub reference: CaseReference,
    pub account: Account,
}

/// Checks the certificate behind a share token as whoever asks would: from its bytes, trusting this installation's roots.
pub async fn account(app: &Arc<App>, share_token: &str, language: Language) -> Result<SharedAccount> {
    let SharedCertificate { reference, sha256, pdf } = certificate(app, share_token).await?;
    let pdf: Vec<u8> = pdf
        .bytes
        .try_fold(Vec::new(), async |mut whole, piece| {
            whole.extend_from_slice(&piece);
            Ok(whole)
        })
        .await
        .map_err(Error::internal)?;
    let worker = Arc::clone(app);
    let recorded = verification::recorded(&app.db).await?;
    let check = move || verification::check_remembered(&worker, &sha256, &pdf, recorded);
    let checked = app.run_heavy(check).await?;
    let checked = checked.map_err(Error::internal)?;
    let subject = Subject { name: format!("{reference}.pdf") };
    Ok(SharedAccount { reference, account: Account::of(&checked, &subject, language) })
}

async fn rendered(app: &App, share_token: &str) -> Result<(Certificate, CertificatePdf)> {
    loop {
        // Before the look at the database: a certificate that gets ready in between must not be missed.
        let ready = app.wake.certificate.notified();
        let mut tx = app.db.read().await?;
        let certificate = store::certificate::find_by_share_token(&mut tx, share_token).await?;
        drop(tx);
        let certificate = certificate.ok_or_else(unknown)?;
        match certificate.pdf.clone() {
            Some(pdf) => return Ok((certificate, pdf)),
            None if certificate.failure.is_some() => return Err(not_ready("the certificate could not be made yet")),
            // Nobody told is no error: the time to look again has come.
            None => drop(tokio::time::timeout(LOOK, ready).await),
        }
    }
}

fn unknown() -> Error {
    Error::not_found("no certificate has this address")
}

fn not_ready(message: &str) -> Error {
    Error::NotReady { message: message.to_owned(), retry_after_seconds: 10 }
}
