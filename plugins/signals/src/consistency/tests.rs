use std::sync::Arc;

use sealwright_plugin_sdk::{
    facts::{DocumentOutcome, Evidence, Item, Origin, StatedValue},
    signal::{Assessor as _, Signal},
};

use crate::Signals;

/// 2026-11-02T12:00:00Z.
const NOON: u64 = 1_793_620_800_000;

fn stated(kind: &str, value: &str, group: Option<u32>) -> StatedValue {
    let (kind, text, value) = (kind.to_owned(), value.to_owned(), value.to_owned());
    StatedValue { kind, text, value, place: None, origin: Origin::OwnText, score: 90, group }
}

/// A document that states these values, and mentions them; a number behind a kind is its group.
fn paper(id: u64, document_type: &str, values: &[(&str, &str)]) -> Item {
    let mut all = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    for (kind, value) in values {
        let (kind, group) = kind.split_once('/').map_or((*kind, None), |(kind, group)| (kind, group.parse().ok()));
        all.push(stated(kind, value, group));
        match kind {
            "words" => {}
            _ if kind.ends_with("Date") || kind.starts_with("period") => all.push(stated("mentionedDate", value, None)),
            _ if value.contains('.') => all.push(stated("mentionedAmount", value, None)),
            _ => words.extend(value.split(' ')),
        }
    }
    all.push(stated("words", &words.join(" "), None));
    let outcome = DocumentOutcome {
        complete: true,
        document_type: document_type.to_owned(),
        type_score: 100,
        cross_check_score: None,
        suspicion_score: 0,
        trust_score: 100,
    };
    Item {
        id,
        action: "DOCUMENT_UPLOAD".to_owned(),
        received_at: NOON,
        document_outcome: Some(outcome),
        stated: Some(all),
        ..Item::default()
    }
}

fn entry(id: u64, title: &str, code: &str, value: &str) -> Item {
    let field_codes = if code.is_empty() { Vec::new() } else { vec![code.to_owned()] };
    let (action, value) = ("TEXT_FIELD".to_owned(), Some(value.to_owned()));
    Item { id, action, value, field_codes, step_title: title.to_owned(), received_at: NOON, ..Item::default() }
}

fn assessed(items: Vec<Item>) -> Option<Signal> {
    let items = items.into_iter().map(Arc::new).collect();
    let evidence = Evidence { opened_at: NOON, closed_at: Some(NOON), items, ..Evidence::default() };
    let signals = Signals::assess(&evidence, "{}").unwrap();
    signals.into_iter().find(|signal| signal.kind == "consistency")
}

fn score(items: Vec<Item>) -> u8 {
    assessed(items).expect("something is compared").score
}

/// The code of the only doubt.
fn doubt(items: Vec<Item>) -> String {
    let signal = assessed(items).expect("something is compared");
    assert!(signal.score < 70, "{signal:?}");
    let codes: Vec<&String> =
        signal.observations.iter().map(|seen| &seen.finding.code).filter(|code| *code != "COMPARED").collect();
    assert_eq!(codes.len(), 1, "{signal:?}");
    codes[0].clone()
}

fn card(id: u64) -> Item {
    let values = [
        ("lastName", "rousselin"),
        ("firstName", "camille"),
        ("birthDate", "1980-03-12"),
        ("expiryDate", "2031-05-14"),
    ];
    paper(id, "IDENTITY_CARD", &values)
}

fn payslip(id: u64, more: &[(&str, &str)]) -> Item {
    let values = [
        ("kind", "payslip"),
        ("personName/1", "camille rousselin"),
        ("employerName", "menuiserie corvin sarl"),
        ("companyNumber", "554217323"),
        ("payPeriod", "2026-06"),
        ("payDate", "2026-06-30"),
        ("netPay", "1842.17"),
    ];
    let changed = |kind: &str| more.iter().any(|(other, _)| *other == kind);
    let kept: Vec<(&str, &str)> =
        values.into_iter().filter(|(kind, _)| !changed(kind)).chain(more.iter().copied()).collect();
    paper(id, "PAYSLIP", &kept)
}

