//! Fonts: a value that was retyped with another program has a different font.

use std::collections::BTreeMap;

use sealwright_plugin_sdk::{
    facts::{TextRun, TextSource},
    findings::{Finding, found},
};

use crate::{Subject, report::Report};

const CODE: &str = "FOREIGN_FONT";
/// A foreign font has at most this many letters in the whole document: a heading or a filled form has more.
const FEW: usize = 60;
/// And is in at most this many places.
const PLACES: usize = 3;

/// Words in font names that distinguish styles of one family.
const STYLES: [&str; 22] = [
    "bold",
    "italic",
    "oblique",
    "regular",
    "roman",
    "medium",
    "light",
    "semibold",
    "demi",
    "black",
    "book",
    "condensed",
    "narrow",
    "thin",
    "heavy",
    "extra",
    "semi",
    "mt",
    "ps",
    "std",
    "psmt",
    "roman mt",
];
/// Fonts of symbols rather than words.
const SIGNS: [&str; 12] = [
    "symbol", "dingbat", "wingding", "webding", "awesome", "icon", "barcode", "code39", "code128", "ocrb", "ocra",
    "emoji",
];

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let document = subject.document;
    let families: Vec<String> = document.all_fonts().iter().map(|font| family(&font.name)).collect();
    let of = |run: &TextRun| run.font.and_then(|font| families.get(font as usize)).filter(|family| !family.is_empty());
    let pages: Vec<(u32, Vec<TextRun>)> =
        document.page_numbers().map(|page| (page, visible(document.all_text_runs(page)))).collect();
    let mut letters: BTreeMap<&str, usize> = BTreeMap::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for run in pages.iter().flat_map(|(_, runs)| runs) {
        if let Some(family) = of(run) {
            *letters.entry(family).or_default() += count(&run.text);
            *places.entry(family).or_default() += 1;
        }
    }
    let all: usize = letters.values().sum();
    let Some((main, most)) = letters.iter().max_by_key(|(_, count)| **count).map(|(family, count)| (*family, *count))
    else {
        return Report::not_applicable(CODE, "The document has no text of its own whose fonts could be compared.");
    };
    // In a document of many fonts none is foreign.
    if most * 10 < all * 6 || all < 80 {
        return Report::valid(CODE, "No font is dominant, so none is foreign.");
    }
    let mut signs = Vec::new();
    for (page, runs) in &pages {
        for run in runs {
            let Some(name) = of(run) else { continue };
            let foreign = name != main && letters[name.as_str()] <= FEW && letters[name.as_str()] * 12 < all;
            if foreign && words_of(runs, run, &of).len() <= PLACES && places[name.as_str()] <= PLACES * 8 {
                signs.extend(judged(*page, run, runs, main, &of));
            }
        }
    }
    Report::of(signs, CODE, "No value is in a different font.")
}

/// The weight of a foreign font: high among text of the usual font and size, none if a symbol, a heading or a zone
/// explains it.
fn judged<'f>(
    page: u32,
    run: &TextRun,
    runs: &[TextRun],
    main: &str,
    of: &impl Fn(&TextRun) -> Option<&'f String>,
) -> Option<(u8, Finding)> {
    let name = of(run)?;
    let is_sign = SIGNS.iter().any(|sign| name.contains(sign));
    if is_sign || count(&run.text) < 2 || run.text.contains("<<") {
        return None;
    }
    let neighbours: Vec<&TextRun> =
        runs.iter().filter(|other| of(other).is_some_and(|family| family == main) && is_near(run, other)).collect();
    let like_sized = neighbours.iter().any(|other| run.size.abs_diff(other.size) * 6 <= other.size);
    if !like_sized {
        return None;
    }
    let has_figures = run.text.chars().any(|letter| letter.is_ascii_digit());
    let text = "A text is in a different font from everything around it, as if it had been typed in later.";
    // Words may be highlighted by a font; digits hardly ever are.
    Some((if has_figures { 12 } else { 30 }, found(CODE, text).at(page, run.area)))
}

/// The runs of the same family on the page.
fn words_of<'r, 'f>(
    runs: &'r [TextRun],
    run: &TextRun,
    of: &impl Fn(&TextRun) -> Option<&'f String>,
) -> Vec<&'r TextRun> {
    let family = of(run);
    let mut lines: Vec<&TextRun> = Vec::new();
    for other in runs.iter().filter(|other| of(other) == family) {
        if !lines.iter().any(|line| line.area.top.abs_diff(other.area.top) < 300) {
            lines.push(other);
        }
    }
    lines
}

fn visible(runs: Vec<TextRun>) -> Vec<TextRun> {
    runs.into_iter().filter(|run| run.hidden.is_none() && run.source == TextSource::Layer).collect()
}

fn count(text: &str) -> usize {
    text.chars().filter(|letter| letter.is_alphanumeric()).count()
}

/// In the same line, or in the line above or below.
fn is_near(run: &TextRun, other: &TextRun) -> bool {
    let height = run.area.height.max(other.area.height).max(600);
    run.area.top.abs_diff(other.area.top) < height * 5 / 2
}

/// The family's name: small letters without style, foundry and separators.
fn family(name: &str) -> String {
    let mut words = String::new();
    let mut last_small = false;
    for letter in name.chars() {
        // "LibertinusSerif-BoldItalic", "ArialNarrow,Bold"
        if !letter.is_alphanumeric() || (letter.is_uppercase() && last_small) {
            words.push(' ');
        }
        last_small = letter.is_lowercase();
        words.extend(letter.to_lowercase().filter(|letter| letter.is_alphanumeric()));
    }
    words.split(' ').filter(|word| !STYLES.contains(word) && !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_of_one_family_are_one() {
        for (first, second) in [
            ("LibertinusSerif-Regular", "LibertinusSerif-BoldItalic"),
            ("Arial,Bold", "ArialMT"),
            ("TimesNewRomanPS-BoldMT", "TimesNewRomanPSMT"),
            ("Helvetica", "Helvetica-Bold"),
        ] {
            assert_eq!(family(first), family(second), "{first}, {second}");
        }
        assert_ne!(family("NotoSans-Regular"), family("LibertinusSerif-Regular"));
    }
}
