//! The frequencies that are looked at, and what a value of one says about its block.

use super::shape::{REACH, Shares};
use crate::image::plane::scaled;

/// Places in the block, as (vertical, horizontal), with their index in zigzag order: the lowest ones, which hold most
/// of the strength of text and textures.
pub(super) const FREQUENCIES: [(usize, usize, u8); 14] = [
    (0, 1, 1),
    (1, 0, 2),
    (2, 0, 3),
    (1, 1, 4),
    (0, 2, 5),
    (0, 3, 6),
    (1, 2, 7),
    (2, 1, 8),
    (3, 0, 9),
    (3, 1, 11),
    (2, 2, 12),
    (1, 3, 13),
    (2, 3, 17),
    (3, 2, 18),
];

/// What a value of a frequency says about its block.
pub(super) struct Evidence<'a> {
    pub(super) index: usize,
    pub(super) step: u16,
    pub(super) by_magnitude: &'a Shares,
}

impl Evidence<'_> {
    pub(super) fn of(&self, values: &[f64; FREQUENCIES.len()]) -> f64 {
        magnitude(values[self.index], self.step).map_or(0.0, |place| self.by_magnitude[place])
    }
}

/// The magnitude of a quantised value, if it is counted.
pub(super) fn magnitude(coefficient: f64, step: u16) -> Option<usize> {
    usize::try_from(scaled((coefficient / f64::from(step)).abs(), 1.0)).ok().filter(|value| *value <= REACH)
}
