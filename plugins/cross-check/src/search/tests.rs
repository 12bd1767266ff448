use super::*;
use crate::tests::{page, recognised};

fn finds(lines: &[(&str, i32, i32)], kind: Kind, entered: &str) -> bool {
    let cells = sealwright_plugin_sdk::reading::cells(&page(lines));
    !Pages::new(&cells).find(kind, entered).is_empty()
}

#[test]
fn a_value_is_found_in_every_notation() {
    for (printed, kind, entered) in [
        ("Issued on 9 March 2026 in Cork", Kind::Date, "2026-03-09"),
        ("09.03.26", Kind::Date, "9/3/2026"),
        ("am 9. März 2026", Kind::Date, "09.03.2026"),
        ("0 9 0 3 2 0 2 6", Kind::Date, "2026-03-09"),
        ("We charged CHF 1'234.50 today", Kind::Amount, "1234,50"),
        ("Total 1 250", Kind::Amount, "1250.00"),
        ("Compte FR76 3000 6000 0112 3456 7890 189", Kind::Account, "fr7630006000011234567890189"),
        ("SWIFT BNPAFRPP", Kind::Bank, "BNPAFRPPXXX"),
        ("Ref. INV-2026/0042", Kind::Number, "inv 2026 0042"),
        ("London SW1A 1AA", Kind::PostCode, "sw1a1aa"),
        ("M. DUPONT-MARTIN Jean Pierre", Kind::Name, "jean-pierre"),
        ("Mrs O'Brien, Aoife", Kind::Name, "Aoife OBrien"),
        ("12 bd Saint-Michel", Kind::Street, "12, boulevard St Michel"),
        ("52 Park Crescent", Kind::Street, "52 Park Cres"),
        ("Corso Vittorio Emanuele, 73", Kind::Street, "C.so Vittorio Emanuele 73"),
        ("Hauptstr. 12", Kind::Street, "Hauptstraße 12"),
        ("69003 LYON CEDEX 03", Kind::Town, "Lyon"),
        ("Harrow & Sons Ltd", Kind::Text, "Harrow and Sons Limited"),
        ("Nationality BRITISH CITIZEN", Kind::Nationality, "GBR"),
    ] {
        assert!(finds(&[(printed, 50, 50)], kind, entered), "{printed}: {entered}");
    }
}

#[test]
fn another_value_is_not_found() {
    for (printed, kind, entered) in [
        ("9 March 2026", Kind::Date, "2026-03-10"),
        ("Total 1 250,50", Kind::Amount, "250.50"),
        ("INV-20260042", Kind::Number, "0260042"),
        ("112 rue des Lilas", Kind::Street, "12 rue des Lilas"),
        ("Jean Martinez", Kind::Name, "Martin"),
        ("69003", Kind::PostCode, "6900"),
    ] {
        assert!(!finds(&[(printed, 50, 50)], kind, entered), "{printed}: {entered}");
    }
}

#[test]
fn a_value_may_go_on_in_the_next_line() {
    assert!(finds(
        &[("Société des Eaux", 50, 50), ("du Val de Loire", 50, 62)],
        Kind::Text,
        "Société des Eaux du Val de Loire"
    ));
}

#[test]
fn recognised_text_is_found_with_its_usual_mistakes() {
    let cells = sealwright_plugin_sdk::reading::cells(&recognised(&[("O8l2Z4", 50, 50), ("Rue des Tanneurz", 50, 80)]));
    let pages = Pages::new(&cells);
    assert!(!pages.find(Kind::Number, "081224").is_empty());
    assert!(!pages.find(Kind::Street, "rue des Tanneurs").is_empty());
    assert!(pages.find(Kind::Number, "081225").is_empty());
}
