//! Pictures of papers: scanned or photographed.

use image::{Rgb, RgbImage};

use crate::random::{Noise, Random, lerp};

/// How a page is scanned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scanner {
    /// The rotation of the paper in degrees.
    pub(crate) skew: f32,
    /// Pixels.
    pub(crate) blur: u32,
    /// Steps of brightness, of 255.
    pub(crate) noise: f32,
    /// Brightness of the paper, 0 to 255.
    pub(crate) paper: f32,
    /// Brightness of the ink.
    pub(crate) ink: f32,
}

impl Scanner {
    pub(crate) fn invented(random: &mut Random) -> Self {
        Self {
            skew: random.between(-1.1, 1.1),
            blur: u32::from(random.whole(0, 2) == 0),
            noise: random.between(2.0, 11.0),
            paper: random.between(228.0, 253.0),
            ink: random.between(8.0, 60.0),
        }
    }

    /// Too blurred to read.
    pub(crate) fn unreadable(random: &mut Random) -> Self {
        Self { blur: 11, noise: 14.0, paper: 190.0, ink: 120.0, ..Self::invented(random) }
    }
}

/// The scan of a page.
#[expect(clippy::cast_precision_loss, reason = "pictures have a few thousand pixels each way")]
pub(crate) fn scan(page: &RgbImage, scanner: &Scanner, random: &mut Random) -> RgbImage {
    let (width, height) = page.dimensions();
    let (sin, cos) = scanner.skew.to_radians().sin_cos();
    let (middle_x, middle_y) = (width as f32 / 2.0, height as f32 / 2.0);
    let turned = remap(width, height, |x, y| {
        let (x, y) = (x - middle_x, y - middle_y);
        sample(page, x * cos - y * sin + middle_x, x * sin + y * cos + middle_y, [255.0; 3])
    });
    let soft = blurred(&turned, scanner.blur);
    let (grain, shade) = (Noise::new(random), Noise::new(random));
    with_pixels(&soft, |x, y, colour| {
        let light = lerp(0.97, 1.0, shade.smooth(x / 700.0, y / 900.0));
        let noise = (grain.cell(whole(x), whole(y)) - 0.5) * 2.0 * scanner.noise;
        colour.map(|part| lerp(scanner.ink, scanner.paper, part / 255.0) * light + noise)
    })
}

/// A photograph of a page on a table, at an angle and in uneven light.
#[expect(clippy::cast_precision_loss, reason = "pictures have a few thousand pixels each way")]
pub(crate) fn photograph(page: &RgbImage, width: u32, height: u32, random: &mut Random) -> RgbImage {
    let (table, grain) = (Noise::new(random), Noise::new(random));
    let turn = random.between(-0.045, 0.045);
    let (lean_x, lean_y) = (random.between(-0.07, 0.07), random.between(-0.09, 0.09));
    let margin = random.between(1.06, 1.16);
    let (page_width, page_height) = (page.width() as f32, page.height() as f32);
    // As large as fits into the picture.
    let scale = (page_width / width as f32).max(page_height / height as f32) * margin;
    let (light_x, light_y) = (random.between(0.2, 0.8), random.between(0.2, 0.8));
    let noise = random.between(3.0, 8.0);
    let wood = [0.55, 0.41, 0.3].map(|part| part * random.between(110.0, 230.0));
    let shown = remap(width, height, |x, y| {
        let (u, v) = (x / width as f32 - 0.5, y / height as f32 - 0.5);
        let depth = 1.0 + lean_x * u + lean_y * v;
        let (u, v) = ((u - v * turn) / depth, (v + u * turn) / depth);
        let (px, py) = (u * width as f32 * scale + page_width / 2.0, v * height as f32 * scale + page_height / 2.0);
        let grainy = table.fractal(x / 170.0, y / 9.0, 3);
        sample(page, px, py, wood.map(|part| part * (0.7 + 0.5 * grainy)))
    });
    let soft = blurred(&shown, u32::from(random.whole(0, 1) == 0));
    with_pixels(&soft, |x, y, colour| {
        let (u, v) = (x / width as f32 - light_x, y / height as f32 - light_y);
        let light = 0.97 - 0.32 * (u * u + v * v);
        let noise = (grain.cell(whole(x), whole(y)) + grain.cell(whole(x) + 7919, whole(y)) - 1.0) * noise;
        colour.map(|part| lerp(22.0, 243.0, part / 255.0) * light + noise)
    })
}

/// A picture with each pixel computed from its position.
#[expect(clippy::cast_precision_loss, reason = "pictures have a few thousand pixels each way")]
fn remap(width: u32, height: u32, colour: impl Fn(f32, f32) -> [f32; 3]) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| Rgb(colour(x as f32, y as f32).map(level)))
}

#[expect(clippy::cast_precision_loss, reason = "pictures have a few thousand pixels each way")]
fn with_pixels(picture: &RgbImage, colour: impl Fn(f32, f32, [f32; 3]) -> [f32; 3]) -> RgbImage {
    RgbImage::from_fn(picture.width(), picture.height(), |x, y| {
        Rgb(colour(x as f32, y as f32, picture.get_pixel(x, y).0.map(f32::from)).map(level))
    })
}

/// The interpolated colour between four pixels; `outside` beyond the picture.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "the place was compared with the picture's size"
)]
fn sample(picture: &RgbImage, x: f32, y: f32, outside: [f32; 3]) -> [f32; 3] {
    if x < 0.0 || y < 0.0 || x >= (picture.width() - 1) as f32 || y >= (picture.height() - 1) as f32 {
        return outside;
    }
    let (column, row) = (x as u32, y as u32);
    let (across, down) = (x - column as f32, y - row as f32);
    let corner = |dx: u32, dy: u32| picture.get_pixel(column + dx, row + dy).0.map(f32::from);
    let (upper, lower) = ([corner(0, 0), corner(1, 0)], [corner(0, 1), corner(1, 1)]);
    std::array::from_fn(|part| {
        lerp(lerp(upper[0][part], upper[1][part], across), lerp(lower[0][part], lower[1][part], across), down)
    })
}

/// The mean over a square of `2 × radius + 1` pixels each way, twice.
fn blurred(picture: &RgbImage, radius: u32) -> RgbImage {
    if radius == 0 {
        picture.clone()
    } else {
        image::imageops::fast_blur(picture, f32::from(u8::try_from(radius).unwrap_or(9)))
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte's range")]
fn level(value: f32) -> u8 {
    value.clamp(0.0, 255.0) as u8
}

#[expect(clippy::cast_possible_truncation, reason = "pixel positions are far below the limits of this type")]
fn whole(value: f32) -> i32 {
    value as i32
}
