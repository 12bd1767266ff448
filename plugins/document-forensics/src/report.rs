//! The result of one check, and its weight.
//!
//! A clean check has little weight and a detected forgery much, so that one clear sign is not outvoted by eleven checks
//! that looked for something else.

use sealwright_plugin_sdk::{
    falsification::{Check, Verdict},
    findings::{Finding, State, not_found, not_run},
};

/// The maximum number of findings of a check.
const FINDINGS: usize = 32;

/// The findings of a check, before weighing.
pub(crate) struct Report {
    verdict: Verdict,
    /// 0 to 100; 100 means that nothing is wrong.
    evaluation: u8,
    findings: Vec<Finding>,
}

impl Report {
    /// There is nothing to examine.
    pub(crate) fn not_applicable(code: &str, why: &str) -> Self {
        Self { verdict: Verdict::NotApplicable, evaluation: 100, findings: vec![not_run(code, why)] }
    }

    /// Nothing was detected.
    pub(crate) fn valid(code: &str, what: &str) -> Self {
        Self { verdict: Verdict::Valid, evaluation: 100, findings: vec![not_found(code, what)] }
    }

    /// The findings, each with its severity (0 to 100, 0 is the worst); the worst one decides. Without any, nothing was
    /// detected, and `what` says what was searched for.
    pub(crate) fn of(signs: Vec<(u8, Finding)>, code: &str, what: &str) -> Self {
        let Some(worst) = signs.iter().map(|(evaluation, _)| *evaluation).min() else { return Self::valid(code, what) };
        // Below this there is no innocent explanation.
        let verdict = if worst < 40 { Verdict::Invalid } else { Verdict::Warning };
        let mut signs = signs;
        signs.sort_by_key(|(evaluation, _)| *evaluation);
        Self {
            verdict,
            evaluation: worst,
            findings: signs.into_iter().map(|(_, finding)| finding).take(FINDINGS).collect(),
        }
    }

    pub(crate) fn into_check(self, code: &str, label: &str) -> Check {
        debug_assert!(
            matches!(self.verdict, Verdict::Valid | Verdict::NotApplicable)
                || self.findings.iter().any(|finding| finding.state == State::Found)
        );
        let weight = match self.verdict {
            Verdict::NotApplicable => 0,
            Verdict::Valid => 30,
            Verdict::Warning => 120,
            Verdict::Invalid => 1000,
        };
        Check {
            code: code.to_owned(),
            label: label.to_owned(),
            verdict: self.verdict,
            evaluation: self.evaluation,
            weight,
            findings: self.findings,
        }
    }
}
