//! What a picture shows: a sheet of paper in even light, or a photograph; and print that is too faint to be read.

use std::borrow::Cow;

use crate::image::plane::{Plane, to_f64};

/// The picture is compared in this many cells, across and down.
const ACROSS: usize = 12;
const DOWN: usize = 16;
/// Smaller pictures have too few dots in a cell.
const LEAST_SIDE: usize = 240;
/// Paper is at least as bright, and in nine of ten cells it is as bright as elsewhere within this difference.
const LEAST_PAPER: u8 = 150;
const MOST_DIFFERENCE: u8 = 24;

/// Whether a picture shows nothing but paper in even light, as a scanner makes it: each part of it has the same brightness
/// between the letters.
pub(crate) fn is_evenly_lit(plane: &Plane) -> bool {
    if plane.width < LEAST_SIDE || plane.height < LEAST_SIDE {
        return false;
    }
    let mut papers: Vec<u8> = Vec::with_capacity(ACROSS * DOWN);
    for down in 0..DOWN {
        for across in 0..ACROSS {
            papers.push(paper_of_cell(plane, across, down));
        }
    }
    papers.sort_unstable();
    let (dark, bright) = (papers[papers.len() / 10], papers[papers.len() - 1 - papers.len() / 10]);
    dark >= LEAST_PAPER && bright - dark <= MOST_DIFFERENCE
}

/// The brightness that a fifth of a cell's dots exceed: that of its paper. Every third dot is enough.
fn paper_of_cell(plane: &Plane, across: usize, down: usize) -> u8 {
    let (left, right) = (plane.width * across / ACROSS, plane.width * (across + 1) / ACROSS);
    let (top, bottom) = (plane.height * down / DOWN, plane.height * (down + 1) / DOWN);
    let mut values: Vec<u8> =
        (top..bottom).step_by(3).flat_map(|y| plane.row(y)[left..right].iter().step_by(3)).copied().collect();
    let at = values.len() * 4 / 5;
    *values.select_nth_unstable(at).1
}

/// Ink that is darker than this is not faint.
const FAINT: f64 = 115.0;
/// With a smaller difference between paper and ink there is nothing but noise.
const LEAST_CONTRAST: f64 = 12.0;

/// Faint print in full contrast: the threshold for ink, and the models, expect black letters.
pub(super) fn with_contrast(plane: &Plane) -> Cow<'_, Plane> {
    let Some((ink, paper)) = levels(&plane.histogram()) else { return Cow::Borrowed(plane) };
    if ink < FAINT || paper - ink < LEAST_CONTRAST {
        return Cow::Borrowed(plane);
    }
    let black = ink * 0.85;
    let table: Vec<u8> = (0_u8..=255)
        .map(|value| {
            let share = (f64::from(value) - black) / (paper - black);
            u8::try_from(crate::image::plane::scaled(share.clamp(0.0, 1.0), 255.0)).unwrap_or(255)
        })
        .collect();
    let values = plane.values.iter().map(|value| table[usize::from(*value)]).collect();
    Cow::Owned(Plane { width: plane.width, height: plane.height, values })
}

/// The mean brightness of ink and of paper, divided so that both vary least (Otsu). `None` if there is only one of them.
fn levels(histogram: &[u64; 256]) -> Option<(f64, f64)> {
    let sum = |values: &mut dyn Iterator<Item = (u64, &u64)>| values.fold((0, 0), |(n, s), (v, c)| (n + c, s + v * c));
    let (all, total) = sum(&mut (0..).zip(histogram.iter()));
    let (mut below, mut dark) = (0, 0);
    let mut best: Option<(f64, f64, f64)> = None;
    for (value, count) in (0..).zip(histogram) {
        below += count;
        dark += value * count;
        if below == 0 || below == all {
            continue;
        }
        let (ink, paper) = (to_f64(dark) / to_f64(below), to_f64(total - dark) / to_f64(all - below));
        let between = to_f64(below) * to_f64(all - below) * (paper - ink) * (paper - ink);
        if best.is_none_or(|(most, ..)| between > most) {
            best = Some((between, ink, paper));
        }
    }
    best.map(|(_, ink, paper)| (ink, paper))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sheet with lines of letters; `light` is the paper's brightness at a place, `ink` that of letters.
    fn sheet(ink: u8, light: impl Fn(usize, usize) -> u8) -> Plane {
        let (width, height) = (600, 800);
        let is_ink = |x: usize, y: usize| y % 40 < 14 && x % 11 < 5 && (60..540).contains(&x);
        let value = |x, y| if is_ink(x, y) { ink } else { light(x, y) };
        let values = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| value(x, y)).collect();
        Plane { width, height, values }
    }

    #[test]
    fn a_scanned_sheet_is_evenly_lit_and_a_photograph_is_not() {
        assert!(is_evenly_lit(&sheet(30, |_, _| 240)));
        assert!(is_evenly_lit(&sheet(200, |x, _| 225 + u8::try_from(x / 60).unwrap())));
        assert!(!is_evenly_lit(&sheet(30, |x, _| 180 + u8::try_from(x / 10).unwrap())), "light from one side");
        assert!(!is_evenly_lit(&sheet(30, |x, y| if x < 60 || y > 700 { 90 } else { 240 })), "on a desk");
        assert!(!is_evenly_lit(&sheet(30, |_, _| 120)), "dark");
        for (width, height) in [(0, 0), (1, 5_000), (5_000, 1)] {
            assert!(!is_evenly_lit(&Plane { width, height, values: vec![250; width * height] }));
        }
    }

    #[test]
    fn faint_print_gets_full_contrast_and_black_print_stays() {
        let faint = sheet(200, |_, _| 250);
        let clear = with_contrast(&faint);
        let (darkest, brightest) = (clear.values.iter().min().unwrap(), clear.values.iter().max().unwrap());
        assert!(*darkest < 130 && *brightest == 255, "{darkest} {brightest}");
        assert!(matches!(with_contrast(&sheet(30, |_, _| 250)), Cow::Borrowed(_)));
        assert!(matches!(with_contrast(&sheet(250, |_, _| 250)), Cow::Borrowed(_)), "nothing is printed");
        assert!(matches!(with_contrast(&Plane { width: 0, height: 0, values: Vec::new() }), Cow::Borrowed(_)));
    }
}
