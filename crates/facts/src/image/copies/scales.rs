//! A picture at several degrees of blur, and the points that stand out at one of them (after D. Lowe, *Distinctive image
//! features from scale-invariant keypoints*, IJCV 60, 2004).

use crate::image::plane::Plane;

/// Degrees of blur from one halving of the picture to the next, and how much stronger each is.
const DEGREES: usize = 3;
const BASE: f32 = 1.6;
/// How often the picture is halved.
const OCTAVES: usize = 3;
/// The blur of a picture as it comes from a camera.
const CAMERA: f32 = 0.6;
/// The least difference between two degrees of blur at a point, in steps of brightness.
const LEAST: f32 = 1.2;
/// A point on an edge can slide along it: the curvature across is at most this many times that along it.
const EDGE: f32 = 8.0;
/// The most points.
const POINTS: usize = 1_800;
const BORDER: usize = 8;

/// The brightness at one degree of blur.
pub(super) struct Layer {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) values: Vec<f32>,
}

/// A point in a layer.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) octave: usize,
    pub(super) layer: usize,
    pub(super) x: usize,
    pub(super) y: usize,
    strength: f32,
}

/// For each halving, the layers from sharp to blurred.
pub(super) struct Scales(pub(super) Vec<Vec<Layer>>);

/// The blur of a layer, in its own pixels.
pub(super) fn blur_of(layer: usize) -> f32 {
    const STRONGER: [f32; DEGREES + 3] = [1.0, 1.259_921, 1.587_401, 2.0, 2.519_842, 3.174_802];
    BASE * STRONGER[layer.min(DEGREES + 2)]
}

impl Scales {
    pub(super) fn of(plane: &Plane) -> Self {
        let values = plane.values.iter().map(|value| f32::from(*value)).collect();
        let sharp = Layer { width: plane.width, height: plane.height, values };
        let mut first = sharp.blurred((BASE * BASE - CAMERA * CAMERA).sqrt());
        let mut octaves = Vec::new();
        while octaves.len() < OCTAVES && first.width.min(first.height) > 4 * BORDER {
            let mut layers = vec![first];
            for layer in 1..DEGREES + 3 {
                let (from, to) = (blur_of(layer - 1), blur_of(layer));
                let next = layers[layer - 1].blurred((to * to - from * from).sqrt());
                layers.push(next);
            }
            first = layers[DEGREES].halved();
            octaves.push(layers);
        }
        Self(octaves)
    }

    /// The points that stand out most.
    pub(super) fn spots(&self) -> Vec<Spot> {
        let mut spots = Vec::new();
        for (octave, layers) in self.0.iter().enumerate() {
            let differences: Vec<Vec<f32>> = layers
                .windows(2)
                .map(|pair| pair[1].values.iter().zip(&pair[0].values).map(|(one, other)| one - other).collect())
                .collect();
            for layer in 1..=DEGREES {
                let three = [&differences[layer - 1][..], &differences[layer], &differences[layer + 1]];
                spots_between(three, (layers[0].width, layers[0].height), &mut |x, y, strength| {
                    spots.push(Spot { octave, layer, x, y, strength });
                });
            }
        }
        spots.sort_by(|one, other| other.strength.total_cmp(&one.strength));
        spots.truncate(POINTS);
        spots
    }
}

/// Reports the places of the middle layer whose value is above or below all 26 around it.
fn spots_between(layers: [&[f32]; 3], (width, height): (usize, usize), report: &mut dyn FnMut(usize, usize, f32)) {
    let [_, middle, _] = layers;
    for y in BORDER..height - BORDER {
        for x in BORDER..width - BORDER {
            let at = y * width + x;
            let value = middle[at];
            if value.abs() < LEAST {
                continue;
            }
            let around = |of: fn(f32, f32) -> bool| {
                layers.iter().all(|layer| {
                    [at - width, at, at + width]
                        .iter()
                        .all(|row| layer[row - 1..row + 2].iter().all(|near| !of(*near, value)))
                })
            };
            let stands_out =
                if value > 0.0 { around(|near, value| near > value) } else { around(|near, value| near < value) };
            if stands_out && !is_edge(middle, width, at) {
                report(x, y, value.abs());
            }
        }
    }
}

fn is_edge(values: &[f32], width: usize, at: usize) -> bool {
    let across = values[at - 1] + values[at + 1] - 2.0 * values[at];
    let down = values[at - width] + values[at + width] - 2.0 * values[at];
    let mixed =
        (values[at + width + 1] + values[at - width - 1] - values[at + width - 1] - values[at - width + 1]) / 4.0;
    let (trace, area) = (across + down, across * down - mixed * mixed);
    area <= 0.0 || trace * trace * EDGE >= (EDGE + 1.0) * (EDGE + 1.0) * area
}

impl Layer {
    /// Blurred by a normal distribution of this width.
    fn blurred(&self, width: f32) -> Self {
        let (middle, weights) = bell(width);
        let reach = weights.len();
        let mut across = vec![0.0; self.values.len()];
        let mut padded = vec![0.0; self.width + 2 * reach];
        for (from, to) in self.values.chunks_exact(self.width).zip(across.chunks_exact_mut(self.width)) {
            padded[..reach].fill(from[0]);
            padded[reach..reach + self.width].copy_from_slice(from);
            padded[reach + self.width..].fill(from[self.width - 1]);
            to.iter_mut().zip(from).for_each(|(to, from)| *to = from * middle);
            for (away, weight) in (1..).zip(&weights) {
                let pairs = padded[reach - away..].iter().zip(&padded[reach + away..]);
                to.iter_mut().zip(pairs).for_each(|(to, (left, right))| *to += (left + right) * weight);
            }
        }
        let mut values = vec![0.0; self.values.len()];
        for (y, to) in values.chunks_exact_mut(self.width).enumerate() {
            let line = |y: usize| &across[y * self.width..(y + 1) * self.width];
            to.iter_mut().zip(line(y)).for_each(|(to, from)| *to = from * middle);
            for (away, weight) in (1..).zip(&weights) {
                let pairs = line(y.saturating_sub(away)).iter().zip(line((y + away).min(self.height - 1)));
                to.iter_mut().zip(pairs).for_each(|(to, (above, below))| *to += (above + below) * weight);
            }
        }
        Self { values, ..*self }
    }

    /// Every second pixel of every second row.
    fn halved(&self) -> Self {
        let (width, height) = (self.width / 2, self.height / 2);
        let values = (0..height)
            .flat_map(|y| self.values[2 * y * self.width..].iter().step_by(2).take(width).copied())
            .collect();
        Self { width, height, values }
    }
}

/// The weights of a normal distribution: of the middle, and of each pixel to one side.
fn bell(width: f32) -> (f32, Vec<f32>) {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few pixels")]
    let reach = (width * 2.7).ceil().max(1.0) as u16;
    let weights: Vec<f32> = (1..=reach).map(|at| (-(f32::from(at) / width).powi(2) / 2.0).exp()).collect();
    let sum = 1.0 + 2.0 * weights.iter().sum::<f32>();
    (1.0 / sum, weights.into_iter().map(|weight| weight / sum).collect())
}
