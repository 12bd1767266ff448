//! The lines of Tesseract's table (its TSV output) of a picture, and which way they lie.

use crate::{
    image::plane::{scaled, to_f64},
    model::{Area, TextRendering, TextRun},
};

/// Gaps in a line that are wider than so many times its height separate columns.
const COLUMN_GAP: i32 = 2;

struct Word<'a> {
    line: [u32; 3],
    area: Area,
    confidence: f64,
    text: &'a str,
}

/// Words (level 5 of Tesseract's table) joined to lines. All lie as the page does.
pub(super) fn lines(table: &str, scale: f64, origin: Area) -> Vec<TextRun> {
    let words: Vec<Word<'_>> = table.lines().filter_map(|row| word(row, scale, origin)).collect();
    let direction = direction(slope(&words));
    let mut runs: Vec<(TextRun, [u32; 3], Vec<f64>)> = Vec::new();
    for word in words {
        let height = word.area.bottom - word.area.top;
        match runs.last_mut() {
            Some((run, line, confidences))
                if *line == word.line && word.area.left - run.area.right <= COLUMN_GAP * height =>
            {
                run.text.push(' ');
                run.text.push_str(word.text);
                run.area = run.area.union(word.area);
                confidences.push(word.confidence);
            }
            _ => runs.push((recognised(word.text, word.area), word.line, vec![word.confidence])),
        }
    }
    (0..)
        .zip(runs)
        .map(|(order, (run, _, confidences))| {
            let mean = confidences.iter().sum::<f64>() / to_f64(confidences.len() as u64);
            let confidence = u8::try_from(scaled(mean.clamp(0.0, 100.0), 1.0)).ok();
            TextRun { direction, order, confidence, ..run }
        })
        .collect()
}

/// The slope of the page's lines: by how much they fall for each step to the right; negative where they rise. The median of
/// what any two words of a line say that are far apart and equally high, so that their letters reach equally far up and
/// down.
fn slope(words: &[Word<'_>]) -> f64 {
    const LEAST_PAIRS: usize = 4;
    let sure: Vec<&Word<'_>> = words.iter().filter(|word| word.confidence >= 60.0).collect();
    let mut slopes: Vec<f64> = Vec::new();
    for line in sure.chunk_by(|one, other| one.line == other.line) {
        for (index, one) in line.iter().enumerate() {
            for other in &line[index + 1..] {
                let height = |word: &Word<'_>| word.area.bottom - word.area.top;
                let across = other.area.left + other.area.right - one.area.left - one.area.right;
                let down = other.area.top + other.area.bottom - one.area.top - one.area.bottom;
                // Both are twice the way between the middles.
                let is_far = across > 8 * height(one);
                if is_far && (height(one) - height(other)).abs() * 8 <= height(one) {
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

fn word(row: &str, scale: f64, origin: Area) -> Option<Word<'_>> {
    let cells: Vec<&str> = row.splitn(12, '\t').collect();
    let ["5", _, block, paragraph, line, _, left, top, width, height, confidence, text] = cells[..] else {
        return None;
    };
    let number = |cell: &str| cell.parse::<f64>().ok();
    let (left, top, width, height) = (number(left)?, number(top)?, number(width)?, number(height)?);
    let area = Area::from_points(left / scale, top / scale, (left + width) / scale, (top + height) / scale);
    let moved = Area {
        left: area.left.saturating_add(origin.left),
        top: area.top.saturating_add(origin.top),
        right: area.right.saturating_add(origin.left),
        bottom: area.bottom.saturating_add(origin.top),
    };
    let text = text.trim();
    (!text.is_empty()).then_some(Word {
        line: [block.parse().ok()?, paragraph.parse().ok()?, line.parse().ok()?],
        area: moved,
        confidence: number(confidence)?,
        text,
    })
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

    #[test]
    fn words_are_joined_to_lines_and_columns_stay_apart() {
        let table = "level\tpage_num\n5\t1\t1\t1\t1\t1\t300\t600\t90\t30\t96.5\tTotal\n5\t1\t1\t1\t1\t2\t400\t600\t60\t30\t91.5\tTTC\n5\t1\t1\t1\t1\t3\t1200\t600\t60\t30\t80\t42,00\n4\t1\t1\t1\t2\t0\t0\t0\t0\t0\t-1\t\n5\t1\t1\t1\t2\t1\t300\t700\t60\t30\t50\t€\n";
        let runs = lines(table, 300.0 / 72.0, Area { left: 100, top: 0, ..Area::default() });
        let said: Vec<_> = runs.iter().map(|run| (run.text.as_str(), run.confidence, run.order)).collect();
        assert_eq!(said, [("Total TTC", Some(94), 0), ("42,00", Some(80), 1), ("€", Some(50), 2)]);
        assert_eq!(runs[0].area, Area { left: 7_300, top: 14_400, right: 11_140, bottom: 15_120 });
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
