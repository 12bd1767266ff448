use sealwright_plugin_sdk::{
    cross_check::{CrossChecker as _, Outcome, Pair},
    facts::{Document, PageFacts, TextRun, TextSource},
};

use super::FieldCrossCheck;

/// A page of texts, each with its place in points.
pub(crate) fn page(texts: &[(&str, i32, i32)]) -> Document {
    let text_runs = texts.iter().map(|(text, left, top)| TextRun::of_text(text, *left, *top)).collect();
    let pages = vec![PageFacts::of_runs(text_runs)];
    Document { received_at: 1_793_577_600_000, pages, ..Document::default() }
}

pub(crate) fn extracted(document: &Document, document_type: &str, code: &str) -> Option<String> {
    let fields = FieldCrossCheck::extract(document, document_type, &[code.to_owned()], "{}").unwrap();
    fields.into_iter().next().map(|field| field.value)
}

fn outcome(code: &str, entered: &str, extracted: &str) -> Outcome {
    let pair = Pair { code: code.to_owned(), entered: Some(entered.to_owned()), extracted: Some(extracted.to_owned()) };
    FieldCrossCheck::compare(&[pair], "{}").unwrap()[0].outcome
}

#[test]
fn values_are_read_after_next_to_and_under_their_labels() {
    let behind = page(&[("Facture n° : F2026-0417", 50, 100), ("Date de facture : 12 mars 2026", 50, 120)]);
    assert_eq!(extracted(&behind, "INVOICE", "invoiceNumber").as_deref(), Some("F2026-0417"));
    assert_eq!(extracted(&behind, "INVOICE", "issueDate").as_deref(), Some("2026-03-12"));
    let next_to =
        page(&[("Total TTC", 300, 400), ("1 234,56 €", 450, 400), ("Total HT", 300, 380), ("1 028,80 €", 450, 380)]);
    assert_eq!(extracted(&next_to, "INVOICE", "totalAmount").as_deref(), Some("1234.56"));
    assert_eq!(extracted(&next_to, "INVOICE", "netAmount").as_deref(), Some("1028.80"));
    let under = page(&[
        ("Nom / Surname", 50, 100),
        ("Prénoms / Given names", 250, 100),
        ("MARTINEL", 50, 115),
        ("Camille", 250, 115),
        ("Date de naissance / Date of birth", 50, 140),
        ("12 03 1980", 50, 155),
    ]);
    assert_eq!(extracted(&under, "IDENTITY_CARD", "lastName").as_deref(), Some("MARTINEL"));
    assert_eq!(extracted(&under, "IDENTITY_CARD", "firstName").as_deref(), Some("Camille"));
    assert_eq!(extracted(&under, "IDENTITY_CARD", "birthDate").as_deref(), Some("1980-03-12"));
}

#[test]
fn the_addressee_is_found_by_the_form_of_an_address() {
    let letter = page(&[
        ("Lumeval Énergie", 50, 50),
        ("4 rue de la Forge, 99120 Valmerle", 50, 70),
        ("Camille Martinel", 320, 150),
        ("12 rue des Tanneurs", 320, 165),
        ("99310 Port-Aubry", 320, 180),
    ]);
    assert_eq!(extracted(&letter, "PROOF_OF_ADDRESS", "lastName").as_deref(), Some("Camille Martinel"));
    assert_eq!(extracted(&letter, "PROOF_OF_ADDRESS", "address").as_deref(), Some("12 rue des Tanneurs"));
    assert_eq!(extracted(&letter, "PROOF_OF_ADDRESS", "postCode").as_deref(), Some("99310"));
    assert_eq!(extracted(&letter, "PROOF_OF_ADDRESS", "city").as_deref(), Some("Port-Aubry"));
}

#[test]
fn a_zone_with_right_digits_is_trusted() {
    let passport = page(&[
        ("P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", 50, 300),
        ("L898902C36UTO7408122F1204159ZE184226B<<<<<10", 50, 315),
    ]);
    assert_eq!(extracted(&passport, "PASSPORT", "documentNumber").as_deref(), Some("L898902C3"));
    assert_eq!(extracted(&passport, "PASSPORT", "birthDate").as_deref(), Some("1974-08-12"));
    assert_eq!(extracted(&passport, "PASSPORT", "lastName").as_deref(), Some("ERIKSSON"));
}

