//! A camera's processing from the light to the file: a lens that is not quite sharp, a noisy sensor with one colour per
//! pixel, and the software that interpolates the other colours, reduces the noise and sharpens.

use image::{Rgb, RgbImage};

use crate::random::Random;

/// Light on the sensor: red, green and blue, 0 to 1, linear (not gamma-encoded).
pub(crate) struct Light {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) values: Vec<[f32; 3]>,
}

/// A camera and its settings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sensor {
    /// The lens's blur: the standard deviation in pixels.
    blur: f32,
    /// The brightness factor.
    exposure: f32,
    /// Noise of the light itself and of the electronics.
    shot: f32,
    read: f32,
    /// How much of the noise is smoothed away, and how much edges are sharpened afterwards, 0 to 1.
    calm: f32,
    sharpen: f32,
}

impl Sensor {
    pub(crate) fn by_day(random: &mut Random) -> Self {
        Self {
            blur: random.between(0.35, 0.8),
            exposure: random.between(0.8, 1.15),
            shot: random.between(0.0004, 0.003),
            read: random.between(0.001, 0.004),
            calm: random.between(0.0, 0.7),
            sharpen: random.between(0.1, 0.8),
        }
    }

    pub(crate) fn by_night(random: &mut Random) -> Self {
        Self {
            exposure: random.between(0.06, 0.3),
            shot: random.between(0.003, 0.012),
            read: random.between(0.004, 0.014),
            calm: random.between(0.2, 0.9),
            ..Self::by_day(random)
        }
    }
}

impl Light {
    pub(crate) fn new(width: u32, height: u32, colour: impl Fn(f32, f32) -> [f32; 3] + Sync) -> Self {
        let (width, height) = (width as usize, height as usize);
        let mut values = vec![[0.0; 3]; width * height];
        let each = height.div_ceil(std::thread::available_parallelism().map_or(1, usize::from));
        std::thread::scope(|scope| {
            for (part, rows) in values.chunks_mut(width * each).enumerate() {
                let colour = &colour;
                scope.spawn(move || {
                    for (index, value) in rows.iter_mut().enumerate() {
                        *value = colour(real(index % width), real(part * each + index / width));
                    }
                });
            }
        });
        Self { width, height, values }
    }

    /// The light of a picture.
    pub(crate) fn of(picture: &RgbImage) -> Self {
        let values = picture.pixels().map(|pixel| pixel.0.map(|part| linear(f32::from(part)))).collect();
        Self { width: picture.width() as usize, height: picture.height() as usize, values }
    }
}

/// A brightness from 0 to 255 as light.
pub(crate) fn linear(part: f32) -> f32 {
    (part.max(0.0) / 255.0).powf(2.2)
}

/// Takes the picture.
pub(crate) fn develop(light: &Light, sensor: &Sensor, random: &mut Random) -> RgbImage {
    let (width, height) = (light.width, light.height);
    let seen = smoothed(light, sensor.blur);
    let mosaic: Vec<f32> = seen
        .iter()
        .enumerate()
        .map(|(index, colour)| {
            let value = colour[filter(index % width, index / width)] * sensor.exposure;
            let noise = (sensor.shot * value.max(0.0) + sensor.read * sensor.read).sqrt();
            value + bell(random) * noise
        })
        .collect();
    let full = Light { width, height, values: without_mosaic(&mosaic, width, height) };
    let soft = smoothed(&full, 0.85);
    let calmed: Vec<[f32; 3]> = full
        .values
        .iter()
        .zip(&soft)
        .map(|(sharp, soft)| std::array::from_fn(|part| sharp[part] + (soft[part] - sharp[part]) * sensor.calm))
        .collect();
    let gamma = gamma();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the table")]
    let tone = |part: f32| gamma[(part.clamp(0.0, 1.0) * real(GAMMA_STEPS)) as usize];
    let toned = Light { width, height, values: calmed.into_iter().map(|colour| colour.map(tone)).collect() };
    let blurred = smoothed(&toned, 1.0);
    let mut picture = RgbImage::new(width_of(width), width_of(height));
    for (pixel, (sharp, soft)) in picture.pixels_mut().zip(toned.values.iter().zip(&blurred)) {
        *pixel =
            Rgb(std::array::from_fn(|part| level((sharp[part] + (sharp[part] - soft[part]) * sensor.sharpen) * 255.0)));
    }
    picture
}

