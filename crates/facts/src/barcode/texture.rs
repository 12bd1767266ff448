//! Where a picture may show a two-dimensional code: squares of fine black and white, with paper around them.
//!
//! Looking for codes everywhere takes a tenth of a second for a page. This takes a few milliseconds, and hardly any page
//! without a code has such a square.

use crate::image::plane::Plane;

/// The side of a cell, in dots of the reduced picture. At 100 dots per inch it is 2 mm.
const CELL: usize = 8;
/// The reduced picture has about this many dots on its longer side: 100 dots per inch for A4.
const REDUCED_SIDE: usize = 1_170;
/// A smaller picture has no room for a code.
const LEAST_REDUCED_SIDE: usize = 48;
/// The sides of a code, in cells: a signed code has at least 40 modules on a side. A large code on a photograph of a
/// card may fill half of it.
const LEAST_SIDE: usize = 5;
const MOST_SIDE: usize = 80;
/// The longer side is at most this many percent of the shorter one. A code that is turned has a square box as well.
const MOST_RATIO: usize = 150;
/// How much of its box a code fills, in percent: one that is turned by 45 degrees fills half.
const LEAST_FILL: usize = 45;
/// The share of dark dots in a cell, in percent: half of a code is dark.
const DARK: std::ops::RangeInclusive<usize> = 18..=85;
/// The least number of changes between dark and light along the rows and columns of a cell, of 112.
const LEAST_CHANGES: usize = 10;
/// A page with more candidates in one size is a photograph or a pattern, and so is one with more in all.
const MOST_OF_ONE_SIZE: usize = 3;
const MOST_CANDIDATES: usize = 8;

/// A part of the picture, in its own dots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) left: usize,
    pub(super) top: usize,
    pub(super) right: usize,
    pub(super) bottom: usize,
}

impl Candidate {
    pub(super) fn meets(self, other: Self) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }
}

/// The candidates of a picture, with the white margin that a code needs. The size of the modules is not known, so they
/// are looked for in several sizes of the picture, each half of the one before.
pub(super) fn candidates(plane: &Plane) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    let mut step = (plane.width.max(plane.height) / REDUCED_SIDE).max(1);
    let mut small = if step == 1 { plane.clone() } else { plane.reduced(step) };
    while small.width.min(small.height) >= LEAST_REDUCED_SIDE {
        found.extend(textured(&small, step, plane));
        small = small.reduced(2);
        step *= 2;
    }
    found.truncate(MOST_CANDIDATES);
    found
}

/// The candidates in one size of a picture, the largest first.
fn textured(small: &Plane, step: usize, plane: &Plane) -> Vec<Candidate> {
    let (columns, rows) = (small.width / CELL, small.height / CELL);
    let cells: Vec<bool> =
        (0..rows).flat_map(|row| (0..columns).map(move |column| is_textured(small, column, row))).collect();
    let mut boxes = components(&cells, columns, rows);
    boxes.retain(Component::may_be_code);
    boxes.sort_by_key(|component| std::cmp::Reverse(component.cells));
    boxes.truncate(MOST_OF_ONE_SIZE);
    let unit = CELL * step;
    let candidate = |component: &Component| Candidate {
        left: component.left.saturating_sub(1) * unit,
        top: component.top.saturating_sub(1) * unit,
        right: ((component.right + 2) * unit).min(plane.width),
        bottom: ((component.bottom + 2) * unit).min(plane.height),
    };
    boxes.iter().map(candidate).collect()
}

/// Whether a cell is a fine mixture of dark and light, in both directions.
fn is_textured(plane: &Plane, column: usize, row: usize) -> bool {
    let (left, top) = (column * CELL, row * CELL);
    let lines: Vec<&[u8]> = (top..top + CELL).map(|y| &plane.row(y)[left..left + CELL]).collect();
    let (mut least, mut most) = (u8::MAX, 0);
    for value in lines.iter().flat_map(|line| line.iter()) {
        least = least.min(*value);
        most = most.max(*value);
    }
    if most - least < 60 {
        return false;
    }
    let middle = least.midpoint(most);
    let is_dark = |x: usize, y: usize| lines[y][x] < middle;
    let dark = (0..CELL).flat_map(|y| (0..CELL).map(move |x| (x, y))).filter(|(x, y)| is_dark(*x, *y)).count();
    if !DARK.contains(&(dark * 100 / (CELL * CELL))) {
        return false;
    }
    let along =
        (0..CELL).flat_map(|y| (1..CELL).map(move |x| (x, y))).filter(|(x, y)| is_dark(*x, *y) != is_dark(x - 1, *y));
    let across =
        (0..CELL).flat_map(|x| (1..CELL).map(move |y| (x, y))).filter(|(x, y)| is_dark(*x, *y) != is_dark(*x, y - 1));
    let (along, across) = (along.count(), across.count());
    along + across >= LEAST_CHANGES && along >= 3 && across >= 3
}

/// Cells that touch each other.
struct Component {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
    cells: usize,
}

impl Component {
    fn may_be_code(&self) -> bool {
        let (width, height) = (self.right + 1 - self.left, self.bottom + 1 - self.top);
        let (short, long) = (width.min(height), width.max(height));
        short >= LEAST_SIDE
            && long <= MOST_SIDE
            && long * 100 <= short * MOST_RATIO + 100
            && self.cells * 100 >= width * height * LEAST_FILL
    }
}

fn components(cells: &[bool], columns: usize, rows: usize) -> Vec<Component> {
    let mut seen = vec![false; cells.len()];
    let mut components = Vec::new();
    let mut stack = Vec::new();
    for start in 0..cells.len() {
        if !cells[start] || seen[start] {
            continue;
        }
        seen[start] = true;
        stack.push(start);
        let mut component = Component { left: columns, top: rows, right: 0, bottom: 0, cells: 0 };
        while let Some(at) = stack.pop() {
            let (column, row) = (at % columns, at / columns);
            component.left = component.left.min(column);
            component.right = component.right.max(column);
            component.top = component.top.min(row);
            component.bottom = component.bottom.max(row);
            component.cells += 1;
            let neighbours = [
                (column > 0).then(|| at - 1),
                (column + 1 < columns).then(|| at + 1),
                (row > 0).then(|| at - columns),
                (row + 1 < rows).then(|| at + columns),
            ];
            for next in neighbours.into_iter().flatten() {
                if cells[next] && !seen[next] {
                    seen[next] = true;
                    stack.push(next);
                }
            }
        }
        components.push(component);
    }
    components
}
