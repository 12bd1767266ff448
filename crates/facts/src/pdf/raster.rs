//! Draws a page as a picture, for reading text and codes in it.

use hayro::{
    RenderCache, RenderSettings, hayro_interpret::InterpreterSettings, hayro_syntax::page::Page,
    vello_cpu::color::palette::css::WHITE,
};

use crate::image::plane::Plane;

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
    #[expect(clippy::cast_possible_truncation, reason = "a scale needs no more than single precision")]
    let single = scale as f32;
    let settings = RenderSettings { x_scale: single, y_scale: single, bg_color: WHITE, ..RenderSettings::default() };
    let drawn = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        hayro::render(page, &RenderCache::new(), &InterpreterSettings::default(), &settings)
    }));
    let pixmap = drawn.ok()?;
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
