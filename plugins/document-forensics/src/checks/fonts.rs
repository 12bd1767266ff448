//! Fonts: a value that was retyped with another program has a different font, size, colour or place than what is around
//! it, and is painted after it.

use std::collections::BTreeMap;

use sealwright_plugin_sdk::{
    facts::{Font, TextRun},
    findings::found,
};

use crate::{
    checks::{glyphs, parts, programs},
    painting::{in_line, is_late, is_margin},
    report::{Report, Sign, sign},
    subject::Subject,
    typeface::{SIGNS, family, visible},
    values::{Worth, worth},
};

const CODE: &str = "FOREIGN_FONT";
/// A foreign font has at most this many letters in the whole document: a heading or a filled form has more.
const FEW: usize = 60;
/// And is in at most this many places of a page.
const PLACES: usize = 3;

/// Fonts of one width for every letter: issuers set numbers and references in them.
const ONE_WIDTH: [&str; 5] = ["courier", "mono", "consol", "menlo", "typewriter"];

const CARDS: [&str; 4] = ["IDENTITY_CARD", "PASSPORT", "RESIDENCE_PERMIT", "DRIVING_LICENCE"];

/// Papers have fewer pages.
const LONG: usize = 12;

/// What is known of all fonts and pages.
struct Typeset {
    fonts: Vec<Font>,
    families: Vec<String>,
    pages: Vec<Page>,
    /// Letters by family, in the whole document.
    letters: BTreeMap<String, usize>,
    all: usize,
    main: String,
    is_card: bool,
    /// Whether it is none of the documents whose values count.
    is_other: bool,
}

struct Page {
    number: u32,
    width: u32,
    height: u32,
    runs: Vec<TextRun>,
}

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let Some(typeset) = Typeset::of(subject) else {
        return Report::not_applicable(CODE, "The document has no text layer whose fonts could be compared.");
    };
    let mut signs = parts::signs(subject);
    signs.extend(programs::signs(subject));
    signs.extend(glyphs::signs(subject));
    if typeset.all >= 80 {
        for page in &typeset.pages {
            signs.extend(page.runs.iter().filter_map(|run| typeset.judged(page, run)));
        }
    }
    Report::of(signs, CODE, "No value is in a different font from the text around it.")
}

impl Typeset {
    fn of(subject: &Subject<'_>) -> Option<Self> {
        let document = subject.document;
        let fonts = document.all_fonts();
        let families: Vec<String> = fonts.iter().map(|font| family(&font.name)).collect();
        let mut forms = document.all_annotations();
        forms.retain(|annotation| annotation.kind == "Widget");
        let pages: Vec<Page> = document
            .page_numbers()
            .filter_map(|number| {
                let facts = document.page(number)?;
                let runs = visible(document.all_text_runs(number), &forms, number);
                Some(Page { number, width: facts.width, height: facts.height, runs })
            })
            .collect();
        let mut letters: BTreeMap<String, usize> = BTreeMap::new();
        for run in pages.iter().flat_map(|page| &page.runs) {
            if let Some(family) =
                run.font.and_then(|font| families.get(font as usize)).filter(|family| !family.is_empty())
            {
                *letters.entry(family.clone()).or_default() += count(&run.text);
            }
        }
        let all = letters.values().sum();
        let main = letters.iter().max_by_key(|(_, count)| **count).map(|(family, _)| family.clone())?;
        let is_card = CARDS.contains(&subject.document_type);
        let is_other = subject.document_type == "OTHER";
        Some(Self { fonts, families, pages, letters, all, main, is_card, is_other })
    }

    fn family(&self, run: &TextRun) -> Option<&str> {
        let family = self.families.get(run.font? as usize)?;
        (!family.is_empty()).then_some(family.as_str())
    }

