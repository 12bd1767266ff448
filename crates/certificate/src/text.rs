//! Makes any text printable with the available fonts, without ever dropping or distorting it.
//!
//! PDF/A refuses a glyph that no font has, and an invisible character can change what a text seems to say. So a
//! character that the fonts cannot show, or that has an invisible effect, is written in the visible notation
//! `[U+1F9FF]`; the certificate explains it, and the seal manifest keeps the exact text. This applies to:
//! - characters that no font family covers, and marks and emoji sequences that no one family covers with their base;
//! - control characters except line ends and tabs, private use, noncharacters;
//! - bidirectional overrides, and embeddings and isolates without their partner on the same line (UAX #9);
//! - joiners, variation selectors and tags that belong to no visible character.
//!
//! A tab becomes four spaces. The template decides where lines break.

use std::{collections::HashMap, fmt::Write, ops::RangeInclusive};

use typst::text::Font;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// The characters that can be printed: those of the font families, or those of [`Repertoire::latin`] alone.
pub(super) struct Repertoire {
    families: Vec<Coverage>,
}

/// The characters that every font of one family has, as sorted ranges. Every font, because a bold heading needs in the
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

    /// The printable characters of Latin-1, and the apostrophe: the last resort. The fonts that are part of the program
    /// have them all, and the statements of certificates consist of them.
    pub(super) fn latin() -> Self {
        Self { families: vec![Coverage(vec![0x20..=0x7E, 0xA0..=0xFF, 0x2019..=0x2019])] }
    }

    /// Whether the fonts have all of ASCII in one family. Without it there is nothing to write `[U+…]` with.
    pub(super) fn covers_ascii(&self) -> bool {
        self.families.iter().any(|family| (0x20..=0x7E).all(|character| family.contains(character)))
    }

    /// `text` with all invisible characters made visible.
    pub(super) fn printable(&self, text: &str) -> Printable {
        let mut writer = Writer { repertoire: self, text: String::with_capacity(text.len()), noted: false };
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                writer.text.push('\n');
            }
            writer.line(line);
        }
        Printable { text: writer.text, noted: writer.noted }
    }

    /// Whether one family has all of `characters`. Typst takes the glyphs of one user-perceived character from one font.
    fn covers(&self, characters: &(impl Iterator<Item = char> + Clone)) -> bool {
        self.families.iter().any(|family| characters.clone().all(|character| family.contains(u32::from(character))))
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

struct Writer<'a> {
    repertoire: &'a Repertoire,
    text: String,
    noted: bool,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        // Most lines. Every repertoire that is used covers ASCII (`Fonts::new`), and each of these is a character of its own.
        if line.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            self.text.push_str(line);
            return;
        }
        let paired = paired_bidi_controls(line);
        for (offset, cluster) in line.grapheme_indices(true) {
            match single(cluster) {
                Some('\t') => self.text.push_str("    "),
                Some(c) if is_bidi_control(c) => {
                    if paired.contains(&offset) {
                        self.text.push(c);
                    } else {
                        self.note(c);
                    }
                }
                Some(c) if is_kept_unseen(c) => self.text.push(c),
                _ => self.cluster(cluster),
            }
        }
    }

    /// Writes one user-perceived character that must be visible.
    fn cluster(&mut self, cluster: &str) {
        let mut characters = cluster.chars();
        let Some(base) = characters.next() else { return };
        if is_shown(cluster)
            && let Some(form) = self.printable_form(cluster)
        {
            self.text.push_str(&form);
            return;
        }
        if !is_unseen(base) && !is_never_printed(base) && self.repertoire.covers(&[base].into_iter()) {
            self.text.push(base);
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
        let covered = |form: &str| self.repertoire.covers(&form.chars().filter(|&c| !is_unseen(c)));
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
        // Writing to a `String` cannot fail.
        let _ = write!(self.text, "[U+{:04X}]", u32::from(character));
        self.noted = true;
    }
}

fn single(cluster: &str) -> Option<char> {
    let mut characters = cluster.chars();
    characters.next().filter(|_| characters.next().is_none())
}

/// Whether a cluster contains nothing that must not reach the page, and something visible.
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

/// Invisible characters that are allowed alone, because they only control where a line may break or the direction of a
/// neutral neighbour: soft hyphen, zero-width space, word joiner, the three directional marks.
fn is_kept_unseen(character: char) -> bool {
    matches!(character, '\u{AD}' | '\u{200B}' | '\u{2060}' | '\u{200E}' | '\u{200F}' | '\u{61C}')
}

