//! The pages of a document: the text on them, and which of it people can see.

use sealwright_facts::{
    Facts,
    model::{self, Page, TextRendering, TextSource},
};
use sealwright_plugin_sdk::facts::{Hiding, PageFacts, Reading, Shape, TextRun, TextSource as RunSource};

use super::parts::{TEXT_BYTES, rectangle};

/// The smallest font size that people can read, in hundredths of a point.
const SMALLEST_SIZE: u32 = 150;
/// Channels of two colours may differ by this and look the same.
const SAME_COLOUR: u32 = 10;
/// The contract's limit for the text of a page, in bytes.
const PAGE_TEXT_BYTES: usize = 256 * 1024;

pub(super) fn page(page: &Page, facts: &Facts) -> PageFacts {
    let runs: Vec<TextRun> = page.text.iter().flat_map(text_runs).collect();
    PageFacts {
        width: page.width,
        height: page.height,
        rotation: page.rotation,
        reading: reading(page, facts),
        image_cover: page.image_cover.min(100),
        text: lines(&runs),
        shapes: page.shapes.iter().map(shape).collect(),
        text_runs: runs,
    }
}

fn reading(page: &Page, facts: &Facts) -> Reading {
    let is_unread = facts.ocr.unread.contains(&page.number);
    let has_layer = page.text.iter().any(|run| run.rendering != TextRendering::Recognised);
    match page.text_source {
        TextSource::Ocr if has_layer => Reading::Mixed,
        TextSource::Ocr => Reading::Recognised,
        TextSource::Layer => Reading::Layer,
        TextSource::None if is_unread => Reading::Unread,
        TextSource::None => Reading::Blank,
    }
}

fn shape(shape: &model::Shape) -> Shape {
    Shape { area: rectangle(shape.area), colour: shape.colour, opacity: shape.opacity.min(100), order: shape.order }
}

/// A text run as defined by the contract: a long one is split into several, all with the area of the whole.
fn text_runs(run: &model::TextRun) -> Vec<TextRun> {
    let is_recognised = run.rendering == TextRendering::Recognised;
    let whole = TextRun {
        text: String::new(),
        area: rectangle(run.area),
        direction: run.direction % 360,
        source: if is_recognised { RunSource::Recognised } else { RunSource::Layer },
        font: run.font,
        size: run.size,
        colour: run.colour,
        opacity: run.opacity.min(100),
        hidden: hiding(run),
        covered_by: run.cover.map(|cover| cover.order),
        order: run.order,
        confidence: run.confidence.unwrap_or(100).min(100),
        unmapped: run.unmapped,
    };
    let mut runs = Vec::new();
    let mut rest = run.text.as_str();
    while !rest.is_empty() {
        let (piece, more) = rest.split_at(rest.floor_char_boundary(TEXT_BYTES));
        runs.push(TextRun { text: piece.to_owned(), ..whole.clone() });
        rest = more;
    }
    runs
}

/// Why people do not see a text. If there are several reasons, the first one in the contract's order.
fn hiding(run: &model::TextRun) -> Option<Hiding> {
    if run.rendering == TextRendering::Recognised {
        return None;
    }
    if run.rendering == TextRendering::Invisible || run.opacity == 0 {
        Some(Hiding::Invisible)
    } else if run.cover.is_some() {
        Some(Hiding::Covered)
    } else if run.colour.is_some_and(|colour| is_same(colour, run.background)) {
        Some(Hiding::SameColour)
    } else if (1..SMALLEST_SIZE).contains(&run.size) {
        Some(Hiding::TooSmall)
    } else if run.outside_page {
        Some(Hiding::Outside)
    } else {
        None
    }
}

fn is_same(a: u32, b: Option<u32>) -> bool {
    let Some(b) = b else { return false };
    let channel = |colour: u32, shift: u32| (colour >> shift) & 0xFF;
    [16, 8, 0].into_iter().all(|shift| channel(a, shift).abs_diff(channel(b, shift)) <= SAME_COLOUR)
}

/// What people can read, line by line from the top. Parts of a line come from left to right, with a space between those
/// that do not touch.
fn lines(runs: &[TextRun]) -> String {
    let mut visible: Vec<&TextRun> = runs.iter().filter(|run| run.hidden.is_none() && is_upright(run)).collect();
    visible.sort_by_key(|run| (middle(run), run.area.left));
    let mut lines: Vec<Vec<&TextRun>> = Vec::new();
    for run in visible {
        match lines.last_mut().filter(|line| line.iter().any(|other| share_a_line(other, run))) {
            Some(line) => line.push(run),
            None => lines.push(vec![run]),
        }
    }
    // Text that is turned is read in the order in which it was painted.
    lines.extend(runs.iter().filter(|run| run.hidden.is_none() && !is_upright(run)).map(|run| vec![run]));
    let mut text = String::new();
    for mut line in lines {
        line.sort_by_key(|run| run.area.left);
        let mut end: Option<i32> = None;
        for run in line {
            let gap = end.map_or(0, |end| run.area.left.saturating_sub(end));
            let height = i32::try_from(run.area.height).unwrap_or(i32::MAX);
            if gap > height / 8 && !text.ends_with([' ', '\n']) && !run.text.starts_with(' ') {
                // A wide gap separates columns.
                text.push_str(if gap > height.saturating_mul(2) { "   " } else { " " });
            }
            text.push_str(&run.text);
            end = Some(run.area.left.saturating_add_unsigned(run.area.width));
        }
        text.push('\n');
        if text.len() > PAGE_TEXT_BYTES {
            text.truncate(text.floor_char_boundary(PAGE_TEXT_BYTES));
            break;
        }
    }
    text
}

fn is_upright(run: &TextRun) -> bool {
    run.direction <= 10 || run.direction >= 350
}

fn middle(run: &TextRun) -> i64 {
    i64::from(run.area.top) + i64::from(run.area.height) / 2
}

/// Whether the middle of each lies within the height of the other.
fn share_a_line(a: &TextRun, b: &TextRun) -> bool {
    let within = |run: &TextRun, at: i64| {
        let (top, height) = (i64::from(run.area.top), i64::from(run.area.height));
        (top..=top + height).contains(&at)
    };
    within(a, middle(b)) && within(b, middle(a))
}
