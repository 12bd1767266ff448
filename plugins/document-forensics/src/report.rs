//! The result of one check, as evidence.
//!
//! Evidence is counted in decibans, ten times the decimal logarithm of how much likelier a sign is in a forged document
//! than in a genuine one. Independent evidence adds up: one strong sign suffices, and so do several weak ones.

use sealwright_plugin_sdk::{
    falsification::Verdict,
    findings::{Finding, not_found, not_run},
};

/// The maximum number of findings of a check.
const FINDINGS: usize = 32;
/// Signs up to this strength occur in ordinary documents too. All of them in one check stay below an alarm.
pub(crate) const WEAK: f64 = 10.5;

/// A sign of a forgery.
pub(crate) struct Sign {
    /// What it is worth, in decibans.
    pub(crate) decibans: f64,
    pub(crate) finding: Finding,
}

pub(crate) fn sign(decibans: f64, finding: Finding) -> Sign {
    Sign { decibans, finding }
}

/// The findings of a check, before all of them are weighed together.
pub(crate) struct Report {
    pub(crate) applies: bool,
    /// What its signs are worth together.
    pub(crate) decibans: f64,
    pub(crate) findings: Vec<Finding>,
    /// The strength of each sign, with the code of its finding.
    pub(crate) strengths: Vec<(String, f64)>,
    /// What it takes from weak signs of other checks, in decibans: a proof that the page is right.
    pub(crate) lift: f64,
}

/// Takes from the weak signs of each check what others prove. A strong sign stays: it may concern what was not proven.
pub(crate) fn lift(reports: &mut [(&str, &str, Report)]) {
    let most = reports.iter().map(|(_, _, report)| report.lift).fold(0.0, f64::max);
    for (_, _, report) in reports.iter_mut().filter(|(_, _, report)| report.decibans <= WEAK) {
        report.decibans = (report.decibans - most).max(0.0);
    }
}

impl Report {
    /// There is nothing to examine.
    pub(crate) fn not_applicable(code: &str, why: &str) -> Self {
        Self { applies: false, decibans: 0.0, findings: vec![not_run(code, why)], strengths: Vec::new(), lift: 0.0 }
    }

    /// Nothing was detected.
    pub(crate) fn valid(code: &str, what: &str) -> Self {
        Self { applies: true, decibans: 0.0, findings: vec![not_found(code, what)], strengths: Vec::new(), lift: 0.0 }
    }

    /// The signs, the strongest first. Without any, nothing was detected, and `what` says what was searched for.
    pub(crate) fn of(mut signs: Vec<Sign>, code: &str, what: &str) -> Self {
        signs.sort_by(|left, right| right.decibans.total_cmp(&left.decibans));
        let Some(strongest) = signs.first().map(|sign| sign.decibans) else { return Self::valid(code, what) };
        let mut decibans = 0.0;
        let mut seen: Vec<&str> = Vec::new();
        for sign in &signs {
            // Signs of one kind have one cause; those of another kind in the same check are not independent either.
            if !seen.contains(&sign.finding.code.as_str()) {
                decibans += if seen.is_empty() { sign.decibans } else { sign.decibans / 2.0 };
                seen.push(&sign.finding.code);
            }
        }
        if strongest <= WEAK {
            decibans = decibans.min(WEAK);
        }
        let strengths = signs.iter().map(|sign| (sign.finding.code.clone(), sign.decibans)).collect();
        let findings = signs.into_iter().map(|sign| sign.finding).take(FINDINGS).collect();
        Self { applies: true, decibans, findings, strengths, lift: 0.0 }
    }

    /// Two subjects of one check, the second if the document has it.
    pub(crate) fn with(self, other: Option<Self>) -> Self {
        let Some(other) = other else { return self };
        if !self.applies {
            return other;
        }
        let (more, less) = if other.decibans > self.decibans { (other, self) } else { (self, other) };
        // They examine different things, but one forger changes both.
        let mut decibans = more.decibans + less.decibans / 2.0;
        if more.decibans <= WEAK {
            decibans = decibans.min(WEAK);
        }
        let lift = if decibans > 0.0 { 0.0 } else { more.lift.max(less.lift) };
        let findings = more.findings.into_iter().chain(less.findings).take(FINDINGS).collect();
        let strengths = more.strengths.into_iter().chain(less.strengths).collect();
        Self { applies: true, decibans, findings, strengths, lift }
    }

    pub(crate) fn verdict(&self) -> Verdict {
        match (self.applies, self.decibans) {
            (false, _) => Verdict::NotApplicable,
            (true, decibans) if decibans <= 0.0 => Verdict::Valid,
            // From here on a forgery is the likelier explanation.
            (true, decibans) if decibans > SERIOUS => Verdict::Invalid,
            _ => Verdict::Warning,
        }
    }
}

const SERIOUS: f64 = 16.5;
