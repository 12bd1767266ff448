//! The plane of the drawing: metres from the first position, and how they become units of the drawing.

use crate::domain::id::ItemId;

/// The radius of the Earth, in metres.
pub(super) const EARTH: f64 = 6_371_000.0;
/// The least width and height that the drawing shows, in metres.
const LEAST_EXTENT: f64 = 20.0;
/// A device that knows no more than its cell sends a larger one, which would hide all others.
pub(super) const MOST_ACCURACY: f64 = 5_000.0;
/// Of the drawing, in its own units.
pub(super) const WIDTH: f64 = 1_000.0;
pub(super) const HEIGHT: f64 = 500.0;
const MARGIN: f64 = 60.0;

/// The items captured at one position.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spot {
    pub(super) items: Vec<ItemId>,
    /// Metres from the first item's position.
    pub(super) east: f64,
    pub(super) north: f64,
    /// The radius of the circle in which the device is, in metres.
    pub(super) accuracy: Option<f64>,
}

impl Spot {
    pub(super) fn distance(&self, other: &Self) -> f64 {
        (self.east - other.east).hypot(self.north - other.north)
    }
}

/// Metres to the east and to the north, on a plane that touches the Earth at the first point: exact to a percent up to
/// about 500 km away.
pub(super) fn offset(from: (f64, f64), to: (f64, f64)) -> (f64, f64) {
    let mut turn = to.1 - from.1;
    // The shorter way round.
    if turn.abs() > 180.0 {
        turn -= 360.0_f64.copysign(turn);
    }
    let middle = f64::midpoint(from.0, to.0).to_radians();
    (turn.to_radians() * middle.cos() * EARTH, (to.0 - from.0).to_radians() * EARTH)
}

/// How metres become units of the drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    /// The middle of the drawing, in metres from the first position.
    middle: (f64, f64),
    units_per_metre: f64,
}

impl Scale {
    /// All positions with their circles are inside.
    pub(super) fn of(spots: &[Spot]) -> Self {
        let reach = |spot: &Spot| spot.accuracy.unwrap_or(0.0).min(MOST_ACCURACY);
        let range = |of: fn(&Spot) -> f64| {
            let low = spots.iter().map(|spot| of(spot) - reach(spot)).fold(f64::INFINITY, f64::min);
            let high = spots.iter().map(|spot| of(spot) + reach(spot)).fold(f64::NEG_INFINITY, f64::max);
            (f64::midpoint(low, high), (high - low).max(LEAST_EXTENT))
        };
        let ((east, width), (north, height)) = (range(|spot| spot.east), range(|spot| spot.north));
        let units_per_metre = ((WIDTH - 2.0 * MARGIN) / width).min((HEIGHT - 2.0 * MARGIN) / height);
        Self { middle: (east, north), units_per_metre }
    }

    pub(super) fn point(self, spot: &Spot) -> (f64, f64) {
        (tenths(self.across(spot.east)), tenths(self.down(spot.north)))
    }

    pub(super) fn units(self, metres: f64) -> f64 {
        tenths(metres * self.units_per_metre)
    }

    pub(super) fn metres(self, units: f64) -> f64 {
        units / self.units_per_metre
    }

    /// Where metres to the east are, from the left.
    pub(super) fn across(self, east: f64) -> f64 {
        WIDTH / 2.0 + (east - self.middle.0) * self.units_per_metre
    }

    /// Where metres to the north are, from the top.
    pub(super) fn down(self, north: f64) -> f64 {
        HEIGHT / 2.0 - (north - self.middle.1) * self.units_per_metre
    }

    /// Metres to the east of a place that is so far from the left.
    pub(super) fn east(self, across: f64) -> f64 {
        self.middle.0 + self.metres(across - WIDTH / 2.0)
    }

    /// Metres to the north of a place that is so far from the top.
    pub(super) fn north(self, down: f64) -> f64 {
        self.middle.1 + self.metres(HEIGHT / 2.0 - down)
    }
}

pub(super) fn tenths(units: f64) -> f64 {
    (units * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(east: f64, north: f64, accuracy: f64) -> Spot {
        Spot { items: Vec::new(), east, north, accuracy: Some(accuracy) }
    }

    #[test]
    fn distances_are_those_on_the_earth() {
        // A minute of latitude is a nautical mile; at 60 degrees, a minute of longitude is half of one.
        let (east, north) = offset((60.0, 5.0), (60.0, 5.0 + 1.0 / 60.0));
        assert!((east - 926.6).abs() < 1.0 && north == 0.0, "{east} {north}");
        let (east, north) = offset((0.0, 179.9), (1.0 / 60.0, -179.9));
        assert!((east - 22_239.0).abs() < 1.0 && (north - 1_853.2).abs() < 1.0, "{east} {north}");
    }

    #[test]
    fn everything_is_inside_the_drawing_at_one_scale() {
        let spots = [spot(0.0, 0.0, 5.0), spot(300.0, 40.0, 50.0), spot(-20.0, 900.0, 9_000.0)];
        let scale = Scale::of(&spots);
        for each in &spots {
            let (x, y) = scale.point(each);
            let radius = scale.units(each.accuracy.unwrap().min(MOST_ACCURACY));
            assert!(x - radius >= 0.0 && x + radius <= WIDTH && y - radius >= 0.0 && y + radius <= HEIGHT, "{each:?}");
        }
        let one = Scale::of(&[spot(0.0, 0.0, 0.5)]);
        assert!(one.metres(HEIGHT - 2.0 * MARGIN) >= LEAST_EXTENT - 0.01);
        assert_eq!(one.point(&spot(0.0, 0.0, 0.5)), (WIDTH / 2.0, HEIGHT / 2.0));
    }
}
