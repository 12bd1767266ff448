//! Near duplicates: finds the 64-bit hashes that differ from a given one in few bits, among very many.
//!
//! A hash is cut into four bands of 16 bits. Two hashes that differ in at most 7 bits differ in at most one bit within
//! at least one band: two or more in each would be at least eight (pigeonhole). So looking up, for each band, its 17
//! values within one bit finds **every** hash within distance 7 ([`Reach::Seven`]), and a comparison of the candidates
//! removes the others. With all 137 values within two bits, the distance is 11 ([`Reach::Eleven`]).
//!
//! Each look-up is for equality, so the index can be in a database: a column for each band, an index for each column
//! ([`bands`], [`probes`]). [`Index`] is the same in memory.

/// Bands of a hash.
pub const BANDS: usize = 4;
const BITS: u32 = 16;

/// The distance up to which no hash is missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// 17 values for each band.
    Seven,
    /// 137 values for each band.
    Eleven,
}

impl Reach {
    /// The greatest Hamming distance that is searched.
    pub const fn distance(self) -> u32 {
        match self {
            Self::Seven => 7,
            Self::Eleven => 11,
        }
    }

    /// Bits that may differ within a band.
    const fn radius(self) -> u32 {
        match self {
            Self::Seven => 1,
            Self::Eleven => 2,
        }
    }
}

/// The bands of a hash, the highest bits first: a row stores them next to the hash.
pub const fn bands(hash: u64) -> [u16; BANDS] {
    let [b0, b1, b2, b3, b4, b5, b6, b7] = hash.to_be_bytes();
    [
        u16::from_be_bytes([b0, b1]),
        u16::from_be_bytes([b2, b3]),
        u16::from_be_bytes([b4, b5]),
        u16::from_be_bytes([b6, b7]),
    ]
}

/// The values to look up for each band, the band's own first. A row with one of them in the same band is a candidate;
/// [`distance`] shows whether it is near.
pub fn probes(hash: u64, reach: Reach) -> [Vec<u16>; BANDS] {
    bands(hash).map(|band| {
        let mut values = vec![band];
        values.extend((0..BITS).map(|bit| band ^ (1 << bit)));
        if reach.radius() == 2 {
            values.extend((0..BITS).flat_map(|a| (0..a).map(move |b| band ^ (1 << a) ^ (1 << b))));
        }
        values
    })
}

/// Bits that differ, 0 to 64.
pub const fn distance(a: u64, b: u64) -> u32 {
    (a ^ b).count_ones()
}

/// A hash as written in the facts: sixteen hexadecimal digits.
pub fn to_text(hash: u64) -> String {
    format!("{hash:016x}")
}

/// The reverse of [`to_text`].
pub fn from_text(text: &str) -> Option<u64> {
    (text.len() == 16).then(|| u64::from_str_radix(text, 16).ok()).flatten()
}

/// An index in memory. Positions are those of the hashes it was built from.
#[derive(Clone, Debug)]
pub struct Index {
    hashes: Vec<u64>,
    bands: [Band; BANDS],
}

/// The positions of all hashes, sorted by their band's value.
#[derive(Clone, Debug)]
struct Band {
    /// Where the positions of each value start; the last entry is the end of all.
    starts: Vec<u32>,
    positions: Vec<u32>,
}

impl Index {
    /// # Panics
    /// With more than 2^32 - 1 hashes.
    pub fn new(hashes: Vec<u64>) -> Self {
        assert!(u32::try_from(hashes.len()).is_ok(), "positions have 32 bits");
        let bands = std::array::from_fn(|band| Band::new(&hashes, band));
        Self { hashes, bands }
    }

