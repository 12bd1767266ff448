//! Which glyphs of its fonts a document draws.
//!
//! A program that embeds a subset of a font embeds the glyphs that it draws, and many number them in the order in which
//! they are drawn first. A text that was changed afterwards leaves glyphs that nothing draws, or breaks that order.

use std::collections::{BTreeMap, BTreeSet};

use hayro::{
    hayro_interpret::hayro_cmap::{BfString, CMap},
    hayro_syntax::object::{Dict, Stream},
};

use super::model::{GlyphUsage, Placed};
use crate::model::Area;

/// Characters that a font maps; the rest is not read.
const MAX_MAPPED: usize = 4_096;
/// Undrawn characters and displaced glyphs that are listed.
const MAX_LISTED: usize = 32;

/// The glyphs that pages draw, by font.
#[derive(Debug, Default)]
pub(super) struct DrawnGlyphs {
    fonts: BTreeMap<u32, DrawnFont>,
}

#[derive(Debug, Default)]
struct DrawnFont {
    known: BTreeSet<u32>,
    /// In painting order, without white space.
    first: Vec<FirstUse>,
    texts: BTreeSet<String>,
}

/// Where a glyph is drawn first.
#[derive(Clone, Copy, Debug)]
struct FirstUse {
    glyph: u32,
    place: Placed,
}

impl DrawnGlyphs {
    /// Notes one glyph that is drawn.
    pub(super) fn note(&mut self, font: u32, glyph: u32, text: Option<&str>, area: Area) {
        let font = self.fonts.entry(font).or_default();
        // Several characters may have one glyph: a hyphen and a soft hyphen.
        if let Some(text) = text
            && !font.texts.contains(text)
        {
            font.texts.insert(text.to_owned());
        }
        if !font.known.insert(glyph) {
            return;
        }
        if text.is_none_or(|text| !text.chars().all(char::is_whitespace)) {
            font.first.push(FirstUse { glyph, place: Placed { page: 0, area } });
        }
    }

    /// Adds the glyphs of the next page.
    pub(super) fn add_page(&mut self, number: u32, page: Self) {
        for (font, drawn) in page.fonts {
            let all = self.fonts.entry(font).or_default();
            all.texts.extend(drawn.texts);
            for first in drawn.first {
                if all.known.insert(first.glyph) {
                    all.first.push(FirstUse { place: Placed { page: number, ..first.place }, ..first });
                }
            }
            // White space.
            all.known.extend(drawn.known);
        }
    }

    /// The usage of a font, whose dictionary maps these characters.
    pub(super) fn usage(&self, font: u32, mapped: &[String]) -> Option<GlyphUsage> {
        let drawn = self.fonts.get(&font)?;
        let numbers: Vec<u32> = drawn.first.iter().map(|first| first.glyph).collect();
        let displaced = displaced(&numbers);
        let undrawn = || mapped.iter().filter(|text| !drawn.texts.contains(*text));
        Some(GlyphUsage {
            drawn: crate::text::count(numbers.len()),
            displaced: crate::text::count(displaced.len()),
            displaced_at: displaced.into_iter().take(MAX_LISTED).map(|index| drawn.first[index].place).collect(),
            mapped: crate::text::count(mapped.len()),
            undrawn_count: crate::text::count(undrawn().count()),
            undrawn: undrawn().take(MAX_LISTED).cloned().collect(),
        })
    }
}

/// The positions of the fewest numbers without which the rest ascends.
fn displaced(numbers: &[u32]) -> Vec<usize> {
    // The last position of the best ascending series of each length, and the position before each one in its series.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::new();
    for (at, number) in numbers.iter().enumerate() {
        let length = ends.partition_point(|end| numbers[*end] < *number);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(at);
        } else {
            ends[length] = at;
        }
    }
    let mut in_order = vec![false; numbers.len()];
    let mut next = ends.last().copied();
    while let Some(at) = next {
        in_order[at] = true;
        next = before[at];
    }
    (0..numbers.len()).filter(|at| !in_order[*at]).collect()
}

