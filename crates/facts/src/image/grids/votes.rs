//! Which grid each place of a picture votes for.

use super::transform::{STRIP_ROWS, Strip, Thresholds};
use crate::image::{
    chance::log_tail,
    plane::{Plane, scaled, to_f64},
};

/// A tile of a picture, and the number of grids.
const TILE: usize = 8;
pub(super) const GRIDS: usize = 64;
/// No vote: several grids have the same number of zeros, as in a smooth part.
pub(super) const NONE: u8 = 255;
/// The share of the votes that the grid of the whole picture has at least.
const MAIN: f64 = 0.2;
/// The most places at which blocks are transformed. Larger pictures have only some of their rows of tiles.
const MAX_PLACES: usize = 2_200_000;
/// A strip is transformed in pieces that fit a processor's cache.
const PIECE: usize = 64 * TILE;

/// Which grids take part. The grid `8 · y + x` has a block that starts at this column and row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Competitors {
    All,
    /// Those that share neither columns nor rows with a JPEG's own grid: the others have its zeros too.
    OffGrid,
}

impl Competitors {
    fn takes_part(self, grid: usize) -> bool {
        self == Self::All || (!grid.is_multiple_of(8) && grid >= 8)
    }

    /// The probability that two tiles without any compression vote for the same grid.
    pub(super) fn chance(self) -> f64 {
        1.0 / to_f64((0..GRIDS).filter(|grid| self.takes_part(*grid)).count() as u64)
    }
}

/// One vote for each tile.
pub(super) struct Votes {
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// From one row of tiles to the next, in pixels.
    pub(super) stride: usize,
    /// Row by row: a grid, or [`NONE`].
    pub(super) values: Vec<u8>,
    pub(super) competitors: Competitors,
}

impl Votes {
    /// `None` for a picture with hardly any tile.
    pub(super) fn of(plane: &Plane, competitors: Competitors, zero: f64) -> Option<Self> {
        let columns = plane.width.checked_sub(STRIP_ROWS)? / TILE;
        let all_rows = plane.height.checked_sub(STRIP_ROWS)? / TILE;
        let every = (columns * all_rows * GRIDS).div_ceil(MAX_PLACES).max(1);
        let rows = all_rows.div_ceil(every);
        if columns < 4 || rows < 4 {
            return None;
        }
        let mut votes = Self { columns, rows, stride: every * TILE, values: vec![NONE; columns * rows], competitors };
        let thresholds = Thresholds::of(zero);
        let mut strip = Strip::new(PIECE);
        let mut zeros: Vec<Vec<i32>> = vec![vec![0; PIECE]; TILE];
        for row in 0..rows {
            for first in (0..columns).step_by(PIECE / TILE) {
                let tiles = (columns - first).min(PIECE / TILE);
                let left = first * TILE;
                for line in 0..STRIP_ROWS {
                    strip.set_row(line, &plane.row(row * votes.stride + line)[left..left + tiles * TILE + 7]);
                }
                for (down, zeros) in zeros.iter_mut().enumerate() {
                    strip.count_zeros(down, &thresholds, &mut zeros[..tiles * TILE]);
                }
                for tile in 0..tiles {
                    votes.values[row * columns + first + tile] = votes.competitors.winner(&zeros, tile * TILE);
                }
            }
        }
        Some(votes)
    }

    /// The grid of the whole picture, if one has enough votes: the tenfold of its evidence.
    pub(super) fn main(&self, least: f64) -> Option<(u8, u32)> {
        let mut counts = [0_usize; GRIDS];
        for vote in self.values.iter().filter(|vote| **vote != NONE) {
            counts[usize::from(*vote)] += 1;
        }
        let all = counts.iter().sum();
        let (grid, count) = counts.into_iter().enumerate().max_by_key(|(_, count)| *count)?;
        let evidence = -log_tail(all, count, self.competitors.chance()) - to_f64(GRIDS as u64).log10();
        let is_prominent = to_f64(count as u64) >= MAIN * to_f64(all as u64);
        (is_prominent && evidence >= least).then(|| (u8::try_from(grid).unwrap_or(NONE), scaled(evidence, 10.0)))
    }
}

impl Competitors {
    /// The grid with the most zeros around the tile at this place, unless several have as many.
    fn winner(self, zeros: &[Vec<i32>], place: usize) -> u8 {
        let (mut most, mut winner, mut is_shared) = (-1, NONE, false);
        for grid in (0..GRIDS).filter(|grid| self.takes_part(*grid)) {
            let count = zeros[grid / TILE][place + grid % TILE];
            if count > most {
                (most, winner, is_shared) = (count, u8::try_from(grid).unwrap_or(NONE), false);
            } else if count == most {
                is_shared = true;
            }
        }
        if is_shared { NONE } else { winner }
    }
}
