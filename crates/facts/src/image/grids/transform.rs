//! The cosine transform of blocks at all places of a strip, as fast as the processor's vector units allow: no place is
//! treated differently from its neighbour.
//!
//! The transform of eight values is that of Y. Arai, T. Agui and M. Nakajima (1988): five multiplications, and each
//! result is a known multiple of the one that JPEG defines. The thresholds are scaled instead of the results.

/// The factors by which the results are larger, for each frequency: `√2 cos(k π / 16)`, and 1 for the mean.
const FACTORS: [f64; 8] = [
    1.0,
    1.387_039_845_322_148,
    1.306_562_964_876_377,
    1.175_875_602_419_359,
    1.0,
    0.785_694_958_387_102,
    0.541_196_100_146_197,
    0.275_899_379_282_943,
];

/// Eight values and their frequencies, each a multiple of that of the usual definition.
#[expect(clippy::inline_always, reason = "a loop with a call is not computed for several places at once")]
#[inline(always)]
fn frequencies(values: [f32; 8]) -> [f32; 8] {
    let sum: [f32; 4] = [values[0] + values[7], values[1] + values[6], values[2] + values[5], values[3] + values[4]];
    let difference: [f32; 4] =
        [values[0] - values[7], values[1] - values[6], values[2] - values[5], values[3] - values[4]];
    let (outer, inner) = (sum[0] + sum[3], sum[1] + sum[2]);
    let (outer_rest, inner_rest) = (sum[0] - sum[3], sum[1] - sum[2]);
    let turned = (inner_rest + outer_rest) * 0.707_106_77;
    let (low, middle, high) =
        (difference[3] + difference[2], difference[2] + difference[1], difference[1] + difference[0]);
    let shared = (low - high) * 0.382_683_43;
    let (low, high) = (0.541_196_1 * low + shared, 1.306_563 * high + shared);
    let middle = middle * 0.707_106_77;
    let (plus, minus) = (difference[0] + middle, difference[0] - middle);
    [
        outer + inner,
        plus + high,
        outer_rest + turned,
        minus - low,
        outer - inner,
        minus + low,
        outer_rest - turned,
        plus - high,
    ]
}

/// What a result is compared with, by horizontal and vertical frequency.
pub(super) struct Thresholds([[f32; 8]; 8]);

impl Thresholds {
    /// `zero` is the magnitude below which a frequency is zero, by JPEG's definition.
    #[expect(clippy::cast_possible_truncation, reason = "a threshold needs no more precision than the values")]
    pub(super) fn of(zero: f64) -> Self {
        Self(FACTORS.map(|across| FACTORS.map(|down| (zero * 8.0 * across * down) as f32)))
    }
}

/// The horizontal frequencies at each place of some rows. Memory that is used again for each strip.
pub(super) struct Strip {
    width: usize,
    /// For each row, and each frequency, one value for each place.
    values: Vec<f32>,
    pixels: Vec<f32>,
}

/// The rows that blocks at eight successive vertical places cover.
pub(super) const STRIP_ROWS: usize = 15;

impl Strip {
    /// `width` is the most places in a row.
    pub(super) fn new(width: usize) -> Self {
        Self { width, values: vec![0.0; STRIP_ROWS * 8 * width], pixels: vec![0.0; width + 7] }
    }

    /// Transforms one row of pixels, seven more than there are places.
    pub(super) fn set_row(&mut self, row: usize, pixels: &[u8]) {
        let places = pixels.len() - 7;
        for (value, pixel) in self.pixels.iter_mut().zip(pixels) {
            *value = f32::from(*pixel) - 128.0;
        }
        let shifted: [&[f32]; 8] = std::array::from_fn(|by| &self.pixels[by..by + places]);
        let mut rest = &mut self.values[row * 8 * self.width..(row + 1) * 8 * self.width];
        let results: [&mut [f32]; 8] = std::array::from_fn(|_| {
            let (result, after) = std::mem::take(&mut rest).split_at_mut(self.width);
            rest = after;
            &mut result[..places]
        });
        let [r0, r1, r2, r3, r4, r5, r6, r7] = results;
        for at in 0..places {
            let [v0, v1, v2, v3, v4, v5, v6, v7] = frequencies(std::array::from_fn(|by| shifted[by][at]));
            (r0[at], r1[at], r2[at], r3[at]) = (v0, v1, v2, v3);
            (r4[at], r5[at], r6[at], r7[at]) = (v4, v5, v6, v7);
        }
    }

    /// How many frequencies other than the mean are zero in the blocks that start at row `row`, for each place.
    pub(super) fn count_zeros(&self, row: usize, thresholds: &Thresholds, zeros: &mut [i32]) {
        zeros.fill(0);
        let places = zeros.len();
        for (across, limits) in thresholds.0.iter().enumerate() {
            let rows: [&[f32]; 8] = std::array::from_fn(|by| {
                let start = ((row + by) * 8 + across) * self.width;
                &self.values[start..start + places]
            });
            for (at, zeros) in zeros.iter_mut().enumerate() {
                let results = frequencies(std::array::from_fn(|by| rows[by][at]));
                let mut count = 0;
                for (result, limit) in results.iter().zip(limits) {
                    count += i32::from(result.abs() < *limit);
                }
                // The mean is not a frequency.
                *zeros += if across == 0 { count - i32::from(results[0].abs() < limits[0]) } else { count };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{plane::Plane, transform};

    #[test]
    fn a_scaled_transform_is_the_usual_one() {
        let values: Vec<u8> = (0..64_u32).map(|n| (n * n * 37 % 251).to_le_bytes()[0]).collect();
        let plane = Plane { width: 8, height: 8, values };
        let usual = transform::transform_block(&plane, 0, 0, &transform::cosines());
        let mut strip = Strip::new(1);
        (0..8).for_each(|row| strip.set_row(row, plane.row(row)));
        for (across, factor) in FACTORS.iter().enumerate().take(4) {
            let column = frequencies(std::array::from_fn(|row| strip.values[(row * 8 + across) * strip.width]));
            for down in 0..4 {
                let value = f64::from(column[down]) / (8.0 * factor * FACTORS[down]);
                assert!((value - usual[down][across]).abs() < 1e-3, "{across} {down}: {value} {usual:?}");
            }
        }
    }

    #[test]
    fn a_flat_block_has_only_zeros_and_noise_has_few() {
        let count = |values: Vec<u8>| {
            let mut strip = Strip::new(1);
            (0..8).for_each(|row| strip.set_row(row, &values[row * 8..row * 8 + 8]));
            let mut zeros = [0];
            strip.count_zeros(0, &Thresholds::of(0.5), &mut zeros);
            zeros[0]
        };
        assert_eq!(count(vec![77; 64]), 63);
        assert!(count((0..64_u32).map(|n| (n * n * 37 % 251).to_le_bytes()[0]).collect()) < 8);
    }
}
