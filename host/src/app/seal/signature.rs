//! Signs a rendered certificate, and appends time stamps to a signed one: bytes of a PDF in, bytes of a PDF out.
//!
//! Hashing and signing run on blocking threads; authorities are queried in between.

use std::{collections::BTreeSet, sync::Arc};

use anyhow::Context;
use sealwright_seal::{
    Certificate,
    pades::{PadesError, SignatureText, ValidationMaterial, prepare_signature, prepare_time_stamp},
    pki::SignError,
    tsp::Token,
    verify::{reached, time_stamp_tokens},
};

use crate::{
    app::App,
    clock::Timestamp,
    domain::seal::SealLevel,
    error::{Error, Result},
    signing::unix_time,
    time_stamping::{NoTime, valid_until},
};

/// A signed certificate, and how far its time is proven.
pub(super) struct SealedPdf {
    pub(super) bytes: Vec<u8>,
    pub(super) level: SealLevel,
    /// Whether it contains a time stamp over the whole file.
    pub(super) is_stamped_whole: bool,
    /// How many independent authorities have stamped it, if more than one is needed; otherwise 1.
    pub(super) authorities: usize,
    /// When the certificates of its newest time stamp expire; none while its time is pending.
    pub(super) renew_before: Option<Timestamp>,
}

/// Signs `pdf` and brings it to the highest level that the authorities' answers allow. `tokens` are those attached to
/// it, `log_proof` is its place in the log of seals, if it has one yet.
pub(super) async fn sign(
    app: &Arc<App>,
    pdf: Vec<u8>,
    reason: String,
    mut tokens: Vec<Token>,
    log_proof: Option<Vec<u8>>,
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
            tracing::warn!(%no_time, "a certificate is signed, but its time is pending");
            None
        }
    };
    let stamp = token.clone();
    let bytes = app.run_heavy(move || signed.finish(stamp.as_ref())).await?.context("signing a certificate")?;
    let Some(token) = token else {
        return sealed(app, bytes, None).await;
    };
    let renew_before = Some(end_of(&token));
    tokens.push(token);
    let mut archived = match append(app, bytes, tokens, log_proof, true).await? {
        (_, Ok(archived)) => archived,
        (bytes, Err(_)) => return sealed(app, bytes, renew_before).await,
    };
    while archived.authorities < app.time.quorum() {
        match append(app, std::mem::take(&mut archived.bytes), Vec::new(), None, false).await? {
            (_, Ok(next)) => archived = next,
            (bytes, Err(no_time)) => {
                tracing::warn!(%no_time, authorities = archived.authorities, "a certificate lacks time stamps");
                archived.bytes = bytes;
                break;
            }
        }
    }
    Ok(archived)
}

/// The names of the roots of the independent authorities that have stamped a certificate.
pub(super) fn roots_of(tokens: &[Token]) -> BTreeSet<String> {
    tokens.iter().filter_map(Token::root_name).collect()
}

/// Appends a time stamp over the whole certificate, and what is needed to check it without a network. If no authority
/// answers, returns the bytes and the reason. As long as too few independent authorities have stamped it, another one is
/// asked. If none of the others answers and `may_repeat` is set, one that has already stamped it is asked: the time stamp is
/// then needed for what it covers.
///
/// `log_proof` is the certificate's place in a log, if any: it is included in the time stamp's revision.
pub(super) async fn append(
    app: &Arc<App>,
    pdf: Vec<u8>,
    mut tokens: Vec<Token>,
    log_proof: Option<Vec<u8>>,
    may_repeat: bool,
) -> Result<(Vec<u8>, Result<SealedPdf, NoTime>)> {
    let (pdf, stamps, mut roots) = stamped_by(app, pdf).await?;
    if roots.len() >= app.time.quorum() {
        roots.clear();
    }
    // Gathering the material costs requests.
    if !may_repeat && !roots.is_empty() && !app.time.can_ask_another(&roots) {
        return Ok((pdf, Err(NoTime::TooFew)));
    }
    // The newest time stamp will no longer be the newest: its chain is needed, too.
    tokens.extend(stamps);
    let material = material(app, tokens).await?;
    let preparing = move || {
        let prepared = prepare_time_stamp(&pdf, Some(&material), log_proof.as_deref())?;
        let digest = prepared.digest();
        anyhow::Ok((pdf, prepared, digest))
    };
    let (pdf, prepared, digest) = app.run_heavy(preparing).await?.context("preparing a certificate's time stamp")?;
    let answer = match app.time.stamp_by_another(digest, &roots).await {
        Err(_) if may_repeat && !roots.is_empty() => app.time.stamp(digest).await,
        answer => answer,
    };
    let token = match answer {
        Ok(token) => token,
        Err(no_time) => return Ok((pdf, Err(no_time))),
    };
    let renew_before = Some(end_of(&token));
    let bytes = app.run_heavy(move || prepared.finish(&token)).await?.context("time-stamping a certificate")?;
    Ok((pdf, Ok(sealed(app, bytes, renew_before).await?)))
}

