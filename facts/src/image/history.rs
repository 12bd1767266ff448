//! Whether a JPEG was compressed once before on the same grid of blocks, as whatever is opened, changed and saved again was.
//!
//! Quantising twice leaves a comb in the histogram of a frequency: of the values that the first table left, some steps of the
//! second take more than others. How the histogram would look without, is estimated from the picture itself, cut four pixels
//! off its grid (J. Fridrich's calibration). Against that stand, for each step that an earlier table can have had, the
//! histograms that it would have left (after T. Bianchi and A. Piva, *Image forgery localization via block-grained analysis
//! of JPEG artifacts*, 2012). How much better than none the best of them explains what is there, is the measure.

use super::{
    EarlierCompression, EarlierRegions,
    compression::{ZIGZAG, cosines, transform_block},
    plane::{Plane, scaled, to_f64},
};

/// Blocks whose coefficients are counted.
const MAX_BLOCKS: usize = 32_768;
/// Frequencies that are looked at: the nine lowest after the mean.
const FREQUENCIES: usize = 9;
/// The largest quantised value that is counted, and the most coefficients' values.
const REACH: usize = 24;
const RANGE: usize = 1_024;
/// Fewer values than these, zeros left out, tell nothing.
const FEW: u32 = 150;
/// The largest step of an earlier table.
const MAX_STEP: u32 = 30;
/// What rounding to whole pixels adds to a coefficient.
const ROUNDING: f64 = 0.45;
/// Regions along the longer side.
const MAX_REGIONS: usize = 24;

/// One frequency: the shares of each magnitude from 1 to [`REACH`] without an earlier compression, and with the best one.
struct Explained {
    index: usize,
    once: [f64; REACH],
    twice: [f64; REACH],
}

/// Coefficients of one block, those of [`FREQUENCIES`].
type Block = [f64; FREQUENCIES];

/// `table` is the luminance table in zigzag order.
pub(super) fn earlier(plane: &Plane, table: &[u16]) -> (Vec<EarlierCompression>, Option<EarlierRegions>) {
    if plane.width < 64 || plane.height < 64 {
        return (Vec::new(), None);
    }
    let cosines = cosines();
    let (columns, rows) = (plane.width / 8 - 1, plane.height / 8 - 1);
    let stride = (columns * rows).div_ceil(MAX_BLOCKS).max(1);
    let own = blocks(plane, (columns, rows), stride, 0, &cosines);
    let shifted = blocks(plane, (columns, rows), stride, 4, &cosines);
    let mut found = Vec::new();
    let mut explained = Vec::new();
    for index in 0..FREQUENCIES {
        let step = u32::from(table.get(index + 1).copied().unwrap_or(1).max(1));
        let histogram = histogram(&own, index, step);
        let count: u32 = histogram.iter().sum();
        if count < FEW {
            continue;
        }
        let smooth = magnitudes(&shifted, index);
        let once = shares(&quantised(&smooth, step));
        let likelihood = |shares: &[f64; REACH]| {
            histogram.iter().zip(shares).map(|(&count, share)| f64::from(count) * share.ln()).sum::<f64>()
        };
        let base = likelihood(&once);
        let best = (1..=MAX_STEP)
            .filter(|earlier| *earlier != step)
            .map(|earlier| {
                let twice = mixed(&shares(&twice_quantised(&smooth, earlier, step)), &once);
                ((likelihood(&twice) - base) / f64::from(count), earlier, twice)
            })
            .max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((gain, earlier, twice)) = best {
            found.push(EarlierCompression {
                frequency: crate::text::count(index),
                step: earlier,
                gain: scaled(gain, 1_000.0),
                count,
            });
            explained.push(Explained { index, once, twice });
        }
    }
    let strong: Vec<&Explained> = explained
        .iter()
        .zip(&found)
        .filter(|(_, found)| found.gain >= STRONG)
        .map(|(explained, _)| explained)
        .collect();
    let regions = (strong.len() >= 3).then(|| regions(&own, (columns, rows), stride, table, &strong));
    (found, regions)
}

/// Gains in thousandths from which a frequency tells something of each region.
const STRONG: u32 = 15;

fn blocks(
    plane: &Plane,
    (columns, rows): (usize, usize),
    stride: usize,
    shift: usize,
    cosines: &[[f64; 8]; 8],
) -> Vec<Block> {
    (0..columns * rows)
        .step_by(stride)
        .map(|block| {
            let (left, top) = (block % columns * 8 + shift, block / columns * 8 + shift);
            let coefficients = transform_block(plane, left, top, cosines);
            std::array::from_fn(|index| {
                let (vertical, horizontal) = ZIGZAG[index + 1];
                coefficients[vertical][horizontal]
            })
        })
        .collect()
}

