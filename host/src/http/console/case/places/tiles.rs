//! The map below the drawing: which tiles of a server it takes, and where each of them is. The browser loads them.

use std::f64::consts::PI;

use super::plane::{EARTH, HEIGHT, Scale, WIDTH, tenths};
use crate::config::TileServer;

/// The least width of a tile in the drawing's units: a drawing has at most about two dozen tiles.
const LEAST_WIDTH: f64 = 200.0;
/// The largest zoom that servers usually have.
const MOST_ZOOM: f64 = 19.0;
/// The projection ends here, in degrees.
const MOST_LATITUDE: f64 = 85.0;
/// For positions that are far apart, or near a pole.
const MOST_TILES: usize = 60;

/// A tile, and its place in the drawing.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tile {
    pub(super) address: String,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// The tiles below a drawing. `origin` is its first position: degrees to the north and to the east.
pub(super) fn below(server: &TileServer, origin: (f64, f64), scale: Scale) -> Vec<Tile> {
    let (north, east) = origin;
    if north.abs() > MOST_LATITUDE {
        return Vec::new();
    }
    let zoom = zoom(north, scale);
    let latitude_at = |down: f64| north + (scale.north(down) / EARTH).to_degrees();
    let down_of = |latitude: f64| scale.down((latitude - north).to_radians() * EARTH);
    let mut tiles = Vec::new();
    for row in whole(row(latitude_at(0.0), zoom))..=whole(row(latitude_at(HEIGHT), zoom)) {
        let (top, bottom) = (latitude(row, zoom), latitude(row + 1, zoom));
        // As the drawing places a position: by the latitude between it and the first one.
        let middle = f64::midpoint(north, f64::midpoint(top, bottom));
        let radius = middle.to_radians().cos() * EARTH;
        let longitude_at = |across: f64| east + (scale.east(across) / radius).to_degrees();
        let across_of = |column: i64| scale.across((longitude(column, zoom) - east).to_radians() * radius);
        for column in whole(column(longitude_at(0.0), zoom))..=whole(column(longitude_at(WIDTH), zoom)) {
            if tiles.len() == MOST_TILES {
                return tiles;
            }
            let (left, right) = (tenths(across_of(column)), tenths(across_of(column + 1)));
            let (above, below) = (tenths(down_of(top)), tenths(down_of(bottom)));
            tiles.push(Tile {
                // East of the last column is the first one again.
                address: server.address(zoom, column.rem_euclid(count(zoom)), row),
                x: left,
                y: above,
                width: tenths(right - left),
                height: tenths(below - above),
            });
        }
    }
    tiles
}

/// The largest zoom at which tiles are wide enough.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is from 0 to 19")]
fn zoom(latitude: f64, scale: Scale) -> u32 {
    let world = 2.0 * PI * latitude.to_radians().cos() * EARTH;
    let width = scale.across(world) - scale.across(0.0);
    (width / LEAST_WIDTH).log2().floor().clamp(0.0, MOST_ZOOM) as u32
}

/// How many columns and how many rows there are.
fn count(zoom: u32) -> i64 {
    1 << zoom
}

fn columns(zoom: u32) -> f64 {
    f64::from(zoom).exp2()
}

/// The column of a longitude, with the part of it that is to the west.
fn column(longitude: f64, zoom: u32) -> f64 {
    (longitude + 180.0) / 360.0 * columns(zoom)
}

/// The row of a latitude, with the part of it that is to the north. There is none beyond the end of the projection.
fn row(latitude: f64, zoom: u32) -> f64 {
    let latitude = latitude.clamp(-MOST_LATITUDE, MOST_LATITUDE).to_radians();
    (1.0 - latitude.tan().asinh() / PI) / 2.0 * columns(zoom)
}

/// The western edge of a column, in degrees.
fn longitude(column: i64, zoom: u32) -> f64 {
    number(column) / columns(zoom) * 360.0 - 180.0
}

/// The northern edge of a row, in degrees.
fn latitude(row: i64, zoom: u32) -> f64 {
    (PI * (1.0 - 2.0 * number(row) / columns(zoom))).sinh().atan().to_degrees()
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "there are at most 2^19 columns, and a few more of them around the Earth"
)]
fn whole(number: f64) -> i64 {
    number.floor() as i64
}

