//! What a JPEG was before its present compression, and where it was something else.
//!
//! Whoever changes a part of a JPEG opens it, puts the part in, and saves it. The rest of the picture has then been quantised
//! twice on the same grid of blocks, the new part once. Two quantisations leave a comb in the histogram of a frequency:
//! some values come up too often, others hardly ever. The earlier table that explains the histograms
//! best is looked for; then the rectangle of blocks that fits that history least (after Bianchi and Piva, *Image
//! forgery localization via block-grained analysis of JPEG artifacts*, IEEE TIFS 7(3), 2012, in a simpler form).
//!
//! What the histogram would be without an earlier compression is told by the same picture on a shifted grid.

use super::{
    compression::{cosines, transform_block},
    jpeg::table_of_quality,
    model::{OddPartsFacts, OddRegion},
    plane::{Plane, scaled, to_f64},
};

/// Places in the block, as (vertical, horizontal), with their index in zigzag order: the lowest ones, in which text and
/// textures have most of their strength.
const FREQUENCIES: [(usize, usize, usize); 14] = [
    (0, 1, 1),
    (1, 0, 2),
    (2, 0, 3),
    (1, 1, 4),
    (0, 2, 5),
    (0, 3, 6),
    (1, 2, 7),
    (2, 1, 8),
    (3, 0, 9),
    (3, 1, 11),
    (2, 2, 12),
    (1, 3, 13),
    (2, 3, 17),
    (3, 2, 18),
];
type Coefficients = [i16; FREQUENCIES.len()];
/// Larger coefficients are left out.
const REACH: i32 = 255;
const VALUES: usize = 511;
/// Earlier steps that are tried.
const MAX_STEP: i32 = 48;
/// Blocks on the shifted grid that are counted.
const MAX_SHIFTED: usize = 32_768;
/// Fewer blocks tell nothing.
const MIN_BLOCKS: usize = 1_000;
/// How far rounding to whole colours between the two compressions moves a coefficient, and how often: a standard deviation
/// of about 0.4.
const ROUNDING: [(f64, f64); 7] =
    [(-1.2, 0.005), (-0.8, 0.055), (-0.4, 0.24), (0.0, 0.4), (0.4, 0.24), (0.8, 0.055), (1.2, 0.005)];
/// What an earlier compression must explain better than none, in natural logarithms for each block: by one of the usual
/// tables, by any table, and each frequency of such.
const LEAST_GAIN_OF_QUALITY: f64 = 0.02;
const LEAST_GAIN_OF_TABLE: f64 = 1.0;
const LEAST_GAIN_OF_ONE: f64 = 0.01;
/// What one coefficient, and one block, can say for or against an earlier compression.
const MOST: f64 = 2.5;
const MOST_OF_BLOCK: f64 = 6.0;
/// The height of the tallest region that is looked for, in blocks: a few lines of text.
const MAX_ROWS: usize = 40;
/// Regions that are told, at most.
const MAX_REGIONS: usize = 4;

/// `quantisation` is the luminance table in zigzag order. `None` for a picture that is too small, or whose table is missing.
pub(super) fn find(plane: &Plane, quantisation: &[u16]) -> Option<OddPartsFacts> {
    let blocks = Blocks::of(plane, quantisation)?;
    let spreads = shifted(plane);
    let steps = FREQUENCIES.map(|(_, _, place)| i32::from(quantisation[place]).max(1));
    let frequencies: Vec<Frequency> = (0..FREQUENCIES.len())
        .map(|index| Frequency::new(blocks.histogram(index), &spreads[index], steps[index]))
        .collect();
    let combs = of_a_quality(&frequencies).or_else(|| of_any_table(&frequencies)).unwrap_or_default();
    let step_of = |(index, comb): &(usize, Comb)| {
        Some((u8::try_from(FREQUENCIES[*index].2).ok()?, u16::try_from(comb.step).ok()?))
    };
    Some(OddPartsFacts {
        gain: scaled(combs.iter().map(|(_, comb)| comb.gain).sum(), 1000.0),
        earlier_steps: combs.iter().filter_map(step_of).collect(),
        odd: if combs.is_empty() { Vec::new() } else { blocks.odd_regions(&combs) },
    })
}

