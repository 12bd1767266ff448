//! What a certificate that is made again would commit to, for an erasure.

use std::collections::BTreeMap;

use sealwright_seal::{Sha256Digest, manifest::Item};

use super::{
    material::{Evidence, load},
    seal_manifest, tokens,
};
use crate::{
    app::App,
    domain::id::{CaseId, ItemId},
    error::{Error, Result},
    store,
};

/// The root of the certificate that the rows of a case would give now, with the tokens that are stored, and the
/// commitment to each item.
pub(in crate::app) async fn commitments(
    app: &App,
    id: CaseId,
) -> Result<Option<(Sha256Digest, BTreeMap<ItemId, Sha256Digest>)>> {
    let Some((case, certificate, items)) = load(app, id).await? else { return Ok(None) };
    let Some(seed) = certificate.salt_seed.clone() else { return Ok(None) };
    let tokens = tokens::stored(app, &case, &items).await?;
    let erased = store::erasure::of_case(&mut app.db.read().await?, id).await?;
    let evidence = Evidence { case, certificate, items, tokens, records: Vec::new(), erased };
    let manifest = seal_manifest::of(&evidence, seed.as_bytes(), "").map_err(Error::internal)?;
    let Some(commitments) = &manifest.commitments else { return Ok(None) };
    let ids = evidence.items.iter().map(|item| item.id);
    let leaf = |(id, item): (ItemId, &Item)| item.leaf().map(|leaf| (id, leaf)).map_err(Error::internal);
    let leaves = ids.zip(&manifest.items).map(leaf);
    Ok(Some((commitments.root, leaves.collect::<Result<_>>()?)))
}
