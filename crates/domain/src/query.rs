//! Reading the parameters of a query.

use std::{ops::RangeInclusive, str::FromStr};

use serde_json::Value;

use super::fields::describe;

/// The pairs of a query, read name by name.
pub(crate) struct Query<'a> {
    pairs: &'a [(String, String)],
    /// What is wrong with those that were read.
    pub(crate) problems: Vec<String>,
}

impl<'a> Query<'a> {
    pub(crate) const fn new(pairs: &'a [(String, String)]) -> Self {
        Self { pairs, problems: Vec::new() }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&'a str> {
        self.pairs.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// A value that must be as `expected` if it is given. An empty one is wrong (decisions 2), and so is a name that is
    /// given twice: it is ambiguous.
    pub(crate) fn read<T>(&mut self, name: &str, expected: &str, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let text = self.get(name)?;
        if self.pairs.iter().filter(|(given, _)| given == name).count() > 1 {
            self.problems.push(format!("{name} must be given once"));
            return None;
        }
        let read = parse(text);
        if read.is_none() {
            self.problems.push(format!("{name} must be {expected}, got {}", describe(&Value::from(text))));
        }
        read
    }

    /// `true` or `false`; anything else counts as absent (spec 4.3; decisions 6).
    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        self.get(name)?.parse().ok()
    }
}

/// Only decimal digits, within the bounds.
pub(crate) fn whole_number<T: FromStr + PartialOrd>(text: &str, bounds: RangeInclusive<T>) -> Option<T> {
    // `parse` would also accept a leading `+`.
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| text.parse::<T>().ok())??;
    bounds.contains(&number).then_some(number)
}
