//! The data fields of the French state's perimeter (01), as version 3.3 of the specification lists them.

use super::date;

/// A field: its length and its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Definition {
    /// The most characters; `None` if the specification sets no bound.
    pub(super) most: Option<usize>,
    form: Form,
    pub(super) name: &'static str,
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Text,
    /// Digits, with a comma before decimals.
    Amount,
    /// Four hexadecimal digits.
    Days,
    /// `ddmmyyyy`, with or without `hhmm`.
    Digits,
}

/// One field a line: identifier, length (a minus sign means "at most", and nothing behind it "any"), form, name.
const TABLE: &str = include_str!("fields.tsv");

/// The definition of an identifier.
pub(super) fn definition(id: &str) -> Option<Definition> {
    let line = TABLE.lines().find(|line| line.split('\t').next() == Some(id))?;
    let mut columns = line.split('\t').skip(1);
    let (length, form, name) = (columns.next()?, columns.next()?, columns.next()?);
    let form = match form {
        "a" => Form::Amount,
        "d" => Form::Days,
        "D" | "T" => Form::Digits,
        _ => Form::Text,
    };
    Some(Definition { most: length.trim_start_matches('-').parse().ok(), form, name })
}

impl Definition {
    /// A value in the notation of [`CodeField`](super::CodeField). One that does not have its form stays as it is.
    pub(super) fn value(&self, raw: &str) -> String {
        let plain = raw.trim();
        match self.form {
            Form::Text => None,
            Form::Amount => Some(plain.replace(',', ".")),
            Form::Days => date::of_days(plain),
            Form::Digits => date::of_digits(plain),
        }
        .unwrap_or_else(|| plain.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_a_field_and_each_identifier_is_there_once() {
        let ids: std::collections::BTreeSet<&str> = TABLE.lines().map(|line| &line[..2]).collect();
        assert_eq!(ids.len(), TABLE.lines().count());
        for id in ids {
            assert!(definition(id).is_some_and(|definition| !definition.name.is_empty()), "{id}");
        }
        assert_eq!(definition("1D").map(|definition| definition.most), Some(Some(16)));
        assert_eq!(definition("18").map(|definition| definition.most), Some(None));
        assert_eq!(definition("ZZ"), None);
    }
}
