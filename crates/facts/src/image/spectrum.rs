//! Evidence that a picture shows a screen or a print: regular patterns in its spectrum, its highlights and its
//! brightness range.

use std::f64::consts::PI;

use image::RgbImage;
use rustfft::{Fft, FftPlanner, num_complex::Complex};

use super::{
    model::{Pattern, RecaptureFacts, SpectrumPeak},
    plane::{Plane, per_ten_thousand, scaled, to_f64},
};

/// The side of a window.
const SIDE: usize = 256;
const HALF: usize = SIDE / 2;
const MAX_PEAKS: usize = 5;
/// Peaks nearer to the centre are the picture's own large shapes; those on the axes are edges and JPEG's own grid.
const NEAREST: usize = 12;
const AXIS: i32 = 3;
/// The noise that rounding to whole steps of brightness leaves.
const NOISE: f64 = 1.0;

/// `histogram` is the plane's.
pub(super) fn recapture(plane: &Plane, histogram: &[u64; 256], picture: Option<&RgbImage>) -> RecaptureFacts {
    let mut facts = RecaptureFacts { brightness_range: brightness_range(histogram), ..RecaptureFacts::default() };
    if let Some((spectrum, patterns)) = spectrum(plane, picture) {
        facts.peaks = peaks(&spectrum);
        facts.patterns = patterns;
        facts.high_frequency_energy = high_frequency_energy(&spectrum);
    }
    if let Some(picture) = picture {
        (facts.specular, facts.saturation) = highlights(picture);
    }
    facts
}

/// The sum of the magnitudes of up to nine windows, and the pattern of each; `None` for a picture smaller than one.
fn spectrum(plane: &Plane, picture: Option<&RgbImage>) -> Option<(Vec<f64>, Vec<Pattern>)> {
    if plane.width < SIDE || plane.height < SIDE {
        return None;
    }
    let places = |whole: usize| {
        let room = whole - SIDE;
        let mut places = vec![0, room / 2, room];
        places.dedup();
        places
    };
    let transform = FftPlanner::new().plan_fft_forward(SIDE);
    let mut sum = vec![0.0; SIDE * SIDE];
    let mut patterns = Vec::new();
    for top in places(plane.height) {
        for left in places(plane.width) {
            let window = window(plane, left, top, transform.as_ref());
            let pattern = pattern(&window);
            let colour = picture.map_or(0, |picture| colour_of(&pattern, plane, picture, (left, top)));
            patterns.push(Pattern { colour, ..pattern });
            sum.iter_mut().zip(&window).for_each(|(sum, value)| *sum += value);
        }
    }
    Some((sum, patterns))
}

/// The magnitudes of one window's frequencies.
fn window(plane: &Plane, left: usize, top: usize, transform: &dyn Fft<f64>) -> Vec<f64> {
    let mut magnitudes = vec![0.0; SIDE * SIDE];
    // A Hann window: without one the borders would be edges.
    let weights: Vec<f64> =
        (0..SIDE).map(|n| 0.5 - 0.5 * (2.0 * PI * to_f64(n as u64) / to_f64(SIDE as u64)).cos()).collect();
    let mut values: Vec<Complex<f64>> = Vec::with_capacity(SIDE * SIDE);
    for (y, down) in weights.iter().enumerate() {
        let row = &plane.row(top + y)[left..left + SIDE];
        let weighted = row.iter().zip(&weights).map(|(&value, across)| (f64::from(value) - 128.0) * across * down);
        values.extend(weighted.map(Complex::from));
    }
    // Each row.
    transform.process(&mut values);
    let mut column = vec![Complex::default(); SIDE];
    for x in 0..SIDE {
        for (y, value) in column.iter_mut().enumerate() {
            *value = values[y * SIDE + x];
        }
        transform.process(&mut column);
        for (y, value) in column.iter().enumerate() {
            magnitudes[y * SIDE + x] = value.norm();
        }
    }
    magnitudes
}

