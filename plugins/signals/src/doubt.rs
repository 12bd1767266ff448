//! The doubts that a signal weighs, and how many of them it reports.

use sealwright_plugin_sdk::signal::Observation;

/// The maximum number of observations of a signal.
pub(crate) const OBSERVATIONS: usize = 64;

/// The doubts about a case, each with its cost out of 100.
pub(crate) type Doubts = Vec<(u8, Observation)>;