fn is_bidi_control(character: char) -> bool {
    matches!(character, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// The byte offsets of embeddings and isolates that are closed on this line, and of their closing characters. Overrides
/// are never included: they can show `fdp.exe` as `exe.pdf`.
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

#[cfg(test)]
mod tests {
    use std::iter;

    use super::*;

    /// Latin with combining marks, Korean syllables, and a few emoji, each in a family of its own.
    fn repertoire() -> Repertoire {
        Repertoire {
            families: vec![
                Coverage(vec![0x20..=0x7E, 0xA0..=0xFF, 0x300..=0x36F]),
                Coverage(vec![0x20..=0x20, 0xAC00..=0xD7A3]),
                Coverage(vec![0x1F3F4..=0x1F3F4, 0x1F469..=0x1F469, 0x1F692..=0x1F692]),
            ],
        }
    }

    #[track_caller]
    fn assert_printed(text: &str, expected: &str) {
        let noted = expected.contains("[U+");
        assert_eq!(repertoire().printable(text), Printable { text: expected.to_owned(), noted });
    }

    #[test]
    fn what_the_fonts_have_stays_as_it_is() {
        for text in ["", "Hello, world!", "Éloïse e\u{301}", "누수", "👩\u{200D}🚒", " two  spaces ", "a\nb\n"]
        {
            assert_printed(text, text);
        }
    }

    #[test]
    fn a_character_that_no_font_has_is_written_by_its_number() {
        assert_printed("a漢b", "a[U+6F22]b");
        assert_printed("\u{20BB7}", "[U+20BB7]");
    }

    #[test]
    fn a_mark_that_another_family_has_is_written_apart_from_its_base() {
        assert_printed("누\u{301}", "누[U+0301]");
        assert_printed("👩\u{200D}🧪", "👩[U+200D][U+1F9EA]");
    }

    #[test]
    fn decomposed_korean_is_composed() {
        assert_printed("\u{1102}\u{116E}", "누");
    }

    #[test]
    fn controls_are_made_visible_and_line_ends_are_normalised() {
        assert_printed("a\0b\u{7}c\u{7F}d\u{85}e\u{2028}f", "a[U+0000]b[U+0007]c[U+007F]d[U+0085]e[U+2028]f");
        assert_printed("a\r\nb\rc\nd\te", "a\nb\nc\nd    e");
    }

    #[test]
    fn private_use_and_noncharacters_are_made_visible_whatever_the_fonts_cover() {
        let greedy = Repertoire { families: vec![Coverage(iter::once(0..=0x10_FFFF).collect())] };
        assert_eq!(greedy.printable("\u{E000}\u{FFFE}\u{10FFFD}").text, "[U+E000][U+FFFE][U+10FFFD]");
    }

    #[test]
    fn hidden_characters_are_made_visible() {
        assert_printed("a\u{FEFF}b\u{3164}c\u{2063}", "a[U+FEFF]b[U+3164]c[U+2063]");
        assert_printed("\u{200D}x", "[U+200D]x");
        assert_printed("x\u{E0041}", "x[U+E0041]");
        assert_printed("🏴\u{E0067}\u{E007F}", "🏴\u{E0067}\u{E007F}");
    }

    #[test]
    fn directional_marks_and_break_opportunities_stay() {
        let text = "a\u{200E}b\u{200F}c\u{61C}d\u{AD}e\u{200B}f\u{2060}g";
        assert_printed(text, text);
    }

    #[test]
    fn a_bidirectional_override_is_made_visible() {
        assert_printed("exe\u{202E}fdp\u{202C}", "exe[U+202E]fdp[U+202C]");
    }

    #[test]
    fn embeddings_and_isolates_stay_only_in_pairs_on_one_line() {
        assert_printed("\u{2068}a\u{2069} \u{202B}b\u{202C}", "\u{2068}a\u{2069} \u{202B}b\u{202C}");
        assert_printed("\u{2067}a\nb\u{2069}", "[U+2067]a\nb[U+2069]");
        assert_printed("\u{202B}\u{2066}a\u{202C}\u{2069}", "[U+202B]\u{2066}a[U+202C]\u{2069}");
        assert_printed("\u{2066}\u{202B}a\u{2069}", "\u{2066}[U+202B]a\u{2069}");
    }

    #[test]
    fn in_latin_letters_everything_else_is_written_by_its_number() {
        assert_eq!(Repertoire::latin().printable("l’é 누 ő!").text, "l’é [U+B204] [U+0151]!");
    }

    #[test]
    fn a_family_has_what_all_its_fonts_have() {
        let regular = Coverage::from_sorted([1, 2, 3, 7].into_iter());
        let bold = Coverage::from_sorted([2, 3, 4, 7].into_iter());
        assert_eq!(regular.intersection(&bold).0, [2..=3, 7..=7]);
    }
}