/// An earlier compression by a program that scales the usual table (ITU-T T.81, annex K): all frequencies must fit at once,
/// so little evidence is enough.
fn of_a_quality(frequencies: &[Frequency]) -> Option<Vec<(usize, Comb)>> {
    let combs = |quality: u8| -> Vec<(usize, Comb)> {
        let table = table_of_quality(quality);
        let earlier = FREQUENCIES.map(|(_, _, place)| i32::from(table[place]));
        frequencies
            .iter()
            .zip(earlier)
            .enumerate()
            .filter(|(_, (frequency, earlier))| frequency.step != *earlier)
            .map(|(index, (frequency, earlier))| (index, frequency.comb(earlier)))
            .collect()
    };
    let gain = |combs: &[(usize, Comb)]| combs.iter().map(|(_, comb)| comb.gain).sum::<f64>();
    let best = (30..=99).map(combs).max_by(|one, other| gain(one).total_cmp(&gain(other)))?;
    (gain(&best) >= LEAST_GAIN_OF_QUALITY).then_some(best)
}

/// An earlier compression with a table of its own: each frequency is asked for itself, and together they must say much.
fn of_any_table(frequencies: &[Frequency]) -> Option<Vec<(usize, Comb)>> {
    let best = |frequency: &Frequency| {
        let tried = (2..=MAX_STEP).filter(|earlier| *earlier != frequency.step).map(|earlier| frequency.comb(earlier));
        tried.max_by(|one, other| one.gain.total_cmp(&other.gain)).filter(|comb| comb.gain >= LEAST_GAIN_OF_ONE)
    };
    let combs: Vec<(usize, Comb)> =
        frequencies.iter().enumerate().filter_map(|(index, frequency)| Some((index, best(frequency)?))).collect();
    (combs.iter().map(|(_, comb)| comb.gain).sum::<f64>() >= LEAST_GAIN_OF_TABLE).then_some(combs)
}

/// The quantised coefficients of all blocks.
struct Blocks {
    columns: usize,
    rows: usize,
    /// `None` for a block that reaches the end of the scale: what is cut off there is lost.
    values: Vec<Option<Coefficients>>,
}

impl Blocks {
    fn of(plane: &Plane, quantisation: &[u16]) -> Option<Self> {
        let (columns, rows) = (plane.width / 8, plane.height / 8);
        if columns * rows < MIN_BLOCKS || quantisation.len() < 64 {
            return None;
        }
        let cosines = cosines();
        let value = |block: usize| {
            let (left, top) = (block % columns * 8, block / columns * 8);
            if is_cut(plane, left, top) {
                return None;
            }
            let coefficients = transform_block(plane, left, top, &cosines);
            Some(FREQUENCIES.map(|(vertical, horizontal, place)| {
                let quantised = whole(coefficients[vertical][horizontal] / f64::from(quantisation[place].max(1)));
                i16::try_from(quantised).unwrap_or(i16::MAX)
            }))
        };
        Some(Self { columns, rows, values: (0..columns * rows).map(value).collect() })
    }

    fn histogram(&self, index: usize) -> Vec<f64> {
        let mut counts = vec![0.0; VALUES];
        for place in self.values.iter().flatten().filter_map(|values| place_of(values[index].into())) {
            counts[place] += 1.0;
        }
        counts
    }

    /// The rectangles that least share the history of the rest, the worst first. They do not overlap.
    fn odd_regions(&self, combs: &[(usize, Comb)]) -> Vec<OddRegion> {
        let odd = |values: &Coefficients| -> f64 {
            let of = |(index, comb): &(usize, Comb)| place_of(values[*index].into()).map_or(0.0, |at| comb.odd[at]);
            combs.iter().map(of).sum::<f64>().clamp(-MOST_OF_BLOCK, MOST_OF_BLOCK)
        };
        let mut oddness: Vec<f64> = self.values.iter().map(|values| values.as_ref().map_or(0.0, odd)).collect();
        let mut regions = Vec::new();
        while regions.len() < MAX_REGIONS {
            let Some(found) = self.worst(&oddness) else { break };
            for row in found.top..found.bottom {
                oddness[row * self.columns + found.left..row * self.columns + found.right].fill(-MOST_OF_BLOCK);
            }
            regions.push(found.region());
        }
        regions
    }

    /// The rectangle with the largest sum, which is that of a part with another history, if there is any.
    fn worst(&self, oddness: &[f64]) -> Option<Rectangle> {
        let mut worst: Option<Rectangle> = None;
        let mut sums = vec![0.0; self.columns];
        for top in 0..self.rows {
            sums.fill(0.0);
            for bottom in top + 1..=(top + MAX_ROWS).min(self.rows) {
                let row = &oddness[(bottom - 1) * self.columns..bottom * self.columns];
                for (sum, value) in sums.iter_mut().zip(row) {
                    *sum += value;
                }
                let (left, right, strength) = best_run(&sums);
                if strength > worst.as_ref().map_or(0.0, |worst| worst.strength) {
                    worst = Some(Rectangle { left, top, right, bottom, strength });
                }
            }
        }
        worst
    }
}