fn statement(id: u64, pay: &str, more: &[(&str, &str)]) -> Item {
    let mut values = vec![
        ("kind", "bank-statement"),
        ("personName/9", "camille rousselin"),
        ("periodStart", "2026-06-01"),
        ("periodEnd", "2026-07-31"),
        ("credit/1", "42.10"),
        ("creditDate/1", "2026-06-14"),
        ("creditText/1", "virement recu remboursement"),
        ("credit/2", pay),
        ("creditDate/2", "2026-06-30"),
        ("creditText/2", "vir salaire menuiserie corvin"),
    ];
    values.extend(more);
    paper(id, "OTHER", &values)
}

#[test]
fn nothing_to_compare_gives_no_signal() {
    assert_eq!(assessed(Vec::new()), None);
    assert_eq!(assessed(vec![paper(1, "INVOICE", &[("totalAmount", "12.00")])]), None);
    assert_eq!(assessed(vec![entry(1, "Nom", "lastName", "Rousselin")]), None);
}

#[test]
fn papers_of_one_person_agree_and_the_signal_lists_what_was_compared() {
    let items = vec![card(1), payslip(2, &[]), statement(3, "1842.17", &[]), entry(4, "Nom", "lastName", "ROUSSELIN")];
    let signal = assessed(items).unwrap();
    assert_eq!(signal.score, 100, "{signal:?}");
    let texts: String = signal.observations.iter().map(|seen| seen.finding.text.as_str()).collect();
    assert!(texts.contains("names of people") && texts.contains("net pay and payments received"), "{texts}");
}

#[test]
fn another_name_is_found_and_no_finding_repeats_it() {
    let items = || vec![card(1), payslip(2, &[("personName/1", "gaspard delmarche")])];
    assert_eq!(doubt(items()), "OTHER_NAME");
    let signal = assessed(items()).unwrap();
    for seen in signal.observations {
        assert!(!seen.finding.text.contains("delmarche") && !seen.finding.text.contains("rousselin"), "{seen:?}");
    }
    let holder = paper(2, "BANK_DETAILS", &[("accountHolder", "gaspard delmarche")]);
    assert_eq!(doubt(vec![entry(1, "Nom", "lastName", "Rousselin"), holder]), "OTHER_NAME");
}

#[test]
fn ordinary_names_are_the_same_person() {
    for name in [
        "rousselin camille",
        "mme rousselin c",
        "m ou mme rousselin",
        "camille claude dominique rousselin",
        "camille rousselin delmarche",
    ] {
        let holder = paper(2, "BANK_DETAILS", &[("accountHolder", name)]);
        assert_eq!(score(vec![card(1), holder]), 100, "{name}");
    }
    let double = paper(1, "IDENTITY_CARD", &[("lastName", "lefort mayne"), ("firstName", "camille")]);
    let joint = paper(2, "BANK_DETAILS", &[("accountHolder", "m ou mme lefort mayne")]);
    assert_eq!(score(vec![double, joint]), 100);
    // The card shows both names, the bank only the married one.
    let married = paper(1, "IDENTITY_CARD", &[("lastName", "rousselin epouse delmarche"), ("firstName", "camille")]);
    let holder = paper(2, "BANK_DETAILS", &[("accountHolder", "camille delmarche")]);
    assert_eq!(score(vec![married, holder]), 100);
    // The spouse was entered.
    let spouse = paper(2, "PASSPORT", &[("lastName", "delmarche"), ("firstName", "agathe")]);
    assert_eq!(
        score(vec![
            card(1),
            spouse,
            entry(3, "Nom", "lastName", "Rousselin"),
            entry(4, "Conjoint", "", "Agathe Delmarche")
        ]),
        100
    );
    // The step asks for another person's paper.
    let guarantor =
        Item { step_title: "Pièce du garant".to_owned(), ..paper(2, "PASSPORT", &[("lastName", "delmarche")]) };
    assert!(assessed(vec![card(1), guarantor]).is_none_or(|signal| signal.score == 100));
}

