use sealwright_plugin_sdk::{
    facts::{
        Document, Font, Hiding, Integrity, PageFacts, Property, PropertySource, Revision, Signature, Structure,
        TextRun, TextSource,
    },
    falsification::{Check, Inspector as _, Verdict},
    webhook_auth::Content,
};

use super::DocumentForensics;

mod changed;
mod codes;
mod invoices;
mod made;
mod numbers;
mod origin;
mod programs;
mod scans;

/// The moment at which test documents are received: 2026-11-02.
const RECEIVED: u64 = 1_793_577_600_000;

fn run(text: &str, left: i32, top: i32, font: u32) -> TextRun {
    TextRun { font: Some(font), order: 10, ..TextRun::of_text(text, left, top) }
}

fn font(name: &str) -> Font {
    Font {
        name: name.to_owned(),
        subset: None,
        kind: "TrueType".to_owned(),
        embedded: true,
        explained: true,
        revision: Some(1),
        pages: vec![1],
    }
}

/// A PDF of one page with these runs, in one revision.
fn pdf(text_runs: Vec<TextRun>) -> Document {
    let structure = Structure {
        version: "1.7".to_owned(),
        objects: 12,
        encrypted: false,
        linearised: false,
        bytes_before: 0,
        bytes_behind: 0,
        identifier: None,
    };
    Document {
        media_type: "application/pdf".to_owned(),
        received_at: RECEIVED,
        pages: vec![PageFacts { text_runs, ..PageFacts::default() }],
        fonts: vec![font("NotoSans-Regular"), font("Helvetica")],
        structure: Some(structure),
        revisions: vec![revision(0, &[])],
        ..Document::default()
    }
}

fn revision(start: u64, kinds: &[&str]) -> Revision {
    Revision {
        start,
        end: start + 1_000,
        objects: 12,
        replaced: 0,
        kinds: kinds.iter().map(|kind| (*kind).to_owned()).collect(),
        pages: vec![1],
    }
}

fn bill() -> Vec<TextRun> {
    vec![
        run("Facture n° : F2026-0417", 50, 100, 0),
        run("Date de facture : 12/03/2026", 50, 120, 0),
        run("Date d’échéance : 11/04/2026", 50, 140, 0),
        run("Remplacement de la descente en zinc et reprise d’enduit", 50, 200, 0),
        run("Total HT", 300, 300, 0),
        run("100,00 €", 450, 300, 0),
        run("TVA 20 %", 300, 320, 0),
        run("20,00 €", 450, 320, 0),
        run("Total TTC", 300, 340, 0),
        run("120,00 €", 450, 340, 0),
    ]
}

fn verdict(document: &Document, code: &str) -> Verdict {
    check(document, code).verdict
}

fn check(document: &Document, code: &str) -> Check {
    let checks = DocumentForensics::inspect(document, "INVOICE", "{}").unwrap();
    assert_eq!(checks.len(), 12);
    checks.into_iter().find(|check| check.code == code).unwrap()
}

fn property(name: &str, value: &str, time: Option<i64>) -> Property {
    Property {
        source: PropertySource::PdfInfo,
        name: name.to_owned(),
        value: value.to_owned(),
        time,
        revision: Some(1),
    }
}

#[test]
fn decisions_13_a_clean_document_raises_nothing_and_what_does_not_apply_weighs_nothing() {
    let checks = DocumentForensics::inspect(&pdf(bill()), "INVOICE", "{}").unwrap();
    for check in &checks {
        assert!(
            matches!(check.verdict, Verdict::Valid | Verdict::NotApplicable),
            "{}: {:?}",
            check.code,
            check.findings
        );
        assert_eq!(check.weight == 0, check.verdict == Verdict::NotApplicable, "{}", check.code);
        assert!(!check.findings.is_empty(), "{} says nothing", check.code);
    }
    assert!(checks.iter().any(|check| check.code == "TOTALS_COHERENCE" && check.verdict == Verdict::Valid));
}

