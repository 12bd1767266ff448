//! Seeded randomness: numbers for choices and noise for textures. Not for keys.

/// `SplitMix64` (Steele, Lea and Flood, 2014): gives the same numbers on every platform.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The numbers of one `purpose` under one `seed`, so that drawing more for one purpose never changes another.
    pub(crate) fn new(seed: u64, purpose: &str) -> Self {
        Self(purpose.bytes().fold(seed, |state, byte| scramble(state ^ u64::from(byte))))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scramble(self.0)
    }

    /// Uniform in `low..high`.
    #[expect(clippy::cast_precision_loss, reason = "24 bits fit a single-precision number exactly")]
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (self.next() >> 40) as f32 / (1_u32 << 24) as f32 * (high - low)
    }

    /// Uniform in `low..=high`.
    pub(crate) fn whole(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }

    /// One of `choices`, which must not be empty.
    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        #[expect(clippy::cast_possible_truncation, reason = "the remainder is smaller than the slice's length")]
        let index = (self.next() % choices.len() as u64) as usize;
        choices[index]
    }
}

fn scramble(mut state: u64) -> u64 {
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

/// Value noise over the plane: smooth, without a visible period.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Noise(u32);

impl Noise {
    #[expect(clippy::cast_possible_truncation, reason = "any 32 of the random bits will do")]
    pub(crate) fn new(random: &mut Random) -> Self {
        Self(random.next() as u32)
    }

    /// The value in `0..1` of a cell of the unit lattice.
    #[expect(clippy::cast_precision_loss, reason = "24 bits fit a single-precision number exactly")]
    pub(crate) fn cell(self, x: i32, y: i32) -> f32 {
        let mut hash =
            self.0 ^ x.cast_unsigned().wrapping_mul(0x85eb_ca6b) ^ y.cast_unsigned().wrapping_mul(0xc2b2_ae35);
        hash = (hash ^ (hash >> 15)).wrapping_mul(0x2c1b_3c6d);
        hash = (hash ^ (hash >> 12)).wrapping_mul(0x297a_2d39);
        hash ^= hash >> 15;
        (hash >> 8) as f32 / (1_u32 << 24) as f32
    }

    /// Smooth noise in `0..1`; its bumps are about one unit wide.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float out of range saturates, which is harmless for textures"
    )]
    pub(crate) fn smooth(self, x: f32, y: f32) -> f32 {
        let (column, row) = (x.floor(), y.floor());
        let ease = |t: f32| t * t * (3.0 - 2.0 * t);
        let (across, up) = (ease(x - column), ease(y - row));
        let (column, row) = (column as i32, row as i32);
        let (right, above) = (column.wrapping_add(1), row.wrapping_add(1));
        let low = lerp(self.cell(column, row), self.cell(right, row), across);
        let high = lerp(self.cell(column, above), self.cell(right, above), across);
        lerp(low, high, up)
    }

    /// `octaves` layers of smooth noise, each half as wide and half as strong as the one before, in `0..1`.
    pub(crate) fn fractal(self, x: f32, y: f32, octaves: u32) -> f32 {
        let (mut sum, mut weight, mut scale, mut total) = (0.0, 1.0, 1.0, 0.0);
        for _ in 0..octaves {
            sum += weight * self.smooth(x * scale + 17.3 * scale, y * scale - 9.1 * scale);
            total += weight;
            weight *= 0.5;
            // Not quite 2, so that the lattices of the layers do not line up.
            scale *= 2.03;
        }
        sum / total
    }
}

/// The point `t` of the way from `from` to `to`.
pub(crate) fn lerp(from: f32, to: f32, t: f32) -> f32 {
    from + (to - from) * t
}

/// 0 below `low`, 1 above `high`, an eased ramp between.
pub(crate) fn smoothstep(low: f32, high: f32, value: f32) -> f32 {
    let t = ((value - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_determines_the_numbers_and_purposes_do_not_share_them() {
        let draw = |seed, purpose| {
            let mut random = Random::new(seed, purpose);
            [random.next(), random.next(), random.next()]
        };
        assert_eq!(draw(7, "photo"), draw(7, "photo"));
        assert_ne!(draw(7, "photo"), draw(8, "photo"));
        assert_ne!(draw(7, "photo"), draw(7, "video"));
    }

    #[test]
    fn noise_stays_between_zero_and_one_and_is_continuous() {
        let noise = Noise::new(&mut Random::new(1, "noise"));
        let mut random = Random::new(2, "points");
        for _ in 0..10_000 {
            let (x, y) = (random.between(-500.0, 500.0), random.between(-500.0, 500.0));
            let here = noise.fractal(x, y, 4);
            assert!((0.0..=1.0).contains(&here), "{here} at {x}, {y}");
            assert!((here - noise.fractal(x + 0.001, y, 4)).abs() < 0.05, "a jump at {x}, {y}");
        }
    }
}
