//! The house: a plastered front with door, windows and number plate, a brick side, a tiled roof, and the damage: a
//! downpipe that broke and the stain that its water left.

use super::{
    Finish, Hit, SUN,
    vector::{Vector, vector},
};
use crate::{
    lettering::Lettering,
    random::{Noise, Random, lerp, smoothstep},
};

const LEFT: f32 = -3.6;
const RIGHT: f32 = 5.4;
const EAVES: f32 = 4.5;
const DEPTH: f32 = 6.5;
/// How far the roof projects over the front.
const OVERHANG: f32 = 0.45;
/// The slope of the roof: metres up for each metre back.
const PITCH: f32 = 0.78;
/// The position of the downpipe, and the heights between which it is missing.
const PIPE: f32 = 2.3;
const BREAK: (f32, f32) = (2.55, 3.15);
const WINDOWS: [Opening; 5] = [
    Opening { left: -2.9, right: -1.35, bottom: 0.95, top: 2.35 },
    Opening { left: 3.15, right: 4.6, bottom: 0.95, top: 2.35 },
    Opening { left: -2.75, right: -1.5, bottom: 2.95, top: 3.95 },
    Opening { left: 0.2, right: 1.35, bottom: 2.95, top: 3.95 },
    Opening { left: 3.25, right: 4.5, bottom: 2.95, top: 3.95 },
];
const DOOR: Opening = Opening { left: 0.25, right: 1.25, bottom: 0.12, top: 2.3 };
const PLATE: Opening = Opening { left: -0.42, right: 0.0, bottom: 1.58, top: 1.88 };

/// A rectangle in the front wall.
struct Opening {
    left: f32,
    right: f32,
    bottom: f32,
    top: f32,
}

impl Opening {
    /// How far inside its edge the point is; negative outside.
    fn depth(&self, x: f32, y: f32) -> f32 {
        (x - self.left).min(self.right - x).min(y - self.bottom).min(self.top - y)
    }

    /// The point's place in the rectangle, each 0 to 1.
    fn within(&self, x: f32, y: f32) -> (f32, f32) {
        ((x - self.left) / (self.right - self.left), (y - self.bottom) / (self.top - self.bottom))
    }
}

#[derive(Debug)]
pub(super) struct House {
    digits: Lettering,
    plaster: Noise,
    stains: Noise,
    wall: Vector,
    door: Vector,
}

impl House {
    pub(super) fn new(number: u64, random: &mut Random) -> Self {
        Self {
            digits: Lettering::new(&number.to_string()),
            plaster: Noise::new(random),
            stains: Noise::new(random),
            wall: random.pick(&[vector(0.66, 0.59, 0.45), vector(0.62, 0.6, 0.56), vector(0.66, 0.52, 0.38)]),
            door: random.pick(&[vector(0.05, 0.13, 0.11), vector(0.2, 0.045, 0.04), vector(0.05, 0.08, 0.17)]),
        }
    }

    /// The nearest surface of the house on a ray.
    pub(super) fn hit(&self, origin: Vector, direction: Vector) -> Option<Hit> {
        [
            Self::hit_gutter(origin, direction),
            self.hit_front(origin, direction),
            self.hit_side(origin, direction),
            self.hit_roof(origin, direction),
        ]
        .into_iter()
        .flatten()
        .min_by(|a, b| a.distance.total_cmp(&b.distance))
    }

    /// The gutter hangs at the roof's lower edge.
    fn hit_gutter(origin: Vector, direction: Vector) -> Option<Hit> {
        let (distance, point) = meet(origin, direction, origin.z - OVERHANG, direction.z)?;
        let across = (point.y - (EAVES - PITCH * OVERHANG) + 0.04) / 0.065;
        let inside = (LEFT - 0.3..RIGHT + 0.3).contains(&point.x) && across.abs() < 1.0;
        inside.then(|| {
            let zinc = Finish { sunlit: 0.7, ..cylinder(vector(0.38, 0.4, 0.41), across) };
            Hit { distance, normal: vector(0.0, 0.0, 1.0), finish: zinc }
        })
    }

    fn hit_front(&self, origin: Vector, direction: Vector) -> Option<Hit> {
        let (distance, point) = meet(origin, direction, origin.z, direction.z)?;
        let inside = (LEFT..RIGHT).contains(&point.x) && (0.0..EAVES).contains(&point.y);
        inside.then(|| Hit { distance, normal: vector(0.0, 0.0, 1.0), finish: self.front(point.x, point.y) })
    }

