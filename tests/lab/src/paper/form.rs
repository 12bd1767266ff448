//! The content of a paper, independent of its layout.

use jiff::civil::Date;

use crate::random::Random;

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Language {
    French,
    English,
}

impl Language {
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::French => "fr",
            Self::English => "en",
        }
    }

    /// The French or the English text.
    pub(crate) fn say<T>(self, french: T, english: T) -> T {
        match self {
            Self::French => french,
            Self::English => english,
        }
    }
}

/// A labelled value, such as "Date of birth: 12.03.1980".
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Empty for a value without a label, such as a line of an address.
    pub(crate) label: String,
    pub(crate) value: String,
    /// Its code in the analysis (decisions 13), if it has one.
    pub(crate) field: Option<&'static str>,
}

/// The table of an invoice, a payslip or a tax notice. The last column contains amounts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) head: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
    /// The sums under the rows.
    pub(crate) sums: Vec<Entry>,
}

/// The whole content of a paper.
#[derive(Clone, Debug, Default)]
pub(crate) struct Form {
    pub(crate) titles: Vec<String>,
    /// The issuer: name, then address and registrations.
    pub(crate) issuer: Vec<Entry>,
    /// Name and address, without labels.
    pub(crate) addressee: Vec<Entry>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) table: Table,
    /// Sentences at the end.
    pub(crate) notes: Vec<String>,
    /// The machine-readable zone's lines.
    pub(crate) zone: Vec<String>,
    /// Has a card's size and a portrait.
    pub(crate) card: bool,
}

impl Form {
    /// An empty paper.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn entry(&mut self, field: &'static str, label: &str, value: impl Into<String>) {
        self.entries.push(Entry { label: label.into(), value: value.into(), field: Some(field) });
    }

    /// An entry without a field code.
    pub(crate) fn other(&mut self, label: &str, value: impl Into<String>) {
        self.entries.push(Entry { label: label.into(), value: value.into(), field: None });
    }

    pub(crate) fn sum(&mut self, field: Option<&'static str>, label: &str, value: impl Into<String>) {
        self.table.sums.push(Entry { label: label.into(), value: value.into(), field });
    }
}

/// A value without a label.
pub(crate) fn plain(field: Option<&'static str>, value: impl Into<String>) -> Entry {
    Entry { label: String::new(), value: value.into(), field }
}

/// The format of dates and amounts, the same throughout a paper.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Notation {
    language: Language,
    date: u64,
    amount: u64,
}

const MONTHS: [[&str; 12]; 2] = [
    [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
    [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
];

impl Notation {
    pub(crate) fn new(language: Language, random: &mut Random) -> Self {
        Self { language, date: random.whole(0, 3), amount: random.whole(0, 2) }
    }

    pub(crate) fn date(self, date: Date) -> String {
        let month = usize::from(date.month().unsigned_abs()) - 1;
        match self.date {
            0 => date.strftime("%d/%m/%Y").to_string(),
            1 => date.strftime("%d.%m.%Y").to_string(),
            2 => format!("{} {} {}", date.day(), self.language.say(MONTHS[0], MONTHS[1])[month], date.year()),
            _ => self.language.say(date.strftime("%d/%m/%Y").to_string(), date.strftime("%d-%m-%Y").to_string()),
        }
    }

    pub(crate) fn amount(self, cents: i64) -> String {
        let sign = if cents < 0 { "-" } else { "" };
        let (whole, rest) = (cents.abs() / 100, cents.abs() % 100);
        match (self.language, self.amount) {
            (Language::French, 0) => format!("{sign}{},{rest:02} €", grouped(whole, "\u{a0}")),
            (Language::French, 1) => format!("{sign}{},{rest:02} EUR", grouped(whole, " ")),
            (Language::French, _) => format!("{sign}{whole},{rest:02} €"),
            (Language::English, 0) => format!("{sign}£{}.{rest:02}", grouped(whole, ",")),
            (Language::English, 1) => format!("{sign}{}.{rest:02} EUR", grouped(whole, ",")),
            (Language::English, _) => format!("{sign}€{whole}.{rest:02}"),
        }
    }
}

fn grouped(whole: i64, separator: &str) -> String {
    let digits = whole.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push_str(separator);
        }
        text.push(digit);
    }
    text
}