/// The characters that a font's dictionary maps its codes to, each once, without those that show nothing.
pub(super) fn mapped_characters(font: &Dict) -> Vec<String> {
    let Some(data) = font.get::<Stream>("ToUnicode").and_then(|stream| stream.decoded().ok()) else {
        return Vec::new();
    };
    let Some(map) = CMap::parse(&data, |_| None) else { return Vec::new() };
    let mut characters: BTreeSet<String> = BTreeSet::new();
    for code in codes(&data).into_iter().take(MAX_MAPPED) {
        let text = match map.lookup_bf_string(code) {
            Some(BfString::Char(character)) => character.to_string(),
            Some(BfString::String(text)) => text,
            None => continue,
        };
        let is_blank = |letter: char| letter.is_whitespace() || letter.is_control() || letter == '\u{FFFD}';
        if !text.chars().all(is_blank) {
            characters.insert(text);
        }
    }
    characters.into_iter().collect()
}

/// The codes that a map names, in the order of the map.
fn codes(map: &[u8]) -> Vec<u32> {
    let mut codes = Vec::new();
    let mut words = map.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    // Codes in angle brackets may follow each other without a space.
    while let Some(word) = words.next() {
        let is_range = match word {
            b"beginbfchar" => false,
            b"beginbfrange" => true,
            _ => continue,
        };
        let mut block: Vec<u8> = Vec::new();
        for word in words.by_ref().take_while(|word| !word.starts_with(b"endbf")) {
            block.extend(word);
            block.push(b' ');
        }
        let mut parts = Parts { rest: &block };
        while codes.len() < MAX_MAPPED {
            let Some(first) = parts.code() else { break };
            let last = if is_range { parts.code().unwrap_or(first) } else { first };
            parts.skip_target();
            codes.extend((first..=last).take(MAX_MAPPED - codes.len()));
        }
    }
    codes
}

/// The hexadecimal strings of a block, one after the other.
struct Parts<'b> {
    rest: &'b [u8],
}

impl Parts<'_> {
    fn code(&mut self) -> Option<u32> {
        let start = self.rest.iter().position(|byte| *byte == b'<')? + 1;
        let end = start + self.rest[start..].iter().position(|byte| *byte == b'>')?;
        let digits: String = self.rest[start..end]
            .iter()
            .filter(|byte| byte.is_ascii_hexdigit())
            .map(|byte| char::from(*byte))
            .collect();
        self.rest = &self.rest[end + 1..];
        u32::from_str_radix(&digits, 16).ok()
    }

    /// What the codes are mapped to: a string, or an array of strings for a range.
    fn skip_target(&mut self) {
        let array = self.rest.iter().position(|byte| *byte == b'[');
        let string = self.rest.iter().position(|byte| *byte == b'<');
        let closing = if array.is_some_and(|array| string.is_none_or(|string| array < string)) { b']' } else { b'>' };
        let end = self.rest.iter().position(|byte| *byte == closing).map_or(self.rest.len(), |end| end + 1);
        self.rest = &self.rest[end..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_glyphs_out_of_order_are_found() {
        assert_eq!(displaced(&[]), Vec::<usize>::new());
        assert_eq!(displaced(&[1, 2, 3, 4]), Vec::<usize>::new());
        assert_eq!(displaced(&[1, 2, 9, 3, 4]), [2]);
        assert_eq!(displaced(&[1, 3, 4, 5, 2, 6]), [4]);
        assert_eq!(displaced(&[5, 4, 3, 2, 1]).len(), 4);
    }

    #[test]
    fn codes_are_read_from_characters_and_ranges() {
        let map = b"1 beginbfchar <01><0041>\n<02> <0042> endbfchar 2 beginbfrange\n<0010> <0012> <0061>\n\
                    <0020> <0021> [<0063> <0064>] endbfrange";
        assert_eq!(codes(map), [1, 2, 0x10, 0x11, 0x12, 0x20, 0x21]);
        assert_eq!(codes(b"beginbfchar <zz> < <01"), Vec::<u32>::new());
        assert_eq!(codes(b"beginbfrange <0000> <FFFFFFFF> <0000> endbfrange").len(), MAX_MAPPED);
    }

    #[test]
    fn glyphs_that_nothing_draws_are_listed() {
        let mut page = DrawnGlyphs::default();
        for (glyph, text) in [(1, "A"), (3, " "), (2, "B"), (1, "A")] {
            page.note(0, glyph, Some(text), Area::default());
        }
        let mut all = DrawnGlyphs::default();
        all.add_page(1, page);
        let mapped = ["A", "B", "7"].map(str::to_owned);
        let usage = all.usage(0, &mapped).unwrap();
        assert_eq!((usage.drawn, usage.displaced, usage.mapped, usage.undrawn_count), (2, 0, 3, 1));
        assert_eq!(usage.undrawn, ["7"]);
        assert!(all.usage(1, &mapped).is_none());
    }
}
