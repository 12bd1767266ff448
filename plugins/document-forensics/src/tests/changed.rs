//! Finished papers that were changed without a trace on the page, or made again.

use sealwright_plugin_sdk::{
    facts::{Document, Font, Hiding, Measure, Rectangle, TextRun, TextSource},
    falsification::{Inspector as _, Verdict},
};

use super::{DocumentForensics, RECEIVED, bill, check, pdf, property, run, verdict, verdict_of};

fn measured(measures: &[(&str, i64)], at: u32) -> Document {
    let mut document = pdf(bill());
    document.fonts[0].subset = Some("BAAAAA".to_owned());
    document.measures = measures
        .iter()
        .map(|(name, value)| Measure { name: (*name).to_owned(), at, value: *value, area: None })
        .collect();
    document
}

fn says(document: &Document, code: &str, finding: &str) -> bool {
    check(document, code).findings.iter().any(|found| found.code == finding)
}

#[test]
fn a_figure_replaced_in_the_original_font_leaves_a_glyph_that_nothing_shows() {
    let left = |undrawn| {
        [("font-characters", 40), ("font-characters-undrawn", undrawn), ("font-character-undrawn", i64::from(b'7'))]
    };
    assert_eq!(verdict(&measured(&left(1), 0), "FONT_CONSISTENCY"), Verdict::Warning);
    assert!(says(&measured(&left(1), 0), "FONT_CONSISTENCY", "GLYPHS_LEFT"));
    // A page that was taken from a longer document.
    assert_eq!(verdict(&measured(&left(20), 0), "FONT_CONSISTENCY"), Verdict::Valid);
}

#[test]
fn a_figure_replaced_in_the_original_font_breaks_the_order_of_glyphs() {
    let order = |displaced| [("font-glyphs", 40), ("font-glyphs-displaced", displaced)];
    assert!(says(&measured(&order(1), 0), "FONT_CONSISTENCY", "GLYPH_ORDER"));
    assert!(!says(&measured(&order(30), 0), "FONT_CONSISTENCY", "GLYPH_ORDER"));
}

#[test]
fn content_that_a_library_wrote_again_is_found_unless_its_program_is_named() {
    let measures = [
        ("content-operators", 90),
        ("content-operators-at-line-end", 90),
        ("content-arrays", 20),
        ("content-arrays-spaced", 20),
    ];
    let mut document = measured(&measures, 1);
    assert!(says(&document, "INCREMENTAL_EDITS", "CONTENT_REWRITTEN"));
    document.properties = vec![property("Producer", "pypdf", None)];
    assert_eq!(verdict(&document, "INCREMENTAL_EDITS"), Verdict::Valid);
}

#[test]
fn a_standard_font_that_is_named_twice_for_the_last_text_is_found() {
    let page = |last: u32| {
        let mut runs: Vec<TextRun> =
            (0..14).map(|line| run("Une ligne de la facture", 50, 100 + line * 20, 0)).collect();
        runs.push(run("Total", 50, 380, 0));
        runs.push(run("1 250,00 €", 300, 380, last));
        runs.push(run("Page suivante", 50, 400, 0));
        // The value is painted after everything else.
        for (run, order) in runs.iter_mut().zip([1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 5, 40, 16]) {
            run.order = order;
        }
        let mut document = pdf(runs);
        let standard = Font { embedded: false, kind: "Type1".to_owned(), ..document.fonts[1].clone() };
        document.fonts = vec![standard.clone(), standard];
        verdict(&document, "FONT_CONSISTENCY")
    };
    assert_eq!(page(1), Verdict::Invalid);
    assert_eq!(page(0), Verdict::Valid);
}

#[test]
fn an_account_that_is_not_that_of_the_parts_next_to_it_is_found() {
    let paper = |iban: &str, parts: [&str; 4]| {
        let mut runs: Vec<TextRun> =
            parts.into_iter().zip(0..).map(|(part, at)| run(part, 50 + at * 90, 100, 0)).collect();
        runs.push(run(iban, 50, 140, 0));
        verdict_of(runs, "BANK_DETAILS", "IBAN_CHECKSUM")
    };
    let parts = ["30004", "00123", "00012345678", "43"];
    assert_eq!(paper("FR76 3000 4001 2300 0123 4567 843", parts), Verdict::Valid);
    assert_eq!(paper("FR76 3000 4001 2300 0987 6543 253", parts), Verdict::Invalid);
    // Without the right key the parts are something else.
    assert_eq!(paper("FR76 3000 4001 2300 0987 6543 253", ["30004", "00123", "00012345678", "44"]), Verdict::Valid);
}

#[test]
fn a_british_account_that_is_not_that_of_its_sort_code_is_found() {
    let paper = |account: &str| {
        let runs = vec![
            run("Sort code", 50, 100, 0),
            run("60-16-13", 200, 100, 0),
            run("Account number", 50, 120, 0),
            run(account, 200, 120, 0),
            run("IBAN GB29 NWBK 6016 1331 9268 19", 50, 140, 0),
        ];
        verdict_of(runs, "BANK_DETAILS", "IBAN_CHECKSUM")
    };
    assert_eq!(paper("31926819"), Verdict::Valid);
    assert_eq!(paper("31926820"), Verdict::Warning);
}

#[test]
fn a_paper_that_a_word_processor_made_late_is_not_an_alarm_by_itself() {
    let day = 86_400_000;
    let received = i64::try_from(RECEIVED).unwrap();
    let of = |program: &str, before: i64| {
        let mut document = pdf(bill());
        document.properties =
            vec![property("Producer", program, None), property("CreationDate", "", Some(received - before * day))];
        let checks = DocumentForensics::inspect(&document, "INVOICE", "{}").unwrap();
        let weights: u32 = checks.iter().map(|check| u32::from(check.weight)).sum();
        let sum: u32 = checks.iter().map(|check| u32::from(check.weight) * u32::from(check.evaluation)).sum();
        (says(&document, "METADATA_CONSISTENCY", "MADE_LATE"), 100 - sum / weights)
    };
    let (is_late, suspicion) = of("LibreOffice 7.4", 10);
    assert!(is_late && suspicion < 30, "{suspicion}");
    assert!(of("Skia/PDF m120", 10).0);
    // The day on which the bill is due, and another program.
    assert!(!of("LibreOffice 7.4", 204).0);
    assert!(!of("JasperReports Library", 10).0);
}

#[test]
fn hidden_text_with_other_figures_than_the_picture_is_found() {
    let values = ["1234,50", "2026-0417", "12/03/2026", "75011", "0612345678", "4411,20", "8877,00"];
    let page = |shown: &str| {
        let hidden = |(text, line): (&str, i32)| {
            let own = run(text, 50, 100 + line * 30, 0);
            // Recognition places each line a little differently.
            let area = Rectangle { left: own.area.left + line * 7, ..own.area };
            TextRun { area, hidden: Some(Hiding::Invisible), ..own }
        };
        let seen = |(text, line): (&str, i32)| {
            let text = if line == 5 { shown } else { text };
            TextRun { source: TextSource::Recognised, confidence: 95, font: None, ..run(text, 50, 100 + line * 30, 0) }
        };
        let lines = || values.into_iter().zip(0..);
        let mut document = pdf(lines().map(hidden).chain(lines().map(seen)).collect());
        document.pages[0].image_cover = 100;
        says(&document, "HIDDEN_CONTENT", "LAYER_DIFFERS")
    };
    assert!(page("7411,20"));
    assert!(!page("4411,20"));
    // Misread: a 4 and a 1 are alike.
    assert!(!page("1411,20"));
}
