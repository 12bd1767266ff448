//! Draws a page as a picture: in grey for reading text and codes in it, in colour for people.

use hayro::{
    RenderCache, RenderSettings,
    hayro_interpret::InterpreterSettings,
    hayro_syntax::page::Page,
    vello_cpu::{Pixmap, color::palette::css::WHITE},
};
use image::RgbImage;

use crate::{image::plane::Plane, model::Area};

/// Text recognition is best at about 300 dots per inch, and hardly worse at 200, which takes a third less time. Small
/// pages, such as cards, have small letters.
const DOTS_PER_INCH: f64 = 300.0;
const ENOUGH_DOTS_PER_INCH: f64 = 200.0;
const LEAST_DOTS_PER_INCH: f64 = 50.0;
/// For one page: A4 at 205 dots per inch has 4.1 million. More are only for larger pages, to have enough dots an inch.
const PIXELS: f64 = 4.1e6;
const MAX_PIXELS: f64 = 12e6;

/// A page as a picture.
pub(crate) struct DrawnPage {
    pub(crate) plane: Plane,
    /// Dots for each point.
    pub(crate) scale: f64,
}

/// Draws a page. `None` if it is too large to be read at a sensible size, or if the library cannot draw it.
pub(super) fn draw(page: &Page) -> Option<DrawnPage> {
    let (width, height) = page.render_dimensions();
    let (width, height) = (f64::from(width), f64::from(height));
    let scale = (PIXELS / (width * height)).sqrt().clamp(ENOUGH_DOTS_PER_INCH / 72.0, DOTS_PER_INCH / 72.0);
    let scale = scale.min((MAX_PIXELS / (width * height)).sqrt()).min(16_000.0 / width.max(height));
    if scale.is_nan() || scale < LEAST_DOTS_PER_INCH / 72.0 {
        return None;
    }
    let pixmap = render(page, scale)?;
    let values = pixmap
        .data_as_u8_slice()
        .as_chunks::<4>()
        .0
        .iter()
        .map(|&[red, green, blue, _]| {
            let sum = 19_595 * u32::from(red) + 38_470 * u32::from(green) + 7_471 * u32::from(blue) + 32_768;
            (sum >> 16).to_le_bytes()[0]
        })
        .collect();
    let plane = Plane { width: pixmap.width().into(), height: pixmap.height().into(), values };
    Some(DrawnPage { plane, scale })
}

/// A page for people to look at.
pub(crate) struct DrawnPicture {
    /// The page in hundredths of a point, as it is shown.
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) picture: RgbImage,
}

/// Draws a page in colour, with `longest` pixels on its longer side. `None` if the library cannot draw it.
pub(super) fn picture(page: &Page, longest: f64) -> Option<DrawnPicture> {
    let (width, height) = page.render_dimensions();
    let scale = longest / f64::from(width.max(height));
    if !scale.is_finite() || scale <= 0.0 {
        return None;
    }
    let pixmap = render(page, scale)?;
    let colours =
        pixmap.data_as_u8_slice().as_chunks::<4>().0.iter().flat_map(|&[red, green, blue, _]| [red, green, blue]);
    let picture = RgbImage::from_raw(pixmap.width().into(), pixmap.height().into(), colours.collect())?;
    let size = Area::from_points(0.0, 0.0, width.into(), height.into());
    Some(DrawnPicture { width: size.right.unsigned_abs(), height: size.bottom.unsigned_abs(), picture })
}

/// On white paper, so that no pixel is transparent.
fn render(page: &Page, scale: f64) -> Option<Pixmap> {
    #[expect(clippy::cast_possible_truncation, reason = "a scale needs no more than single precision")]
    let single = scale as f32;
    let settings = RenderSettings { x_scale: single, y_scale: single, bg_color: WHITE, ..RenderSettings::default() };
    let drawn = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        hayro::render(page, &RenderCache::new(), &InterpreterSettings::default(), &settings)
    }));
    drawn.ok()
}
