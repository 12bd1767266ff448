//! Pieces of lines as separate pictures, for a second reading: each is cut out, straightened, denoised and drawn in one of
//! two sizes with plain paper around it. All of them are the pages of one TIFF file, so that one run of the program reads
//! them.

use super::{
    askew::{between, fixed},
    lines::Spot,
};
use crate::image::plane::Plane;

/// The height of a line's ink in the strips that are read, in dots.
pub(super) const HEIGHTS: [i64; 2] = [34, 46];
/// The height that a line may have on the page, in dots: smaller ones have too few to be read, higher ones are
/// drawings.
const LEAST_HEIGHT: i32 = 8;
const MOST_HEIGHT: i32 = 200;
/// The greatest length of a strip, in dots, without the plain paper around it.
const LONGEST: i64 = 2_400;
/// Space around the ink, in sixteenths of its height, and the minimum in dots of the page.
const MARGIN: i64 = 5;
const LEAST_MARGIN: i64 = 2;
/// Plain paper around that, in dots of the strip.
const BORDER: usize = 12;
/// Places between dots are counted in parts of this.
const WHOLE: i64 = 65_536;

/// Whether a place can be read as a strip. This bounds the strips: the margins of the smallest ink, 4 dots high, make a
/// strip twice as high as its ink, so none has more than 2,424 by 116 dots; 40 places (24 doubtful, 16 unread) are a TIFF
/// file of less than 12 million bytes.
pub(super) fn fits(place: Spot, slope: f64) -> bool {
    let (ink, margin) = ink(place, slope);
    (LEAST_HEIGHT..MOST_HEIGHT).contains(&place.height())
        && place.right > place.left
        && (i64::from(place.right - place.left) + 2 * margin) * HEIGHTS[1] <= LONGEST * ink
}

/// These places as the pages of a TIFF file, their ink of this height. All of them must fit.
pub(super) fn strips(plane: &Plane, places: &[Spot], slope: f64, height: i64) -> Vec<u8> {
    let pages: Vec<Plane> = places.iter().map(|place| strip(plane, *place, slope, height)).collect();
    tiff(&pages)
}

/// The height of a line's ink on the page, and the space around it, in dots.
fn ink(place: Spot, slope: f64) -> (i64, i64) {
    let (width, height) = (i64::from(place.right - place.left), i64::from(place.height()));
    // The box of a skewed line is higher than its ink.
    let ink = (height - (width * fixed(slope) / WHOLE).abs()).max(height / 2).max(1);
    (ink, (ink * MARGIN / 16).max(LEAST_MARGIN))
}

/// A piece of a line as a separate picture: straight, its ink scaled to `height`, with plain paper around it.
fn strip(plane: &Plane, place: Spot, slope: f64, height: i64) -> Plane {
    let fall = fixed(slope);
    let (width, middle) = (i64::from(place.right - place.left), i64::from(place.left + place.right) * WHOLE / 2);
    let (ink, margin) = ink(place, slope);
    let left = (i64::from(place.left) - margin) * WHOLE;
    let top = i64::from(place.top + place.bottom) * WHOLE / 2 - (ink + 2 * margin) * WHOLE / 2;
    let step = ink * WHOLE / height;
    let steps = |length: i64| ((length + 2 * margin) * height / ink).max(1);
    let (columns, rows) = (steps(width), steps(ink));
    let values = (0..rows)
        .flat_map(|row| {
            (0..columns).map(move |column| {
                let x = left + column * step;
                between(plane, x, top + row * step + (x - middle) * fall / WHOLE)
            })
        })
        .collect();
    let size = |steps: i64| usize::try_from(steps).unwrap_or(1);
    framed(&Plane { width: size(columns), height: size(rows), values })
}