    fn hit_side(&self, origin: Vector, direction: Vector) -> Option<Hit> {
        let (distance, point) = meet(origin, direction, origin.x - LEFT, direction.x)?;
        let gable = EAVES + PITCH * (DEPTH / 2.0 - (point.z + DEPTH / 2.0).abs());
        let inside = (-DEPTH..0.0).contains(&point.z) && (0.0..gable).contains(&point.y);
        inside.then(|| Hit {
            distance,
            normal: vector(-1.0, 0.0, 0.0),
            finish: Finish::matt(self.bricks(point.z, point.y)),
        })
    }

    fn hit_roof(&self, origin: Vector, direction: Vector) -> Option<Hit> {
        // The slope is the plane y = EAVES - PITCH * z, seen from above and, under the overhang, from below.
        let gap = origin.y - EAVES + PITCH * origin.z;
        let (distance, point) = meet(origin, direction, gap, direction.y + PITCH * direction.z)?;
        let inside = (LEFT - 0.3..RIGHT + 0.3).contains(&point.x) && (-DEPTH / 2.0..OVERHANG).contains(&point.z);
        inside.then(|| {
            let above = gap > 0.0;
            let up = vector(0.0, 1.0, PITCH).normalised();
            let colour = if above { self.tiles(point.x, point.z) } else { vector(0.3, 0.2, 0.12) };
            Hit { distance, normal: if above { up } else { -up }, finish: Finish::matt(colour) }
        })
    }

    fn front(&self, x: f32, y: f32) -> Finish {
        let mut finish = self.front_details(x, y).unwrap_or_else(|| self.stained_plaster(x, y));
        // The shadow of the eaves: how far down it reaches is the overhang times the sun's slope.
        finish.sunlit *= smoothstep(EAVES - 0.63, EAVES - 0.68, y);
        finish
    }

    /// What is mounted on the wall or set into it, from front to back.
    fn front_details(&self, x: f32, y: f32) -> Option<Finish> {
        if PLATE.depth(x, y) > 0.0 {
            return Some(self.plate(x, y));
        }
        if let Some(pipe) = self.pipe(x, y) {
            return Some(pipe);
        }
        if DOOR.depth(x, y) > -0.11 {
            return Some(self.door(x, y));
        }
        WINDOWS.iter().find(|window| window.depth(x, y) > -0.09).map(|window| self.window(window, x, y))
    }

    fn plate(&self, x: f32, y: f32) -> Finish {
        let (across, up) = PLATE.within(x, y);
        let border = PLATE.depth(x, y);
        let white = (0.012..0.022).contains(&border) || self.digits.covers((across - 0.5) * 1.4, up);
        let enamel = if white { vector(0.88, 0.88, 0.86) } else { vector(0.02, 0.06, 0.3) };
        Finish { gloss: 0.05, ..Finish::matt(enamel * lerp(0.85, 1.0, self.plaster.fractal(x * 30.0, y * 30.0, 3))) }
    }

    fn pipe(&self, x: f32, y: f32) -> Option<Finish> {
        let across = (x - PIPE) / 0.05;
        let ragged = (self.plaster.smooth(x * 60.0, 5.0) - 0.5) * 0.12;
        let gone = (BREAK.0 + ragged..BREAK.1 - ragged).contains(&y);
        if across.abs() > 1.0 || gone {
            return None;
        }
        let bracket = (y / 0.9).fract() < 0.03;
        let rust = smoothstep(0.55, 0.7, self.stains.fractal(x * 20.0, y * 4.0, 4))
            * smoothstep(0.8, 0.1, (y - BREAK.0).abs());
        let zinc = vector(0.42, 0.44, 0.45) * if bracket { 0.6 } else { 1.0 };
        Some(cylinder(zinc.towards(vector(0.25, 0.1, 0.03), rust), across))
    }