#[test]
fn decisions_13_notation_does_not_matter() {
    for (code, entered, extracted) in [
        ("lastName", "béranger", "BERANGER"),
        ("lastName", "d'Aubrac", "DAUBRAC"),
        ("lastName", "Martinel Camille", "Camille Martinel"),
        ("firstName", "Anna", "ANNA MARIA"),
        ("birthDate", "1980-03-12", "12 mars 1980"),
        ("totalAmount", "1234.5", "1 234,50 €"),
        ("iban", "FR14 2004 1010 0505 0001 3M02 606", "fr1420041010050500013m02606"),
        ("bic", "BLEVFRPP", "BLEVFRPPXXX"),
        ("address", "12, rue des Tanneurs", "12 rue des tanneurs, 99310 Port-Aubry"),
        ("address", "3 bd Carnavel", "3 boulevard Carnavel"),
        ("nationality", "Française", "FRA"),
        ("documentNumber", "ab 1234567", "AB1234567"),
    ] {
        assert_eq!(outcome(code, entered, extracted), Outcome::Same, "{code}: {entered} and {extracted}");
    }
}

#[test]
fn what_differs_is_different() {
    for (code, entered, extracted) in [
        ("lastName", "Martin", "Martinel"),
        ("birthDate", "1980-03-12", "1980-12-03"),
        ("totalAmount", "1234.50", "1234.05"),
        ("iban", "FR1420041010050500013M02606", "FR1420041010050500013M02607"),
        ("address", "1 rue des Tanneurs", "11 rue des Tanneurs"),
        ("documentNumber", "AB1234567", "AB1234568"),
    ] {
        assert_eq!(outcome(code, entered, extracted), Outcome::Different, "{code}: {entered} and {extracted}");
    }
}

#[test]
fn decisions_13_names_come_in_either_order() {
    let pair = |code: &str, entered: &str, extracted: &str| Pair {
        code: code.to_owned(),
        entered: Some(entered.to_owned()),
        extracted: Some(extracted.to_owned()),
    };
    let pairs = [pair("lastName", "Camille", "MARTINEL"), pair("firstName", "Martinel", "Camille")];
    let outcomes: Vec<Outcome> =
        FieldCrossCheck::compare(&pairs, "{}").unwrap().iter().map(|each| each.outcome).collect();
    assert_eq!(outcomes, [Outcome::Same, Outcome::Same]);
}

#[test]
fn a_missing_value_is_missing() {
    let pair = Pair { code: "iban".to_owned(), entered: Some("FR14".to_owned()), extracted: None };
    let comparison = &FieldCrossCheck::compare(&[pair], "{}").unwrap()[0];
    assert_eq!((comparison.outcome, comparison.score), (Outcome::Missing, 0));
}

/// A page as text recognition reads it.
pub(crate) fn recognised(texts: &[(&str, i32, i32)]) -> Document {
    let mut document = page(texts);
    for run in &mut document.pages[0].text_runs {
        run.source = TextSource::Recognised;
        run.confidence = 80;
    }
    document
}

#[test]
fn labels_that_recognition_misread_are_known_and_others_are_not() {
    let texts =
        [("Sumame / Nom", 50, 100), ("DELACOURT", 50, 115), ("Date d’étabhssement", 50, 140), ("03/07/2025", 50, 155)];
    assert_eq!(extracted(&recognised(&texts), "PASSPORT", "lastName").as_deref(), Some("DELACOURT"));
    assert_eq!(extracted(&recognised(&texts), "TAX_NOTICE", "issueDate").as_deref(), Some("2025-07-03"));
    // A PDF's own text is not misread.
    assert_eq!(extracted(&page(&texts), "TAX_NOTICE", "issueDate"), None);
    let other = [("Données du paiement", 50, 140), ("03/07/2025", 50, 155)];
    assert_eq!(extracted(&recognised(&other), "TAX_NOTICE", "issueDate"), None);
}

#[test]
fn decisions_13_what_looks_alike_on_paper_is_compared_tolerantly() {
    assert_eq!(outcome("address", "136 Cistern Close", "136 Cistem Close"), Outcome::Same);
    assert_eq!(outcome("lastName", "Bernard", "BEMARD"), Outcome::Same);
    assert_eq!(outcome("nationality", "UTO", "UT0"), Outcome::Same);
    assert_eq!(outcome("city", "Valmerle", "Vaimerle"), Outcome::Same);
    assert_eq!(outcome("lastName", "Bernard", "Berard"), Outcome::Different);
    assert_eq!(outcome("address", "136 Cistern Close", "138 Cistern Close"), Outcome::Different);
}

