//! Forgeries of a paper's content. The forger does not recompute check digits.

use super::Forgery;
use crate::{
    paper::form::{Entry, Form},
    random::Random,
};

/// Changes a form; returns false if it has nothing to change.
pub(in crate::paper) fn change_form(forgery: Forgery, form: &mut Form, random: &mut Random) -> bool {
    match forgery {
        Forgery::WrongZone => wrong_zone(form, random),
        Forgery::WrongAccount => wrong_account(form, random),
        Forgery::WrongDates => wrong_dates(form, random),
        Forgery::WrongTotals => wrong_totals(form, random),
        _ => true,
    }
}

/// Another digit in the number or in a date of the zone; its check digit stays.
fn wrong_zone(form: &mut Form, random: &mut Random) -> bool {
    let passport = form.zone.len() == 2;
    let (line, ranges): (usize, [std::ops::Range<usize>; 2]) =
        if passport { (1, [13..19, 21..27]) } else { (1, [0..6, 8..14]) };
    let Some(text) = form.zone.get_mut(line) else { return false };
    let range = random.pick(&[0, 1]);
    let at = ranges[range].start + usize::try_from(random.whole(0, 1)).unwrap_or(0);
    replace_digit(text, at, random);
    true
}

fn wrong_account(form: &mut Form, random: &mut Random) -> bool {
    let Some(entry) = form.entries.iter_mut().find(|entry| entry.field == Some("iban")) else { return false };
    let places: Vec<usize> =
        entry.value.char_indices().skip(5).filter(|(_, letter)| letter.is_ascii_digit()).map(|(at, _)| at).collect();
    replace_digit(&mut entry.value, random.pick(&places), random);
    true
}

/// Replaces the digit at a place, never with one whose difference the check digits would miss.
fn replace_digit(text: &mut String, at: usize, random: &mut Random) {
    let digit = text[at..=at].parse::<u64>().unwrap_or(0);
    let other = (digit + random.whole(1, 4)) % 10;
    text.replace_range(at..=at, &other.to_string());
}

/// Moves the later of two dates before the earlier one.
fn wrong_dates(form: &mut Form, random: &mut Random) -> bool {
    let has_expiry = form.entries.iter().any(|entry| entry.field == Some("expiryDate"));
    let changed =
        |entry: &&mut Entry| if has_expiry { entry.field == Some("expiryDate") } else { is_due_date(&entry.label) };
    let Some(entry) = form.entries.iter_mut().find(changed) else { return false };
    let years = random.whole(18, 24);
    match year_place(&entry.value) {
        Some(at) => {
            let year: u64 = entry.value[at..at + 4].parse().unwrap_or(2026);
            entry.value.replace_range(at..at + 4, &(year - years).to_string());
            true
        }
        None => false,
    }
}

fn is_due_date(label: &str) -> bool {
    ["chéance", "régler avant", "Due date", "Payable by", "Payment due", "Prélevé le", "payer avant", "collect on"]
        .iter()
        .any(|word| label.contains(word))
}

/// The place of four digits that start with 19 or 20.
fn year_place(text: &str) -> Option<usize> {
    text.char_indices().map(|(at, _)| at).find(|&at| {
        text.get(at..at + 4).is_some_and(|year| {
            (year.starts_with("19") || year.starts_with("20")) && year.bytes().all(|byte| byte.is_ascii_digit())
        })
    })
}

/// Another first digit in the last sum.
fn wrong_totals(form: &mut Form, random: &mut Random) -> bool {
    let Some(sum) = form.table.sums.last_mut() else { return false };
    let Some(at) = sum.value.find(|letter: char| letter.is_ascii_digit()) else { return false };
    let digit = sum.value[at..=at].parse::<u64>().unwrap_or(1);
    let other = digit % 9 + random.whole(1, 2);
    sum.value.replace_range(at..=at, &other.min(9).to_string());
    digit != other.min(9) || {
        sum.value.insert(at, '1');
        true
    }
}
