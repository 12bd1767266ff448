//! A house after a burst pipe, drawn by casting a ray through every pixel: walls in true perspective, a sky, a puddle
//! that mirrors. Its textures are noise at every scale, so a picture of it compresses like a photograph.
//!
//! Lengths are metres. The front wall is in the plane z = 0 and faces +z; x runs along it, y up from the ground.

mod house;
mod outdoors;
mod vector;

use std::thread;

use image::RgbImage;

use self::{
    house::House,
    outdoors::Outdoors,
    vector::{Vector, vector},
};
use crate::{
    person::house_number,
    random::{Noise, Random},
};

/// Towards the sun: high, to the left for a viewer of the front wall.
const SUN: Vector = vector(-0.436, 0.727, 0.533);
const SUNLIGHT: Vector = vector(1.75, 1.6, 1.36);
const SKYLIGHT: Vector = vector(0.36, 0.43, 0.53);

/// Where the camera is, and where it points.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    /// Metres along the wall: the camera's place.
    pub along: f32,
    /// Metres above the ground.
    pub height: f32,
    /// Metres in front of the wall.
    pub distance: f32,
    /// Metres along the wall: the point aimed at.
    pub aim: f32,
    /// Width of the shorter side of the picture at a distance of one metre, in metres.
    pub angle: f32,
}

impl Default for Camera {
    /// A viewpoint in the front garden, far enough away to show the whole house.
    fn default() -> Self {
        Self { along: -5.2, height: 1.65, distance: 9.2, aim: 0.55, angle: 0.86 }
    }
}

/// One house with its own number, damage, weather and planting: a seed is an address.
#[derive(Debug)]
pub struct Scene {
    house: House,
    outdoors: Outdoors,
    grain: Noise,
}

/// The point where a ray meets a surface.
struct Hit {
    distance: f32,
    normal: Vector,
    finish: Finish,
}

/// How a point of a surface treats light.
#[derive(Clone, Copy)]
struct Finish {
    colour: Vector,
    /// The share of light that is mirrored, 0 to 1.
    gloss: f32,
    /// The share of the sun that reaches it, 0 to 1.
    sunlit: f32,
}

impl Finish {
    fn matt(colour: Vector) -> Self {
        Self { colour, gloss: 0.0, sunlit: 1.0 }
    }
}

impl Scene {
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed, "scene");
        Self {
            house: House::new(house_number(seed), &mut random),
            outdoors: Outdoors::new(&mut random),
            grain: Noise::new(&mut random),
        }
    }

    /// The picture that a camera with a sensor of `width` × `height` pixels takes, upright. Both must be positive.
    pub fn render(&self, camera: &Camera, width: u32, height: u32) -> RgbImage {
        let mut picture = RgbImage::new(width, height);
        let row_bytes = width as usize * 3;
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let rows_each = (height as usize).div_ceil(threads);
        thread::scope(|scope| {
            for (part, rows) in picture.chunks_mut(row_bytes * rows_each).enumerate() {
                scope.spawn(move || {
                    for (offset, row) in rows.chunks_exact_mut(row_bytes).enumerate() {
                        self.render_row(camera, (width, height), part * rows_each + offset, row);
                    }
                });
            }
        });
        picture
    }

    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        reason = "pixel positions are far below the limits of these types"
    )]
    fn render_row(&self, camera: &Camera, (width, height): (u32, u32), row: usize, pixels: &mut [u8]) {
        let lens = Lens::new(camera, width as f32, height as f32);
        for (column, pixel) in pixels.as_chunks_mut::<3>().0.iter_mut().enumerate() {
            let (x, y) = (column as f32, row as f32);
            // Two rays on a diagonal soften every edge at half the cost of four.
            let light = [(0.25, 0.3), (0.75, 0.7)]
                .map(|(dx, dy)| self.trace(lens.place, lens.direction(x + dx, y + dy), 1))
                .into_iter()
                .fold(vector(0.0, 0.0, 0.0), |sum, ray| sum + ray * 0.5);
            let exposed = light * lens.falloff(x, y);
            let grain = (self.grain.cell(column as i32, row as i32) - 0.5) * 0.022;
            let blotch = (self.grain.cell(column as i32 / 3, -1 - row as i32 / 3) - 0.5) * 0.014;
            pixel[0] = develop(exposed.x, grain + blotch);
            pixel[1] = develop(exposed.y, grain);
            pixel[2] = develop(exposed.z, grain - blotch);
        }
    }

    /// The light that comes from `direction` (a unit vector) to `origin`, after at most `bounces` reflections.
    fn trace(&self, origin: Vector, direction: Vector, bounces: u32) -> Vector {
        let Some(hit) = self.nearest(origin, direction) else {
            return self.outdoors.sky(direction, SUN);
        };
        let facing = hit.normal.dot(SUN).max(0.0) * hit.finish.sunlit;
        let lit = hit.finish.colour.times(SKYLIGHT + SUNLIGHT * facing);
        let mirrored = if hit.finish.gloss > 0.0 && bounces > 0 {
            let away = direction.reflected(hit.normal);
            let point = origin + direction * hit.distance + hit.normal * 0.01;
            lit.towards(self.trace(point, away, bounces - 1), hit.finish.gloss)
        } else {
            lit
        };
        // Haze between the camera and the scene.
        mirrored.towards(vector(0.72, 0.78, 0.86), 1.0 - (-hit.distance * 0.0035).exp())
    }

    fn nearest(&self, origin: Vector, direction: Vector) -> Option<Hit> {
        let house = self.house.hit(origin, direction);
        let ground = self.outdoors.ground(origin, direction);
        match (house, ground) {
            (Some(house), Some(ground)) => Some(if house.distance < ground.distance { house } else { ground }),
            (house, ground) => house.or(ground),
        }
    }
}

/// A camera's place and axes, computed once for a picture.
struct Lens {
    place: Vector,
    forward: Vector,
    right: Vector,
    up: Vector,
    centre: (f32, f32),
    pixel: f32,
}

impl Lens {
    fn new(camera: &Camera, width: f32, height: f32) -> Self {
        let place = vector(camera.along, camera.height, camera.distance);
        let forward = (vector(camera.aim, 2.25, 0.0) - place).normalised();
        let right = forward.cross(vector(0.0, 1.0, 0.0)).normalised();
        let up = right.cross(forward);
        Self { place, forward, right, up, centre: (width / 2.0, height / 2.0), pixel: camera.angle / width.min(height) }
    }

    fn direction(&self, x: f32, y: f32) -> Vector {
        let (across, down) = ((x - self.centre.0) * self.pixel, (y - self.centre.1) * self.pixel);
        (self.forward + self.right * across - self.up * down).normalised()
    }

    /// The lens darkens the corners.
    fn falloff(&self, x: f32, y: f32) -> f32 {
        let (across, down) = ((x - self.centre.0) * self.pixel, (y - self.centre.1) * self.pixel);
        1.0 / (1.0 + 0.55 * (across * across + down * down))
    }
}

/// One channel of light as the camera stores it: highlights compressed, gamma applied, sensor noise added.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the value is clamped to a byte's range")]
fn develop(light: f32, noise: f32) -> u8 {
    let compressed = light / (1.0 + 0.28 * light);
    ((compressed.powf(1.0 / 2.2) + noise) * 255.0).clamp(0.0, 255.0) as u8
}
