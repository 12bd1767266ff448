//! The coefficients of a picture's blocks, and the rectangle of blocks that stands out.

use image::RgbImage;

use super::evidence::{Evidence, FREQUENCIES};
use crate::image::{
    model::OddPart,
    plane::{Plane, scaled},
    transform::{cosines, transform_block},
};

/// Fewer blocks say nothing; of more than the maximum, every second in each direction is looked at, or every third, …
const MIN_BLOCKS: usize = 1_000;
const MAX_BLOCKS: usize = 65_536;
/// The fewest frequencies that can identify a part.
const FEWEST: usize = 3;
/// The most that one block can count for or against the earlier compression.
const MOST_OF_BLOCK: f64 = 6.0;
/// The odd part, and the next one to compare it with.
const PARTS: usize = 2;
/// The most pixels by which a block off the grid is shifted from one on it.
const FARTHEST: usize = 5;

/// The position of the blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Grid {
    /// On the picture's own grid.
    Own,
    /// Off it, as far as possible: at four places in turn. A picture that was cut out of another still has the other
    /// one's grid, which can be at one of the four.
    Off,
}

impl Grid {
    /// How many pixels across and down the block of this column and row is from the picture's own grid.
    fn shift(self, column: usize, row: usize) -> (usize, usize) {
        const OFF: [[(usize, usize); 2]; 2] = [[(4, 4), (3, FARTHEST)], [(FARTHEST, 3), (3, 3)]];
        match self {
            Self::Own => (0, 0),
            Self::Off => OFF[row % 2][column % 2],
        }
    }
}

/// The coefficients of the blocks on a grid.
pub(super) struct Blocks {
    columns: usize,
    rows: usize,
    /// From one block to the next in each direction, in pixels.
    stride: usize,
    /// Row by row; `None` for a block with clipped values: what was cut off is lost.
    values: Vec<Option<[f64; FREQUENCIES.len()]>>,
}

impl Blocks {
    pub(super) fn of(plane: &Plane, grid: Grid) -> Option<Self> {
        let (columns, rows) = (plane.width.checked_sub(FARTHEST)? / 8, plane.height.checked_sub(FARTHEST)? / 8);
        if columns * rows < MIN_BLOCKS {
            return None;
        }
        let every =
            (1..=columns.max(rows)).find(|every| columns.div_ceil(*every) * rows.div_ceil(*every) <= MAX_BLOCKS)?;
        let (columns, rows, stride) = (columns.div_ceil(every), rows.div_ceil(every), every * 8);
        let cosines = cosines();
        let values = (0..columns * rows).map(|block| {
            let (column, row) = (block % columns, block / columns);
            let (across, down) = grid.shift(column, row);
            let (left, top) = (column * stride + across, row * stride + down);
            if is_cut(plane, left, top) {
                return None;
            }
            let coefficients = transform_block(plane, left, top, &cosines);
            Some(FREQUENCIES.map(|(vertical, horizontal, _)| coefficients[vertical][horizontal]))
        });
        Some(Self { columns, rows, stride, values: values.collect() })
    }

    /// Which blocks have clipped colours.
    fn cut_in_colour(&self, colours: &RgbImage) -> Vec<bool> {
        let place = |block: usize| (block % self.columns * self.stride, block / self.columns * self.stride);
        (0..self.values.len()).map(|block| is_cut_in_colour(colours, place(block))).collect()
    }

    /// The values of one frequency.
    pub(super) fn of_frequency(&self, index: usize) -> impl Iterator<Item = f64> {
        self.values.iter().flatten().map(move |values| values[index])
    }

