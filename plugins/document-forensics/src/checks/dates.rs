//! Dates that cannot follow each other, and days that no calendar has.

use std::ops::Range;

use sealwright_plugin_sdk::{
    findings::found,
    reading::{
        Cell, Date, find_dates, fold,
        labels::{self, ValuePosition, labelled},
    },
};

use crate::{
    checks::validity,
    report::{Report, Sign, sign},
    subject::Subject,
};

const CODE: &str = "DATE_ORDER";
/// Recognised text that is less sure than this has misread digits.
const SURE: u8 = 88;

/// The purpose of a date, by its label (folded): the shared labels, and others that imply an order but are not fields.
const ISSUED: [&[&str]; 2] = [
    &labels::ISSUED,
    &[
        "4a",
        "date d effet",
        "effective date",
        "cover starts",
        "valable du",
        "date du certificat",
        "valid from",
        "a compter du",
        "date de souscription",
        "issued",
        "rechnungsdatum",
        "fecha de factura",
        "fecha de emision",
        "data fattura",
        "factuurdatum",
        "data de emissao",
        "ausstellungsdatum",
        "date d envoi",
        "date of registration",
    ],
];
const ENDS: [&[&str]; 2] = [
    &labels::EXPIRES,
    &[
        "echeance",
        "expiration",
        "date of exp",
        "due date",
        "due",
        "payable by",
        "payment due",
        "a regler avant le",
        "a payer avant le",
        "a regler le",
        "preleve le",
        "we will collect on",
        "date limite de paiement",
        "a payer au plus tard le",
        "a regler au plus tard le",
        "permission valid until",
        "valid until",
        "date de paiement",
        "pay by",
        "please pay by",
        "to be paid by",
        "until",
        "end of cover",
        "date limite",
        "fallig am",
        "zahlbar bis",
        "faelligkeit",
        "falligkeitsdatum",
        "vencimiento",
        "fecha de vencimiento",
        "scadenza",
        "vervaldatum",
        "data de vencimento",
    ],
];
/// When a vehicle was first registered, by the codes of directive 1999/37/EC.
const REGISTERED: [&str; 9] = [
    "b",
    "b 1",
    "date de 1re immatriculation",
    "date de premiere immatriculation",
    "date of first registration",
    "b date",
    "first reg",
    "date of first reg",
    "first registered",
];
/// When its certificate was issued.
const CERTIFIED: [&str; 8] = [
    "i",
    "date du certificat",
    "date of registration issue",
    "date of this certificate",
    "date of issue",
    "issue date",
    "date issued",
    "date d emission",
];
/// When a company was founded or registered.
const FOUNDED: [&str; 11] = [
    "date d immatriculation",
    "immatriculee le",
    "date of incorporation",
    "incorporated on",
    "date de creation",
    "date de constitution",
    "registered on",
    "registration date",
    "situation normale depuis",
    "inscrite le",
    "date d inscription",
];
/// What is before the date of an extract, anywhere in a line.
const EXTRACTED: [&str; 9] =
    ["etabli le", "edite le", "delivre le", "issued on", "dated", "a jour au", "extrait du", "printed on", "printed"];
