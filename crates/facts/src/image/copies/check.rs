//! Whether a part of the picture is the same at an offset, block by block.

use super::{
    detail::Detail,
    mapping::{BLOCK, Mapping, as_f32},
};
use crate::image::{
    chance::log_tail,
    model::{CopiedPart, Part},
    plane::{scaled, to_f64},
};

/// The mean square of the detail of a block that says something.
const WEAK: f32 = 0.8;
/// The correlation from which on two blocks are the same.
const SAME: f32 = 0.75;
/// A part has at least this many blocks that are the same, and this share of those that say something.
const FEWEST: usize = 12;
const SHARE: f64 = 0.45;
/// How many blocks are looked at for a period, and how far away, in pixels.
const SAMPLED: usize = 20;
const FARTHEST: i8 = 28;
/// The share of the half with the least detail.
const FAINT_SHARE: f64 = 0.45;
/// Blocks are rarely the same by chance, however few do so nearby.
const LEAST_CHANCE: f64 = 0.03;
/// Number of shapes that a part with one block more can have: the growth of the number of lattice animals.
const SHAPES: f64 = 4.06;
/// Of the blocks of a part, this share may have a third place that looks the same.
const REPEATED: f64 = 0.3;
/// The least evidence: less than one false alarm in ten thousand pictures.
const LEAST: f64 = 4.0;

/// The blocks of a picture.
pub(super) struct Blocks<'d> {
    pub(super) detail: &'d Detail,
    columns: usize,
    rows: usize,
    /// The mean square of the detail in each block.
    energy: Vec<f32>,
}

/// What a block says about an offset.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Nothing,
    Other,
    Same,
}

/// A part that is the same as another one.
pub(super) struct Copy {
    /// The blocks of the part, and where the other one is.
    pub(super) blocks: Vec<(usize, usize)>,
    pub(super) mapping: Mapping,
    pub(super) evidence: f64,
}

impl Copy {
    /// In pixels of a picture that is `step` times as large.
    pub(super) fn in_pixels(&self, step: usize) -> CopiedPart {
        let edge = |of: fn(&(usize, usize)) -> usize| {
            let edges = self.blocks.iter().map(of);
            (edges.clone().min().unwrap_or(0) * BLOCK, (edges.max().unwrap_or(0) + 1) * BLOCK)
        };
        let (across, down) = (edge(|block| block.0), edge(|block| block.1));
        let pixels = |small: usize| crate::text::count(small * step);
        let corners = [(across.0, down.0), (across.1, down.0), (across.0, down.1), (across.1, down.1)];
        let moved = corners.map(|(x, y)| self.mapping.of(as_f32(x), as_f32(y)));
        let least = |of: fn(&(f32, f32)) -> f32| moved.iter().map(of).fold(f32::MAX, f32::min);
        let most = |of: fn(&(f32, f32)) -> f32| moved.iter().map(of).fold(0.0, f32::max);
        let place = |value: f32| scaled(f64::from(value), to_f64(step as u64));
        let (left, top) = (place(least(|at| at.0)), place(least(|at| at.1)));
        CopiedPart {
            part: Part {
                left: pixels(across.0),
                top: pixels(down.0),
                width: pixels(across.1 - across.0),
                height: pixels(down.1 - down.0),
            },
            other: Part {
                left,
                top,
                width: place(most(|at| at.0)).saturating_sub(left),
                height: place(most(|at| at.1)).saturating_sub(top),
            },
            evidence: scaled(self.evidence, 10.0),
        }
    }
}

impl<'d> Blocks<'d> {
    pub(super) fn of(detail: &'d Detail) -> Self {
        let (columns, rows) = (detail.width / BLOCK, detail.height / BLOCK);
        let energy = |block: usize| {
            let (left, top) = (block % columns * BLOCK, block / columns * BLOCK);
            let rows = (top..top + BLOCK).flat_map(|y| &detail.row(y)[left..left + BLOCK]);
            rows.map(|value| value * value).sum::<f32>() / 64.0
        };
        Self { detail, columns, rows, energy: (0..columns * rows).map(energy).collect() }
    }

