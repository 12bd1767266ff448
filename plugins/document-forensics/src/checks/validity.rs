//! How long cards are valid: whole years from their issue, or until a birthday. A forger changes the year beyond what the
//! law allows, or the day and the month, and forgets the other date.

use sealwright_plugin_sdk::reading::{Cell, Date};

use crate::subject::Subject;

/// In years: of identity cards and of driving licences (directive 2006/126/EC). Cards of old people can last longer, and
/// then have no date or one far away.
const LONGEST: i64 = 15;
const FAR: i64 = 29;
/// Years are sometimes counted in days.
const DAYS: i64 = 5;

type Dated<'s> = (Date, &'s Cell);

/// The date of expiry, and what is wrong with it.
pub(crate) fn odd<'s>(
    subject: &Subject<'s>,
    issued: &[Dated<'s>],
    ends: &[Dated<'s>],
    births: &[Dated<'s>],
) -> Option<(&'s Cell, &'static str)> {
    let names = |words: &[&str]| subject.cells.iter().any(|cell| words.iter().any(|word| cell.folded.contains(word)));
    // American states and provinces have their own terms.
    let is_identity =
        subject.document_type == "IDENTITY_CARD" && names(&["identite", "identita", "ausweis", "identidad"]);
    let is_european = subject.document_type == "DRIVING_LICENCE"
        && subject.cells.iter().any(|cell| cell.folded.starts_with("4b"))
        && !names(&["license"]);
    let (&(end, cell), &(issue, _)) = (ends.first()?, issued.first()?);
    let is_one = ends.iter().all(|(other, _)| *other == end);
    if subject.recognised || !is_one || !is_identity && !is_european {
        return None;
    }
    // A copy or an attestation has the day on which it was made, too.
    let starts = || issued.iter().map(|(date, _)| *date).filter(|date| *date < end);
    let years = (end.day_number() - starts().max().unwrap_or(issue).day_number()) * 100 / 36_525;
    if (LONGEST..FAR).contains(&years)
        && starts().all(|start| end.day_number() - start.day_number() > LONGEST * 36_525 / 100 + 3)
    {
        return Some((cell, "The card is valid for longer than the law allows."));
    }
    let fits = starts().chain(births.iter().map(|(date, _)| *date)).any(|start| is_anniversary(start, end));
    (is_identity && starts().next().is_some() && years < FAR && !fits)
        .then_some((cell, "The card is not valid for whole years, nor until a birthday."))
}

/// Whether a day is an anniversary of another, or nearly.
fn is_anniversary(of: Date, day: Date) -> bool {
    let year = |date: Date| date.iso().get(..4).and_then(|year| year.parse::<i64>().ok());
    let (Some(year), Some(rest)) = (year(day), of.iso().get(4..).map(str::to_owned)) else { return false };
    (year - 1..=year + 1).any(|year| {
        let rest = if rest == "-02-29" { "-02-28" } else { &rest };
        Date::read(&format!("{year}{rest}")).is_some_and(|other| (other.day_number() - day.day_number()).abs() <= DAYS)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_day_before_an_anniversary_is_one() {
        let is = |of, day| is_anniversary(Date::read(of).unwrap(), Date::read(day).unwrap());
        assert!(is("2019-09-24", "2034-09-23"));
        assert!(is("2020-01-01", "2029-12-31"));
        assert!(is("2024-02-29", "2034-02-28"));
        assert!(!is("2019-09-24", "2034-11-26"));
    }
}
