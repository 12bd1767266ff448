//! Detects parts of a picture that were copied within it.
//!
//! Walls, windows and letters repeat too. A copy has the same noise as its source, and a repeated thing does not: two
//! photographs of the same window differ in each grain. So a candidate counts only if its fine detail is the same in
//! nearly all of its blocks, also in those with hardly any structure, and if no third place looks the same.
//!
//! Candidates are offsets at which the whole picture resembles itself (`offsets`) and pairs of alike points with a
//! common change of place, size and direction (`points`). Both are examined block by block (`check`). The evidence is a
//! number of false alarms: how often blocks at nearly the right place agree is measured in the picture itself, and the
//! tests are all offsets and all shapes that a part can have.

mod check;
mod detail;
mod fine;
mod mapping;
mod offsets;
mod pairs;
mod points;
mod scales;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use super::{
    lettering::is_lettering,
    model::{CopiedPart, Part},
    plane::Plane,
};
use check::{Blocks, Copy};
use detail::Detail;
use mapping::Mapping;

/// The longer side of the picture in which copies are searched for, of a large picture, and for the search for points,
/// which takes longer.
const SIDE: usize = 1_024;
const LARGE_SIDE: usize = 820;
const POINT_SIDE: usize = 680;
/// Up to this side, every pixel is looked at.
const POINT_SIDE_WHOLE: usize = 1_024;
/// How many candidates with enough evidence are examined more closely.
const EXAMINED: usize = 6;
/// Smaller pictures have too few blocks.
const SMALLEST: usize = 160;

/// The part with the most evidence.
pub(super) fn copies(plane: &Plane) -> Option<CopiedPart> {
    if plane.width.min(plane.height) < SMALLEST {
        return None;
    }
    let longer = plane.width.max(plane.height);
    let step = longer.div_ceil(if longer > 3 * SIDE { LARGE_SIDE } else { SIDE });
    let detail = Detail::of(&reduced(plane, step));
    let blocks = Blocks::of(&detail);
    let moved = offsets::likely(&detail).into_iter().map(Mapping::of_offset);
    let coarse = if longer <= POINT_SIDE_WHOLE { 1 } else { longer.div_ceil(POINT_SIDE) };
    let larger = mapping::as_f32(coarse) / mapping::as_f32(step);
    let turned = pairs::mappings(&points::points(&reduced(plane, coarse))).into_iter().map(|each| each.scaled(larger));
    let mut copies: Vec<Copy> = moved.chain(turned).filter_map(|mapping| check::copy(&blocks, mapping)).collect();
    copies.sort_by(|one, other| other.evidence.total_cmp(&one.evidence));
    let is_sure = |copy: &&Copy| {
        fine::is_exact(plane, step, copy) && check::is_exact(&blocks, copy) && !check::is_periodic(&blocks, copy)
    };
    let best = copies.iter().take(EXAMINED).find(is_sure)?;
    let copied = best.in_pixels(step);
    let is_print = |part: Part| is_lettering(plane, (part.left, part.top), (part.width, part.height));
    (!is_print(copied.part) && !is_print(copied.other)).then_some(copied)
}

fn reduced(plane: &Plane, step: usize) -> Cow<'_, Plane> {
    if step == 1 { Cow::Borrowed(plane) } else { Cow::Owned(plane.reduced(step)) }
}
