//! Pairs of points with the same description, and the moves, turns and scales that many pairs have in common.

use super::{
    mapping::Mapping,
    points::{NORM, Point},
};

/// The least distance of a pair, in pixels.
const NEAREST: f32 = 24.0;
/// The nearest description is at most this part as far as the next one: a repeated thing has many alike.
const NEARER: f32 = 0.7;
/// The largest distance of two descriptions, as a part of their length.
const ALIKE: f32 = 0.55;
/// How far a pair may be from where the others put it, in pixels.
const CLOSE: f32 = 4.0;
/// The fewest pairs that are a part.
const FEWEST: usize = 4;
const MAPPINGS: usize = 4;
/// A part is rarely more than twice as large as its source.
const LARGEST: f32 = 2.0;
const MAX_PAIRS: usize = 1_000;

/// The mappings with the most pairs first.
pub(super) fn mappings(points: &[Point]) -> Vec<Mapping> {
    let mut pairs = pairs(points);
    let mut mappings = Vec::new();
    while mappings.len() < MAPPINGS {
        let Some(best) = pairs
            .iter()
            .map(|pair| inside(&pairs, &of_pair(pair)))
            .max_by_key(|inside| distinct(&pairs, inside))
            .filter(|inside| distinct(&pairs, inside) >= FEWEST)
        else {
            break;
        };
        let chosen: Vec<Pair<'_>> = best.iter().map(|at| pairs[*at]).collect();
        mappings.extend(fitted(&chosen));
        let mut at = 0;
        pairs.retain(|_| {
            at += 1;
            best.binary_search(&(at - 1)).is_err()
        });
    }
    mappings
}

type Pair<'p> = (&'p Point, &'p Point);

/// Each point with the one that is most alike, if no other is nearly as much.
fn pairs(points: &[Point]) -> Vec<Pair<'_>> {
    let mut pairs = Vec::new();
    for (at, point) in points.iter().enumerate() {
        let (mut nearest, mut next, mut which) = (f32::MAX, f32::MAX, at);
        for (index, other) in points.iter().enumerate() {
            if (point.x - other.x).abs() + (point.y - other.y).abs() < NEAREST {
                continue;
            }
            let distance = distance(point, other);
            if distance < nearest {
                let is_near = is_same_place(&points[which], other);
                (next, nearest, which) = (if is_near { next } else { nearest }, distance, index);
            } else if distance < next && !is_same_place(&points[which], other) {
                next = distance;
            }
        }
        if nearest < ALIKE && nearest < NEARER * next && pairs.len() < MAX_PAIRS {
            // In one direction, so that a copy and its source are not exchanged.
            let other = &points[which];
            pairs.push(if (point.x, point.y) < (other.x, other.y) { (point, other) } else { (other, point) });
        }
    }
    pairs
}

fn is_same_place(one: &Point, other: &Point) -> bool {
    (one.x - other.x).abs() + (one.y - other.y).abs() < 6.0
}

/// The distance of two descriptions, as a part of their length.
fn distance(one: &Point, other: &Point) -> f32 {
    let product: i32 = one.description.iter().zip(&other.description).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
    #[expect(clippy::cast_precision_loss, reason = "a few digits are enough")]
    let cosine = product as f32 / (NORM * NORM);
    (2.0 - 2.0 * cosine).max(0.0).sqrt()
}

/// The move, turn and scale of a pair.
fn of_pair((from, to): &Pair<'_>) -> Mapping {
    let (sin, cos) = (to.direction - from.direction).sin_cos();
    let scale = to.size / from.size;
    let turn = [scale * cos, -scale * sin, scale * sin, scale * cos];
    let still = Mapping { across: 0.0, down: 0.0, turn: Some(turn) };
    let (x, y) = still.of(from.x, from.y);
    still.moved(to.x - x, to.y - y)
}

/// The pairs that a mapping explains.
fn inside(pairs: &[Pair<'_>], mapping: &Mapping) -> Vec<usize> {
    let [a, b, ..] = mapping.turn.unwrap_or([1.0, 0.0, 0.0, 1.0]);
    let scale = a.hypot(b);
    if !(1.0 / LARGEST..=LARGEST).contains(&scale) {
        return Vec::new();
    }
    let is_inside = |(from, to): &Pair<'_>| {
        let (x, y) = mapping.of(from.x, from.y);
        let size = to.size / from.size / scale;
        (x - to.x).hypot(y - to.y) < CLOSE + 0.3 * to.size && (0.6..1.6).contains(&size)
    };
    (0..pairs.len()).filter(|at| is_inside(&pairs[*at])).collect()
}

/// How many of the pairs are at different places.
fn distinct(pairs: &[Pair<'_>], chosen: &[usize]) -> usize {
    let mut places: Vec<(i32, i32)> = chosen
        .iter()
        .map(|at| {
            let (from, _) = pairs[*at];
            #[expect(clippy::cast_possible_truncation, reason = "places in a small picture")]
            let place = ((from.x / 6.0) as i32, (from.y / 6.0) as i32);
            place
        })
        .collect();
    places.sort_unstable();
    places.dedup();
    places.len()
}

/// The mapping that fits these pairs best, by least squares: turned, scaled and moved.
fn fitted(pairs: &[Pair<'_>]) -> Option<Mapping> {
    let count = super::mapping::as_f32(pairs.len());
    let mean = |of: fn(&Pair<'_>) -> f32| pairs.iter().map(of).sum::<f32>() / count;
    let (from_x, from_y) = (mean(|pair| pair.0.x), mean(|pair| pair.0.y));
    let (to_x, to_y) = (mean(|pair| pair.1.x), mean(|pair| pair.1.y));
    let (mut along, mut across, mut square) = (0.0, 0.0, 0.0);
    for (from, to) in pairs {
        let (x, y, u, v) = (from.x - from_x, from.y - from_y, to.x - to_x, to.y - to_y);
        along += x * u + y * v;
        across += x * v - y * u;
        square += x * x + y * y;
    }
    if square < 1.0 {
        return None;
    }
    let (a, c) = (along / square, across / square);
    let still = Mapping { across: 0.0, down: 0.0, turn: Some([a, -c, c, a]) };
    let (x, y) = still.of(from_x, from_y);
    Some(still.moved(to_x - x, to_y - y))
}
