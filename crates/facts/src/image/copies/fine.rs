//! Whether a copy is exact in the full picture, also where it has hardly any structure.

use super::{check::Copy, mapping::BLOCK};
use crate::image::plane::Plane;

/// The side of a block in the full picture.
const SIDE: usize = 16;
/// The most blocks that are compared.
const BLOCKS: usize = 48;
/// The mean square of the finest detail: below, compression removed it; above, a block has structure.
const FAINT: f32 = 0.3;
/// The least mean correlation of the half with the least detail.
const EXACT: f32 = 0.45;

/// Whether the half of the blocks with the least detail agree too. A part that was turned or scaled was computed anew, so
/// its finest detail is not its source's, and nothing is required.
pub(super) fn is_exact(plane: &Plane, step: usize, copy: &Copy) -> bool {
    if copy.mapping.turn.is_some() {
        return true;
    }
    #[expect(clippy::cast_possible_truncation, reason = "an offset of whole pixels")]
    let offset = (copy.mapping.across as isize, copy.mapping.down as isize);
    let mut blocks: Vec<(f32, usize, usize)> = copy
        .blocks
        .iter()
        .map(|(column, row)| (column * BLOCK * step, row * BLOCK * step))
        .filter(|(left, top)| {
            *left >= 2 && *top >= 2 && left + SIDE + 2 <= plane.width && top + SIDE + 2 <= plane.height
        })
        .map(|(left, top)| (energy(&detail(plane, left, top)), left, top))
        .filter(|(energy, ..)| *energy >= FAINT)
        .collect();
    blocks.sort_by(|one, other| one.0.total_cmp(&other.0));
    if blocks.len() < 6 {
        return false;
    }
    // Those with the most detail show the offset best.
    let clear: Vec<(usize, usize)> = blocks.iter().rev().take(12).map(|(_, left, top)| (*left, *top)).collect();
    let Some(offset) = refined(plane, step, offset, &clear) else { return false };
    let half = blocks.len().div_ceil(2);
    let faint: Vec<(usize, usize)> =
        blocks[..half].iter().step_by(half.div_ceil(BLOCKS)).map(|(_, left, top)| (*left, *top)).collect();
    correlation(plane, &faint, offset).is_some_and(|correlation| correlation >= EXACT)
}

/// The offset in the full picture that fits best.
fn refined(plane: &Plane, step: usize, offset: (isize, isize), blocks: &[(usize, usize)]) -> Option<(isize, isize)> {
    let step = step.cast_signed();
    let reach = -step..=step;
    reach
        .clone()
        .flat_map(|down| reach.clone().map(move |across| (offset.0 * step + across, offset.1 * step + down)))
        .filter_map(|offset| Some((correlation(plane, blocks, offset)?, offset)))
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, offset)| offset)
}

/// The mean correlation of the blocks with those at the offset; `None` if fewer than half of these are in the picture.
fn correlation(plane: &Plane, blocks: &[(usize, usize)], (across, down): (isize, isize)) -> Option<f32> {
    let (mut sum, mut count) = (0.0_f32, 0_usize);
    for (left, top) in blocks {
        let (Some(x), Some(y)) = (left.checked_add_signed(across), top.checked_add_signed(down)) else { continue };
        if x < 2 || y < 2 || x + SIDE + 2 > plane.width || y + SIDE + 2 > plane.height {
            continue;
        }
        let (one, other) = (detail(plane, *left, *top), detail(plane, x, y));
        let product: f32 = one.iter().zip(&other).map(|(one, other)| one * other).sum();
        sum += product / (energy(&one) * energy(&other)).sqrt().max(0.01) / 256.0;
        count += 1;
    }
    #[expect(clippy::cast_precision_loss, reason = "a few blocks")]
    let mean = (count * 2 >= blocks.len() && count > 0).then(|| sum / count as f32);
    mean
}

fn energy(detail: &[f32; SIDE * SIDE]) -> f32 {
    detail.iter().map(|value| value * value).sum::<f32>() / 256.0
}

/// Each pixel without the mean of the 24 around it.
fn detail(plane: &Plane, left: usize, top: usize) -> [f32; SIDE * SIDE] {
    let mut columns = [[0_u16; SIDE + 4]; SIDE];
    for (y, sums) in columns.iter_mut().enumerate() {
        for line in top + y - 2..=top + y + 2 {
            let row = &plane.row(line)[left - 2..left + SIDE + 2];
            sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += u16::from(*value));
        }
    }
    std::array::from_fn(|at| {
        let (x, y) = (at % SIDE, at / SIDE);
        let around: u16 = columns[y][x..x + 5].iter().sum();
        f32::from(plane.row(top + y)[left + x]) - f32::from(around) / 25.0
    })
}