/// The magnitude of a quantised value, where it is counted.
fn magnitude(coefficient: f64, step: u32) -> Option<usize> {
    let value = usize::try_from(scaled((coefficient / f64::from(step)).abs(), 1.0)).ok()?;
    (1..=REACH).contains(&value).then(|| value - 1)
}

/// How often each magnitude from 1 on occurs.
fn histogram(blocks: &[Block], index: usize, step: u32) -> [u32; REACH] {
    let mut histogram = [0; REACH];
    for block in blocks {
        if let Some(place) = magnitude(block[index], step) {
            histogram[place] += 1;
        }
    }
    histogram
}

/// How likely each whole magnitude is before any quantisation, and summed up: the value at `n` is all below `n - 1/2`.
fn magnitudes(blocks: &[Block], index: usize) -> Vec<f64> {
    let mut counts = vec![0.0; RANGE];
    for block in blocks {
        let place = usize::try_from(scaled(block[index].abs(), 1.0)).unwrap_or(RANGE);
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
    below
}

/// What lies between two magnitudes.
fn between(below: &[f64], from: f64, to: f64) -> f64 {
    let at = |value: f64| {
        let value = (value + 0.5).clamp(0.0, to_f64(RANGE as u64));
        let place = usize::try_from(scaled(value.floor(), 1.0)).unwrap_or(RANGE).min(RANGE - 1);
        below[place] + (below[place + 1] - below[place]) * (value - to_f64(place as u64))
    };
    at(to) - at(from)
}

/// The weights of each magnitude from 1 on after one quantisation.
fn quantised(below: &[f64], step: u32) -> [f64; REACH] {
    let step = f64::from(step);
    std::array::from_fn(|place| {
        let value = to_f64(place as u64) + 1.0;
        between(below, step * (value - 0.5), step * (value + 0.5))
    })
}

/// The same after two.
fn twice_quantised(below: &[f64], first: u32, second: u32) -> [f64; REACH] {
    let (first, second) = (f64::from(first), f64::from(second));
    let mut weights = [0.0; REACH];
    let most = second * (to_f64(REACH as u64) + 1.0);
    let mut value = first;
    while value <= most {
        let weight = between(below, value - first / 2.0, value + first / 2.0);
        let middle = (value / second).round();
        for bin in [middle - 1.0, middle, middle + 1.0] {
            let share =
                normal((second * (bin + 0.5) - value) / ROUNDING) - normal((second * (bin - 0.5) - value) / ROUNDING);
            if bin >= 1.0
                && let Some(place) = weights.get_mut(usize::try_from(scaled(bin - 1.0, 1.0)).unwrap_or(REACH))
            {
                *place += weight * share;
            }
        }
        value += first;
    }
    weights
}

/// The normal distribution, to about a thousandth.
fn normal(value: f64) -> f64 {
    0.5 * (1.0 + (0.797_884_6 * (value + 0.044_715 * value.powi(3))).tanh())
}

/// Of a whole of 1.
fn shares(weights: &[f64; REACH]) -> [f64; REACH] {
    let whole: f64 = weights.iter().sum::<f64>() + 1e-9;
    weights.map(|weight| (weight / whole).max(1e-6))
}

/// Parts of a picture can have another history: a tenth of it is allowed to.
fn mixed(twice: &[f64; REACH], once: &[f64; REACH]) -> [f64; REACH] {
    std::array::from_fn(|place| 0.9 * twice[place] + 0.1 * once[place])
}

/// Where the picture looks as if it had been compressed only once.
fn regions(
    own: &[Block],
    (columns, rows): (usize, usize),
    stride: usize,
    table: &[u16],
    strong: &[&Explained],
) -> EarlierRegions {
    let side = columns.max(rows).div_ceil(MAX_REGIONS).max(1);
    let (across, down) = (columns.div_ceil(side), rows.div_ceil(side));
    let mut sums = vec![(0.0, 0_u32); across * down];
    for (block, values) in (0..).step_by(stride).zip(own) {
        let (sum, count) = &mut sums[block / columns / side * across + block % columns / side];
        for explained in strong {
            let step = u32::from(table.get(explained.index + 1).copied().unwrap_or(1).max(1));
            if let Some(place) = magnitude(values[explained.index], step) {
                *sum += (explained.twice[place] / explained.once[place]).ln();
                *count += 1;
            }
        }
    }
    EarlierRegions {
        columns: crate::text::count(across),
        rows: crate::text::count(down),
        region: crate::text::count(side * 8),
        values: sums
            .into_iter()
            .map(|(sum, count)| {
                (count >= 24).then(|| {
                    let mean = sum / f64::from(count);
                    let size = i32::try_from(scaled(mean.abs(), 1_000.0)).unwrap_or(i32::MAX);
                    if mean < 0.0 { -size } else { size }
                })
            })
            .collect(),
    }
}
