//! Sums and products among the amounts of a page, without regard to labels: what is in a column or a row.

use sealwright_plugin_sdk::reading::{Cell, find_amounts};

/// The maximum rounding error of a sum of several lines, in hundredths.
const ROUNDING: i64 = 5;
/// Amounts of a column end, or begin, within this distance, in hundredths of a point.
const ALIGNED: u32 = 500;
/// How many amounts are added, when nothing but their neighbourhood says so.
const NEAR: usize = 9;

/// An amount and where it is.
#[derive(Clone, Copy)]
pub(super) struct Entry<'c> {
    /// In hundredths.
    pub(super) value: i64,
    left: i32,
    pub(super) right: i32,
    pub(super) cell: &'c Cell,
}

impl Entry<'_> {
    /// Whether two amounts are in one column: below each other, set flush right or flush left.
    fn is_aligned(&self, other: &Entry<'_>) -> bool {
        self.right.abs_diff(other.right) < ALIGNED || self.left.abs_diff(other.left) < ALIGNED
    }
}

/// The amounts of the cells, in reading order.
///
/// With `whole`, a cell that is one whole number is an amount too: tax is assessed without cents.
pub(super) fn entries<'c>(cells: &'c [Cell], is_read: impl Fn(&Cell) -> bool, whole: bool) -> Vec<Entry<'c>> {
    let of_cell = |cell: &'c Cell| {
        let letters = i32::try_from(cell.text.len().max(1)).unwrap_or(i32::MAX);
        let width = i32::try_from(cell.area.width).unwrap_or(0);
        find_amounts(&cell.text).into_iter().map(move |(amount, place)| {
            // The currency behind an amount belongs to it.
            let rest = cell.text[place.end..].trim();
            let end = if rest.chars().count() <= 4 { letters } else { i32::try_from(place.end).unwrap_or(letters) };
            // "- 12,00": a minus with a space.
            let before = cell.text[..place.start].trim_end_matches([' ', '€', '£', '$', '\u{a0}']);
            let sign = before.strip_suffix(['-', '−', '–', '(']);
            let is_minus = amount.0 > 0 && sign.is_some_and(|rest| rest.is_empty() || rest.ends_with("  "));
            let value = if is_minus { -amount.0 } else { amount.0 };
            let along = |letter: i32| {
                let distance = i64::from(width) * i64::from(letter) / i64::from(letters);
                cell.area.left + i32::try_from(distance).unwrap_or(width)
            };
            // A sign or a currency before an amount is a part of it.
            let start = if before.chars().count() <= 4 { 0 } else { i32::try_from(place.start).unwrap_or(0) };
            Entry { value, left: along(start), right: along(end), cell }
        })
    };
    let whole_number = |cell: &'c Cell| {
        let value = number(&cell.text).filter(|_| whole && find_amounts(&cell.text).is_empty())?;
        let is_minus = cell.text.starts_with(['-', '−', '–', '(']);
        let cents = (value * 100.0).clamp(0.0, 1e12).round();
        #[expect(clippy::cast_possible_truncation, reason = "within the range")]
        let value = if is_minus { -(cents as i64) } else { cents as i64 };
        Some(Entry { value, left: cell.area.left, right: cell.area.right(), cell })
    };
    let read = || cells.iter().filter(|cell| is_read(cell));
    read().flat_map(of_cell).chain(read().filter_map(whole_number)).collect()
}

/// Whether an amount follows from others near it: the column above it, or a sum or difference of up to four.
pub(super) fn is_explained(target: &Entry<'_>, all: &[Entry<'_>]) -> bool {
    let whole = target.value.abs();
    // The only part that is not zero.
    let has_zero = all.iter().any(|entry| entry.value == 0 && entry.cell.page == target.cell.page);
    let is_again = |entry: &Entry<'_>| entry.value.abs() == whole && !std::ptr::eq(entry.cell, target.cell);
    if has_zero && all.iter().any(is_again) {
        return true;
    }
    let on_page = || {
        all.iter().filter(|entry| entry.cell.page == target.cell.page && entry.value.abs() != whole && entry.value != 0)
    };
    let distance = |entry: &Entry<'_>| entry.cell.middle().abs_diff(target.cell.middle());
    // Any column above it: the totals of an invoice are often in a box of their own.
    let above = || on_page().filter(|entry| entry.cell.middle() < target.cell.middle());
    let mut columns: Vec<&Entry<'_>> = vec![target];
    for entry in above() {
        if !columns.iter().any(|column| column.right.abs_diff(entry.right) < ALIGNED) {
            columns.push(entry);
        }
    }
    if columns.iter().any(|first| {
        let mut column: Vec<&Entry<'_>> = above().filter(|entry| entry.is_aligned(first)).collect();
        column.sort_by_key(|entry| distance(entry));
        is_partial_sum(&column, whole)
    }) {
        return true;
    }
    let mut column: Vec<i64> = Vec::new();
    let mut aligned: Vec<&Entry<'_>> = on_page().filter(|entry| entry.is_aligned(target)).collect();
    aligned.sort_by_key(|entry| distance(entry));
    column.extend(aligned.iter().take(NEAR).map(|entry| entry.value));
    let mut near: Vec<&Entry<'_>> = on_page().collect();
    near.sort_by_key(|entry| distance(entry));
    let pool: Vec<i64> = near.iter().take(2 * NEAR).map(|entry| entry.value).chain(column.iter().copied()).collect();
    reaches(&pool, whole, 2) || reaches(&column, whole, 4)
}