/// In blocks.
struct Rectangle {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
    strength: f64,
}

impl Rectangle {
    fn region(&self) -> OddRegion {
        let pixels = |blocks: usize| crate::text::count(blocks * 8);
        OddRegion {
            left: pixels(self.left),
            top: pixels(self.top),
            width: pixels(self.right - self.left),
            height: pixels(self.bottom - self.top),
            strength: scaled(self.strength, 10.0),
        }
    }
}

/// The neighbours with the largest sum: from, to (exclusive), and the sum.
fn best_run(values: &[f64]) -> (usize, usize, f64) {
    let (mut best, mut from, mut sum) = ((0, 0, 0.0), 0, 0.0);
    for (at, value) in values.iter().enumerate() {
        if sum <= 0.0 {
            (from, sum) = (at, 0.0);
        }
        sum += value;
        if sum > best.2 {
            best = (from, at + 1, sum);
        }
    }
    best
}

/// How the coefficients of a picture are spread that has no history on this grid, by frequency: the same picture, four
/// pixels off.
fn shifted(plane: &Plane) -> Vec<Vec<f64>> {
    let (columns, rows) = ((plane.width - 4) / 8, (plane.height - 4) / 8);
    let mut spreads = vec![vec![0.0; VALUES]; FREQUENCIES.len()];
    let cosines = cosines();
    let every = (columns * rows).div_ceil(MAX_SHIFTED).max(1);
    for block in (0..columns * rows).step_by(every) {
        let (left, top) = (block % columns * 8 + 4, block / columns * 8 + 4);
        if is_cut(plane, left, top) {
            continue;
        }
        let coefficients = transform_block(plane, left, top, &cosines);
        for (counts, (vertical, horizontal, _)) in spreads.iter_mut().zip(FREQUENCIES) {
            if let Some(place) = place_of(whole(coefficients[vertical][horizontal])) {
                counts[place] += 1.0;
            }
        }
    }
    spreads.iter().map(|counts| smoothed(counts)).collect()
}

/// A spread without the accidents of counting, as shares of one.
fn smoothed(counts: &[f64]) -> Vec<f64> {
    let total: f64 = counts.iter().sum::<f64>().max(1.0);
    let mean = |at: usize, width: usize| {
        let part = &counts[at.saturating_sub(width)..(at + width + 1).min(counts.len())];
        part.iter().sum::<f64>() / to_f64(part.len() as u64)
    };
    (0..counts.len())
        .map(|at| {
            // Far from the middle there are few: more of them are put together. Both signs are as likely.
            let width = 1 + at.abs_diff(counts.len() / 2) / 6;
            (f64::midpoint(mean(at, width), mean(counts.len() - 1 - at, width)) + 0.01) / total
        })
        .collect()
}

/// One frequency of the picture.
struct Frequency {
    /// How often each quantised value comes up.
    histogram: Vec<f64>,
    blocks: f64,
    /// How the values would be spread before quantising.
    spread: Vec<f64>,
    /// The present step.
    step: i32,
    /// The shares of the quantised values without an earlier compression.
    once: Vec<f64>,
}

impl Frequency {
    fn new(histogram: Vec<f64>, spread: &[f64], step: i32) -> Self {
        let blocks = histogram.iter().sum::<f64>().max(1.0);
        Self { blocks, histogram, spread: spread.to_vec(), step, once: expected(spread, None, step) }
    }

    fn comb(&self, earlier: i32) -> Comb {
        let twice = expected(&self.spread, Some(earlier), self.step);
        let shares = || self.once.iter().zip(&twice);
        let gain: f64 =
            self.histogram.iter().zip(shares()).map(|(count, (once, twice))| count * (twice / once).ln()).sum();
        let odd = shares().map(|(once, twice)| (once / twice).ln().clamp(-MOST, MOST)).collect();
        Comb { step: earlier, gain: gain / self.blocks, odd }
    }
}

/// What an earlier compression would have left of one frequency.
struct Comb {
    /// Its step.
    step: i32,
    /// How much better it explains the histogram than none does, in natural logarithms for each block.
    gain: f64,
    /// By quantised value: how much rather it comes from a block without that history.
    odd: Vec<f64>,
}