#[test]
fn another_date_of_birth_is_found_unless_day_and_month_are_swapped() {
    let other =
        |day: &str| paper(2, "PASSPORT", &[("lastName", "rousselin"), ("firstName", "camille"), ("birthDate", day)]);
    assert_eq!(doubt(vec![card(1), other("1981-04-16")]), "OTHER_BIRTH_DATE");
    assert_eq!(score(vec![card(1), other("1980-12-03")]), 100);
    let unsure = {
        let mut other = other("1980-03-17");
        let values = other.stated.as_mut().unwrap();
        for value in values.iter_mut() {
            value.origin = Origin::Recognised;
        }
        other
    };
    assert_eq!(score(vec![card(1), unsure]), 100, "one digit may be misread");
}

#[test]
fn the_social_security_number_has_the_month_of_birth() {
    let number = |number: &'static str| payslip(2, &[("socialSecurityNumber", number)]);
    assert_eq!(score(vec![card(1), number("2800399123456")]), 100);
    assert_eq!(doubt(vec![card(1), number("2810499123456")]), "OTHER_SECURITY_NUMBER");
}

#[test]
fn another_account_is_found() {
    let (one, other) = ("FR1420041010050500013M02606", "FR7630006000011234567890189");
    let details =
        |iban: &'static str| paper(2, "BANK_DETAILS", &[("accountHolder", "camille rousselin"), ("iban", iban)]);
    assert_eq!(doubt(vec![details(one), entry(3, "IBAN", "iban", other)]), "OTHER_ACCOUNT");
    assert_eq!(score(vec![details(one), entry(3, "IBAN", "iban", "fr14 2004 1010 0505 0001 3M02 606")]), 100);
    assert_eq!(doubt(vec![details(one), payslip(3, &[("iban", other)])]), "OTHER_ACCOUNT");
    assert_eq!(score(vec![details(one), payslip(3, &[("iban", one)])]), 100);
}

#[test]
fn the_net_pay_is_compared_with_the_pay_received() {
    assert_eq!(doubt(vec![payslip(1, &[]), statement(2, "1307.94", &[])]), "OTHER_PAY");
    // In two parts.
    let parts =
        [("credit/3", "842.17"), ("creditDate/3", "2026-07-02"), ("creditText/3", "vir salaire menuiserie corvin")];
    assert_eq!(score(vec![payslip(1, &[]), statement(2, "1000.00", &parts)]), 100);
    // The statement is of another month.
    let late = payslip(1, &[("payPeriod", "2026-10"), ("payDate", "2026-10-31")]);
    assert!(assessed(vec![late, statement(2, "1307.94", &[])]).is_none_or(|signal| signal.score == 100));
}

#[test]
fn payslips_of_one_employer_follow_each_other() {
    let june = || payslip(1, &[("grossPay", "2400.00"), ("grossPayOfYear", "14400.00")]);
    let july = |sum: &'static str| {
        payslip(
            2,
            &[("payPeriod", "2026-07"), ("payDate", "2026-07-31"), ("grossPay", "2400.00"), ("grossPayOfYear", sum)],
        )
    };
    assert_eq!(score(vec![june(), july("16800.00")]), 100);
    assert_eq!(doubt(vec![june(), july("17417.00")]), "SUM_OF_YEAR");
    let number = |month: &'static str| payslip(2, &[("payPeriod", month), ("companyNumber", "473297653")]);
    assert_eq!(doubt(vec![payslip(1, &[]), number("2026-07")]), "OTHER_COMPANY_NUMBER");
    let employer = |entered: &'static str| {
        payslip(
            2,
            &[
                ("payPeriod", "2026-07"),
                ("employerName", "transports valmerle sas"),
                ("companyNumber", "473297653"),
                ("entryDate", entered),
            ],
        )
    };
    assert_eq!(doubt(vec![payslip(1, &[]), employer("2019-01-07")]), "OTHER_EMPLOYER");
    assert_eq!(score(vec![payslip(1, &[]), employer("2026-07-01")]), 100, "a new job");
}

