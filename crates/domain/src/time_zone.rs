//! Time zones by their names in the IANA database, of which the program has a copy: what a name means depends neither on
//! the machine nor on its settings.

use std::{fmt, str::FromStr};

use jiff::tz::{TimeZone, TimeZoneDatabase};
use serde::{Deserialize, Serialize};

/// The name of a time zone, such as `Europe/Paris`, spelled as in the IANA database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeZoneName(String);

sealwright_base::text_column!(TimeZoneName, "time zone");

impl TimeZoneName {
    /// What [`FromStr`] accepts.
    pub const EXPECTED: &'static str = "a time zone of the IANA database, such as \"Europe/Paris\"";

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for TimeZoneName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let zone = TimeZoneDatabase::bundled().get(text).ok().filter(|zone: &TimeZone| !zone.is_unknown());
        let name = zone.as_ref().and_then(TimeZone::iana_name);
        name.map(|name| Self(name.to_owned())).ok_or(Self::EXPECTED)
    }
}

impl TryFrom<String> for TimeZoneName {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<TimeZoneName> for String {
    fn from(name: TimeZoneName) -> Self {
        name.0
    }
}

impl fmt::Display for TimeZoneName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_spelled_as_in_the_database() {
        for (given, name) in [
            ("Europe/Paris", "Europe/Paris"),
            ("america/NEW_YORK", "America/New_York"),
            ("Asia/Kolkata", "Asia/Kolkata"),
        ] {
            assert_eq!(given.parse::<TimeZoneName>().unwrap().as_str(), name);
        }
    }

    #[test]
    fn an_offset_or_a_place_without_a_zone_is_not_a_time_zone() {
        for wrong in ["", "Paris", "Europe/Lyon", "+02:00", "Etc/Unknown", "../etc/passwd", "Europe/Paris "] {
            assert_eq!(wrong.parse::<TimeZoneName>(), Err(TimeZoneName::EXPECTED), "{wrong}");
        }
    }
}
