//! Machine-readable zones (ICAO 9303, parts 4 to 6): their fields and check digits as written. It reports whether the
//! digits are right, not what follows from that.

use serde::{Deserialize, Serialize};

use crate::model::{Area, Page, TextRun};

const MAX_ZONES: usize = 4;

/// A zone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Mrz {
    /// From 1.
    pub page: u32,
    /// The union of its lines' areas.
    pub area: Area,
    pub format: Format,
    /// As read, without spaces.
    pub lines: Vec<String>,
    /// The confidence of text recognition, 0 to 100; `None` for a PDF's own text.
    pub confidence: Option<u8>,
    pub fields: Fields,
    /// In the zone's order.
    pub check_digits: Vec<CheckDigit>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Format {
    /// Three lines of 30, cards.
    Td1,
    /// Two lines of 36.
    Td2,
    /// Two lines of 44, passports.
    Td3,
    /// Two lines of 36 of the French identity card issued until 2021, which has its own order of fields.
    FrenchIdentityCard,
}

/// Without fillers; an empty field is an empty string.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fields {
    /// For example `P`, `ID`.
    pub document_code: String,
    pub issuer: String,
    pub surname: String,
    /// Given names, with single spaces.
    pub given_names: String,
    pub document_number: String,
    pub nationality: String,
    /// `YYMMDD`, as written.
    pub birth_date: String,
    /// `M`, `F` or empty.
    pub sex: String,
    /// `YYMMDD`, as written; empty on the French identity card, which has none.
    pub expiry_date: String,
    pub optional_data: String,
}

/// One check digit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckDigit {
    /// `documentNumber`, `birthDate`, `expiryDate`, `optionalData` or `composite`.
    pub of: String,
    /// As written; `<` if the format allows an empty digit.
    pub found: char,
    /// The correct digit, 0 to 9.
    pub expected: u8,
    pub matches: bool,
}

/// The check digit of `text` (ICAO 9303-3, 4.9): weights 7, 3, 1; `<` counts as 0, letters as 10 to 35. `None` for
/// other characters.
pub fn check_digit(text: &str) -> Option<u8> {
    let values = text.chars().map(|c| match c {
        '<' => Some(0),
        '0'..='9' | 'A'..='Z' => c.to_digit(36),
        _ => None,
    });
    let mut sum = 0;
    for (value, weight) in values.zip([7, 3, 1].into_iter().cycle()) {
        sum += value? * weight;
    }
    u8::try_from(sum % 10).ok()
}

/// Zones on the pages.
pub(crate) fn find(pages: &[Page]) -> Vec<Mrz> {
    pages.iter().flat_map(on_page).take(MAX_ZONES).collect()
}

/// Whether a line looks like part of a zone, even if misread: a reason to read it again with the zone's own alphabet.
pub(crate) fn is_suspected(page: &Page) -> bool {
    page.text.iter().any(is_suspicious)
}

fn is_suspicious(run: &TextRun) -> bool {
    let fillers = run.text.chars().filter(|c| matches!(c, '<' | '«' | '‹')).count();
    let length = run.text.chars().filter(|c| !c.is_whitespace()).count();
    length >= 20 && fillers >= 2
}

/// The area of such lines, with room for one undetected line above and below.
pub(crate) fn suspected_area(page: &Page) -> Area {
    let lines: Vec<Area> = page.text.iter().filter(|run| is_suspicious(run)).map(|run| run.area).collect();
    let Some(area) = lines.iter().copied().reduce(Area::union) else { return Area::default() };
    let room = 2 * lines.iter().map(|line| line.bottom - line.top).max().unwrap_or(0);
    Area { top: area.top - room, bottom: area.bottom + room, ..area }
}

fn on_page(page: &Page) -> Vec<Mrz> {
    let line = |run: &TextRun| {
        let line = cleaned(&run.text);
        if run.confidence.is_some() && is_suspicious(run) { with_fillers(as_fillers(&line)) } else { line }
    };
    let lines: Vec<(&TextRun, String)> =
        page.text.iter().map(|run| (run, line(run))).filter(|(_, line)| is_line(line)).collect();
    let mut found: Vec<Mrz> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let zone = [(Format::Td1, 3), (Format::Td3, 2), (Format::Td2, 2)].iter().find_map(|&(format, count)| {
            let part = lines.get(at..at + count)?;
            let recognised = part.iter().any(|(run, _)| run.confidence.is_some());
            let as_it_is_meant = |(index, (_, line)): (usize, &(&TextRun, String))| {
                if recognised { as_its_places_say(format, index, line) } else { line.clone() }
            };
            let seen: Vec<String> = part.iter().enumerate().map(as_it_is_meant).collect();
            let zone = read(format, &seen.iter().map(String::as_str).collect::<Vec<_>>())?;
            Some((zone, seen, part))
        });
        let Some(((format, fields, check_digits), seen, part)) = zone else {
            at += 1;
            continue;
        };
        at += part.len();
        let zone = Mrz {
            page: page.number,
            area: part.iter().map(|(run, _)| run.area).reduce(Area::union).unwrap_or_default(),
            format,
            lines: seen,
            confidence: part.iter().map(|(run, _)| run.confidence).min().flatten(),
            fields,
            check_digits,
        };
        // A page that was read twice has the same zone twice.
        if !found.iter().any(|other| other.lines == zone.lines) {
            found.push(zone);
        }
    }
    found
}