/// The colour of a sensor pixel: rows of red and green alternate with rows of green and blue.
fn filter(x: usize, y: usize) -> usize {
    match (x % 2, y % 2) {
        (0, 0) => 0,
        (1, 1) => 2,
        _ => 1,
    }
}

/// Each missing colour is the mean of the neighbouring pixels of that colour.
fn without_mosaic(mosaic: &[f32], width: usize, height: usize) -> Vec<[f32; 3]> {
    (0..width * height)
        .map(|index| {
            let (x, y) = (index % width, index / width);
            let (mut sums, mut counts) = ([0.0; 3], [0.0; 3]);
            for near_y in y.saturating_sub(1)..(y + 2).min(height) {
                for near_x in x.saturating_sub(1)..(x + 2).min(width) {
                    let colour = filter(near_x, near_y);
                    sums[colour] += mosaic[near_y * width + near_x];
                    counts[colour] += 1.0;
                }
            }
            let mut colour: [f32; 3] =
                std::array::from_fn(|part| if counts[part] > 0.0 { sums[part] / counts[part] } else { 0.0 });
            colour[filter(x, y)] = mosaic[index];
            colour
        })
        .collect()
}

/// A Gaussian blur of the given standard deviation, below two pixels.
fn smoothed(light: &Light, deviation: f32) -> Vec<[f32; 3]> {
    let bell: [f32; 5] = std::array::from_fn(|index| {
        let away = real(index) - 2.0;
        (-away * away / (2.0 * deviation * deviation)).exp()
    });
    let whole: f32 = bell.iter().sum();
    let weights = bell.map(|weight| weight / whole);
    let (width, height) = (light.width, light.height);
    let mean = |near: [[f32; 3]; 5]| -> [f32; 3] {
        std::array::from_fn(|part| near.iter().zip(weights).map(|(value, weight)| value[part] * weight).sum())
    };
    let mut across = Vec::with_capacity(light.values.len());
    for row in light.values.chunks_exact(width) {
        across.extend(
            (0..width).map(|x| mean(std::array::from_fn(|away| row[(x + away).saturating_sub(2).min(width - 1)]))),
        );
    }
    let mut both = Vec::with_capacity(across.len());
    for y in 0..height {
        let rows: [&[[f32; 3]]; 5] = std::array::from_fn(|away| {
            let near = (y + away).saturating_sub(2).min(height - 1);
            &across[near * width..(near + 1) * width]
        });
        both.extend((0..width).map(|x| mean(rows.map(|row| row[x]))));
    }
    both
}

/// A table for gamma encoding, 0 to 1, in steps finer than a file's.
fn gamma() -> Vec<f32> {
    (0..=GAMMA_STEPS).map(|step| (real(step) / real(GAMMA_STEPS)).powf(1.0 / 2.2)).collect()
}

const GAMMA_STEPS: usize = 16_384;

/// Approximately normal, with deviation 1.
fn bell(random: &mut Random) -> f32 {
    (0..3).map(|_| random.between(-1.0, 1.0)).sum()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte's range")]
pub(crate) fn level(value: f32) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

#[expect(clippy::cast_precision_loss, reason = "pictures have a few thousand pixels each way")]
pub(crate) fn real(value: usize) -> f32 {
    value as f32
}

fn width_of(side: usize) -> u32 {
    u32::try_from(side).unwrap_or(u32::MAX)
}
