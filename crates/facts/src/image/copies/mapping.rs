//! Where a copy is, as a function of its source's place.

use super::detail::Detail;

/// The side of a block.
pub(super) const BLOCK: usize = 8;

/// A place `(x, y)` is at `(a x + b y + across, c x + d y + down)` in the other part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mapping {
    pub(super) across: f32,
    pub(super) down: f32,
    /// `[a, b, c, d]`: turned, scaled, stretched. `None`: only moved, by whole pixels.
    pub(super) turn: Option<[f32; 4]>,
}

impl Mapping {
    pub(super) fn of_offset((across, down): (isize, isize)) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "offsets in a small picture")]
        let (across, down) = (across as f32, down as f32);
        Self { across, down, turn: None }
    }

    pub(super) fn of(&self, x: f32, y: f32) -> (f32, f32) {
        let turn = self.turn.unwrap_or([1.0, 0.0, 0.0, 1.0]);
        (turn[0] * x + turn[1] * y + self.across, turn[2] * x + turn[3] * y + self.down)
    }

    /// The same, some pixels further.
    pub(super) fn moved(&self, across: f32, down: f32) -> Self {
        Self { across: self.across + across, down: self.down + down, ..*self }
    }

    /// The same in a picture that is this many times as large.
    pub(super) fn scaled(&self, by: f32) -> Self {
        Self { across: self.across * by, down: self.down * by, ..*self }
    }

    /// How far the middle of these blocks is moved, in whole pixels.
    pub(super) fn offset_at(&self, blocks: &[(usize, usize)]) -> (f32, f32) {
        let count = as_f32(blocks.len().max(1));
        let mean = |of: fn(&(usize, usize)) -> usize| {
            blocks.iter().map(|block| as_f32(of(block) * BLOCK + 4)).sum::<f32>() / count
        };
        let (x, y) = (mean(|block| block.0), mean(|block| block.1));
        let (to_x, to_y) = self.of(x, y);
        ((to_x - x).round(), (to_y - y).round())
    }

    /// The detail at the places of a block; `None` if one of them is outside.
    pub(super) fn block(&self, detail: &Detail, left: usize, top: usize) -> Option<[f32; BLOCK * BLOCK]> {
        let (x, y) = (as_f32(left), as_f32(top));
        if self.turn.is_none() {
            let (x, y) = (whole(x + self.across, detail.width, BLOCK)?, whole(y + self.down, detail.height, BLOCK)?);
            let mut values = [0.0; BLOCK * BLOCK];
            for (line, to) in values.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
                to.copy_from_slice(&detail.row(y + line)[x..x + BLOCK]);
            }
            return Some(values);
        }
        let far = as_f32(BLOCK - 1);
        for (right, below) in [(0.0, 0.0), (far, 0.0), (0.0, far), (far, far)] {
            let (x, y) = self.of(x + right, y + below);
            whole(x.floor(), detail.width, 2)?;
            whole(y.floor(), detail.height, 2)?;
        }
        Some(std::array::from_fn(|at| {
            let (x, y) = self.of(x + as_f32(at % BLOCK), y + as_f32(at / BLOCK));
            between(detail, x, y)
        }))
    }
}

/// A coordinate as an index, if that many values from it on are inside.
fn whole(value: f32, length: usize, room: usize) -> Option<usize> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates, and is checked")]
    let index = value.round() as usize;
    (value > -0.5 && index + room <= length).then_some(index)
}

/// The value between four pixels.
fn between(detail: &Detail, x: f32, y: f32) -> f32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the corners are inside")]
    let (left, top) = ((x.max(0.0) as usize).min(detail.width - 2), (y.max(0.0) as usize).min(detail.height - 2));
    let (right, below) = (x - as_f32(left), y - as_f32(top));
    let (upper, lower) = (detail.row(top), detail.row(top + 1));
    let upper = upper[left] + (upper[left + 1] - upper[left]) * right;
    let lower = lower[left] + (lower[left + 1] - lower[left]) * right;
    upper + (lower - upper) * below
}

#[expect(clippy::cast_precision_loss, reason = "places in a small picture")]
pub(super) fn as_f32(place: usize) -> f32 {
    place as f32
}
