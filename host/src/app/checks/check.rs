//! The result of a check.

use serde::Serialize;
use strum::IntoStaticStr;

/// The result of checking one part of the installation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// For example `database`.
    pub part: &'static str,
    pub state: State,
    /// What was found, on one line.
    pub finding: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum State {
    Good,
    /// It works, but probably not as intended.
    Doubtful,
    Broken,
}

impl Check {
    /// Whether the server can run with this result.
    pub fn is_usable(&self) -> bool {
        self.state != State::Broken
    }

    pub fn good(part: &'static str, finding: impl Into<String>) -> Self {
        Self { part, state: State::Good, finding: finding.into(), remedy: None }
    }

    pub fn doubtful(part: &'static str, finding: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { part, state: State::Doubtful, finding: finding.into(), remedy: Some(remedy.into()) }
    }

    pub fn broken(part: &'static str, finding: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { part, state: State::Broken, finding: finding.into(), remedy: Some(remedy.into()) }
    }
}
