//! The judge: it compares what was answered with what is there, and names each contradiction. It starts nothing and asks
//! nothing, so that it can itself be tested with a history that is known to be wrong.

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

/// A rule that did not hold.
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
    let mut found = Found::default();
    for (at, what) in &ledger.contradictions {
        found.add(Rule::Doubled, Some(*at), what.clone());
    }
    cases::check(&ledger, evidence, &mut found);
    cases::check_certificates(&ledger, history, evidence, &mut found);
    dispatches::check(&ledger, history, evidence, &mut found);
    quotas::check(history, &mut found);
    answers::check(history, &mut found);
    log::check(&ledger, history, evidence, &mut found);
    found.violations
}

#[derive(Default)]
struct Found {
    violations: Vec<Violation>,
}

impl Found {
    fn add(&mut self, rule: Rule, at: Option<Moment>, what: String) {
        self.violations.push(Violation { rule, at, what });
    }
}
