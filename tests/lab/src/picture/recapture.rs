//! A picture of a picture: the light of a screen or a print, which a camera takes again.

use image::RgbImage;

use super::sensor::{Light, linear, real};
use crate::random::{Noise, Random, lerp, smoothstep};

/// Samples within a camera's pixel, for each side.
const WITHIN: usize = 4;

/// The position of the object in front of the camera.
struct View {
    turn: f32,
    lean: (f32, f32),
    width: f32,
    height: f32,
}

impl View {
    fn new(random: &mut Random, width: u32, height: u32) -> Self {
        Self {
            turn: random.between(-0.06, 0.06),
            lean: (random.between(-0.12, 0.12), random.between(-0.12, 0.12)),
            width: real(width as usize),
            height: real(height as usize),
        }
    }

    /// The distance from the middle of the object, in the camera's pixels.
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        let (u, v) = (x / self.width - 0.5, y / self.height - 0.5);
        let depth = 1.0 + self.lean.0 * u + self.lean.1 * v;
        let (across, down) = (u * self.width / depth, v * self.height / depth);
        (across - down * self.turn, down + across * self.turn)
    }
}

/// The mean of the light within a pixel of the camera.
fn over_pixel(x: f32, y: f32, colour: impl Fn(f32, f32) -> [f32; 3]) -> [f32; 3] {
    let mut sum = [0.0; 3];
    for index in 0..WITHIN * WITHIN {
        let (dx, dy) = (real(index % WITHIN) + 0.5, real(index / WITHIN) + 0.5);
        for (sum, part) in sum.iter_mut().zip(colour(x + dx / real(WITHIN), y + dy / real(WITHIN))) {
            *sum += part / real(WITHIN * WITHIN);
        }
    }
    sum
}

/// A screen that shows a picture: dots of three colours with dark gaps between, its own black, its reflections, and the
/// edge of its case.
pub(super) fn screen(shown: &RgbImage, width: u32, height: u32, random: &mut Random) -> Light {
    let view = View::new(random, width, height);
    // Pixels of the camera for each pixel of the screen: below 1 the screen is finer than the camera.
    let pitch = random.between(0.7, 3.4);
    let fills = random.between(0.86, 1.2);
    let size = (view.width * fills / pitch, view.height * fills / pitch);
    let pixels = image::imageops::resize(
        shown,
        whole(size.0).max(8),
        whole(size.1).max(8),
        image::imageops::FilterType::Triangle,
    );
    let (black, glare) = (random.between(0.002, 0.012), random.between(0.0, 0.06));
    let glare_at = (random.between(0.1, 0.9), random.between(0.1, 0.9));
    // How dark the gaps are, and how sharply the three colours are separated; telephones arrange them differently.
    let (gap, apart) = (random.between(0.15, 0.8), random.between(0.4, 1.0));
    let diamond = random.whole(0, 3) == 0;
    let falloff = random.between(0.0, 0.5);
    Light::new(width, height, |x, y| {
        let (u, v) = (x / view.width - glare_at.0, y / view.height - glare_at.1);
        let mirrored = glare * smoothstep(0.4, 0.05, (u * u + v * v).sqrt());
        over_pixel(x, y, |x, y| {
            let (across, down) = view.place(x, y);
            let (column, row) = (across / pitch + size.0 / 2.0, down / pitch + size.1 / 2.0);
            if column < 0.0 || row < 0.0 || whole(column) >= pixels.width() || whole(row) >= pixels.height() {
                return [0.004 + mirrored * 0.3; 3];
            }
            let colour = pixels.get_pixel(whole(column), whole(row)).0.map(|part| linear(f32::from(part)));
            let (within_x, within_y) = (column.fract(), row.fract());
            let line = smoothstep(0.0, 0.14, within_y) * smoothstep(1.0, 0.86, within_y);
            let dim = lerp(1.0 - gap, 1.0, line);
            let even = whole(row).is_multiple_of(2);
            let shade = 1.0 - falloff * (u * u + v * v).min(1.0);
            std::array::from_fn(|part| {
                let centre = match (diamond, part) {
                    (true, 0) => {
                        if even {
                            0.25
                        } else {
                            0.75
                        }
                    }
                    (true, 1) => 0.5,
                    (true, _) => {
                        if even {
                            0.75
                        } else {
                            0.25
                        }
                    }
                    _ => (real(part) + 0.5) / 3.0,
                };
                let lit = lerp(1.0 - apart, 1.0 + 1.2 * apart, smoothstep(0.28, 0.1, (within_x - centre).abs()));
                (colour[part] * lit * dim + black) * shade + mirrored
            })
        })
    })
}

