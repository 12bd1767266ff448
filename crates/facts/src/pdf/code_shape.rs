//! The shape of a machine-readable code on paper.

/// The sides of a code, in points: 7 to 85 mm.
const SIDES: std::ops::RangeInclusive<f64> = 20.0..=240.0;
/// A symbol has at least this many separate dark parts.
pub(super) const LEAST_PARTS: usize = 40;

/// Whether a box of this size, in points, may hold a code with its margin.
pub(super) fn may_be_side(width: f64, height: f64) -> bool {
    SIDES.contains(&width) && SIDES.contains(&height) && width.max(height) <= 1.5 * width.min(height)
}
