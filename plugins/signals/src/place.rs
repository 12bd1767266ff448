//! Distances on the Earth.

use sealwright_plugin_sdk::facts::Position;

/// Metres along a great circle (haversine on a sphere of 6,371 km: accurate to half a percent).
pub(crate) fn metres(from: &Position, to: &Position) -> f64 {
    let radians = |millionths: i32| (f64::from(millionths) / 1_000_000.0).to_radians();
    let (latitude, other) = (radians(from.latitude), radians(to.latitude));
    let half = |angle: f64| (angle / 2.0).sin().powi(2);
    let chord =
        half(other - latitude) + latitude.cos() * other.cos() * half(radians(to.longitude) - radians(from.longitude));
    2.0 * 6_371_000.0 * chord.min(1.0).sqrt().asin()
}

/// The accuracy of a position, in metres; if unknown, the worst of a telephone.
pub(crate) fn slack(position: &Position) -> f64 {
    position.accuracy.map_or(100.0, |centimetres| f64::from(centimetres) / 100.0).min(5_000.0)
}

/// Whether it is the point where equator and prime meridian meet, which a device sends when it has no position.
pub(crate) fn is_nowhere(position: &Position) -> bool {
    position.latitude.abs() < 1_000 && position.longitude.abs() < 1_000
}
