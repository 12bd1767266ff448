//! Forgeries of scanned and photographed papers.

use image::{RgbImage, imageops};

use super::{Forgery, page};
use crate::{
    paper::{raster, sheet::Sheet},
    random::Random,
};

/// The forged picture as JPEG. `origin` is the page that it shows, its resolution, and whether the two align exactly.
pub(in crate::paper) fn change_picture(
    forgery: Forgery,
    picture: &RgbImage,
    origin: (&Sheet, f32, bool),
    quality: u8,
    random: &mut Random,
) -> anyhow::Result<Vec<u8>> {
    // The forger starts from a file that was compressed once.
    let first = raster::jpeg(picture, quality)?;
    if forgery == Forgery::EditorTrace {
        return marked_by_editor(&first, random);
    }
    let mut opened = image::load_from_memory_with_format(&first, image::ImageFormat::Jpeg)?.to_rgb8();
    let (sheet, resolution, exact) = origin;
    let (x, y) = place(sheet, resolution, exact, &opened, random);
    // A word from another place, cut from the paper itself, so without traces of the first compression.
    let (width, height) = ((opened.width() / 6).max(64), (opened.height() / 40).max(24));
    let (from_x, from_y) = (picture.width() / 3, picture.height() / 3 + 3);
    let patch = imageops::crop_imm(picture, from_x, from_y, width, height).to_image();
    imageops::replace(&mut opened, &patch, i64::from(x), i64::from(y));
    raster::jpeg(&opened, quality.saturating_add(6).min(95))
}

/// The place of the value to change.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "pictures have a few thousand pixels")]
fn place(sheet: &Sheet, resolution: f32, exact: bool, picture: &RgbImage, random: &mut Random) -> (u32, u32) {
    if !exact {
        return (picture.width() / 3, picture.height() / 2);
    }
    let (_, mark) = page::target(std::slice::from_ref(sheet), random).unwrap_or((0, 0));
    let scale = resolution / 72.0;
    let area = match &sheet.marks[mark] {
        crate::paper::sheet::Mark::Text(run) => run.area(),
        _ => return (picture.width() / 3, picture.height() / 2),
    };
    let limit = |value: f32, most: u32| (value.max(0.0) as u32).min(most);
    (limit(area.x * scale, picture.width() * 5 / 6 - 2), limit(area.y * scale, picture.height() * 9 / 10))
}

/// The file as saved by an image editor: its name in EXIF, and often Photoshop's own segment.
fn marked_by_editor(first: &[u8], random: &mut Random) -> anyhow::Result<Vec<u8>> {
    let opened = image::load_from_memory_with_format(first, image::ImageFormat::Jpeg)?.to_rgb8();
    let program = random.pick(&[
        "Adobe Photoshop 24.1 (Windows)",
        "GIMP 2.10.34",
        "Adobe Photoshop CC 2019 (Macintosh)",
        "paint.net 5.0.3",
    ]);
    crate::photo::saved_by_editor(&opened, program, 90)
}
