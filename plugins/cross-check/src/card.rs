//! What every card has, regardless of its small labels, which are often unreadable in a picture. Only recognised text
//! is read in this way; a PDF's own labels can be read.

use sealwright_plugin_sdk::{
    findings::Place,
    reading::{Cell, Date, find_dates},
};

use crate::{
    fields::{Kind, field_of, is_label},
    labelled::{self, Reading, is_recognised},
    value,
};

/// Types of documents that have dates of birth, issue and expiry, and no other date.
pub(crate) const TYPES: [&str; 4] = ["IDENTITY_CARD", "PASSPORT", "RESIDENCE_PERMIT", "DRIVING_LICENCE"];
/// In days: the maximum validity of a card, a little more than 15 years.
const LONGEST: i64 = 5_600;

/// Of three dates the first is the holder's birth, the second the issue, the last the expiry.
pub(crate) fn date(code: &str, cells: &[Cell], today: Date) -> Option<Reading> {
    let mut days: Vec<(Date, &Cell)> = cells
        .iter()
        .filter(|cell| is_recognised(cell) && !cell.text.contains('<'))
        .filter_map(|cell| Some((date_of(&cell.text)?, cell)))
        .collect();
    days.sort_by_key(|(day, _)| *day);
    days.dedup_by_key(|(day, _)| *day);
    let [birth, issue, expiry] = days.try_into().ok()?;
    let is_plausible = issue.0 <= today && expiry.0.day_number() - issue.0.day_number() < LONGEST;
    let (day, cell) = match code {
        "birthDate" => birth,
        "issueDate" => issue,
        _ => expiry,
    };
    let place = Place { page: cell.page, area: Some(cell.place) };
    is_plausible.then(|| Reading { value: day.iso(), place, score: 55.min(cell.confidence) })
}

fn date_of(text: &str) -> Option<Date> {
    let misread = || Date::read(&value::accepted_as_misread(Kind::Date, text)?);
    find_dates(text).into_iter().map(|(date, _)| date).next().or_else(misread)
}

/// Last and first name follow each other on a driving licence (1 and 2): if one was found by its number, the other is
/// the name before or after it.
pub(crate) fn name(code: &str, cells: &[Cell]) -> Option<Reading> {
    let is_last = code == "lastName";
    let other = labelled::read(field_of(if is_last { "firstName" } else { "lastName" })?, cells)?;
    let at = cells.iter().position(|cell| Some(cell.place) == other.place.area && cell.page == other.place.page)?;
    let is_name = |cell: &&Cell| {
        is_recognised(cell)
            && cell.page == cells[at].page
            && cell.confidence >= 50
            && !is_label(&cell.folded)
            && cell.folded.len() >= 3
            && cell.text.starts_with(char::is_uppercase)
            && value::accepted(Kind::Name, &cell.text).is_some()
            // In the same line, or in the next but one: its own label is in between.
            && cell.middle().abs_diff(cells[at].middle()) < cells[at].area.height.saturating_mul(4)
    };
    let found = if is_last {
        cells[..at].iter().rev().take(3).find(is_name)
    } else {
        cells.get(at + 1..)?.iter().take(3).find(is_name)
    }?;
    let place = Place { page: found.page, area: Some(found.place) };
    Some(Reading { value: found.text.clone(), place, score: 50.min(found.confidence) })
}

/// The number of a card whose label cannot be read: the only word of capitals and digits that is long enough.
pub(crate) fn number(cells: &[Cell]) -> Option<Reading> {
    let mut codes = cells
        .iter()
        .filter(|cell| is_recognised(cell) && !cell.text.contains('<'))
        .filter_map(|cell| Some((code_in(&cell.text)?, cell)));
    let (value, cell) = codes.next()?;
    let place = Place { page: cell.page, area: Some(cell.place) };
    codes.all(|(other, _)| other == value).then(|| Reading { value, place, score: 50.min(cell.confidence) })
}

fn code_in(text: &str) -> Option<String> {
    let text = value::accepted_as_misread(Kind::Number, text)?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_code = |word: &str| {
        let figures = word.bytes().filter(u8::is_ascii_digit).count();
        (7..=14).contains(&word.len())
            && word.bytes().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit())
            && (4..word.len()).contains(&figures)
    };
    // Recognition separates the first letter from the rest.
    let parted = words.windows(2).find_map(|pair| {
        let is_letter = pair[0].len() == 1 && pair[0].bytes().all(|letter| letter.is_ascii_uppercase());
        Some(pair.concat()).filter(|code| is_letter && is_code(code))
    });
    parted.or_else(|| words.iter().find(|word| is_code(word)).map(|word| (*word).to_owned()))
}

#[cfg(test)]
mod tests {
    use crate::tests::{extracted, recognised};

    #[test]
    fn the_only_code_on_a_card_is_its_number() {
        let one = |code| {
            let texts = [("DRIVER LICENCE", 96, 10), ("11.09.1952", 200, 40), (code, 204, 80), ("A2 B", 353, 80)];
            extracted(&recognised(&texts), "DRIVING_LICENCE", "documentNumber")
        };
        assert_eq!(one("SD8832528").as_deref(), Some("SD8832528"));
        assert_eq!(one("J W9723225 Permit").as_deref(), Some("JW9723225"));
        for text in ["17.07.2035", "SD88", "Utopian 12", "1234567"] {
            assert_eq!(one(text), None, "{text}");
        }
        let two = recognised(&[("SD8832528", 50, 50), ("FB4292765", 50, 80)]);
        assert_eq!(extracted(&two, "DRIVING_LICENCE", "documentNumber"), None);
        let invoice = recognised(&[("SD8832528", 50, 50)]);
        assert_eq!(extracted(&invoice, "INVOICE", "documentNumber"), None);
    }
}