    /// What distinguishes a text from the ones around it, added up.
    fn judged(&self, page: &Page, run: &TextRun) -> Option<Sign> {
        // A part of a value is as good as all of it.
        let value = page.around(run).max(worth(&run.text));
        // Stamps are set at an angle.
        let is_counted = count(&run.text) >= 2
            && !run.text.contains("<<")
            && run.direction.is_multiple_of(90)
            && !is_margin(&run.area, page.width, page.height)
            && !(value == Worth::Name && page.is_logo(run));
        if !is_counted || self.family(run).is_some_and(|family| SIGNS.iter().any(|sign| family.contains(sign))) {
            return None;
        }
        let mut what: Vec<(f64, &str)> = Vec::new();
        if self.is_foreign(page, run) {
            let is_mono = self.family(run).is_some_and(|family| ONE_WIDTH.iter().any(|name| family.contains(name)));
            let worth = match value {
                Worth::Figure => 17.0,
                // Cards have a heading and a signature in fonts of their own.
                Worth::Name if !self.is_card && run.font.is_some_and(|font| self.used(font) == 1) => 12.0,
                Worth::Name if self.is_card => 5.0,
                Worth::Name => 9.5,
                Worth::None => 5.0,
            };
            what.push((if is_mono { worth / 2.0 } else { worth }, "font"));
        } else if value != Worth::None && (self.is_second_copy(run) || self.is_standard_copy(page, run)) {
            what.push((11.0, "copy of the font"));
        }
        if value == Worth::Figure || value == Worth::Name && !self.is_card {
            if !self.is_card && Self::has_odd_size(page, run) {
                what.push((5.0, "size"));
            }
            if !what.is_empty() && has_odd_colour(page, run) {
                what.push((4.0, "colour"));
            }
            if is_off_the_line(page, run) {
                what.push((3.0, "baseline"));
            }
            // Many programs paint totals and addresses last; it counts only in addition to something else.
            if !what.is_empty() && is_late(run, &page.runs) {
                what.push((6.0, "painting order"));
            }
        }
        if what.is_empty() {
            return None;
        }
        let text = format!(
            "Some text differs from everything around it in its {}, as if it had been typed in later.",
            what.iter().map(|(_, how)| *how).collect::<Vec<_>>().join(", ")
        );
        let decibans: f64 = what.iter().map(|(more, _)| more).sum();
        // Articles, brochures and books have many fonts for a few words.
        let is_free = self.is_other || self.pages.len() > LONG;
        let decibans = if is_free { decibans / 2.0 } else { decibans };
        Some(sign(decibans.min(26.0), found(CODE, text).at(page.number, run.area)))
    }

    /// A font that is rare in the document and on the page, among text of about the same size in the usual font.
    fn is_foreign(&self, page: &Page, run: &TextRun) -> bool {
        let Some(family) = self.family(run).filter(|family| *family != self.main) else { return false };
        let letters = self.letters.get(family).copied().unwrap_or_default();
        let main = self.letters.get(&self.main).copied().unwrap_or_default();
        // In a short document one value is much of it.
        let is_alone =
            run.font.is_some_and(|font| self.used(font) == 1 && self.is_lone(font)) && letters * 4 < self.all;
        // In a document of many fonts none is foreign.
        if main * 10 < self.all * 6 || letters > FEW || letters * 12 >= self.all && !is_alone {
            return false;
        }
        let mut lines: Vec<i32> = Vec::new();
        for other in page.runs.iter().filter(|other| self.family(other) == Some(family)) {
            if !lines.iter().any(|top| top.abs_diff(other.area.top) < 300) {
                lines.push(other.area.top);
            }
        }
        let pages = self.pages.iter().filter(|page| page.runs.iter().any(|other| self.family(other) == Some(family)));
        let reach = if is_alone { 4 } else { 1 };
        let like_sized = page.runs.iter().any(|other| {
            self.family(other) == Some(self.main.as_str())
                && is_within(run, other, reach)
                && run.size.abs_diff(other.size) * 6 <= other.size
        });
        lines.len() <= PLACES && pages.count() <= 2 && like_sized
    }

    /// The same family a second time, embedded otherwise and used for hardly anything.
    fn is_second_copy(&self, run: &TextRun) -> bool {
        let Some(font) = run.font else { return false };
        let is_like = |other: u32| {
            let (own, like) = (self.families.get(font as usize), self.families.get(other as usize));
            own == like && own.is_some_and(|family| !family.is_empty())
        };
        self.used(font) <= 2
            && self.is_lone(font)
            && (0..).zip(&self.fonts).any(|(other, _)| other != font && is_like(other) && self.used(other) >= 4)
    }

    /// A font that is not embedded, named a second time by a program that painted a text when the page was finished.
    fn is_standard_copy(&self, page: &Page, run: &TextRun) -> bool {
        let Some(font) = run.font else { return false };
        let Some(own) = self.fonts.get(font as usize).filter(|own| !own.embedded) else { return false };
        let is_first = |(other, like): (u32, &Font)| {
            other != font && like.name == own.name && !like.embedded && self.used(other) >= 2
        };
        self.used(font) <= 2 && is_late(run, &page.runs) && (0..).zip(&self.fonts).any(is_first)
    }

