//! Whether the entered values are on the document. The value is known, so it is searched for first, in every notation and
//! anywhere; then its role is looked at: the subtotal is not the total, and the day of birth is not that of issue. Only a
//! value that is not there, or only in another role, is compared with the one that the document states instead.

use sealwright_plugin_sdk::{
    cross_check::{Entry, Outcome, Verification},
    reading::text::squeeze,
};

use crate::{
    card,
    compare::{self, Sameness, as_seen, likeness},
    fields::{Field, Kind, field_of},
    labelled::{self, Reading, is_recognised},
    misread,
    reader::Reader,
    role::{Role, role},
    search::{Occurrence, Pages},
    stated,
};

/// The outcome for each entry, in their order.
pub(crate) fn all(reader: &Reader<'_>, entries: &[Entry]) -> Vec<Verification> {
    let pages = Pages::new(&reader.cells);
    entries.iter().map(|entry| one(reader, &pages, entry, entries)).collect()
}

fn one(reader: &Reader<'_>, pages: &Pages<'_>, entry: &Entry, all: &[Entry]) -> Verification {
    let entered = entry.value.trim();
    let Some(field) = field_of(&entry.code).filter(|_| !entered.is_empty()) else {
        return missing("The field is not known, or nothing was entered.");
    };
    let found = pages.find(field.kind, entered);
    if field.kind == Kind::Town
        && !found.is_empty()
        && labelled::read(field, &reader.cells).is_none()
        && let Some(town) = stated::town(&found, all, pages)
    {
        return against(reader, field, entered, &town);
    }
    let (admissible, elsewhere): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|occurrence| is_admissible(field, pages, occurrence));
    if let Some(occurrence) = admissible.first() {
        return Verification {
            outcome: Outcome::Same,
            score: 100,
            place: Some(pages.place(occurrence)),
            text: "The value is on the document.".to_owned(),
        };
    }
    let other_name = || {
        let other = match field.code {
            "lastName" => "firstName",
            "firstName" => "lastName",
            _ => return None,
        };
        let other = all.iter().find(|entry| entry.code == other && !entry.value.trim().is_empty())?;
        stated::beyond(field, &other.value, pages).or_else(|| {
            let is_card = card::TYPES.contains(&reader.document_type);
            is_card.then(|| stated::next_to(field, &other.value, pages)).flatten()
        })
    };
    if let Some(near) = stated::near(field, entered, pages) {
        return unlike(reader, entered, &near);
    }
    let stated = reader.read(field).or_else(other_name).or_else(|| stated::instead(field, entered, reader, pages));
    match (stated, elsewhere.first()) {
        (Some(_), None) if misread::may_be_there(field, entered, reader, pages) => {
            missing("The document may have the value, which could not be read with certainty.")
        }
        (Some(stated), _) => against(reader, field, entered, &stated),
        (None, Some(occurrence)) => Verification {
            place: Some(pages.place(occurrence)),
            ..missing("The value is on the document, but it is the value of another field.")
        },
        (None, None) => missing("It was not found in the document."),
    }
}

fn missing(text: &str) -> Verification {
    Verification { outcome: Outcome::Missing, score: 0, place: None, text: text.to_owned() }
}

/// A value that nearly is the entered one: the same on recognised text whose letters look alike, else another one.
fn unlike(reader: &Reader<'_>, entered: &str, near: &Reading) -> Verification {
    let recognised = reader.cells.iter().any(|cell| Some(cell.place) == near.place.area && is_recognised(cell));
    let (entered, near_text) = (squeeze(entered), squeeze(&near.value));
    let is_same = recognised && as_seen(&entered) == as_seen(&near_text);
    let (outcome, text) = if is_same {
        (Outcome::Same, "The letters look the same.")
    } else {
        (Outcome::Different, "The document has a similar value.")
    };
    let score = if is_same { 100 } else { likeness(&entered, &near_text) };
    Verification { outcome, score, place: Some(near.place), text: text.to_owned() }
}

/// The entered value, compared with the one that the document states.
fn against(reader: &Reader<'_>, field: &Field, entered: &str, stated: &Reading) -> Verification {
    let Sameness { is_same, score, text } = compare::values(field.kind, entered, &stated.value);
    if !is_same && field.kind == Kind::Amount && misread::is_rounding(reader, entered, &stated.value) {
        return Verification {
            place: Some(stated.place),
            ..missing("The document rounds its total, and the rounded one was not found.")
        };
    }
    if !is_same && misread::may_be_misread(reader, field.kind, entered, stated, score) {
        return Verification {
            place: Some(stated.place),
            ..missing("The document has a similar value, which could not be read with certainty.")
        };
    }
    let outcome = if is_same { Outcome::Same } else { Outcome::Different };
    Verification { outcome, score, place: Some(stated.place), text: text.to_owned() }
}

/// Whether the value can be the field's where it was found. Names and numbers can be anywhere; a date or an amount that
/// has another label cannot.
fn is_admissible(field: &Field, pages: &Pages<'_>, occurrence: &Occurrence) -> bool {
    match field.kind {
        Kind::Date | Kind::Amount => match role(field.kind, pages, occurrence) {
            Role::Unknown => true,
            Role::Of(other) => other == field.code || is_alike(other, field.code),
            Role::Other => false,
        },
        _ => true,
    }
}

