//! Values next to, after or under their labels.

use sealwright_plugin_sdk::{
    findings::Place,
    reading::{Amount, Cell, Date, fold},
};

use crate::{
    compare::{as_seen, distance},
    fields::{FIELDS, Field, Kind, is_label, labels},
    value,
};

/// A value as read.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) value: String,
    pub(crate) place: Place,
    pub(crate) score: u8,
}

impl Reading {
    /// A value without a label.
    pub(crate) fn unlabelled(value: String, cell: &Cell) -> Self {
        Self { value, place: Place { page: cell.page, area: Some(cell.place) }, score: 45.min(cell.confidence) }
    }
}

/// The value of a field by its labels; the most specific label wins, then the uppermost place. If no label matches
/// exactly, a misread label is searched for.
pub(crate) fn read(field: &Field, cells: &[Cell]) -> Option<Reading> {
    let as_written = |cell: &Cell, label: &str| begins_with(&cell.folded, label).then(|| label.to_owned());
    by_label(field, cells, &as_written, 0)
        .or_else(|| by_label(field, cells, &|cell, label| misread(cell, label, 8), 15))
        .or_else(|| by_label(field, cells, &|cell, label| misread(cell, label, 4), 25))
}

/// `begins` returns the label at the start of the cell's text, if there is one. `doubt` is subtracted from the score.
fn by_label(
    field: &Field,
    cells: &[Cell],
    begins: &dyn Fn(&Cell, &str) -> Option<String>,
    doubt: u8,
) -> Option<Reading> {
    field.labels().zip(0_u8..).find_map(|(label, rank)| {
        let score = 92_u8.saturating_sub(rank).max(60) - doubt;
        let mut places = cells.iter().enumerate().filter_map(|(index, cell)| Some((index, cell, begins(cell, label)?)));
        places.find_map(|(index, cell, label)| {
            if is_label_of_another(field, &cell.folded, &label) {
                return None;
            }
            // A short label such as "le" or "A" counts only if it stands alone.
            let short = label.len() <= 4;
            let behind =
                if short && !has_separator(&cell.text, &label) { None } else { behind_label(field.kind, cell, &label) };
            let found = behind.map(|value| (value, cell)).or_else(|| {
                if cell.folded != label && !is_nearly(&cell.folded, &label) {
                    return None;
                }
                if is_stacked(index, cells) {
                    return below(field.kind, index, cells).or_else(|| next_to(field.kind, index, cells));
                }
                next_to(field.kind, index, cells).or_else(|| if short { None } else { below(field.kind, index, cells) })
            });
            let (value, at) = found?;
            Some(Reading {
                value,
                place: Place { page: at.page, area: Some(at.place) },
                score: score.min(at.confidence.max(40)),
            })
        })
    })
}

/// Whether a text that starts with a label of this field is a longer label of another one: "C.1 Prénom" is not "C.1".
fn is_label_of_another(field: &Field, folded: &str, label: &str) -> bool {
    folded.len() > label.len()
        && !field.labels().any(|own| own == folded)
        && FIELDS.iter().filter(|other| other.code != field.code).any(|other| other.labels().any(|own| own == folded))
}

/// The words at the start of a recognised text, if they are the label except for one letter in `letters`.
fn misread(cell: &Cell, label: &str, letters: usize) -> Option<String> {
    // A PDF's own text is not misread. A short label that is misread may look like another label.
    if !is_recognised(cell) || label.len() < if letters == 4 { 9 } else { 6 } {
        return None;
    }
    let words = label.split(' ').count();
    let meant = as_seen(label);
    let most = meant.chars().count() / letters;
    let near = |beginning: &String| {
        let seen = as_seen(beginning);
        // Cheap, and rejects nearly all: a plugin has half a second for a document.
        seen.chars().count().abs_diff(meant.chars().count()) <= most && distance(&seen, &meant) <= most
    };
    // Recognition splits and joins words.
    [words, words + 1, words.saturating_sub(1)].into_iter().filter(|count| *count > 0).find_map(|count| {
        let beginning = cell.folded.split(' ').take(count).collect::<Vec<_>>().join(" ");
        (near(&beginning) && !(letters == 4 && is_other_label(&beginning, label))).then_some(beginning)
    })
}

/// Whether the words are closer to another label than to this one.
fn is_other_label(words: &str, label: &str) -> bool {
    let own = distance(words, label);
    labels().any(|other| other != label && other.len() > 3 && distance(words, other) < own)
}

/// Whether a recognised text is only a label, even if its words were split differently and letters misread: one letter
/// in six, or in five for long ones.
fn is_misread_label(folded: &str) -> bool {
    let seen = as_seen(&folded.replace(' ', ""));
    let length = seen.chars().count();
    let most = length / if length < 10 { 6 } else { 5 };
    length >= 5
        && labels().any(|label| {
            let meant = as_seen(&label.replace(' ', ""));
            meant.len().abs_diff(seen.len()) <= most && distance(&seen, &meant) <= most
        })
}

/// Whether it is recognised text, which may be misread.
pub(crate) fn is_recognised(cell: &Cell) -> bool {
    cell.confidence < 100
}

/// Whether a cell is a label itself.
fn lacks_value(cell: &Cell) -> bool {
    is_label(&cell.folded) || is_recognised(cell) && is_misread_label(&cell.folded)
}

/// A value of this kind at the start of a cell's text, or of a part of it.
fn accepted(kind: Kind, text: &str, cell: &Cell) -> Option<String> {
    if is_recognised(cell) { value::accepted_as_misread(kind, text) } else { value::accepted(kind, text) }
}

