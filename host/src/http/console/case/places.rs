//! Where the items of a case were captured, drawn to scale. A map is below the drawing only if the operator has named a
//! server for its tiles, which then learns about where cases are. This server itself asks no other host.

mod plane;
mod tiles;

use maud::{Markup, html};

use self::plane::{HEIGHT, MOST_ACCURACY, Scale, Spot, WIDTH, offset};
use crate::{
    app::console::case::{CaseView, ItemView},
    config::TileServer,
    domain::{id::ItemId, item::Position},
    http::console::words::Names,
};

/// A drawing with a dot for each position and a circle for its accuracy; nothing if no item has a position.
pub(super) fn section(view: &CaseView, server: Option<&TileServer>, names: &Names<'_>) -> Markup {
    let language = names.language;
    let spots = spots(&view.items);
    let (Some(first), Some(origin)) = (spots.first(), origin(view)) else { return html! {} };
    let scale = Scale::of(&spots);
    let bar = round_length(scale.metres(WIDTH / 4.0));
    let farthest = spots.iter().map(|spot| spot.distance(first)).fold(0.0, f64::max);
    let tiles = server.map(|server| tiles::below(server, origin, scale)).unwrap_or_default();
    html! {
        section {
            h2 { (language.pick("Where", "Où")) }
            p {
                @if spots.len() == 1 {
                    (language.pick("All items that have a position have the same.", "Tous les éléments localisés ont la même position."))
                } @else {
                    (language.pick("The farthest item is ", "L’élément le plus éloigné est à ")) (length(farthest))
                    (language.pick(" from ", " de ")) (names.item(first.items[0])) "."
                }
            }
            svg.places.map[!tiles.is_empty()] viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img"
                aria-label=(language.pick("Positions of the items, to scale, north at the top", "Positions des éléments, à l’échelle, nord en haut")) {
                @for tile in &tiles {
                    image href=(tile.address) x=(tile.x) y=(tile.y) width=(tile.width) height=(tile.height)
                        preserveAspectRatio="none" {}
                }
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
            @if let Some(server) = server.filter(|_| !tiles.is_empty()) {
                p.small { (language.pick("Map: ", "Carte\u{a0}: ")) (server.attribution()) }
            }
        }
    }
}

/// The first position: degrees to the north and to the east. None if no item has one.
pub(super) fn origin(view: &CaseView) -> Option<(f64, f64)> {
    view.items.iter().find_map(|shown| degrees(shown.item.content.position.as_ref()?))
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

    #[test]
    fn the_bar_has_a_round_length() {
        let bars = [0.7, 1.0, 4.9, 5.0, 73.0, 999.0, 12_345.0].map(|metres| round_length(metres).to_string());
        assert_eq!(bars, ["0.5", "1", "2", "5", "50", "500", "10000"]);
        assert_eq!([5.0, 1_500.0, 12_345.0].map(length), ["5 m", "1.5 km", "12 km"]);
    }
}
