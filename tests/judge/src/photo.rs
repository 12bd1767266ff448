//! One photograph: the result of the image signal.

use std::{collections::BTreeMap, sync::Arc};

use sealwright_facts::{Limits, Recognition, prepare};
use sealwright_lab::{Editing, LabelledPhoto};
use sealwright_plugin_facts::image_of_file;
use sealwright_plugin_sdk::{
    facts::{Evidence, Image, Item},
    signal::Assessor as _,
};
use signals::Signals;

use crate::PHOTO_ALARM;

/// The judgement of a photograph.
pub struct PhotoVerdict {
    pub editing: Option<Editing>,
    /// 0 to 100, 100 is the most confidence.
    pub score: u8,
    /// Codes of the observations.
    pub seen: Vec<String>,
    /// The measures; the largest value of one that is measured in several places.
    pub measures: BTreeMap<String, i64>,
}

impl PhotoVerdict {
    pub fn alarm(&self) -> bool {
        self.score < PHOTO_ALARM
    }
}

/// Judges a photograph of the lab.
///
/// # Errors
/// When the plugin fails, which is a defect.
pub fn judge_photo(photo: &LabelledPhoto) -> anyhow::Result<PhotoVerdict> {
    Ok(PhotoVerdict { editing: Some(photo.editing), ..judge_photo_file(&photo.jpeg)? })
}

/// Judges any picture as a photograph of a case.
///
/// # Errors
/// When the plugin fails, which is a defect.
pub fn judge_photo_file(file: &[u8]) -> anyhow::Result<PhotoVerdict> {
    let seen = prepare(file, &Limits::default(), &Recognition::NotWanted);
    let image: Option<Image> = seen.image.as_ref().map(|image| image_of_file(image, None));
    let mut measures = BTreeMap::new();
    for measure in image.iter().flat_map(|image| image.measures.clone()) {
        let most = measures.entry(measure.name).or_insert(measure.value);
        *most = measure.value.max(*most);
    }
    let item = Item { id: 1, action: "PHOTOGRAPHY".to_owned(), image: image.map(Arc::new), ..Item::default() };
    let evidence = Evidence { items: vec![Arc::new(item)], ..Evidence::default() };
    let signals = Signals::assess(&evidence, "{}").map_err(|error| anyhow::anyhow!("{error:?}"))?;
    let signal = signals.into_iter().find(|signal| signal.kind == "image");
    let (score, seen) = signal.map_or((100, Vec::new()), |signal| {
        (signal.score, signal.observations.into_iter().map(|seen| seen.finding.code).collect())
    });
    Ok(PhotoVerdict { editing: None, score, seen, measures })
}
