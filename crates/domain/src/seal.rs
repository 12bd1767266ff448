//! How far a certificate's seal has come (decisions 14).

use std::{fmt, str::FromStr};

use sealwright_seal::verify::Level;

/// The levels of EN 319 142-1 that a certificate can have. B-LT is not among them: validation data always comes with a time
/// stamp over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SealLevel {
    /// Signed; the time is pending.
    Signed,
    /// And the signature is time-stamped.
    TimeStamped,
    /// And with all data for checking it without a network, including revocation data, under a
    /// time stamp over the whole file.
    Archived,
}

/// A word that is not a level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a level of a seal")]
pub struct UnknownSealLevel(String);

impl SealLevel {
    const ALL: [Self; 3] = [Self::Signed, Self::TimeStamped, Self::Archived];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Signed => "B-B",
            Self::TimeStamped => "B-T",
            Self::Archived => "B-LTA",
        }
    }
}

impl From<Level> for SealLevel {
    fn from(level: Level) -> Self {
        match level {
            Level::BB => Self::Signed,
            Level::BT => Self::TimeStamped,
            Level::BLta => Self::Archived,
        }
    }
}

impl FromStr for SealLevel {
    type Err = UnknownSealLevel;

    fn from_str(text: &str) -> Result<Self, UnknownSealLevel> {
        Self::ALL.into_iter().find(|level| level.as_str() == text).ok_or_else(|| UnknownSealLevel(text.to_owned()))
    }
}

sealwright_base::text_column!(SealLevel, "level of a seal");

impl fmt::Display for SealLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_read_back_from_its_name() {
        for level in SealLevel::ALL {
            assert_eq!(level.as_str().parse(), Ok(level));
        }
        assert!("B-LT".parse::<SealLevel>().is_err());
    }
}
