//! Whether a part of a picture is print on paper. The same letters are alike in every pixel, and plain paper has no noise
//! in a scan, so that neither a resemblance nor a pattern of zeros says anything there.

use super::plane::Plane;

/// Paper: this share of the pixels, in percent, is this near to the most frequent brightness.
const PAPER: usize = 40;
const NEAR: usize = 8;
/// Ink: this share is this far from it.
const INK: usize = 4;
const FAR: usize = 50;

/// In pixels; what is outside of the picture is left out.
pub(super) fn is_lettering(plane: &Plane, (left, top): (u32, u32), (width, height): (u32, u32)) -> bool {
    let edge = |from: u32, length: u32, most: usize| {
        let edge = |at: u32| usize::try_from(at).unwrap_or(most).min(most);
        edge(from)..edge(from.saturating_add(length))
    };
    let mut histogram = [0_usize; 256];
    for y in edge(top, height, plane.height) {
        for value in &plane.row(y)[edge(left, width, plane.width)] {
            histogram[usize::from(*value)] += 1;
        }
    }
    let all: usize = histogram.iter().sum();
    let Some((mode, _)) = histogram.iter().enumerate().max_by_key(|(_, count)| **count) else { return false };
    let near: usize = histogram[mode.saturating_sub(NEAR)..(mode + NEAR + 1).min(256)].iter().sum();
    let far: usize =
        histogram.iter().enumerate().filter(|(value, _)| value.abs_diff(mode) >= FAR).map(|(_, count)| count).sum();
    near * 100 >= all * PAPER && far * 100 >= all * INK
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn print_is_mostly_paper_with_some_ink() {
        let plane = |value: fn(usize) -> u8| Plane { width: 80, height: 60, values: (0..4_800).map(value).collect() };
        let whole = ((0, 0), (200, 200));
        assert!(is_lettering(&plane(|n| if n % 7 == 0 { 20 } else { 250 }), whole.0, whole.1));
        // A sky, and a lawn.
        assert!(!is_lettering(&plane(|n| if n % 3 == 0 { 200 } else { 203 }), whole.0, whole.1));
        assert!(!is_lettering(&plane(|n| (n * 37 % 160).to_le_bytes()[0]), whole.0, whole.1));
    }
}