/// Whether some amounts of a column that follow each other, from near its end on, add up to `whole`.
fn is_partial_sum(column: &[&Entry<'_>], whole: i64) -> bool {
    (0..column.len().min(6)).any(|skipped| {
        let mut sum = 0;
        column[skipped..].iter().enumerate().any(|(count, entry)| {
            sum += entry.value;
            count >= 1 && (sum.abs() - whole).abs() <= ROUNDING
        })
    })
}

/// The amounts above an amount in its column, the nearest first.
fn above<'a, 'c>(entry: &Entry<'_>, all: &'a [Entry<'c>]) -> Vec<&'a Entry<'c>> {
    let mut above: Vec<&Entry<'_>> = all
        .iter()
        .filter(|other| {
            other.cell.page == entry.cell.page && other.is_aligned(entry) && other.cell.middle() < entry.cell.middle()
        })
        .collect();
    above.sort_by_key(|other| std::cmp::Reverse(other.cell.middle()));
    above
}

/// Whether the amounts directly above an amount, in its column, add up to one that differs from it in one digit: a
/// forger changed that digit, here or there. By chance this happens once in thousands of amounts.
pub(super) fn is_one_digit_off(target: &Entry<'_>, all: &[Entry<'_>]) -> bool {
    let above = above(target, all);
    let mut sum = 0;
    above.iter().enumerate().any(|(count, other)| {
        sum += other.value;
        count >= 1 && differs_in_a_digit(sum, target.value.abs())
    })
}

/// Whether an amount that is a sum is above, and is the same except for one digit: the amount to be paid was changed, and
/// the total before it was not. On a paper that says what was paid already, the difference is printed too.
pub(super) fn is_copied_with_one_digit_off(target: &Entry<'_>, all: &[Entry<'_>]) -> bool {
    /// In hundredths of a point.
    const NEAR: i32 = 9_000;
    let whole = target.value.abs();
    all.iter().any(|other| {
        let down = target.cell.middle() - other.cell.middle();
        let difference = (other.value.abs() - whole).abs();
        other.cell.page == target.cell.page
            && (0..NEAR).contains(&down)
            && differs_in_a_digit(other.value, whole)
            && !all.iter().any(|third| third.value.abs() == difference)
            && follows(other, all)
    })
}

/// Whether two amounts have the same digits except for one, which is not the last: that is rounding.
fn differs_in_a_digit(sum: i64, whole: i64) -> bool {
    let (sum, whole) = (sum.abs().to_string(), whole.to_string());
    let different: Vec<usize> =
        sum.bytes().zip(whole.bytes()).enumerate().filter(|(_, (one, other))| one != other).map(|(at, _)| at).collect();
    // Short amounts are nearly like each other by chance, and so are round ones.
    sum.len() == whole.len()
        && whole.len() >= 4
        && different.len() == 1
        && different[0] + 1 < whole.len()
        && !whole.ends_with("00")
}

/// Whether an amount is the sum of those directly above it in its column.
pub(super) fn follows(entry: &Entry<'_>, all: &[Entry<'_>]) -> bool {
    let above = above(entry, all);
    let mut sum = 0;
    above.iter().enumerate().any(|(count, other)| {
        sum += other.value;
        count >= 1 && other.value != 0 && sum.abs() == entry.value.abs() && entry.value != 0
    })
}

/// Whether a sum or difference of two to `most` of the values is `whole`.
pub(super) fn reaches(values: &[i64], whole: i64, most: usize) -> bool {
    fn search(values: &[i64], from: usize, sum: i64, whole: i64, left: usize, used: usize) -> bool {
        if used >= 2 && (sum.abs() - whole).abs() <= 1 {
            return true;
        }
        left > 0
            && (from..values.len()).any(|index| {
                search(values, index + 1, sum + values[index], whole, left - 1, used + 1)
                    || search(values, index + 1, sum - values[index], whole, left - 1, used + 1)
            })
    }
    search(values, 0, 0, whole, most, 0)
}

