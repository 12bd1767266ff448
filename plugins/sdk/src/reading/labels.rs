//! Values that stand behind, beside or under a label.

use super::Cell;

/// Where to look for a value in the label's line.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Beside {
    /// The next cell to the right, else the one below.
    Next,
    /// The last cell of the line: amounts stand at the right edge.
    Last,
}

/// What `read` makes of the texts that belong to one of the `labels` (folded), each with the cell where it stands, in the
/// order of the page.
pub fn labelled<'c, T>(
    cells: &'c [Cell],
    labels: &[&str],
    beside: Beside,
    read: impl Fn(&str) -> Option<T>,
) -> Vec<(T, &'c Cell)> {
    cells
        .iter()
        .filter(|cell| labels.iter().any(|label| begins(&cell.folded, label)))
        .filter_map(|label| {
            let own = || read(&label.text).map(|value| (value, label));
            let right = || line_of(label, cells, beside).into_iter().find_map(|cell| Some((read(&cell.text)?, cell)));
            let under = || below(label, cells).and_then(|cell| Some((read(&cell.text)?, cell)));
            match beside {
                Beside::Next => own().or_else(right).or_else(under),
                Beside::Last => right().or_else(own),
            }
        })
        .collect()
}

fn begins(folded: &str, label: &str) -> bool {
    folded.strip_prefix(label).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

fn line_of<'c>(label: &Cell, cells: &'c [Cell], beside: Beside) -> Vec<&'c Cell> {
    let mut right: Vec<&Cell> =
        cells.iter().filter(|cell| cell.area.left >= label.area.right() && label.is_beside(cell)).collect();
    right.sort_by_key(|cell| cell.area.left);
    match beside {
        Beside::Next => right.truncate(1),
        Beside::Last => right.reverse(),
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
