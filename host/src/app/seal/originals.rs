//! The original files that a certificate contains, if the company has them embedded (docs/adr/0058).

use bytes::Bytes;
use sealwright_seal::Sha256Digest;

use crate::{
    app::{App, queue},
    certificate::{Attachment, Original},
    domain::certificate_extras::EmbeddedSize,
    error::Result,
    store::item::{Item, ItemFile},
};

/// The files of the items that fit into `size`, as attachments, at most `most`; `None` for the other items.
///
/// They are held in memory until the certificate is signed.
pub(super) async fn originals(
    app: &App,
    items: &[Item],
    size: EmbeddedSize,
    most: usize,
) -> Result<Vec<Option<Attachment>>> {
    let mut attachments = Vec::with_capacity(items.len());
    for (item, file) in items.iter().zip(fitting(items, size, most)) {
        attachments.push(match file {
            Some(file) => read(app, item, file).await?,
            None => None,
        });
    }
    Ok(attachments)
}

/// The names of these attachments.
pub(super) fn names(items: &[Item], size: EmbeddedSize, most: usize) -> Vec<Option<String>> {
    let files = fitting(items, size, most);
    items.iter().zip(files).map(|(item, file)| Some(of(item, file?, &item.reference().to_string()).name())).collect()
}

/// The file of each item that is embedded. In the order of the items, each that still fits: a smaller one may come after
/// one that does not.
fn fitting(items: &[Item], size: EmbeddedSize, most: usize) -> Vec<Option<&ItemFile>> {
    let (mut left, mut places) = (size.bytes(), most);
    let fits = |item| {
        let file = kept_file(item)?;
        let bytes = u64::try_from(file.size).ok().filter(|bytes| *bytes <= left && places > 0)?;
        left -= bytes;
        places -= 1;
        Some(file)
    };
    // Otherwise an empty file would fit.
    if size.bytes() == 0 { vec![None; items.len()] } else { items.iter().map(fits).collect() }
}

/// A file that is deleted after its analysis must not stay in a certificate.
fn kept_file(item: &Item) -> Option<&ItemFile> {
    item.content.file.as_ref().filter(|file| file.deleted_at.is_none() && !file.deletes_after_analysis)
}

async fn read(app: &App, item: &Item, file: &ItemFile) -> Result<Option<Attachment>> {
    let Some(bytes) = app.blobs.get(&file.blob_key).await? else {
        return Err(queue::missing_blob(format_args!("the file of {}", item.reference())));
    };
    if Sha256Digest::of(&bytes) != file.sha256 {
        tracing::error!(item = %item.reference(), "the blob of an item is not its file: it is not embedded");
        return Ok(None);
    }
    Ok(Some(attachment(item, file, bytes)))
}

fn attachment(item: &Item, file: &ItemFile, bytes: Bytes) -> Attachment {
    Attachment::original(&of(item, file, &item.reference().to_string()), bytes)
}

fn of<'a>(item: &'a Item, file: &'a ItemFile, reference: &'a str) -> Original<'a> {
    Original {
        reference,
        declared_name: &item.content.data,
        media_type: file.kind.media_type(),
        extension: file.kind.extension(),
        sha256: file.sha256,
    }
}
