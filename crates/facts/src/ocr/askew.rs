//! Measures the skew of a page and straightens its picture: recognition splits a table at its rules, and loses the text
//! between slanted rules.

use std::borrow::Cow;

use super::lines::Spot;
use crate::image::plane::{Plane, scaled};

/// Places between dots are counted in parts of this.
const WHOLE: i64 = 65_536;
/// The step between the slopes that are tried, in thousandths, and the steps each way: three and a half degrees.
const STEP: i64 = 2;
const STEPS: i64 = 30;
/// The shorter side of the picture that is used to find the slope, in dots.
const SIDE: usize = 600;
/// The least dots of ink that determine a slope.
const LEAST_INK: usize = 300;

/// How much the lines of a picture fall for each step to the right: the slope that gathers the ink in the fewest rows.
pub(super) fn slope(plane: &Plane) -> f64 {
    let small = plane.reduced(small_step(plane, SIDE));
    let (width, height) = (signed(small.width), signed(small.height));
    let mask = ink(&small, 8, 25);
    let dots: Vec<(i64, i64)> = (0_i64..)
        .zip(mask.chunks(small.width.max(1)))
        .flat_map(|(y, row)| (0_i64..).zip(row).filter(|(_, is_ink)| **is_ink).map(move |(x, _)| (x - width / 2, y)))
        .collect();
    if dots.len() < LEAST_INK {
        return 0.0;
    }
    let reach = width * STEP * STEPS / 2_000 + 1;
    let gathered = |slope: i64| {
        let mut rows = vec![0_i64; usize::try_from(height + 2 * reach + 1).unwrap_or(1)];
        for (x, y) in &dots {
            let row = y + reach - (x * slope * STEP).div_euclid(1_000);
            if let Some(row) = usize::try_from(row).ok().and_then(|row| rows.get_mut(row)) {
                *row += 1;
            }
        }
        rows.windows(2).map(|pair| (pair[1] - pair[0]) * (pair[1] - pair[0])).sum::<i64>()
    };
    // The flattest of equals.
    let mut tried: Vec<i64> = (-STEPS..=STEPS).collect();
    tried.sort_by_key(|slope| slope.abs());
    let mut best = (0, 0);
    for slope in tried {
        let sum = gathered(slope);
        if sum > best.0 {
            best = (sum, slope);
        }
    }
    let thousandths = i32::try_from(best.1 * STEP).unwrap_or(0);
    f64::from(thousandths) / 1_000.0
}

/// Smaller pictures of paper are enlarged when they are straightened: their letters have few dots, and rotation would
/// blur them. A4 at 150 dots per inch has 2.2 million.
const SMALL: usize = 2_600_000;
/// Larger pictures are reduced: recognition takes longer on them and reads no more. A4 at 300 dots per inch has 8.7
/// million.
const LARGE: usize = 6_000_000;
/// The size of an unchanged picture, in sixths.
pub(super) const SAME: i64 = 6;

/// The size in which a picture is read, in sixths of its own. A single row or column has nothing to read.
pub(super) fn sixths(plane: &Plane, is_paper: bool) -> i64 {
    if plane.width < 2 || plane.height < 2 {
        return SAME;
    }
    match plane.values.len() {
        LARGE.. => 4,
        0..SMALL if is_paper => 9,
        _ => SAME,
    }
}

/// Pictures that are searched are reduced to at most this many dots, whatever their shape.
const MOST_DOTS: usize = 4_000_000;

/// How many dots each way become one, so that the shorter side of a picture has about `side` dots.
pub(super) fn small_step(plane: &Plane, side: usize) -> usize {
    let by_side = plane.width.min(plane.height) / side;
    let by_size = plane.values.len() / MOST_DOTS;
    by_side.max(by_size.isqrt() + usize::from(by_size > 0)).max(1)
}

/// The picture turned about its middle, so that lines of this slope are level, and resized.
pub(super) fn straightened(plane: &Plane, slope: f64, sixths: i64) -> Cow<'_, Plane> {
    let fall = fixed(slope);
    if (fall == 0 && sixths == SAME) || plane.values.is_empty() {
        return Cow::Borrowed(plane);
    }
    let (middle_x, middle_y) = (signed(plane.width) * WHOLE / 2, signed(plane.height) * WHOLE / 2);
    let (width, height) = (signed(plane.width) * sixths / SAME, signed(plane.height) * sixths / SAME);
    // The part of a place that depends on the column is the same for all rows.
    let columns: Vec<(i64, i64)> =
        (0..width).map(|column| column * WHOLE * SAME / sixths).map(|x| (x, (x - middle_x) * fall / WHOLE)).collect();
    let mut values = Vec::with_capacity(columns.len() * usize::try_from(height).unwrap_or(0));
    for y in (0..height).map(|row| row * WHOLE * SAME / sixths) {
        let shift = (y - middle_y) * fall / WHOLE;
        values.extend(columns.iter().map(|(x, down)| between(plane, x - shift, y + down)));
    }
    let size = |length: i64| usize::try_from(length).unwrap_or(1);
    Cow::Owned(Plane { width: size(width), height: size(height), values })
}

