//! The console: its sessions, its OpenID Connect provider, and the server of its map tiles.

use std::{path::PathBuf, time::Duration};

use super::{ConsoleOpenIdSettings, Setting, Values, value};

/// The console.
#[derive(Clone, Debug)]
pub struct ConsoleSettings {
    /// A session ends this long after its last request.
    pub session_idle: Duration,
    /// A session ends this long after the sign-in.
    pub session_lifetime: Duration,
    /// `None`: users sign in with a password only.
    pub openid: Option<ConsoleOpenIdSettings>,
    /// `None`: no map is shown.
    pub tiles: Option<TileServer>,
}

/// A server of map tiles in the Web Mercator projection, 256 pixels wide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileServer {
    template: String,
    origin: String,
    attribution: String,
}

/// In the address of a tile: its zoom, its column from the west, its row from the north.
const PLACES: [&str; 3] = ["{z}", "{x}", "{y}"];
/// In characters.
const LONGEST_ATTRIBUTION: usize = 200;

impl TileServer {
    /// Scheme, host and port of the server.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Whose the map is, as its owner wants to be named.
    pub fn attribution(&self) -> &str {
        &self.attribution
    }

    /// The address of a tile.
    pub fn address(&self, zoom: u32, column: i64, row: i64) -> String {
        filled(&self.template, [i64::from(zoom), column, row])
    }
}

fn filled(template: &str, numbers: [i64; 3]) -> String {
    let places = PLACES.iter().zip(numbers);
    places.fold(template.to_owned(), |text, (place, number)| text.replace(place, &number.to_string()))
}

/// The template of the addresses and the origin of all of them.
fn template(text: &str) -> Option<(String, String)> {
    let has_each_once = PLACES.iter().all(|place| text.matches(place).count() == 1);
    let has_others = text.matches(['{', '}']).count() != 2 * PLACES.len();
    if !has_each_once || has_others || text.contains(char::is_whitespace) {
        return None;
    }
    let origin = |numbers| value::web_url(&filled(text, numbers)).map(|url| url.origin().ascii_serialization());
    let (one, other) = (origin([1, 0, 1])?, origin([12, 34, 56])?);
    // All tiles come from one host, because the policy of the page names it.
    (one == other).then(|| (text.to_owned(), one))
}

fn attribution(text: &str) -> Option<String> {
    let fits = (1..=LONGEST_ATTRIBUTION).contains(&text.chars().count());
    (fits && text.trim() == text && !text.chars().any(char::is_control)).then(|| text.to_owned())
}

impl Values {
    pub(super) fn console(&mut self, path: impl Fn(&str) -> Option<PathBuf>) -> Option<ConsoleSettings> {
        let session_idle = self.read(Setting::ConsoleSessionIdle, "1h", value::duration);
        let session_lifetime = self.read(Setting::ConsoleSessionLifetime, "12h", value::duration);
        let tiles = self.tiles();
        let openid = self.console_openid(path);
        Some(ConsoleSettings {
            session_idle: session_idle?,
            session_lifetime: session_lifetime?,
            openid: openid?,
            tiles,
        })
    }

    /// `None` if no server is set, or after a problem was recorded.
    fn tiles(&mut self) -> Option<TileServer> {
        let keys = [Setting::ConsoleTileServer, Setting::ConsoleTileAttribution];
        let server = self.read_optional(keys[0], "none", template);
        let attribution = self.read_optional(keys[1], "none", attribution);
        let given = keys.map(|key| self.given.contains_key(&key));
        for (is_given, other, key) in [(given[0], given[1], keys[1]), (given[1], given[0], keys[0])] {
            if is_given && !other {
                let (name, expected) = (key.variable(), key.expected());
                self.problems.push(format!("{key} ({name}): missing, expected {expected}, to go with the other one"));
            }
        }
        let (template, origin) = server?;
        Some(TileServer { template, origin, attribution: attribution? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Sources};

    fn load(variables: &[(&str, &str)]) -> Result<Option<TileServer>, String> {
        let environment =
            variables.iter().map(|(name, value)| (format!("SEALWRIGHT_CONSOLE_{name}"), (*value).to_owned()));
        let sources = Sources {
            working_dir: PathBuf::from("/srv/sealwright"),
            environment: environment.collect(),
            ..Sources::default()
        };
        let loaded = Config::load(&sources).map_err(|error| error.to_string())?;
        Ok(loaded.config.console.tiles)
    }

    #[test]
    fn a_tile_server_is_a_template_with_the_name_of_the_map_s_owner() {
        assert_eq!(load(&[]), Ok(None));
        let given = |template| load(&[("TILE_SERVER", template), ("TILE_ATTRIBUTION", "© Mapmakers")]);
        let tiles = given("https://tiles.example:8443/osm/{z}/{x}/{y}.png?key=k").unwrap().unwrap();
        assert_eq!(tiles.origin(), "https://tiles.example:8443");
        assert_eq!(tiles.attribution(), "© Mapmakers");
        assert_eq!(tiles.address(15, 16_592, 11_271), "https://tiles.example:8443/osm/15/16592/11271.png?key=k");
        assert!(given("http://10.0.0.7/{y}/{x}/{z}").is_ok());
        for wrong in [
            "tiles.example/{z}/{x}/{y}.png",
            "https://tiles.example/{z}/{x}.png",
            "https://tiles.example/{z}/{x}/{y}/{y}",
            "https://{s}.tiles.example/{z}/{x}/{y}.png",
            "https://tiles{x}.example/{z}/{x}/{y}.png",
            "https://tiles{z}.example/{x}/{y}.png",
            "https://tiles.example/{z}/{x}/{y} .png",
            "https://user:password@tiles.example/{z}/{x}/{y}.png",
            "ftp://tiles.example/{z}/{x}/{y}.png",
        ] {
            let problem = given(wrong).unwrap_err();
            let expected =
                format!("SEALWRIGHT_CONSOLE_TILE_SERVER: found {wrong:?}, expected an http or https URL with");
            assert!(problem.contains(&expected), "{wrong}: {problem}");
        }
    }

    #[test]
    fn a_tile_server_and_its_attribution_go_together() {
        let alone = load(&[("TILE_SERVER", "https://tiles.example/{z}/{x}/{y}")]).unwrap_err();
        assert!(alone.contains("console.tile_attribution (SEALWRIGHT_CONSOLE_TILE_ATTRIBUTION): missing"), "{alone}");
        let alone = load(&[("TILE_ATTRIBUTION", "© Mapmakers")]).unwrap_err();
        assert!(alone.contains("console.tile_server (SEALWRIGHT_CONSOLE_TILE_SERVER): missing"), "{alone}");
        let long = "x".repeat(201);
        let long =
            load(&[("TILE_SERVER", "https://tiles.example/{z}/{x}/{y}"), ("TILE_ATTRIBUTION", &long)]).unwrap_err();
        assert!(long.contains("expected a text of 1 to 200 characters"), "{long}");
    }
}
