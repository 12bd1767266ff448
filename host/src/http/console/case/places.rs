//! Where the items of a case were captured, drawn to scale. No map is loaded: the server asks no other host, and a map's
//! host would learn where cases are.

use maud::{Markup, html};

use crate::{
    app::console::case::{CaseView, ItemView},
    domain::{id::ItemId, item::Position},
    http::link::Language,
};

/// The radius of the Earth, in metres.
const EARTH: f64 = 6_371_000.0;
/// The least width and height that the drawing shows, in metres.
const LEAST_EXTENT: f64 = 20.0;
/// A device that knows no more than its cell sends a larger one, which would hide all others.
const MOST_ACCURACY: f64 = 5_000.0;
/// Of the drawing, in its own units.
const WIDTH: f64 = 1_000.0;
const HEIGHT: f64 = 500.0;
const MARGIN: f64 = 60.0;

/// The items captured at one position.
#[derive(Clone, Debug, PartialEq)]
struct Spot {
    items: Vec<ItemId>,
    /// Metres from the first item's position.
    east: f64,
    north: f64,
    /// The radius of the circle in which the device is, in metres.
    accuracy: Option<f64>,
}

impl Spot {
    fn distance(&self, other: &Self) -> f64 {
        (self.east - other.east).hypot(self.north - other.north)
    }
}

/// A drawing with a dot for each position and a circle for its accuracy; nothing if no item has a position.
pub(super) fn section(view: &CaseView, language: Language) -> Markup {
    let spots = spots(&view.items);
    let Some(first) = spots.first() else { return html! {} };
    let scale = Scale::of(&spots);
    let bar = round_length(scale.metres(WIDTH / 4.0));
    let farthest = spots.iter().map(|spot| spot.distance(first)).fold(0.0, f64::max);
    html! {
        section {
            h2 { (language.pick("Where", "Où")) }
            p {
                @if spots.len() == 1 {
                    (language.pick("All items that have a position have the same.", "Tous les éléments localisés ont la même position."))
                } @else {
                    (language.pick("The farthest item is ", "L’élément le plus éloigné est à ")) (length(farthest))
                    (language.pick(" from item ", " de l’élément ")) (first.items[0]) "."
                }
            }
            svg.places viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img"
                aria-label=(language.pick("Positions of the items, to scale, north at the top", "Positions des éléments, à l’échelle, nord en haut")) {
                @for spot in &spots {
                    @let (x, y) = scale.point(spot);
                    @if let Some(accuracy) = spot.accuracy {
                        circle.accuracy cx=(x) cy=(y) r=(scale.units(accuracy.min(MOST_ACCURACY))) {}
                    }
                }
                @for spot in &spots {
                    @let (x, y) = scale.point(spot);
                    circle.spot cx=(x) cy=(y) r="6" {}
                    text x=(x + 12.0) y=(y + 7.0) { (numbers(&spot.items)) }
                }
                g.bar {
                    path d=(format!("M20 {0} v10 h{1} v-10", HEIGHT - 26.0, scale.units(bar))) {}
                    text x=(28.0) y=(HEIGHT - 24.0) { (length(bar)) }
                }
            }
            p.small {
                (language.pick(
                    "Numbers are items; a circle is the accuracy that the device reports. North is at the top.",
                    "Les nombres sont les éléments\u{a0}; un cercle est la précision indiquée par l’appareil. Le nord est en haut.",
                ))
            }
        }
    }
}

fn spots(items: &[ItemView]) -> Vec<Spot> {
    let positions = items.iter().filter_map(|shown| Some((shown.item.id, shown.item.content.position.as_ref()?)));
    let mut origin = None;
    let mut spots: Vec<Spot> = Vec::new();
    for (item, position) in positions {
        let Some((latitude, longitude)) = degrees(position) else { continue };
        let (from_latitude, from_longitude) = *origin.get_or_insert((latitude, longitude));
        let (east, north) = offset((from_latitude, from_longitude), (latitude, longitude));
        let accuracy = position.accuracy.as_deref().and_then(|text| text.parse().ok());
        let accuracy = accuracy.filter(|metres: &f64| metres.is_finite() && *metres > 0.0);
        let spot = Spot { items: vec![item], east, north, accuracy };
        match spots.iter_mut().find(|known| known.distance(&spot) < 0.01 && known.accuracy == spot.accuracy) {
            Some(known) => known.items.push(item),
            None => spots.push(spot),
        }
    }
    spots
}

fn degrees(position: &Position) -> Option<(f64, f64)> {
    Some((position.latitude.parse().ok()?, position.longitude.parse().ok()?))
}

/// Metres to the east and to the north, on a plane that touches the Earth at the first point: exact to a percent up to
/// about 500 km away.
fn offset(from: (f64, f64), to: (f64, f64)) -> (f64, f64) {
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
struct Scale {
    /// The middle of the drawing, in metres from the first position.
    middle: (f64, f64),
    units_per_metre: f64,
}

impl Scale {
    /// All positions with their circles are inside.
    fn of(spots: &[Spot]) -> Self {
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

    fn point(self, spot: &Spot) -> (f64, f64) {
        let x = WIDTH / 2.0 + self.units(spot.east - self.middle.0);
        (tenths(x), tenths(HEIGHT / 2.0 - self.units(spot.north - self.middle.1)))
    }

    fn units(self, metres: f64) -> f64 {
        tenths(metres * self.units_per_metre)
    }

    fn metres(self, units: f64) -> f64 {
        units / self.units_per_metre
    }
}

fn tenths(units: f64) -> f64 {
    (units * 10.0).round() / 10.0
}

/// The largest 1, 2 or 5 times a power of ten that is not longer.
fn round_length(metres: f64) -> f64 {
    let power = 10.0_f64.powf(metres.log10().floor());
    [5.0, 2.0, 1.0].into_iter().map(|factor| factor * power).find(|length| *length <= metres).unwrap_or(power)
}

fn length(metres: f64) -> String {
    match metres {
        ..1_000.0 => format!("{metres:.0} m"),
        1_000.0..10_000.0 => format!("{:.1} km", metres / 1_000.0),
        _ => format!("{:.0} km", metres / 1_000.0),
    }
}

fn numbers(items: &[ItemId]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
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

    #[test]
    fn the_bar_has_a_round_length() {
        let bars = [0.7, 1.0, 4.9, 5.0, 73.0, 999.0, 12_345.0].map(|metres| round_length(metres).to_string());
        assert_eq!(bars, ["0.5", "1", "2", "5", "50", "500", "10000"]);
        assert_eq!([5.0, 1_500.0, 12_345.0].map(length), ["5 m", "1.5 km", "12 km"]);
    }
}
