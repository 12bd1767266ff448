//! The part of a page that has ink. Recognition looks at every dot, and empty paper around the text costs up to a third of
//! its time.

use super::{
    askew::{ink, small_step},
    lines::Spot,
};
use crate::image::plane::Plane;

/// The shorter side of the picture that is searched for ink, in dots.
const SIDE: usize = 600;
/// Ink is darker than the dots within this many around it, by this much.
const AROUND: usize = 8;
const DARKER: u64 = 18;
/// A speck has ink in fewer consecutive rows or columns.
const LEAST_EXTENT: usize = 3;
/// Paper that is kept around the ink, in dots of the page.
const MARGIN: usize = 40;
/// A larger part, in percent of the picture, is not worth a copy.
const MOST: usize = 92;

/// A part of a picture and the place of its upper left corner.
pub(super) struct InkedPart {
    pub(super) plane: Plane,
    left: i32,
    top: i32,
}

impl InkedPart {
    /// The part of a page that has ink. `None` if that is nearly all of it, or if the page has no ink.
    pub(super) fn of(plane: &Plane) -> Option<Self> {
        let step = small_step(plane, SIDE);
        let small = plane.reduced(step);
        let mask = ink(&small, AROUND, DARKER);
        let (mut rows, mut columns) = (vec![false; small.height], vec![false; small.width]);
        for (row, dots) in rows.iter_mut().zip(mask.chunks(small.width.max(1))) {
            for (column, is_ink) in columns.iter_mut().zip(dots) {
                *row |= is_ink;
                *column |= is_ink;
            }
        }
        let (top, bottom) = extent(&rows, step, plane.height)?;
        let (left, right) = extent(&columns, step, plane.width)?;
        if (right - left) * (bottom - top) * 100 > plane.values.len() * MOST {
            return None;
        }
        let values = (top..bottom).flat_map(|y| &plane.row(y)[left..right]).copied().collect();
        let part = Plane { width: right - left, height: bottom - top, values };
        Some(Self { plane: part, left: i32::try_from(left).ok()?, top: i32::try_from(top).ok()? })
    }

    /// Where a place of the part is in the whole picture.
    pub(super) fn in_whole(&self, place: Spot) -> Spot {
        let Spot { left, top, right, bottom } = place;
        Spot {
            left: left.saturating_add(self.left),
            top: top.saturating_add(self.top),
            right: right.saturating_add(self.left),
            bottom: bottom.saturating_add(self.top),
        }
    }
}

/// From the first to the last ink, with its margin, in dots of the whole picture.
fn extent(has_ink: &[bool], step: usize, whole: usize) -> Option<(usize, usize)> {
    let is_text = |part: &[bool]| part.iter().all(|has_ink| *has_ink);
    let first = has_ink.windows(LEAST_EXTENT).position(is_text)?;
    let last = has_ink.windows(LEAST_EXTENT).rposition(is_text)? + LEAST_EXTENT;
    Some(((first * step).saturating_sub(MARGIN), (last * step + MARGIN).min(whole)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Paper with letters in an area and a speck far away from them.
    fn page(left: usize, top: usize, right: usize, bottom: usize) -> Plane {
        let (width, height) = (1_300_usize, 1_800_usize);
        let is_letter =
            |x: usize, y: usize| (left..right).contains(&x) && (top..bottom).contains(&y) && y % 40 < 24 && x % 12 < 5;
        let is_speck = |x: usize, y: usize| (1_200..1_203).contains(&x) && (1_700..1_703).contains(&y);
        let value = |x, y| if is_letter(x, y) || is_speck(x, y) { 40 } else { 235 };
        let values = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| value(x, y)).collect();
        Plane { width, height, values }
    }

    #[test]
    fn empty_paper_and_specks_are_left_out() {
        let plane = page(200, 240, 900, 780);
        let part = InkedPart::of(&plane).unwrap();
        assert!((160..=165).contains(&part.left) && (200..=205).contains(&part.top), "{} {}", part.left, part.top);
        assert!((735..=790).contains(&part.plane.width), "{}", part.plane.width);
        assert!((560..=620).contains(&part.plane.height), "{}", part.plane.height);
        let place = part.in_whole(Spot { left: 40, top: 40, right: 60, bottom: 64 });
        assert_eq!(
            plane.row(usize::try_from(place.top).unwrap())[usize::try_from(place.left).unwrap()],
            part.plane.row(40)[40]
        );
    }

    #[test]
    fn a_full_page_and_an_empty_one_are_kept_as_they_are() {
        assert!(InkedPart::of(&page(20, 20, 1_280, 1_780)).is_none());
        for (width, height) in [(0, 0), (1, 1), (1, 5_000), (5_000, 1), (900, 900)] {
            assert!(InkedPart::of(&Plane { width, height, values: vec![235; width * height] }).is_none());
        }
    }
}