fn begins_with(folded: &str, label: &str) -> bool {
    folded.strip_prefix(label).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// Whether little follows the label, such as the other language's word or a currency, and nothing that turns it into
/// another label: a total without tax is not the total.
fn is_nearly(folded: &str, label: &str) -> bool {
    const OTHER: [&str; 9] = ["ht", "excl", "hors", "before", "net", "tva", "vat", "brut", "gross"];
    if folded[label.len()..].split(' ').any(|word| OTHER.contains(&word)) {
        return false;
    }
    folded.len() <= label.len() + 12 && !folded[label.len()..].chars().any(|letter| letter.is_ascii_digit())
}

fn has_separator(text: &str, label: &str) -> bool {
    text.chars().take(label.len() + 4).any(|letter| matches!(letter, ':' | '.' | '#'))
        || text.get(..label.len() + 1).is_some_and(|head| head.ends_with(' '))
}

/// What follows the label in the same cell.
fn behind_label(kind: Kind, cell: &Cell, label: &str) -> Option<String> {
    let rest = rest_behind(&cell.text, label)?;
    let rest = rest.trim_start_matches([' ', ':', '-', '.', '/', '#', '°', '\u{a0}', '|']).trim();
    // "C.1 Nom" is a label and not a name, and so is "C.1 Sumame".
    let is_label = labels().any(|label| label.len() > 2 && label == fold(rest));
    if is_label || is_recognised(cell) && is_misread_label(&fold(rest)) { None } else { accepted(kind, rest, cell) }
}

/// The text after as many folded letters and digits as the label has.
fn rest_behind<'t>(text: &'t str, label: &str) -> Option<&'t str> {
    let wanted: usize = label.chars().filter(|letter| *letter != ' ').count();
    let mut seen = 0;
    for (at, letter) in text.char_indices() {
        if seen >= wanted {
            return Some(&text[at..]);
        }
        seen += fold(letter.encode_utf8(&mut [0; 4])).len();
    }
    None
}

/// Whether the value is under the label, which is smaller: then the text next to the label is another label. The boxes
/// of recognised text say little about sizes, so there it is enough that the value is closer to its label than to what
/// follows.
fn is_stacked(index: usize, cells: &[Cell]) -> bool {
    let label = &cells[index];
    let Some(under) = nearest_below(index, cells) else { return false };
    if under.size * 85 >= label.size * 100 && !is_recognised(label) {
        return true;
    }
    if !is_recognised(label) {
        return false;
    }
    let is_near =
        |cell: &&Cell| cell.page == label.page && cell.area.left.abs_diff(label.area.left) < label.area.height;
    let to_value = under.middle() - label.middle();
    let behind = cells.iter().filter(is_near).map(|cell| cell.middle() - under.middle()).filter(|down| *down > 0).min();
    let before = cells.iter().filter(is_near).map(|cell| label.middle() - cell.middle()).filter(|up| *up > 0).min();
    let is_apart = |gap: Option<i32>| gap.is_none_or(|gap| gap * 10 > to_value * 13);
    let by_gaps = is_apart(behind) && is_apart(before);
    match (behind, before) {
        (Some(_), Some(_)) => by_gaps,
        (None, None) => under.size * 85 >= label.size * 100,
        _ => by_gaps || under.size * 85 >= label.size * 100,
    }
}

/// The next cells to the right in the same line. Amounts are at the line's end, so the last one counts.
fn next_to(kind: Kind, index: usize, cells: &[Cell]) -> Option<(String, &Cell)> {
    let label = &cells[index];
    let mut right: Vec<&Cell> =
        cells.iter().filter(|cell| cell.area.left >= label.area.right() && label.is_next_to(cell)).collect();
    right.sort_by_key(|cell| cell.area.left);
    if kind == Kind::Amount {
        right.reverse();
    } else {
        // Another label in between belongs to another column.
        right.truncate(1);
    }
    right.into_iter().filter(|cell| !lacks_value(cell)).find_map(|cell| Some((accepted(kind, &cell.text, cell)?, cell)))
}

/// The nearest cell under the label with the same left edge, if it is a value.
fn below(kind: Kind, index: usize, cells: &[Cell]) -> Option<(String, &Cell)> {
    nearest_below(index, cells)
        .filter(|cell| !lacks_value(cell))
        .and_then(|cell| Some((accepted(kind, &cell.text, cell)?, cell)))
}

fn nearest_below(index: usize, cells: &[Cell]) -> Option<&Cell> {
    let label = &cells[index];
    let reach = i32::try_from(label.area.height).unwrap_or(1_000).saturating_mul(7) / 2;
    cells
        .iter()
        .filter(|cell| {
            let down = cell.middle() - label.middle();
            cell.page == label.page
                && down > i32::try_from(label.area.height / 3).unwrap_or(0)
                && down < reach.max(2_000)
                && cell.area.left.abs_diff(label.area.left) < 1_500 + label.area.height
        })
        .min_by_key(|cell| cell.middle())
}

/// The plain form of a value: dates as `yyyy-mm-dd`, amounts with a point, accounts without spaces.
pub(crate) fn plain(kind: Kind, text: &str) -> String {
    match kind {
        Kind::Date => Date::read(text).map_or_else(|| text.to_owned(), Date::iso),
        Kind::Amount => Amount::read(text).map_or_else(|| text.to_owned(), Amount::plain),
        Kind::Account | Kind::Bank => {
            text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_uppercase()
        }
        _ => text.to_owned(),
    }
}