#[test]
fn a_value_in_a_different_font_is_found_with_its_place() {
    let mut runs = bill();
    runs[9] = run("920,00 €", 450, 340, 1);
    let check = check(&pdf(runs), "FONT_CONSISTENCY");
    assert_eq!(check.verdict, Verdict::Invalid);
    let place = check.findings[0].place.unwrap();
    assert_eq!((place.page, place.area.unwrap().left), (1, 45_000));
}

#[test]
fn a_form_filled_in_another_font_is_not_a_forgery() {
    let mut runs = bill();
    for top in 0..12 {
        runs.push(run("Camille Martinel 12/03/2026 Valmerle", 200, 400 + top * 20, 1));
    }
    assert_eq!(verdict(&pdf(runs), "FONT_CONSISTENCY"), Verdict::Valid);
}

#[test]
fn text_written_over_covered_text_is_found() {
    let mut runs = bill();
    runs[9].hidden = Some(Hiding::Covered);
    runs[9].covered_by = Some(20);
    runs.push(TextRun { order: 21, ..run("920,00 €", 450, 340, 0) });
    assert_eq!(verdict(&pdf(runs.clone()), "TEXT_OVERLAY"), Verdict::Invalid);
    // Only blacked out: unusual, and often legitimate.
    runs.pop();
    assert_eq!(verdict(&pdf(runs), "TEXT_OVERLAY"), Verdict::Warning);
}

#[test]
fn invisible_text_belongs_over_a_scan_and_nowhere_else() {
    let mut runs = bill();
    for run in &mut runs {
        run.hidden = Some(Hiding::Invisible);
    }
    let mut document = pdf(runs);
    assert_eq!(verdict(&document, "HIDDEN_CONTENT"), Verdict::Invalid);
    document.pages[0].image_cover = 98;
    assert_eq!(verdict(&document, "HIDDEN_CONTENT"), Verdict::Valid);
}

/// A file with a revision for each drawing of the page.
fn drawn(drawings: &[&str], kinds: &[&str]) -> Document {
    let mut document = pdf(bill());
    let mut bytes = Vec::new();
    document.revisions.clear();
    for drawing in drawings {
        let start = bytes.len() as u64;
        bytes.extend(format!("4 0 obj\n<</Length 9>>\nstream\nBT {drawing} ET\nendstream\nendobj\n%%EOF\n").bytes());
        document.revisions.push(Revision { end: bytes.len() as u64, ..revision(start, kinds) });
    }
    document.content = Content(bytes);
    document
}

#[test]
fn a_revision_is_judged_by_what_it_draws() {
    let kinds = ["Page", "content", "stream"];
    let before = "(Total TTC) Tj (120,00) Tj";
    let verdict_of = |next: &str| verdict(&drawn(&[before, next], &kinds), "INCREMENTAL_EDITS");
    assert_eq!(verdict_of("(Total TTC) Tj (920,00) Tj"), Verdict::Invalid);
    // Written again as it was, as viewers do.
    assert_eq!(verdict_of(before), Verdict::Valid);
    let mut document = pdf(bill());
    document.revisions.push(revision(1_000, &["Page", "Annot", "Sig", "Catalog"]));
    document.revisions.push(revision(2_000, &["Page", "content"]));
    assert_eq!(verdict(&document, "INCREMENTAL_EDITS"), Verdict::Valid);
}

#[test]
fn one_strong_sign_suffices_and_a_weak_one_does_not() {
    let suspicion = |document: &Document| {
        let checks = DocumentForensics::inspect(document, "INVOICE", "{}").unwrap();
        let weights: u32 = checks.iter().map(|check| u32::from(check.weight)).sum();
        let sum: u32 = checks.iter().map(|check| u32::from(check.weight) * u32::from(check.evaluation)).sum();
        100 - (sum + weights / 2) / weights
    };
    let mut document = pdf(bill());
    assert_eq!(suspicion(&document), 0);
    let day = 86_400_000;
    document.properties = vec![property("CreationDate", "", Some(0)), property("ModDate", "", Some(9 * day))];
    assert!((1..30).contains(&suspicion(&document)));
    document.signatures.push(signature(Integrity::Broken));
    assert!(suspicion(&document) > 90);
}

