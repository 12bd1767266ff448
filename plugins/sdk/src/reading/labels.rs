//! Values after, next to or under a label, and the French and English labels that more than one plugin uses. Labels are
//! folded; the more specific ones come first.

use super::Cell;

/// The day on which a paper was issued.
pub const ISSUED: [&str; 23] = [
    "delivre le",
    "delivree le",
    "date de delivrance",
    "date of issue",
    "date d emission",
    "date de facture",
    "date de la facture",
    "facture du",
    "invoice date",
    "bill date",
    "issued on",
    "issue date",
    "emise le",
    "emis le",
    "etablie le",
    "etabli le",
    "date d etablissement",
    "fait le",
    "delivre le",
    "4a delivre le",
    "4a date of issue",
    "extrait a jour au",
    "dated",
];
/// The last day on which it is valid.
pub const EXPIRES: [&str; 16] = [
    "date d expiration",
    "date d expir",
    "date of expiry",
    "expiry date",
    "valable jusqu au",
    "valid until",
    "expire le",
    "4b expire le",
    "4b date of expiry",
    "fin de validite",
    "cover ends",
    "date d echeance",
    "expires",
    "jusqu au",
    "au",
    "4b",
];
/// The day on which its holder was born.
pub const BORN: [&str; 10] = [
    "date de naissance",
    "date of birth",
    "date et lieu de naissance",
    "date and place of birth",
    "3 date et lieu de naissance",
    "3 date and place of birth",
    "ne e le",
    "ne le",
    "nee le",
    "born",
];
/// The total of a bill, including tax.
pub const TOTAL: [&str; 12] = [
    "montant ttc a payer",
    "montant total ttc",
    "total a payer ttc",
    "total ttc",
    "total to be paid",
    "total to pay",
    "total due",
    "amount due",
    "total this bill",
    "net a payer",
    "balance due",
    "grand total",
];
/// The total before tax.
pub const NET: [&str; 8] = [
    "montant total ht",
    "sous total ht",
    "total hors tva",
    "total ht",
    "total before vat",
    "total excl vat",
    "net amount",
    "subtotal",
];
/// The net pay of an employee.
pub const PAID: [&str; 6] =
    ["net a payer avant impot", "net paye en euros", "net paye", "net pay", "take home pay", "net a payer"];

/// Where to look for a value in the label's line.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ValuePosition {
    /// The next cell to the right, else the one below.
    Next,
    /// The last cell of the line: amounts are at the right edge.
    Last,
}

/// The results of `read` for the texts that belong to one of the `labels` (folded), each with its cell, in page order.
pub fn labelled<'c, T>(
    cells: &'c [Cell],
    labels: &[&[&str]],
    position: ValuePosition,
    read: impl Fn(&str) -> Option<T>,
) -> Vec<(T, &'c Cell)> {
    cells
        .iter()
        .filter(|cell| labels.iter().copied().flatten().any(|label| begins(&cell.folded, label)))
        .filter_map(|label| {
            let own = || read(&label.text).map(|value| (value, label));
            let right = || line_of(label, cells, position).into_iter().find_map(|cell| Some((read(&cell.text)?, cell)));
            let under = || below(label, cells).and_then(|cell| Some((read(&cell.text)?, cell)));
            match position {
                ValuePosition::Next => own().or_else(right).or_else(under),
                ValuePosition::Last => right().or_else(own),
            }
        })
        .collect()
}

fn begins(folded: &str, label: &str) -> bool {
    let own = |text: &str| text.strip_prefix(label).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    // Cards number their labels: "4a Date of issue".
    let numbered = || folded.split_once(' ').filter(|(number, _)| number.len() <= 2 && !number.is_empty());
    own(folded)
        || numbered()
            .is_some_and(|(number, text)| number.starts_with(|first: char| first.is_ascii_digit()) && own(text))
}

fn line_of<'c>(label: &Cell, cells: &'c [Cell], position: ValuePosition) -> Vec<&'c Cell> {
    let mut right: Vec<&Cell> =
        cells.iter().filter(|cell| cell.area.left >= label.area.right() && label.is_next_to(cell)).collect();
    right.sort_by_key(|cell| cell.area.left);
    match position {
        ValuePosition::Next => right.truncate(1),
        ValuePosition::Last => right.reverse(),
    }
    right
}

fn below<'c>(label: &Cell, cells: &'c [Cell]) -> Option<&'c Cell> {
    let height = i32::try_from(label.area.height).unwrap_or(1_000);
    cells
        .iter()
        .filter(|cell| {
            let down = cell.middle() - label.middle();
            cell.page == label.page
                && (height / 3..(height * 7 / 2).max(2_000)).contains(&down)
                && cell.area.left.abs_diff(label.area.left) < 1_500 + label.area.height
        })
        .min_by_key(|cell| cell.middle())
}
