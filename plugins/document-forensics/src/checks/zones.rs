//! Machine-readable zones: a forger who types one by hand does not compute its check digits, and one who changes a card
//! changes the printed text and forgets the zone.

use sealwright_plugin_sdk::{
    findings::{Finding, Place, found},
    reading::{Cell, Date, Zone, find_dates, find_zones, text::squeeze},
};

use crate::{
    report::{Report, Sign, sign},
    subject::Subject,
};

const CODE: &str = "ZONE_CHECK_DIGIT";
/// A recognised zone that is less sure than this has misread letters.
const SURE: u8 = 80;

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let zones = zones(subject);
    let mut signs: Vec<Sign> = Vec::new();
    let mut read = 0;
    for (zone, place, confidence) in &zones {
        let wrong: Vec<&str> = zone.checks.iter().filter(|(_, right)| !right).map(|(what, _)| *what).collect();
        // A changed field breaks its own digit and that of the whole. If the whole fits, a field is only laid out
        // otherwise: a long document number continues behind its place.
        let whole = zone.checks.iter().find(|(what, _)| *what == "whole zone");
        if wrong.is_empty() || whole.is_some_and(|(_, right)| *right) {
            read += 1;
            signs.extend(
                other_name(subject, zone).map(|(decibans, finding)| sign(decibans, finding.at(place.page, place.area))),
            );
            signs.extend(
                contradiction(subject, zone)
                    .map(|(decibans, finding)| sign(decibans, finding.at(place.page, place.area))),
            );
            continue;
        }
        let text = format!("In the machine-readable zone the check digit is wrong for: {}.", wrong.join(", "));
        let finding = found(CODE, text).at(place.page, place.area);
        if !subject.recognised {
            signs.push(sign(45.0, finding));
        } else if *confidence >= SURE && wrong.len() <= 2 && wrong != ["whole zone"] {
            // One misread letter breaks two digits, just as a changed one does: what is printed decides.
            match is_printed(subject, zone) {
                Some(true) => signs.push(sign(14.0, finding)),
                Some(false) => {}
                None => signs.push(sign(9.0, finding)),
            }
        }
    }
    if read + signs.len() == 0 {
        return Report::not_applicable(CODE, "The document has no machine-readable zone, or none that could be read.");
    }
    Report::of(signs, CODE, "All check digits of the machine-readable zone are right.")
}

/// Whether what a zone says about dates and number is printed elsewhere, although its check digits are wrong: then it
/// was read as it is. None if too little is printed.
fn is_printed(subject: &Subject<'_>, zone: &Zone) -> Option<bool> {
    let printed = dates(subject);
    let own = [zone.birth_date(subject.today), zone.expiry_date()];
    (printed.len() >= 2).then(|| own.iter().all(|date| date.is_some_and(|date| printed.contains(&date))))
}

fn dates(subject: &Subject<'_>) -> Vec<Date> {
    subject
        .cells
        .iter()
        .filter(|cell| !cell.text.contains("<<"))
        .flat_map(|cell| find_dates(&cell.text).into_iter().map(|(date, _)| date))
        .collect()
}

/// Whether a text has the day and the year of a date: the name of its month may be abbreviated in an unknown way.
fn has_day_and_year(subject: &Subject<'_>, date: Date) -> bool {
    let iso = date.iso();
    let mut parts = iso.split('-');
    let (Some(year), Some(_), Some(day)) = (parts.next(), parts.next(), parts.next()) else { return false };
    subject.cells.iter().filter(|cell| !cell.text.contains("<<")).any(|cell| {
        let words: Vec<&str> = cell.folded.split(' ').collect();
        let has_month = words
            .iter()
            .any(|word| (3..=9).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase()));
        has_month && words.contains(&year) && (words.contains(&day) || words.contains(&day.trim_start_matches('0')))
    })
}

/// A last name in the zone that is not printed. Zones write `UE` for `Ü` and cut long names.
fn other_name(subject: &Subject<'_>, zone: &Zone) -> Option<(f64, Finding)> {
    let plain = |text: &str| squeeze(text).replace("ae", "a").replace("oe", "o").replace("ue", "u").replace("ss", "s");
    let is_print = |cell: &&Cell| !cell.text.contains("<<") && !cell.text.contains("< <");
    let printed: String = subject.cells.iter().filter(is_print).map(|cell| plain(&cell.text) + " ").collect();
    let has = |name: &str| {
        let mut words = name.split(' ').filter(|word| word.len() >= 3).peekable();
        words.peek().is_none() || words.any(|word| printed.contains(&plain(word)))
    };
    // A letter that the font does not explain could be any.
    let is_unexplained = subject.cells.iter().any(|cell| cell.text.contains(char::REPLACEMENT_CHARACTER));
    if subject.recognised
        || is_unexplained
        || has(&zone.last_name)
        || zone.first_name.is_empty()
        || !has(&zone.first_name)
    {
        return None;
    }
    let text = "The last name in the machine-readable zone is not the one that is printed.";
    Some((17.0, found("ZONE_DIFFERS", text)))
}

/// A zone with correct digits whose dates are not printed, although other dates are. Recognised print is misread more
/// often than a zone with correct digits, so there it is not held against the zone unless the rest fits.
fn contradiction(subject: &Subject<'_>, zone: &Zone) -> Option<(f64, Finding)> {
    let printed = dates(subject);
    let own = [zone.birth_date(subject.today), zone.expiry_date()];
    let is_printed = |date: &Date| printed.contains(date) || has_day_and_year(subject, *date);
    let missing = own.iter().flatten().filter(|date| !is_printed(date)).count();
    let fits = own.iter().flatten().filter(|date| is_printed(date)).count();
    let number = squeeze(&zone.document_number);
    let has_number = number.len() >= 6
        && subject.cells.iter().any(|cell| !cell.text.contains("<<") && squeeze(&cell.text).contains(&number));
    if printed.len() < 2 || missing == 0 {
        return None;
    }
    let decibans = match (subject.recognised, fits > 0 || has_number) {
        (false, true) => 20.0,
        // The back of a card may show one of the two; if nothing matches, it is another card.
        (false, false) => 9.0,
        (true, true) if printed.len() >= 3 && sure(subject) => 6.0,
        (true, _) => return None,
    };
    let text = "A date of the machine-readable zone is not the one that is printed.";
    Some((decibans, found("ZONE_CONTRADICTS", text)))
}

/// Whether all dates were read well.
fn sure(subject: &Subject<'_>) -> bool {
    subject.cells.iter().filter(|cell| !find_dates(&cell.text).is_empty()).all(|cell| cell.confidence >= 88)
}

fn zones(subject: &Subject<'_>) -> Vec<(Zone, Place, u8)> {
    let codes = subject.document.machine_codes();
    let mut zones: Vec<(Zone, Place, u8)> = codes
        .iter()
        .filter(|code| code.kind == "mrz")
        .flat_map(|code| find_zones(&code.text).into_iter().map(|zone| (zone, code.place, code.confidence)))
        .collect();
    if zones.is_empty() {
        for page in subject.document.page_numbers() {
            let confidence = subject
                .cells
                .iter()
                .filter(|cell| cell.page == page && cell.text.contains("<<"))
                .map(|cell| cell.confidence)
                .min();
            let place = Place { page, area: None };
            zones.extend(
                find_zones(&subject.document.text(page))
                    .into_iter()
                    .map(|zone| (zone, place, confidence.unwrap_or(100))),
            );
        }
    }
    zones
}
