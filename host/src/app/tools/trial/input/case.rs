//! A case as an author describes it, for plugins that judge cases.

use std::{path::Path, sync::Arc};

use anyhow::{Context, Result, bail};
use sealwright_facts::{Facts, child::FactsScope};
use sealwright_plugin_facts::image_of_file;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::{MOMENT, Moment};
use crate::{
    app,
    domain::file_kind::FileKind,
    plugins::facts::{
        Client, Declaration, Device, DocumentOutcome, Evidence, Item, NearDuplicate, Position, StatedValue,
    },
};

/// A case of one photo with known facts.
pub fn case_of_photo(facts: &Facts) -> Evidence {
    let item = DescribedItem { action: "PHOTOGRAPHY".to_owned(), ..DescribedItem::default() };
    let image = facts.image.as_ref().map(|image| Arc::new(image_of_file(image, None)));
    let item = Item { image, near_duplicates: Some(Vec::new()), ..item.without_file(0) };
    DescribedCase::default().with(vec![Arc::new(item)])
}

/// A case: a description (`.json`) with the names of the contract's interface `evidence`, `_` for `-`. An item's `file` is
/// a picture next to the description.
pub(super) async fn case(path: &Path) -> Result<Arc<Evidence>> {
    let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    if !is_json {
        bail!(
            "a signal is about a whole case: expected a JSON file (.json) that describes a case and names each photo \
             as the `file` of an item"
        );
    }
    let text = std::fs::read_to_string(path)?;
    let mut described: DescribedCase = serde_json::from_str(&text).context("it does not describe a case")?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut items = Vec::new();
    for (index, item) in std::mem::take(&mut described.items).into_iter().enumerate() {
        items.push(Arc::new(item.into_item(index, folder).await?));
    }
    Ok(Arc::new(described.with(items)))
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct DescribedCase {
    reference: Option<String>,
    frame: Option<String>,
    opened_at: Option<Moment>,
    closed_at: Option<Moment>,
    #[serde(default)]
    declarations: Vec<Declaration>,
    #[serde(default)]
    items: Vec<DescribedItem>,
}

impl DescribedCase {
    fn with(self, items: Vec<Arc<Item>>) -> Evidence {
        Evidence {
            reference: self.reference.unwrap_or_else(|| "CAS-1_CMP-1".to_owned()),
            frame: self.frame.unwrap_or_default(),
            opened_at: self.opened_at.unwrap_or(MOMENT).0,
            closed_at: self.closed_at.map(|moment| moment.0),
            declarations: self.declarations,
            items,
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct DescribedItem {
    id: Option<u64>,
    step: Option<u64>,
    step_title: Option<String>,
    action: String,
    value: Option<String>,
    received_at: Option<Moment>,
    position: Option<Position>,
    device: Option<Device>,
    client: Option<DescribedClient>,
    file: Option<String>,
    near_duplicates: Option<Vec<DescribedDuplicate>>,
    document_outcome: Option<DocumentOutcome>,
    stated: Option<Vec<StatedValue>>,
    #[serde(default)]
    field_codes: Vec<String>,
}

/// The contract's `client`, with its time written like all times here.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DescribedClient {
    application: Option<String>,
    version: Option<String>,
    made_at: Option<Moment>,
    offset: Option<i32>,
}

/// The contract's `near-duplicate`, likewise.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DescribedDuplicate {
    reference: String,
    same_case: bool,
    same_file: bool,
    distance: u8,
    received_at: Moment,
}

impl From<DescribedClient> for Client {
    fn from(client: DescribedClient) -> Self {
        let DescribedClient { application, version, made_at, offset } = client;
        Self { application, version, made_at: made_at.map(|moment| moment.0.cast_signed()), offset }
    }
}

impl From<DescribedDuplicate> for NearDuplicate {
    fn from(duplicate: DescribedDuplicate) -> Self {
        let DescribedDuplicate { reference, same_case, same_file, distance, received_at } = duplicate;
        Self { reference, same_case, same_file, distance, received_at: received_at.0 }
    }
}

impl DescribedItem {
    async fn into_item(mut self, index: usize, folder: &Path) -> Result<Item> {
        let file = self.file.take();
        let mut item = self.without_file(index);
        if let Some(file) = file {
            let path = folder.join(file);
            let named = || format!("items[{index}].file: {}", path.display());
            let content = std::fs::read(&path).with_context(named)?;
            let kind = FileKind::of(&content).context("it is not a PDF, JPEG, PNG or MP4 file").with_context(named)?;
            item.media_type = Some(kind.media_type().to_owned());
            item.size = Some(content.len() as u64);
            item.sha256 = Some(Sha256::digest(&content).to_vec());
            if matches!(kind, FileKind::Jpeg | FileKind::Png) {
                let facts =
                    app::facts::of_file(&path, FactsScope::PicturesOnly, "".into()).await.with_context(named)?;
                item.image = facts.image.as_ref().map(|image| Arc::new(image_of_file(image, None)));
            }
        }
        Ok(item)
    }

    fn without_file(self, index: usize) -> Item {
        let number = index as u64 + 1;
        Item {
            id: self.id.unwrap_or(number),
            step: self.step.unwrap_or(number),
            step_title: self.step_title.unwrap_or_default(),
            action: self.action,
            value: self.value,
            received_at: self.received_at.unwrap_or(MOMENT).0,
            position: self.position,
            device: self.device,
            client: self.client.map(Into::into),
            media_type: None,
            size: None,
            sha256: None,
            image: None,
            near_duplicates: self.near_duplicates.map(|duplicates| duplicates.into_iter().map(Into::into).collect()),
            document_outcome: self.document_outcome,
            stated: self.stated,
            field_codes: self.field_codes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUIDE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/plugin-author.md"));
    const SAMPLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/kit/samples/case.json"));

    async fn read(text: &str) -> Evidence {
        let file = tempfile::Builder::new().suffix(".json").tempfile().unwrap();
        std::fs::write(file.path(), text).unwrap();
        Arc::into_inner(case(file.path()).await.unwrap()).unwrap()
    }

    #[tokio::test]
    async fn the_guide_s_case_and_the_kit_s_are_read_whole() {
        let (_, shown) = GUIDE.split_once("```json\n").unwrap();
        let (shown, _) = shown.split_once("```").unwrap();
        for text in [shown, SAMPLE] {
            let evidence = read(text).await;
            assert_eq!((evidence.reference.as_str(), evidence.opened_at), ("CAS-1_CMP-1", 1_795_168_800_000));
            let photo = &evidence.items[0];
            assert_eq!(photo.position.as_ref().unwrap().latitude, 48_856_600);
            assert_eq!(photo.device.as_ref().unwrap().model.as_deref(), Some("FP5"));
            assert_eq!(photo.client.as_ref().unwrap().made_at, Some(1_795_169_090_000));
            assert_eq!(evidence.items[1].value.as_deref(), Some("Martin"));
        }
    }

    #[tokio::test]
    async fn a_picture_is_not_a_case() {
        let refusal = case(Path::new("photo.jpg")).await.unwrap_err().to_string();
        assert!(refusal.starts_with("a signal is about a whole case"), "{refusal}");
    }
}
