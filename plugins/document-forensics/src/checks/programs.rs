//! A page that two programs made: a forger replaces the part with the value, or the value alone, and keeps the rest.
//! Each program embeds its fonts in one manner, and nobody sees that on the page.

use std::collections::BTreeMap;

use sealwright_plugin_sdk::{
    facts::{Document, Font, Placement, Rectangle, TextRun},
    findings::found,
};

use crate::{
    checks::fonts::{SIGNS, family, visible},
    painting::is_margin,
    report::{Sign, sign},
    subject::Subject,
    values::{Worth, worth},
};

const CODE: &str = "PROGRAMS_DIFFER";
const PASTED: &str = "PART_IS_PICTURE";
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
        let Some(facts) = document.page(page) else { continue };
        let runs = visible(document.all_text_runs(page), &forms, page);
        let is_counted = |run: &&TextRun| !is_margin(&run.area, facts.width, facts.height);
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
        let pictures: Vec<&Placement> = placements.iter().filter(|placement| placement.place.page == page).collect();
        if let Some(area) = pasted_part(document, &pictures, (facts.width, facts.height), &runs) {
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use sealwright_plugin_sdk::{
        facts::{Document, Encoding, Image, Measure, Place, Placement, Rectangle, TextRun},
        falsification::Verdict,
    };

    use crate::tests::{bill, check, pdf, run};

    fn is_found(document: &Document, code: &str) -> bool {
        check(document, "FONT_CONSISTENCY").findings.iter().any(|finding| finding.code == code)
    }

    /// A bill whose texts that `is_other` selects are in a second font, with the tags of the two subsets.
    fn set_twice(tags: [Option<&str>; 2], is_other: impl Fn(&str) -> bool) -> Document {
        let mut runs = bill();
        runs.iter_mut().for_each(|run| run.font = Some(u32::from(is_other(&run.text))));
        let mut document = pdf(runs);
        document.fonts[1].name = "NotoSans-Bold".to_owned();
        for (font, tag) in document.fonts.iter_mut().zip(tags) {
            font.subset = tag.map(ToOwned::to_owned);
        }
        document
    }

    #[test]
    fn a_value_whose_font_was_embedded_in_another_manner_is_found() {
        let is_changed = |tags: [Option<&str>; 2]| is_found(&set_twice(tags, |text| text == "120,00 €"), super::CODE);
        assert!(is_changed([Some("BAAAAA"), Some("QWXVTZ")]));
        assert!(is_changed([Some("HJKLQW"), None]));
        assert!(!is_changed([Some("AAAAAA"), Some("BAAAAA")]));
        assert!(!is_changed([Some("HJKLQW"), Some("QWXVTZ")]));
        assert!(!is_changed([None, None]));
        // A program that fills in a form sets all values, and none of the labels.
        let is_value = |text: &str| text.contains('€') || text.contains(':');
        assert!(!is_found(&set_twice([Some("AAAAAA"), Some("QWXVTZ")], is_value), super::CODE));
    }

    #[test]
    fn one_font_under_two_names_is_found() {
        let named = |name: &str| {
            let mut document = set_twice([Some("HJKLQW"), Some("QWXVTZ")], |text| text == "120,00 €");
            document.fonts[1].name = name.to_owned();
            is_found(&document, super::CODE)
        };
        assert!(named("Noto-Sans"));
        assert!(!named("NotoSans-Bold"));
    }

    #[test]
    fn a_part_of_a_page_that_is_a_picture_of_paper_is_found() {
        let with_picture = |left: i32, height: u32, brightness: i64| {
            let image = Image {
                encoding: Some(Encoding { format: "jpeg".to_owned(), width: 800, height: 400, channels: 3, bits: 8 }),
                measures: vec![Measure { name: "brightness".to_owned(), at: 0, value: brightness, area: None }],
                ..Image::default()
            };
            let mut document = pdf(bill());
            let page = &document.pages[0];
            let area = Rectangle {
                left,
                top: i32::try_from(page.height / 2).unwrap(),
                width: page.width - u32::try_from(left).unwrap(),
                height: page.height / 100 * height,
            };
            document.images = vec![Arc::new(image)];
            document.placements = vec![Placement { place: Place { page: 1, area: Some(area) }, image: 0, order: 99 }];
            is_found(&document, super::PASTED)
        };
        assert!(with_picture(0, 40, 24_000));
        // A photograph, a banner, and a picture next to text.
        assert!(!with_picture(0, 40, 12_000));
        assert!(!with_picture(0, 10, 24_000));
        assert!(!with_picture(20_000, 40, 24_000));
    }

    #[test]
    fn a_stamp_at_an_angle_is_not_a_forgery() {
        let with_stamp = |direction: u16| {
            let mut runs = bill();
            runs[9] = TextRun { direction, ..run("920,00 €", 450, 340, 1) };
            check(&pdf(runs), "FONT_CONSISTENCY").verdict
        };
        assert_eq!(with_stamp(0), Verdict::Invalid);
        assert_eq!(with_stamp(348), Verdict::Valid);
    }
}