/// Words between the two ends of a period.
const PERIODS: [(&str, &str); 14] = [
    ("", " to "),
    ("", " until "),
    ("", " au "),
    ("", " bis "),
    ("", " \u{2013} "),
    ("", " - "),
    ("du ", " au "),
    ("from ", " to "),
    ("from ", " until "),
    ("vom ", " bis "),
    ("del ", " al "),
    ("dal ", " al "),
    ("van ", " tot "),
    ("de ", " a "),
];

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let american = is_month_first(subject);
    let dates =
        |labels: &[&[&str]]| labelled(&subject.cells, labels, ValuePosition::Next, |text| first_day(text, american));
    let with_short = |labels: &[&[&str]]| {
        let read = |text: &str| first_day(text, american).or_else(|| short_day(text));
        labelled(&subject.cells, labels, ValuePosition::Next, read)
    };
    let (mut issued, ends, births) = (with_short(&ISSUED), with_short(&ENDS), dates(&[&labels::BORN]));
    let is_vehicle = subject.document_type == "VEHICLE_REGISTRATION";
    let registered = if is_vehicle { dates(&[&REGISTERED]) } else { Vec::new() };
    let certified = if is_vehicle { dates(&[&CERTIFIED]) } else { Vec::new() };
    let first_certified = certified.iter().map(|(date, _)| *date).min();
    let too_late: Vec<&Cell> = registered
        .iter()
        .filter(|(date, _)| first_certified.is_some_and(|certified| certified < *date))
        .map(|(_, cell)| *cell)
        .collect();
    issued.extend(registered);
    let impossible: Vec<&Cell> =
        subject.cells.iter().filter(|cell| !subject.recognised && has_impossible_day(&cell.text)).collect();
    let periods: Vec<(&Cell, bool)> =
        subject.cells.iter().filter_map(|cell| Some((cell, period_is_reversed(cell, american)?))).collect();
    let founded = founded_after_extract(subject, american);
    if issued.len() + ends.len() + births.len() + impossible.len() + periods.len() == 0 && founded.is_none() {
        return Report::not_applicable(CODE, "No date was found whose purpose is known.");
    }
    let mut signs: Vec<Sign> = Vec::new();
    let mut unsure = 0;
    let mut say = |decibans: f64, cells: [&Cell; 2], text: &str| {
        // A misread digit is likelier than a careless forger.
        let sure = cells.iter().all(|cell| cell.confidence >= SURE);
        let decibans = if subject.recognised { 9.0_f64.min(decibans) } else { decibans };
        if sure || !subject.recognised {
            signs.push(sign(decibans, found(CODE, text).at(cells[0].page, cells[0].place)));
        } else {
            unsure += 1;
        }
    };
    if let Some((cell, text)) = validity::odd(subject, &issued, &ends, &births) {
        say(12.0, [cell, cell], text);
    }
    for cell in impossible {
        say(20.0, [cell, cell], "The document shows a day that does not exist.");
    }
    for cell in too_late {
        say(18.0, [cell, cell], "A vehicle was registered after the date of its certificate.");
    }
    for (cell, reversed) in periods {
        if reversed {
            say(20.0, [cell, cell], "A period ends before it starts.");
        }
    }
    if let Some([founded, extracted]) = founded {
        say(18.0, [extracted, founded], "A company was registered after the date of its extract.");
    }
    if let Some(cell) = due_before_everything(subject, [&ends, &births], american) {
        say(14.0, [cell, cell], "A payment is due before any other date of the document.");
    }
    let first = issued.iter().filter(|(_, cell)| !cell_is_future(cell)).min_by_key(|(issue, _)| *issue);
    for (end, cell) in &ends {
        if let Some((issue, other)) = first
            && end < issue
            && !is_labelled_below(subject, cell)
            && !is_labelled_below(subject, other)
        {
            say(20.0, [cell, other], "The document expires, or is due, before it was issued.");
        }
    }
    for (issue, cell) in &issued {
        // Two days for time zones; insurance and contracts start in the future, but papers are not issued there.
        let is_late = issue.day_number() > subject.today.day_number() + 2;
        if is_late && !cell_is_future(cell) && !is_labelled_below(subject, cell) {
            say(18.0, [cell, cell], "The document was issued after it was received.");
        }
    }
    for (birth, cell) in births.iter().filter(|(_, cell)| !is_labelled_below(subject, cell)) {
        if let Some((_, other)) = ends.iter().find(|(end, other)| end < birth && !is_labelled_below(subject, other)) {
            say(20.0, [other, cell], "The document expires before its holder was born.");
        }
        if *birth > subject.today {
            say(24.0, [cell, cell], "A date of birth is in the future.");
        }
        if let Some((_, other)) = issued.iter().find(|(issue, _)| issue < birth) {
            say(20.0, [cell, other], "The document was issued before its holder was born.");
        }
    }
    if signs.is_empty() && unsure > 0 {
        return Report::not_applicable(CODE, "The dates could not be read with certainty.");
    }
    Report::of(signs, CODE, "The dates that were found are in a possible order.")
}

/// The dates of a text, each with its byte range: the day first, or the month if no day is first.
fn days(text: &str, is_month_first: bool) -> Vec<(Date, Range<usize>)> {
    let mut found = american(text);
    found.retain(|(_, range)| is_month_first || find_dates(&text[range.clone()]).is_empty());
    for (day, range) in find_dates(text) {
        if !found.iter().any(|(_, other)| other.start < range.end && range.start < other.end) {
            found.push((day, range));
        }
    }
    found.sort_by_key(|(_, range)| range.start);
    found
}

/// What reads as a date with the month first.
fn american(text: &str) -> Vec<(Date, Range<usize>)> {
    let begins = |at: usize| text[..at].chars().next_back().is_none_or(|before| !before.is_ascii_alphanumeric());
    let starts = text.char_indices().map(|(at, _)| at).filter(|at| begins(*at));
    starts.filter_map(|at| Some((text.get(at..at + 10).and_then(month_first)?, at..at + 10))).collect()
}

/// Whether some date is one only with the month first, and none only with the day first.
fn is_month_first(subject: &Subject<'_>) -> bool {
    let (mut month, mut day) = (false, false);
    for cell in &subject.cells {
        for (_, range) in american(&cell.text) {
            month |= find_dates(&cell.text[range]).is_empty();
        }
        day |= find_dates(&cell.text).iter().any(|(_, range)| {
            let text = &cell.text[range.clone()];
            text.len() == 10 && text.as_bytes()[2] == b'/' && month_first(text).is_none()
        });
    }
    month && !day
}

/// `06/25/2026`, as in the United States.
fn month_first(text: &str) -> Option<Date> {
    let mut parts = text.split('/');
    let (month, day, year) = (parts.next()?, parts.next()?, parts.next()?);
    let is_form = month.len() == 2 && day.len() == 2 && year.len() == 4 && parts.next().is_none();
    if is_form { Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?) } else { None }
}