    /// Positions and distances of all hashes within the reach, the nearest first, equals by position.
    pub fn search(&self, hash: u64, reach: Reach) -> Vec<(u32, u32)> {
        let mut found = Vec::new();
        for (band, values) in self.bands.iter().zip(probes(hash, reach)) {
            for value in values {
                for &position in band.at(value) {
                    let distance = self.hashes.get(position as usize).map_or(u32::MAX, |other| distance(hash, *other));
                    if distance <= reach.distance() {
                        found.push((position, distance));
                    }
                }
            }
        }
        found.sort_unstable_by_key(|&(position, distance)| (distance, position));
        found.dedup();
        found
    }
}

impl Band {
    fn new(hashes: &[u64], band: usize) -> Self {
        let mut starts = vec![0_u32; (1 << BITS) + 1];
        for hash in hashes {
            starts[usize::from(bands(*hash)[band]) + 1] += 1;
        }
        for value in 1..starts.len() {
            starts[value] += starts[value - 1];
        }
        let mut next = starts.clone();
        let mut positions = vec![0; hashes.len()];
        for (position, hash) in (0..).zip(hashes) {
            let place = &mut next[usize::from(bands(*hash)[band])];
            positions[*place as usize] = position;
            *place += 1;
        }
        Self { starts, positions }
    }

    fn at(&self, value: u16) -> &[u32] {
        let value = usize::from(value);
        &self.positions[self.starts[value] as usize..self.starts[value + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `SplitMix64`.
    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// `hash` with this many different bits changed.
    fn changed(hash: u64, bits: u32, state: &mut u64) -> u64 {
        let mut other = hash;
        while distance(hash, other) < bits {
            other ^= 1 << (random(state) % 64);
        }
        other
    }

    #[test]
    fn nothing_within_the_distance_is_missed_and_nothing_else_is_found() {
        let mut state = 7;
        let mut hashes: Vec<u64> = (0..20_000).map(|_| random(&mut state)).collect();
        let queries: Vec<u64> = (0..60).map(|_| random(&mut state)).collect();
        for (n, hash) in queries.iter().enumerate() {
            for bits in 0..=14 {
                hashes.push(changed(*hash, bits, &mut state));
                // The worst case: bits spread evenly over the bands.
                let spread = (0..bits)
                    .fold(0, |mask, bit| mask | 1 << (bit % 4 * 16 + (bit / 4 + u32::try_from(n).unwrap()) % 16));
                hashes.push(hash ^ spread);
            }
        }
        let index = Index::new(hashes.clone());
        for reach in [Reach::Seven, Reach::Eleven] {
            for hash in &queries {
                let mut expected: Vec<(u32, u32)> = (0..)
                    .zip(&hashes)
                    .map(|(position, other)| (position, distance(*hash, *other)))
                    .filter(|(_, distance)| *distance <= reach.distance())
                    .collect();
                expected.sort_unstable_by_key(|&(position, distance)| (distance, position));
                assert!(expected.len() >= usize::try_from(2 * reach.distance()).unwrap());
                assert_eq!(index.search(*hash, reach), expected);
            }
        }
    }

    /// The pigeonhole principle, for every way of spreading the bits over the bands.
    #[test]
    fn some_band_is_always_within_its_radius() {
        for reach in [Reach::Seven, Reach::Eleven] {
            let most = reach.distance();
            for a in 0..=most {
                for b in 0..=most - a {
                    for c in 0..=most - a - b {
                        let d = most - a - b - c;
                        assert!([a, b, c, d].iter().any(|bits| *bits <= reach.radius()), "{a} {b} {c} {d}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_hash_round_trips_as_text() {
        assert_eq!(to_text(0xF0), "00000000000000f0");
        assert_eq!(from_text(&to_text(u64::MAX)), Some(u64::MAX));
        assert_eq!(from_text("f0"), None);
    }

    #[test]
    fn values_to_look_up_are_different_and_counted() {
        for (reach, count) in [(Reach::Seven, 17), (Reach::Eleven, 137)] {
            for values in probes(0x0123_4567_89AB_CDEF, reach) {
                let mut sorted = values.clone();
                sorted.sort_unstable();
                sorted.dedup();
                assert_eq!((values.len(), sorted.len()), (count, count));
            }
        }
    }
}
