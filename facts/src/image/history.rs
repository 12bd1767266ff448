//! What a JPEG was before its present compression, and which part of it was something else.
//!
//! Whoever changes a picture opens a JPEG, changes it and saves it. What was left as it was has then been quantised twice on
//! the same grid of blocks, and two quantisations leave a comb in the histogram of a frequency: of the values that the first
//! one left, some steps of the second take more than others. What was put in has been quantised once on this grid.
//!
//! How a histogram would look without an earlier compression is estimated from the picture itself, cut four pixels off its
//! grid (J. Fridrich's calibration). Against that stand, for each step that an earlier table can have had, the histograms
//! that it would have left (after T. Bianchi and A. Piva, *Image forgery localization via block-grained analysis of JPEG
//! artifacts*, IEEE TIFS 7(3), 2012, in a simpler form). How much better than none the best of them explains what is there
//! is the gain of a frequency; the rectangle of blocks that it explains worst is the odd part.
//!
//! Of the gain zeros are left out: most values are zeros, and how many there are depends on the motif more than on anything
//! that was done to it. Where a picture has an earlier compression, they help to find what has not: most of its weak
//! values became zeros.

use super::{
    compression::{cosines, transform_block},
    model::{HistoryFacts, OddPart},
    plane::{Plane, scaled, to_f64},
};

