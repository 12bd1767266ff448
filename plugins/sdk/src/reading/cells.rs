//! Groups the words of a page as people see them: words that are close together in a line are a cell.

use crate::{
    facts::{Document, Rectangle, TextRun, TextSource},
    reading::{fold, level::Slope, turn::Turn},
};

/// A piece of visible text, such as a label, a value, or the line of a paragraph.
#[derive(Clone, Debug)]
pub struct Cell {
    /// From 1.
    pub page: u32,
    pub text: String,
    /// The text, [folded](fold()).
    pub folded: String,
    /// Its position on the straightened page, in hundredths of a point: this decides what is next to it and below it.
    /// For a PDF's own text it is the same as `place`.
    pub area: Rectangle,
    /// Its visible position on the page, in hundredths of a point, for findings.
    pub place: Rectangle,
    /// The height of its letters in hundredths of a point; for recognised text the height of its box.
    pub size: u32,
    /// How sure the reading is: 0 to 100.
    pub confidence: u8,
}

impl Cell {
    /// Halfway between its upper and its lower edge.
    pub fn middle(&self) -> i32 {
        self.area.top.saturating_add_unsigned(self.area.height / 2)
    }

    /// Whether the other one is in the same line.
    pub fn is_next_to(&self, other: &Self) -> bool {
        self.page == other.page
            && self.middle().abs_diff(other.middle()) * 2 < self.area.height.min(other.area.height).max(200)
    }
}

/// The cells of all pages, line by line from the top, from left to right. Hidden text is left out; so is a scan's own
/// text layer if the page was read again.
pub fn cells(document: &Document) -> Vec<Cell> {
    document.page_numbers().flat_map(|page| of_page(document, page)).collect()
}

fn of_page(document: &Document, page: u32) -> Vec<Cell> {
    let mut shown = document.all_text_runs(page);
    shown.retain(|run| run.hidden.is_none() && !run.text.trim().is_empty());
    // A page that was turned in a viewer, or that was scanned the wrong way round, is read as people turn it.
    let turn = Turn::of(&shown, document, page);
    let places: Vec<Rectangle> = shown.iter().map(|run| run.area).collect();
    for run in &mut shown {
        turn.apply(run);
    }
    let is_level = |run: &TextRun| run.direction < 20 || run.direction > 340;
    let (runs, places): (Vec<TextRun>, Vec<Rectangle>) =
        shown.into_iter().zip(places).filter(|(run, _)| is_level(run)).unzip();
    let slope = Slope::of(&runs);
    let mut runs: Vec<Straight> = runs
        .into_iter()
        .zip(places)
        .map(|(run, place)| {
            let area = if run.source == TextSource::Recognised { slope.straight(run.area) } else { run.area };
            Straight { run, area, place }
        })
        .collect();
    runs.sort_by_key(|run| (run.area.top.saturating_add_unsigned(run.area.height / 2), run.area.left));
    let mut lines: Vec<Vec<Straight>> = Vec::new();
    for run in runs {
        let middle = |run: &Straight| run.area.top.saturating_add_unsigned(run.area.height / 2);
        // Lines are recognised by their last words: a photographed page is narrower at one end.
        let line = lines.iter_mut().rev().take(4).find(|line| {
            line.iter().any(|other| {
                middle(other).abs_diff(middle(&run)) * 5 < other.area.height.max(run.area.height) * 2
                    && gap(other, &run) < 12_000
            })
        });
        match line {
            Some(line) => line.push(run),
            None => lines.push(vec![run]),
        }
    }
    let mut cells = Vec::new();
    for mut line in lines {
        line.sort_by_key(|run| run.area.left);
        let mut current: Option<Cell> = None;
        let mut last_right = 0;
        for Straight { run, area, place } in line {
            let recognised = run.source == TextSource::Recognised;
            let distance = area.left.saturating_sub(last_right);
            let height = i32::try_from(area.height).unwrap_or(1_000);
            let size = if run.size > 0 { run.size } else { area.height };
            // Words of a cell are less than a letter's height apart; runs of a PDF's own text often touch.
            let near = distance * 10 < height * 9;
            last_right = area.right();
            match &mut current {
                Some(cell) if near => {
                    let needs_space = distance * 8 > height || recognised;
                    if needs_space && !cell.text.ends_with(' ') && !run.text.starts_with(' ') {
                        cell.text.push(' ');
                    }
                    cell.text.push_str(&run.text);
                    extend(&mut cell.area, &area);
                    extend(&mut cell.place, &place);
                    cell.size = cell.size.max(size);
                    cell.confidence = cell.confidence.min(run.confidence);
                }
                _ => {
                    cells.extend(current.take());
                    current = Some(Cell {
                        page,
                        text: run.text.clone(),
                        folded: String::new(),
                        area,
                        place,
                        size,
                        confidence: run.confidence,
                    });
                }
            }
        }
        cells.extend(current);
    }
    for cell in &mut cells {
        cell.text = cell.text.trim().to_owned();
        cell.folded = fold(&cell.text);
    }
    cells
}

/// A run, its position on the straightened page, and its visible one.
struct Straight {
    run: TextRun,
    area: Rectangle,
    place: Rectangle,
}

/// The horizontal distance of two runs; 0 if one is above the other.
fn gap(left: &Straight, right: &Straight) -> i32 {
    (right.area.left - left.area.right()).max(left.area.left - right.area.right()).max(0)
}

fn extend(area: &mut Rectangle, other: &Rectangle) {
    let (right, bottom) = (area.right().max(other.right()), area.bottom().max(other.bottom()));
    area.left = area.left.min(other.left);
    area.top = area.top.min(other.top);
    area.width = right.abs_diff(area.left);
    area.height = bottom.abs_diff(area.top);
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::facts::PageFacts;

    /// A piece of a PDF's own text, in hundredths of a point.
    pub(in crate::reading) fn run(text: &str, left: i32, top: i32) -> TextRun {
        let own = TextRun::of_text(text, 0, 0);
        TextRun { area: Rectangle { left, top, ..own.area }, ..own }
    }

    #[test]
    fn values_on_a_skewed_page_are_next_to_their_labels_and_keep_their_visible_place() {
        let text_runs = (0..6)
            .flat_map(|line| {
                let top = 10_000 + line * 1_200;
                let (mut label, mut value) = (run("Label", 5_000, top), run("Value", 45_000, top + 760));
                for run in [&mut label, &mut value] {
                    (run.source, run.confidence, run.direction) = (TextSource::Recognised, 90, 1);
                }
                [label, value]
            })
            .collect();
        let document = Document { pages: vec![PageFacts { text_runs, ..PageFacts::default() }], ..Document::default() };
        let cells = cells(&document);
        assert_eq!(cells.len(), 12);
        for pair in cells.chunks(2) {
            assert_eq!((pair[0].text.as_str(), pair[1].text.as_str()), ("Label", "Value"));
            assert!(pair[0].is_next_to(&pair[1]), "{pair:?}");
            assert_eq!(pair[1].place.top - pair[0].place.top, 760);
        }
    }
}
