//! A page that two programs made: a forger replaces the part with the value, or the value alone, and keeps the rest.
//! Each program embeds its fonts in one manner, which does not show on the page.

use std::collections::BTreeMap;

use sealwright_plugin_sdk::{
    facts::{Document, Font, Placement, Rectangle, TextRun, TextSource},
    findings::found,
};

use crate::{
    painting::{is_late, is_margin},
    report::{Sign, sign},
    subject::Subject,
    typeface::{SIGNS, family, visible},
    values::{Worth, worth},
};

const CODE: &str = "PROGRAMS_DIFFER";
const PASTED: &str = "PART_IS_PICTURE";
const DRAWN: &str = "FONT_AMONG_DRAWN";
const TYPED: &str = "TYPED_ON_SCAN";
/// More pages are a book or a file of many papers.
const LONG: usize = 12;

/// So few texts are one value that was set anew.
const VALUE: usize = 3;

/// How a font was embedded.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Manner {
    /// A subset whose tag was counted up: `AAAAAA`, `BAAAAA`, `BCDEEE`.
    Counted,
    /// A subset whose tag looks random.
    Drawn,
    /// All of the font.
    Complete,
}

impl Manner {
    /// None if the font says nothing about the program: it is not embedded, drawn by procedures, or one of symbols, which
    /// some programs embed completely.
    fn of(font: &Font) -> Option<Self> {
        let is_of_symbols = SIGNS.iter().any(|sign| family(&font.name).contains(sign));
        if !font.embedded || font.kind == "Type3" || is_of_symbols {
            return None;
        }
        let Some(tag) = &font.subset else { return Some(Self::Complete) };
        // Three of six random letters are As once in a thousand tags.
        let is_counted = tag.matches('A').count() >= 3 || tag.starts_with("BCD");
        Some(if is_counted { Self::Counted } else { Self::Drawn })
    }
}

/// The text of a page that is set in fonts of one manner, or in one spelling of a font's name.
#[derive(Default)]
struct Part<'r> {
    texts: usize,
    letters: usize,
    figures: Vec<&'r TextRun>,
    names: Vec<&'r TextRun>,
}

impl<'r> Part<'r> {
    fn add(&mut self, run: &'r TextRun) {
        self.texts += 1;
        self.letters += run.text.chars().filter(|letter| letter.is_alphanumeric()).count();
        match worth(&run.text) {
            Worth::Figure => self.figures.push(run),
            Worth::Name => self.names.push(run),
            Worth::None => {}
        }
    }
}

pub(crate) fn signs(subject: &Subject<'_>) -> Vec<Sign> {
    let document = subject.document;
    if document.page_numbers().count() > LONG {
        return Vec::new();
    }
    let fonts = document.all_fonts();
    let placements = document.all_placements();
    let mut forms = document.all_annotations();
    forms.retain(|annotation| annotation.kind == "Widget");
    let mut signs = Vec::new();
    for page in document.page_numbers() {
        let Some(sheet) = document.page(page) else { continue };
        let runs = visible(document.all_text_runs(page), &forms, page);
        let is_counted = |run: &&TextRun| !is_margin(&run.area, sheet.width, sheet.height);
        let embedded = || {
            let runs = runs.iter().filter(is_counted);
            runs.filter_map(|run| {
                let font = fonts.get(run.font? as usize)?;
                Some((run, font, Manner::of(font)?))
            })
        };
        let manners = odd_part(embedded().map(|(run, _, manner)| (manner, run)));
        let spellings = || {
            let mut faces: BTreeMap<String, Vec<(&str, &TextRun)>> = BTreeMap::new();
            for (run, font, _) in embedded() {
                faces.entry(face(&font.name)).or_default().push((&font.name, run));
            }
            faces.into_values().find_map(odd_part)
        };
        if let Some(run) = manners.or_else(spellings) {
            let text = "A part of the page was set by a different program from the rest: it embedded its fonts in \
                        another manner.";
            signs.push(sign(14.0, found(CODE, text).at(page, run.area)));
        }
        if let Some(run) = typed_on_scan(&runs, &document.all_text_runs(page), (sheet.width, sheet.height)) {
            let text = "A value was typed on a scanned page.";
            let decibans = if worth(&run.text) == Worth::Figure { 15.0 } else { 13.0 };
            signs.push(sign(decibans, found(TYPED, text).at(page, run.area)));
        }
        if let Some(run) = set_among_drawn(&runs, &fonts, (sheet.width, sheet.height)) {
            let text = "A value is in a font, was painted last, and all other text of the page is in drawn letters.";
            signs.push(sign(13.0, found(DRAWN, text).at(page, run.area)));
        }
        let pictures: Vec<&Placement> = placements.iter().filter(|placement| placement.place.page == page).collect();
        if let Some(area) = pasted_part(document, &pictures, (sheet.width, sheet.height), &runs) {
            let text = "A part of the page is a picture of paper, and the rest is text.";
            signs.push(sign(14.0, found(PASTED, text).at(page, area)));
        }
    }
    signs
}

