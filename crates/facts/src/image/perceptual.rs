//! Perceptual hashes: 64 bits that hardly change when a picture is scaled, compressed again or slightly brightened.
//!
//! They are our own code because they are stored: with a library, a new version might hash differently and no longer
//! match the stored hashes. They must never change; a better hash gets another name.

use std::f64::consts::PI;

use super::plane::Plane;

/// The frequencies of the cosine transform, compared with their median: the 64 lowest after the mean, by the sum of
/// their horizontal and vertical index. A picture without any contrast has the hash 0.
pub(crate) fn dct_hash(picture: &Plane) -> u64 {
    let transformed = cosine_transform(&picture.means::<32, 32>());
    let lowest = (1..).flat_map(|sum| (0..=sum).map(move |vertical| (vertical, sum - vertical))).take(64);
    let values: Vec<f64> = lowest.map(|(vertical, horizontal)| transformed[vertical][horizontal]).collect();
    let mut sorted = values.clone();
    sorted.sort_by(f64::total_cmp);
    let median = f64::midpoint(sorted[31], sorted[32]);
    // The smallest steps come from rounding, not from the picture.
    values.iter().fold(0, |hash, value| hash << 1 | u64::from(*value > median + 1e-6))
}

/// Whether each of 8 by 8 cells is brighter than its neighbour to the right.
pub(crate) fn gradient_hash(picture: &Plane) -> u64 {
    let means = picture.means::<9, 8>();
    means.iter().flat_map(|row| row.windows(2)).fold(0, |hash, pair| hash << 1 | u64::from(pair[0] > pair[1] + 1e-6))
}

/// The 16 by 16 lowest frequencies of 32 by 32 values (DCT-II without scaling).
fn cosine_transform(values: &[[f64; 32]; 32]) -> [[f64; 16]; 16] {
    let mut cosines = [[0.0; 32]; 16];
    for (frequency, row) in (0_u8..).zip(&mut cosines) {
        for (place, cosine) in (0_u8..).zip(row.iter_mut()) {
            *cosine = (PI / 32.0 * (f64::from(place) + 0.5) * f64::from(frequency)).cos();
        }
    }
    let dot = |a: &[f64; 32], b: &[f64; 32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let rows: Vec<[f64; 16]> = values.iter().map(|row| std::array::from_fn(|u| dot(row, &cosines[u]))).collect();
    std::array::from_fn(|vertical| {
        std::array::from_fn(|horizontal| {
            let column: [f64; 32] = std::array::from_fn(|y| rows[y][horizontal]);
            dot(&column, &cosines[vertical])
        })
    })
}

#[cfg(test)]
mod tests {
    use image::{ExtendedColorType, codecs::jpeg::JpegEncoder, imageops::FilterType};

    use super::*;
    use crate::{image::plane::byte, near::to_text};

    /// Some hills, different for each seed.
    fn picture(seed: u32) -> image::GrayImage {
        image::GrayImage::from_fn(320, 240, |x, y| {
            let (x, y, seed) = (f64::from(x), f64::from(y), f64::from(seed));
            let hills = (x / (17.0 + seed) + seed).sin()
                + (y / (23.0 + seed * 3.0)).cos()
                + (x * y / (9000.0 + 500.0 * seed)).sin();
            image::Luma([byte(128.0 + 40.0 * hills)])
        })
    }

    fn plane(picture: &image::GrayImage) -> Plane {
        Plane::of(&image::DynamicImage::ImageLuma8(picture.clone()))
    }

    #[test]
    fn compressing_and_scaling_change_few_bits_and_another_picture_many() {
        let mut others = 0;
        for seed in 0..20 {
            let original = picture(seed);
            let mut file = Vec::new();
            JpegEncoder::new_with_quality(&mut file, 40)
                .encode(original.as_raw(), 320, 240, ExtendedColorType::L8)
                .unwrap();
            let compressed = image::load_from_memory(&file).unwrap().to_luma8();
            let smaller = image::imageops::resize(&original, 200, 150, FilterType::Triangle);
            for (name, hash) in [("dct", dct_hash as fn(&Plane) -> u64), ("gradient", gradient_hash)] {
                let base = hash(&plane(&original));
                for near in [&compressed, &smaller] {
                    let distance = (base ^ hash(&plane(near))).count_ones();
                    assert!(distance <= 10, "{name} {seed}: {distance}");
                }
                others += (base ^ hash(&plane(&picture(seed + 20)))).count_ones();
            }
        }
        // Forty pairs of different pictures.
        assert!(others > 40 * 20, "{others}");
    }

    #[test]
    fn the_hashes_of_a_known_picture_never_change() {
        let known = plane(&picture(3));
        assert_eq!((to_text(dct_hash(&known)), to_text(gradient_hash(&known))), KNOWN.map(str::to_owned).into());
    }

    const KNOWN: [&str; 2] = ["89b93fc03ee0c783", "3333333333333232"];

    #[test]
    fn a_picture_without_contrast_hashes_to_nothing() {
        for side in [1, 2, 31, 500] {
            let flat = Plane { width: side, height: side, values: vec![200; side * side] };
            assert_eq!((dct_hash(&flat), gradient_hash(&flat)), (0, 0));
        }
    }
}
