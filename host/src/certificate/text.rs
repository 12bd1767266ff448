//! Makes any text printable with the fonts at hand, without ever dropping or distorting it.
//!
//! PDF/A refuses a glyph that no font has, and a character that cannot be seen can change what a text seems to say. So a
//! character that the fonts cannot show, or that would act unseen, is written as the visible notation `[U+1F9FF]`; the
//! certificate explains it, and the seal manifest keeps the exact text. What is written so:
//! - characters that no font family covers, and marks and emoji sequences that no one family covers with their base;
//! - control characters except line ends and tabs, private use, noncharacters;
//! - bidirectional overrides, and embeddings and isolates without their partner on the same line (UAX #9);
//! - joiners, variation selectors and tags that belong to no visible character.
//!
//! A tab becomes four spaces. Words too long for a line get zero-width spaces, which are places to break a line.

use std::{collections::HashMap, ops::RangeInclusive};

use typst::text::Font;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// A word of more user-perceived characters than this can be broken anywhere. Longer than nearly all words of the
/// languages that have spaces, and short enough for the template's narrowest column.
const LONGEST_UNBROKEN_WORD: usize = 24;
/// The same for scripts that are written without spaces and whose line breaks come from a dictionary.
const LONGEST_UNBROKEN_RUN: usize = 120;

const ZERO_WIDTH_SPACE: &str = "\u{200B}";

/// The characters that can be printed: those of the font families, or of ASCII alone.
pub(super) struct Repertoire {
    families: Vec<Coverage>,
}

/// The characters that every font of one family has, as sorted ranges. Every one, because a bold heading must find in the
/// bold font what the regular one has.
struct Coverage(Vec<RangeInclusive<u32>>);

/// A text made printable.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Printable {
    pub(super) text: String,
    /// Whether a character had to be written as `[U+…]`.
    pub(super) noted: bool,
}

impl Repertoire {
    pub(super) fn of(fonts: &[Font]) -> Self {
        let mut families: HashMap<&str, Coverage> = HashMap::new();
        for font in fonts {
            let coverage = Coverage::from_sorted(font.info().coverage.iter());
            families
                .entry(&font.info().family)
                .and_modify(|family| *family = family.intersection(&coverage))
                .or_insert(coverage);
        }
        Self { families: families.into_values().collect() }
    }

    /// The printable characters of ASCII: the last resort, which every font for text has.
    pub(super) fn ascii() -> Self {
        Self { families: vec![Coverage(vec![0x20..=0x7E])] }
    }

    /// Whether the fonts have all of ASCII in one family. Without it there is nothing to write `[U+…]` with.
    pub(super) fn covers_ascii(&self) -> bool {
        self.families.iter().any(|family| (0x20..=0x7E).all(|character| family.contains(character)))
    }

    /// `text` with everything in it that cannot be seen made visible, and with places to break long words.
    pub(super) fn printable(&self, text: &str) -> Printable {
        let mut writer =
            Writer { repertoire: self, text: String::with_capacity(text.len()), word: Vec::new(), noted: false };
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                writer.text.push('\n');
            }
            writer.line(line);
        }
        Printable { text: writer.text, noted: writer.noted }
    }

    fn covers(&self, mut characters: impl Iterator<Item = char> + Clone) -> bool {
        match characters.clone().next() {
            Some(only) if characters.clone().nth(1).is_none() => {
                self.families.iter().any(|family| family.contains(u32::from(only)))
            }
            Some(_) => self.families.iter().any(|family| characters.clone().all(|c| family.contains(u32::from(c)))),
            None => characters.next().is_none(),
        }
    }
}

impl Coverage {
    fn from_sorted(characters: impl Iterator<Item = u32>) -> Self {
        let mut ranges: Vec<RangeInclusive<u32>> = Vec::new();
        for character in characters {
            match ranges.last_mut() {
                Some(last) if *last.end() + 1 == character => *last = *last.start()..=character,
                _ => ranges.push(character..=character),
            }
        }
        Self(ranges)
    }

