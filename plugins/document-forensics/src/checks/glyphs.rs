//! Letters that were replaced in the original font. A program that embeds a part of a font embeds the glyphs that the
//! document shows, and many number them in the order of their first use. A changed value leaves a glyph that nothing
//! shows, or breaks that order; the page looks as before.

use std::collections::BTreeMap;

use sealwright_plugin_sdk::{
    facts::{Font, Measure, Rectangle},
    findings::found,
};

use crate::{
    report::{Sign, sign},
    subject::Subject,
};

/// Fewer glyphs, or characters, are in order by chance, and hardly any are left over.
const FEW: i64 = 12;
/// So many may be out of order, or left over: a page that was taken from a longer document leaves more.
const CHANGED: i64 = 3;

/// What the host measured of a font.
#[derive(Default)]
struct Usage {
    glyphs: i64,
    displaced: i64,
    characters: i64,
    undrawn: i64,
    /// The characters that are not drawn.
    left: Vec<char>,
    /// Where glyphs out of order are drawn first.
    places: Vec<(u32, Option<Rectangle>)>,
}

pub(crate) fn signs(subject: &Subject<'_>) -> Vec<Sign> {
    let document = subject.document;
    let usages = usages(&document.all_measures());
    let fonts = document.all_fonts();
    let mut signs = Vec::new();
    for (index, usage) in &usages {
        let Some(font) = fonts.get(*index as usize).filter(|font| font.embedded) else { continue };
        signs.extend(left(font, usage));
        signs.extend(disordered(font, usage));
    }
    signs
}

fn usages(measures: &[Measure]) -> BTreeMap<u32, Usage> {
    let mut usages: BTreeMap<u32, Usage> = BTreeMap::new();
    for measure in measures.iter().filter(|measure| measure.name.starts_with("font-")) {
        let usage = usages.entry(measure.at).or_default();
        match measure.name.as_str() {
            "font-glyphs" => usage.glyphs = measure.value,
            "font-glyphs-displaced" => usage.displaced = measure.value,
            "font-characters" => usage.characters = measure.value,
            "font-characters-undrawn" => usage.undrawn = measure.value,
            "font-character-undrawn" => {
                usage.left.extend(u32::try_from(measure.value).ok().and_then(char::from_u32));
            }
            "font-glyph-displaced" => {
                usage.places.push((u32::try_from(measure.value).unwrap_or(1), measure.area));
            }
            _ => {}
        }
    }
    usages
}

/// Characters of a subset that nothing shows.
fn left(font: &Font, usage: &Usage) -> Option<Sign> {
    let is_exact = font.subset.is_some() && usage.characters >= FEW && usage.undrawn * 8 <= usage.characters;
    if !is_exact || !(1..=CHANGED).contains(&usage.undrawn) {
        return None;
    }
    // Ligatures and signs are embedded for other reasons too, and a page that was taken from a longer document leaves
    // letters that only the other pages show.
    let letters = usage.left.iter().filter(|letter| letter.is_alphabetic()).count();
    let figures = usage.left.iter().filter(|letter| letter.is_ascii_digit()).count();
    let decibans = match (figures, letters) {
        (1.., _) => 13.0,
        (0, 1..) => 8.0,
        (0, 0) => return None,
    };
    let text = "A font contains letters or figures that the document does not show, as if a text had been removed or \
                replaced.";
    Some(sign(decibans, found("GLYPHS_LEFT", text).at(*font.pages.first()?, None)))
}

/// Glyphs that are numbered in the order of their first use, except for a few.
fn disordered(font: &Font, usage: &Usage) -> Option<Sign> {
    let is_ordered = usage.glyphs >= FEW && usage.displaced * 6 <= usage.glyphs;
    if !is_ordered || !(1..=CHANGED).contains(&usage.displaced) {
        return None;
    }
    let (page, area) = usage.places.first().copied().unwrap_or((*font.pages.first()?, None));
    let text = "The glyphs of a font are numbered in the order of their first use, except for a few, as if a text had \
                been changed later.";
    Some(sign(14.0, found("GLYPH_ORDER", text).at(page, area)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn font(subset: bool) -> Font {
        Font {
            name: "Lato".to_owned(),
            subset: subset.then(|| "ABCDEF".to_owned()),
            kind: "Type0".to_owned(),
            embedded: true,
            explained: true,
            revision: None,
            pages: vec![1],
        }
    }

    #[test]
    fn a_figure_that_nothing_shows_is_a_sign_in_a_subset() {
        let usage =
            |undrawn, left: &str| Usage { characters: 30, undrawn, left: left.chars().collect(), ..Usage::default() };
        assert!(left(&font(true), &usage(1, "7")).is_some_and(|sign| sign.decibans > 11.5));
        assert!(left(&font(true), &usage(1, "k")).is_some_and(|sign| sign.decibans < 11.0));
        for (subset, undrawn, letters) in [(false, 1, "7"), (true, 20, "0123456789"), (true, 1, "–"), (true, 0, "")] {
            assert!(left(&font(subset), &usage(undrawn, letters)).is_none(), "{letters}");
        }
    }

    #[test]
    fn glyphs_in_the_order_of_the_font_are_not_out_of_order() {
        let usage = |glyphs, displaced| Usage { glyphs, displaced, ..Usage::default() };
        assert!(disordered(&font(true), &usage(40, 1)).is_some());
        for (glyphs, displaced) in [(40, 0), (40, 28), (8, 1), (13, 3)] {
            assert!(disordered(&font(true), &usage(glyphs, displaced)).is_none(), "{glyphs} {displaced}");
        }
    }
}
