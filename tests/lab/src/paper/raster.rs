//! Draws a sheet as pixels.

use image::{ImageEncoder as _, RgbImage, codecs::jpeg::JpegEncoder};
use tiny_skia::{Color, FillRule, Paint, PathBuilder, Pixmap, Rect, Stroke, Transform};

use super::sheet::{Area, Colour, Mark, Sheet};

/// The picture of a sheet at `resolution` pixels per inch.
pub(crate) fn draw(sheet: &Sheet, resolution: f32) -> anyhow::Result<RgbImage> {
    let (width, height) = pixels(&Area { x: 0.0, y: 0.0, width: sheet.width, height: sheet.height }, resolution);
    let mut map =
        Pixmap::new(width, height).ok_or_else(|| anyhow::anyhow!("a picture of {width} × {height} pixels"))?;
    map.fill(Color::WHITE);
    let scale = resolution / 72.0;
    for mark in &sheet.marks {
        match mark {
            Mark::Fill(area, colour) => {
                if let Some(rectangle) = rectangle(area, scale) {
                    map.fill_rect(rectangle, &paint(*colour), Transform::identity(), None);
                }
            }
            Mark::Frame(area, thickness, colour) => {
                if let Some(rectangle) = rectangle(area, scale) {
                    let stroke = Stroke { width: thickness * scale, ..Stroke::default() };
                    map.stroke_path(
                        &PathBuilder::from_rect(rectangle),
                        &paint(*colour),
                        &stroke,
                        Transform::identity(),
                        None,
                    );
                }
            }
            Mark::Portrait(area) => portrait(&mut map, area, scale),
            Mark::Text(run) if run.invisible => {}
            Mark::Text(run) => {
                if let Some(path) = run.face.outline(&run.text, run.x * scale, run.baseline * scale, run.size * scale) {
                    map.fill_path(&path, &paint(run.colour), FillRule::Winding, Transform::identity(), None);
                }
            }
        }
    }
    let bytes: Vec<u8> =
        map.data().as_chunks::<4>().0.iter().flat_map(|&[red, green, blue, _]| [red, green, blue]).collect();
    RgbImage::from_raw(width, height, bytes).ok_or_else(|| anyhow::anyhow!("the picture has another size"))
}

/// The size of an area in pixels, at least one each way.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "pages have a few thousand pixels")]
pub(crate) fn pixels(area: &Area, resolution: f32) -> (u32, u32) {
    let of = |length: f32| ((length * resolution / 72.0).round() as u32).max(1);
    (of(area.width), of(area.height))
}

/// The portrait alone.
pub(crate) fn portrait_jpeg(width: u32, height: u32) -> anyhow::Result<Vec<u8>> {
    #[expect(clippy::cast_precision_loss, reason = "a portrait has a few hundred pixels")]
    let area = Area { x: 0.0, y: 0.0, width: width as f32, height: height as f32 };
    let mut sheet = Sheet::new((area.width, area.height));
    sheet.marks.push(Mark::Portrait(area));
    let picture = draw(&sheet, 72.0)?;
    jpeg(&picture, 88)
}

/// A JPEG file of this picture.
pub(crate) fn jpeg(picture: &RgbImage, quality: u8) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, quality).write_image(
        picture,
        picture.width(),
        picture.height(),
        image::ExtendedColorType::Rgb8,
    )?;
    Ok(bytes)
}

fn portrait(map: &mut Pixmap, area: &Area, scale: f32) {
    let part = |x: f32, y: f32, width: f32, height: f32| {
        let area = Area {
            x: area.x + x * area.width,
            y: area.y + y * area.height,
            width: width * area.width,
            height: height * area.height,
        };
        rectangle(&area, scale)
    };
    if let Some(ground) = part(0.0, 0.0, 1.0, 1.0) {
        map.fill_rect(ground, &paint([208, 216, 224]), Transform::identity(), None);
    }
    let ovals: [(f32, f32, f32, f32, Colour); 4] = [
        (0.05, 0.72, 0.9, 0.6, [73, 86, 107]),
        (0.36, 0.5, 0.28, 0.3, [199, 155, 124]),
        (0.24, 0.16, 0.52, 0.5, [214, 170, 138]),
        (0.22, 0.1, 0.56, 0.2, [75, 53, 42]),
    ];
    for (x, y, width, height, colour) in ovals {
        // The body is cut off at the picture's edge.
        let height = height.min(1.0 - y);
        if let Some(path) = part(x, y, width, height).and_then(PathBuilder::from_oval) {
            map.fill_path(&path, &paint(colour), FillRule::Winding, Transform::identity(), None);
        }
    }
}

fn rectangle(area: &Area, scale: f32) -> Option<Rect> {
    Rect::from_xywh(area.x * scale, area.y * scale, area.width * scale, area.height * scale)
}

fn paint(colour: Colour) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(colour[0], colour[1], colour[2], 255);
    paint.anti_alias = true;
    paint
}
