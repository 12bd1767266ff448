//! Straightens the text of a picture: a scanned or photographed paper is skewed by a degree or two, so that a value at
//! the right edge is at the height of the label of the line above or below.

use crate::facts::{Rectangle, TextRun, TextSource};

/// How far lines fall to the right per unit of length, in ten-thousandths; negative if they rise.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Slope(i32);

const WHOLE: i64 = 10_000;
/// One degree: the host rounds a run's direction to this.
const DEGREE: i32 = 175;
/// The range around the rounded direction in which a better one is searched for, and the step.
const REACH: i32 = 100;
const STEP: i32 = 10;
/// The maximum number of runs to examine: more of them give the same result.
const MOST: usize = 400;

impl Slope {
    /// The slope of the recognised text of a page. A PDF's own text needs no correction.
    pub(super) fn of(runs: &[TextRun]) -> Self {
        let mut seen: Vec<&TextRun> =
            runs.iter().filter(|run| run.source == TextSource::Recognised && run.confidence >= 30).collect();
        seen.truncate(MOST);
        let mut directions: Vec<i32> = seen.iter().map(|run| degrees(run.direction)).collect();
        directions.sort_unstable();
        let Some(middle) = directions.get(directions.len() / 2) else { return Self::default() };
        let given = middle * DEGREE;
        let mut tried: Vec<Self> = (-REACH / STEP..=REACH / STEP).map(|step| Self(given + step * STEP)).collect();
        // Of equal ones, the nearest to the host's direction.
        tried.sort_by_key(|slope| slope.0.abs_diff(given));
        let mut best = (0, Self(given));
        for slope in tried {
            let lined_up = slope.lined_up(&seen, Self(given));
            if lined_up > best.0 {
                best = (lined_up, slope);
            }
        }
        best.1
    }

    /// The rectangle of a line of text on the straightened page.
    pub(super) fn straight(self, shown: Rectangle) -> Rectangle {
        if self.0 == 0 {
            return shown;
        }
        let (width, height) = (i64::from(shown.width), i64::from(shown.height));
        // Half a shift for each half of the width is above and below the line itself.
        let own = (height - self.along(width).abs()).max(height / 3).max(1);
        let (x, y) = (i64::from(shown.left) + width / 2, i64::from(shown.top) + height / 2);
        let (x, y) = (x + self.along(y), y - self.along(x));
        let whole = |value: i64| i32::try_from(value).unwrap_or(i32::MAX);
        Rectangle {
            left: whole(x - width / 2),
            top: whole(y - own / 2),
            width: shown.width,
            height: u32::try_from(own).unwrap_or(shown.height),
        }
    }

    fn along(self, length: i64) -> i64 {
        length * i64::from(self.0) / WHOLE
    }

    /// How well neighbouring runs line up with this slope.
    fn lined_up(self, runs: &[&TextRun], given: Self) -> i64 {
        let places: Vec<(Rectangle, i64)> = runs
            .iter()
            .map(|run| {
                let place = self.straight(run.area);
                (place, i64::from(place.top) + i64::from(place.height) / 2)
            })
            .collect();
        // All slopes use the heights of one slope, or the flattest would seem the best.
        let heights: Vec<i64> = runs.iter().map(|run| i64::from(given.straight(run.area).height)).collect();
        let mut sum = 0;
        for (index, (one, middle)) in places.iter().enumerate() {
            for (other, other_middle) in &places[index + 1..] {
                let is_next_to = one.right() < other.left || other.right() < one.left;
                let reach = heights[index] / 3;
                let off = (middle - other_middle).abs();
                if is_next_to && off < reach {
                    sum += 100 - off * 100 / reach;
                }
            }
        }
        sum
    }
}

/// 359 is one degree anticlockwise.
fn degrees(direction: u16) -> i32 {
    let direction = i32::from(direction % 360);
    if direction > 180 { direction - 360 } else { direction }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::cells::tests::run;

    /// A run of a page that was turned clockwise by `slope` ten-thousandths.
    fn turned(text: &str, left: i32, top: i32, slope: i32, direction: u16) -> TextRun {
        let mut run = run(text, left, top);
        run.source = TextSource::Recognised;
        run.direction = direction;
        let shift = |length: i32| length * slope / 10_000;
        run.area.top += shift(left + i32::try_from(run.area.width).unwrap_or(0) / 2);
        run.area.left -= shift(top);
        run
    }

    #[test]
    fn lines_of_a_skewed_page_are_straightened() {
        for (slope, direction) in [(0, 0), (60, 0), (190, 1), (-190, 359), (-430, 358)] {
            let runs: Vec<TextRun> = (0..8)
                .flat_map(|line| {
                    let top = 10_000 + line * 1_500;
                    [turned("Total HT", 5_000, top, slope, direction), turned("12,00", 50_000, top, slope, direction)]
                })
                .collect();
            let found = Slope::of(&runs);
            assert!(found.0.abs_diff(slope) <= 15, "{slope}: {found:?}");
            let (label, value) = (found.straight(runs[4].area), found.straight(runs[5].area));
            assert!(label.top.abs_diff(value.top) < 150, "{slope}: {label:?} {value:?}");
        }
    }

    #[test]
    fn a_pdf_s_own_text_stays_where_it_is() {
        let runs = [run("Total HT", 5_000, 10_000), run("12,00", 50_000, 10_300)];
        assert_eq!(Slope::of(&runs), Slope::default());
        assert_eq!(Slope::default().straight(runs[1].area), runs[1].area);
    }
}
