//! Signed codes and the page.

use sealwright_plugin_sdk::{
    facts::{CodeField, Document, PageFacts, Place, SignatureState, SignedCode, TextRun},
    falsification::{Inspector as _, Verdict},
};

use super::{check, pdf, run};
use crate::DocumentForensics;

fn code(state: SignatureState, fields: &[(&str, &str, &str)]) -> SignedCode {
    let field = |(id, name, value): &(&str, &str, &str)| CodeField {
        id: (*id).to_owned(),
        name: (*name).to_owned(),
        value: (*value).to_owned(),
        cut: false,
    };
    SignedCode {
        kind: "2d-doc".to_owned(),
        place: Place { page: 1, area: None },
        version: 4,
        authority: "FR99".to_owned(),
        certificate: "TST1".to_owned(),
        issued_on: Some("2026-10-01".to_owned()),
        signed_on: Some("2026-10-01".to_owned()),
        document_type: "01".to_owned(),
        perimeter: "01".to_owned(),
        country: "FR".to_owned(),
        fields: fields.iter().map(field).collect(),
        state,
    }
}

const BILL: [(&str, &str, &str); 4] = [
    ("10", "beneficiary", "MME/SOPHIE/MARTIN"),
    ("18", "invoice number", "F20260417"),
    ("1D", "total amount", "84.27"),
    ("24", "service post code", "69003"),
];

/// A bill with a code, whose page states this total and name.
fn bill(state: SignatureState, total: &str, name: &str) -> Document {
    let runs = [
        "ÉNERGIE DU RHÔNE – votre facture d’électricité",
        "Facture n° F2026-0417 du 1er octobre 2026",
        name,
        "12 rue des Lilas, 69003 Lyon",
        "Consommation du 01/08/2026 au 30/09/2026, 412 kWh au tarif de base",
        "Abonnement, contributions et taxes comprises, selon le détail en page 2",
    ];
    let lines = runs.iter().zip([40, 60, 80, 100, 120, 140]);
    let mut runs: Vec<TextRun> = lines.map(|(text, top)| run(text, 50, top, 0)).collect();
    runs.push(run("Total TTC", 50, 200, 0));
    runs.push(run(total, 400, 200, 0));
    let text = runs.iter().map(|run| run.text.as_str()).collect::<Vec<_>>().join("\n");
    let mut document = pdf(runs);
    document.pages[0].text = text;
    document.signed_codes = vec![code(state, &BILL)];
    document
}

fn suspicion(document: &Document) -> u32 {
    let checks = DocumentForensics::inspect(document, "PROOF_OF_ADDRESS", "{}").unwrap();
    let weights: u32 = checks.iter().map(|check| u32::from(check.weight)).sum();
    let sum: u32 = checks.iter().map(|check| u32::from(check.weight) * u32::from(check.evaluation)).sum();
    100 - sum / weights
}

const SIGNED: &str = "SIGNATURE_INTEGRITY";

#[test]
fn a_page_that_contradicts_a_valid_code_is_near_certain_fraud() {
    for (total, name) in [("184,27 €", "Mme Sophie Martin"), ("84,27 €", "M. Karim Benali")] {
        let document = bill(SignatureState::Valid, total, name);
        let found = check(&document, SIGNED);
        assert_eq!((found.verdict, found.findings[0].code.as_str()), (Verdict::Invalid, "SIGNED_CODE_CONTRADICTS"));
        assert!(suspicion(&document) >= 90, "{total} {name}: {}", suspicion(&document));
        assert!(!found.findings[0].text.contains("84"), "{}", found.findings[0].text);
    }
}

#[test]
fn an_unchecked_code_that_contradicts_the_page_is_strong_but_not_certain() {
    for state in [SignatureState::NotChecked, SignatureState::UnknownCertificate, SignatureState::OutsideValidity] {
        let suspicion = suspicion(&bill(state, "184,27 €", "Mme Sophie Martin"));
        assert!((30..90).contains(&suspicion), "{state:?}: {suspicion}");
    }
}

#[test]
fn a_code_that_its_issuer_did_not_sign_is_near_certain_fraud_whatever_the_page_says() {
    let document = bill(SignatureState::Invalid, "84,27 €", "Mme Sophie Martin");
    assert_eq!(check(&document, SIGNED).findings[0].code, "SIGNED_CODE_FORGED");
    assert!(suspicion(&document) >= 90);
}

#[test]
fn an_unchecked_code_that_agrees_is_reported_as_not_checked_and_proves_nothing() {
    let found = check(&bill(SignatureState::NotChecked, "84,27 €", "Mme Sophie Martin"), SIGNED);
    assert_eq!(
        (found.verdict, found.findings[0].state),
        (Verdict::Valid, sealwright_plugin_sdk::findings::State::NotRun)
    );
}

#[test]
fn a_valid_code_that_agrees_lifts_weak_signs_and_leaves_strong_ones() {
    let weak = |state| {
        let mut document = bill(state, "84,27 €", "Mme Sophie Martin");
        // A weak sign: a company's number of a customer that does not fit.
        document.pages[0].text_runs.push(run("Client : SIREN 473217643", 50, 300, 0));
        document
    };
    let (without, with) = (suspicion(&weak(SignatureState::NotChecked)), suspicion(&weak(SignatureState::Valid)));
    assert!(without > 0 && with == 0, "{without} {with}");
    let mut forged = bill(SignatureState::Valid, "84,27 €", "Mme Sophie Martin");
    forged.pages[0].text_runs.push(run("IBAN FR14 2004 1010 0505 0001 3M02 607", 50, 300, 0));
    assert!(suspicion(&forged) >= 70, "{}", suspicion(&forged));
}

#[test]
fn a_code_of_another_document_is_found() {
    let mut document = bill(SignatureState::Valid, "84,27 €", "Mme Sophie Martin");
    document.signed_codes = vec![code(
        SignatureState::Valid,
        &[
            ("18", "invoice number", "X9988776"),
            ("31", "IBAN", "FR1420041010050500013M02606"),
            ("40", "tax number", "3001234567890"),
        ],
    )];
    assert_eq!(check(&document, SIGNED).findings[0].code, "SIGNED_CODE_CONTRADICTS");
}

#[test]
fn a_page_that_was_not_read_contradicts_nothing() {
    let mut document = pdf(Vec::new());
    document.pages = vec![PageFacts { reading: sealwright_plugin_sdk::facts::Reading::Unread, ..PageFacts::default() }];
    document.signed_codes = vec![code(SignatureState::Valid, &BILL)];
    assert_eq!(check(&document, SIGNED).verdict, Verdict::Valid);
}