    /// How many texts of the document are in a font.
    fn used(&self, font: u32) -> usize {
        self.pages.iter().flat_map(|page| &page.runs).filter(|run| run.font == Some(font)).count()
    }

    /// Whether no other font that is used more is embedded in the same way: one program embeds all fonts alike.
    fn is_lone(&self, font: u32) -> bool {
        let Some(own) = self.fonts.get(font as usize) else { return false };
        (0..).zip(&self.fonts).filter(|(other, _)| *other != font && self.used(*other) >= 3).all(|(_, like)| {
            like.embedded != own.embedded || like.kind != own.kind || like.subset.is_some() != own.subset.is_some()
        })
    }

    /// A size that no other text of the page has, close to one that many have.
    fn has_odd_size(page: &Page, run: &TextRun) -> bool {
        let same = |other: &TextRun| run.size.abs_diff(other.size) * 60 <= run.size;
        let like =
            |other: &&TextRun| !same(other) && run.size.abs_diff(other.size) * 7 <= run.size && is_near(run, other);
        run.size > 0
            && page.runs.iter().filter(|other| same(other)).count() <= 1
            && page.runs.iter().filter(like).count() >= 2
    }
}

impl Page {
    /// Whether a text in the head of the page has a colour that the text of the page does not have.
    fn is_logo(&self, run: &TextRun) -> bool {
        let like = self.runs.iter().filter(|other| other.colour == run.colour).count();
        let is_head = run.area.bottom() < i32::try_from(self.height / 6).unwrap_or(0);
        is_head && run.colour.is_some_and(|colour| colour != 0) && like * 5 <= self.runs.len()
    }

    /// The worth of the words that a text stands among, without a gap.
    fn around(&self, run: &TextRun) -> Worth {
        let height = i32::try_from(run.area.height).unwrap_or(1_000);
        let mut line: Vec<&TextRun> = self.runs.iter().filter(|other| in_line(&other.area, &run.area)).collect();
        line.sort_by_key(|other| other.area.left);
        let Some(at) = line.iter().position(|other| std::ptr::eq(*other, run)) else { return Worth::None };
        let touches = |left: &TextRun, right: &TextRun| right.area.left - left.area.right() < height;
        let (mut first, mut last) = (at, at);
        while first > 0 && touches(line[first - 1], line[first]) {
            first -= 1;
        }
        while last + 1 < line.len() && touches(line[last], line[last + 1]) {
            last += 1;
        }
        let words: Vec<&str> = line[first..=last].iter().map(|other| other.text.trim()).collect();
        worth(&words.join(" "))
    }
}

/// A dark colour that no other text of the page has, among dark text of one other colour.
fn has_odd_colour(page: &Page, run: &TextRun) -> bool {
    let Some(colour) = run.colour else { return false };
    let is_dark = |colour: u32| (0..3).all(|part| (colour >> (part * 8)) & 0xff < 0x60);
    let usual = page.runs.iter().filter(|other| other.colour.is_some_and(|other| other != colour && is_dark(other)));
    is_dark(colour)
        && page.runs.iter().filter(|other| other.colour == Some(colour)).count() <= 1
        && usual.count() * 3 > page.runs.len() * 2
}

/// A little higher or lower than text of the same font and size next to it.
fn is_off_the_line(page: &Page, run: &TextRun) -> bool {
    let mut line = page
        .runs
        .iter()
        .filter(|other| {
            other.order != run.order
                && other.size == run.size
                && other.font == run.font
                && in_line(&other.area, &run.area)
        })
        .peekable();
    line.peek().is_some() && line.all(|other| (20..250).contains(&other.area.bottom().abs_diff(run.area.bottom())))
}

fn count(text: &str) -> usize {
    text.chars().filter(|letter| letter.is_alphanumeric()).count()
}

/// In the same line, or in the line above or below.
fn is_near(run: &TextRun, other: &TextRun) -> bool {
    is_within(run, other, 1)
}

fn is_within(run: &TextRun, other: &TextRun, reach: u32) -> bool {
    let height = run.area.height.max(other.area.height).max(600);
    run.area.top.abs_diff(other.area.top) < height * 5 / 2 * reach
}
