//! Texts for native tests.

use super::{
    super::{Rectangle, TextRun, TextSource},
    count,
};

impl TextRun {
    /// A text in the document's text layer, black, in its first font, 10 points high and 5 points wide for each byte.
    /// `left` and `top` are in points. Change the fields that a test needs:
    /// `TextRun { confidence: 40, ..TextRun::of_text("No. 7", 50, 90) }`.
    pub fn of_text(text: &str, left: i32, top: i32) -> Self {
        Self {
            text: text.to_owned(),
            area: Rectangle { left: left * 100, top: top * 100, width: count(text.as_bytes()) * 500, height: 1_000 },
            direction: 0,
            source: TextSource::Layer,
            font: Some(0),
            size: 1_000,
            colour: Some(0),
            opacity: 100,
            hidden: None,
            covered_by: None,
            order: 1,
            confidence: 100,
            unmapped: 0,
        }
    }
}