/// A row whose last amount should be the product of two numbers before it.
pub(super) struct Row<'c> {
    pub(super) cell: &'c Cell,
    pub(super) holds: bool,
}

/// The rows in which numbers stand where, in at least two other rows, quantity times price is the amount.
pub(super) fn rows<'c>(lines: &[Vec<&'c Cell>]) -> Vec<Row<'c>> {
    let numbered: Vec<Vec<(f64, i32, &Cell)>> = lines
        .iter()
        .map(|line| line.iter().filter_map(|cell| Some((number(&cell.text)?, cell.area.right(), *cell))).collect())
        .filter(|numbers: &Vec<_>| numbers.len() >= 3)
        .collect();
    let fits = |first: f64, second: f64, product: f64| {
        let off = |factor: f64| (first * second * factor - product).abs();
        off(1.0).min(off(0.01)) <= 0.0151 + product.abs() * 0.0002
    };
    // Which columns are factors, and which the product.
    let mut shapes: Vec<([i32; 3], usize)> = Vec::new();
    for numbers in &numbered {
        for (index, (product, at, _)) in numbers.iter().enumerate().skip(2) {
            for (first, left) in (0..index).flat_map(|left| (left + 1..index).map(move |right| (left, right))) {
                let (one, two) = (numbers[first], numbers[left]);
                // Once the price of the unit proves nothing.
                if *product == 0.0 || !fits(one.0, two.0, *product) {
                    continue;
                }
                let shape = [one.1, two.1, *at];
                match shapes.iter_mut().find(|(other, _)| alike(other, &shape)) {
                    Some((_, count)) => *count += 1,
                    None => shapes.push((shape, 1)),
                }
            }
        }
    }
    let Some((shape, _)) = shapes.into_iter().filter(|(_, count)| *count >= 2).max_by_key(|(_, count)| *count) else {
        return Vec::new();
    };
    let mut rows: Vec<Row<'_>> = numbered
        .iter()
        .filter_map(|numbers| {
            let at = |place: i32| numbers.iter().find(|(_, right, _)| right.abs_diff(place) < ALIGNED);
            let (one, two, product) = (at(shape[0])?, at(shape[1])?, at(shape[2])?);
            let holds = fits(one.0, two.0, product.0) || is_discounted(one.0 * two.0, product.0);
            (product.0 != 0.0).then_some(Row { cell: product.2, holds })
        })
        .collect();
    // Under a table of amounts there may be one of days: "2026  18  2  16".
    let in_cents = |row: &Row<'_>| !find_amounts(&row.cell.text).is_empty();
    if rows.iter().filter(|row| row.holds).all(in_cents) {
        rows.retain(|row| row.holds || in_cents(row));
    }
    rows
}

/// A line may have a discount of so many percent.
fn is_discounted(whole: f64, product: f64) -> bool {
    (1..=60).any(|percent| (whole * f64::from(100 - percent) / 100.0 - product).abs() <= 0.0151)
}

fn alike(left: &[i32; 3], right: &[i32; 3]) -> bool {
    left.iter().zip(right).all(|(left, right)| left.abs_diff(*right) < ALIGNED)
}

/// A cell that is one number, perhaps with a currency, a percent sign or a short unit.
fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let start = text.find(|letter: char| letter.is_ascii_digit())?;
    let end = text.rfind(|letter: char| letter.is_ascii_digit())? + 1;
    let (before, digits, after) = (&text[..start], &text[start..end], text[end..].trim());
    let is_sign = |letter: char| " €£$-−+()EURCHF\u{a0}\u{202f}x×".contains(letter);
    if !before.chars().all(is_sign) || after.chars().count() > 5 || after.chars().any(|letter| letter.is_ascii_digit())
    {
        return None;
    }
    let plain: String = digits.chars().filter(|letter| !letter.is_whitespace() && !"'’".contains(*letter)).collect();
    let last = plain.rfind([',', '.']);
    let is_decimal = last.is_some_and(|at| {
        let behind = plain.len() - at - 1;
        behind != 3 || plain.starts_with("0,") || plain.starts_with("0.")
    });
    let cleaned: String = plain
        .char_indices()
        .filter_map(|(at, letter)| match letter {
            '0'..='9' => Some(letter),
            ',' | '.' if is_decimal && Some(at) == last => Some('.'),
            ',' | '.' => None,
            _ => Some('?'),
        })
        .collect();
    cleaned.parse().ok()
}