    fn contains(&self, character: u32) -> bool {
        let following = self.0.partition_point(|range| *range.end() < character);
        self.0.get(following).is_some_and(|range| range.contains(&character))
    }

    fn intersection(&self, other: &Self) -> Self {
        Self::from_sorted(self.0.iter().cloned().flatten().filter(|&character| other.contains(character)))
    }
}

/// Writes one text; collects each word until its length is known.
struct Writer<'a> {
    repertoire: &'a Repertoire,
    text: String,
    word: Vec<String>,
    noted: bool,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        let paired = paired_bidi_controls(line);
        for (offset, cluster) in line.grapheme_indices(true) {
            match single(cluster) {
                Some('\t') => self.space("    "),
                Some(c) if is_breaking_space(c) && self.repertoire.covers([c].into_iter()) => self.space(cluster),
                Some(c) if is_bidi_control(c) => {
                    if paired.contains(&offset) {
                        self.word.push(c.to_string());
                    } else {
                        self.note(c);
                    }
                }
                Some(c) if is_kept_unseen(c) => self.word.push(c.to_string()),
                _ => self.cluster(cluster),
            }
        }
        self.end_word();
    }

    /// Writes one user-perceived character that is to be seen.
    fn cluster(&mut self, cluster: &str) {
        let mut characters = cluster.chars();
        let Some(base) = characters.next() else { return };
        if is_shown(cluster)
            && let Some(form) = self.printable_form(cluster)
        {
            self.word.push(form);
            if breaks_on_either_side(base) {
                self.end_word();
            }
            return;
        }
        if !is_unseen(base) && !is_never_printed(base) && self.repertoire.covers([base].into_iter()) {
            self.word.push(base.to_string());
        } else {
            self.note(base);
        }
        for mark in characters {
            self.note(mark);
        }
    }

    /// `cluster` in a canonically equivalent form that one font family covers. File names from Apple's systems are
    /// decomposed: their Korean, for one, has no glyphs until it is composed.
    fn printable_form(&self, cluster: &str) -> Option<String> {
        let covered = |form: &str| self.repertoire.covers(form.chars().filter(|&c| !is_unseen(c)));
        if covered(cluster) {
            return Some(cluster.to_owned());
        }
        let composed: String = cluster.nfc().collect();
        if covered(&composed) {
            return Some(composed);
        }
        let decomposed: String = cluster.nfd().collect();
        covered(&decomposed).then_some(decomposed)
    }

    fn note(&mut self, character: char) {
        self.word.push(format!("[U+{:04X}]", u32::from(character)));
        self.noted = true;
    }

    fn space(&mut self, space: &str) {
        self.end_word();
        self.text.push_str(space);
    }

    fn end_word(&mut self) {
        let without_spaces = self.word.iter().filter(|cluster| is_written_without_spaces(cluster)).count();
        let longest = if without_spaces * 2 > self.word.len() { LONGEST_UNBROKEN_RUN } else { LONGEST_UNBROKEN_WORD };
        let separator = if self.word.len() > longest { ZERO_WIDTH_SPACE } else { "" };
        self.text.push_str(&self.word.join(separator));
        self.word.clear();
    }
}

fn single(cluster: &str) -> Option<char> {
    let mut characters = cluster.chars();
    characters.next().filter(|_| characters.next().is_none())
}

/// Whether a cluster has nothing in it that must not reach the page, and something to be seen.
fn is_shown(cluster: &str) -> bool {
    let tags_belong = cluster.starts_with('\u{1F3F4}'); // A black flag with tags is a region's flag.
    cluster.chars().all(|c| !is_never_printed(c) && (tags_belong || !matches!(c, '\u{E0000}'..='\u{E007F}')))
        && cluster.chars().next().is_some_and(|base| !is_unseen(base))
}

