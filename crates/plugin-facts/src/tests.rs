//! Every fact of a file reaches the input of plugins.

use sealwright_facts::{
    model::{Area, Cover, CoverKind, FileFacts, Kind, Page, TextRendering, TextRun, TextSource},
    ocr::OcrFacts,
};
use sealwright_plugin_sdk::facts::{Hiding, Reading as PageReading};

use super::*;

fn run(text: &str, left: i32, top: i32) -> TextRun {
    let width = i32::try_from(text.len()).unwrap() * 500;
    TextRun {
        text: text.to_owned(),
        area: Area { left, top, right: left + width, bottom: top + 1000 },
        direction: 0,
        size: 1000,
        font: None,
        colour: Some(0),
        opacity: 100,
        rendering: TextRendering::Filled,
        order: 10,
        background: Some(0x00FF_FFFF),
        cover: None,
        outside_page: false,
        confidence: None,
        unmapped: 0,
    }
}

fn facts_of(text: Vec<TextRun>) -> Facts {
    let file = FileFacts { kind: Kind::Pdf, size: 3, sha256: String::new(), foreign_content: Vec::new() };
    let page = Page {
        number: 1,
        width: 59_500,
        height: 84_200,
        rotation: 0,
        text_source: TextSource::Layer,
        text,
        images: Vec::new(),
        shapes: Vec::new(),
        image_cover: 0,
    };
    let ocr = OcrFacts { state: OcrState::Unavailable, unread: vec![2], ..OcrFacts::not_needed() };
    Facts {
        version: Facts::VERSION,
        file,
        reading: Reading::Complete,
        pages: vec![page],
        pdf: None,
        image: None,
        ocr,
        mrz: Vec::new(),
        barcodes: Vec::new(),
        signed_codes: Vec::new(),
    }
}

fn made(facts: &Facts) -> Document<Vec<u8>> {
    document(facts, FileKind::Pdf, b"pdf".to_vec(), [7; 32], Timestamp::from_millis(5))
}

#[test]
fn a_page_s_text_is_read_line_by_line_from_the_top_and_from_left_to_right() {
    let text = vec![
        run("12.50", 20_000, 3_000),
        run("Total", 1_000, 3_050),
        run("Invoice", 1_000, 1_000),
        run("No", 4_800, 1_000),
        run("7", 5_800, 1_000),
    ];
    assert_eq!(made(&facts_of(text)).pages[0].text, "Invoice No7\nTotal   12.50\n");
}

#[test]
fn what_people_do_not_see_is_not_in_the_text_and_says_why() {
    let text = vec![
        run("seen", 1_000, 1_000),
        TextRun { rendering: TextRendering::Invisible, ..run("invisible", 1_000, 3_000) },
        TextRun {
            cover: Some(Cover { order: 11, kind: CoverKind::Shape, percent: 90 }),
            ..run("covered", 1_000, 5_000)
        },
        TextRun { colour: Some(0x00FE_FFFF), ..run("white on paper", 1_000, 7_000) },
        TextRun { size: 40, ..run("tiny", 1_000, 9_000) },
        TextRun { outside_page: true, ..run("outside", 1_000, 11_000) },
        TextRun { background: Some(0), ..run("black on black", 1_000, 42_000) },
        TextRun { background: Some(0), colour: Some(0x00FF_FFFF), ..run("white on black", 1_000, 46_000) },
        TextRun { background: None, ..run("over a picture", 1_000, 50_000) },
    ];
    let page = made(&facts_of(text)).pages.remove(0);
    assert_eq!(page.text, "seen\nwhite on black\nover a picture\n");
    let hidden: Vec<Option<Hiding>> = page.text_runs.iter().map(|run| run.hidden).collect();
    let expected = [
        None,
        Some(Hiding::Invisible),
        Some(Hiding::Covered),
        Some(Hiding::SameColour),
        Some(Hiding::TooSmall),
        Some(Hiding::Outside),
        Some(Hiding::SameColour),
        None,
        None,
    ];
    assert_eq!(hidden, expected);
    assert_eq!(page.text_runs[2].covered_by, Some(11));
    assert_eq!(page.reading, PageReading::Layer);
}

#[test]
fn a_long_run_is_split_between_characters() {
    let long = "é".repeat(700);
    let page = made(&facts_of(vec![run(&long, 0, 0)])).pages.remove(0);
    let pieces: Vec<&str> = page.text_runs.iter().map(|run| run.text.as_str()).collect();
    assert_eq!(pieces.len(), 2);
    assert!(pieces.iter().all(|piece| piece.len() <= 1024));
    assert_eq!(pieces.concat(), long);
}

#[test]
fn what_was_not_read_is_reported() {
    let facts = facts_of(Vec::new());
    let omissions = made(&facts).omissions;
    assert_eq!(omissions.len(), 1);
    assert!(omissions[0].contains("no text recognition is installed"), "{omissions:?}");
    let encrypted = Facts { reading: Reading::Unreadable { reason: UnreadableReason::Encrypted }, ..facts };
    assert!(made(&encrypted).omissions[0].contains("password"));
}

#[test]
fn a_time_without_an_offset_is_taken_as_utc() {
    assert_eq!(millis("2026-11-20T10:00:00Z"), Some(1_795_168_800_000));
    assert_eq!(millis("2026-11-20T11:00:00+01:00"), Some(1_795_168_800_000));
    assert_eq!(millis("2026-11-20T10:00:00"), Some(1_795_168_800_000));
    assert_eq!(millis("yesterday"), None);
}

#[test]
fn the_same_facts_give_the_same_document() {
    let facts = facts_of(vec![run("a", 0, 0)]);
    assert_eq!(made(&facts), made(&facts));
}

#[test]
fn a_page_in_a_language_that_is_not_read_is_reported() {
    let mut facts = facts_of(Vec::new());
    let page = |page, language: &str, covered| PageLanguage { page, language: language.to_owned(), covered };
    facts.ocr = OcrFacts {
        state: OcrState::Ran,
        page_languages: vec![page(1, "German", true), page(2, "Cyrillic script", false)],
        ..OcrFacts::not_needed()
    };
    let wanted = "Page 2 seems to be in a language that text recognition does not read here: Cyrillic script.";
    assert_eq!(made(&facts).omissions, [wanted]);
}
