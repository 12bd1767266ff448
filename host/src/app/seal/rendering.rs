//! Renders a certificate with its attachments. It is signed elsewhere.

use std::sync::Arc;

use anyhow::Context;
use sealwright_seal::{Certificate as X509, Sha256Digest, tsp::Token};

use super::{
    certificate_data, documents, material::Evidence, originals::originals, pictures::pictures, seal_manifest,
    tokens::Stamp,
};
use crate::{
    app::{App, appearance, case::certificate_url, published, seal_log, templates::CertificateInput},
    certificate::{
        Attachment, CertificateData, MAX_ATTACHMENTS, RenderedCertificate,
        data::{Seal, Signer},
    },
    clock::{Timestamp, random_bytes},
    error::{Error, Result},
};

/// A certificate that is not signed yet.
pub(super) struct Rendering {
    pub(super) certificate: RenderedCertificate,
    /// The tokens that are attached to it.
    pub(super) tokens: Vec<Token>,
    /// The digest of the seal manifest's bytes, as they are attached.
    pub(super) manifest: Sha256Digest,
    /// The key of the log that the manifest names.
    pub(super) log_key: String,
}

/// What a certificate is rendered for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Seal,
    /// To find out whether it can be made. No authority is asked.
    Rehearsal,
}

/// Renders the certificate with its attachments.
pub(super) async fn render(app: &Arc<App>, evidence: &Evidence, purpose: Purpose, now: Timestamp) -> Result<Rendering> {
    let Evidence { case, certificate, items, tokens, erased, .. } = evidence;
    let seed = certificate.salt_seed.as_ref().map_or_else(|| random_bytes::<32>().to_vec(), |seed| seed.clone().into());
    let log_key = seal_log::verifier_key(app).await?;
    let manifest = seal_manifest::of(evidence, &seed, &log_key)?;
    let root = manifest.commitments.as_ref().map(|commitments| commitments.root);
    if erased.iter().any(|item| Some(item.root) != root) {
        let cause = anyhow::anyhow!("the items of {} do not have the root that was sealed", case.reference());
        return Err(Error::internal(cause));
    }
    let captures = certificate_data::captures(&manifest);
    let manifest = manifest.to_canonical_json().context("writing the seal manifest")?;
    let manifest_sha256 = Sha256Digest::of(&manifest);
    let manifest_stamp = match purpose {
        Purpose::Seal => stamp_manifest(app, &manifest).await?,
        Purpose::Rehearsal => None,
    };
    let extras = certificate.frozen.extras;
    let mut pictures = pictures(app, items).await?;
    match purpose {
        Purpose::Seal => documents::add(app, items, extras.show_documents, &mut pictures).await?,
        Purpose::Rehearsal => documents::check(app, items, extras.show_documents).await?,
    }
    let logo = pictures.add(appearance::mark(app, certificate.frozen.logo).await?);
    let share_url = certificate_url(app, &certificate.share_token);
    let signer = app.seal_keys.signer();
    let seal = Seal {
        signer: signer_of(signer.certificate(), app.seal_keys.is_development()),
        time: manifest_stamp.as_ref().map(Stamp::shown),
        erased: certificate_data::erased(erased)?,
    };
    let mut attachments = vec![Attachment::seal_manifest(manifest)];
    attachments.extend(manifest_stamp.iter().map(|stamp| Attachment::manifest_token(stamp.token.der().to_vec())));
    for item in items {
        if let Some(stamp) = tokens.get(&item.id) {
            attachments.push(Attachment::item_token(&item.reference().to_string(), stamp.token.der().to_vec()));
        }
    }
    attachments.push(Attachment::chain(signer.chain().iter().map(X509::to_pem).collect()));
    let room = MAX_ATTACHMENTS.saturating_sub(attachments.len());
    let originals = originals(app, items, extras.embed_originals, room).await?;
    pictures.note_attachments(originals.iter().map(|original| Some(original.as_ref()?.name().to_owned())));
    attachments.extend(originals.into_iter().flatten());
    let data = certificate_data::of(case, &certificate.frozen, items, &pictures.shown, tokens, seal, share_url)?;
    let data = certificate_data::without_erased_steps(CertificateData { captures, logo, ..data }, erased);
    let input = CertificateInput { data, photos: pictures.files, attachments, now };
    published::have_template(app, &certificate.frozen.certificate_template).await?;
    let rendered = app.templates.render(&certificate.frozen.certificate_template, input).await;
    let rendered = rendered.context("rendering a certificate")?;
    let attached = tokens.values().chain(manifest_stamp.as_ref()).map(|stamp| stamp.token.clone()).collect();
    Ok(Rendering { certificate: rendered, tokens: attached, manifest: manifest_sha256, log_key })
}

/// A time stamp over the seal manifest, if enough authorities stamp it. The first one's is shown.
async fn stamp_manifest(app: &App, manifest: &[u8]) -> Result<Option<Stamp>> {
    let digest = Sha256Digest::of(manifest);
    let token = match app.time.stamp_by_quorum(digest).await {
        Ok(token) => token,
        Err(no_time) => {
            // The signature may get a time stamp nevertheless, by one authority.
            tracing::warn!(%no_time, "a certificate states no time");
            return Ok(None);
        }
    };
    Ok(Some(Stamp::new(token, &digest, &app.seal_keys)?))
}

pub(super) fn signer_of(certificate: &X509, development: bool) -> Signer {
    Signer {
        name: certificate.subject(),
        issuer: certificate.issuer(),
        certificate_sha256: certificate.fingerprint(),
        development,
    }
}
