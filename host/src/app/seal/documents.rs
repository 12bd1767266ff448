//! The first pages of a certificate's documents, if the company has them shown (docs/adr/0058).
//!
//! They are drawn in a confined process (`facts`), one for each document. A document that cannot be drawn is only named: a
//! file never prevents a seal.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use bytes::Bytes;
use sealwright_child_process::this_program;
use sealwright_facts::{UnreadableReason, page_picture::FirstPages};

use super::pictures::{PHOTO_SIDES, Pictures};
use crate::{
    app::{App, queue, run_within},
    certificate::data::ShownPages,
    domain::step::StepAction,
    error::Result,
    facts::first_pages,
    media::image,
    store::item::{Item, ItemFile},
};

/// The most pages of all documents of a certificate.
const MOST_PAGES: u32 = 200;
/// The limit for all of them in bytes, in addition to the pictures.
const MOST_PAGE_BYTES: usize = 32 << 20;
/// Drawing a document takes at most half a minute. After so many that took longer, no further one is drawn.
const MOST_SLOW: usize = 2;
/// The time limit for drawing all documents of a certificate, during which other certificates wait.
const MOST_TIME: Duration = Duration::from_secs(90);

/// Draws the first pages of each document, at most `most_pages`, and adds them to the pictures.
pub(super) async fn add(app: &Arc<App>, items: &[Item], most_pages: u32, pictures: &mut Pictures) -> Result<()> {
    let mut left = MOST_PAGES;
    let mut slow = 0;
    let mut spent = Duration::ZERO;
    let documents = items.iter().filter(|item| document_of(item).is_some()).count();
    let drawable = (most_pages as usize).saturating_mul(documents).clamp(1, MOST_PAGES as usize);
    for (place, item) in items.iter().enumerate() {
        let most = most_pages.min(left);
        let Some(file) = document_of(item).filter(|_| most > 0) else { continue };
        let unshown = ShownPages { pages: Vec::new(), count: None };
        let shown = if slow >= MOST_SLOW || spent >= MOST_TIME {
            unshown
        } else {
            let begun = Instant::now();
            let drawn = drawn(app, item, file, most, MOST_PAGE_BYTES / drawable).await?;
            spent += begun.elapsed();
            match drawn {
                Ok(DrawnPages { count, files }) => {
                    let pages = files.into_iter().map(|file| pictures.push(file)).collect();
                    ShownPages { pages, count: Some(count) }
                }
                Err(reason) => {
                    tracing::warn!(item = %item.reference(), ?reason, "a document cannot be shown in the certificate");
                    slow += usize::from(reason == UnreadableReason::OutOfTime);
                    unshown
                }
            }
        };
        left -= u32::try_from(shown.pages.len()).unwrap_or(left).min(left);
        if let Some(of_item) = pictures.shown.get_mut(place) {
            of_item.pages = Some(shown);
        }
    }
    Ok(())
}

/// Makes sure that the files that are needed to show the documents are there, without drawing them.
pub(super) async fn check(app: &App, items: &[Item], most_pages: u32) -> Result<()> {
    for item in items.iter().filter(|_| most_pages > 0) {
        let Some(file) = document_of(item) else { continue };
        if app.blobs.size(&file.blob_key).await?.is_none() {
            return Err(queue::missing_blob(format_args!("the file of {}", item.reference())));
        }
    }
    Ok(())
}

/// The file of a document that may be shown. A file that is deleted after its analysis must not stay in a certificate.
fn document_of(item: &Item) -> Option<&ItemFile> {
    let file = item.content.file.as_ref().filter(|_| item.content.action == StepAction::DocumentUpload);
    file.filter(|file| file.deleted_at.is_none() && !file.deletes_after_analysis)
}

/// The pages of a document, ready to be placed.
struct DrawnPages {
    /// How many pages the document has.
    count: u32,
    files: Vec<Bytes>,
}

async fn drawn(
    app: &Arc<App>,
    item: &Item,
    file: &ItemFile,
    most: u32,
    share: usize,
) -> Result<std::result::Result<DrawnPages, UnreadableReason>> {
    let Some(sent) = app.blobs.get(&file.blob_key).await? else {
        return Err(queue::missing_blob(format_args!("the file of {}", item.reference())));
    };
    let drawn = run_within(&app.reading, move || first_pages(&this_program(), &sent, most)).await??;
    let FirstPages { pages: count, drawn } = match drawn {
        Ok(drawn) => drawn,
        Err(reason) => return Ok(Err(reason)),
    };
    // What the process answers is not trusted: it has read a foreign file.
    let scaling =
        move || drawn.iter().take(most as usize).map_while(|page| scaled(page, share)).collect::<Vec<Bytes>>();
    let files = app.run_heavy(scaling).await?;
    Ok(Ok(DrawnPages { count: count.max(1), files }))
}

/// A page as JPEG, in at most `share` bytes if possible.
fn scaled(page: &str, share: usize) -> Option<Bytes> {
    let page = BASE64_STANDARD.decode(page).ok()?;
    let mut smallest = None;
    for side in PHOTO_SIDES {
        let picture = image::preview_of(&page, side).ok()?;
        let fits = picture.len() <= share;
        smallest = Some(picture);
        if fits {
            break;
        }
    }
    smallest.map(Bytes::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_gets_smaller_until_it_fits_its_share() {
        let mut noise = ::image::RgbImage::new(1_600, 1_000);
        let mut state = 1_u32;
        for pixel in noise.pixels_mut() {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            pixel.0 = [state.to_be_bytes()[0], state.to_be_bytes()[1], 0];
        }
        let mut png = std::io::Cursor::new(Vec::new());
        noise.write_to(&mut png, ::image::ImageFormat::Png).unwrap();
        let page = BASE64_STANDARD.encode(png.into_inner());
        let whole = scaled(&page, usize::MAX).unwrap();
        assert!(whole.starts_with(b"\xFF\xD8\xFF"));
        let half = scaled(&page, whole.len() - 1).unwrap();
        assert!(half.len() < whole.len());
        assert!(scaled(&page, 1).unwrap().len() < half.len());
        assert_eq!(scaled("no base64", 1), None);
        assert_eq!(scaled(&BASE64_STANDARD.encode("no picture"), 1), None);
    }
}
