//! Machine-readable zones (ICAO Doc 9303, parts 3 to 6): three lines of 30 characters, two of 36 or two of 44.

use super::Date;

/// A zone as read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Zone {
    /// Two characters, `P<`, `I<`, `IR` and the like.
    pub kind: String,
    /// The state that issued the document, three characters without fillers.
    pub issuer: String,
    pub last_name: String,
    pub first_name: String,
    pub document_number: String,
    pub nationality: String,
    /// Six digits, year first; empty if there are none.
    pub birth: String,
    pub expiry: String,
    /// The result of each check digit, by its purpose.
    pub checks: Vec<(&'static str, bool)>,
}

impl Zone {
    /// Whether all check digits are right.
    pub fn is_right(&self) -> bool {
        self.checks.iter().all(|(_, right)| *right)
    }

    /// The birth date; of two possible centuries the one that is not after `today`.
    pub fn birth_date(&self, today: Date) -> Option<Date> {
        let date = day(&self.birth, 2000)?;
        if date > today { day(&self.birth, 1900) } else { Some(date) }
    }

    /// The date of expiry, of this century.
    pub fn expiry_date(&self) -> Option<Date> {
        day(&self.expiry, 2000)
    }
}

fn day(digits: &str, century: i32) -> Option<Date> {
    let part = |range: std::ops::Range<usize>| digits.get(range)?.parse::<u8>().ok();
    Date::new(century + i32::from(part(0..2)?), part(2..4)?, part(4..6)?)
}

/// The zones in a text: lines of the right lengths that follow each other.
pub fn find_zones(text: &str) -> Vec<Zone> {
    let lines: Vec<String> = text.lines().map(cleaned).collect();
    let mut zones = Vec::new();
    let mut index = 0;
    while index < lines.len() {
        let (zone, used) = at(&lines[index..]);
        zones.extend(zone);
        index += used;
    }
    zones
}

/// Without spaces, and with misread fillers corrected.
fn cleaned(line: &str) -> String {
    line.chars()
        .filter(|letter| !letter.is_whitespace())
        .map(|letter| if letter == '«' || letter == '‹' { '<' } else { letter })
        .collect()
}

fn at(lines: &[String]) -> (Option<Zone>, usize) {
    let is_zone = |line: &String, length: usize| {
        line.len() == length
            && line.bytes().all(|byte| byte == b'<' || byte.is_ascii_uppercase() || byte.is_ascii_digit())
    };
    if lines.len() >= 3 && lines[..3].iter().all(|line| is_zone(line, 30)) && lines[0].contains('<') {
        return (Some(small([&lines[0], &lines[1], &lines[2]])), 3);
    }
    // The zone of a French vehicle registration has two lines of 36 too, and another layout.
    if lines[0].starts_with("CRFRA") {
        return (None, 1);
    }
    for length in [44, 36] {
        if lines.len() >= 2 && lines[..2].iter().all(|line| is_zone(line, length)) && lines[0].contains('<') {
            let is_french = length == 36 && lines[0].starts_with("IDFRA");
            let zone = if is_french { french(&lines[0], &lines[1]) } else { wide(&lines[0], &lines[1]) };
            return (Some(zone), 2);
        }
    }
    (None, 1)
}

fn small([upper, middle, lower]: [&str; 3]) -> Zone {
    let composite = [&upper[5..30], &middle[0..7], &middle[8..15], &middle[18..29]].concat();
    let (last_name, first_name) = names(lower);
    Zone {
        kind: upper[0..2].to_owned(),
        issuer: text(&upper[2..5]),
        last_name,
        first_name,
        document_number: text(&upper[5..14]),
        nationality: text(&middle[15..18]),
        birth: middle[0..6].to_owned(),
        expiry: middle[8..14].to_owned(),
        checks: vec![
            ("document number", fits(&upper[5..14], &upper[14..15])),
            ("date of birth", fits(&middle[0..6], &middle[6..7])),
            ("date of expiry", fits(&middle[8..14], &middle[14..15])),
            ("whole zone", fits(&composite, &middle[29..30])),
        ],
    }
}

