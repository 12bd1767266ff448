//! Everything that is not the house: sky, clouds, a tree line, grass, the paved path and the puddle.

use super::{
    Finish, Hit, house,
    vector::{Vector, vector},
};
use crate::random::{Noise, Random, lerp, smoothstep};

#[derive(Debug)]
pub(super) struct Outdoors {
    clouds: Noise,
    leaves: Noise,
    soil: Noise,
    /// How much of the sky is covered, 0 to 1.
    cover: f32,
}

impl Outdoors {
    pub(super) fn new(random: &mut Random) -> Self {
        Self {
            clouds: Noise::new(random),
            leaves: Noise::new(random),
            soil: Noise::new(random),
            cover: random.between(0.35, 0.6),
        }
    }

    /// The light of the sky, or of the trees that hide the horizon, in that direction.
    pub(super) fn sky(&self, direction: Vector, sun: Vector) -> Vector {
        let azimuth = direction.x.atan2(-direction.z);
        let crowns = 0.035 + 0.085 * self.leaves.fractal(azimuth * 9.0, 3.0, 5);
        if direction.y < crowns {
            return self.trees(azimuth, direction.y, crowns);
        }
        let height = direction.y.max(0.01);
        let blue = vector(0.74, 0.84, 0.97).towards(vector(0.2, 0.4, 0.83), smoothstep(0.0, 0.65, height));
        // Clouds are on a flat ceiling, so they shrink towards the horizon.
        let (x, z) = (direction.x / (height + 0.12), direction.z / (height + 0.12));
        let billow = self.clouds.fractal(x * 1.1, z * 1.1, 6);
        let body = smoothstep(1.0 - self.cover - 0.14, 1.0 - self.cover + 0.2, billow);
        let shade = self.clouds.fractal(x * 1.1 + sun.x * 0.3, z * 1.1 + sun.z * 0.3, 4);
        let cloud = vector(1.25, 1.22, 1.2).towards(vector(0.52, 0.57, 0.65), smoothstep(0.42, 0.75, shade));
        blue.towards(cloud, body * smoothstep(0.0, 0.12, height))
    }

    fn trees(&self, azimuth: f32, height: f32, crowns: f32) -> Vector {
        let tuft = self.leaves.fractal(azimuth * 110.0, height * 130.0, 4);
        let sunny = smoothstep(0.45, 0.8, tuft) * smoothstep(-0.02, crowns, height);
        vector(0.045, 0.075, 0.035).towards(vector(0.21, 0.29, 0.1), sunny)
    }

    /// Where a ray meets the ground, if it goes down.
    pub(super) fn ground(&self, origin: Vector, direction: Vector) -> Option<Hit> {
        if direction.y >= -0.002 {
            return None;
        }
        let distance = -origin.y / direction.y;
        let (x, z) = (origin.x + direction.x * distance, origin.z + direction.z * distance);
        // Texture finer than a pixel would only flicker: leave out what the distance hides.
        let octaves = if distance < 12.0 { 5 } else { 3 };
        let path = self.path(x, z);
        let mut finish = if path > 0.5 { self.paving(x, z, octaves) } else { self.grass(x, z, octaves) };
        let wet = house::wetness(x, z, self.soil.fractal(x * 1.7, z * 1.7, 4));
        finish.colour = finish.colour * lerp(1.0, 0.5, smoothstep(0.1, 0.45, wet));
        finish.gloss = 0.7 * smoothstep(0.42, 0.58, wet);
        // Little sky is seen from close to the wall.
        finish.colour = finish.colour * lerp(0.55, 1.0, smoothstep(0.0, 0.7, z.abs()));
        if house::in_shadow(x, z) {
            finish.sunlit = 0.0;
        }
        Some(Hit { distance, normal: vector(0.0, 1.0, 0.0), finish })
    }

    /// 1 on the path (a strip along the wall and a way to the door), 0 off it.
    fn path(&self, x: f32, z: f32) -> f32 {
        let ragged = (self.soil.fractal(x * 3.0, z * 3.0, 3) - 0.5) * 0.16;
        let along_wall =
            smoothstep(1.25, 1.2, (z - 0.2 + ragged).abs()) * smoothstep(5.25, 5.2, (x - 0.9 + ragged).abs());
        let to_door = smoothstep(0.98, 0.93, (x - 0.75 + ragged).abs()) * smoothstep(0.0, 0.1, z);
        along_wall.max(to_door)
    }

    #[expect(clippy::cast_possible_truncation, reason = "slab numbers are small")]
    fn paving(&self, x: f32, z: f32, octaves: u32) -> Finish {
        let (column, row) = ((x / 0.62).floor(), (z / 0.47).floor());
        let (across, deep) = (x / 0.62 - column, z / 0.47 - row);
        let joint = [across, 1.0 - across, deep, 1.0 - deep].into_iter().fold(1.0, f32::min);
        let slab = 0.22 + 0.09 * self.soil.cell(column as i32, row as i32);
        let speckle = 0.7 + 0.6 * self.soil.fractal(x * 31.0, z * 31.0, octaves);
        let dirt = self.soil.fractal(x * 2.3, z * 2.3, 4);
        let stone = vector(1.0, 0.96, 0.9) * (slab * speckle * lerp(0.75, 1.1, dirt));
        Finish::matt(stone.towards(vector(0.06, 0.07, 0.035), smoothstep(0.035, 0.012, joint)))
    }

    fn grass(&self, x: f32, z: f32, octaves: u32) -> Finish {
        // Blades stand upright: stretched noise, seen from the side.
        let blades = self.leaves.fractal(x * 46.0, z * 19.0, octaves);
        let patches = self.leaves.fractal(x * 0.8, z * 0.8, 4);
        let green = vector(0.075, 0.14, 0.03).towards(vector(0.2, 0.24, 0.07), smoothstep(0.3, 0.75, patches));
        let leaf = smoothstep(0.88, 0.9, self.leaves.smooth(x * 15.0 + 40.0, z * 15.0));
        let fallen = vector(0.36, 0.17, 0.05) * lerp(0.5, 1.0, blades);
        Finish::matt((green * lerp(0.35, 1.75, blades)).towards(fallen, leaf))
    }
}
