//! The offsets at which a picture resembles itself. A copy is an echo: it adds a ripple to the picture's spectrum, and
//! the spectrum of the spectrum's logarithm, the cepstrum, has a peak at the echo's offset (B. Bogert, M. Healy and
//! J. Tukey, 1963). The logarithm keeps strong textures from hiding weak ones.

use rustfft::{Fft, FftPlanner, num_complex::Complex};

use super::detail::{Detail, mean_around};

/// How many peaks are examined.
const PEAKS: usize = 20;
/// The least distance of a copy, in pixels: neighbours resemble each other.
const NEAREST: isize = 24;
/// The surroundings by which the detail is levelled, so that a part with strong detail does not count more.
const LEVELLED: usize = 8;

/// Across and down, the most likely first.
pub(super) fn likely(detail: &Detail) -> Vec<(isize, isize)> {
    let (width, height) = (detail.width.next_multiple_of(64), detail.height.next_multiple_of(64));
    let mut values = vec![Complex::<f32>::default(); width * height];
    let level = levels(detail);
    for y in 0..detail.height {
        let row = values[y * width..].iter_mut().zip(detail.row(y)).zip(&level[y * detail.width..]);
        row.for_each(|((to, value), level)| *to = Complex::from((value / level).clamp(-2.5, 2.5)));
    }
    let mut planner = FftPlanner::new();
    let (along, down) = (planner.plan_fft_forward(width), planner.plan_fft_forward(height));
    let values = transformed(values, along.as_ref(), down.as_ref());
    // Turned by the transform: columns are rows now.
    let mut spectrum: Vec<f32> = values.iter().map(|value| (value.norm_sqr() + 1e-3).ln()).collect();
    drop(values);
    let smooth = mean_around(&spectrum, height, 4);
    spectrum.iter_mut().zip(&smooth).for_each(|(value, smooth)| *value -= smooth);
    let echoes = transformed(spectrum.iter().map(Complex::from).collect(), down.as_ref(), along.as_ref());
    peaks(&echoes, width, height)
        .into_iter()
        .flat_map(|(x, y)| unwrapped(x, y, width, height))
        .filter(|(x, y)| x.unsigned_abs() < detail.width && y.unsigned_abs() < detail.height)
        .collect()
}

/// The usual strength of the detail around each pixel.
fn levels(detail: &Detail) -> Vec<f32> {
    let squares: Vec<f32> = detail.values.iter().map(|value| value * value).collect();
    mean_around(&squares, detail.width, LEVELLED).iter().map(|square| square.max(0.0).sqrt() + 0.7).collect()
}

/// Transforms rows, then columns; the result has rows and columns exchanged.
fn transformed(mut values: Vec<Complex<f32>>, along: &dyn Fft<f32>, down: &dyn Fft<f32>) -> Vec<Complex<f32>> {
    let (width, height) = (along.len(), down.len());
    along.process(&mut values);
    let mut turned = vec![Complex::default(); values.len()];
    // In squares, so that both sides stay in the cache.
    for (top, left) in (0..height).step_by(16).flat_map(|top| (0..width).step_by(16).map(move |left| (top, left))) {
        for y in top..(top + 16).min(height) {
            for x in left..(left + 16).min(width) {
                turned[x * height + y] = values[y * width + x];
            }
        }
    }
    drop(values);
    down.process(&mut turned);
    turned
}

/// The highest peaks, highest first. The other half of the plane mirrors this one.
fn peaks(echoes: &[Complex<f32>], width: usize, height: usize) -> Vec<(usize, usize)> {
    let at = |x: usize, y: usize| echoes[y % height * width + x % width].re;
    let near = usize::try_from(NEAREST).unwrap_or(0);
    let mut peaks: Vec<(f32, usize, usize)> = Vec::new();
    for y in 0..=height / 2 {
        for x in 0..width {
            if y < near && (x < near || x + near > width) {
                continue;
            }
            let value = at(x, y);
            let is_low = peaks.len() == PEAKS && peaks.last().is_some_and(|(least, ..)| value <= *least);
            if is_low || (y % (height / 2) == 0 && x > width / 2) {
                continue;
            }
            let is_highest = (0..9).all(|n| at(x + width + n % 3 - 1, y + height + n / 3 - 1) <= value);
            if is_highest {
                let place = peaks.partition_point(|(higher, ..)| *higher >= value);
                peaks.insert(place, (value, x, y));
                peaks.truncate(PEAKS);
            }
        }
    }
    peaks.into_iter().map(|(_, x, y)| (x, y)).collect()
}

/// The spectrum of a finite picture does not distinguish an offset from one that leaves the picture and comes in again.
fn unwrapped(x: usize, y: usize, width: usize, height: usize) -> Vec<(isize, isize)> {
    let (x, y) = (x.cast_signed(), y.cast_signed());
    let (back, up) = (x - width.cast_signed(), y - height.cast_signed());
    let mut offsets = vec![(x, y), (back, y), (x, up), (back, up)];
    offsets.retain(|(x, y)| x.abs() >= NEAREST || y.abs() >= NEAREST);
    offsets
}
