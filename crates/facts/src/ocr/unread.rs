//! Text that recognition left out: words between the rules of a table or alone in a corner are taken for a drawing.
//! Anything that has the height of the text that was read, is near it and is not a rule is read again.

use super::{
    askew::{ink, small_step},
    lines::{Piece, Spot},
    strip::fits,
};
use crate::image::plane::Plane;

/// The height of text in the picture that is searched, in dots.
const HEIGHT: usize = 9;
/// Longer strokes are rules: across and down.
const LONGEST_ACROSS: usize = 8 * HEIGHT;
const LONGEST_DOWN: usize = 3 * HEIGHT;
/// Letters with at most this gap belong together.
const GAP: usize = 7;
/// The most places of a page that are read, the widest first, and the most that are compared with what was read.
pub(super) const MOST_PLACES: usize = 16;
const MOST_COMPARED: usize = 1_000;

/// Where unread text may be. `slope` is that of the page's lines.
pub(super) fn places(plane: &Plane, pieces: &[Piece], slope: f64) -> Vec<Spot> {
    let mut heights: Vec<i32> = pieces
        .iter()
        .flat_map(|piece| &piece.words)
        .filter(|word| word.confidence >= 80.0 && word.text.chars().count() >= 3)
        .map(|word| word.place.height())
        .collect();
    heights.sort_unstable();
    let Some(height) = heights.get(heights.len() / 2).and_then(|height| usize::try_from(*height).ok()) else {
        return Vec::new();
    };
    // For small letters on a large page, the page's size decides.
    let step = (height / HEIGHT).max(small_step(plane, plane.width.min(plane.height).max(1)));
    let small = plane.reduced(step);
    if small.width == 0 || small.height == 0 {
        return Vec::new();
    }
    let mut mask = Mask { width: small.width, height: small.height, dots: ink(&small, 2 * HEIGHT, 30) };
    mask.drop_rules();
    let least = height / step;
    let mut among: Option<Spot> = None;
    for place in pieces.iter().flat_map(|piece| &piece.words).map(|word| word.place) {
        mask.clear(place, step);
        among = Some(among.map_or(place, |all| all.union(place)));
    }
    let Some(among) = among else { return Vec::new() };
    let room = i32::try_from(4 * height).unwrap_or(0);
    let is_among = |place: &Spot| {
        place.left >= among.left - room
            && place.right <= among.right + room
            && place.top >= among.top - room
            && place.bottom <= among.bottom + room
    };
    let is_text = |blob: &Blob| {
        let (width, height) = (blob.right - blob.left, blob.bottom - blob.top);
        (height * 10 >= least * 5 && height * 10 <= least * 18)
            && width * 2 >= height
            && blob.ink * 100 >= width * height * 12
    };
    let dots = |place: usize| i32::try_from(place * step).unwrap_or(i32::MAX);
    let mut found: Vec<Spot> = mask
        .blobs(is_text)
        .into_iter()
        .map(|blob| Spot {
            left: dots(blob.left),
            top: dots(blob.top),
            right: dots(blob.right),
            bottom: dots(blob.bottom),
        })
        .filter(|place| is_among(place) && fits(*place, slope))
        .collect();
    found.sort_by_key(|place| place.left - place.right);
    found.truncate(MOST_COMPARED);
    found.retain(|place| {
        // A box that was read with a gap in it is not unread.
        let (x, y) = (i32::midpoint(place.left, place.right), i32::midpoint(place.top, place.bottom));
        !pieces.iter().any(|piece| piece.place.holds(x, y))
    });
    found.truncate(MOST_PLACES);
    found
}

/// Which dots are ink.
struct Mask {
    width: usize,
    height: usize,
    dots: Vec<bool>,
}

/// Dots that belong together, and how many of them are ink.
struct Blob {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
    ink: usize,
}

impl Mask {
    fn drop_rules(&mut self) {
        let (width, height) = (self.width, self.height);
        let mut rules = Vec::new();
        let mut look = |length: usize, longest: usize, at: &dyn Fn(usize) -> usize, dots: &[bool]| {
            let mut from = 0;
            for index in 0..=length {
                if index < length && dots[at(index)] {
                    continue;
                }
                if index - from > longest {
                    rules.extend((from..index).map(at));
                }
                from = index + 1;
            }
        };
        for y in 0..height {
            look(width, LONGEST_ACROSS, &|x| y * width + x, &self.dots);
        }
        for x in 0..width {
            look(height, LONGEST_DOWN, &|y| y * width + x, &self.dots);
        }
        for at in rules {
            self.dots[at] = false;
        }
    }

    /// Removes what was read; the place is in the whole picture.
    fn clear(&mut self, place: Spot, step: usize) {
        let small = |dots: i32| usize::try_from(dots).unwrap_or(0) / step;
        let (left, right) = (small(place.left).saturating_sub(1), (small(place.right) + 2).min(self.width));
        for y in small(place.top).saturating_sub(1)..(small(place.bottom) + 2).min(self.height) {
            if left < right {
                self.dots[y * self.width + left..y * self.width + right].fill(false);
            }
        }
    }

