//! The words of a picture in Tesseract's table (its TSV output), the lines that they form, and the direction of these.

use crate::{
    image::plane::{scaled, to_f64},
    model::{Area, TextRendering, TextRun},
};

/// Gaps in a line that are wider than this many times its height separate columns.
const COLUMN_GAP: i32 = 2;
/// No picture that is read is wider or higher, in dots. A table that says otherwise is wrong, and sums of places would
/// overflow.
const FARTHEST: i32 = 1 << 24;

/// A rectangle of a picture, in dots; `right` and `bottom` are exclusive. A place that was read is between 0 and 2^24.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) right: i32,
    pub(super) bottom: i32,
}

impl Spot {
    pub(super) fn height(self) -> i32 {
        self.bottom - self.top
    }

    pub(super) fn holds(self, x: i32, y: i32) -> bool {
        (self.left..self.right).contains(&x) && (self.top..self.bottom).contains(&y)
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }
}

/// A word as it was read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    pub(super) text: String,
    /// 0 to 100.
    pub(super) confidence: f64,
    pub(super) place: Spot,
    /// Its picture (from 1), and its block, paragraph and line in it.
    pub(super) line: [u32; 4],
}

/// Words of one line that are close together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    pub(super) words: Vec<Word>,
    pub(super) place: Spot,
}

/// The words (level 5) of a table.
pub(super) fn words(table: &str) -> Vec<Word> {
    table.lines().filter_map(word).collect()
}

/// Joins the words to pieces of lines.
pub(super) fn pieces(words: Vec<Word>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for word in words {
        match pieces.last_mut() {
            Some(piece)
                if piece.words[0].line == word.line
                    && word.place.left - piece.place.right <= COLUMN_GAP * word.place.height() =>
            {
                piece.place = piece.place.union(word.place);
                piece.words.push(word);
            }
            _ => pieces.push(Piece { place: word.place, words: vec![word] }),
        }
    }
    pieces
}

/// The pieces as runs of a page, in the page's coordinates and direction. `scale` is in dots per point of the page,
/// `origin` is the picture's place on it.
pub(super) fn runs(
    pieces: &[Piece],
    slope: f64,
    seen: impl Fn(Spot) -> Spot,
    (scale, origin): (f64, Area),
) -> Vec<TextRun> {
    let direction = direction(slope);
    (0..)
        .zip(pieces)
        .map(|(order, piece)| {
            let texts: Vec<&str> = piece.words.iter().map(|word| word.text.as_str()).collect();
            let sum: f64 = piece.words.iter().map(|word| word.confidence).sum();
            let mean = sum / to_f64(piece.words.len().max(1) as u64);
            let confidence = u8::try_from(scaled(mean.clamp(0.0, 100.0), 1.0)).ok();
            let run = recognised(&texts.join(" "), area(seen(piece.place), scale, origin));
            TextRun { direction, order, confidence, ..run }
        })
        .collect()
}

/// The slope of the page's lines: how much they fall for each step to the right, negative if they rise. It is the
/// median over pairs of words of a line that are far apart and equally high, so that their letters have the same ascent
/// and descent.
pub(super) fn slope(words: &[Word]) -> f64 {
    const LEAST_PAIRS: usize = 4;
    let sure: Vec<&Word> = words.iter().filter(|word| word.confidence >= 60.0).collect();
    let mut slopes: Vec<f64> = Vec::new();
    for line in sure.chunk_by(|one, other| one.line == other.line) {
        for (index, one) in line.iter().enumerate() {
            for other in &line[index + 1..] {
                let (one, other) = (one.place, other.place);
                let across = other.left + other.right - one.left - one.right;
                let down = other.top + other.bottom - one.top - one.bottom;
                // Both are twice the distance between the middles.
                let is_far = across > 8 * one.height();
                if is_far && (one.height() - other.height()).abs() * 8 <= one.height() {
                    slopes.push(f64::from(down) / f64::from(across));
                }
            }
        }
    }
    if slopes.len() < LEAST_PAIRS {
        return 0.0;
    }
    slopes.sort_by(f64::total_cmp);
    slopes[slopes.len() / 2]
}

/// The direction of lines with this slope, clockwise, in whole degrees.
fn direction(slope: f64) -> u16 {
    let degrees = slope.atan().to_degrees().rem_euclid(360.0);
    u16::try_from(scaled(degrees, 1.0)).unwrap_or(0) % 360
}