fn is_never_printed(character: char) -> bool {
    let code = u32::from(character);
    character.is_control()
        || matches!(code, 0xE000..=0xF8FF | 0xF_0000..=0x10_FFFF) // private use
        || matches!(code, 0xFDD0..=0xFDEF) || code & 0xFFFE == 0xFFFE // noncharacters
        || matches!(code, 0x2028 | 0x2029 | 0xFFF9..=0xFFFC) // separators that end lines, annotation anchors, objects
}

/// Characters without a glyph of their own: Unicode's `Default_Ignorable_Code_Point`. Fonts need not cover them.
fn is_unseen(character: char) -> bool {
    matches!(u32::from(character),
        0xAD | 0x34F | 0x61C | 0x115F..=0x1160 | 0x17B4..=0x17B5 | 0x180B..=0x180F | 0x200B..=0x200F | 0x202A..=0x202E
        | 0x2060..=0x206F | 0x3164 | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFF8 | 0x1BCA0..=0x1BCA3
        | 0x1D173..=0x1D17A | 0xE0000..=0xE0FFF)
}

/// Unseen characters that may stand alone, because they only say where a line may break or which way a neighbour without
/// a direction of its own faces: soft hyphen, zero-width space, word joiner, the three directional marks.
fn is_kept_unseen(character: char) -> bool {
    matches!(character, '\u{AD}' | '\u{200B}' | '\u{2060}' | '\u{200E}' | '\u{200F}' | '\u{61C}')
}

fn is_breaking_space(character: char) -> bool {
    character.is_whitespace()
        && !matches!(character, '\u{A0}' | '\u{2007}' | '\u{202F}')
        && !is_never_printed(character)
}

/// East Asian characters that have a place to break a line before and after them (UAX #14). The small kana, iteration
/// and length marks among them have not.
fn breaks_on_either_side(character: char) -> bool {
    const CLOSE_TO_THE_PREVIOUS: &str = "ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ゛゜ゝゞゟ゠・ーヽヾヿ";
    matches!(u32::from(character), 0x3041..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF)
        && !CLOSE_TO_THE_PREVIOUS.contains(character)
}

/// Thai, Lao, Myanmar and Khmer.
fn is_written_without_spaces(cluster: &str) -> bool {
    cluster.chars().next().is_some_and(|c| matches!(u32::from(c), 0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF))
}

fn is_bidi_control(character: char) -> bool {
    matches!(character, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// The byte offsets of embeddings and isolates that are closed on this line, and of what closes them. Overrides are never
/// among them: they can show `fdp.exe` as `exe.pdf`.
fn paired_bidi_controls(line: &str) -> Vec<usize> {
    #[derive(PartialEq)]
    enum Opener {
        Embedding,
        Override,
        Isolate,
    }
    /// UAX #9 ignores what is nested deeper than 125.
    const DEEPEST: usize = 60;

    let mut open: Vec<(usize, Opener)> = Vec::new();
    let mut paired = Vec::new();
    for (offset, character) in line.char_indices() {
        let opener = match character {
            '\u{202A}' | '\u{202B}' => Opener::Embedding,
            '\u{202D}' | '\u{202E}' => Opener::Override,
            '\u{2066}'..='\u{2068}' => Opener::Isolate,
            '\u{202C}' => {
                match open.pop() {
                    Some((start, Opener::Embedding)) => paired.extend([start, offset]),
                    Some(isolate @ (_, Opener::Isolate)) => open.push(isolate),
                    Some((_, Opener::Override)) | None => {}
                }
                continue;
            }
            '\u{2069}' => {
                if let Some(position) = open.iter().rposition(|(_, opener)| *opener == Opener::Isolate) {
                    paired.extend([open[position].0, offset]);
                    open.truncate(position);
                }
                continue;
            }
            _ => continue,
        };
        if open.len() < DEEPEST {
            open.push((offset, opener));
        }
    }
    paired.sort_unstable();
    paired
}
