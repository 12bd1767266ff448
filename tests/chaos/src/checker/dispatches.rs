//! Checks that each closed case has one dispatch, and a second one only if the first one's outcome was cut off
//! (decisions 12).

use std::{collections::BTreeMap, time::Duration};

use super::{Findings, Rule};
use crate::{
    evidence::{Dispatch, Evidence},
    history::{FaultRecord, History, Moment},
    ledger::{Certainty, Ledger},
    schedule::{Kind, Subject},
};

/// How long a sender may take to record a known outcome while no dependency is away.
const RECORDING_TIME: Duration = Duration::from_secs(5);

pub(super) fn check(ledger: &Ledger, history: &History, evidence: &Evidence, findings: &mut Findings) {
    let mut by_case: BTreeMap<i64, Vec<&Dispatch>> = BTreeMap::new();
    for dispatch in &evidence.dispatches {
        by_case.entry(dispatch.case).or_default().push(dispatch);
    }
    for dispatches in by_case.values_mut() {
        dispatches.sort_by_key(|dispatch| dispatch.received);
        for pair in dispatches.windows(2) {
            if !was_cut_off(pair[0], history) {
                let what = format!(
                    "case {} was sent again {:.1} s after a dispatch whose outcome was known",
                    pair[0].case,
                    pair[1].received.saturating_sub(pair[0].received).as_secs_f64()
                );
                findings.add(Rule::Dispatch, Some(pair[1].received), what);
            }
        }
    }
    for case in evidence.cases.iter().filter(|case| case.closed) {
        let is_deleted = ledger.cases.get(&case.id).is_some_and(|case| case.deletion != Certainty::No);
        if !is_deleted && !evidence.attempts.contains_key(&case.id) {
            findings.add(Rule::Dispatch, None, format!("case {} was closed and never sent", case.id));
        }
    }
}

/// Whether the sender of a dispatch may have died, or have been stopped, before it could record the outcome.
fn was_cut_off(dispatch: &Dispatch, history: &History) -> bool {
    let Some(known) = dispatch.ended else { return true };
    let recorded = latest_record(known, &history.faults);
    let ends_senders = |fault: &&FaultRecord| {
        matches!(fault.subject, Subject::Node(_)) && matches!(fault.kind, Kind::Kill | Kind::Stop)
    };
    history.faults.iter().filter(ends_senders).any(|fault| fault.touches(dispatch.received, recorded))
}

/// The latest moment at which an outcome may be recorded: a sender that cannot reach the database retries until it can.
fn latest_record(known: Moment, faults: &[FaultRecord]) -> Moment {
    let mut recorded = known + RECORDING_TIME;
    let mut databases: Vec<_> =
        faults.iter().filter(|fault| matches!(fault.subject, Subject::Postgres | Subject::Disk)).collect();
    databases.sort_by_key(|fault| fault.started);
    for fault in databases {
        if fault.touches(known, recorded) {
            recorded = recorded.max(fault.ended + RECORDING_TIME);
        }
    }
    recorded
}