    /// The rectangles whose blocks are the oddest, the oddest first. They do not overlap.
    /// `colours` are the picture's: blocks with clipped ones say nothing.
    pub(super) fn odd_parts(&self, evidence: &[Evidence<'_>], colours: Option<&RgbImage>) -> Vec<OddPart> {
        if evidence.len() < FEWEST {
            return Vec::new();
        }
        let odd = |values: &[f64; FREQUENCIES.len()]| -> f64 {
            evidence.iter().map(|each| each.of(values)).sum::<f64>().clamp(-MOST_OF_BLOCK, MOST_OF_BLOCK)
        };
        let mut oddness: Vec<f64> = self.values.iter().map(|values| values.as_ref().map_or(0.0, odd)).collect();
        if let Some(colours) = colours {
            let cut = self.cut_in_colour(colours);
            oddness.iter_mut().zip(cut).filter(|(_, is_cut)| *is_cut).for_each(|(odd, _)| *odd = 0.0);
        }
        let mut parts = Vec::new();
        while parts.len() < PARTS {
            let Some(found) = self.worst(&oddness) else { break };
            for row in found.top..found.bottom {
                oddness[row * self.columns + found.left..row * self.columns + found.right].fill(-MOST_OF_BLOCK);
            }
            parts.push(found.part(self.stride));
        }
        parts
    }

    /// The rectangle with the largest sum, if any is above 0.
    fn worst(&self, oddness: &[f64]) -> Option<Rectangle> {
        let mut worst: Option<Rectangle> = None;
        let mut sums = vec![0.0; self.columns];
        for top in 0..self.rows {
            sums.fill(0.0);
            for bottom in top + 1..=self.rows {
                let row = &oddness[(bottom - 1) * self.columns..bottom * self.columns];
                for (sum, value) in sums.iter_mut().zip(row) {
                    *sum += value;
                }
                let (left, right, strength) = best_run(&sums);
                if strength > worst.as_ref().map_or(0.0, |worst| worst.strength) {
                    worst = Some(Rectangle { left, top, right, bottom, strength });
                }
            }
        }
        worst
    }
}

/// In blocks.
struct Rectangle {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
    strength: f64,
}

impl Rectangle {
    fn part(&self, stride: usize) -> OddPart {
        let pixels = |blocks: usize| crate::text::count(blocks * stride);
        OddPart {
            left: pixels(self.left),
            top: pixels(self.top),
            width: pixels(self.right - self.left),
            height: pixels(self.bottom - self.top),
            strength: scaled(self.strength, 10.0),
        }
    }
}

/// The run of neighbours with the largest sum: from, to (exclusive), and the sum.
fn best_run(values: &[f64]) -> (usize, usize, f64) {
    let (mut best, mut from, mut sum) = ((0, 0, 0.0), 0, 0.0);
    for (at, value) in values.iter().enumerate() {
        if sum <= 0.0 {
            (from, sum) = (at, 0.0);
        }
        sum += value;
        if sum > best.2 {
            best = (from, at + 1, sum);
        }
    }
    best
}

/// Whether a block of eight by eight has clipped values.
fn is_cut(plane: &Plane, left: usize, top: usize) -> bool {
    (top..top + 8).any(|y| plane.row(y)[left..left + 8].iter().any(|value| !(2..=253).contains(value)))
}

/// Whether some colours of a block are so strong that one of red, green and blue was clipped. Then the brightness that
/// was quantised is not the one that a program decodes, and an earlier compression leaves no comb.
fn is_cut_in_colour(colours: &RgbImage, (left, top): (usize, usize)) -> bool {
    const STRONG: u8 = 40;
    const FEWEST: usize = 2;
    let width = colours.width() as usize;
    let rows = (top..top + 8).flat_map(|y| colours.as_raw()[(y * width + left) * 3..][..24].as_chunks::<3>().0);
    let is_cut = |pixel: &&[u8; 3]| {
        let (most, least) = (pixel[0].max(pixel[1]).max(pixel[2]), pixel[0].min(pixel[1]).min(pixel[2]));
        most - least >= STRONG && (most >= 253 || least <= 2)
    };
    rows.filter(is_cut).take(FEWEST).count() == FEWEST
}