    pub(super) fn energy(&self, block: (usize, usize)) -> f32 {
        self.energy[block.1 * self.columns + block.0]
    }

    fn answer(&self, (column, row): (usize, usize), mapping: &Mapping) -> Answer {
        let energy = self.energy((column, row));
        if energy < WEAK {
            return Answer::Nothing;
        }
        let Some(other) = mapping.block(self.detail, column * BLOCK, row * BLOCK) else { return Answer::Nothing };
        let (mut product, mut square) = (0.0_f32, 0.0_f32);
        for (here, there) in self.block((column, row)).zip(&other) {
            product += here * there;
            square += there * there;
        }
        let is_same = product > 0.0 && product * product >= SAME * SAME * energy * 64.0 * square;
        if is_same { Answer::Same } else { Answer::Other }
    }

    /// The values of a block, row by row.
    pub(super) fn block(&self, (column, row): (usize, usize)) -> impl Iterator<Item = f32> {
        let (left, top) = (column * BLOCK, row * BLOCK);
        (top..top + BLOCK).flat_map(move |y| self.detail.row(y)[left..left + BLOCK].iter().copied())
    }

    /// How many of the blocks are the same elsewhere, and how many say something.
    fn count(&self, blocks: &[(usize, usize)], mapping: &Mapping) -> (usize, usize) {
        blocks.iter().fold((0, 0), |(same, all), block| match self.answer(*block, mapping) {
            Answer::Nothing => (same, all),
            Answer::Other => (same, all + 1),
            Answer::Same => (same + 1, all + 1),
        })
    }
}

/// The largest part that is the same elsewhere, if that is not by chance and not a repetition.
pub(super) fn copy(blocks: &Blocks<'_>, mapping: Mapping) -> Option<Copy> {
    let places = || (0..blocks.rows).flat_map(|row| (0..blocks.columns).map(move |column| (column, row)));
    // Every second block first: most offsets have nothing in common.
    let is_same = |block: &(usize, usize)| blocks.answer(*block, &mapping) == Answer::Same;
    let is_second = |(column, row): &(usize, usize)| (column + row).is_multiple_of(2);
    if places().filter(is_second).filter(is_same).count() < FEWEST / 2 {
        return None;
    }
    let answers: Vec<Answer> = places().map(|block| blocks.answer(block, &mapping)).collect();
    let part = largest(blocks, &answers)?;
    let around = surroundings(blocks, &part);
    let (same, all) = blocks.count(&around, &mapping);
    if same < FEWEST || to_f64(same as u64) < SHARE * to_f64(all as u64) {
        return None;
    }
    if is_repeated(blocks, &part, &mapping) {
        return None;
    }
    let chance = chance_nearby(blocks, &part, &mapping);
    let pixels = to_f64(blocks.detail.values.len() as u64);
    // All offsets, all places, all shapes.
    let tests = 2.0 * pixels.log10() + to_f64(part.len() as u64) * SHAPES.log10();
    let evidence = -log_tail(part.len(), part.len(), chance) - tests;
    (evidence >= LEAST).then_some(Copy { blocks: part, mapping, evidence })
}

/// Whether the part is also nearly the same some pixels away from the right place: tiles, cloth, bars and letters repeat.
pub(super) fn is_periodic(blocks: &Blocks<'_>, copy: &Copy) -> bool {
    let step = copy.blocks.len().div_ceil(SAMPLED);
    let sample: Vec<(usize, usize)> = copy.blocks.iter().step_by(step).copied().collect();
    let reach = -FARTHEST..=FARTHEST;
    let shifts = reach.clone().flat_map(|down| reach.clone().map(move |across| (f32::from(across), f32::from(down))));
    shifts.filter(|(across, down)| across.abs().max(down.abs()) >= 4.0).any(|(across, down)| {
        let (same, all) = blocks.count(&sample, &copy.mapping.moved(across, down));
        all * 2 >= sample.len() && to_f64(same as u64) > REPEATED * to_f64(all as u64)
    })
}