#[expect(
    clippy::cast_precision_loss,
    reason = "there are at most 2^19 columns, and a few more of them around the Earth"
)]
fn number(whole: i64) -> f64 {
    whole as f64
}

#[cfg(test)]
mod tests {
    use super::{super::plane::Spot, *};
    use crate::config::{Config, Sources};

    fn server() -> TileServer {
        let environment = [
            ("SEALWRIGHT_CONSOLE_TILE_SERVER", "https://tiles.example/{z}/{x}/{y}"),
            ("SEALWRIGHT_CONSOLE_TILE_ATTRIBUTION", "© Mapmakers"),
        ];
        let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let sources = Sources { environment, working_dir: "/srv/sealwright".into(), ..Sources::default() };
        Config::load(&sources).unwrap().config.console.tiles.unwrap()
    }

    fn spot(east: f64, north: f64) -> Spot {
        Spot { items: Vec::new(), east, north, accuracy: Some(5.0) }
    }

    #[test]
    fn tiles_are_numbered_as_servers_number_them() {
        // The Eiffel tower.
        assert_eq!((whole(column(2.2945, 15)), whole(row(48.8583, 15))), (16_592, 11_272));
        assert_eq!((whole(column(-179.999, 3)), whole(row(0.01, 3))), (0, 3));
        assert!((longitude(1, 1)).abs() < 1e-9 && latitude(1, 1).abs() < 1e-9);
        assert!((latitude(11_272, 15) - 48.8583).abs() < 0.01 && latitude(11_272, 15) > 48.8583);
    }

    #[test]
    fn the_tiles_cover_the_drawing_and_each_position_is_on_its_tile() {
        for (spots, origin) in [
            (vec![spot(0.0, 0.0)], (48.8583, 2.2945)),
            (vec![spot(0.0, 0.0), spot(1_800.0, -700.0)], (-33.86, 151.2)),
            (vec![spot(0.0, 0.0), spot(60_000.0, 9_000.0)], (64.1, -21.9)),
            // Across the date line.
            (vec![spot(0.0, 0.0), spot(3_000.0, 10.0)], (-16.8, 179.99)),
        ] {
            let scale = Scale::of(&spots);
            let tiles = below(&server(), origin, scale);
            assert!((1..=30).contains(&tiles.len()), "{origin:?}: {tiles:?}");
            let edges = |of: fn(&Tile) -> f64, pick: fn(f64, f64) -> f64| tiles.iter().map(of).reduce(pick).unwrap();
            assert!(edges(|tile| tile.x, f64::min) <= 0.0 && edges(|tile| tile.y, f64::min) <= 0.0, "{tiles:?}");
            assert!(edges(|tile| tile.x + tile.width, f64::max) >= WIDTH, "{tiles:?}");
            assert!(edges(|tile| tile.y + tile.height, f64::max) >= HEIGHT, "{tiles:?}");
            // The area is that of the whole: nothing overlaps and nothing is missing.
            let area: f64 = tiles.iter().map(|tile| tile.width * tile.height).sum();
            let width = edges(|tile| tile.x + tile.width, f64::max) - edges(|tile| tile.x, f64::min);
            let height = edges(|tile| tile.y + tile.height, f64::max) - edges(|tile| tile.y, f64::min);
            assert!((area / (width * height) - 1.0).abs() < 0.02, "{area} of {width} × {height}");
            let (x, y) = scale.point(&spots[0]);
            let zoom = zoom(origin.0, scale);
            let address = server().address(zoom, whole(column(origin.1, zoom)), whole(row(origin.0, zoom)));
            let tile = tiles.iter().find(|tile| tile.address == address).unwrap();
            assert!(tile.x <= x && x <= tile.x + tile.width && tile.y <= y && y <= tile.y + tile.height, "{tile:?}");
        }
    }

    #[test]
    fn positions_that_no_map_can_show_have_a_bounded_number_of_tiles() {
        let far = [spot(0.0, 0.0), spot(15_000_000.0, 6_000_000.0)];
        assert!(below(&server(), (10.0, 0.0), Scale::of(&far)).len() <= MOST_TILES);
        assert!(below(&server(), (89.9, 0.0), Scale::of(&[spot(0.0, 0.0)])).is_empty());
        assert!(below(&server(), (84.99, 0.0), Scale::of(&far)).len() <= MOST_TILES);
    }
}
