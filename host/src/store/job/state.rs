//! The states of jobs, as the statements of this module write them.

use serde::Serialize;
use strum::{Display, EnumString};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Display, EnumString)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum JobState {
    /// It runs from a moment on.
    Ready,
    Running,
    /// It runs alone, after several crashes.
    Suspect,
    /// After more crashes it waits for the operator.
    Quarantined,
    /// It was given up.
    Failed,
}

impl JobState {
    /// Whether it does not run again until the operator restarts it.
    pub const fn is_stopped(self) -> bool {
        matches!(self, Self::Quarantined | Self::Failed)
    }
}

sealwright_base::text_column!(JobState, "state of a job");