#[test]
fn metadata_that_name_an_editor_or_contradict_themselves_are_found() {
    let mut document = pdf(bill());
    let day = 86_400_000;
    let received = i64::try_from(RECEIVED).unwrap();
    document.properties = vec![
        property("Producer", "ReportLab PDF Library", None),
        property("CreationDate", "", Some(received - 10 * day)),
        property("ModDate", "", Some(received - 10 * day + 3_000)),
    ];
    assert_eq!(verdict(&document, "METADATA_CONSISTENCY"), Verdict::Valid);
    // A program that compresses a file may set only one of the two times.
    document.properties[2].time = Some(received - 40 * day);
    assert_eq!(verdict(&document, "METADATA_CONSISTENCY"), Verdict::Warning);
    // A design program is ordinary too, but not both.
    document.properties[0].value = "Affinity Publisher 2".to_owned();
    document.properties.push(property("Creator", "Writer", None));
    assert_eq!(verdict(&document, "METADATA_CONSISTENCY"), Verdict::Invalid);
    document.properties[2].time = None;
    assert_eq!(verdict(&document, "METADATA_CONSISTENCY"), Verdict::Warning);
    document.properties[0].value = "Sejda 5.3.7 (sejda.com)".to_owned();
    assert_eq!(verdict(&document, "METADATA_CONSISTENCY"), Verdict::Invalid);
}

#[test]
fn wrong_sums_dates_and_accounts_are_found() {
    let mut runs = bill();
    runs[9].text = "920,00 €".to_owned();
    assert_eq!(verdict(&pdf(runs), "TOTALS_COHERENCE"), Verdict::Invalid);

    let mut runs = bill();
    runs[2].text = "Date d’échéance : 11/04/2006".to_owned();
    assert_eq!(verdict(&pdf(runs), "DATE_COHERENCE"), Verdict::Invalid);

    let mut runs = bill();
    runs.push(run("IBAN FR14 2004 1010 0505 0001 3M02 606", 50, 500, 0));
    assert_eq!(verdict(&pdf(runs.clone()), "IBAN_CHECKSUM"), Verdict::Valid);
    runs.push(run("IBAN FR14 2004 1010 0505 0001 3M02 607", 50, 520, 0));
    assert_eq!(verdict(&pdf(runs), "IBAN_CHECKSUM"), Verdict::Invalid);
}

/// A document of another type.
fn verdict_of(runs: Vec<TextRun>, document_type: &str, code: &str) -> Verdict {
    let checks = DocumentForensics::inspect(&pdf(runs), document_type, "{}").unwrap();
    checks.into_iter().find(|check| check.code == code).unwrap().verdict
}

#[test]
fn a_sum_that_is_wrong_in_one_digit_is_found_on_every_paper() {
    let pay = |net: &str| {
        let amounts = ["7951.00", "300.00", "-421.40", "-87.46", "-713.41"];
        // Five points a letter: the amounts end at the same place.
        let amount = |text: &str, top| run(text, 450 - 5 * i32::try_from(text.len()).unwrap(), top, 0);
        let mut runs: Vec<TextRun> = (0..).zip(amounts).map(|(line, text)| amount(text, 200 + line * 20)).collect();
        runs.push(run("Salaire versé", 50, 300, 0));
        runs.push(amount(net, 300));
        verdict_of(runs, "TAX_NOTICE", "TOTALS_COHERENCE")
    };
    assert_ne!(pay("7028.73"), Verdict::Invalid);
    assert_eq!(pay("7428.73"), Verdict::Invalid);
    assert_ne!(pay("7028.75"), Verdict::Invalid);
    assert_ne!(pay("1299.99"), Verdict::Invalid);
}

