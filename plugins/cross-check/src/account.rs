//! Account numbers and bank codes: standards define their form, so that they need no label.

use sealwright_plugin_sdk::{
    findings::Place,
    reading::{Account, Cell, find_accounts},
};

use crate::{
    fields::{Kind, is_label},
    labelled::{Reading, is_recognised},
    value,
};

/// The first account number (ISO 13616). If recognition misread one character, the check digits show which one.
pub(crate) fn number(cells: &[Cell]) -> Option<Reading> {
    let in_one = cells.iter().find_map(|cell| Some((in_text(&cell.text, is_recognised(cell))?, cell)));
    // Recognition may split a number at a wide space.
    let in_line = || {
        cells.iter().filter(|cell| is_recognised(cell)).find_map(|cell| {
            let mut right: Vec<&Cell> =
                cells.iter().filter(|other| other.area.left >= cell.area.right() && cell.is_next_to(other)).collect();
            right.sort_by_key(|other| other.area.left);
            let text = [cell].into_iter().chain(right).map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" ");
            Some((in_text(&text, true)?, cell))
        })
    };
    let (account, cell) = in_one.or_else(in_line)?;
    let place = Place { page: cell.page, area: Some(cell.place) };
    Some(Reading { score: if account.is_right() { 95 } else { 60 }, value: account.iban, place })
}

fn in_text(text: &str, recognised: bool) -> Option<Account> {
    let text = text.to_uppercase();
    let found = find_accounts(&text).into_iter().map(|(account, _)| account).next();
    if !recognised || found.as_ref().is_some_and(Account::is_right) {
        return found;
    }
    // The two check digits are digits: "GBO8".
    let with_figures = || {
        let (at, _) = text.match_indices(|letter: char| letter.is_ascii_uppercase()).find(|(at, _)| {
            text.get(at + 2..at + 4)
                .is_some_and(|digits| value::figures(digits).is_some_and(|figures| figures != digits))
        })?;
        let digits = value::figures(text.get(at + 2..at + 4)?)?;
        let text = format!("{}{digits}{}", &text[..at + 2], &text[at + 4..]);
        find_accounts(&text).into_iter().map(|(account, _)| account).next()
    };
    let found = found.or_else(with_figures)?;
    Some(corrected(&found).unwrap_or(found))
}

/// The number with correct check digits, if a letter was misread as a similar digit, or a digit as a letter, and only
/// one such number is correct. A digit in place of another digit is not corrected: it may be a forgery.
fn corrected(account: &Account) -> Option<Account> {
    if account.is_right() {
        return None;
    }
    let only = |alike: &dyn Fn(char) -> &'static str| {
        let mut right = account.iban.char_indices().skip(2).flat_map(|(at, letter)| {
            alike(letter).chars().map(move |other| {
                let iban = format!("{}{other}{}", &account.iban[..at], &account.iban[at + 1..]);
                Account { iban }
            })
        });
        let is_right =
            |account: &Account| account.iban[2..4].bytes().all(|digit| digit.is_ascii_digit()) && account.is_right();
        let first = right.by_ref().find(is_right)?;
        right.all(|other| !is_right(&other)).then_some(first)
    };
    only(&figure_like).or_else(|| only(&letters_like))
}

fn figure_like(letter: char) -> &'static str {
    match letter {
        'O' | 'D' | 'Q' => "0",
        'I' => "1",
        'Z' => "2",
        'S' => "5",
        'G' => "6",
        'B' => "8",
        _ => "",
    }
}

fn letters_like(figure: char) -> &'static str {
    match figure {
        '0' => "ODQ",
        '1' => "I",
        '2' => "Z",
        '5' => "S",
        '6' => "G",
        '8' => "B",
        _ => "",
    }
}

/// The holder on a paper that shows an account: the name above the last line with a whole address; the bank's own
/// address comes before it.
pub(crate) fn holder(cells: &[Cell]) -> Option<Reading> {
    number(cells)?;
    cells.iter().enumerate().rev().find_map(|(index, address)| {
        let is_address =
            is_recognised(address) && address.text.contains(',') && value::post_code(&address.text).is_some();
        let name = cells[..index].iter().rev().take(4).find(|cell| {
            is_address
                && cell.area.left.abs_diff(address.area.left) < address.area.height
                && cell.middle() < address.middle()
                && address.middle().abs_diff(cell.middle()) < address.area.height.saturating_mul(3)
        })?;
        let is_name = (2..=5).contains(&name.folded.split(' ').count())
            && value::accepted(Kind::Name, &name.text).is_some()
            && !is_label(&name.folded);
        let place = Place { page: name.page, area: Some(name.place) };
        is_name.then(|| Reading { value: name.text.clone(), place, score: 50.min(name.confidence) })
    })
}

/// The bank's code (ISO 9362) on a paper that shows an account: a piece of text that is one, of the account's country.
pub(crate) fn bank(cells: &[Cell]) -> Option<Reading> {
    let account = number(cells)?;
    let country = account.value.get(..2)?;
    let cell = cells.iter().find(|cell| {
        let text = cell.text.trim_end_matches('.');
        matches!(text.len(), 8 | 11)
            && text.get(4..6) == Some(country)
            && text.bytes().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit())
            && text.bytes().take(6).all(|letter| letter.is_ascii_uppercase())
    })?;
    let place = Place { page: cell.page, area: Some(cell.place) };
    Some(Reading { value: cell.text.trim_end_matches('.').to_owned(), place, score: 75.min(cell.confidence) })
}