/// A printed picture on a table: dots of four inks on paper, in rows at four angles as by a press or a laser printer,
/// or at random as by an ink jet.
pub(super) fn print(shown: &RgbImage, width: u32, height: u32, random: &mut Random) -> Light {
    let view = View::new(random, width, height);
    let fills = random.between(0.8, 1.15);
    let size = (view.width * fills, view.height * fills);
    let at_random = random.whole(0, 9) < 3;
    // Pixels of the camera for each dot.
    let cell = if at_random { random.between(0.4, 0.9) } else { random.between(2.2, 7.5) };
    let table = Noise::new(random);
    let fibre = Noise::new(random);
    let spray = [Noise::new(random), Noise::new(random), Noise::new(random), Noise::new(random)];
    let paper = [random.between(0.72, 0.86), random.between(0.72, 0.86), random.between(0.66, 0.82)];
    let ink = random.between(0.86, 0.97);
    let sun = (random.between(0.1, 0.9), random.between(0.1, 0.9));
    let angles = [15.0_f32, 75.0, 0.0, 45.0].map(|angle| angle.to_radians().sin_cos());
    Light::new(width, height, |x, y| {
        let (u, v) = (x / view.width - sun.0, y / view.height - sun.1);
        let light = 1.0 - 0.45 * (u * u + v * v);
        let colour = over_pixel(x, y, |x, y| {
            let (across, down) = view.place(x, y);
            let (column, row) = (across + size.0 / 2.0, down + size.1 / 2.0);
            if column < 0.0 || row < 0.0 || column >= size.0 || row >= size.1 {
                let grain = 0.5 + 0.6 * table.fractal(column / 90.0, row / 6.0, 3);
                return [0.19 * grain, 0.12 * grain, 0.07 * grain];
            }
            let shown_at = |value: f32, size: f32, whole_size: u32| {
                whole(value / size * real(whole_size as usize)).min(whole_size - 1)
            };
            let pixel = shown.get_pixel(shown_at(column, size.0, shown.width()), shown_at(row, size.1, shown.height()));
            let light = pixel.0.map(|part| linear(f32::from(part)));
            let inks = inks(light);
            let mut left = paper;
            for (index, cover) in inks.into_iter().enumerate() {
                let (sin, cos) = angles[index];
                let (s, t) = ((column * cos - row * sin) / cell, (column * sin + row * cos) / cell);
                let threshold = if at_random {
                    spray[index].cell(floor(s), floor(t))
                } else {
                    let wave = (s * std::f32::consts::TAU).cos() + (t * std::f32::consts::TAU).cos();
                    0.5 + wave / 4.0
                };
                let dot = smoothstep(threshold - 0.06, threshold + 0.06, cover) * ink;
                match index {
                    3 => left.iter_mut().for_each(|part| *part *= 1.0 - dot),
                    _ => left[index] *= 1.0 - dot,
                }
            }
            let rough = lerp(0.96, 1.02, fibre.fractal(column / 3.0, row / 3.0, 2));
            left.map(|part| part * rough)
        });
        colour.map(|part| part * light)
    })
}

/// How much of the paper each of four inks covers: cyan, magenta, yellow, black.
fn inks(light: [f32; 3]) -> [f32; 4] {
    let missing = light.map(|part| 1.0 - part.clamp(0.0, 1.0));
    let black = missing.iter().copied().fold(1.0, f32::min) * 0.6;
    let rest = missing.map(|part| ((part - black) / (1.0 - black)).clamp(0.0, 1.0));
    [rest[0], rest[1], rest[2], black]
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a place within a picture; below 0 it is 0"
)]
fn whole(value: f32) -> u32 {
    value as u32
}

#[expect(clippy::cast_possible_truncation, reason = "a place in a picture of a few thousand dots")]
fn floor(value: f32) -> i32 {
    value.floor() as i32
}
