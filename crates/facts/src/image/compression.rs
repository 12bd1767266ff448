//! Traces of an earlier compression, as numbers.

use std::f64::consts::PI;

use image::{ExtendedColorType, RgbImage, codecs::jpeg::JpegEncoder};

use super::{
    history::history,
    model::{CompressionFacts, ErrorLevel},
    plane::{Plane, scaled, to_f64},
    transform::{cosines, transform_block},
};

/// The most blocks whose coefficients are counted.
const MAX_BLOCKS: usize = 16_384;
/// The side of the part that is compressed at many qualities, and of the part that is searched for the grid.
const GHOST_SIDE: usize = 512;
const GRID_SIDE: usize = 2_048;
const ERROR_QUALITY: u8 = 90;
/// The most pixels that are compressed again.
const ERROR_PIXELS: usize = 4_000_000;
/// The most regions along the longer side.
const MAX_REGIONS: usize = 48;

/// The first ten places in zigzag order, as (vertical, horizontal).
const ZIGZAG: [(usize, usize); 10] = [(0, 0), (0, 1), (1, 0), (2, 0), (1, 1), (0, 2), (0, 3), (1, 2), (2, 1), (3, 0)];

/// `quantisation` is the luminance table in zigzag order.
pub(super) fn compression(plane: &Plane, colours: Option<&RgbImage>, quantisation: Option<&[u16]>) -> CompressionFacts {
    let part = plane.middle(GRID_SIDE);
    CompressionFacts {
        histogram_periodicity: quantisation.map(|table| histogram_periodicity(plane, table)).unwrap_or_default(),
        grid_horizontal: grid(&part, Direction::Across),
        grid_vertical: grid(&part, Direction::Down),
        ghosts: ghosts(&plane.middle(GHOST_SIDE)),
        error_level: error_level(plane).unwrap_or_default(),
        history: quantisation.and_then(|table| history(plane, colours, table)),
    }
}

/// How periodic the histogram of the quantised values is, for the first nine frequencies after the mean.
fn histogram_periodicity(plane: &Plane, table: &[u16]) -> Vec<u32> {
    const REACH: usize = 64;
    let (columns, rows) = (plane.width / 8, plane.height / 8);
    let step = (columns * rows).div_ceil(MAX_BLOCKS).max(1);
    let mut histograms = vec![[0_u32; 2 * REACH + 1]; 9];
    let cosines = cosines();
    for block in (0..columns * rows).step_by(step) {
        let (left, top) = (block % columns * 8, block / columns * 8);
        let coefficients = transform_block(plane, left, top, &cosines);
        for (index, (histogram, (vertical, horizontal))) in histograms.iter_mut().zip(&ZIGZAG[1..]).enumerate() {
            let step = f64::from(table.get(index + 1).copied().unwrap_or(1).max(1));
            let quantised = (coefficients[*vertical][*horizontal] / step).round();
            if quantised.abs() <= 64.0 {
                histogram[usize::try_from(scaled(quantised + 64.0, 1.0)).unwrap_or(0)] += 1;
            }
        }
    }
    histograms.iter().map(|histogram| periodicity(histogram)).collect()
}

/// The strongest frequency of the histogram's magnitude, without its own smooth shape. Zeros dominate in every picture,
/// so their count is replaced by the mean of its neighbours.
fn periodicity(histogram: &[u32]) -> u32 {
    let middle = histogram.len() / 2;
    let mut values: Vec<f64> = histogram.iter().map(|&count| f64::from(count).sqrt()).collect();
    values[middle] = f64::midpoint(values[middle - 1], values[middle + 1]);
    // What a running mean explains is not a period.
    let smooth: Vec<f64> = (0..values.len())
        .map(|at| {
            let around = &values[at.saturating_sub(4)..(at + 5).min(values.len())];
            around.iter().sum::<f64>() / to_f64(around.len() as u64)
        })
        .collect();
    let whole: f64 = values.iter().sum();
    if whole <= 0.0 {
        return 0;
    }
    let rest: Vec<f64> = values.iter().zip(&smooth).map(|(value, smooth)| value - smooth).collect();
    let strongest = (2..=32_u8)
        .map(|period| {
            // Periods from 2 to 10 in steps of a quarter.
            let angle = 2.0 * PI / (1.75 + f64::from(period) * 0.25);
            let (sin, cos) = rest.iter().zip(0_u32..).fold((0.0, 0.0), |(sin, cos), (value, n)| {
                let (s, c) = (angle * f64::from(n)).sin_cos();
                (sin + value * s, cos + value * c)
            });
            f64::hypot(sin, cos)
        })
        .fold(0.0, f64::max);
    scaled(strongest / whole, 1000.0)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Across,
    Down,
}