/// With full contrast, and plain paper around it.
fn framed(strip: &Plane) -> Plane {
    let histogram = strip.histogram();
    let all = strip.values.len() as u64;
    let level = |part: u64| {
        let mut seen = 0;
        (0_u8..=255).find(|level| {
            seen += histogram[usize::from(*level)];
            seen * 100 >= all * part
        })
    };
    // Ink covers less than half of a line.
    let (ink, paper) = (i32::from(level(1).unwrap_or(0)), i32::from(level(60).unwrap_or(255)));
    let full =
        |value: u8| u8::try_from(((i32::from(value) - ink) * 255 / (paper - ink).max(32)).clamp(0, 255)).unwrap_or(255);
    let width = strip.width + 2 * BORDER;
    let mut values = vec![255; width * BORDER];
    for y in 0..strip.height {
        values.extend([255; BORDER]);
        values.extend(strip.row(y).iter().map(|value| full(*value)));
        values.extend([255; BORDER]);
    }
    values.extend(vec![255; width * BORDER]);
    Plane { width, height: strip.height + 2 * BORDER, values }
}

/// A TIFF file (revision 6.0) with a page for each picture: grey, one byte a dot, not compressed.
fn tiff(pages: &[Plane]) -> Vec<u8> {
    const ENTRIES: u16 = 9;
    const DIRECTORY: usize = 2 + ENTRIES as usize * 12 + 4;
    let mut file = b"II*\0".to_vec();
    let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    file.extend(number(8).to_le_bytes());
    for (index, page) in pages.iter().enumerate() {
        let start = file.len();
        // A directory must be at an even offset.
        let (data, length) = (start + DIRECTORY, page.values.len());
        let end = data + length + length % 2;
        let long = |tag: u16, value: usize| (tag, 4_u16, number(value));
        let entries = [
            long(256, page.width),
            long(257, page.height),
            long(258, 8),
            long(259, 1),
            // Black is 0.
            long(262, 1),
            long(273, data),
            long(277, 1),
            long(278, page.height),
            long(279, length),
        ];
        file.extend(ENTRIES.to_le_bytes());
        for (tag, kind, value) in entries {
            file.extend(tag.to_le_bytes());
            file.extend(kind.to_le_bytes());
            file.extend(1_u32.to_le_bytes());
            file.extend(value.to_le_bytes());
        }
        file.extend(if index + 1 < pages.len() { number(end) } else { 0 }.to_le_bytes());
        file.extend_from_slice(&page.values);
        file.resize(end, 0);
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ocr::{reread::MOST_PIECES, unread::MOST_PLACES};

    fn plane(width: usize, height: usize) -> Plane {
        Plane { width, height, values: vec![200; width * height] }
    }

    fn spot(left: i32, top: i32, width: i32, height: i32) -> Spot {
        Spot { left, top, right: left + width, bottom: top + height }
    }

    fn number(file: &[u8], at: usize, bytes: usize) -> usize {
        file[at..at + bytes].iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
    }

    /// Width, height and dots of each page, found through the directories as a reader does.
    fn pages(file: &[u8]) -> Vec<(usize, usize, Vec<u8>)> {
        assert_eq!(file[..4], *b"II*\0");
        let mut pages = Vec::new();
        let mut directory = number(file, 4, 4);
        while directory != 0 {
            assert_eq!(directory % 2, 0, "a directory starts at an even offset");
            let count = number(file, directory, 2);
            let entry = |tag: usize| {
                let at = (0..count).map(|index| directory + 2 + index * 12).find(|at| number(file, *at, 2) == tag);
                number(file, at.unwrap() + 8, 4)
            };
            let (width, height, data, length) = (entry(256), entry(257), entry(273), entry(279));
            assert_eq!((length, entry(278)), (width * height, height));
            assert_eq!((entry(258), entry(259), entry(262), entry(277)), (8, 1, 1, 1), "grey bytes as they are");
            pages.push((width, height, file[data..data + length].to_vec()));
            directory = number(file, directory + 2 + count * 12, 4);
        }
        pages
    }

    #[test]
    fn each_place_is_a_page_in_each_size() {
        // An odd number of dots would put the next directory at an odd offset.
        let places = [spot(10, 10, 101, 23), spot(300, 100, 250, 40)];
        let sizes = HEIGHTS.map(|height| {
            let file = strips(&plane(900, 300), &places, 0.0, height);
            pages(&file).into_iter().map(|(width, height, _)| (width, height)).collect::<Vec<_>>()
        });
        // The ink of 23 dots becomes 34 and 46 high, with 7 above and below, and 12 of paper around it.
        assert_eq!(sizes, [[(194, 78), (256, 78)], [(254, 98), (339, 97)]]);
    }

    #[test]
    fn a_sloping_line_is_straightened_with_full_contrast() {
        let mut page = plane(800, 200);
        for x in 100..700 {
            let top = 80 + (x - 100) / 25;
            for y in top..top + 12 {
                page.values[y * 800 + x] = 120;
            }
        }
        let place = spot(100, 80, 600, 36);
        assert!(fits(place, 0.04));
        let all = pages(&strips(&page, &[place], 0.04, HEIGHTS[0]));
        let (width, height, dots) = &all[0];
        let is_dark = |x: usize, y: usize| dots[y * width + x] < 60;
        let (first, last) = (width / 8, width * 7 / 8);
        let row = (0..*height).find(|y| is_dark(first, *y)).unwrap();
        assert!((0..*height).find(|y| is_dark(last, *y)).unwrap().abs_diff(row) <= 3);
        assert_eq!((dots[0], dots.iter().max().copied()), (255, Some(255)));
        assert_eq!(dots.iter().min().copied(), Some(0));
    }

    #[test]
    fn the_file_of_strips_is_bounded() {
        let places = MOST_PIECES + MOST_PLACES;
        let mut largest = 0;
        for height in [8, 9, 11, 31, 199] {
            for slope in [0.0, 0.02, -0.3, 40.0] {
                let widest = (1..20_000).take_while(|width| fits(spot(0, 0, *width, height), slope)).last();
                let Some(width) = widest else { continue };
                for ink in HEIGHTS {
                    let strip = strip(&plane(2, 2), spot(0, 0, width, height), slope, ink);
                    assert!(strip.width <= 2_424 && strip.height <= 116, "{width} by {height} at {slope}");
                    largest = largest.max(places * (strip.values.len() + 2 + 9 * 12 + 4 + 1));
                }
            }
        }
        assert!((6_000_000..12_000_000).contains(&largest), "{largest}");
    }

    #[test]
    fn what_is_not_a_line_of_text_does_not_fit() {
        let far = (1 << 24) - 1;
        for (width, height) in
            [(0, 0), (0, 30), (30, 0), (300, 7), (300, 200), (5_000, 30), (far, far), (far, 1), (1, far)]
        {
            assert!(!fits(spot(0, 0, width, height), 0.0), "{width} by {height}");
        }
        assert!(!fits(Spot { left: 400, top: 0, right: 100, bottom: 30 }, 0.0));
        assert!(fits(spot(0, 0, 1_000, 30), 0.0));
        assert!(!fits(spot(0, 0, 1_000, 30), 0.03), "only its slope makes it high");
        assert!(!fits(spot(0, 0, 1_000, 30), f64::INFINITY));
    }

    #[test]
    fn a_place_at_the_edge_or_outside_has_the_edge_s_brightness() {
        for (width, height) in [(1, 1), (1, 5_000), (5_000, 1), (40, 40)] {
            let page = plane(width, height);
            for place in [spot(0, 0, 100, 20), spot(4_990, 4_990, 100, 20), spot((1 << 24) - 100, 1 << 24, 100, 20)] {
                for slope in [0.0, 0.05, -70_000.0] {
                    assert_eq!(pages(&strips(&page, &[place], slope, HEIGHTS[1])).len(), 1);
                }
            }
        }
    }
}
