//! What the files of a case's photos say about themselves, as their analyses stored it. No file is read again.

use std::collections::BTreeMap;

use futures_util::{StreamExt as _, stream};
pub use sealwright_facts::image::{Exif, Moment, Position};
use serde::Deserialize;

use crate::{
    app::App,
    blobs::BlobKey,
    domain::id::{CaseId, ItemId},
    error::Result,
    store,
};

/// How many facts are read from the blob store at once.
const AT_ONCE: usize = 8;

/// What is known of a photo's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Photo {
    NotExamined,
    /// It was examined, and is not a picture that can be read.
    Unreadable,
    Read(Box<PhotoFacts>),
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct PhotoFacts {
    /// In pixels, before any EXIF orientation.
    pub width: u32,
    pub height: u32,
    /// None without EXIF.
    pub exif: Option<Exif>,
}

/// The part of a file's facts that is shown.
#[derive(Deserialize)]
struct OnlyPicture {
    image: Option<PhotoFacts>,
}

/// The pictures of a case that were examined. Documents are not among them: what is read from them stays inside.
pub async fn of_case(app: &App, case: CaseId) -> Result<BTreeMap<ItemId, Photo>> {
    let mut reader = app.db.read().await?;
    let analyses = store::analysis::of_items(&mut reader, case).await?;
    drop(reader);
    let pictures = analyses.into_iter().filter(|analysis| analysis.plan.is_none());
    let keys: Vec<(ItemId, BlobKey)> =
        pictures.filter_map(|analysis| Some((analysis.item, analysis.facts_key?))).collect();
    let fetch = |(item, key): (ItemId, BlobKey)| async move { (item, stored(app, &key).await) };
    let found: Vec<(ItemId, Photo)> = stream::iter(keys).map(fetch).buffered(AT_ONCE).collect().await;
    Ok(found.into_iter().collect())
}

/// A blob store that does not answer must not hide the case either.
async fn stored(app: &App, key: &BlobKey) -> Photo {
    match app.blobs.get(key).await {
        Ok(Some(bytes)) => read(&bytes),
        Ok(None) => Photo::NotExamined,
        Err(error) => {
            tracing::warn!(%error, "the facts of a photo cannot be read now");
            Photo::NotExamined
        }
    }
}

fn read(facts: &[u8]) -> Photo {
    match serde_json::from_slice(facts) {
        Ok(OnlyPicture { image: Some(image) }) => Photo::Read(Box::new(image)),
        Ok(OnlyPicture { image: None }) => Photo::Unreadable,
        // Facts of a shape that is not known any more must not hide the case.
        Err(error) => {
            tracing::warn!(%error, "the stored facts of a photo cannot be read");
            Photo::NotExamined
        }
    }
}

#[cfg(test)]
mod tests {
    use sealwright_facts::{Facts, UnreadableReason, image::ImageFacts};

    use super::*;

    #[test]
    fn size_and_exif_are_read_from_stored_facts() {
        let exif = Exif { camera_make: Some("Acme".to_owned()), ..Exif::default() };
        let image = ImageFacts { width: 640, height: 480, exif: Some(exif.clone()), ..ImageFacts::default() };
        let facts = Facts { image: Some(image), ..Facts::of_file_alone(b"x", UnreadableReason::Malformed) };
        let expected = PhotoFacts { width: 640, height: 480, exif: Some(exif) };
        assert_eq!(read(&serde_json::to_vec(&facts).unwrap()), Photo::Read(Box::new(expected)));
    }

    #[test]
    fn facts_without_a_picture_or_of_another_shape_do_not_fail() {
        let facts = Facts::of_file_alone(b"x", UnreadableReason::Malformed);
        assert_eq!(read(&serde_json::to_vec(&facts).unwrap()), Photo::Unreadable);
        assert_eq!(read(br#"{ "image": { "width": "wide" } }"#), Photo::NotExamined);
        assert_eq!(read(b"["), Photo::NotExamined);
    }
}
