use sealwright_plugin_sdk::{
    document_type::Detector as _,
    facts::{Document, PageFacts, Rectangle, TextRun},
};

use super::DocumentTypes;

/// A page of lines, each with its size in points.
fn page(lines: &[(&str, u32)]) -> Document {
    let runs = lines.iter().zip(0..).map(|((text, size), index)| {
        let run = TextRun::of_text(text, 50, 40 + index * 25);
        TextRun { size: size * 100, area: Rectangle { height: size * 100, ..run.area }, ..run }
    });
    let page = PageFacts { text_runs: runs.collect(), ..PageFacts::default() };
    Document { pages: vec![page], ..Document::default() }
}

fn detected(lines: &[(&str, u32)]) -> String {
    DocumentTypes::detect(&page(lines), "{}").unwrap().remove(0).document_type
}

#[test]
fn decisions_13_a_document_is_what_it_calls_itself() {
    assert_eq!(detected(&[("FACTURE", 16), ("Facture n° F-12", 10), ("Total TTC 120,00 €", 10)]), "INVOICE");
    assert_eq!(detected(&[("PAYSLIP", 16), ("Gross pay 2,000.00", 10), ("Net pay 1,600.00", 10)]), "PAYSLIP");
    assert_eq!(detected(&[("Relevé d’identité bancaire", 16), ("IBAN FR76", 10), ("BIC", 10)]), "BANK_DETAILS");
}

#[test]
fn a_letter_that_mentions_documents_is_not_one_of_them() {
    let sentence = "Merci de nous faire parvenir une copie de votre carte d’identité et la facture des réparations.";
    assert_eq!(detected(&[("Objet : votre dossier", 12), (sentence, 10), ("Salutations distinguées", 10)]), "OTHER");
    assert_eq!(
        detected(&[("DEVIS", 16), ("Devis n° 12", 10), ("Total estimé 120,00 €", 10), ("TVA 20 %", 10)]),
        "OTHER"
    );
}

#[test]
fn an_energy_bill_proves_an_address_rather_than_a_purchase() {
    let lines = [
        ("Votre facture d’électricité", 16),
        ("Facture n° 12", 10),
        ("Consommation 320 kWh", 10),
        ("Total TTC 80,00 €", 10),
    ];
    assert_eq!(detected(&lines), "PROOF_OF_ADDRESS");
}

#[test]
fn the_zone_decides_between_card_and_permit() {
    let zone = [
        ("REPUBLIC OF UTOPIA", 12),
        ("Surname Given names Nationality", 8),
        ("IRUTOD231458907<<<<<<<<<<<<<<<", 12),
        ("7408122F1204159UTO<<<<<<<<<<<6", 12),
        ("ERIKSSON<<ANNA<MARIA<<<<<<<<<<", 12),
    ];
    let mut document = page(&zone);
    document.pages[0].text = zone.map(|(line, _)| line).join("\n");
    assert_eq!(DocumentTypes::detect(&document, "{}").unwrap()[0].document_type, "RESIDENCE_PERMIT");
}

#[test]
fn a_card_that_is_not_a_licence_says_so() {
    let card = [
        ("IDENTIFICATION CARD", 12),
        ("Not a driver license", 8),
        ("4d ID C7398970", 8),
        ("1 ASHWORTH", 8),
        ("2 Natalie", 8),
        ("3 DOB 10/21/1980", 8),
        ("4b EXP 05/04/2031", 8),
    ];
    assert_eq!(detected(&card), "IDENTITY_CARD");
    let licence: Vec<_> = [("DRIVER LICENSE", 12)].into_iter().chain(card.into_iter().skip(2)).collect();
    assert_eq!(detected(&licence), "DRIVING_LICENCE");
}

#[test]
fn a_vehicle_number_on_a_card_without_labels_is_the_vehicles() {
    let card =
        |number| [("Motor vehicles", 10), ("162-D-9230", 12), ("Imogen OKAFOR", 9), (number, 9), ("04/05/2020", 9)];
    assert_eq!(detected(&card("WVWPJE6P8S2371332")), "VEHICLE_REGISTRATION");
    // A misread one too.
    assert_eq!(detected(&card("WVWRVAIA1ME359971")), "VEHICLE_REGISTRATION");
    assert_ne!(detected(&card("Membership 2371332")), "VEHICLE_REGISTRATION");
}

#[test]
fn decisions_13_what_cannot_be_read_is_unknown() {
    assert_eq!(DocumentTypes::detect(&Document::default(), "{}").unwrap()[0].document_type, "UNKNOWN");
    assert_eq!(detected(&[("l1 ~ |", 10)]), "UNKNOWN");
}
