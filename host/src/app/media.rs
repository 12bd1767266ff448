//! Photos, signatures, documents and videos, served to anyone who knows their key (spec 4.16, decisions 9).

use std::{ops::Range, sync::Arc};

use sealwright_seal::Sha256Digest;

use super::{App, public_work::on_background_thread};
use crate::{
    blobs::{BlobKey, BlobStream},
    domain::{access_key::MediaKey, file_kind::FileKind, step::StepAction},
    error::{Error, Result},
    media::image,
    store,
};

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
    Ok(MediaFile {
        kind: file.kind,
        size: u64::try_from(file.size).map_err(Error::internal)?,
        sha256: file.sha256,
        key: file.blob_key.clone(),
        media_key: file.media_key,
    })
}

/// The bytes as they were sent, or the `range` of them.
pub async fn original(app: &App, found: &MediaFile, range: Option<Range<u64>>) -> Result<BlobStream> {
    app.blobs.stream(&found.key, range).await?.ok_or_else(missing)
}

/// The picture as PNG, upright and without the file's metadata. Made once and kept next to the original. A picture that
/// cannot be decoded is not tried again.
pub async fn png(app: &Arc<App>, found: &MediaFile) -> Result<BlobStream> {
    let subject = found.key.to_string();
    if app.public_work.undecodable.get(&subject).is_some() {
        return Err(undecodable());
    }
    let derivative = found.key.derivative();
    if let Some(stream) = app.blobs.stream(&derivative, None).await? {
        return Ok(stream);
    }
    app.public_work.pictures.run(subject, || make_png(Arc::clone(app), found.clone())).await?;
    // From the store, so that a slow reader holds no picture in memory.
    app.blobs.stream(&derivative, None).await?.ok_or_else(missing)
}

async fn make_png(app: Arc<App>, found: MediaFile) -> Result<()> {
    // An earlier run may have failed since the caller looked.
    if app.public_work.undecodable.get(&found.key.to_string()).is_some() {
        return Err(undecodable());
    }
    let reserved = app.public_work.pictures.reserve(found.size).await?;
    let sent = app.blobs.get(&found.key).await?.ok_or_else(missing)?;
    let made = on_background_thread(reserved, move || image::png_of(&sent)).await?;
    let bytes = made.map_err(|error| {
        tracing::debug!(%error, "a picture cannot be decoded");
        app.public_work.undecodable.insert(found.key.to_string(), ());
        undecodable()
    })?;
    let derivative = found.key.derivative();
    app.blobs.put(&derivative, bytes).await?;
    // The case may have been deleted meanwhile, with its files: this file would stay behind.
    let mut reader = app.db.read().await?;
    if store::item::find_by_media_key(&mut reader, &found.media_key).await?.is_none() {
        app.blobs.delete(&derivative).await?;
        return Err(missing());
    }
    Ok(())
}

fn undecodable() -> Error {
    Error::not_found("the file cannot be decoded as an image, so there is no PNG of it; ?original=1 returns it as sent")
}

fn missing() -> Error {
    Error::not_found("the file is no longer stored")
}