/// A value in the smaller of two parts, if both have values. In a form that a program fills in, only what it filled in
/// has.
fn odd_part<'r, K: Ord>(texts: impl IntoIterator<Item = (K, &'r TextRun)>) -> Option<&'r TextRun> {
    let mut parts: BTreeMap<K, Part<'r>> = BTreeMap::new();
    for (key, run) in texts {
        parts.entry(key).or_default().add(run);
    }
    let mut parts: Vec<Part<'r>> = parts.into_values().filter(|part| part.letters > 0).collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.letters));
    let (main, others) = parts.split_first()?;
    if main.figures.is_empty() {
        return None;
    }
    // Labels look like names.
    let name = |part: &Part<'r>| part.names.first().copied().filter(|_| part.texts <= VALUE);
    others.iter().find_map(|part| part.figures.first().copied().or_else(|| name(part)))
}

/// The name of a font without what programs spell in different ways: `Liberation-Sans`, `LiberationSans-Regular`.
fn face(name: &str) -> String {
    let plain: String = name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    plain.strip_suffix("regular").map(ToOwned::to_owned).unwrap_or(plain)
}

/// A value in a font that has a name, on a page whose letters a browser drew by procedures, which have none. A browser
/// sets single signs in another font too, in their turn.
fn set_among_drawn<'r>(runs: &'r [TextRun], fonts: &[Font], (width, height): (u32, u32)) -> Option<&'r TextRun> {
    const FEW: usize = 2;
    let is_drawn = |run: &&TextRun| {
        let font = run.font.and_then(|font| fonts.get(font as usize));
        font.is_none_or(|font| font.name.is_empty())
    };
    let is_lettered = |run: &&TextRun| run.text.chars().filter(|letter| letter.is_alphanumeric()).count() >= 3;
    let (drawn, set): (Vec<&TextRun>, Vec<&TextRun>) = runs.iter().filter(is_lettered).partition(is_drawn);
    if set.len() > FEW || drawn.len() < 10 {
        return None;
    }
    set.into_iter()
        .find(|run| worth(&run.text) != Worth::None && is_late(run, runs) && !is_margin(&run.area, width, height))
}

/// A value among a few texts on a page whose other text was recognised in its picture. Marks of scanners are in the
/// margins, and watermarks are set at an angle.
fn typed_on_scan<'r>(typed: &'r [TextRun], all: &[TextRun], (width, height): (u32, u32)) -> Option<&'r TextRun> {
    const FEW: usize = 6;
    let recognised = all.iter().filter(|run| run.source == TextSource::Recognised).count();
    let is_typed =
        |run: &&TextRun| run.direction.is_multiple_of(90) && !is_margin(&run.area, width, height) && run.size >= 500;
    let typed: Vec<&TextRun> = typed.iter().filter(is_typed).collect();
    if typed.len() > FEW || recognised < 2 * typed.len() {
        return None;
    }
    typed.into_iter().filter(|run| worth(&run.text) != Worth::None).max_by_key(|run| worth(&run.text))
}

/// A picture as wide as the page and as white as paper that fills a part of it. Pictures that fill the page together are
/// a scan in strips, and a picture with text on it is a background.
fn pasted_part(
    document: &Document,
    pictures: &[&Placement],
    (width, height): (u32, u32),
    runs: &[TextRun],
) -> Option<Rectangle> {
    /// Percent of the height of a page.
    const PART: std::ops::Range<u32> = 15..93;
    /// Of 25,500.
    const PAPER: i64 = 20_000;
    let wide = |picture: &&&Placement| {
        picture.place.area.is_some_and(|area| area.left < 300 && area.right() > i32::try_from(width).unwrap_or(0) - 300)
    };
    let share = |area: Rectangle| area.height / (height / 100).max(1);
    let covered: u32 = pictures.iter().filter(wide).filter_map(|picture| picture.place.area).map(share).sum();
    if covered >= PART.end || runs.is_empty() {
        return None;
    }
    pictures.iter().filter(wide).find_map(|picture| {
        let area = picture.place.area?;
        let is_background = runs.iter().any(|run| run.area.meets(&area));
        let measures = document.image(picture.image)?.all_measures();
        let brightness = measures.iter().find(|measure| measure.name == "brightness")?.value;
        (PART.contains(&share(area)) && !is_background && brightness >= PAPER).then_some(area)
    })
}