fn first_day(text: &str, is_month_first: bool) -> Option<Date> {
    days(text, is_month_first).into_iter().map(|(day, _)| day).next()
}

/// `06.12.25`, as on driving licences. A year of two digits is one of this century.
fn short_day(text: &str) -> Option<Date> {
    text.split_whitespace().find_map(|word| {
        let parts: Vec<&str> = word.split(['.', '/']).collect();
        let [day, month, year] = parts[..] else { return None };
        let is_number = |part: &str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        if !parts.iter().all(|part| is_number(part)) {
            return None;
        }
        Date::new(2_000 + year.parse::<i32>().ok()?, month.parse().ok()?, day.parse().ok()?)
    })
}

/// A company's registration after the date of the extract about it.
fn founded_after_extract<'s>(subject: &'s Subject<'_>, is_month_first: bool) -> Option<[&'s Cell; 2]> {
    let read = |text: &str| first_day(text, is_month_first);
    let founded = labelled(&subject.cells, &[&FOUNDED], ValuePosition::Next, read);
    let extracted = subject.cells.iter().flat_map(|cell| {
        days(&cell.text, is_month_first).into_iter().filter_map(move |(day, range)| {
            let before = fold(&cell.text[..range.start]);
            EXTRACTED.iter().any(|words| before.ends_with(words)).then_some((day, cell))
        })
    });
    let (latest, extract) = extracted.max_by_key(|(day, _)| *day)?;
    founded.iter().find(|(day, _)| latest < *day).map(|(_, cell)| [*cell, extract])
}

/// A day on which a bill is due that is before every other date of it, births apart.
fn due_before_everything<'s>(
    subject: &'s Subject<'_>,
    [ends, births]: [&[(Date, &'s Cell)]; 2],
    is_month_first: bool,
) -> Option<&'s Cell> {
    if !matches!(subject.document_type, "INVOICE" | "PROOF_OF_ADDRESS" | "TAX_NOTICE") {
        return None;
    }
    let (due, cell) = ends.iter().min_by_key(|(due, _)| *due)?;
    let is_birth = |other: &Cell| births.iter().any(|(_, birth)| std::ptr::eq(*birth, other));
    let mut others = subject
        .cells
        .iter()
        .filter(|other| !std::ptr::eq(*other, *cell) && !is_birth(other))
        .flat_map(|other| days(&other.text, is_month_first))
        .map(|(day, _)| day)
        .peekable();
    others.peek().is_some().then_some(())?;
    others.all(|day| *due < day).then_some(*cell)
}

/// Whether the label of a date may be the one below it, as on cards: then the one above it belongs to something else.
fn is_labelled_below(subject: &Subject<'_>, date: &Cell) -> bool {
    let names = || ISSUED.iter().chain(&ENDS).copied().flatten().chain(&labels::BORN);
    let height = i32::try_from(date.area.height).unwrap_or(1_000).max(600);
    subject.cells.iter().any(|cell| {
        let down = cell.middle() - date.middle();
        cell.page == date.page
            && (height / 2..height * 2).contains(&down)
            && cell.area.left.abs_diff(date.area.left) < 1_500
            && find_dates(&cell.text).is_empty()
            && names().any(|name| cell.folded.contains(name) && name.len() > 4)
    })
}

/// Labels of a start date, which may be in the future.
fn cell_is_future(cell: &Cell) -> bool {
    ["effet", "effective", "starts", "valable du", "valid from", "compter", "souscription"]
        .iter()
        .any(|word| cell.folded.contains(word))
}

/// `31/02/2026`, `45.12.2026`: two numbers and a year with the separators of a date, and neither order is a day.
fn has_impossible_day(text: &str) -> bool {
    text.split(|letter: char| letter.is_whitespace() || matches!(letter, '(' | ')' | ';' | ':')).any(|word| {
        let word = word.trim_matches(|letter: char| !letter.is_ascii_digit());
        ['/', '.', '-'].iter().any(|separator| {
            let parts: Vec<&str> = word.split(*separator).collect();
            let [day, month, year] = parts[..] else { return false };
            let is_number =
                |part: &str, length: usize| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
            if !is_number(day, 2) || !is_number(month, 2) || !is_number(year, 4) {
                return false;
            }
            let (Ok(day), Ok(month), Ok(year)) = (day.parse::<u8>(), month.parse::<u8>(), year.parse::<i32>()) else {
                return false;
            };
            (1900..2100).contains(&year)
                && Date::new(year, month, day).is_none()
                && Date::new(year, day, month).is_none()
        })
    })
}

/// Whether a period in a cell ends before it starts. None without a period.
fn period_is_reversed(cell: &Cell, is_month_first: bool) -> Option<bool> {
    let dates = days(&cell.text, is_month_first);
    let [(start, from), (end, to)] = &dates[..] else { return None };
    let lower = |text: &str| text.to_lowercase();
    let (before, between) = (lower(&cell.text[..from.start]), lower(cell.text.get(from.end..to.start)?));
    PERIODS.iter().any(|(opening, middle)| before.ends_with(opening) && between == *middle).then_some(end < start)
}
