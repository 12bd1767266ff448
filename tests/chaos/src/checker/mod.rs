//! The judge: it compares the answers with the evidence, and reports each contradiction. It starts no process and sends
//! no request, so that it can be tested with histories that are known to be wrong.

mod answers;
mod cases;
mod dispatches;
mod log;
mod quotas;
#[cfg(test)]
mod tests;

use crate::{
    evidence::Evidence,
    history::{History, Moment},
    ledger::Ledger,
};

/// A rule that was violated.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Violation {
    pub(crate) rule: Rule,
    pub(crate) at: Option<Moment>,
    pub(crate) what: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rule {
    Lost,
    Doubled,
    Certificate,
    Dispatch,
    Quota,
    WrongAnswer,
    SlowAnswer,
    PublicLog,
    Process,
    Settling,
}

impl Rule {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Lost => "lost",
            Self::Doubled => "doubled",
            Self::Certificate => "certificate",
            Self::Dispatch => "dispatch",
            Self::Quota => "quota",
            Self::WrongAnswer => "wrong answer",
            Self::SlowAnswer => "slow answer",
            Self::PublicLog => "public log",
            Self::Process => "process",
            Self::Settling => "settling",
        }
    }
}

/// Judges a run whose installation has settled.
pub(crate) fn judge(history: &History, evidence: &Evidence) -> Vec<Violation> {
    let ledger = Ledger::of(&history.events);
    let mut findings = Findings::default();
    for (at, what) in &ledger.contradictions {
        findings.add(Rule::Doubled, Some(*at), what.clone());
    }
    cases::check(&ledger, evidence, &mut findings);
    cases::check_certificates(&ledger, history, evidence, &mut findings);
    dispatches::check(&ledger, history, evidence, &mut findings);
    quotas::check(history, &mut findings);
    answers::check(history, &mut findings);
    log::check(&ledger, history, evidence, &mut findings);
    findings.violations
}

#[derive(Default)]
struct Findings {
    violations: Vec<Violation>,
}

impl Findings {
    fn add(&mut self, rule: Rule, at: Option<Moment>, what: String) {
        self.violations.push(Violation { rule, at, what });
    }
}