/// Maps unambiguous characters to the zone's alphabet: removes spaces, and turns quotes into fillers.
fn cleaned(text: &str) -> String {
    let mut line = String::new();
    for c in text.chars() {
        match c {
            '«' => line.push_str("<<"),
            '‹' => line.push('<'),
            c if c.is_whitespace() => {}
            c => line.push(c),
        }
    }
    line
}

/// A zone has no lower-case letters and no brackets: text recognition misreads fillers as these.
fn as_fillers(line: &str) -> String {
    let plain = |c: char| match c {
        ']' | ')' => 'J',
        '|' => 'I',
        c if c.is_lowercase() || c == '¢' || c == '€' => '<',
        c => c,
    };
    line.chars().map(plain).collect()
}

/// The characters that a place of a zone allows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Any,
    /// A digit, or a filler.
    Digit,
    /// A letter, or a filler.
    Letter,
}

/// Corrects letters in places for digits, and digits in places for letters: the standard fixes the kind of each place.
/// The check digit still has to confirm the result.
fn as_its_places_say(format: Format, index: usize, line: &str) -> String {
    if line.starts_with("IDFRA") {
        return line.to_owned();
    }
    let place = |at: usize| match (format, index, at) {
        (Format::Td1, 0, 0 | 2..5)
        | (Format::Td1, 1, 7 | 15..18)
        | (Format::Td1, 2, _)
        | (Format::Td2 | Format::Td3, 0, _)
        | (Format::Td2 | Format::Td3, 1, 10..13 | 20) => Place::Letter,
        (Format::Td1, 0, 14)
        | (Format::Td1, 1, 0..7 | 8..15 | 29)
        | (Format::Td2 | Format::Td3, 1, 9 | 13..20 | 21..28)
        | (Format::Td2, 1, 35)
        | (Format::Td3, 1, 42 | 43) => Place::Digit,
        _ => Place::Any,
    };
    line.chars()
        .enumerate()
        .map(|(at, c)| match (place(at), c) {
            (Place::Digit, 'O' | 'Q' | 'D') => '0',
            (Place::Digit, 'I' | 'L') => '1',
            (Place::Digit, 'Z') => '2',
            (Place::Digit, 'S') => '5',
            (Place::Digit, 'G') => '6',
            (Place::Digit, 'B') => '8',
            (Place::Letter, '0') => 'O',
            (Place::Letter, '1') => 'I',
            (Place::Letter, '2') => 'Z',
            (Place::Letter, '5') => 'S',
            (Place::Letter, '6') => 'G',
            (Place::Letter, '8') => 'B',
            (_, c) => c,
        })
        .collect()
}

/// Text recognition miscounts fillers. If a line misses a known length by a few characters, the longest run of fillers
/// is extended; the check digits then show whether that was right.
fn with_fillers(line: String) -> String {
    const MOST: usize = 3;
    let Some(length) = [30, 36, 44].into_iter().find(|length| line.len().abs_diff(*length) <= MOST) else {
        return line;
    };
    let longest = line.split(|c| c != '<').max_by_key(|fillers| fillers.len()).unwrap_or_default();
    if longest.len() < 3 || line.len() == length || !line.is_ascii() {
        return line;
    }
    let Some(at) = line.find(longest) else { return line };
    let count = (longest.len() + length).saturating_sub(line.len()).max(1);
    format!("{}{}{}", &line[..at], "<".repeat(count), &line[at + longest.len()..])
}

fn is_line(line: &str) -> bool {
    matches!(line.len(), 30 | 36 | 44) && line.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'<'))
}

type Zone = (Format, Fields, Vec<CheckDigit>);

