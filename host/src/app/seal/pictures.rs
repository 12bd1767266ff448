//! The pictures of a certificate: of its items, and the logo.

use std::sync::Arc;

use bytes::Bytes;

use crate::{
    app::{App, queue},
    domain::step::StepAction,
    error::Result,
    media::image,
    store::item::Item,
};

/// The longest side of a photo in a certificate, in pixels: sharp at a page's width, and a tenth of a phone's file. The
/// smaller sizes are for photos that would exceed their share of [`MOST_PICTURE_BYTES`].
const PHOTO_SIDES: [u32; 5] = [1600, 1120, 800, 560, 400];
/// The limit for all pictures of a certificate, in bytes, so that it can always be rendered, and read by `verify`.
const MOST_PICTURE_BYTES: usize = 128 << 20;

/// The photos and signatures of a case, ready to be placed on a page.
#[derive(Default)]
pub(super) struct Pictures {
    pub(super) files: Vec<Bytes>,
    /// For each item, its picture's place in `files`; none for an item without one, or one that cannot be decoded.
    pub(super) places: Vec<Option<usize>>,
}

impl Pictures {
    /// Adds a picture that belongs to no item, and returns its place.
    pub(super) fn add(&mut self, picture: Option<Bytes>) -> Option<usize> {
        self.files.push(picture?);
        Some(self.files.len() - 1)
    }
}

pub(super) async fn pictures(app: &Arc<App>, items: &[Item]) -> Result<Pictures> {
    let mut pictures = Pictures::default();
    let share = MOST_PICTURE_BYTES / items.iter().filter(|item| is_picture(item)).count().max(1);
    for item in items {
        let place = match picture(app, item, share).await? {
            Some(bytes) => {
                pictures.files.push(bytes);
                Some(pictures.files.len() - 1)
            }
            None => None,
        };
        pictures.places.push(place);
    }
    Ok(pictures)
}

fn is_picture(item: &Item) -> bool {
    matches!(item.content.action, StepAction::Photography | StepAction::Signature)
}

/// An item's photo or signature, upright and scaled, in at most `share` bytes if possible. A picture that cannot be
/// decoded is left out and the certificate says so; its hash stays.
async fn picture(app: &Arc<App>, item: &Item, share: usize) -> Result<Option<Bytes>> {
    let Some(file) = item.content.file.as_ref().filter(|_| is_picture(item)) else { return Ok(None) };
    // A certificate that is made again after the file has expired.
    if file.deleted_at.is_some() {
        return Ok(None);
    }
    let key = file.blob_key.clone();
    let Some(sent) = app.blobs.get(&key).await? else {
        return Err(queue::missing_blob(format_args!("the file of {}", item.reference())));
    };
    match app.run_heavy(move || scaled(&sent, share)).await? {
        Ok(picture) => Ok(Some(Bytes::from(picture.bytes))),
        Err(error) => {
            tracing::warn!(item = %item.reference(), %error, "a picture cannot be shown in the certificate");
            Ok(None)
        }
    }
}

fn scaled(sent: &[u8], share: usize) -> std::result::Result<image::CertificateImage, image::ImageError> {
    let [longest, shorter @ ..] = PHOTO_SIDES;
    let mut picture = image::for_certificate(sent, longest)?;
    for side in shorter {
        if picture.bytes.len() <= share {
            break;
        }
        picture = image::for_certificate(sent, side)?;
    }
    Ok(picture)
}