/// The tokens on a certificate and the roots of the authorities. Empty if one authority is enough: then they are not needed.
async fn stamped_by(app: &Arc<App>, pdf: Vec<u8>) -> Result<(Vec<u8>, Vec<Token>, BTreeSet<String>)> {
    if app.time.quorum() == 1 {
        return Ok((pdf, Vec::new(), BTreeSet::new()));
    }
    app.run_heavy(move || {
        let tokens = time_stamp_tokens(&pdf);
        let roots = roots_of(&tokens);
        (pdf, tokens, roots)
    })
    .await
}

/// The finished bytes and their level, computed by the same function as in `sealwright verify`.
async fn sealed(app: &Arc<App>, bytes: Vec<u8>, renew_before: Option<Timestamp>) -> Result<SealedPdf> {
    let quorum = app.time.quorum();
    let examine = move || {
        let reached = reached(&bytes).context("the finished file is not a certificate")?;
        let (level, is_stamped_whole) = (reached.level.into(), reached.document_time_stamps > 0);
        let authorities = if quorum > 1 { roots_of(&time_stamp_tokens(&bytes)).len() } else { 1 };
        anyhow::Ok(SealedPdf { bytes, level, is_stamped_whole, authorities, renew_before })
    };
    Ok(app.run_heavy(examine).await??)
}

/// What a reader needs to check everything without a network. If an issuer does not answer now, its status is left out,
/// and readers report that it is missing: a seal does not wait.
async fn material(app: &Arc<App>, tokens: Vec<Token>) -> Result<ValidationMaterial> {
    let (gathering, now) = (Arc::clone(app), app.clock.now());
    let made = app.run_heavy(move || {
        let anchored = anchored(&gathering, &tokens);
        anyhow::Ok((gathering.seal_keys.validation_material(&tokens, now)?, anchored))
    });
    let (mut material, anchored) = made.await?.context("gathering the validation material of a certificate")?;
    let found = app.revocation.of(&material.certificates, &anchored, &material.revocation_lists).await;
    if !found.missing.is_empty() {
        tracing::info!(missing = found.missing.join("; "), "a certificate lacks the revocation status of these");
    }
    material.revocation_lists.extend(found.lists);
    material.ocsp_responses.extend(found.answers);
    Ok(material)
}

/// The certificates whose issuers the operator trusts: those of the signer, and those of tokens whose chain leads to a root
/// in `seal.trust`.
fn anchored(app: &App, tokens: &[Token]) -> Vec<Certificate> {
    let mut anchored = app.seal_keys.signer().chain().to_vec();
    let mut seen: Vec<&[Certificate]> = Vec::new();
    for token in tokens {
        // Hundreds of tokens of one authority have the same certificates.
        if !seen.contains(&token.certificates()) {
            seen.push(token.certificates());
            if app.time.is_anchored(token) {
                anchored.extend_from_slice(token.certificates());
            }
        }
    }
    anchored
}

/// If a key does not sign, its device is unavailable: no input makes a key fail.
fn of_signing(error: PadesError) -> Error {
    let is_of_key = matches!(error, PadesError::Sign(SignError::Key(_)));
    let cause = anyhow::Error::new(error).context("signing a certificate");
    if is_of_key { Error::Unavailable { part: "signing device", cause } } else { Error::internal(cause) }
}

pub(super) fn end_of(token: &Token) -> Timestamp {
    Timestamp::from_millis(valid_until(token).as_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_device_is_temporary_and_an_unsuitable_file_is_not() {
        let of_device = of_signing(PadesError::Sign(SignError::Key("CKR_DEVICE_REMOVED".to_owned())));
        assert!(matches!(of_device, Error::Unavailable { part: "signing device", .. }), "{of_device:?}");
        assert!(of_device.is_temporary());
        let of_file = of_signing(PadesError::Unsuitable("has no page"));
        assert!(!of_file.is_temporary(), "{of_file:?}");
    }
}