fn read(format: Format, lines: &[&str]) -> Option<Zone> {
    let length = match format {
        Format::Td1 => 30,
        Format::Td3 => 44,
        Format::Td2 | Format::FrenchIdentityCard => 36,
    };
    if lines.iter().any(|line| line.len() != length) || !lines[0].starts_with(|c: char| c.is_ascii_uppercase()) {
        return None;
    }
    let zone = match format {
        Format::Td1 => td1(lines),
        Format::Td2 if lines[0].starts_with("IDFRA") => french_identity_card(lines),
        _ => td2_or_td3(format, lines),
    };
    // Text that is not a zone has right check digits only by chance.
    let right = zone.2.iter().filter(|digit| digit.matches).count();
    (right >= 1 || lines[0].contains("<<")).then_some(zone)
}

fn td1(lines: &[&str]) -> Zone {
    let (first, second, third) = (lines[0], lines[1], lines[2]);
    let (surname, given_names) = names(third);
    let fields = Fields {
        document_code: plain(&first[..2]),
        issuer: plain(&first[2..5]),
        document_number: plain(&first[5..14]),
        birth_date: plain(&second[..6]),
        sex: plain(&second[7..8]),
        expiry_date: plain(&second[8..14]),
        nationality: plain(&second[15..18]),
        optional_data: plain(&format!("{}{}", &first[15..], &second[18..29])),
        surname,
        given_names,
    };
    let composite = format!("{}{}{}{}", &first[5..], &second[..7], &second[8..15], &second[18..29]);
    let digits = vec![
        digit("documentNumber", &first[5..14], first, 14),
        digit("birthDate", &second[..6], second, 6),
        digit("expiryDate", &second[8..14], second, 14),
        digit("composite", &composite, second, 29),
    ];
    (Format::Td1, fields, digits)
}

fn td2_or_td3(format: Format, lines: &[&str]) -> Zone {
    let (first, second) = (lines[0], lines[1]);
    let (surname, given_names) = names(&first[5..]);
    let last = second.len() - 1;
    let is_passport = format == Format::Td3;
    let optional = if is_passport { &second[28..42] } else { &second[28..35] };
    let fields = Fields {
        document_code: plain(&first[..2]),
        issuer: plain(&first[2..5]),
        surname,
        given_names,
        document_number: plain(&second[..9]),
        nationality: plain(&second[10..13]),
        birth_date: plain(&second[13..19]),
        sex: plain(&second[20..21]),
        expiry_date: plain(&second[21..27]),
        optional_data: plain(optional),
    };
    let mut digits = vec![
        digit("documentNumber", &second[..9], second, 9),
        digit("birthDate", &second[13..19], second, 19),
        digit("expiryDate", &second[21..27], second, 27),
    ];
    if is_passport {
        digits.push(digit("optionalData", optional, second, 42));
    }
    let composite = format!("{}{}{}", &second[..10], &second[13..20], &second[21..last]);
    digits.push(digit("composite", &composite, second, last));
    (format, fields, digits)
}

/// The card issued from 1988 to 2021.
fn french_identity_card(lines: &[&str]) -> Zone {
    let (first, second) = (lines[0], lines[1]);
    let fields = Fields {
        document_code: plain(&first[..2]),
        issuer: plain(&first[2..5]),
        surname: plain(&first[5..30]).replace('<', " "),
        optional_data: plain(&first[30..36]),
        document_number: plain(&second[..12]),
        given_names: plain(&second[13..27]).replace("<<", " ").replace('<', " "),
        birth_date: plain(&second[27..33]),
        sex: plain(&second[34..35]),
        nationality: plain(&first[2..5]),
        expiry_date: String::new(),
    };
    let digits = vec![
        digit("documentNumber", &second[..12], second, 12),
        digit("birthDate", &second[27..33], second, 33),
        digit("composite", &format!("{first}{}", &second[..35]), second, 35),
    ];
    (Format::FrenchIdentityCard, fields, digits)
}

fn digit(of: &str, text: &str, line: &str, at: usize) -> CheckDigit {
    let found = line[at..].chars().next().unwrap_or('<');
    let expected = check_digit(text).unwrap_or(0);
    // An unused field may have a filler as its digit.
    let is_empty = found == '<' && text.bytes().all(|byte| byte == b'<');
    CheckDigit { of: of.to_owned(), found, expected, matches: is_empty || found.to_digit(10) == Some(expected.into()) }
}

fn plain(text: &str) -> String {
    text.trim_matches('<').to_owned()
}

fn names(text: &str) -> (String, String) {
    let (surname, given) = text.split_once("<<").unwrap_or((text, ""));
    let words = |text: &str| text.split('<').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    (words(surname), words(given))
}

#[cfg(test)]
mod tests;
