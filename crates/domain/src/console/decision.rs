//! Decisions of reviewers.

use std::fmt;

use strum::{EnumString, IntoStaticStr, VariantArray};

use super::FormProblem;

/// What a reviewer decides on a case. It changes neither the seal nor the verdict.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    EnumString,
    IntoStaticStr,
    VariantArray,
    serde::Serialize,
    schemars::JsonSchema,
)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Accepted,
    Rejected,
    /// The person who captured is asked for something better.
    Returned,
}

impl Outcome {
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

sealwright_base::text_column!(Outcome, "decision");

/// What the form of a decision must hold, and what a stored decision holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    pub outcome: Outcome,
    /// Empty only for [`Outcome::Accepted`].
    pub reason: String,
}

impl Decision {
    /// In characters.
    pub const LONGEST_REASON: usize = 2000;

    /// # Errors
    /// What is wrong with the reason: missing, too long, or with control characters.
    pub fn new(outcome: Outcome, reason: &str) -> Result<Self, FormProblem> {
        let reason = reason.trim().replace("\r\n", "\n");
        if reason.is_empty() && outcome != Outcome::Accepted {
            return Err(FormProblem::NoReason(outcome));
        }
        if reason.chars().count() > Self::LONGEST_REASON {
            return Err(FormProblem::LongReason);
        }
        if reason.chars().any(|c| c.is_control() && c != '\n') {
            return Err(FormProblem::ControlInReason);
        }
        Ok(Self { outcome, reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rejection_needs_a_reason() {
        assert!(Decision::new(Outcome::Accepted, " ").is_ok_and(|decision| decision.reason.is_empty()));
        for outcome in [Outcome::Rejected, Outcome::Returned] {
            assert_eq!(Decision::new(outcome, "  "), Err(FormProblem::NoReason(outcome)));
        }
        assert_eq!(Decision::new(Outcome::Rejected, "a\u{7}"), Err(FormProblem::ControlInReason));
        assert_eq!(Decision::new(Outcome::Rejected, &"a".repeat(2001)), Err(FormProblem::LongReason));
        assert_eq!(Decision::new(Outcome::Rejected, "blurred\r\nagain").unwrap().reason, "blurred\nagain");
    }
}