/// How strong edges between columns (across) or rows (down) are at each offset from a multiple of 8, in thousandths of
/// their mean. Only values above both neighbours are counted, so edges of the picture itself hardly matter.
fn grid(plane: &Plane, direction: Direction) -> Vec<u32> {
    let (width, height) = (plane.width, plane.height);
    let is_across = direction == Direction::Across;
    if (if is_across { width } else { height }) < 32 {
        return Vec::new();
    }
    let mut strength = [0_u64; 8];
    if is_across {
        for row in (0..height).map(|y| plane.row(y)) {
            let steps: Vec<u8> = row.iter().zip(&row[1..]).map(|(before, after)| before.abs_diff(*after)).collect();
            // The first edge that counts is the one before the third column.
            for (x, around) in (2..).zip(steps[..width - 2].windows(3)) {
                strength[x % 8] += excess(around[0], around[1], around[2]);
            }
        }
    } else {
        for y in 2..height - 2 {
            let [first, second, third, fourth] = [y - 2, y - 1, y, y + 1].map(|y| plane.row(y));
            let rows = first.iter().zip(second).zip(third.iter().zip(fourth));
            strength[y % 8] += rows
                .map(|((first, second), (third, fourth))| {
                    excess(first.abs_diff(*second), second.abs_diff(*third), third.abs_diff(*fourth))
                })
                .sum::<u64>();
        }
    }
    let mean = to_f64(strength.iter().sum()) / 8.0;
    strength.iter().map(|&value| if mean > 0.0 { scaled(to_f64(value) / mean, 1000.0) } else { 0 }).collect()
}

/// How much an edge exceeds those before and after it. Strong edges belong to the picture.
fn excess(before: u8, own: u8, after: u8) -> u64 {
    let excess = 2 * i32::from(own) - i32::from(before) - i32::from(after);
    if (1..=40).contains(&excess) { u64::from(excess.unsigned_abs()) } else { 0 }
}

fn ghosts(plane: &Plane) -> Vec<(u8, u32)> {
    (30..=95)
        .step_by(5)
        .filter_map(|quality| {
            let again = compressed_again(plane, quality)?;
            let sum: u64 = plane.values.iter().zip(&again).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
            Some((quality, scaled(to_f64(sum) / to_f64(plane.values.len() as u64), 1000.0)))
        })
        .collect()
}

/// Blocks do not depend on each other, so some rows of blocks are enough for a large picture.
fn error_level(plane: &Plane) -> Option<ErrorLevel> {
    let stride = plane.values.len().div_ceil(ERROR_PIXELS).max(1);
    let rows_looked_at: Vec<usize> = (0..plane.height).filter(|y| y / 8 % stride == 0).collect();
    let values = rows_looked_at.iter().flat_map(|&y| plane.row(y)).copied().collect();
    let part = Plane { width: plane.width, height: rows_looked_at.len(), values };
    let again = compressed_again(&part, ERROR_QUALITY)?;
    let region = plane.width.max(plane.height).div_ceil(MAX_REGIONS).div_ceil(8) * 8;
    let (columns, rows) = (plane.width.div_ceil(region), plane.height.div_ceil(region));
    let mut sums = vec![(0_u64, 0_u64); columns * rows];
    for (line, &y) in rows_looked_at.iter().enumerate() {
        let changed = &again[line * plane.width..(line + 1) * plane.width];
        for (x, (before, after)) in plane.row(y).iter().zip(changed).enumerate() {
            let (sum, count) = &mut sums[y / region * columns + x / region];
            *sum += u64::from(before.abs_diff(*after));
            *count += 1;
        }
    }
    let values: Vec<u32> = sums.iter().map(|&(sum, count)| scaled(to_f64(sum) / to_f64(count.max(1)), 100.0)).collect();
    let mut sorted = values.clone();
    sorted.sort_unstable();
    Some(ErrorLevel {
        columns: crate::text::count(columns),
        rows: crate::text::count(rows),
        region: crate::text::count(region),
        median: *sorted.get(sorted.len() / 2)?,
        high: *sorted.get(sorted.len() * 95 / 100)?,
        values,
    })
}