fn word(row: &str) -> Option<Word> {
    let cells: Vec<&str> = row.splitn(12, '\t').collect();
    let ["5", picture, block, paragraph, line, _, left, top, width, height, confidence, text] = cells[..] else {
        return None;
    };
    let number = |cell: &str| cell.parse::<i32>().ok().filter(|number| (0..=FARTHEST).contains(number));
    let (left, top, width, height) = (number(left)?, number(top)?, number(width)?, number(height)?);
    let (right, bottom) = (left + width, top + height);
    if right > FARTHEST || bottom > FARTHEST {
        return None;
    }
    let text = text.trim();
    (!text.is_empty()).then_some(Word {
        line: [picture.parse().ok()?, block.parse().ok()?, paragraph.parse().ok()?, line.parse().ok()?],
        place: Spot { left, top, right, bottom },
        confidence: confidence.parse().ok()?,
        text: text.to_owned(),
    })
}

fn area(place: Spot, scale: f64, origin: Area) -> Area {
    let of = |dots: i32| f64::from(dots) / scale;
    let area = Area::from_points(of(place.left), of(place.top), of(place.right), of(place.bottom));
    Area {
        left: area.left.saturating_add(origin.left),
        top: area.top.saturating_add(origin.top),
        right: area.right.saturating_add(origin.left),
        bottom: area.bottom.saturating_add(origin.top),
    }
}

fn recognised(text: &str, area: Area) -> TextRun {
    TextRun {
        text: text.to_owned(),
        area,
        direction: 0,
        size: 0,
        font: None,
        colour: None,
        opacity: 100,
        rendering: TextRendering::Recognised,
        order: 0,
        background: None,
        cover: None,
        outside_page: false,
        confidence: None,
        unmapped: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(table: &str, scale: f64, origin: Area) -> Vec<TextRun> {
        let words = words(table);
        let slope = slope(&words);
        runs(&pieces(words), slope, |place| place, (scale, origin))
    }

    #[test]
    fn words_are_joined_to_lines_and_columns_stay_apart() {
        let table = "level\tpage_num\n5\t1\t1\t1\t1\t1\t300\t600\t90\t30\t96.5\tTotal\n5\t1\t1\t1\t1\t2\t400\t600\t60\t30\t91.5\tTTC\n5\t1\t1\t1\t1\t3\t1200\t600\t60\t30\t80\t42,00\n4\t1\t1\t1\t2\t0\t0\t0\t0\t0\t-1\t\n5\t1\t1\t1\t2\t1\t300\t700\t60\t30\t50\t€\n";
        let runs = lines(table, 300.0 / 72.0, Area { left: 100, top: 0, ..Area::default() });
        let found: Vec<_> = runs.iter().map(|run| (run.text.as_str(), run.confidence, run.order)).collect();
        assert_eq!(found, [("Total TTC", Some(94), 0), ("42,00", Some(80), 1), ("€", Some(50), 2)]);
        assert_eq!(runs[0].area, Area { left: 7_300, top: 14_400, right: 11_140, bottom: 15_120 });
    }

    #[test]
    fn places_outside_of_every_picture_are_ignored() {
        let row = |left: i64, width: i64| format!("5\t1\t1\t1\t1\t1\t{left}\t0\t{width}\t30\t90\tword");
        assert_eq!(words(&row(0, 40)).len(), 1);
        for (left, width) in [(-1, 40), (0, -40), (i64::from(i32::MAX), 1), (1 << 24, 1), (0, 1 << 40)] {
            assert!(words(&row(left, width)).is_empty(), "{left} {width}");
        }
        let last = (1 << 24) - 1;
        let runs = lines(&format!("{}\n{}\n", row(0, 1), row(last, 1)), 0.001, Area::default());
        assert_eq!(runs.len(), 2);
    }

    #[test]
    fn the_direction_is_that_of_words_that_are_equally_high() {
        let page = |slope: f64| {
            let word = |line: u32, place: u32, height: u32| {
                let left = 300 + place * 200;
                let top = f64::from(600 + line * 60) + f64::from(left) * slope - f64::from(height - 30);
                format!("5\t1\t1\t1\t{line}\t{place}\t{left}\t{top:.0}\t150\t{height}\t90\tword\n")
            };
            // The words at the end of each line have an accent.
            (0..8)
                .flat_map(|line| (0..6).map(move |place| word(line, place, if place == 5 { 42 } else { 30 })))
                .collect::<String>()
        };
        for (slope, degrees) in [(0.0, 0), (0.004, 0), (0.02, 1), (-0.02, 359), (0.045, 3)] {
            let runs = lines(&page(slope), 300.0 / 72.0, Area::default());
            assert!(runs.iter().all(|run| run.direction == degrees), "{slope}: {:?}", runs[0]);
        }
    }
}