/// Places in the block, as (vertical, horizontal), with their index in zigzag order: the lowest ones, in which text and
/// textures have most of their strength.
const FREQUENCIES: [(usize, usize, u8); 14] = [
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
/// Fewer blocks tell nothing; of more than so many, every second in each direction is looked at, or every third, …
const MIN_BLOCKS: usize = 1_000;
const MAX_BLOCKS: usize = 65_536;
/// The largest quantised value that is counted (edges of letters have large ones), and the most coefficients' values.
const REACH: usize = 100;
const RANGE: usize = 1_024;
/// Fewer values than these tell nothing of a frequency.
const FEW: u32 = 150;
/// The largest step of an earlier table.
const MAX_STEP: u16 = 48;
/// What rounding to whole pixels adds to a coefficient: a standard deviation.
const ROUNDING: f64 = 0.45;
/// The best of so many steps explains this much more by chance, in natural logarithms of the likelihood.
const CHANCE: f64 = 4.0;
/// The gain from which a frequency tells something of a single block, and how many such frequencies it takes.
const TELLING: f64 = 0.015;
const FEWEST_TELLING: usize = 3;
/// What one value, and one block, can say for or against the earlier compression.
const MOST: f64 = 2.5;
const MOST_OF_BLOCK: f64 = 6.0;
/// The odd part, and the next one to compare it with.
const PARTS: usize = 2;

/// `table` is the luminance table in zigzag order. `None` for a picture that is too small, or whose table is missing.
pub(super) fn history(plane: &Plane, table: &[u16]) -> Option<HistoryFacts> {
    let table = table.first_chunk::<64>()?;
    let own = Blocks::of(plane, 0)?;
    let shifted = Blocks::of(plane, 4)?;
    let explained: Vec<Explained> = FREQUENCIES
        .iter()
        .enumerate()
        .filter_map(|(index, (_, _, place))| Explained::best(index, table[usize::from(*place)].max(1), &own, &shifted))
        .collect();
    let telling: Vec<&Explained> = explained.iter().filter(|frequency| frequency.gain >= TELLING).collect();
    Some(HistoryFacts {
        gain: scaled(explained.iter().map(|frequency| frequency.gain).sum(), 1_000.0),
        earlier_steps: telling.iter().map(|frequency| (FREQUENCIES[frequency.index].2, frequency.earlier)).collect(),
        odd_parts: if telling.len() < FEWEST_TELLING { Vec::new() } else { own.odd_parts(&telling) },
    })
}

/// The coefficients of blocks that lie on a grid.
struct Blocks {
    columns: usize,
    rows: usize,
    /// From one block to the next in each direction, in pixels.
    stride: usize,
    /// Row by row; `None` for a block that reaches the end of the scale: what is cut off there is lost.
    values: Vec<Option<[f64; FREQUENCIES.len()]>>,
}

impl Blocks {
    /// The grid begins `shift` pixels (0 or 4) from the upper left corner.
    fn of(plane: &Plane, shift: usize) -> Option<Self> {
        let (columns, rows) = (plane.width.checked_sub(4)? / 8, plane.height.checked_sub(4)? / 8);
        if columns * rows < MIN_BLOCKS {
            return None;
        }
        let every =
            (1..=columns.max(rows)).find(|every| columns.div_ceil(*every) * rows.div_ceil(*every) <= MAX_BLOCKS)?;
        let (columns, rows, stride) = (columns.div_ceil(every), rows.div_ceil(every), every * 8);
        let cosines = cosines();
        let values = (0..columns * rows).map(|block| {
            let (left, top) = (block % columns * stride + shift, block / columns * stride + shift);
            if is_cut(plane, left, top) {
                return None;
            }
            let coefficients = transform_block(plane, left, top, &cosines);
            Some(FREQUENCIES.map(|(vertical, horizontal, _)| coefficients[vertical][horizontal]))
        });
        Some(Self { columns, rows, stride, values: values.collect() })
    }

    /// The values of one frequency.
    fn of_frequency(&self, index: usize) -> impl Iterator<Item = f64> {
        self.values.iter().flatten().map(move |values| values[index])
    }

    /// The rectangles that least share the history of the rest, the worst first. They do not overlap.
    fn odd_parts(&self, telling: &[&Explained]) -> Vec<OddPart> {
        let odd = |values: &[f64; FREQUENCIES.len()]| -> f64 {
            let of = |frequency: &&Explained| frequency.oddness(values[frequency.index]);
            telling.iter().map(of).sum::<f64>().clamp(-MOST_OF_BLOCK, MOST_OF_BLOCK)
        };
        let mut oddness: Vec<f64> = self.values.iter().map(|values| values.as_ref().map_or(0.0, odd)).collect();
        let mut parts = Vec::new();
        while parts.len() < PARTS {
            let Some(found) = self.worst(&oddness) else { break };
            for row in found.top..found.bottom {
                oddness[row * self.columns + found.left..row * self.columns + found.right].fill(-MOST_OF_BLOCK);
            }
            parts.push(found.part(self.stride));
        }
        parts
    }

    /// The rectangle with the largest sum, if any is above nought.
    fn worst(&self, oddness: &[f64]) -> Option<Rectangle> {
        let mut worst: Option<Rectangle> = None;
        let mut sums = vec![0.0; self.columns];
        for top in 0..self.rows {
            sums.fill(0.0);
            for bottom in top + 1..=self.rows {
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
    fn part(&self, stride: usize) -> OddPart {
        let pixels = |blocks: usize| crate::text::count(blocks * stride);
        OddPart {
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

/// Of each magnitude from 0 to [`REACH`].
type Shares = [f64; REACH + 1];

/// One frequency, and the earlier step that explains its values best.
struct Explained {
    /// Of [`FREQUENCIES`].
    index: usize,
    /// The present step.
    step: u16,
    earlier: u16,
    /// How much better it explains a value than no earlier step does, in natural logarithms.
    gain: f64,
    /// By magnitude, how much rather it comes from a block without that history.
    odd: Shares,
}

impl Explained {
    /// `None` where there are too few values.
    fn best(index: usize, step: u16, own: &Blocks, shifted: &Blocks) -> Option<Self> {
        let mut histogram = [0_u32; REACH + 1];
        for place in own.of_frequency(index).filter_map(|value| magnitude(value, step)) {
            histogram[place] += 1;
        }
        let count: u32 = histogram[1..].iter().sum();
        if count < FEW {
            return None;
        }
        let spread = Spread::of(shifted.of_frequency(index));
        let once = shares(&spread.quantised(step));
        let likelihood = |shares: &Shares| -> f64 {
            let all: f64 = shares[1..].iter().sum();
            histogram[1..].iter().zip(&shares[1..]).map(|(&count, share)| f64::from(count) * (share / all).ln()).sum()
        };
        let tried = (1..=MAX_STEP).filter(|earlier| *earlier != step).map(|earlier| {
            let twice = mixed(&shares(&spread.twice_quantised(earlier, step)), &once);
            (likelihood(&twice), earlier, twice)
        });
        let (best, earlier, twice) = tried.max_by(|one, other| one.0.total_cmp(&other.0))?;
        let gain = ((best - likelihood(&once) - CHANCE) / f64::from(count)).max(0.0);
        let odd = std::array::from_fn(|place| (once[place] / twice[place]).ln().clamp(-MOST, MOST));
        Some(Self { index, step, earlier, gain, odd })
    }

    fn oddness(&self, coefficient: f64) -> f64 {
        magnitude(coefficient, self.step).map_or(0.0, |place| self.odd[place])
    }
}

/// The magnitude of a quantised value, where it is counted.
fn magnitude(coefficient: f64, step: u16) -> Option<usize> {
    usize::try_from(scaled((coefficient / f64::from(step)).abs(), 1.0)).ok().filter(|value| *value <= REACH)
}

/// How likely each magnitude of a frequency is before any quantisation, summed up: the value at `n` is all below `n - 1/2`.
struct Spread(Vec<f64>);

impl Spread {
    fn of(coefficients: impl Iterator<Item = f64>) -> Self {
        let mut counts = vec![0.0; RANGE];
        for coefficient in coefficients {
            let place = usize::try_from(scaled(coefficient.abs(), 1.0)).unwrap_or(RANGE);
            if let Some(count) = counts.get_mut(place) {
                // A magnitude of nought has half the room of any other.
                *count += if place == 0 { 2.0 } else { 1.0 };
            }
        }
        let mut below = vec![0.0; RANGE + 1];
        for place in 0..RANGE {
            // Large values are rare: the wider a window, the less the chance of a single value shows.
            let wide = 1 + place / 6;
            let (from, to) = (place.saturating_sub(wide), (place + wide).min(RANGE - 1));
            let mean = counts[from..=to].iter().sum::<f64>() / to_f64((to - from + 1) as u64);
            below[place + 1] = below[place] + mean + 1e-3;
        }
        Self(below)
    }

    /// What lies between two magnitudes.
    fn between(&self, from: f64, to: f64) -> f64 {
        let at = |value: f64| {
            let value = (value + 0.5).clamp(0.0, to_f64(RANGE as u64));
            let place = usize::try_from(scaled(value.floor(), 1.0)).unwrap_or(RANGE).min(RANGE - 1);
            self.0[place] + (self.0[place + 1] - self.0[place]) * (value - to_f64(place as u64))
        };
        at(to) - at(from)
    }

    /// The weights of each magnitude after one quantisation.
    fn quantised(&self, step: u16) -> Shares {
        let step = f64::from(step);
        std::array::from_fn(|place| {
            let value = to_f64(place as u64);
            self.between((step * (value - 0.5)).max(0.0), step * (value + 0.5))
        })
    }

    /// The same after two.
    fn twice_quantised(&self, first: u16, second: u16) -> Shares {
        let (first, second) = (f64::from(first), f64::from(second));
        let mut weights = [0.0; REACH + 1];
        let most = second * (to_f64(REACH as u64) + 1.0);
        let mut value = 0.0;
        while value <= most {
            let weight = self.between((value - first / 2.0).max(0.0), value + first / 2.0);
            let middle = (value / second).round();
            for bin in [middle - 1.0, middle, middle + 1.0] {
                let share = normal((second * (bin + 0.5) - value) / ROUNDING)
                    - normal((second * (bin - 0.5) - value) / ROUNDING);
                let magnitude = usize::try_from(scaled(bin.abs(), 1.0)).unwrap_or(usize::MAX);
                if let Some(place) = weights.get_mut(magnitude) {
                    *place += weight * share;
                }
            }
            value += first;
        }
        weights
    }
}

/// The normal distribution, to about a thousandth.
fn normal(value: f64) -> f64 {
    0.5 * (1.0 + (0.797_884_6 * (value + 0.044_715 * value.powi(3))).tanh())
}

/// Of a whole of 1.
fn shares(weights: &Shares) -> Shares {
    let whole: f64 = weights.iter().sum::<f64>() + 1e-9;
    weights.map(|weight| (weight / whole).max(1e-6))
}

/// Parts of a picture can have another history: a tenth of it is allowed to.
fn mixed(twice: &Shares, once: &Shares) -> Shares {
    std::array::from_fn(|place| 0.9 * twice[place] + 0.1 * once[place])
}

/// Whether a block of eight by eight reaches the end of the scale.
fn is_cut(plane: &Plane, left: usize, top: usize) -> bool {
    (top..top + 8).any(|y| plane.row(y)[left..left + 8].iter().any(|value| !(2..=253).contains(value)))
}

#[cfg(test)]
mod tests {
    use image::{ExtendedColorType, codecs::jpeg::JpegEncoder};

    use super::*;
    use crate::image::{jpeg::table_of_quality, plane::byte};

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

    fn found_in(plane: &Plane, quality: u8) -> HistoryFacts {
        history(plane, &table_of_quality(quality)).unwrap()
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
        let worst = found.odd_parts[0];
        assert!(found.gain > 600 && worst.strength > 1_500, "{found:?}");
        assert!(found.odd_parts.get(1).is_none_or(|next| next.strength * 3 < worst.strength), "{found:?}");
        assert!(worst.left.abs_diff(160) <= 8 && worst.top.abs_diff(200) <= 8, "{found:?}");
        assert!(worst.width.abs_diff(160) <= 16 && worst.height.abs_diff(48) <= 16, "{found:?}");
    }

    #[test]
    fn the_earlier_steps_are_told() {
        let found = found_in(&saved(&saved(&paper(1), 70), 90), 90);
        let table = table_of_quality(70);
        let is_right = |(place, step): &&(u8, u16)| *step == table[usize::from(*place)];
        assert!(found.earlier_steps.iter().filter(is_right).count() >= 6, "{found:?}");
    }

    #[test]
    fn a_picture_that_was_saved_again_as_a_whole_has_no_odd_part() {
        let found = found_in(&saved(&saved(&paper(1), 80), 90), 90);
        assert!(found.gain > 600, "{found:?}");
        assert!(found.odd_parts.iter().all(|part| part.strength < 300), "{found:?}");
    }

    #[test]
    fn a_picture_that_was_saved_once_has_no_history() {
        let found = found_in(&saved(&paper(1), 90), 90);
        assert!(found.gain < 30 && found.odd_parts.is_empty(), "{found:?}");
    }

    #[test]
    fn small_pictures_tell_nothing() {
        let small = Plane { width: 64, height: 64, values: vec![120; 64 * 64] };
        assert!(history(&small, &table_of_quality(75)).is_none());
        assert!(history(&paper(1), &[]).is_none());
    }
}
