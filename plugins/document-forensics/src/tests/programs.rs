//! Pages that two programs made.

use std::sync::Arc;

use sealwright_plugin_sdk::{
    facts::{Document, Encoding, Hiding, Image, Measure, Place, Placement, Rectangle, TextRun},
    falsification::Verdict,
};

use super::{bill, check, pdf, run};

const CODE: &str = "PROGRAMS_DIFFER";
const PASTED: &str = "PART_IS_PICTURE";

fn is_found(document: &Document, code: &str) -> bool {
    check(document, "FONT_CONSISTENCY").findings.iter().any(|finding| finding.code == code)
}

/// A bill whose texts that `is_other` selects are in a second font, with the tags of the two subsets.
fn set_twice(tags: [Option<&str>; 2], is_other: impl Fn(&str) -> bool) -> Document {
    let mut runs = bill();
    for run in &mut runs {
        run.font = Some(u32::from(is_other(&run.text)));
    }
    let mut document = pdf(runs);
    document.fonts[1].name = "NotoSans-Bold".to_owned();
    for (font, tag) in document.fonts.iter_mut().zip(tags) {
        font.subset = tag.map(ToOwned::to_owned);
    }
    document
}

#[test]
fn a_value_whose_font_was_embedded_in_another_manner_is_found() {
    let is_changed = |tags: [Option<&str>; 2]| is_found(&set_twice(tags, |text| text == "120,00 €"), CODE);
    assert!(is_changed([Some("BAAAAA"), Some("QWXVTZ")]));
    assert!(is_changed([Some("HJKLQW"), None]));
    assert!(!is_changed([Some("AAAAAA"), Some("BAAAAA")]));
    assert!(!is_changed([Some("HJKLQW"), Some("QWXVTZ")]));
    assert!(!is_changed([None, None]));
    // A program that fills in a form sets all values, and none of the labels.
    let is_value = |text: &str| text.contains('€') || text.contains(':');
    assert!(!is_found(&set_twice([Some("AAAAAA"), Some("QWXVTZ")], is_value), CODE));
}

#[test]
fn one_font_under_two_names_is_found() {
    let named = |name: &str| {
        let mut document = set_twice([Some("HJKLQW"), Some("QWXVTZ")], |text| text == "120,00 €");
        document.fonts[1].name = name.to_owned();
        is_found(&document, CODE)
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
        is_found(&document, PASTED)
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

#[test]
fn what_was_cut_away_for_a_pasted_part_is_found() {
    let with_text = |left: i32| {
        let mut runs = bill();
        for (text, top) in [("Total TTC", 340), ("240,00 €", 360)] {
            runs.push(TextRun { hidden: Some(Hiding::Outside), ..run(text, left, top, 0) });
        }
        check(&pdf(runs), "HIDDEN_CONTENT").findings.iter().any(|finding| finding.code == "TEXT_CUT_AWAY")
    };
    assert!(with_text(300));
    // Next to the page: a printer's mark.
    assert!(!with_text(9_000));
}
