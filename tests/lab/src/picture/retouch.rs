//! A forger's changes to a decoded photograph. Each change has a soft edge and ignores the grid of 8 by 8 blocks, as
//! work with a brush or a selection does.

use image::{RgbImage, imageops};

use super::sensor::{level, real};
use crate::random::{Noise, Random, lerp, smoothstep};

/// Left, top, width, height in pixels.
pub(super) type Place = [u32; 4];

/// A random place of between a tenth and a third of each side.
pub(super) fn place(width: u32, height: u32, random: &mut Random) -> Place {
    let side = |length: u32, random: &mut Random| {
        length / 10 + u32::try_from(random.whole(0, u64::from(length / 4))).unwrap_or(0)
    };
    let (wide, high) = (side(width, random), side(height, random));
    let start = |length: u32, size: u32, random: &mut Random| {
        u32::try_from(random.whole(1, u64::from(length - size - 2))).unwrap_or(1)
    };
    [start(width, wide, random), start(height, high, random), wide, high]
}

/// Lays `patch` over `place`, in the shape of an ellipse or a rectangle with a soft edge.
pub(super) fn lay(picture: &mut RgbImage, patch: &RgbImage, place: Place, random: &mut Random) {
    let soft = random.between(0.5, 4.0);
    let round = random.whole(0, 1) == 0;
    let (wide, high) = (real(place[2] as usize), real(place[3] as usize));
    for y in 0..place[3].min(patch.height()) {
        for x in 0..place[2].min(patch.width()) {
            let (px, py) = (real(x as usize), real(y as usize));
            let inside = if round {
                let (u, v) = (px / wide * 2.0 - 1.0, py / high * 2.0 - 1.0);
                (1.0 - (u * u + v * v).sqrt()) * wide.min(high) / 2.0
            } else {
                px.min(py).min(wide - 1.0 - px).min(high - 1.0 - py)
            };
            let share = smoothstep(0.0, soft, inside);
            let new = patch.get_pixel(x, y).0;
            let pixel = picture.get_pixel_mut(place[0] + x, place[1] + y);
            pixel.0 = std::array::from_fn(|part| level(lerp(f32::from(pixel.0[part]), f32::from(new[part]), share)));
        }
    }
}

/// Copies another part of the picture.
pub(super) fn copy(picture: &mut RgbImage, random: &mut Random) -> Place {
    let (width, height) = picture.dimensions();
    let to = place(width, height, random);
    let start = |length: u32, size: u32, other: u32, random: &mut Random| loop {
        let start = u32::try_from(random.whole(0, u64::from(length - size - 1))).unwrap_or(0);
        if start.abs_diff(other) > size / 2 || size * 2 > length {
            return start;
        }
    };
    let from = [start(width, to[2], to[0], random), start(height, to[3], to[1], random)];
    let patch = imageops::crop_imm(picture, from[0], from[1], to[2], to[3]).to_image();
    lay(picture, &patch, to, random);
    to
}

/// Removes something: paints over it with its surroundings from both sides, with new grain.
pub(super) fn remove(picture: &mut RgbImage, random: &mut Random) -> Place {
    let (width, height) = picture.dimensions();
    let mut to = place(width, height, random);
    to[2] = to[2].min(width / 5);
    to[0] = to[0].clamp(to[2] / 2 + 1, width - to[2] - to[2] / 2 - 2);
    let push = Noise::new(random);
    let grain = random.between(0.0, 3.0);
    let patch = RgbImage::from_fn(to[2], to[3], |x, y| {
        let (fx, fy) = (real(x as usize), real(y as usize));
        let bend = push.fractal(fx / 14.0, fy / 14.0, 2);
        // Mirrored at each side, mixed in the middle.
        let from_left = to[0] - (x / 2).min(to[0]);
        let from_right = (to[0] + to[2] + (to[2] - x) / 2).min(width - 1);
        let line = (to[1] + y).min(height - 1);
        let (a, b) = (picture.get_pixel(from_left, line).0, picture.get_pixel(from_right, line).0);
        let share = smoothstep(0.2, 0.8, fx / real(to[2] as usize) + (bend - 0.5) * 0.5);
        let noise = (push.cell(i32::try_from(x).unwrap_or(0), i32::try_from(y).unwrap_or(0)) - 0.5) * grain;
        image::Rgb(std::array::from_fn(|part| level(lerp(f32::from(a[part]), f32::from(b[part]), share) + noise)))
    });
    lay(picture, &patch, to, random);
    to
}

/// Enlarges something in place.
pub(super) fn enlarge(picture: &mut RgbImage, random: &mut Random) -> Place {
    let (width, height) = picture.dimensions();
    let to = place(width, height, random);
    let scale = random.between(1.08, 1.6);
    let size = |side: u32| side_of(real(side as usize) / scale).max(8);
    let (wide, high) = (size(to[2]), size(to[3]));
    let part =
        imageops::crop_imm(picture, to[0] + (to[2] - wide) / 2, to[1] + (to[3] - high) / 2, wide, high).to_image();
    let larger = imageops::resize(&part, to[2], to[3], imageops::FilterType::CatmullRom);
    lay(picture, &larger, to, random);
    to
}

/// Changes brightness and contrast.
pub(super) fn relight(picture: &mut RgbImage, random: &mut Random) {
    let (gamma, contrast) = (random.between(0.8, 1.25), random.between(0.9, 1.2));
    for part in picture.iter_mut() {
        let value = (f32::from(*part) / 255.0).powf(gamma) * 255.0;
        *part = level((value - 128.0) * contrast + 128.0);
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a side of a picture")]
fn side_of(value: f32) -> u32 {
    value as u32
}
