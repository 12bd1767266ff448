//! Papers that were made up or laid over, and what looks like it.

use sealwright_plugin_sdk::{
    facts::{Document, Hiding, Rectangle, Shape, TextRun},
    falsification::Verdict,
};

use super::{bill, check, pdf, run, verdict_of};

fn says(document: &Document, code: &str, finding: &str) -> bool {
    check(document, code).findings.iter().any(|found| found.code == finding)
}

#[test]
fn a_company_number_with_a_wrong_check_digit_is_found() {
    let of = |line: &str| verdict_of(vec![run(line, 50, 100, 0)], "COMPANY_REGISTRATION", "IBAN_CHECKSUM");
    assert_eq!(of("Immatriculation au RCS, numéro 473 217 643 R.C.S. Grenoble"), Verdict::Invalid);
    assert_eq!(of("Immatriculation au RCS, numéro 473 297 653 R.C.S. Grenoble"), Verdict::NotApplicable);
    assert_eq!(of("SIRET 554 217 323 00018"), Verdict::Invalid);
    assert_eq!(of("SIRET 554 217 323 00019"), Verdict::NotApplicable);
    // The post office's branches have a sum of their own. And a number of something else.
    assert_eq!(of("SIRET 356 000 000 49837"), Verdict::NotApplicable);
    assert_eq!(of("SIRET 356 000 000 00011"), Verdict::Invalid);
    assert_eq!(of("N° de dossier 473 217 643"), Verdict::NotApplicable);
}

#[test]
fn a_card_that_is_valid_for_an_odd_time_is_found() {
    let card = |issued: &str, until: &str, kind| {
        let lines = [("IDENTITÉ", 100), (issued, 120), (until, 140), ("Date de naissance : 10/04/1983", 160)];
        verdict_of(lines.map(|(text, top)| run(text, 50, top, 0)).to_vec(), kind, "DATE_COHERENCE")
    };
    let identity = |issued, until| card(issued, until, "IDENTITY_CARD");
    assert_eq!(identity("Date de délivrance : 24/09/2019", "Date d'expiration : 23/09/2029"), Verdict::Valid);
    assert_eq!(identity("Date de délivrance : 24/09/2019", "Date d'expiration : 10/04/2029"), Verdict::Valid);
    assert_eq!(identity("Date de délivrance : 24/09/2019", "Date d'expiration : 26/11/2034"), Verdict::Warning);
    let licence = |issued, until| card(issued, until, "DRIVING_LICENCE");
    assert_eq!(licence("4a. 25.04.2023", "4b. 24.04.2038"), Verdict::Valid);
    assert_eq!(licence("4a. 25.04.2023", "4b. 24.04.2039"), Verdict::Warning);
}

#[test]
fn words_that_look_like_an_account_in_capitals_are_none() {
    let text = "The account number is 895448229 and the SWIFT code is known.";
    assert_eq!(verdict_of(vec![run(text, 50, 100, 0)], "BANK_DETAILS", "IBAN_CHECKSUM"), Verdict::NotApplicable);
}

#[test]
fn days_under_a_table_of_amounts_are_not_a_product() {
    let row = |(line, cells): (i32, [&str; 4])| -> Vec<TextRun> {
        let cell = |(text, right): (&str, i32)| {
            let width = i32::try_from(text.len() * 5).unwrap();
            run(text, right - width, 100 + line * 20, 0)
        };
        cells.into_iter().zip([60, 200, 300, 400]).map(cell).collect()
    };
    let table = |last: [&str; 4]| -> Vec<TextRun> {
        let rows = [
            ["Pension", "3241,35", "6,9", "223,65"],
            ["Insurance", "3241,35", "0,4", "12,97"],
            ["Retirement", "3241,35", "4,01", "129,98"],
            last,
        ];
        (0..).zip(rows).flat_map(row).collect()
    };
    let judged = |last| verdict_of(table(last), "INVOICE", "TOTALS_COHERENCE");
    assert_eq!(judged(["Days", "2026", "2", "16"]), Verdict::Valid);
    assert_ne!(judged(["Tax", "3241,35", "2,0", "16,00"]), Verdict::Valid);
}

#[test]
fn a_patch_with_a_part_of_another_page_is_found() {
    let name = |text: &str, order: u32, hidden: Option<Hiding>| TextRun { order, hidden, ..run(text, 50, 300, 0) };
    let laid = |second: &str, covers: bool| {
        let under = name("Mr Simon Delgado", 5, None);
        let area = under.area;
        let over = name(second, 30, Some(Hiding::Outside));
        let mut document = pdf([bill(), vec![under, over]].concat());
        let half = i32::try_from(area.width / 2).unwrap();
        let area = Rectangle { left: area.left + half, width: area.width / 2, ..area };
        let colour = if covers { 0x00ff_ffff } else { 0 };
        document.pages[0].shapes = vec![Shape { area, colour, opacity: 100, order: 20 }];
        says(&document, "TEXT_OVERLAY", "PATCHED")
    };
    assert!(laid("Mr Simon Okafors", true));
    assert!(!laid("Mr Simon Delgado", true));
    assert!(!laid("Mr Simon Okafors", false));
}

#[test]
fn words_on_a_patch_within_a_sentence_are_found() {
    let over = |with_patch: bool| {
        let under =
            TextRun { order: 1, ..run("The company Cleaning Clear inc. whose seat is in the town", 50, 600, 0) };
        let area = Rectangle { left: under.area.left + 2_000, width: under.area.width / 4, ..under.area };
        let over = TextRun { order: 30, area, ..run("Valley Works inc.", 70, 600, 1) };
        let mut document = pdf([vec![under], bill(), vec![over]].concat());
        if with_patch {
            document.pages[0].shapes = vec![Shape { area, colour: 0x00ff_ffff, opacity: 100, order: 20 }];
        }
        says(&document, "TEXT_OVERLAY", "OVERPRINTED")
    };
    assert!(over(true));
    assert!(!over(false));
}

#[test]
fn a_hidden_layer_that_was_set_rather_than_recognised_is_found() {
    let words = ["Facture", "Date", "Montant", "Client", "Total", "Nom", "Adresse", "Ville", "Solde"];
    let layer = |shift: i32| {
        let hidden = |(word, line): (&str, i32)| {
            let own = run(word, 50, 40 + line * 20, 0);
            let area = Rectangle { left: own.area.left + line * shift, ..own.area };
            TextRun { area, hidden: Some(Hiding::Invisible), ..own }
        };
        let mut document = pdf(words.into_iter().zip(0..).map(hidden).collect());
        document.pages[0].image_cover = 100;
        says(&document, "HIDDEN_CONTENT", "LAYER_IS_SET")
    };
    assert!(layer(0));
    assert!(!layer(7));
}

#[test]
fn a_value_in_a_font_among_drawn_letters_is_found() {
    let page = |order: u32| {
        let lines =
            (0..14).map(|line| TextRun { font: None, order: 10, ..run("Salaire de base", 50, 100 + line * 20, 0) });
        let value = TextRun { order, ..run("FERNANDES", 250, 140, 0) };
        let mut runs: Vec<TextRun> = lines.chain([value]).collect();
        for (run, order) in runs.iter_mut().zip(1..15) {
            run.order = order;
        }
        says(&pdf(runs), "FONT_CONSISTENCY", "FONT_AMONG_DRAWN")
    };
    assert!(page(100));
    assert!(!page(3));
}
