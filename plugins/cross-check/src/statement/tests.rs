use sealwright_plugin_sdk::facts::StatedValue;

use super::{all, company};
use crate::tests::page;

fn values(stated: &[StatedValue], kind: &str) -> Vec<String> {
    stated.iter().filter(|value| value.kind == kind).map(|value| value.value.clone()).collect()
}

#[test]
fn a_payslip_states_who_pays_whom_for_which_month_and_the_sums_of_the_year() {
    let document = page(&[
        ("Menuiserie Corvin SARL", 40, 40),
        ("SIRET 554 217 323 00012", 40, 55),
        ("BULLETIN DE PAIE", 40, 80),
        ("Camille Rousselin", 330, 100),
        ("12 rue des Tanneurs", 330, 114),
        ("69003 Lyon", 330, 128),
        ("Période de paie : 01/06/2026 - 30/06/2026", 40, 160),
        ("Date de paiement : 30/06/2026", 40, 175),
        ("Date d’entrée : 01/03/2021", 40, 190),
        ("N° de sécurité sociale : 2 80 03 99 123 456 21", 40, 205),
        ("Salaire brut", 40, 260),
        ("2 400,00", 450, 260),
        ("Net imposable", 40, 280),
        ("1 944,00", 450, 280),
        ("Cumul brut", 40, 300),
        ("14 400,00", 450, 300),
        ("Cumul net imposable", 40, 320),
        ("11 664,00", 450, 320),
        ("Net à payer avant impôt sur le revenu", 40, 340),
        ("1 900,00", 450, 340),
        ("Net payé", 40, 360),
        ("1 842,17", 450, 360),
    ]);
    let stated = all(&document, "PAYSLIP");
    let one = |kind: &str| values(&stated, kind).into_iter().next().unwrap_or_default();
    assert_eq!(one("payPeriod"), "2026-06");
    assert_eq!(one("payDate"), "2026-06-30");
    assert_eq!(one("entryDate"), "2021-03-01");
    assert_eq!(one("netPay"), "1842.17");
    assert_eq!(one("grossPay"), "2400.00");
    assert_eq!(one("taxablePay"), "1944.00");
    assert_eq!(values(&stated, "grossPayOfYear"), ["14400.00"]);
    assert_eq!(values(&stated, "taxablePayOfYear"), ["11664.00"]);
    assert_eq!(one("employerName"), "menuiserie corvin sarl");
    assert_eq!(one("kind"), "payslip");
    let block = stated.iter().find(|value| value.kind == "personName").unwrap();
    assert_eq!(block.value, "camille rousselin");
    let town = stated.iter().find(|value| value.kind == "city" && value.group == block.group).unwrap();
    assert_eq!(town.value, "lyon");
    let words = values(&stated, "words").join(" ");
    assert!(words.contains("tanneurs") && words.contains("corvin"), "{words}");
    assert!(values(&stated, "mentionedAmount").contains(&"1900.00".to_owned()));
}

#[test]
fn sums_of_the_year_are_found_by_row_and_column() {
    let document = page(&[
        ("BULLETIN DE SALAIRE", 40, 40),
        ("Période : mars 2026", 40, 60),
        ("Brut", 200, 300),
        ("Net imposable", 320, 300),
        ("Mois", 40, 320),
        ("2 100,00", 200, 320),
        ("1 700,00", 320, 320),
        ("Cumuls", 40, 340),
        ("6 300,00", 200, 340),
        ("5 100,00", 320, 340),
    ]);
    let stated = all(&document, "PAYSLIP");
    assert_eq!(values(&stated, "payPeriod"), ["2026-03"]);
    assert_eq!(values(&stated, "grossPayOfYear"), ["6300.00"]);
    assert_eq!(values(&stated, "taxablePayOfYear"), ["5100.00"]);
}