#[test]
fn a_zone_with_a_wrong_digit_still_gives_the_names() {
    let zone = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F1204159ZE184226B<<<<<14";
    let mut document = page(&[("PASSPORT", 50, 50)]);
    document.pages[0].text = zone.to_owned();
    assert_eq!(extracted(&document, "PASSPORT", "lastName").as_deref(), Some("ERIKSSON"));
    assert_eq!(extracted(&document, "PASSPORT", "birthDate"), None);
}

#[test]
fn a_misread_account_number_is_corrected_by_its_check_digits() {
    // GB82 WEST 1234 5698 7654 32 is the registry's example.
    for text in ["GBB2 WEST 1234 5698 7654 32.", "GB82 WEST I234 5698 7654 32", "GB82 WEST 1234 S698 7654 32"] {
        let document = recognised(&[("IBAN", 50, 100), (text, 150, 100)]);
        let read = extracted(&document, "BANK_DETAILS", "iban");
        assert_eq!(read.as_deref(), Some("GB82WEST12345698765432"), "{text}");
    }
    let broken = recognised(&[("IBAN", 50, 100), ("GB82 WEST 1234", 150, 100), ("5698 7654 32", 260, 100)]);
    assert_eq!(extracted(&broken, "BANK_DETAILS", "iban").as_deref(), Some("GB82WEST12345698765432"));
    // Another digit is another account, and a PDF's own text is not misread.
    let other = recognised(&[("IBAN", 50, 100), ("GB82 WEST 1234 5694 7654 32", 150, 100)]);
    assert_eq!(extracted(&other, "BANK_DETAILS", "iban").as_deref(), Some("GB82WEST12345694765432"));
    let own = page(&[("IBAN", 50, 100), ("GB82 WEST 1234 S698 7654 32", 150, 100)]);
    assert_eq!(extracted(&own, "BANK_DETAILS", "iban").as_deref(), Some("GB82WEST1234S698765432"));
}

#[test]
fn a_bank_s_code_is_known_without_its_label_by_the_account_s_country() {
    let texts = [("GB82 WEST 1234 5698 7654 32", 150, 100), ("PRELEVER", 50, 120), ("WESTGB2L", 150, 140)];
    assert_eq!(extracted(&recognised(&texts), "BANK_DETAILS", "bic").as_deref(), Some("WESTGB2L"));
}

#[test]
fn three_dates_on_a_card_are_birth_issue_and_expiry() {
    let texts = [("DRIVING LICENCE", 20, 10), ("09.03.1960", 50, 50), ("08 05 2020", 200, 50), ("08 05 2035", 50, 80)];
    for (code, day) in [("birthDate", "1960-03-09"), ("issueDate", "2020-05-08"), ("expiryDate", "2035-05-08")] {
        assert_eq!(extracted(&recognised(&texts), "DRIVING_LICENCE", code).as_deref(), Some(day));
        // It is unknown which dates other papers have, and a PDF's labels can be read.
        assert_eq!(extracted(&recognised(&texts), "INVOICE", code), None);
        assert_eq!(extracted(&page(&texts), "DRIVING_LICENCE", code), None);
        assert_eq!(extracted(&recognised(&texts[..3]), "DRIVING_LICENCE", code), None);
    }
}

#[test]
fn a_driving_licence_s_names_follow_each_other() {
    let texts = [("1.", 127, 60), ("2.", 276, 60), ("D'AUBRAC", 127, 72), ("Joana", 276, 72)];
    let without = |label: &str| texts.iter().filter(|(text, ..)| *text != label).copied().collect::<Vec<_>>();
    for label in ["1.", "2."] {
        let mut document = recognised(&without(label));
        for run in &mut document.pages[0].text_runs {
            run.size = if run.text.len() < 3 { 600 } else { 1_000 };
        }
        assert_eq!(extracted(&document, "DRIVING_LICENCE", "lastName").as_deref(), Some("D'AUBRAC"), "{label}");
        assert_eq!(extracted(&document, "DRIVING_LICENCE", "firstName").as_deref(), Some("Joana"), "{label}");
    }
}

