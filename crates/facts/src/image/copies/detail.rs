//! The fine detail of a picture: what remains without its large shapes.

use crate::image::plane::{Plane, to_f64};

/// The part of a pixel's surroundings that is its large shape.
const AROUND: usize = 3;

/// One value for each pixel, around 0.
pub(super) struct Detail {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) values: Vec<f32>,
}

impl Detail {
    pub(super) fn of(plane: &Plane) -> Self {
        let pixels: Vec<f32> = plane.values.iter().map(|value| f32::from(*value)).collect();
        let large = mean_around(&pixels, plane.width, AROUND);
        let small = mean_around(&pixels, plane.width, 1);
        // Half of the finest detail: compression leaves little of it.
        let values = pixels.iter().zip(&small).zip(&large).map(|((pixel, small), large)| (pixel + small) * 0.5 - large);
        Self { width: plane.width, height: plane.height, values: values.collect() }
    }

    pub(super) fn row(&self, y: usize) -> &[f32] {
        &self.values[y * self.width..(y + 1) * self.width]
    }
}

/// The mean of a square around each pixel that reaches `reach` pixels in each direction; at the border, of the part of it
/// that is inside.
pub(super) fn mean_around(values: &[f32], width: usize, reach: usize) -> Vec<f32> {
    let height = values.len() / width;
    let mut across = vec![0.0; values.len()];
    for (from, to) in values.chunks_exact(width).zip(across.chunks_exact_mut(width)) {
        running_means(from, to, reach);
    }
    // All columns at once.
    let mut sums = vec![0.0_f32; width];
    let mut means = vec![0.0; values.len()];
    let add = |sums: &mut [f32], y: usize, sign: f32| {
        sums.iter_mut().zip(&across[y * width..(y + 1) * width]).for_each(|(sum, value)| *sum += sign * value);
    };
    (0..reach.min(height)).for_each(|y| add(&mut sums, y, 1.0));
    for y in 0..height {
        if y + reach < height {
            add(&mut sums, y + reach, 1.0);
        }
        if y > reach {
            add(&mut sums, y - reach - 1, -1.0);
        }
        let scale = share((y + reach).min(height - 1) - y.saturating_sub(reach) + 1);
        means[y * width..(y + 1) * width].iter_mut().zip(&sums).for_each(|(mean, sum)| *mean = sum * scale);
    }
    means
}

fn running_means(from: &[f32], to: &mut [f32], reach: usize) {
    let length = from.len();
    let mut sum: f32 = from[..reach.min(length)].iter().sum();
    for at in 0..length {
        if at + reach < length {
            sum += from[at + reach];
        }
        if at > reach {
            sum -= from[at - reach - 1];
        }
        to[at] = sum * share((at + reach).min(length - 1) - at.saturating_sub(reach) + 1);
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the share of a few pixels needs no more precision")]
fn share(count: usize) -> f32 {
    (1.0 / to_f64(count as u64)) as f32
}