/// The spot that stands out most. An edge of the picture is a line through the centre of its spectrum, which stands out
/// only across it; a grid is a spot, which stands out in each direction.
fn pattern(magnitudes: &[f64]) -> Pattern {
    let at = |x: usize, y: usize| magnitudes[y % SIDE * SIDE + x % SIDE];
    let mut most = Pattern::default();
    for y in 0..=HALF {
        for x in 0..SIDE {
            let distance = radius(x, y);
            if !(NEAREST..HALF + 40).contains(&distance) || is_of_blocks(frequency(x), frequency(y)) {
                continue;
            }
            let value = at(x, y);
            if value < 8.0 * NOISE || (0..9).any(|near| at(x + SIDE + near % 3 - 1, y + SIDE + near / 3 - 1) > value) {
                continue;
            }
            let around = DIRECTIONS
                .map(|(dx, dy)| {
                    let mut line: [f64; 10] = std::array::from_fn(|index| {
                        let away = if index < 5 { SIDE + index + 3 } else { SIDE - (index - 5) - 3 };
                        // The opposite direction is the same distance backwards.
                        let back = 2 * SIDE - away;
                        let step = |direction: i8| match direction {
                            1 => away,
                            -1 => back,
                            _ => 0,
                        };
                        at(x + SIDE + step(dx), y + SIDE + step(dy))
                    });
                    line.sort_by(f64::total_cmp);
                    line[6]
                })
                .into_iter()
                .fold(0.0, f64::max);
            let prominence = scaled(value / around.max(NOISE * 2.0), 10.0);
            if prominence > most.prominence {
                most = Pattern { horizontal: frequency(x), vertical: frequency(y), prominence, colour: 0 };
            }
        }
    }
    most
}

/// See [`Pattern::colour`].
fn colour_of(pattern: &Pattern, plane: &Plane, picture: &RgbImage, (left, top): (usize, usize)) -> u32 {
    if pattern.prominence == 0 {
        return 0;
    }
    let turns: Vec<(f64, f64)> =
        (0..SIDE).map(|n| (2.0 * PI * to_f64(n as u64) / to_f64(SIDE as u64)).sin_cos()).collect();
    let size = i32::try_from(SIDE).unwrap_or(i32::MAX);
    let turn = |x: i32, y: i32| {
        let place = (pattern.horizontal * x + pattern.vertical * y).rem_euclid(size);
        turns[usize::try_from(place).unwrap_or(0)]
    };
    let width = picture.width() as usize;
    let (mut bright, mut coloured) = ((0.0, 0.0), (0.0, 0.0));
    let add = |sum: &mut (f64, f64), value: f64, (sin, cos): (f64, f64)| {
        *sum = (sum.0 + value * cos, sum.1 + value * sin);
    };
    for (y, line) in (0..size).zip(top..) {
        let rows = &picture.as_raw()[(line * width + left) * 3..];
        for (x, (pixel, brightness)) in (0..size).zip(rows.as_chunks::<3>().0.iter().zip(&plane.row(line)[left..])) {
            add(&mut bright, f64::from(*brightness), turn(x, y));
            add(&mut coloured, f64::from(pixel[0]) - f64::from(pixel[2]), turn(x, y));
        }
    }
    let strength = |(real, imaginary): (f64, f64)| f64::hypot(real, imaginary);
    scaled(strength(coloured) / strength(bright).max(1.0), 100.0).min(10_000)
}

const DIRECTIONS: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// JPEG's blocks leave spots of their own on the axes, at every 32 cycles of a window.
fn is_of_blocks(horizontal: i32, vertical: i32) -> bool {
    let near = |value: i32| (value + 2).rem_euclid(32) <= 4;
    near(horizontal) && near(vertical)
}

/// The signed frequency at an index.
fn frequency(index: usize) -> i32 {
    let index = i32::try_from(index).unwrap_or(0);
    if index < 128 { index } else { index - 256 }
}

fn radius(x: usize, y: usize) -> usize {
    let (u, v) = (f64::from(frequency(x)), f64::from(frequency(y)));
    usize::try_from(scaled(u.hypot(v), 1.0)).unwrap_or(0)
}

fn peaks(spectrum: &[f64]) -> Vec<SpectrumPeak> {
    let mut rings: Vec<Vec<f64>> = vec![Vec::new(); HALF];
    for y in 0..SIDE {
        for x in 0..SIDE {
            if let Some(ring) = rings.get_mut(radius(x, y)) {
                ring.push(spectrum[y * SIDE + x]);
            }
        }
    }
    let medians: Vec<f64> = rings
        .into_iter()
        .map(|mut ring| {
            ring.sort_by(f64::total_cmp);
            ring.get(ring.len() / 2).copied().unwrap_or_default()
        })
        .collect();
    let mut peaks = Vec::new();
    // The other half mirrors this one.
    for y in 0..HALF {
        for x in 0..SIDE {
            let (horizontal, vertical, distance) = (frequency(x), frequency(y), radius(x, y));
            let value = spectrum[y * SIDE + x];
            let median = medians.get(distance).copied().unwrap_or_default();
            if !(NEAREST..HALF - 2).contains(&distance) || horizontal.abs() < AXIS || vertical < AXIS {
                continue;
            }
            let neighbours = [
                (0, 1),
                (1, 0),
                (1, 1),
                (0, SIDE - 1),
                (SIDE - 1, 0),
                (SIDE - 1, SIDE - 1),
                (1, SIDE - 1),
                (SIDE - 1, 1),
            ];
            let is_highest =
                neighbours.iter().all(|(dx, dy)| spectrum[(y + dy) % SIDE * SIDE + (x + dx) % SIDE] <= value);
            let strength = scaled(value / median.max(NOISE), 10.0);
            if is_highest && strength >= 30 {
                peaks.push(SpectrumPeak { horizontal, vertical, strength });
            }
        }
    }
    peaks.sort_by_key(|peak| (std::cmp::Reverse(peak.strength), peak.vertical, peak.horizontal));
    peaks.truncate(MAX_PEAKS);
    peaks
}

