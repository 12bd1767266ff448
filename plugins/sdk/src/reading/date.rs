//! Dates as papers write them.

use std::ops::Range;

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Date {
    pub year: i32,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
}

/// In French, English, German, Spanish, Italian, Dutch and Portuguese.
const MONTHS: [&[&str]; 12] = [
    &["janvier", "january", "januar", "janner", "januari", "enero", "gennaio", "janeiro", "janv", "jan", "ene", "gen"],
    &["fevrier", "february", "februar", "februari", "febrero", "febbraio", "fevereiro", "fevr", "fev", "feb"],
    &["mars", "march", "marz", "maart", "marzo", "marco", "mar", "mrt"],
    &["avril", "april", "abril", "aprile", "avr", "apr", "abr"],
    &["mai", "may", "mei", "mayo", "maggio", "maio", "mag"],
    &["juin", "june", "juni", "junio", "giugno", "junho", "jun", "giu"],
    &["juillet", "july", "juli", "julio", "luglio", "julho", "juil", "jul", "lug"],
    &["aout", "august", "augustus", "agosto", "aug", "ago"],
    &["septembre", "september", "septiembre", "settembre", "setembro", "sept", "sep", "set"],
    &["octobre", "october", "oktober", "octubre", "ottobre", "outubro", "oct", "okt", "ott", "out"],
    &["novembre", "november", "noviembre", "novembro", "nov"],
    &["decembre", "december", "dezember", "diciembre", "dicembre", "dezembro", "dec", "dez", "dic"],
];

impl Date {
    /// A valid day of the years 1850 to 2150.
    pub fn new(year: i32, month: u8, day: u8) -> Option<Self> {
        let longest = match month {
            4 | 6 | 9 | 11 => 30,
            2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
            2 => 28,
            1..=12 => 31,
            _ => return None,
        };
        ((1850..=2150).contains(&year) && (1..=longest).contains(&day)).then_some(Self { year, month, day })
    }

    /// The day in UTC of a moment in milliseconds since 1970-01-01T00:00:00Z.
    pub fn of_moment(millis: i64) -> Self {
        let days = millis.div_euclid(86_400_000);
        // Howard Hinnant's civil_from_days: years start in March, so that the leap day comes last.
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let of_era = shifted.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_index = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month_index + 2) / 5 + 1;
        let month = if month_index < 10 { month_index + 3 } else { month_index - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        Self {
            year: i32::try_from(year).unwrap_or(i32::MAX),
            month: u8::try_from(month).unwrap_or(1),
            day: u8::try_from(day).unwrap_or(1),
        }
    }

    /// Days since 1970-01-01.
    pub fn day_number(self) -> i64 {
        let year = i64::from(self.year) - i64::from(self.month <= 2);
        let era = year.div_euclid(400);
        let of_era = year.rem_euclid(400);
        let month = i64::from(self.month);
        let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + i64::from(self.day) - 1;
        era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
    }

    /// `yyyy-mm-dd`.
    pub fn iso(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }

    /// `ddmmyyyy`, as people write it into boxes.
    pub fn digits(self) -> String {
        format!("{:02}{:02}{:04}", self.day, self.month, self.year)
    }

    /// The only date in a text, which may have other text.
    pub fn read(text: &str) -> Option<Self> {
        find_dates(text).into_iter().map(|(date, _)| date).next()
    }
}

/// The dates in a text, each with its byte range. Day before month, as both languages write it in Europe; a month's
/// name in either place; `yyyy-mm-dd`.
pub fn find_dates(text: &str) -> Vec<(Date, Range<usize>)> {
    let words = words(text);
    let mut dates = Vec::new();
    let mut index = 0;
    while index + 2 < words.len() {
        let three = [&words[index], &words[index + 1], &words[index + 2]];
        // "12 MAR / MARS 2026": passports write the month in two languages.
        let four =
            words.get(index + 3).filter(|_| month_of(three[1].0) != 0 && month_of(three[1].0) == month_of(three[2].0));
        if let Some(date) = date_of(three) {
            dates.push((date, three[0].1.start..three[2].1.end));
            index += 3;
        } else if let Some((date, last)) = four.and_then(|last| Some((date_of([three[0], three[2], last])?, last))) {
            dates.push((date, three[0].1.start..last.1.end));
            index += 4;
        } else {
            index += 1;
        }
    }
    dates
}

