//! The text that a PDF file's pages show, and nothing else: for comparing what people read with what machines read.
//!
//! Text counts as seen by the same rules as in the facts: not if it is too small, transparent, in the colour of its
//! background, covered, clipped away or off the page. This covers only text: not what a picture shows, not letters that
//! are drawn as shapes, and not fonts whose letters look like others.

use serde::{Deserialize, Serialize};

use crate::{
    Limited, Limits, Reading, UnreadableReason,
    model::{TextRendering, TextRun},
    pdf,
};

/// In hundredths of a point. People do not read smaller text on paper.
const SMALLEST: u32 = 400;
/// In percent. Less opaque text is not seen.
const LEAST_OPACITY: u8 = 30;
/// As in WCAG 2: from 1, the same colour, to 21, black on white.
const LEAST_CONTRAST: f64 = 1.4;
/// The least gap that separates two pieces on a line, in hundredths of their size.
const APART: i64 = 18;

/// The bounds for files with hundreds of photos, when only the text is read.
pub const LIMITS: Limits = Limits {
    max_file_bytes: 256 << 20,
    max_unpacked_bytes: 512 << 20,
    max_pages: 2_000,
    max_painted_in_all: 20_000_000,
    ..Limits::USUAL
};

/// The text of all pages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageTexts {
    pub reading: Reading,
    pub pages: Vec<PageText>,
}

/// The text of a page, in the order in which it is painted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageText {
    pub pieces: Vec<Piece>,
    /// The number of characters that the font does not map to Unicode; they are U+FFFD.
    pub unmapped: u32,
}

/// A piece of text on one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Piece {
    pub text: String,
    /// Whether people see it.
    pub seen: bool,
    /// Whether it continues the piece before it without a gap.
    pub joined: bool,
}

/// Reads a PDF file. Always returns; the caller has to contain panics of a library.
pub fn page_texts(file: Vec<u8>, limits: &Limits) -> PageTexts {
    if file.len() as u64 > limits.max_file_bytes {
        return PageTexts::unreadable(UnreadableReason::FileTooLarge);
    }
    match pdf::texts(file, limits) {
        Ok((pages, limited)) => {
            // The content of pictures is not read; their place is known without it.
            let limits: Vec<Limited> = limited.into_iter().filter(|limit| *limit != Limited::Images).collect();
            let reading = if limits.is_empty() { Reading::Complete } else { Reading::Partial { limits } };
            PageTexts { reading, pages: pages.iter().map(|runs| page(runs)).collect() }
        }
        Err(reason) => PageTexts::unreadable(reason),
    }
}

/// A JPEG file that a page shows. Where it is on the page, and whether something covers it, is not examined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownPicture {
    /// The first page that shows it, from 1.
    pub page: u32,
    pub jpeg: Vec<u8>,
}

/// The JPEG files that the pages of a PDF file show, as long as they have at most `most_bytes` together. None for a file
/// that cannot be read. The caller has to contain panics of a library.
pub fn shown_pictures(file: Vec<u8>, limits: &Limits, most_bytes: usize) -> Vec<ShownPicture> {
    if file.len() as u64 > limits.max_file_bytes {
        return Vec::new();
    }
    let pictures = pdf::pictures(file, limits, most_bytes).unwrap_or_default();
    pictures.into_iter().map(|(page, jpeg)| ShownPicture { page, jpeg }).collect()
}

impl PageTexts {
    /// For a file whose pages cannot be read.
    pub fn unreadable(reason: UnreadableReason) -> Self {
        Self { reading: Reading::Unreadable { reason }, pages: Vec::new() }
    }
}

fn page(runs: &[TextRun]) -> PageText {
    let mut pieces = Vec::with_capacity(runs.len());
    let mut before: Option<&TextRun> = None;
    for run in runs {
        pieces.push(Piece {
            text: run.text.clone(),
            seen: is_seen(run),
            joined: before.is_some_and(|before| goes_on(before, run)),
        });
        before = Some(run);
    }
    PageText { pieces, unmapped: runs.iter().map(|run| run.unmapped).sum() }
}

fn goes_on(before: &TextRun, run: &TextRun) -> bool {
    let size = i64::from(before.size.max(run.size));
    let gap = (i64::from(run.area.left) - i64::from(before.area.right)).abs();
    let step = (i64::from(run.area.bottom) - i64::from(before.area.bottom)).abs();
    before.direction == 0 && run.direction == 0 && gap * 100 < size * APART && step * 2 < size
}

fn is_seen(run: &TextRun) -> bool {
    run.rendering != TextRendering::Invisible
        && run.size >= SMALLEST
        && run.opacity >= LEAST_OPACITY
        && run.cover.is_none()
        && !run.outside_page
        // Text on a pattern or a picture counts as readable.
        && run.colour.zip(run.background).is_none_or(|(ink, ground)| contrast(ink, ground) >= LEAST_CONTRAST)
}

/// The contrast ratio of WCAG 2, 1 to 21.
fn contrast(one: u32, other: u32) -> f64 {
    let luminance = |colour: u32| {
        let [_, red, green, blue] = colour.to_be_bytes();
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    };
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}