fn high_frequency_energy(spectrum: &[f64]) -> u32 {
    let (mut high, mut all) = (0.0, 0.0);
    for y in 0..SIDE {
        for x in 0..SIDE {
            let distance = radius(x, y);
            // The window spreads the mean over its neighbours.
            if distance > 2 {
                let energy = spectrum[y * SIDE + x].powi(2);
                all += energy;
                high += if distance >= HALF / 2 { energy } else { 0.0 };
            }
        }
    }
    if all > 0.0 { scaled(high / all, 10_000.0) } else { 0 }
}

fn brightness_range(histogram: &[u64; 256]) -> u32 {
    let least = (histogram.iter().sum::<u64>() / 10_000).max(1);
    crate::text::count(histogram.iter().filter(|&&count| count >= least).count())
}

/// Specular pixels in hundredths of a percent, and the mean saturation in hundredths, of at most 65,536 pixels.
fn highlights(picture: &RgbImage) -> (u32, u32) {
    let (width, height) = picture.dimensions();
    let step = (width.max(height) / 256).max(1);
    let brightness = |x: u32, y: u32| {
        picture.get_pixel(x.min(width - 1), y.min(height - 1)).0.map(u32::from).iter().sum::<u32>() / 3
    };
    let (mut count, mut specular, mut saturation) = (0_u64, 0_u64, 0_u64);
    for y in (0..height).step_by(step as usize) {
        for x in (0..width).step_by(step as usize) {
            let [red, green, blue] = picture.get_pixel(x, y).0;
            let (most, least) = (red.max(green).max(blue), red.min(green).min(blue));
            count += 1;
            saturation += if most == 0 { 0 } else { u64::from(most - least) * 255 / u64::from(most) };
            if least >= 240 && most - least <= 10 {
                let away = 6 * step;
                let around = [(x.saturating_sub(away), y), (x + away, y), (x, y.saturating_sub(away)), (x, y + away)];
                let darkest = around.iter().map(|&(x, y)| brightness(x, y)).min().unwrap_or(255);
                specular += u64::from(darkest < 180);
            }
        }
    }
    (per_ten_thousand(specular, count), scaled(to_f64(saturation) / to_f64(count.max(1)), 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::plane::byte;

    fn recapture(plane: &Plane) -> RecaptureFacts {
        super::recapture(plane, &plane.histogram(), None)
    }

    fn plane(value: impl Fn(f64, f64) -> f64) -> Plane {
        let side = 300;
        let values = (0..side * side).map(|n| byte(value(to_f64(n as u64 % 300), to_f64(n as u64 / 300)))).collect();
        Plane { width: side, height: side, values }
    }

    #[test]
    fn the_pattern_of_a_screen_is_a_peak_at_its_frequency() {
        let noise = |x: f64, y: f64| ((x * 12.989 + y * 78.233).sin() * 43_758.545).fract().abs() * 60.0;
        let clean = recapture(&plane(|x, y| 90.0 + noise(x, y)));
        let screen =
            recapture(&plane(|x, y| 90.0 + noise(x, y) + 12.0 * (2.0 * PI * (40.0 * x + 25.0 * y) / 256.0).sin()));
        let strongest = screen.peaks[0];
        assert_eq!((strongest.horizontal, strongest.vertical), (40, 25));
        let prominence =
            |facts: &RecaptureFacts| facts.patterns.iter().map(|pattern| pattern.prominence).collect::<Vec<_>>();
        assert_eq!(screen.patterns.len(), 9);
        assert!(prominence(&screen).iter().all(|each| *each > 100), "{:?}", screen.patterns);
        assert!(prominence(&clean).iter().all(|each| *each < 60), "{:?}", clean.patterns);
        assert!(strongest.strength > 2 * clean.peaks.first().map_or(0, |peak| peak.strength), "{screen:?} {clean:?}");
    }

    #[test]
    fn small_and_flat_pictures_have_no_peaks() {
        let flat = Plane { width: 300, height: 300, values: vec![7; 90_000] };
        assert!(recapture(&flat).peaks.is_empty());
        let small = Plane { width: 1, height: 1, values: vec![7] };
        assert!(recapture(&small).peaks.is_empty());
    }
}