/// The shares of the quantised values, after an earlier quantisation or without one.
fn expected(spread: &[f64], earlier: Option<i32>, step: i32) -> Vec<f64> {
    // Nothing is impossible: pictures are changed in more ways than these.
    let mut shares = vec![1e-5; VALUES];
    for (value, share) in (-REACH..=REACH).map(f64::from).zip(spread) {
        let mut add = |value: f64, share: f64| {
            if let Some(place) = place_of(whole(value / f64::from(step))) {
                shares[place] += share;
            }
        };
        match earlier.map(f64::from) {
            None => add(value, *share),
            Some(earlier) => {
                let kept = (value / earlier).round() * earlier;
                for (moved, weight) in ROUNDING {
                    add(kept + moved, share * weight);
                }
            }
        }
    }
    shares
}

/// Whether a block of eight by eight reaches the end of the scale.
fn is_cut(plane: &Plane, left: usize, top: usize) -> bool {
    (top..top + 8).any(|y| plane.row(y)[left..left + 8].iter().any(|value| !(2..=253).contains(value)))
}

fn place_of(value: i32) -> Option<usize> {
    usize::try_from(value.checked_add(REACH)?).ok().filter(|place| *place < VALUES)
}

#[expect(clippy::cast_possible_truncation, reason = "`as` saturates, and what is far out is left out")]
fn whole(value: f64) -> i32 {
    value.round() as i32
}

#[cfg(test)]
mod tests {
    use image::{ExtendedColorType, codecs::jpeg::JpegEncoder};

    use super::*;
    use crate::image::plane::byte;

    const WIDTH: usize = 480;
    const HEIGHT: usize = 400;

    /// Paper with grain, and darker lines on it.
    fn paper(seed: u32) -> Plane {
        let mut state = seed;
        let values = (0..WIDTH * HEIGHT)
            .map(|at| {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                let is_ink = at / WIDTH % 20 < 3 && at % 7 < 4;
                byte(if is_ink { 90.0 } else { 215.0 } + f64::from(state % 15))
            })
            .collect();
        Plane { width: WIDTH, height: HEIGHT, values }
    }

    fn saved(plane: &Plane, quality: u8) -> Plane {
        let mut file = Vec::new();
        let (width, height) = (crate::text::count(plane.width), crate::text::count(plane.height));
        JpegEncoder::new_with_quality(&mut file, quality)
            .encode(&plane.values, width, height, ExtendedColorType::L8)
            .unwrap();
        let again = image::load_from_memory_with_format(&file, image::ImageFormat::Jpeg).unwrap().to_luma8();
        Plane { values: again.into_raw(), ..*plane }
    }

    fn found_in(plane: &Plane, quality: u8) -> OddPartsFacts {
        find(plane, &table_of_quality(quality)).unwrap()
    }

    #[test]
    fn a_part_that_was_put_in_is_found_where_it_is() {
        let mut changed = saved(&paper(1), 80);
        let other = paper(2);
        for y in 200..248 {
            let part = y * WIDTH + 160..y * WIDTH + 320;
            changed.values[part.clone()].copy_from_slice(&other.values[part]);
        }
        let found = found_in(&saved(&changed, 90), 90);
        let worst = found.odd[0];
        assert!(found.gain > 600 && worst.strength > 1_500, "{found:?}");
        assert!(found.odd.get(1).is_none_or(|next| next.strength * 3 < worst.strength), "{found:?}");
        assert!(worst.left.abs_diff(160) <= 8 && worst.top.abs_diff(200) <= 8, "{found:?}");
        assert!(worst.width.abs_diff(160) <= 16 && worst.height.abs_diff(48) <= 16, "{found:?}");
    }

    #[test]
    fn a_picture_that_was_saved_again_as_a_whole_has_no_odd_part() {
        let found = found_in(&saved(&saved(&paper(1), 80), 90), 90);
        assert!(found.gain > 600, "{found:?}");
        assert!(found.odd.iter().all(|part| part.strength < 1_500), "{found:?}");
    }

    #[test]
    fn a_picture_that_was_saved_once_has_no_history() {
        let found = found_in(&saved(&paper(1), 90), 90);
        assert!(found.gain < 600, "{found:?}");
    }

    #[test]
    fn small_pictures_tell_nothing() {
        let small = Plane { width: 64, height: 64, values: vec![120; 64 * 64] };
        assert!(find(&small, &table_of_quality(75)).is_none());
        assert!(find(&paper(1), &[]).is_none());
    }
}