#[test]
fn a_statement_of_an_account_has_its_credits() {
    let document = page(&[
        ("RELEVÉ DE COMPTE", 40, 40),
        ("Du 01/06/2026 au 30/06/2026", 40, 60),
        ("Ancien solde", 40, 90),
        ("1 000,00", 450, 90),
        ("Date", 40, 120),
        ("Libellé", 100, 120),
        ("Débit", 350, 120),
        ("Crédit", 450, 120),
        ("05/06/2026", 40, 140),
        ("Prélèvement loyer", 100, 140),
        ("640,00", 350, 140),
        ("30/06/2026", 40, 160),
        ("VIR SALAIRE MENUISERIE CORVIN", 100, 160),
        ("1 842,17", 450, 160),
    ]);
    let stated = all(&document, "OTHER");
    assert_eq!(values(&stated, "kind"), ["bank-statement"]);
    assert_eq!(values(&stated, "credit"), ["1842.17"]);
    assert_eq!(values(&stated, "creditDate"), ["2026-06-30"]);
    assert!(values(&stated, "creditText")[0].contains("corvin"));
    assert_eq!(
        (values(&stated, "periodStart"), values(&stated, "periodEnd")),
        (vec!["2026-06-01".to_owned()], vec!["2026-06-30".to_owned()])
    );
    assert_eq!(values(&stated, "openingBalance"), ["1000.00"]);
}

#[test]
fn a_card_states_its_zone_and_no_address_block() {
    let document = page(&[
        ("Nom : ROUSSELIN", 40, 40),
        ("Prénoms : Camille, Claude", 40, 60),
        ("Date de naissance : 12.03.1980", 40, 80),
    ]);
    let stated = all(&document, "IDENTITY_CARD");
    assert_eq!(values(&stated, "lastName"), ["rousselin"]);
    assert_eq!(values(&stated, "firstName"), ["camille claude"]);
    assert_eq!(values(&stated, "birthDate"), ["1980-03-12"]);
    assert!(values(&stated, "personName").is_empty());
}

#[test]
fn titled_names_are_people_and_companies_are_not() {
    let names =
        |text: &str| values(&all(&page(&[(text, 40, 40), ("Objet : votre contrat", 40, 80)]), "OTHER"), "personName");
    assert_eq!(names("M. ou Mme Camille ROUSSELIN"), ["camille rousselin"]);
    assert_eq!(names("Madame Camille Rousselin"), ["camille rousselin"]);
    assert_eq!(names("Titulaire : Camille Rousselin"), ["camille rousselin"]);
    assert!(names("M. le Directeur").is_empty());
    assert!(names("Titulaire : Menuiserie Corvin SARL").is_empty());
    assert!(names("Monsieur").is_empty());
}

#[test]
fn numbers_of_companies_need_their_check_digit() {
    let numbers = |text: &str| values(&all(&page(&[(text, 40, 40)]), "INVOICE"), "companyNumber");
    assert_eq!(numbers("SIREN : 473 297 653"), ["473297653"]);
    assert_eq!(numbers("N° TVA FR 12 473297653"), ["473297653"]);
    assert_eq!(numbers("TVA FR12473297653"), ["473297653"]);
    assert!(numbers("SIREN : 473 217 653").is_empty());
    assert_eq!(company::digits("SIRET 554 217 323 00019 – 2026"), ["55421732300019", "2026"]);
}

#[test]
fn an_answer_keeps_to_the_limits_of_the_contract() {
    let texts: Vec<String> = (0..2_000).map(|n| format!("{:02}/03/2026 mot{n} {n},17 €", n % 28 + 1)).collect();
    let texts: Vec<(&str, i32, i32)> =
        texts.iter().zip(0..).map(|(text, at)| (text.as_str(), 40 + at % 3 * 180, 40 + at * 12)).collect();
    let stated = all(&page(&texts), "OTHER");
    assert!(stated.len() <= 500, "{}", stated.len());
    let bytes: usize = stated.iter().map(|value| value.text.len() + value.value.len()).sum();
    assert!(bytes <= 64 * 1024 && stated.iter().all(|value| value.value.len() <= 1024 && value.text.len() <= 1024));
}

#[test]
fn a_label_in_two_languages_is_not_a_name() {
    let document = page(&[
        ("Surname / Nom", 40, 40),
        ("BARANEK", 40, 52),
        ("Given names / Prénoms", 200, 40),
        ("I<UTOMK04932273<<<<<<<<<<<<<<<", 40, 200),
        ("8707218F3305142UTO<<<<<<<<<<<8", 40, 212),
        ("BARANEK<<NOOR<<<<<<<<<<<<<<<<<", 40, 224),
    ]);
    let first = values(&all(&document, "IDENTITY_CARD"), "firstName");
    assert!(!first.contains(&"names prenoms".to_owned()), "{first:?}");
}
