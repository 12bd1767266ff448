use image::{ExtendedColorType, codecs::jpeg::JpegEncoder};

use super::*;
use crate::image::plane::{byte, scaled, to_f64};

/// A number between -1 and 1 that depends on three others.
fn random(x: usize, y: usize, seed: u32) -> f64 {
    let number = |place: usize| u32::try_from(place).unwrap();
    let mut state = number(x).wrapping_mul(0x9E37_79B9) ^ number(y).wrapping_mul(0x85EB_CA6B) ^ seed;
    for _ in 0..3 {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state = state.wrapping_mul(0x2C1B_3C6D);
    }
    f64::from(state >> 8) / f64::from(1_u32 << 23) - 1.0
}

fn whole(value: f64) -> usize {
    usize::try_from(scaled(value.floor(), 1.0)).unwrap()
}

/// Random values between points of a grid, from neighbour to neighbour without a step.
fn cloud(x: f64, y: f64, size: f64, seed: u32) -> f64 {
    let (x, y) = (x / size, y / size);
    let (left, top) = (whole(x), whole(y));
    let ease = |part: f64| part * part * (3.0 - 2.0 * part);
    let (across, down) = (ease(x - x.floor()), ease(y - y.floor()));
    let row = |y: usize| random(left, y, seed) * (1.0 - across) + random(left + 1, y, seed) * across;
    row(top) * (1.0 - down) + row(top + 1) * down
}

/// A picture of clouds of several sizes, with a camera's noise.
fn picture(width: usize, height: usize, seed: u32) -> Plane {
    let value = |n: usize| {
        let (x, y) = (n % width, n / width);
        let at = |size: f64, by: u32| cloud(to_f64(x as u64), to_f64(y as u64), size, seed + by);
        byte(128.0 + 40.0 * at(61.0, 1) + 20.0 * at(17.0, 2) + 12.0 * at(6.0, 3) + 4.0 * random(x, y, seed + 4))
    };
    Plane { width, height, values: (0..width * height).map(value).collect() }
}

fn saved(plane: &Plane, quality: u8) -> Plane {
    let (width, height) = (u32::try_from(plane.width).unwrap(), u32::try_from(plane.height).unwrap());
    let mut file = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut file, quality);
    encoder.encode(&plane.values, width, height, ExtendedColorType::L8).unwrap();
    let again = image::load_from_memory_with_format(&file, image::ImageFormat::Jpeg).unwrap().to_luma8();
    Plane { values: again.into_raw(), ..*plane }
}

/// Copies a square; each of its pixels comes from where `from` says.
fn with_copy(plane: &Plane, target: (usize, usize), side: usize, from: impl Fn(f64, f64) -> (f64, f64)) -> Plane {
    let mut values = plane.values.clone();
    for n in 0..side * side {
        let (x, y) = (n % side, n / side);
        let (from_x, from_y) = from(to_f64(x as u64), to_f64(y as u64));
        let (left, top) = (whole(from_x), whole(from_y));
        let (right, below) = (from_x - from_x.floor(), from_y - from_y.floor());
        let at = |x: usize, y: usize| f64::from(plane.row(y)[x]);
        let upper = at(left, top) * (1.0 - right) + at(left + 1, top) * right;
        let lower = at(left, top + 1) * (1.0 - right) + at(left + 1, top + 1) * right;
        values[(target.1 + y) * plane.width + target.0 + x] = byte(upper * (1.0 - below) + lower * below);
    }
    Plane { values, ..*plane }
}

/// Whether one of the two parts is about this square.
fn has_part(copied: &CopiedPart, (left, top): (u32, u32), side: u32) -> bool {
    [copied.part, copied.other].iter().any(|part| {
        let near = |one: u32, other: u32| one.abs_diff(other) <= 32;
        near(part.left, left)
            && near(part.top, top)
            && near(part.left + part.width, left + side)
            && near(part.top + part.height, top + side)
    })
}

#[test]
fn a_part_that_was_copied_is_found_with_its_source_after_compression() {
    let changed = with_copy(&picture(700, 500, 7), (403, 290), 120, |x, y| (x + 101.0, y + 57.0));
    for quality in [95, 80] {
        let copied = copies(&saved(&changed, quality)).unwrap();
        assert!(has_part(&copied, (403, 290), 120), "{quality}: {copied:?}");
        assert!(has_part(&copied, (101, 57), 120), "{quality}: {copied:?}");
    }
}

#[test]
fn a_part_that_was_turned_and_enlarged_is_found() {
    let (sin, cos) = 0.3_f64.sin_cos();
    let changed = with_copy(&picture(700, 500, 9), (420, 300), 150, |x, y| {
        let (x, y) = ((x - 75.0) / 1.1, (y - 75.0) / 1.1);
        (180.0 + x * cos - y * sin, 150.0 + x * sin + y * cos)
    });
    let copied = copies(&saved(&changed, 90)).unwrap();
    assert!(has_part(&copied, (420, 300), 150), "{copied:?}");
}

#[test]
fn a_picture_without_a_copy_has_none() {
    for seed in 20..22 {
        assert_eq!(copies(&saved(&picture(700, 500, seed), 85)), None);
    }
}

/// Windows in a wall: the same shapes, each with its own noise.
#[test]
fn things_that_are_alike_are_not_copies() {
    for noise in [3.0, 8.0] {
        let value = |n: usize| {
            let (x, y) = (n % 800, n / 800);
            let (across, down) = (x % 97, y % 131);
            let glass = 25.0 * cloud(to_f64(across as u64), to_f64(down as u64), 9.0, 5);
            let wall = if across > 60 || down > 90 { 160.0 } else { 70.0 + glass };
            byte(wall + noise * random(x, y, 1))
        };
        let wall = Plane { width: 800, height: 600, values: (0..480_000).map(value).collect() };
        assert_eq!(copies(&saved(&wall, 92)), None);
    }
}

#[test]
fn flat_and_small_pictures_have_no_copies() {
    for (width, height) in [(1, 1), (159, 400), (300, 300), (161, 2_000), (20_000, 165)] {
        assert_eq!(copies(&Plane { width, height, values: vec![90; width * height] }), None);
    }
}