    fn door(&self, x: f32, y: f32) -> Finish {
        let depth = DOOR.depth(x, y);
        if depth < 0.0 {
            return Finish::matt(
                vector(0.72, 0.71, 0.68) * lerp(0.9, 1.05, self.plaster.fractal(x * 25.0, y * 25.0, 3)),
            );
        }
        let (across, up) = DOOR.within(x, y);
        let panel = (across * 2.0).fract();
        let grooved = (0.12..0.88).contains(&panel) && ((0.08..0.4).contains(&up) || (0.48..0.92).contains(&up));
        let edge = grooved
            && !((0.15..0.85).contains(&panel) && ((0.095..0.385).contains(&up) || (0.495..0.905).contains(&up)));
        let grain = 0.75 + 0.5 * self.plaster.fractal(x * 90.0, y * 6.0, 4);
        let handle = ((across - 0.9) * 1.0).hypot((up - 0.46) * 2.18) < 0.03;
        let colour = if handle { vector(0.6, 0.5, 0.26) } else { self.door * grain * if edge { 0.4 } else { 1.0 } };
        // The frame casts a shadow on what is behind it.
        let sunlit = smoothstep(0.02, 0.06, x - DOOR.left) * smoothstep(0.08, 0.14, DOOR.top - y);
        Finish { colour, gloss: if handle { 0.25 } else { 0.03 }, sunlit }
    }

    fn window(&self, window: &Opening, x: f32, y: f32) -> Finish {
        let depth = window.depth(x, y);
        let (across, up) = window.within(x, y);
        let bars = (across - 0.5).abs() < 0.02 || (up - 0.62).abs() < 0.018;
        if depth < 0.06 || bars {
            let painted = vector(0.74, 0.73, 0.7) * lerp(0.85, 1.05, self.plaster.fractal(x * 25.0, y * 25.0, 3));
            let sill = y < window.bottom;
            return Finish { sunlit: if depth < 0.0 || sill { 1.0 } else { 0.75 }, ..Finish::matt(painted) };
        }
        // A dark room behind the glass, with a curtain on either side.
        let fold = (across * 60.0 + self.plaster.smooth(across * 9.0, 2.0) * 4.0).sin() * 0.5 + 0.5;
        let curtain = smoothstep(0.27, 0.24, across.min(1.0 - across));
        let room = vector(0.018, 0.018, 0.022).towards(vector(0.3, 0.28, 0.25) * lerp(0.4, 1.0, fold), curtain);
        let sunlit = 0.5 * smoothstep(0.1, 0.2, window.top - y) * smoothstep(0.05, 0.12, x - window.left);
        Finish { colour: room, gloss: 0.34, sunlit }
    }

    /// The plaster with its water damage.
    fn stained_plaster(&self, x: f32, y: f32) -> Finish {
        if y < 0.42 {
            return self.plinth(x, y);
        }
        let coarse = self.plaster.fractal(x * 1.3, y * 1.3, 4);
        let fine = self.plaster.fractal(x * 48.0, y * 48.0, 4);
        let streaks = self.plaster.fractal(x * 7.0, y * 0.7, 4);
        let clean = self.wall * (lerp(0.86, 1.08, coarse) * lerp(0.72, 1.28, fine) * lerp(0.92, 1.06, streaks));
        let soaked = self.soaked(x, y);
        if soaked > 0.62 && self.stains.fractal(x * 3.1 + 7.0, y * 3.1, 5) > 0.54 {
            // The plaster has fallen off and shows the bricks.
            return Finish { sunlit: 0.85, ..Finish::matt(self.bricks(x, y) * 0.62) };
        }
        let damp = clean.times(vector(0.5, 0.43, 0.33));
        let tide = smoothstep(0.1, 0.2, soaked) * smoothstep(0.34, 0.2, soaked);
        let mould = smoothstep(0.58, 0.7, self.stains.fractal(x * 11.0, y * 11.0, 5)) * smoothstep(0.3, 0.6, soaked);
        let stained = clean.towards(damp, smoothstep(0.12, 0.5, soaked)).towards(vector(0.24, 0.14, 0.05), tide * 0.55);
        Finish::matt(stained.towards(vector(0.05, 0.06, 0.04), mould * 0.8))
    }

    /// How much water the wall has absorbed at a point, 0 to 1: a plume that widens below the break.
    fn soaked(&self, x: f32, y: f32) -> f32 {
        let below = (BREAK.1 + 0.12 - y).max(0.0);
        let spread = 0.12 + 0.36 * below.sqrt() + 0.17 * below;
        if (x - PIPE).abs() > 2.0 * spread {
            // The noise does not reach that far.
            return 0.0;
        }
        let wander = (self.stains.fractal(x * 1.4, y * 1.1, 5) - 0.5) * 1.5
            + (self.stains.fractal(x * 9.0, y * 2.0, 4) - 0.5) * 0.4;
        let across = (x - PIPE).abs() / spread;
        (1.0 - across + wander * smoothstep(0.0, 0.8, below)).clamp(0.0, 1.0) * smoothstep(0.0, 0.15, below)
    }

