//! Parts of a picture whose votes agree on another grid than the rest.

use super::votes::{GRIDS, NONE, Votes};
use crate::image::{
    chance::log_tail,
    model::GridPart,
    plane::{scaled, to_f64},
};

/// Votes this many tiles apart are of one part: some tiles in between have no vote, or vote by chance.
const REACH: isize = 2;
/// Fewer agreeing votes are not looked at.
const FEWEST: usize = 6;
const MAX_PARTS: usize = 4;
/// A narrower part, in tiles, is a line of print or an edge.
const NARROWEST: usize = 5;

/// In tiles; `right` and `bottom` are exclusive.
#[derive(Clone, Copy)]
struct Frame {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

/// The parts with the most evidence first, at most [`MAX_PARTS`].
pub(super) fn parts(votes: &Votes, main: Option<u8>, least: f64) -> Vec<GridPart> {
    let mut is_seen = vec![false; votes.values.len()];
    let tiles = to_f64(votes.values.len() as u64);
    // Each box of tiles could have been a part, on each grid.
    let tests = to_f64(GRIDS as u64).log10() + 1.5 * tiles.log10();
    let mut parts: Vec<GridPart> = Vec::new();
    for start in 0..votes.values.len() {
        let grid = votes.values[start];
        if is_seen[start] || grid == NONE || main.is_some_and(|main| share_zeros(main, grid)) {
            continue;
        }
        let (part, count) = grow(votes, start, &mut is_seen);
        if count < FEWEST
            || part.right - part.left < NARROWEST
            || part.bottom - part.top < NARROWEST.div_ceil(votes.stride / 8)
        {
            continue;
        }
        let (agreeing, all) = counts(votes, part, grid);
        let evidence = -log_tail(all, agreeing, chance_elsewhere(votes, grid, (agreeing, all))) - tests;
        if evidence >= least {
            parts.push(in_pixels(votes, part, grid, evidence));
        }
    }
    parts.sort_by_key(|part| std::cmp::Reverse(part.evidence));
    parts.truncate(MAX_PARTS);
    parts
}

/// Whether two grids have a column or a row in common: each has the other's zeros too.
fn share_zeros(one: u8, other: u8) -> bool {
    one % 8 == other % 8 || one / 8 == other / 8
}

/// The box around all tiles with the same vote that can be reached from `start`, and their number.
fn grow(votes: &Votes, start: usize, is_seen: &mut [bool]) -> (Frame, usize) {
    let grid = votes.values[start];
    let (column, row) = (start % votes.columns, start / votes.columns);
    let mut part = Frame { left: column, top: row, right: column + 1, bottom: row + 1 };
    let mut waiting = vec![start];
    is_seen[start] = true;
    let mut count = 0;
    while let Some(at) = waiting.pop() {
        count += 1;
        let (column, row) = (at % votes.columns, at / votes.columns);
        part.left = part.left.min(column);
        part.right = part.right.max(column + 1);
        part.top = part.top.min(row);
        part.bottom = part.bottom.max(row + 1);
        for down in -REACH..=REACH {
            for across in -REACH..=REACH {
                let (Some(column), Some(row)) = (column.checked_add_signed(across), row.checked_add_signed(down))
                else {
                    continue;
                };
                let near = row * votes.columns + column;
                if column < votes.columns && row < votes.rows && !is_seen[near] && votes.values[near] == grid {
                    is_seen[near] = true;
                    waiting.push(near);
                }
            }
        }
    }
    (part, count)
}

/// The votes in a box for this grid, and all of them.
fn counts(votes: &Votes, part: Frame, grid: u8) -> (usize, usize) {
    let inside = (part.top..part.bottom)
        .flat_map(|row| &votes.values[row * votes.columns + part.left..row * votes.columns + part.right]);
    inside
        .fold((0, 0), |(agreeing, all), vote| (agreeing + usize::from(*vote == grid), all + usize::from(*vote != NONE)))
}

/// How often the rest of the picture votes for this grid: some motifs, and in a JPEG the grids next to its own, get more
/// votes than others.
fn chance_elsewhere(votes: &Votes, grid: u8, (agreeing, all): (usize, usize)) -> f64 {
    let whole = Frame { left: 0, top: 0, right: votes.columns, bottom: votes.rows };
    let (agreeing_in_all, all_in_all) = counts(votes, whole, grid);
    let elsewhere = to_f64((agreeing_in_all - agreeing) as u64) / to_f64((all_in_all - all).max(1) as u64);
    elsewhere.max(votes.competitors.chance())
}

fn in_pixels(votes: &Votes, part: Frame, grid: u8, evidence: f64) -> GridPart {
    let across = |tiles: usize| crate::text::count(tiles * 8);
    let down = |rows: usize| crate::text::count(rows * votes.stride);
    GridPart {
        left: across(part.left),
        top: down(part.top),
        width: across(part.right - part.left),
        height: down(part.bottom - part.top),
        horizontal: grid % 8,
        vertical: grid / 8,
        evidence: scaled(evidence, 10.0),
    }
}
