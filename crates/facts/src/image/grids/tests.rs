use image::{ExtendedColorType, codecs::jpeg::JpegEncoder};

use super::*;
use crate::image::{jpeg::table_of_quality, plane::byte};

/// Grey noise with soft shapes, as a photo has.
fn picture(width: usize, height: usize, seed: u32) -> Plane {
    let mut state = 0x2545_F491_u32 ^ seed.wrapping_mul(0x9E37_79B9);
    let values = (0..width * height).map(|n| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        let (x, y) = (to_f64((n % width) as u64), to_f64((n / width) as u64));
        byte(120.0 + 60.0 * (x / 40.0).sin() * (y / 31.0).cos() + f64::from(state % 17))
    });
    Plane { width, height, values: values.collect() }
}

fn saved(plane: &Plane, quality: u8) -> Plane {
    let (width, height) = (u32::try_from(plane.width).unwrap(), u32::try_from(plane.height).unwrap());
    let mut file = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut file, quality);
    encoder.encode(&plane.values, width, height, ExtendedColorType::L8).unwrap();
    let again = image::load_from_memory_with_format(&file, image::ImageFormat::Jpeg).unwrap().to_luma8();
    Plane { values: again.into_raw(), ..*plane }
}

fn cropped(plane: &Plane, left: usize, top: usize) -> Plane {
    let values = (top..plane.height).flat_map(|y| plane.row(y)[left..].to_vec()).collect();
    Plane { width: plane.width - left, height: plane.height - top, values }
}

/// Puts a square of `from` with its corner at `source` into `plane` at `target`.
fn insert(plane: &mut Plane, from: &Plane, source: (usize, usize), target: (usize, usize), side: usize) {
    for line in 0..side {
        let part = &from.row(source.1 + line)[source.0..source.0 + side];
        let start = (target.1 + line) * plane.width + target.0;
        plane.values[start..start + side].copy_from_slice(part);
    }
}

fn covers(part: &GridPart, (left, top): (u32, u32), side: u32) -> bool {
    let near = |one: u32, other: u32| one.abs_diff(other) <= 40;
    near(part.left, left)
        && near(part.top, top)
        && near(part.left + part.width, left + side)
        && near(part.top + part.height, top + side)
}

#[test]
fn a_picture_that_was_never_compressed_has_no_grid() {
    for seed in 0..4 {
        assert_eq!(grids(&picture(640, 480, seed), None), GridFacts::default());
    }
}

#[test]
fn a_decoded_picture_has_the_grid_of_its_compression_wherever_it_was_cropped() {
    let whole = saved(&picture(640, 480, 1), 85);
    for (left, top) in [(0, 0), (3, 5), (7, 1)] {
        let facts = grids(&cropped(&whole, left, top), None);
        let main = facts.main.unwrap();
        assert_eq!((usize::from(main.horizontal), usize::from(main.vertical)), ((8 - left) % 8, (8 - top) % 8));
        assert_eq!(facts.parts, []);
    }
}

#[test]
fn a_part_of_another_picture_has_another_grid() {
    let mut mixed = saved(&picture(640, 480, 1), 85);
    insert(&mut mixed, &saved(&picture(640, 480, 2), 80), (43, 30), (301, 204), 160);
    let facts = grids(&mixed, None);
    assert_eq!((facts.main.unwrap().horizontal, facts.main.unwrap().vertical), (0, 0));
    let part = facts.parts[0];
    assert!(covers(&part, (301, 204), 160), "{part:?}");
    // The block of the source that starts at (48, 32) is at (306, 206) now.
    assert_eq!((u32::from(part.horizontal), u32::from(part.vertical)), (306_u32 % 8, 206_u32 % 8));
}

#[test]
fn the_grid_of_a_part_remains_if_the_whole_is_saved_well() {
    let mut mixed = saved(&picture(640, 480, 1), 85);
    insert(&mut mixed, &saved(&picture(640, 480, 2), 75), (43, 30), (301, 204), 160);
    let facts = grids(&saved(&mixed, 95), Some(&table_of_quality(95)));
    let part = facts.parts.first().copied().unwrap_or_default();
    assert!(covers(&part, (301, 204), 160), "{facts:?}");
    // A picture that was compressed twice as a whole has no such part.
    let facts = grids(&saved(&saved(&picture(640, 480, 1), 85), 95), Some(&table_of_quality(95)));
    assert_eq!(facts.parts, [], "{facts:?}");
}

#[test]
fn small_flat_and_white_pictures_have_no_grid() {
    for (width, height) in [(1, 1), (15, 15), (40, 200), (64, 64)] {
        let flat = Plane { width, height, values: vec![255; width * height] };
        assert_eq!(grids(&flat, None), GridFacts::default());
        assert_eq!(grids(&flat, Some(&table_of_quality(75))), GridFacts::default());
    }
}