/// Whether the half of the part's blocks with the least detail agree too: two things that are alike differ there.
pub(super) fn is_exact(blocks: &Blocks<'_>, copy: &Copy) -> bool {
    let mut all = surroundings(blocks, &copy.blocks);
    all.retain(|block| blocks.energy(*block) >= WEAK);
    all.sort_by(|one, other| blocks.energy(*one).total_cmp(&blocks.energy(*other)));
    all.truncate(all.len().div_ceil(2));
    let (same, all) = blocks.count(&all, &copy.mapping);
    to_f64(same as u64) >= FAINT_SHARE * to_f64(all as u64)
}

/// The largest set of connected blocks that are the same.
fn largest(blocks: &Blocks<'_>, answers: &[Answer]) -> Option<Vec<(usize, usize)>> {
    let mut is_seen = vec![false; answers.len()];
    let mut largest: Vec<(usize, usize)> = Vec::new();
    for start in 0..answers.len() {
        if is_seen[start] || answers[start] != Answer::Same {
            continue;
        }
        is_seen[start] = true;
        let (mut part, mut next) = (vec![(start % blocks.columns, start / blocks.columns)], 0);
        while let Some(block) = part.get(next).copied() {
            next += 1;
            for (column, row) in neighbours(blocks, block).filter(|near| near.0 == block.0 || near.1 == block.1) {
                let at = row * blocks.columns + column;
                if !is_seen[at] && answers[at] == Answer::Same {
                    is_seen[at] = true;
                    part.push((column, row));
                }
            }
        }
        if part.len() > largest.len() {
            largest = part;
        }
    }
    (largest.len() >= FEWEST).then_some(largest)
}

/// The blocks of a part, and those next to one of them.
fn surroundings(blocks: &Blocks<'_>, part: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut all: Vec<(usize, usize)> = part.iter().flat_map(|block| neighbours(blocks, *block)).collect();
    all.extend(part);
    all.sort_unstable();
    all.dedup();
    all
}

fn neighbours(blocks: &Blocks<'_>, (column, row): (usize, usize)) -> impl Iterator<Item = (usize, usize)> {
    let (columns, rows) = (blocks.columns, blocks.rows);
    (0..9).filter_map(move |at| {
        let (column, row) = ((column + at % 3).checked_sub(1)?, (row + at / 3).checked_sub(1)?);
        (at != 4 && column < columns && row < rows).then_some((column, row))
    })
}

/// Whether the part is one of several that follow each other, as windows and bricks do.
fn is_repeated(blocks: &Blocks<'_>, part: &[(usize, usize)], mapping: &Mapping) -> bool {
    let (across, down) = mapping.offset_at(part);
    [(-across, -down), (2.0 * across, 2.0 * down), (across / 2.0, down / 2.0)].iter().any(|(x, y)| {
        let (same, all) = blocks.count(part, &mapping.moved(x - across, y - down));
        all * 3 >= part.len() && to_f64(same as u64) > REPEATED * to_f64(all as u64)
    })
}

/// How often these blocks are the same as others near the right place: a texture resembles itself everywhere, and so do blocks
/// that compression left with a single frequency.
fn chance_nearby(blocks: &Blocks<'_>, part: &[(usize, usize)], mapping: &Mapping) -> f64 {
    const NEARBY: [(f32, f32); 12] = [
        (8.0, 0.0),
        (0.0, 8.0),
        (-8.0, 0.0),
        (0.0, -8.0),
        (16.0, 8.0),
        (-8.0, 16.0),
        (3.0, 1.0),
        (-1.0, 3.0),
        (-3.0, -2.0),
        (2.0, -3.0),
        (5.0, 5.0),
        (-6.0, 5.0),
    ];
    let mut shares: Vec<f64> = NEARBY
        .iter()
        .map(|(x, y)| {
            let (same, all) = blocks.count(part, &mapping.moved(*x, *y));
            to_f64(same as u64) / to_f64(all.max(1) as u64)
        })
        .collect();
    shares.sort_by(f64::total_cmp);
    // The third highest: the true place may be a pixel off.
    shares[shares.len() - 3].max(LEAST_CHANCE)
}