    /// The connected blobs after small gaps in a row are closed, as far as `wanted` accepts them.
    fn blobs(&self, wanted: impl Fn(&Blob) -> bool) -> Vec<Blob> {
        let mut closed = self.dots.clone();
        for row in closed.chunks_mut(self.width) {
            let mut last: Option<usize> = None;
            for x in 0..row.len() {
                if row[x] {
                    if let Some(last) = last.filter(|last| x - last <= GAP) {
                        row[last..x].fill(true);
                    }
                    last = Some(x);
                }
            }
        }
        let mut blobs = Vec::new();
        let mut waiting = Vec::new();
        for start in 0..closed.len() {
            if !closed[start] {
                continue;
            }
            let mut blob = Blob { left: self.width, top: self.height, right: 0, bottom: 0, ink: 0 };
            closed[start] = false;
            waiting.push(start);
            while let Some(at) = waiting.pop() {
                let (x, y) = (at % self.width, at / self.width);
                blob.left = blob.left.min(x);
                blob.top = blob.top.min(y);
                blob.right = blob.right.max(x + 1);
                blob.bottom = blob.bottom.max(y + 1);
                blob.ink += usize::from(self.dots[at]);
                for y in y.saturating_sub(1)..(y + 2).min(self.height) {
                    for x in x.saturating_sub(1)..(x + 2).min(self.width) {
                        let next = y * self.width + x;
                        if closed[next] {
                            closed[next] = false;
                            waiting.push(next);
                        }
                    }
                }
            }
            if wanted(&blob) {
                blobs.push(blob);
            }
        }
        blobs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ocr::lines::Word;

    const WIDTH: usize = 1_200;
    const HEIGHT_OF_PAGE: usize = 1_000;

    fn spot(left: i32, top: i32, width: i32) -> Spot {
        Spot { left, top, right: left + width, bottom: top + 27 }
    }

    fn piece(place: Spot) -> Piece {
        let word = Word { text: "word".to_owned(), confidence: 95.0, place, line: [1, 1, 1, 1] };
        Piece { words: vec![word], place }
    }

    /// A page with words of upright strokes at these places.
    fn page(words: &[Spot]) -> Plane {
        let mut plane = Plane { width: WIDTH, height: HEIGHT_OF_PAGE, values: vec![235; WIDTH * HEIGHT_OF_PAGE] };
        for word in words {
            for (x, y) in (word.top..word.bottom).flat_map(|y| (word.left..word.right).map(move |x| (x, y))) {
                if (x - word.left) % 12 < 6 {
                    plane.values[usize::try_from(y).unwrap() * WIDTH + usize::try_from(x).unwrap()] = 40;
                }
            }
        }
        plane
    }

    /// Two columns of six lines.
    fn read() -> Vec<Spot> {
        (0..6).flat_map(|line| [spot(100, 100 + line * 90, 200), spot(700, 100 + line * 90, 240)]).collect()
    }

    #[test]
    fn an_unread_word_among_others_is_located() {
        let (read, left_out) = (read(), spot(420, 280, 150));
        let plane = page(&[read.as_slice(), &[left_out]].concat());
        let pieces: Vec<Piece> = read.into_iter().map(piece).collect();
        let found = places(&plane, &pieces, 0.0);
        assert_eq!(found.len(), 1, "{found:?}");
        let found = found[0];
        // Precise to a dot of the small picture.
        assert!(found.left.abs_diff(left_out.left) <= 3 && found.right.abs_diff(left_out.right) <= 9, "{found:?}");
        assert!(found.top.abs_diff(left_out.top) <= 3 && found.bottom.abs_diff(left_out.bottom) <= 3, "{found:?}");
        let all: Vec<Piece> = pieces.into_iter().chain([piece(left_out)]).collect();
        assert!(places(&plane, &all, 0.0).is_empty(), "what was read is not looked at again");
    }

    #[test]
    fn rules_specks_and_distant_text_are_not_words() {
        let read = read();
        let mut plane = page(&[read.as_slice(), &[spot(420, 900, 150)]].concat());
        let mut ink = |from_x: usize, from_y: usize, width: usize, height: usize| {
            for y in from_y..from_y + height {
                plane.values[y * WIDTH + from_x..y * WIDTH + from_x + width].fill(40);
            }
        };
        ink(80, 230, 900, 3);
        ink(640, 90, 3, 500);
        ink(500, 300, 4, 4);
        ink(500, 420, 4, 120);
        let pieces: Vec<Piece> = read.into_iter().map(piece).collect();
        assert_eq!(places(&plane, &pieces, 0.0), []);
    }

    #[test]
    fn no_more_places_are_returned_than_are_read() {
        let mut read = read();
        read.push(spot(100, 900, 200));
        let left_out: Vec<Spot> =
            (0..10).flat_map(|line| [320, 520].map(|left| spot(left, 64 + line * 90, 60))).collect();
        let plane = page(&[read.as_slice(), &left_out].concat());
        let pieces: Vec<Piece> = read.into_iter().map(piece).collect();
        assert_eq!(places(&plane, &pieces, 0.0).len(), MOST_PLACES);
    }

    #[test]
    fn pictures_of_every_shape_are_searched() {
        let pieces = [piece(spot(0, 0, 90)), piece(spot((1 << 24) - 90, (1 << 24) - 27, 90))];
        for (width, height) in [(0, 0), (0, 9), (1, 1), (1, 5_000), (5_000, 1), (30, 30)] {
            let values = (0..width * height).map(|at| if at % 3 == 0 { 0 } else { 255 }).collect();
            let plane = Plane { width, height, values };
            assert!(places(&plane, &pieces, 0.0).len() <= MOST_PLACES);
            assert_eq!(places(&plane, &[], 0.0), []);
        }
    }
}
