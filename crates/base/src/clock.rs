//! Time and randomness, the two sources of nondeterminism. All code takes them from here (clippy forbids the usual
//! functions elsewhere), so tests can stop the clock.

use std::{
    borrow::Cow,
    fmt,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// A moment in UTC, to the millisecond; stored as whole milliseconds since the Unix epoch and printed as
/// `2026-11-20T10:00:00.000Z` (decisions 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx_macros::Type)]
#[sqlx(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// This moment plus `duration`, saturating.
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }

    /// This moment minus `duration`, saturating.
    #[must_use]
    pub fn before(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }

    /// How long after `earlier` this moment is; zero if it is before.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// The same moment for calendar arithmetic. A moment outside the years -9999 to 9999 is clamped to them.
    pub fn to_jiff(self) -> jiff::Timestamp {
        jiff::Timestamp::from_millisecond(self.0).unwrap_or(if self.0 < 0 {
            jiff::Timestamp::MIN
        } else {
            jiff::Timestamp::MAX
        })
    }
}

impl From<jiff::Timestamp> for Timestamp {
    fn from(moment: jiff::Timestamp) -> Self {
        Self(moment.as_millisecond())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.to_jiff())
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let moment: jiff::Timestamp = String::deserialize(deserializer)?.parse().map_err(D::Error::custom)?;
        Ok(Self::from(moment))
    }
}

impl JsonSchema for Timestamp {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Timestamp".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date-time" })
    }
}

/// The system's clock, or in tests one that only moves by [`advance`](Self::advance).
#[derive(Clone, Debug)]
pub struct Clock {
    held: Option<Arc<AtomicI64>>,
    started: Instant,
}

impl Clock {
    pub fn system() -> Self {
        Self { held: None, started: Instant::now() }
    }

    /// A clock that is stopped at `moment`.
    pub fn held(moment: Timestamp) -> Self {
        Self { held: Some(Arc::new(AtomicI64::new(moment.0))), started: Instant::now() }
    }

    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads the system's clock")]
    pub fn now(&self) -> Timestamp {
        match &self.held {
            Some(held) => Timestamp(held.load(Ordering::SeqCst)),
            None => jiff::Timestamp::now().into(),
        }
    }

    /// A monotonic time for measuring durations: the system's clock may jump in either direction.
    pub fn steady(&self) -> Timestamp {
        match &self.held {
            Some(held) => Timestamp(held.load(Ordering::SeqCst)),
            None => Timestamp(0).after(self.started.elapsed()),
        }
    }

    /// Moves a held clock; does nothing for the system's clock.
    pub fn advance(&self, duration: Duration) {
        if let Some(held) = &self.held {
            let moved = Timestamp(held.load(Ordering::SeqCst)).after(duration);
            held.store(moved.0, Ordering::SeqCst);
        }
    }
}

/// `N` bytes from the operating system's random source.
///
/// # Panics
/// If the operating system provides no randomness: without it no secret can be generated.
#[expect(clippy::disallowed_methods, reason = "this is the one place that takes randomness from the system")]
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

/// An unguessable public key of 128 random bits, as 32 lowercase hexadecimal characters (decisions 9).
pub fn random_key() -> String {
    hex::encode(random_bytes::<16>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_prints_milliseconds_and_z() {
        assert_eq!(Timestamp::from_millis(1_795_168_800_000).to_string(), "2026-11-20T10:00:00.000Z");
        assert_eq!(Timestamp::from_millis(1_795_168_800_042).to_string(), "2026-11-20T10:00:00.042Z");
    }

    #[test]
    fn a_held_clock_moves_only_when_advanced() {
        let clock = Clock::held(Timestamp::from_millis(1000));
        assert_eq!(clock.now(), clock.now());
        clock.advance(Duration::from_secs(2));
        assert_eq!(clock.now().as_millis(), 3000);
    }

    #[test]
    fn random_keys_are_32_hexadecimal_characters_and_differ() {
        let (a, b) = (random_key(), random_key());
        assert_eq!(a.len(), 32);
        assert!(a.chars().all(|c| c.is_ascii_hexdigit()));
        assert_ne!(a, b);
    }
}
