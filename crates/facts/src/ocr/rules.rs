//! Removes the rules of tables and the frames of boxes from a picture: recognition reads the traces of a grey hairline
//! after scanning as dashes and letters, and takes the text next to it for part of a drawing.

use std::borrow::Cow;

use super::askew::{ink, small_step};
use crate::image::plane::Plane;

/// The shorter side of the picture that is searched for rules, in dots.
const SIDE: usize = 800;
/// Strokes longer than this in that picture are rules, in dots across and down. A title's letters are shorter.
const ACROSS: usize = 80;
const DOWN: usize = 45;
/// A thicker stroke is a bar, or a row of letters.
const THICKEST: usize = 4;
/// The most consecutive dots that may be missing.
const MISSING: usize = 1;

/// The picture with paper in place of rules. It must be straight.
pub(super) fn without_rules(plane: &Plane) -> Cow<'_, Plane> {
    let step = small_step(plane, SIDE);
    let small = plane.reduced(step);
    if small.width <= 2 * THICKEST || small.height <= 2 * THICKEST {
        return Cow::Borrowed(plane);
    }
    let rules = rules(&small);
    if rules.is_empty() {
        return Cow::Borrowed(plane);
    }
    let mut values = plane.values.clone();
    for (x, y) in rules {
        let paper = paper(&small, x, y);
        // A hairline reaches into the next dot.
        let (left, right) = ((x * step).saturating_sub(step), ((x + 2) * step).min(plane.width));
        for row in (y * step).saturating_sub(step)..((y + 2) * step).min(plane.height) {
            for value in &mut values[row * plane.width + left..row * plane.width + right] {
                // Dots as light as paper stay unchanged.
                *value = (*value).max(paper);
            }
        }
    }
    Cow::Owned(Plane { width: plane.width, height: plane.height, values })
}

/// The dots of rules.
fn rules(small: &Plane) -> Vec<(usize, usize)> {
    let (width, height) = (small.width, small.height);
    let mask = ink(small, 12, 14);
    let dark = |x: usize, y: usize| mask[y * width + x];
    let mut found = Vec::new();
    for y in 0..height {
        let is_dark = |x: usize| dark(x, y);
        let is_thin = |x: usize| {
            let above = y.checked_sub(THICKEST).is_some_and(|y| dark(x, y));
            let below = y + THICKEST < height && dark(x, y + THICKEST);
            !above && !below
        };
        found.extend(strokes(width, ACROSS, is_dark, is_thin).into_iter().map(|x| (x, y)));
    }
    for x in 0..width {
        let is_dark = |y: usize| dark(x, y);
        let is_thin = |y: usize| {
            let before = x.checked_sub(THICKEST).is_some_and(|x| dark(x, y));
            let after = x + THICKEST < width && dark(x + THICKEST, y);
            !before && !after
        };
        found.extend(strokes(height, DOWN, is_dark, is_thin).into_iter().map(|y| (x, y)));
    }
    found
}

/// The dots of long thin strokes in a row or column.
fn strokes(
    length: usize,
    least: usize,
    is_dark: impl Fn(usize) -> bool,
    is_thin: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let mut found = Vec::new();
    let mut stroke: Option<(usize, usize)> = None;
    for at in 0..=length {
        let goes_on = at < length && is_dark(at);
        match (&mut stroke, goes_on) {
            (Some((_, last)), true) => *last = at,
            (None, true) => stroke = Some((at, at)),
            (Some((first, last)), false) if at == length || at - *last > MISSING => {
                let (first, last) = (*first, *last);
                stroke = None;
                let all = last + 1 - first;
                let thin = (first..=last).filter(|at| is_thin(*at)).count();
                if all > least && thin * 10 >= all * 7 {
                    found.extend(first..=last);
                }
            }
            _ => {}
        }
    }
    found
}

/// The lightest dot around.
fn paper(small: &Plane, x: usize, y: usize) -> u8 {
    let (left, right) = (x.saturating_sub(THICKEST), (x + THICKEST + 1).min(small.width));
    (y.saturating_sub(THICKEST)..(y + THICKEST + 1).min(small.height))
        .flat_map(|y| &small.row(y)[left..right])
        .copied()
        .max()
        .unwrap_or(255)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grey box of hairlines that contains a word of bars, three dots for each dot of the small picture.
    fn page() -> Plane {
        let (width, height) = (2_400_usize, 2_400_usize);
        let is_rule = |x: usize, y: usize| {
            ((600..602).contains(&y) || (900..902).contains(&y)) && (300..2_100).contains(&x)
                || ((300..302).contains(&x) || (2_098..2_100).contains(&x)) && (600..902).contains(&y)
        };
        let is_letter = |x: usize, y: usize| (700..730).contains(&y) && (500..900).contains(&x) && x % 20 < 8;
        let value = |x, y| {
            if is_letter(x, y) {
                30
            } else if is_rule(x, y) {
                140
            } else {
                240
            }
        };
        let values = (0..height).flat_map(|y| (0..width).map(move |x| value(x, y))).collect();
        Plane { width, height, values }
    }

    #[test]
    fn rules_become_paper_and_letters_stay() {
        let page = page();
        let clean = without_rules(&page);
        let darkest = |plane: &Plane, left: usize, top: usize, right: usize, bottom: usize| {
            (top..bottom).flat_map(|y| plane.row(y)[left..right].to_vec()).min().unwrap()
        };
        assert_eq!(darkest(&page, 290, 590, 2_110, 610), 140);
        assert!(darkest(&clean, 290, 590, 2_110, 610) > 200, "the upper rule");
        assert!(darkest(&clean, 290, 590, 310, 910) > 200, "the left rule");
        let letters = |plane: &Plane| plane.histogram()[30];
        assert_eq!(letters(&clean), letters(&page));
    }

    #[test]
    fn a_thick_bar_and_plain_paper_are_left_alone() {
        let mut page = Plane { width: 1_600, height: 1_600, values: vec![240; 2_560_000] };
        assert!(matches!(without_rules(&page), Cow::Borrowed(_)));
        for y in 300..340 {
            page.values[y * 1_600 + 100..y * 1_600 + 1_500].fill(60);
        }
        let clean = without_rules(&page);
        assert_eq!(clean.values[320 * 1_600 + 800], 60);
    }
}
