//! How likely each magnitude of a frequency is: before any quantisation, after one, after two.

use crate::image::plane::{scaled, to_f64};

/// The largest quantised value that is counted (edges of letters have large ones), and the range of coefficients.
pub(super) const REACH: usize = 100;
const RANGE: usize = 1_024;
/// The standard deviation that rounding to whole pixels adds to a coefficient.
const ROUNDING: f64 = 0.45;
/// The prior weight of the shape found off the grid, as a number of values that agree with it.
const SURE: f64 = 50.0;
/// Steps towards the best bend; it is mostly found in four.
const ROUNDS: usize = 6;
/// A bend that moves by less than this is final.
const STILL: f64 = 1e-4;

/// One value for each magnitude from 0 to [`REACH`].
pub(super) type Shares = [f64; REACH + 1];

/// How likely each magnitude of a frequency is before any quantisation, summed up: the value at `n` is all below `n - 1/2`.
pub(super) struct Spread(Vec<f64>);

impl Spread {
    pub(super) fn of(coefficients: impl Iterator<Item = f64>) -> Self {
        let mut counts = vec![0.0; RANGE];
        for coefficient in coefficients {
            let place = usize::try_from(scaled(coefficient.abs(), 1.0)).unwrap_or(RANGE);
            if let Some(count) = counts.get_mut(place) {
                // The magnitude 0 has half the range of any other.
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

    /// The sum between two magnitudes.
    fn between(&self, from: f64, to: f64) -> f64 {
        let at = |value: f64| {
            let value = (value + 0.5).clamp(0.0, to_f64(RANGE as u64));
            let place = usize::try_from(scaled(value.floor(), 1.0)).unwrap_or(RANGE).min(RANGE - 1);
            self.0[place] + (self.0[place + 1] - self.0[place]) * (value - to_f64(place as u64))
        };
        at(to) - at(from)
    }

    /// The weights of each magnitude after one quantisation.
    pub(super) fn quantised(&self, step: u16) -> Shares {
        let step = f64::from(step);
        std::array::from_fn(|place| {
            let value = to_f64(place as u64);
            self.between((step * (value - 0.5)).max(0.0), step * (value + 0.5))
        })
    }

    /// The same after two.
    pub(super) fn twice_quantised(&self, first: u16, second: u16) -> Shares {
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
    f64::midpoint(1.0, (0.797_884_6 * (value + 0.044_715 * value.powi(3))).tanh())
}

/// Scales the weights to a sum of 1.
pub(super) fn shares(weights: &Shares) -> Shares {
    let whole: f64 = weights.iter().sum::<f64>() + 1e-9;
    weights.map(|weight| (weight / whole).max(1e-6))
}

/// Parts of a picture can have another history: this allows for a tenth of it.
pub(super) fn mixed(twice: &Shares, once: &Shares) -> Shares {
    std::array::from_fn(|place| 0.9 * twice[place] + 0.1 * once[place])
}

/// Shares that were bent smoothly towards the counts: `ln` of each by `bend.0 · ln m + bend.1 · (√m − 1)`.
///
/// Blocks off the grid are the same picture, but not quite the same shape of histogram: smooth pictures and fine
/// patterns have edges that the grid does not have. Such a shape differs smoothly. A comb is not smooth: it stays,
/// however the shape is bent, so only a comb is evidence of an earlier compression.
pub(super) struct BendFit {
    bend: (f64, f64),
    /// The likelihood of the counts, in natural logarithms, minus the cost of the bend itself.
    pub(super) likelihood: f64,
}

/// `ln m` and `√m − 1` of each magnitude from 1.
pub(super) struct Bends([(f64, f64); REACH + 1]);

impl Bends {
    pub(super) fn new() -> Self {
        Self(std::array::from_fn(|place| {
            let magnitude = to_f64(place.max(1) as u64);
            (magnitude.ln(), magnitude.sqrt() - 1.0)
        }))
    }

    /// The shares of the magnitudes from 1 on, scaled to a sum of 1; the share of 0 is 0.
    pub(super) fn bent(&self, shares: &Shares, by: &BendFit) -> Shares {
        let bent: Shares =
            std::array::from_fn(|place| if place == 0 { 0.0 } else { self.share(shares, place, by.bend) });
        let whole: f64 = bent.iter().sum();
        bent.map(|share| share / whole)
    }

    fn share(&self, shares: &Shares, place: usize, bend: (f64, f64)) -> f64 {
        let (first, second) = self.0[place];
        shares[place] * (bend.0 * first + bend.1 * second).exp()
    }

    /// The bend that makes the counts most likely, by Newton's method: the likelihood of an exponential family has one
    /// maximum. Zeros are left out.
    pub(super) fn fit(&self, counted: &Shares, shares: &Shares) -> BendFit {
        let count: f64 = counted[1..].iter().sum();
        let sum = |of: fn(&(f64, f64)) -> f64| -> f64 {
            counted[1..].iter().zip(&self.0[1..]).map(|(count, bends)| count * of(bends)).sum()
        };
        let seen = (sum(|bends| bends.0), sum(|bends| bends.1));
        let mut bend = (0.0_f64, 0.0_f64);
        for _ in 0..ROUNDS {
            let (mut whole, mut mean, mut square) = (0.0, (0.0, 0.0), (0.0, 0.0, 0.0));
            for place in 1..=REACH {
                let (share, (first, second)) = (self.share(shares, place, bend), self.0[place]);
                whole += share;
                mean = (mean.0 + share * first, mean.1 + share * second);
                square = (
                    square.0 + share * first * first,
                    square.1 + share * first * second,
                    square.2 + share * second * second,
                );
            }
            mean = (mean.0 / whole, mean.1 / whole);
            let slope = (seen.0 - count * mean.0 - SURE * bend.0, seen.1 - count * mean.1 - SURE * bend.1);
            let curve = (
                count * (square.0 / whole - mean.0 * mean.0) + SURE,
                count * (square.1 / whole - mean.0 * mean.1),
                count * (square.2 / whole - mean.1 * mean.1) + SURE,
            );
            let area = curve.0 * curve.2 - curve.1 * curve.1;
            if area <= f64::EPSILON {
                break;
            }
            let step = ((curve.2 * slope.0 - curve.1 * slope.1) / area, (curve.0 * slope.1 - curve.1 * slope.0) / area);
            // Far from the maximum a step can be much too long.
            let length = step.0.abs().max(step.1.abs());
            let part = 1.0 / length.max(1.0);
            bend = (bend.0 + step.0 * part, bend.1 + step.1 * part);
            if length < STILL {
                break;
            }
        }
        let bent = self.bent(shares, &BendFit { bend, likelihood: 0.0 });
        let likelihood: f64 = counted[1..]
            .iter()
            .zip(&bent[1..])
            .filter(|(count, _)| **count > 0.0)
            .map(|(count, share)| count * share.ln())
            .sum();
        BendFit { bend, likelihood: likelihood - SURE * (bend.0 * bend.0 + bend.1 * bend.1) / 2.0 }
    }
}
