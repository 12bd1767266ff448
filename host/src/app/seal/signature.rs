//! Signing a rendered certificate, and appending time stamps to a signed one: bytes of a PDF in, bytes of a PDF out.
//!
//! Hashing and signing run on threads that may be kept busy; authorities are asked in between.

use std::sync::Arc;

use anyhow::Context;
use sealwright_seal::{
    pades::{PadesError, SignatureText, ValidationMaterial, prepare_signature, prepare_time_stamp},
    pki::SignError,
    tsp::Token,
};

use crate::{
    app::App,
    clock::Timestamp,
    domain::seal::SealLevel,
    error::{Error, Result},
    signing::unix_time,
    time_stamping::{NoTime, valid_until},
};

/// A certificate that is signed, and how far its time is proven.
pub(super) struct SealedPdf {
    pub(super) bytes: Vec<u8>,
    pub(super) level: SealLevel,
    /// When the certificates of its newest time stamp end; none while its time is pending.
    pub(super) renew_before: Option<Timestamp>,
}

/// Signs `pdf` and brings it as far as the authorities' answers allow. `tokens` are those attached to it, `log_proof` is its
/// place in the log of seals.
pub(super) async fn sign(
    app: &Arc<App>,
    pdf: Vec<u8>,
    reason: String,
    mut tokens: Vec<Token>,
    log_proof: Vec<u8>,
) -> Result<SealedPdf> {
    let (signer, now) = (Arc::clone(app.seal_keys.signer()), unix_time(app.clock.now()).map_err(Error::internal)?);
    let signing = move || {
        let name = signer.certificate().subject();
        let text = SignatureText { name: &name, reason: &reason, time: now };
        prepare_signature(&pdf, &text)?.sign(&signer)
    };
    let signed = app.run_heavy(signing).await?.map_err(of_signing)?;
    let token = match app.time.stamp(signed.digest_to_stamp()).await {
        Ok(token) => Some(token),
        Err(no_time) => {
            tracing::warn!(%no_time, "a certificate is signed and its time is pending");
            None
        }
    };
    let stamp = token.clone();
    let bytes = app.run_heavy(move || signed.finish(stamp.as_ref())).await?.context("signing a certificate")?;
    let Some(token) = token else {
        return Ok(SealedPdf { bytes, level: SealLevel::Signed, renew_before: None });
    };
    let renew_before = Some(end_of(&token));
    tokens.push(token);
    let (bytes, archived) = append(app, bytes, tokens, Some(log_proof)).await?;
    Ok(archived.unwrap_or(SealedPdf { bytes, level: SealLevel::TimeStamped, renew_before }))
}

/// Appends a time stamp over the whole of a certificate, and what is needed to check it without a network. Where no authority
/// answers, it gives back the bytes and why there is none.
///
/// `log_proof` is the certificate's place in a log, where there is one: it travels in the time stamp's revision.
pub(super) async fn append(
    app: &Arc<App>,
    pdf: Vec<u8>,
    tokens: Vec<Token>,
    log_proof: Option<Vec<u8>>,
) -> Result<(Vec<u8>, Result<SealedPdf, NoTime>)> {
    let material = material(app, tokens).await?;
    let preparing = move || {
        let prepared = prepare_time_stamp(&pdf, Some(&material), log_proof.as_deref())?;
        let digest = prepared.digest();
        anyhow::Ok((pdf, prepared, digest))
    };
    let (pdf, prepared, digest) = app.run_heavy(preparing).await?.context("preparing a certificate's time stamp")?;
    let token = match app.time.stamp(digest).await {
        Ok(token) => token,
        Err(no_time) => return Ok((pdf, Err(no_time))),
    };
    let renew_before = Some(end_of(&token));
    let bytes = app.run_heavy(move || prepared.finish(&token)).await?.context("time-stamping a certificate")?;
    Ok((pdf, Ok(SealedPdf { bytes, level: SealLevel::Archived, renew_before })))
}

/// What a reader needs to check everything without a network. What an issuer does not tell now is left out, and readers are
/// told that the file does not say: a seal waits for nobody.
async fn material(app: &Arc<App>, tokens: Vec<Token>) -> Result<ValidationMaterial> {
    let (keys, now) = (Arc::clone(&app.seal_keys), app.clock.now());
    let made = app.run_heavy(move || keys.validation_material(&tokens, now)).await?;
    let mut material = made.context("gathering what a certificate is checked with")?;
    let found = app.revocation.of(&material.certificates, &material.revocation_lists).await;
    if !found.missing.is_empty() {
        tracing::info!(missing = found.missing.join("; "), "a certificate does not carry whether these were revoked");
    }
    material.revocation_lists.extend(found.lists);
    material.ocsp_responses.extend(found.answers);
    Ok(material)
}

/// A key that does not sign is in a device that is away: no input makes one fail.
fn of_signing(error: PadesError) -> Error {
    let is_of_key = matches!(error, PadesError::Sign(SignError::Key(_)));
    let cause = anyhow::Error::new(error).context("signing a certificate");
    if is_of_key { Error::Unavailable { part: "signing device", cause } } else { Error::internal(cause) }
}

fn end_of(token: &Token) -> Timestamp {
    Timestamp::from_millis(valid_until(token).as_millis())
}
