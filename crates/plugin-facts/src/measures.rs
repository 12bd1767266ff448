//! Measures of a whole document: how its fonts are used, and how its pages are written.

use sealwright_facts::pdf::{Font, GlyphUsage, Notation, PdfFacts};
use sealwright_plugin_sdk::facts::Measure;

use crate::parts::rectangle;

/// More glyphs out of order mean that they are not in the order of their first use.
const MAX_DISPLACED: usize = 8;

pub(super) fn of_pdf(pdf: &PdfFacts) -> Vec<Measure> {
    let of_font = |(at, font): (u32, &Font)| font.usage.as_ref().map(|usage| of_usage(at, usage));
    let fonts = (0..).zip(&pdf.fonts).filter_map(of_font).flatten();
    fonts.chain(pdf.notations.iter().flat_map(of_notation)).collect()
}

fn measure(name: &str, at: u32, value: u32) -> Measure {
    Measure { name: name.to_owned(), at, value: value.into(), area: None }
}

fn of_usage(at: u32, usage: &GlyphUsage) -> Vec<Measure> {
    let mut measures = vec![
        measure("font-glyphs", at, usage.drawn),
        measure("font-glyphs-displaced", at, usage.displaced),
        measure("font-characters", at, usage.mapped),
        measure("font-characters-undrawn", at, usage.undrawn_count),
    ];
    if usage.displaced_at.len() <= MAX_DISPLACED {
        measures.extend(usage.displaced_at.iter().map(|place| Measure {
            area: Some(rectangle(place.area)),
            ..measure("font-glyph-displaced", at, place.page)
        }));
    }
    let characters = usage.undrawn.iter().filter_map(|text| text.chars().next());
    measures.extend(characters.map(|character| measure("font-character-undrawn", at, character.into())));
    measures
}

fn of_notation(notation: &Notation) -> [Measure; 7] {
    let of = |name, value| measure(name, notation.page, value);
    [
        of("content-operators", notation.operators),
        of("content-operators-at-line-end", notation.operators_at_line_end),
        of("content-operators-glued", notation.operators_glued),
        of("content-arrays", notation.arrays),
        of("content-arrays-spaced", notation.spaced_arrays),
        of("content-strings-literal", notation.literal_strings),
        of("content-strings-hexadecimal", notation.hexadecimal_strings),
    ]
}
