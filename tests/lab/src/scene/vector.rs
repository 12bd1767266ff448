//! Three numbers at once: a place, a direction, or a colour in linear light.

use std::ops::{Add, Mul, Neg, Sub};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Vector {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) z: f32,
}

pub(crate) const fn vector(x: f32, y: f32, z: f32) -> Vector {
    Vector { x, y, z }
}

impl Vector {
    pub(crate) fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    pub(crate) fn cross(self, other: Self) -> Self {
        vector(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }

    pub(crate) fn normalised(self) -> Self {
        self * (1.0 / self.dot(self).sqrt())
    }

    /// This direction after bouncing off a mirror with that unit `normal`.
    pub(crate) fn reflected(self, normal: Self) -> Self {
        self - normal * (2.0 * self.dot(normal))
    }

    /// Component by component: this light after reflection by that colour.
    pub(crate) fn times(self, other: Self) -> Self {
        vector(self.x * other.x, self.y * other.y, self.z * other.z)
    }

    pub(crate) fn towards(self, other: Self, t: f32) -> Self {
        self + (other - self) * t
    }
}

impl Add for Vector {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        vector(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl Sub for Vector {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        vector(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl Mul<f32> for Vector {
    type Output = Self;
    fn mul(self, factor: f32) -> Self {
        vector(self.x * factor, self.y * factor, self.z * factor)
    }
}

impl Neg for Vector {
    type Output = Self;
    fn neg(self) -> Self {
        self * -1.0
    }
}
