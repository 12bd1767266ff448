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
    for (item, file) in items.iter().zip(chosen(items, size, most)) {
        attachments.push(match file {
            Some(file) => read(app, item, file).await?,
            None => None,
        });
    }
    Ok(attachments)
}

/// The names of these attachments.
pub(super) fn names(items: &[Item], size: EmbeddedSize, most: usize) -> Vec<Option<String>> {
    let files = chosen(items, size, most);
    items.iter().zip(files).map(|(item, file)| Some(of(item, file?, &item.reference().to_string()).name())).collect()
}

/// The file of each item that is embedded.
fn chosen(items: &[Item], size: EmbeddedSize, most: usize) -> Vec<Option<&ItemFile>> {
    let sizes = items.iter().map(|item| u64::try_from(kept_file(item)?.size).ok());
    let fitting = fitting(sizes, size, most);
    items.iter().zip(fitting).map(|(item, fits)| kept_file(item).filter(|_| fits)).collect()
}

/// Which of the files with these sizes are embedded. In their order, each that still fits: a smaller one may come after one
/// that does not.
fn fitting(sizes: impl Iterator<Item = Option<u64>>, size: EmbeddedSize, most: usize) -> Vec<bool> {
    let (mut left, mut places) = (size.bytes(), most);
    let fits = |bytes: Option<u64>| {
        // Otherwise an empty file would fit into nothing.
        let Some(bytes) = bytes.filter(|bytes| size.bytes() > 0 && places > 0 && *bytes <= left) else { return false };
        left -= bytes;
        places -= 1;
        true
    };
    sizes.map(fits).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn fitting_into(size: u64, most: usize, sizes: &[Option<u64>]) -> Vec<bool> {
        fitting(sizes.iter().copied(), EmbeddedSize::new(size).unwrap(), most)
    }

    #[test]
    fn each_file_that_still_fits_is_embedded_in_the_order_of_the_items() {
        let sizes = [Some(60), None, Some(50), Some(30), Some(11), Some(10)];
        assert_eq!(fitting_into(100, 9, &sizes), [true, false, false, true, false, true]);
        assert_eq!(fitting_into(160, 9, &sizes), [true, false, true, true, true, false]);
        assert_eq!(fitting_into(59, 9, &sizes), [false, false, true, false, false, false]);
        assert_eq!(fitting_into(1_000, 2, &sizes), [true, false, true, false, false, false], "no more attachments fit");
    }

    #[test]
    fn nothing_is_embedded_without_the_setting() {
        assert_eq!(fitting_into(0, 9, &[Some(0), Some(1)]), [false, false]);
        assert_eq!(fitting_into(1, 9, &[Some(0), Some(1)]), [true, true]);
    }
}
