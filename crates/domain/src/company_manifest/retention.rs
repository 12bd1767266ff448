//! How long a company keeps what belongs to its cases: the settings in days of the `[company]` table.

use sealwright_base::toml_reader::Table;

const LONGEST_DAYS: u32 = 36_500;

/// How long attempts of webhooks are kept unless the company says otherwise (decisions 12).
pub const DEFAULT_DELIVERY_DAYS: u32 = 30;

/// How many days a company keeps what belongs to its cases; none: without end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retention {
    /// Whole cases, from the closing. A case that was never closed counts from its last change.
    pub case_days: Option<u32>,
    /// The files of the items of closed cases.
    pub original_days: Option<u32>,
    /// What the analyses read in the files of closed cases.
    pub fact_days: Option<u32>,
    /// The recorded attempts of webhooks; none: [`DEFAULT_DELIVERY_DAYS`].
    pub delivery_days: Option<u32>,
}

impl Retention {
    /// Whether `self` removes anything earlier than `before` does.
    pub fn is_shorter_than(&self, before: &Self) -> bool {
        let is_shorter =
            |days: Option<u32>, before: Option<u32>| days.is_some_and(|days| before.is_none_or(|before| days < before));
        is_shorter(self.case_days, before.case_days)
            || is_shorter(self.original_days, before.original_days)
            || is_shorter(self.fact_days, before.fact_days)
            || self.delivery_days.unwrap_or(DEFAULT_DELIVERY_DAYS)
                < before.delivery_days.unwrap_or(DEFAULT_DELIVERY_DAYS)
    }
}

pub(super) fn read(table: &mut Table<'_>) -> Retention {
    Retention {
        case_days: days(table, "case_days"),
        original_days: days(table, "original_days"),
        fact_days: days(table, "fact_days"),
        delivery_days: days(table, "delivery_days"),
    }
}

fn days(table: &mut Table<'_>, key: &'static str) -> Option<u32> {
    let expected = format!("a number of days from 1 to {LONGEST_DAYS}");
    table.optional(key).and_then(|field| {
        field.number(&expected, |number| u32::try_from(number).ok().filter(|days| (1..=LONGEST_DAYS).contains(days)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_days_than_before_and_an_end_where_there_was_none_are_shorter() {
        let of = |case_days, delivery_days| Retention { case_days, delivery_days, ..Retention::default() };
        assert!(of(Some(9), None).is_shorter_than(&of(Some(10), None)));
        assert!(of(Some(9), None).is_shorter_than(&of(None, None)));
        assert!(of(Some(20), Some(5)).is_shorter_than(&of(Some(10), Some(6))));
        assert!(!of(Some(10), Some(6)).is_shorter_than(&of(Some(10), Some(6))));
        assert!(!of(None, Some(7)).is_shorter_than(&of(Some(10), Some(6))));
        // Attempts are kept 30 days by default.
        assert!(!of(None, Some(31)).is_shorter_than(&of(None, None)));
        assert!(of(None, None).is_shorter_than(&of(None, Some(31))));
    }
}