#[test]
fn a_label_is_not_a_value_of_the_label_before_it() {
    let texts = [("C.1 Nom", 60, 150), ("O'DALLAN", 250, 150), ("C.1 Prénom", 60, 170), ("Hannah", 250, 170)];
    for document in [page(&texts), recognised(&texts)] {
        assert_eq!(extracted(&document, "VEHICLE_REGISTRATION", "lastName").as_deref(), Some("O'DALLAN"));
        assert_eq!(extracted(&document, "VEHICLE_REGISTRATION", "firstName").as_deref(), Some("Hannah"));
    }
}

#[test]
fn values_under_their_labels_are_distinguished_from_columns_by_their_gaps() {
    let stacked = [
        ("Company number", 50, 100),
        ("07219232", 50, 110),
        ("Name of the company", 50, 128),
        ("Company type", 300, 128),
        ("VALMERLE ELECTRICS LIMITED", 50, 138),
        ("Private company", 300, 138),
        ("Share capital", 50, 156),
    ];
    let read = extracted(&recognised(&stacked), "COMPANY_REGISTRATION", "companyName");
    assert_eq!(read.as_deref(), Some("VALMERLE ELECTRICS LIMITED"));
    let ruled = [
        ("Company number", 50, 100),
        ("07219232", 300, 100),
        ("Name of the company", 50, 118),
        ("VALMERLE ELECTRICS LIMITED", 300, 118),
        ("Share capital", 50, 136),
        ("1000.00", 300, 136),
    ];
    let read = extracted(&recognised(&ruled), "COMPANY_REGISTRATION", "companyName");
    assert_eq!(read.as_deref(), Some("VALMERLE ELECTRICS LIMITED"));
}

#[test]
fn decisions_13_one_changed_character_is_another_value_however_the_document_was_read() {
    for (code, entered, extracted) in [
        ("lastName", "Martinel", "Martinet"),
        ("city", "Valmerle", "Valmerte"),
        ("postCode", "QZ5 0AE", "QZ5 8AE"),
        ("iban", "GB82WEST12345698765432", "GB82WEST12345698765482"),
        ("documentNumber", "2014D02452", "2014B02452"),
        ("totalAmount", "1824.25", "1824.26"),
    ] {
        assert_eq!(outcome(code, entered, extracted), Outcome::Different, "{code}: {entered} and {extracted}");
    }
}

#[test]
fn a_misread_label_is_not_a_value() {
    let texts = [("C.1 Sumame", 60, 150), ("BARANEK", 250, 150), ("C.1 Given name", 60, 170), ("Joana", 250, 170)];
    assert_eq!(extracted(&recognised(&texts), "VEHICLE_REGISTRATION", "lastName").as_deref(), Some("BARANEK"));
    let stacked = [("Nom / S umame", 50, 100), ("VASSEURIN", 50, 112), ("Sexe", 50, 130), ("M", 50, 142)];
    assert_eq!(extracted(&recognised(&stacked), "RESIDENCE_PERMIT", "lastName").as_deref(), Some("VASSEURIN"));
    let column = [("Company name", 60, 195), ("VALMERLE PLC", 197, 196), ("Company type", 60, 209), ("PLC", 198, 213)];
    let read = extracted(&recognised(&column), "COMPANY_REGISTRATION", "companyName");
    assert_eq!(read.as_deref(), Some("VALMERLE PLC"));
}

#[test]
fn remains_of_table_rules_are_not_part_of_a_value() {
    let texts = [("BIC", 60, 235), ("| WESTGB2LXXX", 264, 235)];
    assert_eq!(extracted(&recognised(&texts), "BANK_DETAILS", "bic").as_deref(), Some("WESTGB2LXXX"));
}

#[test]
fn a_post_code_in_an_address_is_corrected_by_its_form() {
    let texts = [("C.3 Address", 60, 235), ("51 Morin Avenue, Harrowfield ZQ1 28B", 264, 235)];
    let read = extracted(&recognised(&texts), "VEHICLE_REGISTRATION", "address");
    assert_eq!(read.as_deref(), Some("51 Morin Avenue, Harrowfield ZQ1 2BB"));
    let own = extracted(&page(&texts), "VEHICLE_REGISTRATION", "address");
    assert_eq!(own.as_deref(), Some("51 Morin Avenue, Harrowfield ZQ1 28B"), "a PDF's own text says what it says");
}