fn compressed_again(plane: &Plane, quality: u8) -> Option<Vec<u8>> {
    let (width, height) = (u32::try_from(plane.width).ok()?, u32::try_from(plane.height).ok()?);
    let mut file = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut file, quality);
    encoder.encode(&plane.values, width, height, ExtendedColorType::L8).ok()?;
    let again = image::load_from_memory_with_format(&file, image::ImageFormat::Jpeg).ok()?.to_luma8();
    (again.as_raw().len() == plane.values.len()).then(|| again.into_raw())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{jpeg::table_of_quality, plane::byte};

    /// Grey noise with soft shapes, as a photo has.
    fn picture(width: usize, height: usize) -> Plane {
        let mut state = 0x2545_F491_u32;
        let values = (0..width * height)
            .map(|n| {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                let (x, y) = (to_f64((n % width) as u64), to_f64((n / width) as u64));
                let value = 120.0 + 60.0 * (x / 40.0).sin() * (y / 31.0).cos() + f64::from(state % 41);
                byte(value)
            })
            .collect();
        Plane { width, height, values }
    }

    fn saved(plane: &Plane, quality: u8) -> Plane {
        Plane { values: compressed_again(plane, quality).unwrap(), ..*plane }
    }

    #[test]
    fn two_compressions_leave_a_periodic_histogram_and_a_ghost() {
        let original = picture(512, 384);
        let table = table_of_quality(90);
        let once = compression(&saved(&original, 90), None, Some(&table));
        let twice = compression(&saved(&saved(&original, 60), 90), None, Some(&table));
        let sum = |facts: &CompressionFacts| facts.histogram_periodicity.iter().sum::<u32>();
        assert!(sum(&twice) > 2 * sum(&once), "{:?} {:?}", once.histogram_periodicity, twice.histogram_periodicity);
        let at = |facts: &CompressionFacts, quality| facts.ghosts.iter().find(|(q, _)| *q == quality).unwrap().1;
        // A dip: less change at the earlier quality than at the one above it.
        assert!(at(&twice, 60) < at(&twice, 65), "{:?}", twice.ghosts);
        assert!(at(&once, 60) > at(&once, 65), "{:?}", once.ghosts);
    }

    #[test]
    fn a_cropped_picture_keeps_its_old_grid() {
        let saved = saved(&picture(512, 384), 50);
        let whole = grid(&saved, Direction::Across);
        let strongest = |grid: &[u32]| (0..8).max_by_key(|&at| grid[at]).unwrap();
        assert_eq!(strongest(&whole), 0, "{whole:?}");
        let values = (0..saved.height).flat_map(|y| saved.row(y)[3..].to_vec()).collect();
        let cropped = grid(&Plane { width: saved.width - 3, height: saved.height, values }, Direction::Across);
        assert_eq!(strongest(&cropped), 5, "{cropped:?}");
    }

    #[test]
    fn a_region_that_was_never_compressed_stands_out() {
        let mut mixed = saved(&picture(480, 480), 90);
        let fresh = picture(480, 480);
        for y in 200..280 {
            mixed.values[y * 480 + 200..y * 480 + 280].copy_from_slice(&fresh.values[y * 480 + 200..y * 480 + 280]);
        }
        let level = error_level(&mixed).unwrap();
        let at = |x: u32, y: u32| {
            level.values[usize::try_from(y / level.region * level.columns + x / level.region).unwrap()]
        };
        assert!(at(240, 240) > 2 * level.median.max(1), "{} {}", at(240, 240), level.median);
    }

    #[test]
    fn the_smallest_pictures_do_not_panic() {
        for (width, height) in [(1, 1), (7, 9), (33, 1), (8, 8)] {
            compression(&picture(width, height), None, Some(&table_of_quality(75)));
        }
    }
}
