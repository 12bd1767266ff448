//! Check digits of companies and people.

use sealwright_plugin_sdk::{facts::TextSource, falsification::Verdict};

use super::{check, pdf, run};

fn codes(lines: &[&str]) -> Vec<String> {
    let runs = (0..).zip(lines).map(|(at, text)| run(text, 50, 60 + 20 * at, 0)).collect();
    let found = check(&pdf(runs), "IBAN_CHECKSUM");
    if found.verdict == Verdict::NotApplicable || found.verdict == Verdict::Valid {
        return Vec::new();
    }
    found.findings.into_iter().map(|finding| finding.code).collect()
}

#[test]
fn right_numbers_raise_nothing() {
    let lines = [
        "SAS au capital de 100 000 001 euros – SIREN 552 100 554 RCS Paris",
        "SIRET 552 100 554 00013 – TVA intracommunautaire FR 96 552100554",
        "N° de sécurité sociale : 2 95 10 99 126 111 93",
        "VAT Reg No GB 980 7806 84",
        "BTW BE 0403.019.261",
        "CHE-107.787.577 MWST",
        "USt-IdNr. DE136695976",
        "P.IVA 00743110157",
        "Contribuinte 501 964 843",
    ];
    assert_eq!(codes(&lines), Vec::<String>::new());
}

#[test]
fn a_changed_digit_behind_a_sure_label_is_found() {
    assert_eq!(codes(&["SIRET 552 100 554 00014"]), ["COMPANY_NUMBER"]);
    assert_eq!(codes(&["N° de sécurité sociale : 2 95 10 99 126 111 94"]), ["PERSON_NUMBER"]);
    assert_eq!(codes(&["VAT Reg No GB 980 7806 85"]), ["VAT_NUMBER"]);
    assert_eq!(codes(&["USt-IdNr. DE136695977"]), ["VAT_NUMBER"]);
    assert_eq!(codes(&["Référence 552 100 554 00014"]), Vec::<String>::new());
}

#[test]
fn numbers_of_one_company_must_agree() {
    assert_eq!(codes(&["SIREN 552100554", "SIRET 356 000 000 00048"]), ["COMPANY_NUMBERS_DIFFER"]);
    assert_eq!(codes(&["SIREN 552100554", "Client : SIRET 356 000 000 00048"]), Vec::<String>::new());
    assert_eq!(codes(&["IBAN FR14 2004 1010 0505 0001 3M02 606", "BIC DEUTDEFF500"]), ["BANK_COUNTRY_DIFFERS"]);
    assert_eq!(codes(&["IBAN FR14 2004 1010 0505 0001 3M02 606", "BIC PSSTFRPPXXX"]), Vec::<String>::new());
}

#[test]
fn a_misread_number_accuses_no_one() {
    let mut document = pdf(vec![run("SIRET 552 100 554 00014", 50, 60, 0)]);
    document.pages[0].text_runs[0].source = TextSource::Recognised;
    document.pages[0].text_runs[0].confidence = 97;
    assert_eq!(check(&document, "IBAN_CHECKSUM").verdict, Verdict::NotApplicable);
}
