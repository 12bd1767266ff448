//! The certificate data of a closed case, without sealing anything: for the designer of a template.

use std::sync::Arc;

use super::{
    certificate_data, documents,
    material::{Evidence, load},
    originals,
    pictures::pictures,
    rendering::signer_of,
    seal_manifest, tokens,
};
use crate::{
    app::{App, appearance},
    certificate::{CertificateData, MAX_ATTACHMENTS, Sample, data::Seal},
    domain::id::CaseId,
    error::Result,
    store,
};

/// The data and pictures of a case's certificate; `None` if the case is not closed or does not exist. The time of its
/// seal is shown as pending: a preview does not query an authority.
pub async fn shown(app: &Arc<App>, id: CaseId) -> Result<Option<Sample>> {
    let Some((case, certificate, items)) = load(app, id).await? else { return Ok(None) };
    let tokens = tokens::stored(app, &case, &items).await?;
    let records = store::capture_record::of_case(&mut app.db.read().await?, id).await?;
    // Neither the seed nor the log's key is shown.
    let erased = store::erasure::of_case(&mut app.db.read().await?, id).await?;
    let evidence = Evidence { case, certificate, items, tokens, records, erased };
    let manifest = seal_manifest::of(&evidence, &[], "")?;
    let Evidence { case, certificate, items, tokens, erased, .. } = evidence;
    let captures = certificate_data::captures(&manifest);
    let extras = certificate.frozen.extras;
    let mut pictures = pictures(app, &items).await?;
    documents::add(app, &items, extras.show_documents, &mut pictures).await?;
    pictures.note_attachments(originals::names(&items, extras.embed_originals, MAX_ATTACHMENTS).into_iter());
    let logo = pictures.add(appearance::mark(app, certificate.frozen.logo).await?);
    let share_url = crate::app::case::certificate_url(app, &certificate.share_token);
    let signer = signer_of(app.seal_keys.signer().certificate(), app.seal_keys.is_development());
    let seal = Seal { signer, time: None, erased: certificate_data::erased(&erased)? };
    let data = certificate_data::of(&case, &certificate.frozen, &items, &pictures.shown, &tokens, seal, share_url)?;
    let data = certificate_data::without_erased_steps(CertificateData { captures, logo, ..data }, &erased);
    Ok(Some(Sample { name: format!("case {id}"), data, photos: pictures.files }))
}
