//! The papers of a case and what they state, and the entries of people.

use std::collections::{BTreeMap, BTreeSet};

use sealwright_plugin_sdk::{
    facts::{Item, Origin, StatedValue},
    reading::{Amount, Date, fold},
};

/// Minimum score of a value that may contradict another one.
const SURE: u8 = 60;
/// The same for recognised text.
const SURE_RECOGNISED: u8 = 78;

pub(crate) const CARDS: [&str; 4] = ["IDENTITY_CARD", "PASSPORT", "RESIDENCE_PERMIT", "DRIVING_LICENCE"];

/// A document that states values.
pub(crate) struct Paper {
    pub(crate) item: u64,
    /// Its detected type.
    pub(crate) kind: String,
    /// The title of its step, folded.
    pub(crate) title: String,
    pub(crate) words: BTreeSet<String>,
    stated: BTreeMap<String, Vec<StatedValue>>,
}

impl Paper {
    /// None for an item that is not a document whose values are known.
    pub(crate) fn of(item: &Item) -> Option<Self> {
        let outcome = item.document_outcome()?;
        let values = item.all_stated_values();
        if values.is_empty() {
            return None;
        }
        let mut words = BTreeSet::new();
        let mut stated: BTreeMap<String, Vec<StatedValue>> = BTreeMap::new();
        for value in values {
            if value.kind == "words" {
                words.extend(value.value.split(' ').map(str::to_owned));
            } else {
                stated.entry(value.kind.clone()).or_default().push(value);
            }
        }
        let title = fold(&item.step_title());
        Some(Self { item: item.id(), kind: outcome.document_type, title, words, stated })
    }

    /// How findings name it.
    pub(crate) fn name(&self) -> String {
        format!("ITM-{}", self.item)
    }

    pub(crate) fn is_card(&self) -> bool {
        CARDS.contains(&self.kind.as_str())
    }

    /// Whether it is one by its type or by what it says.
    pub(crate) fn is(&self, kind: &str) -> bool {
        self.all("kind").any(|value| value.value == kind)
    }

    pub(crate) fn is_payslip(&self) -> bool {
        self.is("payslip")
    }

    pub(crate) fn is_statement(&self) -> bool {
        self.is("bank-statement")
    }

    /// All values of a kind.
    pub(crate) fn all(&self, kind: &str) -> impl Iterator<Item = &StatedValue> {
        self.stated.get(kind).into_iter().flatten()
    }

    /// Values of a kind that may contradict others.
    pub(crate) fn sure(&self, kind: &str) -> impl Iterator<Item = &StatedValue> {
        self.all(kind).filter(|value| is_sure(value))
    }

    pub(crate) fn one(&self, kind: &str) -> Option<&StatedValue> {
        self.sure(kind).next()
    }

    pub(crate) fn day(&self, kind: &str) -> Option<Date> {
        Date::read(&self.one(kind)?.value)
    }

    pub(crate) fn amount(&self, kind: &str) -> Option<i64> {
        cents(&self.one(kind)?.value)
    }

    /// Whether its text was recognised in pictures.
    pub(crate) fn is_recognised(&self) -> bool {
        self.stated.values().flatten().any(|value| value.origin == Origin::Recognised)
    }

    /// Whether a day is somewhere on it, also with day and month swapped.
    pub(crate) fn mentions_day(&self, day: Date) -> bool {
        let swapped = Date::new(day.year, day.day, day.month);
        self.all("mentionedDate")
            .filter_map(|value| Date::read(&value.value))
            .any(|other| other == day || Some(other) == swapped)
    }

    /// Whether an amount is somewhere on it.
    pub(crate) fn mentions_amount(&self, cents: i64) -> bool {
        self.amounts().any(|other| other == cents.abs())
    }

    pub(crate) fn amounts(&self) -> impl Iterator<Item = i64> {
        self.all("mentionedAmount").filter_map(|value| self::cents(&value.value))
    }

    /// The day that it is of: of the end of a paid month, of its issue, or its latest day until `today`.
    pub(crate) fn day_of(&self, today: Date) -> Option<Date> {
        let month = self.one("payPeriod").and_then(|value| Date::read(&format!("{}-28", value.value)));
        let until = |day: &Date| *day <= today;
        let latest = || self.all("mentionedDate").filter_map(|value| Date::read(&value.value)).filter(until).max();
        month.or_else(|| self.day("issueDate").filter(until)).or_else(latest)
    }

    /// The month that a payslip pays, as a number that grows by one a month.
    pub(crate) fn month(&self) -> Option<i32> {
        let (year, month) = self.one("payPeriod")?.value.split_once('-')?;
        Some(year.parse::<i32>().ok()? * 12 + month.parse::<i32>().ok()?)
    }

    /// Accounts that are somewhere on it.
    pub(crate) fn accounts(&self) -> BTreeSet<&str> {
        self.all("iban").chain(self.all("mentionedAccount")).map(|value| value.value.as_str()).collect()
    }
}

pub(crate) fn is_sure(value: &StatedValue) -> bool {
    match value.origin {
        Origin::OwnText => value.score >= SURE,
        Origin::Recognised => value.score >= SURE_RECOGNISED,
        Origin::MachineCode => true,
    }
}

/// An amount in hundredths.
pub(crate) fn cents(text: &str) -> Option<i64> {
    Amount::read(text).map(|amount| amount.0.abs())
}

/// Whether two amounts are the same but for rounding.
pub(crate) fn is_nearly(one: i64, other: i64) -> bool {
    one.abs_diff(other) <= 100.max(one.unsigned_abs().max(other.unsigned_abs()) / 100)
}

/// Whether two texts of digits differ so little that one may be misread.
pub(crate) fn may_be_misread(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).filter(|(first, second)| first != second).count() <= 1
}

/// A value that a person entered, or that was given when the case was opened.
pub(crate) struct Entry {
    /// How findings name it.
    pub(crate) name: String,
    /// The codes of the fields that it is.
    pub(crate) codes: Vec<&'static str>,
    pub(crate) value: String,
}

impl Entry {
    pub(crate) fn is(&self, code: &str) -> bool {
        self.codes.contains(&code)
    }
}
