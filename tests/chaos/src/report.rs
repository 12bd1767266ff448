//! The output at the end of a run: figures, and each violation with the seed and its time.

use std::collections::BTreeMap;

use crate::{
    checker::Violation,
    evidence::Evidence,
    history::{History, Outcome},
    ledger::Ledger,
    schedule::Kind,
};

/// How many violations of one rule are printed at most.
const SHOWN: usize = 25;

pub(crate) fn print(history: &History, evidence: &Evidence, failed_starts: usize, seed: u64, violations: &[Violation]) {
    let ledger = Ledger::of(&history.events);
    let with = |wanted: fn(&Outcome) -> bool| history.events.iter().filter(|event| wanted(&event.outcome)).count();
    let kills = history.faults.iter().filter(|fault| fault.kind == Kind::Kill).count();
    let certificates = evidence.certificates.values().filter(|certificate| certificate.is_ok()).count();
    println!();
    for (figure, value) in [
        ("requests", history.events.len()),
        ("  answered 429", with(|outcome| matches!(outcome, Outcome::Answered(429, _)))),
        ("  answered 503", with(|outcome| matches!(outcome, Outcome::Answered(503, _)))),
        ("  cut off, or never answered", with(|outcome| matches!(outcome, Outcome::Cut | Outcome::Unanswered))),
        ("  refused", with(|outcome| *outcome == Outcome::Refused)),
        ("acknowledged writes", ledger.acknowledged),
        ("faults", history.faults.len()),
        ("  kills", kills),
        ("starts that failed while something was away", failed_starts),
        ("cases", ledger.cases.len()),
        ("closed cases found", evidence.cases.iter().filter(|case| case.closed).count()),
        ("certificates checked", certificates),
        ("dispatches received", evidence.dispatches.len()),
        ("attempts recorded", evidence.attempts.values().sum()),
        ("seals in the log", evidence.log.seals.len()),
        ("deletions in the log", evidence.log.deletions),
        ("violations", violations.len()),
    ] {
        println!("{figure:44} {value:>8}");
    }
    let mut shown: BTreeMap<&str, usize> = BTreeMap::new();
    for violation in violations {
        let count = shown.entry(violation.rule.name()).or_default();
        *count += 1;
        if *count <= SHOWN {
            let at = violation.at.map_or_else(|| "at the end".into(), |at| format!("at {:.1} s", at.as_secs_f64()));
            println!("VIOLATION (seed {seed}, {at}) {}: {}", violation.rule.name(), violation.what);
        }
    }
    for (rule, count) in shown.into_iter().filter(|(_, count)| *count > SHOWN) {
        println!("VIOLATION (seed {seed}) {rule}: {} more", count - SHOWN);
    }
}
