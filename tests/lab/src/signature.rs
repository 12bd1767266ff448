//! A signature as written on a touch screen: dark strokes that get thinner where the pen is fast, without a background.

use std::{f32::consts::TAU, io::Cursor};

use image::{ImageFormat, Rgba, RgbaImage};

use crate::random::{Random, lerp, smoothstep};

const WIDTH: u32 = 1000;
const HEIGHT: u32 = 400;
const INK: [u8; 3] = [18, 24, 66];

/// A signature as PNG with a transparent background, 1000 × 400 pixels.
///
/// # Errors
/// Only if the picture cannot be encoded, for lack of memory.
pub fn signature(seed: u64) -> anyhow::Result<Vec<u8>> {
    let mut random = Random::new(seed, "signature");
    let mut paper = RgbaImage::from_pixel(WIDTH, HEIGHT, Rgba([INK[0], INK[1], INK[2], 0]));
    for stroke in [initial(&mut random), word(&mut random), flourish(&mut random)] {
        draw(&mut paper, &stroke);
    }
    let mut png = Cursor::new(Vec::new());
    paper.write_to(&mut png, ImageFormat::Png)?;
    Ok(png.into_inner())
}

/// The pen's path over the paper: many points close together, in pixels from the top left corner.
type Stroke = Vec<(f32, f32)>;

/// Points of a curve for `t` from 0 to 1, leaning like handwriting.
fn trace(steps: u16, curve: impl Fn(f32) -> (f32, f32)) -> Stroke {
    let lean = |(x, y): (f32, f32)| (x + (240.0 - y) * 0.32, y);
    (0..=steps).map(|step| lean(curve(f32::from(step) / f32::from(steps)))).collect()
}

/// The big first letter: a loop and a half that opens downwards.
fn initial(random: &mut Random) -> Stroke {
    let (tall, wide) = (random.between(112.0, 138.0), random.between(58.0, 80.0));
    let turns = random.between(1.35, 1.65);
    trace(260, |t| {
        let angle = TAU * (0.12 + turns * t);
        let grown = lerp(0.55, 1.0, t);
        (150.0 + wide * grown * angle.cos() + 34.0 * t, 175.0 - tall * grown * angle.sin() * 0.9 + 12.0 * t)
    })
}

/// The rest of the name: connected loops, some of them tall, which get flatter as the hand speeds up.
fn word(random: &mut Random) -> Stroke {
    let letters: Vec<(f32, f32)> = (0..9)
        .map(|_| {
            let tall = random.whole(0, 4) == 0;
            let height = if tall { random.between(85.0, 120.0) } else { random.between(24.0, 42.0) };
            (height, random.between(0.3, 1.0))
        })
        .collect();
    trace(900, |t| {
        let along = t * 8.999;
        let letter = whole(along);
        let (height, roundness) = letters[letter];
        let angle = TAU * (along - along.floor());
        let hurry = lerp(1.0, 0.4, t);
        let rise = height * hurry * (1.0 - angle.cos()) / 2.0;
        (250.0 + 470.0 * t + 34.0 * roundness * angle.sin() * hurry, 262.0 - rise - 16.0 * t)
    })
}

/// The line underneath: out to the right, back below the name, and out again.
fn flourish(random: &mut Random) -> Stroke {
    let (sweep, dip) = (random.between(0.85, 1.1), random.between(4.0, 12.0));
    trace(500, |t| {
        let swing = 0.5 - 0.5 * (TAU * 1.35 * t).cos();
        (210.0 + 520.0 * sweep * swing, 288.0 + 58.0 * t * t + dip * (TAU * 1.35 * t).sin())
    })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number that is never negative")]
fn whole(value: f32) -> usize {
    value as usize
}

fn draw(paper: &mut RgbaImage, stroke: &[(f32, f32)]) {
    let mut radius = 3.6;
    for pair in stroke.windows(2) {
        let speed = (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1);
        let wanted = lerp(4.6, 1.5, smoothstep(0.4, 4.2, speed));
        // A stroke does not change its width abruptly.
        radius = lerp(radius, wanted, 0.08);
        ink_segment(paper, pair[0], pair[1], radius);
    }
}

/// Inks every pixel within `radius` of the segment; the edge is soft over one pixel.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "pixel positions, clamped to the paper"
)]
fn ink_segment(paper: &mut RgbaImage, from: (f32, f32), to: (f32, f32), radius: f32) {
    let reach = radius + 1.0;
    let column = |x: f32| x.clamp(0.0, WIDTH as f32 - 1.0) as u32;
    let row = |y: f32| y.clamp(0.0, HEIGHT as f32 - 1.0) as u32;
    for y in row(from.1.min(to.1) - reach)..=row(from.1.max(to.1) + reach) {
        for x in column(from.0.min(to.0) - reach)..=column(from.0.max(to.0) + reach) {
            let distance = distance_to_segment((x as f32 + 0.5, y as f32 + 0.5), from, to);
            let cover = (radius + 0.5 - distance).clamp(0.0, 1.0);
            let alpha = &mut paper.get_pixel_mut(x, y).0[3];
            *alpha = (*alpha).max((cover * 235.0) as u8);
        }
    }
}

fn distance_to_segment(point: (f32, f32), from: (f32, f32), to: (f32, f32)) -> f32 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = (dx * dx + dy * dy).max(f32::EPSILON);
    let t = (((point.0 - from.0) * dx + (point.1 - from.1) * dy) / length).clamp(0.0, 1.0);
    (point.0 - from.0 - t * dx).hypot(point.1 - from.1 - t * dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_ink_on_a_transparent_background() {
        for seed in 0..5 {
            let paper = image::load_from_memory(&signature(seed).unwrap()).unwrap().to_rgba8();
            assert_eq!(paper.dimensions(), (WIDTH, HEIGHT));
            let inked = paper.pixels().filter(|pixel| pixel.0[3] > 128).count();
            let share = inked * 1000 / (WIDTH * HEIGHT) as usize;
            assert!((15..200).contains(&share), "{share} of a thousand pixels are inked under seed {seed}");
            assert_eq!(paper.get_pixel(0, 0).0[3], 0);
        }
    }

    #[test]
    fn two_people_sign_differently_and_one_signs_alike() {
        assert_eq!(signature(1).unwrap(), signature(1).unwrap());
        assert_ne!(signature(1).unwrap(), signature(2).unwrap());
    }
}