/// Where a place of a straightened picture is in the original picture, `plane`: the box around the rotated place.
pub(super) fn seen(place: Spot, slope: f64, sixths: i64, plane: &Plane) -> Spot {
    let fall = fixed(slope);
    let own = |length: i32| i64::from(length) * SAME / sixths;
    let (own_width, own_height) = (own(place.right - place.left), own(place.height()));
    let (x, y) = (own(place.left + place.right) / 2, own(place.top + place.bottom) / 2);
    let (middle_x, middle_y) = (signed(plane.width) / 2, signed(plane.height) / 2);
    let (x, y) = (x - (y - middle_y) * fall / WHOLE, y + (x - middle_x) * fall / WHOLE);
    let high = own_height + (own_width * fall / WHOLE).abs();
    let whole = |value: i64| i32::try_from(value).unwrap_or(0);
    Spot {
        left: whole(x - own_width / 2),
        top: whole(y - high / 2),
        right: whole(x - own_width / 2 + own_width),
        bottom: whole(y - high / 2 + high),
    }
}

/// The dots that are darker by `darker` than the dots within `around`.
pub(super) fn ink(plane: &Plane, around: usize, darker: u64) -> Vec<bool> {
    let (width, height) = (plane.width, plane.height);
    // Sums of all brightness above and left. They may overflow: the differences of four of them do not.
    let mut sums = vec![0_u32; (width + 1) * (height + 1)];
    for y in 0..height {
        let mut row = 0_u32;
        for (x, value) in plane.row(y).iter().enumerate() {
            row = row.wrapping_add(u32::from(*value));
            sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1].wrapping_add(row);
        }
    }
    let mut mask = Vec::with_capacity(width * height);
    for y in 0..height {
        let (top, bottom) = (y.saturating_sub(around), (y + around + 1).min(height));
        for (x, value) in plane.row(y).iter().enumerate() {
            let (left, right) = (x.saturating_sub(around), (x + around + 1).min(width));
            let at = |x: usize, y: usize| sums[y * (width + 1) + x];
            let sum = at(right, bottom).wrapping_add(at(left, top)).wrapping_sub(at(left, bottom));
            let dots = ((right - left) * (bottom - top)) as u64;
            mask.push((u64::from(*value) + darker) * dots < u64::from(sum.wrapping_sub(at(right, top))));
        }
    }
    mask
}

/// The brightness between four dots; beyond the edges, that of the edge. Places are in parts of 65,536. The picture
/// must not be empty.
pub(super) fn between(plane: &Plane, x: i64, y: i64) -> u8 {
    const PARTS: usize = 1 << 16;
    let cut = |place: i64, size: usize| {
        let place = usize::try_from(place.max(0)).unwrap_or(0).min((size - 1) * PARTS);
        let whole = place / PARTS;
        (whole, (whole + 1).min(size - 1), place % PARTS)
    };
    let ((left, right, across), (upper, lower, down)) = (cut(x, plane.width), cut(y, plane.height));
    let row = |y: usize| {
        let row = &plane.values[y * plane.width..(y + 1) * plane.width];
        usize::from(row[left]) * (PARTS - across) + usize::from(row[right]) * across
    };
    let sum = row(upper) / PARTS * (PARTS - down) + row(lower) / PARTS * down;
    u8::try_from(sum / PARTS).unwrap_or(255)
}

/// In parts of 65,536.
pub(super) fn fixed(slope: f64) -> i64 {
    let size = i64::from(scaled(slope.abs(), 65_536.0));
    if slope < 0.0 { -size } else { size }
}

fn signed(size: usize) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page of lines of words, rotated so that they fall by this many thousandths.
    fn page(fall: i64) -> Plane {
        let (width, height) = (900_usize, 1_200_usize);
        let is_ink = |x: i64, y: i64| {
            let (x, y) = (x + (y - 600) * fall / 1_000, y - (x - 450) * fall / 1_000);
            let is_line = (100..1_100).contains(&y) && y % 40 < 14;
            is_line && (80..820).contains(&x) && (x / 7) % 2 == 0 && (x / 60 + y / 40) % 5 > 0
        };
        let dots = (0..1_200_i64).flat_map(|y| (0..900_i64).map(move |x| if is_ink(x, y) { 40 } else { 240 }));
        Plane { width, height, values: dots.collect() }
    }

    #[test]
    fn the_slope_of_a_page_is_found_and_removed() {
        for fall in [0, 8, -12, 20, -40] {
            let plane = page(fall);
            let found = slope(&plane);
            let wanted = f64::from(i32::try_from(fall).unwrap()) / 1_000.0;
            assert!((found - wanted).abs() < 0.003, "{fall}: {found}");
            let rest = slope(&straightened(&plane, found, SAME));
            assert!(rest.abs() < 0.003, "{fall}: {rest} is left");
        }
    }

    #[test]
    fn a_page_without_ink_has_no_slope() {
        let plane = Plane { width: 700, height: 700, values: vec![230; 490_000] };
        assert!(slope(&plane).abs() < 1e-9);
        assert!(matches!(straightened(&plane, 0.0, SAME), Cow::Borrowed(_)));
    }

    #[test]
    fn a_place_is_mapped_to_the_original_picture() {
        let plane = Plane { width: 1_000, height: 1_000, values: vec![0; 1_000_000] };
        let place = Spot { left: 700, top: 490, right: 900, bottom: 510 };
        assert_eq!(seen(place, 0.0, SAME, &plane), place);
        // 300 dots right of the middle it is 6 lower, and its box is 4 higher.
        assert_eq!(seen(place, 0.02, SAME, &plane), Spot { left: 700, top: 494, right: 900, bottom: 518 });
        let enlarged = Spot { left: 1_050, top: 735, right: 1_350, bottom: 765 };
        assert_eq!(seen(enlarged, 0.0, 9, &plane), place);
    }
}
