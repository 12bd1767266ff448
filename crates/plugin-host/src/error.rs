//! What went wrong in a plugin's call, for the operator: which plugin, what happened, and what the plugin logged.

use std::{fmt, time::Duration};

use strum::IntoStaticStr;

/// A call of a plugin that gave no answer. It contains no secret of the call.
#[derive(Debug)]
pub struct PluginError {
    pub plugin: String,
    pub failure: Failure,
    /// What the plugin logged during the call, line by line.
    pub log: Vec<String>,
    /// Which of its functions were running when it was stopped, the innermost first. Empty if it was not stopped.
    pub trace: Vec<String>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Failure {
    /// No plugin of that name and role is loaded.
    #[error("no plugin of this name is loaded for this role")]
    NotLoaded,
    /// All other calls were still running after this time.
    #[error("it could not start within {0:?} because too many other calls were running")]
    Busy(Duration),
    /// It failed too often in a row for this company.
    #[error("it failed too often in a row and is not called for a while")]
    OutOfService,
    #[error("it did not answer within {0:?} and was stopped")]
    Deadline(Duration),
    /// It used all the fuel that a call may use. Unlike the deadline, this does not depend on the machine.
    #[error("it used up its {0} units of fuel and was stopped")]
    Fuel(u64),
    /// It requested more memory or larger tables than [`limits`](super::limits) allow, and failed.
    #[error("it wanted more memory than a plugin may use: {0}")]
    Memory(String),
    /// It trapped, or the host ended it for breaking a rule of the contract.
    #[error("it was stopped: {0}")]
    Trap(String),
    /// The contract does not allow its answer.
    #[error("its answer was refused: {0}")]
    InvalidAnswer(String),
    /// It reports that its input is wrong.
    #[error("it refused its input: {0}")]
    InvalidInput(String),
    /// It reports that it does not handle this.
    #[error("it does not support this: {0}")]
    Unsupported(String),
    /// It reports that it failed.
    #[error("it failed: {0}")]
    Plugin(String),
    /// The host failed; the plugin is not to blame.
    #[error("the plugin host failed: {0}")]
    Host(String),
}

impl Failure {
    /// A word for statistics.
    pub const fn kind(&self) -> &'static str {
        self.into_str()
    }

    /// Whether the plugin was not called at all. The same call may succeed later.
    pub const fn was_not_asked(&self) -> bool {
        matches!(self, Self::NotLoaded | Self::Busy(_) | Self::OutOfService)
    }

    /// Whether it was stopped for taking more time, fuel or memory than it may.
    pub const fn exceeds_limits(&self) -> bool {
        matches!(self, Self::Deadline(_) | Self::Fuel(_) | Self::Memory(_))
    }

    /// The same for a failure that was stored as text.
    pub fn names_exceeded_limits(text: &str) -> bool {
        ["it did not answer within ", "it used up its ", "it wanted more memory "]
            .iter()
            .any(|start| text.starts_with(start))
    }

    /// Whether the plugin misbehaved. One that declines or reports a failure follows the contract.
    pub(super) const fn is_misbehaviour(&self) -> bool {
        matches!(self, Self::Deadline(_) | Self::Fuel(_) | Self::Memory(_) | Self::Trap(_) | Self::InvalidAnswer(_))
    }
}

impl fmt::Display for PluginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "plugin {}: {}", self.plugin, self.failure)?;
        if !self.log.is_empty() {
            write!(f, " (its log: {})", self.log.join(" | "))?;
        }
        Ok(())
    }
}

impl std::error::Error for PluginError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_text_shows_whether_a_limit_was_exceeded() {
        let text = || "a text".to_owned();
        let failures = [
            Failure::NotLoaded,
            Failure::Busy(Duration::from_secs(1)),
            Failure::OutOfService,
            Failure::Deadline(Duration::from_secs(1)),
            Failure::Fuel(7),
            Failure::Memory(text()),
            Failure::Trap(text()),
            Failure::InvalidAnswer(text()),
            Failure::InvalidInput(text()),
            Failure::Unsupported(text()),
            Failure::Plugin(text()),
            Failure::Host(text()),
        ];
        assert_eq!(failures.iter().filter(|failure| failure.exceeds_limits()).count(), 3);
        for failure in failures {
            assert_eq!(Failure::names_exceeded_limits(&failure.to_string()), failure.exceeds_limits(), "{failure}");
        }
    }
}
