//! Things with a fine regular pattern, similar to a picture of a screen: cloth, bricks, blinds, tiles, a fly screen.
//! Photographs of them are genuine.

use super::sensor::Light;
use crate::random::{Noise, Random, lerp, smoothstep};

#[derive(Clone, Copy, Debug)]
enum Pattern {
    Cloth,
    Bricks,
    Blinds,
    Tiles,
    FlyScreen,
    /// These two occur only in photographs for judging.
    Corduroy,
    Basket,
}

/// A surface with a pattern.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motif {
    pattern: Pattern,
    /// The pattern's period in pixels, in the middle of the picture.
    period: f32,
    turn: f32,
    lean: (f32, f32),
    /// How far folds shift the pattern, in pixels, and how wide they are.
    folds: (f32, f32),
    colours: [[f32; 3]; 2],
    push: [Noise; 2],
    wear: Noise,
    light: (f32, f32),
    /// The share of the picture that it fills, from below.
    share: f32,
}

impl Motif {
    pub(super) fn new(random: &mut Random, judging: bool) -> Self {
        let mut patterns =
            vec![Pattern::Cloth, Pattern::Cloth, Pattern::Bricks, Pattern::Blinds, Pattern::Tiles, Pattern::FlyScreen];
        if judging {
            patterns.extend([Pattern::Corduroy, Pattern::Basket]);
        }
        let pattern = random.pick(&patterns);
        let (period, folds) = match pattern {
            Pattern::Cloth => (random.between(2.6, 10.0), random.between(3.0, 25.0)),
            Pattern::Corduroy | Pattern::Basket => (random.between(5.0, 16.0), random.between(2.0, 14.0)),
            Pattern::FlyScreen => (random.between(3.0, 9.0), random.between(0.5, 5.0)),
            Pattern::Blinds => (random.between(8.0, 40.0), random.between(0.0, 1.5)),
            Pattern::Bricks => (random.between(18.0, 90.0), random.between(0.5, 3.0)),
            Pattern::Tiles => (random.between(12.0, 110.0), random.between(0.0, 0.8)),
        };
        let colour = |random: &mut Random| std::array::from_fn(|_| random.between(0.05, 0.75));
        Self {
            pattern,
            period,
            turn: random.between(-0.25, 0.25),
            lean: (random.between(-0.3, 0.3), random.between(-0.35, 0.35)),
            folds: (folds, random.between(60.0, 260.0)),
            colours: [colour(random), colour(random)],
            push: [Noise::new(random), Noise::new(random)],
            wear: Noise::new(random),
            light: (random.between(0.1, 0.9), random.between(0.1, 0.9)),
            share: if random.whole(0, 1) == 0 { 1.0 } else { random.between(0.3, 0.7) },
        }
    }

    /// The photograph's light; `behind` is visible where the surface ends.
    pub(super) fn light(&self, behind: &Light) -> Light {
        let (width, height) = (super::sensor::real(behind.width), super::sensor::real(behind.height));
        let size = |side: usize| u32::try_from(side).unwrap_or(1);
        Light::new(size(behind.width), size(behind.height), |x, y| {
            let edge = height * (1.0 - self.share) + 30.0 * self.push[0].smooth(x / 200.0, 3.0);
            if self.share < 1.0 && y < edge {
                return behind.values[whole(y) * behind.width + whole(x)];
            }
            let mut sum = [0.0; 3];
            for (dx, dy) in [(0.2, 0.15), (0.7, 0.35), (0.3, 0.65), (0.85, 0.85)] {
                for (sum, part) in sum.iter_mut().zip(self.colour(x + dx, y + dy, width, height)) {
                    *sum += part / 4.0;
                }
            }
            sum
        })
    }

    fn colour(&self, x: f32, y: f32, width: f32, height: f32) -> [f32; 3] {
        let (right, below) = (x / width - 0.5, y / height - 0.5);
        let depth = 1.0 + self.lean.0 * right + self.lean.1 * below;
        let (across, down) = (right * width / depth, below * height / depth);
        let (sin, cos) = self.turn.sin_cos();
        let (wide, push) = (self.folds.1, self.folds.0);
        let bend = |noise: Noise| (noise.fractal(x / wide, y / wide, 2) - 0.5) * 2.0 * push;
        let s = (across * cos - down * sin + bend(self.push[0])) / self.period;
        let t = (across * sin + down * cos + bend(self.push[1])) / self.period;
        let (mark, own) = self.mark(s, t);
        let fold = lerp(0.75, 1.1, self.push[0].smooth(x / wide + 7.0, y / wide));
        let (away_x, away_y) = (right + 0.5 - self.light.0, below + 0.5 - self.light.1);
        let light = 1.05 - f32::midpoint(away_x * away_x, away_y * away_y);
        let wear = lerp(0.9, 1.08, self.wear.fractal(x / 9.0, y / 9.0, 3));
        std::array::from_fn(|part| {
            lerp(self.colours[0][part], self.colours[1][part], mark) * lerp(0.8, 1.15, own) * light * fold * wear
        })
    }

    /// Which of the two colours, 0 to 1, and the piece's own brightness.
    fn mark(&self, s: f32, t: f32) -> (f32, f32) {
        let own = |s: f32, t: f32| self.wear.cell(index(s), index(t));
        let wave = |value: f32| 0.5 + 0.5 * (value * std::f32::consts::TAU).sin();
        match self.pattern {
            Pattern::Cloth => {
                let over = index(s * 2.0).rem_euclid(2) == index(t * 2.0).rem_euclid(2);
                (if over { wave(s) } else { wave(t) } * 0.7, own(s * 2.0, t * 2.0))
            }
            Pattern::Basket => {
                let over = index(s).rem_euclid(2) == index(t).rem_euclid(2);
                (if over { wave(s * 3.0) } else { wave(t * 3.0) }, own(s, t))
            }
            Pattern::Corduroy => (wave(s).powi(2), own(s, t / 9.0)),
            Pattern::Blinds => ((t - t.floor()).powi(2), own(0.0, t)),
            Pattern::Tiles => {
                let gap = joint(s, 0.05).max(joint(t, 0.05));
                (gap, own(s, t))
            }
            Pattern::FlyScreen => (joint(s, 0.16).max(joint(t, 0.16)), 0.5),
            Pattern::Bricks => {
                let row = (t * 2.6).floor();
                let s = s + if index(row).rem_euclid(2) == 0 { 0.0 } else { 0.5 };
                (joint(s, 0.04).max(joint(t * 2.6, 0.1)), own(s, row))
            }
        }
    }
}

/// 1 on the line between two pieces, 0 away from it.
fn joint(value: f32, wide: f32) -> f32 {
    let part = value - value.floor();
    smoothstep(wide, wide * 0.4, part.min(1.0 - part))
}

#[expect(clippy::cast_possible_truncation, reason = "a place in a picture of a few thousand pixels")]
fn index(value: f32) -> i32 {
    value.floor() as i32
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place within the picture")]
fn whole(value: f32) -> usize {
    value as usize
}
