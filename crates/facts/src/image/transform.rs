//! The cosine transform of a block of 8 by 8 pixels.

use std::f64::consts::PI;

use super::plane::Plane;

pub(super) fn cosines() -> [[f64; 8]; 8] {
    let mut cosines = [[0.0; 8]; 8];
    for (frequency, row) in (0_u8..).zip(&mut cosines) {
        let scale = if frequency == 0 { (1.0_f64 / 8.0).sqrt() } else { 0.5 };
        for (place, cosine) in (0_u8..).zip(row.iter_mut()) {
            *cosine = scale * (PI / 16.0 * (2.0 * f64::from(place) + 1.0) * f64::from(frequency)).cos();
        }
    }
    cosines
}

/// The block's lowest four by four frequencies, as JPEG defines them (ITU-T T.81, A.3.3).
pub(super) fn transform_block(plane: &Plane, left: usize, top: usize, cosines: &[[f64; 8]; 8]) -> [[f64; 4]; 4] {
    let mut rows = [[0.0; 4]; 8];
    for (y, row) in rows.iter_mut().enumerate() {
        let pixels = &plane.row(top + y)[left..left + 8];
        for (u, value) in row.iter_mut().enumerate() {
            *value = pixels.iter().zip(&cosines[u]).map(|(&pixel, cosine)| (f64::from(pixel) - 128.0) * cosine).sum();
        }
    }
    std::array::from_fn(|v| {
        std::array::from_fn(|u| rows.iter().zip(&cosines[v]).map(|(row, cosine)| row[u] * cosine).sum())
    })
}