/// Between the parts of a date: "9th of March 2026", "9 de marzo de 2026".
const CONNECTING: [&str; 9] = ["de", "del", "do", "of", "th", "st", "nd", "rd", "er"];

type Word<'t> = (&'t str, Range<usize>);

/// Runs of letters and runs of digits, which belong together if only a date's separators are between them.
fn words(text: &str) -> Vec<Word<'_>> {
    let mut words: Vec<Word<'_>> = Vec::new();
    let mut start = None;
    let mut last_is_digit = false;
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        let is_digit = letter.is_ascii_digit();
        let belongs = letter.is_alphanumeric() && (start.is_none() || is_digit == last_is_digit);
        if !belongs && let Some(from) = start.take() {
            let word = &text[from..at];
            if !CONNECTING.contains(&word) {
                words.push((word, from..at));
            }
        }
        if letter.is_alphanumeric() && start.is_none() {
            start = Some(at);
        }
        last_is_digit = is_digit;
    }
    words
}

fn date_of(words: [&Word<'_>; 3]) -> Option<Date> {
    let [first, second, third] = words.map(|word| word.0);
    let between = |left: &Word<'_>, right: &Word<'_>| right.1.start - left.1.end;
    // Words of a table's other columns are not part of a date.
    if between(words[0], words[1]) > 6 || between(words[1], words[2]) > 6 {
        return None;
    }
    let (first_number, third_number) = (number(first), number(third));
    match (month_of(first), month_of(second)) {
        // 12 mars 2026, 1er mars 2026
        (_, month @ 1..) => Date::new(year(third)?, month, u8::try_from(first_number?).ok()?),
        // March 12 2026
        (month @ 1.., _) => Date::new(year(third)?, month, u8::try_from(number(second)?).ok()?),
        _ if first.len() == 4 => {
            Date::new(year(first)?, u8::try_from(number(second)?).ok()?, u8::try_from(third_number?).ok()?)
        }
        _ if first.len() <= 2 && second.len() <= 2 => {
            Date::new(year(third)?, u8::try_from(number(second)?).ok()?, u8::try_from(first_number?).ok()?)
        }
        _ => None,
    }
}

fn number(text: &str) -> Option<u32> {
    text.parse().ok()
}

fn year(text: &str) -> Option<i32> {
    if text.len() == 4 { text.parse().ok() } else { None }
}

/// 0 if it is not a month.
fn month_of(word: &str) -> u8 {
    if word.len() < 3 || !word.chars().next().is_some_and(char::is_alphabetic) {
        return 0;
    }
    let folded = super::fold(word);
    (1..).zip(MONTHS).find(|(_, names)| names.contains(&folded.as_str())).map_or(0, |(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(year: i32, month: u8, day: u8) -> Option<Date> {
        Date::new(year, month, day)
    }

    #[test]
    fn dates_are_read_in_every_notation() {
        for text in [
            "12/03/2026",
            "12.03.2026",
            "12-03-2026",
            "12 03 2026",
            "2026-03-12",
            "12 mars 2026",
            "12 March 2026",
            "March 12, 2026",
            "12 MAR 2026",
            "12 MAR/MARS 2026",
            "12th of March 2026",
            "12 de marzo de 2026",
            "12. März 2026",
            "12 maart 2026",
        ] {
            assert_eq!(Date::read(text), date(2026, 3, 12), "{text}");
        }
        assert_eq!(Date::read("le 1er août 2025"), date(2025, 8, 1));
    }

    #[test]
    fn text_without_a_valid_date_gives_none() {
        for text in ["32/01/2026", "12/13/2026", "01 99 00 12 34", "1 234,56", "FR76 3000 4000", "30.02.2026"] {
            assert_eq!(Date::read(text), None, "{text}");
        }
    }

    #[test]
    fn several_dates_keep_their_places() {
        let found = find_dates("du 01/02/2026 au 28/02/2026");
        assert_eq!(found.len(), 2);
        assert_eq!(found[1].1, 17..27);
    }

    #[test]
    fn days_are_counted_both_ways() {
        for days in [-20_000_i64, -1, 0, 59, 60, 19_000, 20_500] {
            assert_eq!(Date::of_moment(days * 86_400_000).day_number(), days);
        }
        assert_eq!(Date::of_moment(1_795_168_800_000).iso(), "2026-11-20");
    }
}
