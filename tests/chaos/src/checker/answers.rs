//! Checks that each answer is allowed by the interface and comes in time.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use super::{Findings, Rule};
use crate::{
    history::{Action, Detail, Event, FaultRecord, History, Outcome},
    schedule::Subject,
};

/// An answer comes within 10 s even while a dependency is away; the rest is slack for a busy machine.
const BOUND: Duration = Duration::from_secs(12);
/// The server waits for a certificate that does not exist yet.
const CERTIFICATE_BOUND: Duration = Duration::from_secs(35);

pub(super) fn check(history: &History, findings: &mut Findings) {
    let mut events: Vec<&Event> = history.events.iter().collect();
    events.sort_by_key(|event| event.started);
    // What earlier requests may have done to a case, which explains later answers.
    let mut maybe_closed = BTreeSet::new();
    let mut maybe_deleted = BTreeSet::new();
    let mut wrong: BTreeMap<(u16, &str), (usize, &Event)> = BTreeMap::new();
    for event in events {
        if let Outcome::Answered(status, detail) = &event.outcome
            && !is_allowed(event, *status, detail, &maybe_closed, &maybe_deleted)
        {
            wrong.entry((*status, event.operation)).or_insert((0, event)).0 += 1;
        }
        match &event.action {
            Action::Close(case) if event.outcome != Outcome::Refused => drop(maybe_closed.insert(*case)),
            Action::Delete(cases) if event.outcome != Outcome::Refused => maybe_deleted.extend(cases.iter().copied()),
            _ => {}
        }
        check_time(event, &history.faults, findings);
    }
    for ((status, operation), (count, first)) in wrong {
        let what = format!(
            "{operation} was answered {status} {count} times, first to {:?} by node {}: {:?}",
            first.action, first.node, first.outcome
        );
        findings.add(Rule::WrongAnswer, Some(first.started), what);
    }
}

fn is_allowed(
    event: &Event,
    status: u16,
    detail: &Detail,
    maybe_closed: &BTreeSet<i64>,
    maybe_deleted: &BTreeSet<i64>,
) -> bool {
    // Temporarily unavailable, or over its quota.
    if status == 503 || status == 429 {
        return true;
    }
    match &event.action {
        Action::Create(marks) if event.operation.contains("bulk") => {
            status == 200 && matches!(detail, Detail::Cases(created) if created.len() == marks.len())
        }
        Action::Create(_) => status == 201,
        Action::Add { .. } => status == if event.operation == "POST /v2/items/create" { 201 } else { 200 },
        Action::Close(case) => status == 200 || maybe_closed.contains(case) && (status == 400 || status == 404),
        Action::Delete(cases) => {
            let was_before = cases.iter().any(|case| maybe_deleted.contains(case));
            match detail {
                Detail::Deleted(deleted) => status == 200 && (deleted.len() == cases.len() || was_before),
                _ => status == 200 || was_before && (status == 400 || status == 404),
            }
        }
        Action::ReadCertificate(case) => status == 200 || status == 404 && maybe_deleted.contains(case),
        Action::ReadLog | Action::Read => status == 200,
    }
}

fn check_time(event: &Event, faults: &[FaultRecord], findings: &mut Findings) {
    let bound = if matches!(event.action, Action::ReadCertificate(_)) { CERTIFICATE_BOUND } else { BOUND };
    let took = event.ended.saturating_sub(event.started);
    let is_late = event.outcome == Outcome::Unanswered || took > bound;
    let node_was_broken = faults
        .iter()
        .any(|fault| fault.subject == Subject::Node(event.node) && fault.touches(event.started, event.ended));
    if is_late && !node_was_broken {
        let what =
            format!("{} of node {} took {:.1} s: {:?}", event.operation, event.node, took.as_secs_f64(), event.outcome);
        findings.add(Rule::SlowAnswer, Some(event.started), what);
    }
}