#[test]
fn dates_that_cannot_follow_each_other_are_found() {
    let dates = |lines: &[&str], document_type: &str| {
        let runs = (0..).zip(lines).map(|(line, text)| run(text, 50, 100 + line * 40, 0)).collect();
        verdict_of(runs, document_type, "DATE_COHERENCE")
    };
    // With the month first.
    assert_eq!(dates(&["Effective 06/25/2026 to 02/18/2026"], "INSURANCE_CERTIFICATE"), Verdict::Invalid);
    assert_eq!(dates(&["Effective 06/25/2026 to 12/18/2026"], "INSURANCE_CERTIFICATE"), Verdict::Valid);
    let american = ["Bill date 03/09/2026", "Payment due 03/29/2026"];
    assert_eq!(dates(&american, "PROOF_OF_ADDRESS"), Verdict::Valid);
    let early = ["Facture du 27/07/2026", "du 26/05/2026 au 25/07/2026", "A régler avant le 27/03/2024"];
    assert_eq!(dates(&early, "PROOF_OF_ADDRESS"), Verdict::Invalid);
    let extract = |day: &str| {
        let extract = format!("Registraire des entreprises, établi le {day}");
        dates(&["Date d'immatriculation 2019-03-03", &extract], "COMPANY_REGISTRATION")
    };
    assert_eq!(extract("2019-01-14"), Verdict::Invalid);
    assert_ne!(extract("2026-01-14"), Verdict::Invalid);
}

#[test]
fn a_program_for_pictures_that_saved_a_file_later_is_found() {
    let mut document = pdf(bill());
    let (day, received) = (86_400_000, i64::try_from(RECEIVED).unwrap());
    document.properties = vec![
        property("Producer", "GIMP 2.10.34", None),
        property("CreationDate", "", Some(received - 40 * day)),
        property("ModDate", "", Some(received - 10 * day)),
    ];
    assert!(check(&document, "METADATA_CONSISTENCY").evaluation <= 70);
    document.properties[2].time = document.properties[1].time;
    assert_eq!(verdict(&document, "METADATA_CONSISTENCY"), Verdict::Valid);
}

#[test]
fn a_zone_with_a_changed_digit_is_found() {
    let lines = ["I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"];
    let document = |middle: &str| {
        let mut document = pdf(lines.iter().zip(0..).map(|(line, index)| run(line, 50, 500 + index * 20, 0)).collect());
        document.pages[0].text = [lines[0], middle, lines[2]].join("\n");
        document
    };
    assert_eq!(verdict(&document(lines[1]), "MRZ_CHECKSUM"), Verdict::Valid);
    assert_eq!(verdict(&document("7508122F1204159UTO<<<<<<<<<<<6"), "MRZ_CHECKSUM"), Verdict::Invalid);
}

#[test]
fn decisions_13_a_signature_of_an_unknown_kind_is_not_judged() {
    let mut document = pdf(bill());
    document.signatures.push(signature(Integrity::Unknown));
    assert_eq!(verdict(&document, "SIGNATURE_INTEGRITY"), Verdict::NotApplicable);
    document.signatures[0].covers_file = false;
    document.revisions.push(revision(1_000, &["Page", "content"]));
    assert_eq!(verdict(&document, "SIGNATURE_INTEGRITY"), Verdict::Invalid);
}

fn signature(integrity: Integrity) -> Signature {
    Signature {
        field: "Signature1".to_owned(),
        signer: None,
        sub_filter: "ETSI.CAdES.detached".to_owned(),
        time: None,
        integrity,
        covers_file: true,
        covered_until: 1_000,
        revision: Some(1),
        permission: None,
    }
}

#[test]
fn a_misread_amount_is_not_a_forgery() {
    for misread in ["10000 €", "1 #0,00 €", "#00,00 €"] {
        let mut runs: Vec<_> =
            bill().into_iter().map(|run| TextRun { source: TextSource::Recognised, ..run }).collect();
        runs[5].text = misread.to_owned();
        assert_ne!(verdict(&pdf(runs), "TOTALS_COHERENCE"), Verdict::Invalid, "{misread}");
    }
}

#[test]
fn a_signature_that_no_longer_matches_is_found() {
    let mut document = pdf(bill());
    assert_eq!(verdict(&document, "SIGNATURE_INTEGRITY"), Verdict::NotApplicable);
    document.signatures.push(signature(Integrity::Intact));
    assert_eq!(verdict(&document, "SIGNATURE_INTEGRITY"), Verdict::Valid);
    document.signatures[0].integrity = Integrity::Broken;
    let check = check(&document, "SIGNATURE_INTEGRITY");
    assert_eq!((check.verdict, check.evaluation), (Verdict::Invalid, 0));
}
