//! Points of a picture with a description of their surroundings that does not depend on direction and size.

use std::f32::consts::TAU;

use super::{
    mapping::as_f32,
    scales::{Layer, Scales, Spot, blur_of},
};
use crate::image::plane::Plane;

/// Directions of the brightness that are counted to find the main one, and in a description.
const BINS: usize = 36;
const DIRECTIONS: usize = 8;
/// A description counts directions in four by four cells of four by four samples.
const CELLS: usize = 4;
const SAMPLES: usize = 16;
pub(super) const LENGTH: usize = CELLS * CELLS * DIRECTIONS;
/// The distance of two samples, in widths of the blur.
const SPACING: f32 = 0.75;
/// The length of each description as a vector.
pub(super) const NORM: f32 = 1_024.0;

/// In pixels of the whole picture.
#[derive(Clone)]
pub(super) struct Point {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) size: f32,
    /// Of the main slope of the brightness, in radians.
    pub(super) direction: f32,
    pub(super) description: [i16; LENGTH],
}

pub(super) fn points(plane: &Plane) -> Vec<Point> {
    let scales = Scales::of(plane);
    scales.spots().iter().filter_map(|spot| point(&scales.0[spot.octave][spot.layer], spot)).collect()
}

fn point(layer: &Layer, spot: &Spot) -> Option<Point> {
    let blur = blur_of(spot.layer);
    let direction = main_direction(layer, spot, blur);
    let description = description(layer, spot, blur, direction)?;
    // The middle of each pixel of a halved picture is half a pixel to the right of that of the first one it replaces,
    // but every second pixel was taken, and not the mean of two.
    let scale = as_f32(1 << spot.octave);
    Some(Point { x: as_f32(spot.x) * scale, y: as_f32(spot.y) * scale, size: blur * scale, direction, description })
}

/// The slope of the brightness at a pixel: its strength and its direction.
fn slope(layer: &Layer, x: usize, y: usize) -> (f32, f32) {
    let at = y * layer.width + x;
    let across = layer.values[at + 1] - layer.values[at - 1];
    let down = layer.values[at + layer.width] - layer.values[at - layer.width];
    (across.hypot(down), down.atan2(across))
}

/// The direction with the strongest slopes around a point.
fn main_direction(layer: &Layer, spot: &Spot, blur: f32) -> f32 {
    let width = 1.5 * blur;
    let reach = index(width * 2.5).unwrap_or(1);
    let mut bins = [0.0_f32; BINS];
    for y in spot.y.saturating_sub(reach).max(1)..(spot.y + reach + 1).min(layer.height - 1) {
        for x in spot.x.saturating_sub(reach).max(1)..(spot.x + reach + 1).min(layer.width - 1) {
            let (strength, direction) = slope(layer, x, y);
            let away = (as_f32(x) - as_f32(spot.x)).powi(2) + (as_f32(y) - as_f32(spot.y)).powi(2);
            let bin = index(direction.rem_euclid(TAU) / TAU * as_f32(BINS)).unwrap_or(0) % BINS;
            bins[bin] += strength * (-away / (2.0 * width * width)).exp();
        }
    }
    let smooth: [f32; BINS] =
        std::array::from_fn(|at| bins[(at + BINS - 1) % BINS] + 2.0 * bins[at] + bins[(at + 1) % BINS]);
    let highest = (0..BINS).max_by(|one, other| smooth[*one].total_cmp(&smooth[*other])).unwrap_or(0);
    let (left, middle, right) = (smooth[(highest + BINS - 1) % BINS], smooth[highest], smooth[(highest + 1) % BINS]);
    let bend = left - 2.0 * middle + right;
    let aside = if bend < 0.0 { (left - right) / (2.0 * bend) } else { 0.0 };
    (as_f32(highest) + 0.5 + aside) / as_f32(BINS) * TAU
}

/// The slopes around a point, counted by cell and direction; `None` near the border.
fn description(layer: &Layer, spot: &Spot, blur: f32, direction: f32) -> Option<[i16; LENGTH]> {
    let (sin, cos) = direction.sin_cos();
    let step = SPACING * blur;
    let middle = as_f32(SAMPLES - 1) / 2.0;
    let mut counts = [0.0_f32; LENGTH];
    for sample in 0..SAMPLES * SAMPLES {
        let (across, down) = (as_f32(sample % SAMPLES) - middle, as_f32(sample / SAMPLES) - middle);
        let x = as_f32(spot.x) + (across * cos - down * sin) * step;
        let y = as_f32(spot.y) + (across * sin + down * cos) * step;
        let (x, y) = (index(x.round())?, index(y.round())?);
        if x < 1 || y < 1 || x + 1 >= layer.width || y + 1 >= layer.height {
            return None;
        }
        let (strength, slope) = slope(layer, x, y);
        let strength = strength * (-(across * across + down * down) / 128.0).exp();
        let turn = (slope - direction).rem_euclid(TAU) / TAU * as_f32(DIRECTIONS);
        spread(&mut counts, (across, down), turn, strength);
    }
    normalised(&counts)
}

/// Adds a slope to the cells and directions around it, by their nearness.
fn spread(counts: &mut [f32; LENGTH], (across, down): (f32, f32), turn: f32, strength: f32) {
    let cell = |place: f32| (place / as_f32(SAMPLES / CELLS)) + as_f32(CELLS - 1) / 2.0;
    let (column, row) = (cell(across), cell(down));
    for (right, below, further) in (0..8).map(|at| (at & 1, at >> 1 & 1, at >> 2)) {
        let share = |value: f32, next: usize| {
            let part = value - value.floor();
            if next == 1 { part } else { 1.0 - part }
        };
        let place = |value: f32, next: usize| index(value.floor() + as_f32(next)).filter(|at| *at < CELLS);
        let (Some(x), Some(y)) = (place(column, right), place(row, below)) else { continue };
        let bin = (index(turn.floor()).unwrap_or(0) + further) % DIRECTIONS;
        counts[(y * CELLS + x) * DIRECTIONS + bin] +=
            strength * share(column, right) * share(row, below) * share(turn, further);
    }
}

/// Of the length [`NORM`], with no value above a fifth: light changes a few slopes much.
fn normalised(counts: &[f32; LENGTH]) -> Option<[i16; LENGTH]> {
    let length = |values: &[f32; LENGTH]| values.iter().map(|value| value * value).sum::<f32>().sqrt();
    let whole = length(counts);
    if whole <= 1e-3 {
        return None;
    }
    let cut = counts.map(|count| (count / whole).min(0.2));
    let whole = length(&cut);
    #[expect(clippy::cast_possible_truncation, reason = "at most the norm")]
    let numbers = cut.map(|count| (count / whole * NORM).round() as i16);
    Some(numbers)
}

/// A number that is not negative, rounded down.
fn index(value: f32) -> Option<usize> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates, and is not negative")]
    (value >= 0.0).then_some(value as usize)
}