/// Two lines: passports, visas and older cards.
fn wide(upper: &str, lower: &str) -> Zone {
    let end = lower.len() - 1;
    let composite = [&lower[0..10], &lower[13..20], &lower[21..end]].concat();
    let (last_name, first_name) = names(&upper[5..]);
    let mut checks = vec![
        ("document number", fits(&lower[0..9], &lower[9..10])),
        ("date of birth", fits(&lower[13..19], &lower[19..20])),
        ("date of expiry", fits(&lower[21..27], &lower[27..28])),
    ];
    // Visas have no composite digit.
    if !upper.starts_with('V') {
        checks.push(("whole zone", fits(&composite, &lower[end..])));
    }
    Zone {
        kind: upper[0..2].to_owned(),
        issuer: text(&upper[2..5]),
        last_name,
        first_name,
        document_number: text(&lower[0..9]),
        nationality: text(&lower[10..13]),
        birth: lower[13..19].to_owned(),
        expiry: lower[21..27].to_owned(),
        checks,
    }
}

/// The French identity card of 1988 to 2021, which has a layout of its own and no date of expiry.
fn french(upper: &str, lower: &str) -> Zone {
    let whole = [upper, &lower[0..35]].concat();
    Zone {
        kind: upper[0..2].to_owned(),
        issuer: "FRA".to_owned(),
        last_name: text(&upper[5..30]),
        first_name: text(&lower[13..27]),
        document_number: text(&lower[0..12]),
        nationality: "FRA".to_owned(),
        birth: lower[27..33].to_owned(),
        expiry: String::new(),
        checks: vec![
            ("document number", fits(&lower[0..12], &lower[12..13])),
            ("date of birth", fits(&lower[27..33], &lower[33..34])),
            ("whole zone", fits(&whole, &lower[35..36])),
        ],
    }
}

fn names(line: &str) -> (String, String) {
    let (last, first) = line.split_once("<<").unwrap_or((line, ""));
    (text(last), text(first))
}

/// Fillers are spaces.
fn text(part: &str) -> String {
    part.split('<').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Doc 9303-3, 4.9: the weighted sum (7, 3, 1) of the characters' values, modulo 10. A filler in place of the digit
/// means zero.
fn fits(part: &str, digit: &str) -> bool {
    let value = |letter: char| letter.to_digit(36).unwrap_or(0);
    let sum: u32 = part.chars().zip([7, 3, 1].into_iter().cycle()).map(|(letter, weight)| value(letter) * weight).sum();
    let expected = if digit == "<" { 0 } else { digit.parse().unwrap_or(10) };
    sum % 10 == expected
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The specimens of Doc 9303, parts 4 and 5.
    const PASSPORT: &str = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F1204159ZE184226B<<<<<10";
    const CARD: &str = "I<UTOD231458907<<<<<<<<<<<<<<<\n7408122F1204159UTO<<<<<<<<<<<6\nERIKSSON<<ANNA<MARIA<<<<<<<<<<";

    #[test]
    fn icaos_specimens_are_read() {
        for text in [PASSPORT, CARD] {
            let zones = find_zones(&format!("PASSPORT\n{text}\nend"));
            assert_eq!(zones.len(), 1);
            let zone = &zones[0];
            assert!(zone.is_right(), "{:?}", zone.checks);
            assert_eq!((zone.last_name.as_str(), zone.first_name.as_str()), ("ERIKSSON", "ANNA MARIA"));
            let today = Date::new(2026, 11, 2).unwrap();
            assert_eq!(zone.birth_date(today), Date::new(1974, 8, 12));
            assert_eq!(zone.expiry_date(), Date::new(2012, 4, 15));
        }
    }

    #[test]
    fn the_older_french_identity_card_has_its_own_layout() {
        let card = "IDFRAMARTIN<<<<<<<<<<<<<<<<<<<01012<\n1601012349117KARIM<<<<<<<<<8111166M";
        let digit = (0..10).find(|digit| find_zones(&format!("{card}{digit}"))[0].is_right());
        let zone = &find_zones(&format!("{card}{}", digit.expect("one digit is right")))[0];
        assert_eq!((zone.last_name.as_str(), zone.first_name.as_str()), ("MARTIN", "KARIM"));
        assert_eq!(zone.birth_date(Date::new(2026, 11, 2).unwrap()), Date::new(1981, 11, 16));
        assert_eq!((zone.document_number.as_str(), zone.expiry_date()), ("160101234911", None));
    }

    #[test]
    fn a_changed_digit_is_detected() {
        let zone = &find_zones(&PASSPORT.replace("740812", "740813"))[0];
        let wrong: Vec<_> = zone.checks.iter().filter(|(_, right)| !right).map(|(what, _)| *what).collect();
        assert_eq!(wrong, ["date of birth", "whole zone"]);
    }
}
