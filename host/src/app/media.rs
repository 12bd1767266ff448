//! Photos, signatures, documents and videos, served to anyone who knows their key (spec 4.16, decisions 9).

use std::{ops::Range, sync::Arc};

use sealwright_seal::Sha256Digest;

use super::{App, public_work::on_background_thread};
use crate::{
    blobs::{BlobKey, BlobStream},
    domain::{access_key::MediaKey, file_kind::FileKind, step::StepAction},
    error::{Error, Result},
    media::image::{self, ImageError},
    store::{
        self,
        item::{Item, ItemFile},
    },
};

/// The longer side of a preview, in pixels: as large as a page of the console shows a picture.
const PREVIEW_SIDE: u32 = 640;

/// The kind of the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MediaKind {
    /// `/images/…`: a photo, signature or document.
    Image,
    /// `/medias/video/…`.
    Video,
}

/// The stored file at an address.
#[derive(Clone, Debug)]
pub struct MediaFile {
    pub kind: FileKind,
    /// In bytes.
    pub size: u64,
    /// Of the bytes as they were sent: `imageHash`.
    pub sha256: Sha256Digest,
    key: BlobKey,
    media_key: MediaKey,
}

impl MediaFile {
    fn new(file: ItemFile) -> Result<Self> {
        Ok(Self {
            kind: file.kind,
            size: u64::try_from(file.size).map_err(Error::internal)?,
            sha256: file.sha256,
            key: file.blob_key,
            media_key: file.media_key,
        })
    }
}

/// Finds the file whose public key is `media_key`: 400 for an invalid key, 404 for an unknown one.
pub async fn find(app: &App, media_key: &str, wanted: MediaKind) -> Result<MediaFile> {
    let name = match wanted {
        MediaKind::Image => "image",
        MediaKind::Video => "video",
    };
    let invalid = || Error::invalid(format!("the address must end in the {name}'s key, 32 hexadecimal digits"));
    let media_key = MediaKey::parse(media_key).ok_or_else(invalid)?;
    let unknown = || Error::not_found(format!("no {name} has this address"));
    let mut reader = app.db.read().await?;
    let item = store::item::find_by_media_key(&mut reader, &media_key).await?.ok_or_else(unknown)?;
    let is_video = item.content.action == StepAction::Video;
    let file = item.content.file.filter(|_| is_video == (wanted == MediaKind::Video)).ok_or_else(unknown)?;
    if file.deleted_at.is_some() {
        return Err(missing());
    }
    MediaFile::new(file)
}

/// The picture of an item: a photo, a signature, or a document that was sent as a picture. None for any other item, and
/// for a file that was deleted.
pub fn picture_of(item: Item) -> Result<Option<MediaFile>> {
    let file = item.content.file.filter(|file| file.deleted_at.is_none());
    file.filter(|file| matches!(file.kind, FileKind::Jpeg | FileKind::Png)).map(MediaFile::new).transpose()
}

/// The bytes as they were sent, or the `range` of them.
pub async fn original(app: &App, found: &MediaFile, range: Option<Range<u64>>) -> Result<BlobStream> {
    app.blobs.stream(&found.key, range).await?.ok_or_else(missing)
}

/// The picture as PNG, upright and without the file's metadata. Made once and kept next to the original. A picture that
/// cannot be decoded is not tried again.
pub async fn png(app: &Arc<App>, found: &MediaFile) -> Result<BlobStream> {
    derived(app, found, Derived::Png).await
}

/// The picture as a small JPEG, upright and without the file's metadata. Made and kept like [`png`].
pub async fn preview(app: &Arc<App>, found: &MediaFile) -> Result<BlobStream> {
    derived(app, found, Derived::Preview).await
}

/// What is made from a picture.
#[derive(Clone, Copy, Debug)]
enum Derived {
    Png,
    Preview,
}

impl Derived {
    /// Where it is kept.
    fn key(self, file: &BlobKey) -> BlobKey {
        match self {
            Self::Png => file.derivative(),
            Self::Preview => file.preview(),
        }
    }

    fn make(self, file: &[u8]) -> Result<Vec<u8>, ImageError> {
        match self {
            Self::Png => image::png_of(file),
            Self::Preview => image::preview_of(file, PREVIEW_SIDE),
        }
    }

    fn undecodable(self) -> Error {
        Error::not_found(match self {
            Self::Png => {
                "the file cannot be decoded as an image, so there is no PNG of it; ?original=1 returns it as sent"
            }
            Self::Preview => "the file cannot be decoded as an image, so it has no preview",
        })
    }
}

async fn derived(app: &Arc<App>, found: &MediaFile, wanted: Derived) -> Result<BlobStream> {
    if app.public_work.undecodable.get(&found.key.to_string()).is_some() {
        return Err(wanted.undecodable());
    }
    let kept = wanted.key(&found.key);
    if let Some(stream) = app.blobs.stream(&kept, None).await? {
        return Ok(stream);
    }
    app.public_work.pictures.run(kept.to_string(), || make(Arc::clone(app), found.clone(), wanted)).await?;
    // From the store, so that a slow reader holds no picture in memory.
    app.blobs.stream(&kept, None).await?.ok_or_else(missing)
}

async fn make(app: Arc<App>, found: MediaFile, wanted: Derived) -> Result<()> {
    // An earlier run may have failed since the caller looked.
    if app.public_work.undecodable.get(&found.key.to_string()).is_some() {
        return Err(wanted.undecodable());
    }
    let reserved = app.public_work.pictures.reserve(found.size).await?;
    let sent = app.blobs.get(&found.key).await?.ok_or_else(missing)?;
    let made = on_background_thread(reserved, move || wanted.make(&sent)).await?;
    let bytes = made.map_err(|error| {
        tracing::debug!(%error, "a picture cannot be decoded");
        app.public_work.undecodable.insert(found.key.to_string(), ());
        wanted.undecodable()
    })?;
    let kept = wanted.key(&found.key);
    app.blobs.put(&kept, bytes).await?;
    // The file may have been deleted meanwhile, alone or with its case: what was made from it would stay behind.
    let mut reader = app.db.read().await?;
    let item = store::item::find_by_media_key(&mut reader, &found.media_key).await?;
    let file = item.and_then(|item| item.content.file);
    if file.is_none_or(|file| file.deleted_at.is_some()) {
        app.blobs.delete(&kept).await?;
        return Err(missing());
    }
    Ok(())
}

fn missing() -> Error {
    Error::not_found("the file is no longer stored")
}