/// Fields whose labels are the same on some papers.
fn is_alike(first: &str, second: &str) -> bool {
    let both = [first, second];
    both.contains(&"totalAmount") && both.contains(&"netAmount")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::page;

    fn verified(lines: &[(&str, i32, i32)], document_type: &str, code: &str, value: &str) -> Outcome {
        let document = page(lines);
        let reader = Reader::new(&document, document_type);
        let entry = Entry { code: code.to_owned(), value: value.to_owned() };
        all(&reader, &[entry])[0].outcome
    }

    #[test]
    fn a_value_without_any_label_matches() {
        let lines = [("We confirm that Ms Aoife O\u{2019}Brien is insured", 50, 100)];
        assert_eq!(verified(&lines, "INSURANCE_CERTIFICATE", "lastName", "OBrien"), Outcome::Same);
    }

    #[test]
    fn a_label_of_an_amount_says_nothing_about_a_date() {
        let lines = [("GST Summary 0.99", 50, 100), ("Total VAT", 50, 120), ("19/02/2018 16:45", 50, 140)];
        assert_eq!(verified(&lines, "INVOICE", "issueDate", "2018-02-19"), Outcome::Same);
    }

    #[test]
    fn a_name_without_its_legal_form_is_the_same_company() {
        let lines = [("WARAKUYA PERMAS CITY SON BHD", 50, 100)];
        assert_eq!(verified(&lines, "INVOICE", "issuer", "Warakuya Permas City Sdn Bhd"), Outcome::Same);
    }

    fn with(lines: &[(&str, i32, i32)], document_type: &str, entries: &[(&str, &str)]) -> Outcome {
        let document = page(lines);
        let entry = |(code, value): &(&str, &str)| Entry { code: (*code).to_owned(), value: (*value).to_owned() };
        let entries: Vec<Entry> = entries.iter().map(entry).collect();
        all(&Reader::new(&document, document_type), &entries)[0].outcome
    }

    #[test]
    fn the_issuers_town_is_not_the_persons() {
        let lines = [
            ("Enerviva", 50, 50),
            ("Via Garibaldi, 29", 50, 62),
            ("10128 Torino", 50, 74),
            ("Martina Ferrari", 300, 120),
            ("Viale Monza, 151", 300, 132),
            ("40125 Bologna", 300, 144),
        ];
        let town = |town, other: (&str, &str)| with(&lines, "PROOF_OF_ADDRESS", &[("city", town), other]);
        for other in [("postCode", "40125"), ("address", "Viale Monza 151"), ("lastName", "Ferrari")] {
            assert_eq!(town("Torino", other), Outcome::Different, "{other:?}");
            assert_eq!(town("Bologna", other), Outcome::Same, "{other:?}");
        }
        // Nothing says whose address it is.
        assert_eq!(town("Torino", ("lastName", "Colombo")), Outcome::Same);
        // A county with the post code, and the town above it.
        let lines =
            [("Ms Ann Byrne", 50, 50), ("4 Park Road", 50, 62), ("Bootle", 50, 74), ("Merseyside L20 1AA", 50, 86)];
        assert_eq!(with(&lines, "TAX_NOTICE", &[("city", "Bootle"), ("postCode", "L20 1AA")]), Outcome::Same);
    }

    #[test]
    fn columns_of_figures_are_not_an_address() {
        let lines = [
            ("EMPLOYEE 79877    MS PRIYA HARGREAVES             PAY DATE 31/03/2026", 40, 50),
            ("TAX CODE 1257L              NI NO DE110250C           PERIOD 03", 40, 62),
            ("SALARY                        4,006.22  PAYE TAX                        560.08", 40, 74),
            ("MS PRIYA HARGREAVES", 40, 134),
            ("145 QUARRY LANE", 40, 146),
            ("PLYMOUTH                                NET PAY                       3,274.34", 40, 158),
            ("PL4 6RN", 40, 170),
        ];
        let entries = [("city", "Plymouth"), ("lastName", "Hargreaves"), ("postCode", "PL4 1RN")];
        assert_eq!(with(&lines, "PAYSLIP", &entries), Outcome::Same);
    }

    #[test]
    fn short_labels_and_codes_of_names_are_known() {
        let first_name =
            |label, kind| verified(&[(label, 50, 100), ("Rebecca", 300, 100)], kind, "firstName", "Siobhan");
        assert_eq!(first_name("Given", "IDENTITY_CARD"), Outcome::Different);
        assert_eq!(first_name("C.1.2", "VEHICLE_REGISTRATION"), Outcome::Different);
    }

    #[test]
    fn a_card_states_its_names_without_labels() {
        let card = [("ZBINDEN", 50, 50), ("Karim", 50, 62), ("26JG31681", 50, 90), ("Karim Zbinden", 50, 120)];
        let name = |lines: &[(&str, i32, i32)], entries: &[(&str, &str)]| with(lines, "DRIVING_LICENCE", entries);
        assert_eq!(name(&card, &[("lastName", "Traoré")]), Outcome::Different);
        assert_eq!(name(&card, &[("lastName", "Zbinden")]), Outcome::Same);
        assert_eq!(name(&card[..2], &[("firstName", "Liam"), ("lastName", "Zbinden")]), Outcome::Different);
        assert_eq!(name(&card[1..3], &[("lastName", "Traoré"), ("firstName", "Zoé")]), Outcome::Missing);
    }

    #[test]
    fn a_value_in_another_role_does_not_match() {
        let lines = [("Subtotal", 50, 100), ("100.00", 300, 100), ("Total due", 50, 120), ("120.00", 300, 120)];
        assert_eq!(verified(&lines, "INVOICE", "totalAmount", "120"), Outcome::Same);
        assert_eq!(verified(&lines, "INVOICE", "totalAmount", "100.00"), Outcome::Different);
        assert_eq!(verified(&lines, "INVOICE", "totalAmount", "99.00"), Outcome::Different);
        assert_eq!(verified(&lines, "INVOICE", "issueDate", "2026-03-09"), Outcome::Missing);
    }
}
