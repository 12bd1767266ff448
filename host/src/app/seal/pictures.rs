//! The pictures of a certificate: of its items, and the logo.

use std::sync::Arc;

use bytes::Bytes;

use crate::{
    app::{App, queue},
    certificate::data::ShownPages,
    domain::step::StepAction,
    error::Result,
    media::image,
    store::item::Item,
};

/// The longest side of a photo in a certificate, in pixels: sharp at a page's width, and a tenth of a phone's file. The
/// smaller sizes are for photos that would exceed their share of [`MOST_PICTURE_BYTES`].
pub(super) const PHOTO_SIDES: [u32; 5] = [1600, 1120, 800, 560, 400];
/// The limit for all pictures of a certificate, in bytes, so that it can always be rendered, and read by `verify`.
const MOST_PICTURE_BYTES: usize = 128 << 20;

/// The photos and signatures of a case, ready to be placed on a page, with the pages of documents.
#[derive(Default)]
pub(super) struct Pictures {
    pub(super) files: Vec<Bytes>,
    /// What is shown of each item's file.
    pub(super) shown: Vec<ShownFile>,
}

/// What a certificate has of an item's file, in addition to its name and digest.
#[derive(Default)]
pub(super) struct ShownFile {
    /// The place of its picture in [`Pictures::files`]; none for an item without one, or one that cannot be decoded.
    pub(super) picture: Option<usize>,
    /// Of a document, if the company has documents shown.
    pub(super) pages: Option<ShownPages>,
    /// The name under which the file is attached.
    pub(super) attachment: Option<String>,
}

impl Pictures {
    /// Adds a picture, if there is one, and returns its place.
    pub(super) fn add(&mut self, picture: Option<Bytes>) -> Option<usize> {
        Some(self.push(picture?))
    }

    /// Adds a picture, and returns its place.
    pub(super) fn push(&mut self, picture: Bytes) -> usize {
        self.files.push(picture);
        self.files.len() - 1
    }

    /// Notes the names under which the items' files are attached.
    pub(super) fn note_attachments(&mut self, names: impl Iterator<Item = Option<String>>) {
        for (shown, name) in self.shown.iter_mut().zip(names) {
            shown.attachment = name;
        }
    }
}

pub(super) async fn pictures(app: &Arc<App>, items: &[Item]) -> Result<Pictures> {
    let mut pictures = Pictures::default();
    let share = MOST_PICTURE_BYTES / items.iter().filter(|item| is_picture(item)).count().max(1);
    for item in items {
        let bytes = picture(app, item, share).await?;
        let place = pictures.add(bytes);
        pictures.shown.push(ShownFile { picture: place, ..ShownFile::default() });
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