#[test]
fn a_company_is_older_than_its_payslips() {
    let register = |day: &'static str| {
        let values = [("companyName", "menuiserie corvin"), ("companyNumber", "554217323"), ("registrationDate", day)];
        paper(2, "COMPANY_REGISTRATION", &values)
    };
    assert_eq!(doubt(vec![payslip(1, &[]), register("2026-09-14")]), "BEFORE_COMPANY");
    assert_eq!(score(vec![payslip(1, &[]), register("2011-09-14")]), 100);
}

#[test]
fn what_was_lost_was_bought_before() {
    let invoice = |more: &[(&str, &str)]| {
        let values = [("issuer", "valmerle image sas"), ("invoiceNumber", "f2026 0412"), ("issueDate", "2026-09-21")];
        paper(2, "INVOICE", &[&values, more].concat())
    };
    let loss = |day: &str| entry(1, "Date du sinistre", "", day);
    assert_eq!(doubt(vec![loss("2026-09-12"), invoice(&[])]), "AFTER_LOSS");
    assert_eq!(score(vec![loss("2026-10-12"), invoice(&[])]), 100);
    assert!(
        assessed(vec![loss("2026-09-12"), invoice(&[("kind", "repair")])]).is_none_or(|signal| signal.score == 100)
    );
}

#[test]
fn numbers_of_invoices_are_in_the_order_of_their_days() {
    let invoice = |id, number: &'static str, day: &'static str| {
        paper(
            id,
            "INVOICE",
            &[
                ("issuer", "valmerle image sas"),
                ("companyNumber", "554217323"),
                ("invoiceNumber", number),
                ("issueDate", day),
            ],
        )
    };
    assert_eq!(score(vec![invoice(1, "f2026 0412", "2026-05-20"), invoice(2, "f2026 0501", "2026-06-20")]), 100);
    assert_eq!(
        doubt(vec![invoice(1, "f2026 0412", "2026-05-20"), invoice(2, "f2026 0096", "2026-06-20")]),
        "INVOICE_NUMBERS"
    );
}

#[test]
fn an_old_address_on_a_card_is_ordinary_and_another_one_than_entered_is_not() {
    let bill = |id| {
        let values = [
            ("personName/1", "camille rousselin"),
            ("address/1", "12 rue des tanneurs"),
            ("postCode/1", "69003"),
            ("city/1", "lyon"),
        ];
        paper(id, "PROOF_OF_ADDRESS", &values)
    };
    let old = paper(
        1,
        "IDENTITY_CARD",
        &[("lastName", "rousselin"), ("firstName", "camille"), ("address", "4 quai du levant"), ("postCode", "33000")],
    );
    assert!(score(vec![old, bill(2)]) >= 80);
    let name = || entry(3, "Nom", "lastName", "Rousselin");
    assert_eq!(doubt(vec![name(), bill(2), entry(4, "Code postal", "postCode", "33000")]), "OTHER_ADDRESS");
    assert_eq!(score(vec![name(), bill(2), entry(4, "Code postal", "postCode", "69003")]), 100);
}

#[test]
fn an_expired_card_is_found_and_an_extended_one_is_not() {
    let card = |id, kind, expiry: &'static str| paper(id, kind, &[("lastName", "rousselin"), ("expiryDate", expiry)]);
    assert_eq!(doubt(vec![card(1, "PASSPORT", "2024-03-09")]), "EXPIRED");
    // Issued in 2013: valid until 2028.
    assert_eq!(score(vec![card(1, "IDENTITY_CARD", "2023-03-09")]), 100);
}

#[test]
fn contradictions_add_up_and_weak_doubts_do_not() {
    let (one, other) = ("FR1420041010050500013M02606", "FR7630006000011234567890189");
    let details = paper(2, "BANK_DETAILS", &[("accountHolder", "gaspard delmarche"), ("iban", one)]);
    let items = vec![card(1), details, entry(3, "IBAN", "iban", other)];
    assert!(score(items) < 30);
}
