//! What is stored of an item's file: its facts, and a plugin's input made from them.

use bytes::Bytes;
use sealwright_facts::Facts;

use crate::{
    app::App,
    error::{Error, Result},
    plugins::facts::{Document, HeldBytes},
    store::{
        analysis::ItemAnalysis,
        item::{Item, ItemFile},
    },
};

/// The facts read from an item's file; none if it was not examined, or if they must not be kept.
pub(super) async fn stored_facts(app: &App, analysis: &ItemAnalysis) -> Result<Option<Facts>> {
    let Some(key) = &analysis.facts_key else { return Ok(None) };
    let Some(bytes) = app.blobs.get(key).await? else { return Ok(None) };
    Ok(Some(serde_json::from_slice(&bytes).map_err(Error::internal)?))
}

/// The hash for finding pictures that look alike.
pub(super) fn perceptual_hash(facts: &Facts) -> Option<u64> {
    u64::from_str_radix(&facts.image.as_ref()?.pixels.as_ref()?.dct_hash, 16).ok()
}

/// A document as plugins receive it.
pub(super) fn document_of(item: &Item, file: &ItemFile, content: Bytes, facts: &Facts) -> Document {
    sealwright_plugin_facts::document(facts, file.kind, HeldBytes(content), file.sha256.0, item.created_at)
}