    fn plinth(&self, x: f32, y: f32) -> Finish {
        let grain = self.plaster.fractal(x * 34.0, y * 34.0, 5);
        let lip = if y > 0.38 { 1.35 } else { 1.0 };
        let splashed = lerp(0.6, 1.0, smoothstep(0.0, 0.3, y + 0.15 * self.stains.fractal(x * 4.0, y * 4.0, 4)));
        let wet = lerp(1.0, 0.5, self.soaked(x, y));
        Finish::matt(vector(0.3, 0.29, 0.27) * (lerp(0.6, 1.3, grain) * lip * splashed * wet))
    }

    /// Running bond, a brick 215 × 65 mm with 10 mm joints.
    #[expect(clippy::cast_possible_truncation, reason = "brick numbers are small")]
    fn bricks(&self, along: f32, up: f32) -> Vector {
        let course = (up / 0.075).floor();
        let shifted = along / 0.225 + 0.5 * course.rem_euclid(2.0);
        let (across, high) = (shifted - shifted.floor(), up / 0.075 - course);
        let burnt = self.plaster.cell(shifted.floor() as i32, course as i32);
        let rough = self.plaster.fractal(along * 60.0, up * 60.0, 3);
        let clay = vector(0.34, 0.13, 0.08).towards(vector(0.5, 0.24, 0.15), burnt) * lerp(0.65, 1.3, rough);
        let joint = (across * 0.225).min((1.0 - across) * 0.225).min(high * 0.075).min((1.0 - high) * 0.075);
        vector(0.42, 0.4, 0.36).towards(clay, smoothstep(0.003, 0.007, joint))
    }

    #[expect(clippy::cast_possible_truncation, reason = "tile numbers are small")]
    fn tiles(&self, x: f32, z: f32) -> Vector {
        let row = (z / 0.27).floor();
        let column = x / 0.24 + 0.5 * row.rem_euclid(2.0);
        let (across, down) = (column - column.floor(), z / 0.27 - row);
        let age = self.plaster.cell(column.floor() as i32, row as i32 + 900);
        let lichen = smoothstep(0.6, 0.8, self.stains.fractal(x * 3.0, z * 3.0, 5));
        let clay =
            vector(0.3, 0.12, 0.07).towards(vector(0.42, 0.2, 0.12), age).towards(vector(0.3, 0.31, 0.2), lichen * 0.7);
        let rounded = lerp(0.55, 1.1, (across * std::f32::consts::PI).sin());
        clay * (rounded
            * lerp(1.1, 0.5, smoothstep(0.75, 1.0, down))
            * lerp(0.8, 1.2, self.plaster.fractal(x * 30.0, z * 30.0, 3)))
    }
}

/// How wet the ground is below the broken pipe, 0 to 1; `noise` roughens the puddle's edge.
pub(super) fn wetness(x: f32, z: f32, noise: f32) -> f32 {
    let (across, deep) = ((x - PIPE - 0.1) / 1.5, (z - 0.75) / 0.95);
    (1.2 - across.hypot(deep) + (noise - 0.5) * 0.9).clamp(0.0, 1.0)
}

/// Whether the house is between the sun and a point of the ground behind its front.
pub(super) fn in_shadow(x: f32, z: f32) -> bool {
    let way = -z / SUN.z;
    let (crossing, height) = (x + SUN.x * way, SUN.y * way);
    way > 0.0 && (LEFT..RIGHT).contains(&crossing) && height < EAVES
}

/// Where a ray meets a plane, given the origin's distance from the plane and the ray's speed of approach.
fn meet(origin: Vector, direction: Vector, gap: f32, approach: f32) -> Option<(f32, Vector)> {
    let distance = -gap / approach;
    (distance.is_finite() && distance > 0.0).then(|| (distance, origin + direction * distance))
}

/// A round bar of that colour, `across` from -1 to 1 over its width, lit from the left.
fn cylinder(colour: Vector, across: f32) -> Finish {
    let across = across.clamp(-1.0, 1.0);
    let round = (1.0 - across * across).sqrt();
    Finish::matt(colour * (0.45 + 0.55 * round - 0.25 * across))
}
