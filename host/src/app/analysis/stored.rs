//! What is stored of an item's file: its facts, what a document states, and a plugin's input made from them.

use bytes::Bytes;
use sealwright_facts::Facts;
use serde::{Deserialize, Serialize};

use crate::{
    app::App,
    error::{Error, Result},
    plugins::facts::{Document, HeldBytes, StatedValue},
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

/// The blob of the facts of a file. What a document states is one more field of the same object, so it is written, read
/// and deleted with the facts.
#[derive(Serialize)]
struct WithStated<'a> {
    #[serde(flatten)]
    facts: &'a Facts,
    #[serde(skip_serializing_if = "Option::is_none")]
    stated: Option<&'a [StatedValue]>,
}

#[derive(Deserialize)]
struct OnlyStated {
    #[serde(default)]
    stated: Option<Vec<StatedValue>>,
}

/// The bytes of the blob.
pub(super) fn with_stated(facts: &Facts, stated: Option<&[StatedValue]>) -> Result<Bytes> {
    Ok(Bytes::from(serde_json::to_vec(&WithStated { facts, stated }).map_err(Error::internal)?))
}

/// What a document states; none if no plugin read it, or if it is not kept.
pub(super) async fn stored_stated(app: &App, analysis: &ItemAnalysis) -> Result<Option<Vec<StatedValue>>> {
    let Some(key) = &analysis.facts_key else { return Ok(None) };
    let Some(bytes) = app.blobs.get(key).await? else { return Ok(None) };
    Ok(serde_json::from_slice::<OnlyStated>(&bytes).map_err(Error::internal)?.stated)
}

/// The hash for finding pictures that look alike.
pub(super) fn perceptual_hash(facts: &Facts) -> Option<u64> {
    u64::from_str_radix(&facts.image.as_ref()?.pixels.as_ref()?.dct_hash, 16).ok()
}

/// A document as plugins receive it.
pub(super) fn document_of(item: &Item, file: &ItemFile, content: Bytes, facts: &Facts) -> Document {
    sealwright_plugin_facts::document(facts, file.kind, HeldBytes(content), file.sha256.0, item.created_at)
}

#[cfg(test)]
mod tests {
    use sealwright_facts::Limits;

    use super::*;
    use crate::plugins::facts::{Origin, Place, Rectangle};

    fn stated() -> StatedValue {
        StatedValue {
            kind: "iban".to_owned(),
            text: "FR14 2004".to_owned(),
            value: "FR142004".to_owned(),
            place: Some(Place { page: 1, area: Some(Rectangle { left: -1, top: 2, width: 3, height: 4 }) }),
            origin: Origin::Recognised,
            score: 70,
            group: Some(2),
        }
    }

    #[test]
    fn the_blob_has_the_facts_and_what_the_document_states() {
        let facts =
            sealwright_facts::prepare(b"%PDF-", &Limits::default(), &sealwright_facts::Recognition::Unavailable);
        let plain = serde_json::to_vec(&facts).unwrap();
        assert_eq!(with_stated(&facts, None).unwrap(), plain, "a blob without stated values is as it always was");
        let bytes = with_stated(&facts, Some(&[stated()])).unwrap();
        let read: Facts = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(serde_json::to_vec(&read).unwrap(), plain);
        let only = |bytes: &[u8]| serde_json::from_slice::<OnlyStated>(bytes).unwrap().stated;
        assert_eq!(only(&bytes), Some(vec![stated()]));
        assert_eq!(only(&plain), None);
    }
}
