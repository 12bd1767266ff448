//! Each answer is one that the interface allows, and comes in time.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use super::{Found, Rule};
use crate::{
    history::{Deed, Detail, Event, FaultRecord, History, Outcome},
    schedule::Subject,
};

/// An answer comes within 10 s even while a dependency is away; the rest is for the machine.
const BOUND: Duration = Duration::from_secs(12);
/// A certificate that is not there yet is waited for.
const CERTIFICATE_BOUND: Duration = Duration::from_secs(35);

pub(super) fn check(history: &History, found: &mut Found) {
    let mut events: Vec<&Event> = history.events.iter().collect();
    events.sort_by_key(|event| event.begun);
    // What earlier requests may have done to a case, which explains later answers.
    let mut perhaps_closed = BTreeSet::new();
    let mut perhaps_deleted = BTreeSet::new();
    let mut wrong: BTreeMap<(u16, &str), (usize, &Event)> = BTreeMap::new();
    for event in events {
        if let Outcome::Answered(status, detail) = &event.outcome
            && !is_allowed(event, *status, detail, &perhaps_closed, &perhaps_deleted)
        {
            wrong.entry((*status, event.operation)).or_insert((0, event)).0 += 1;
        }
        match &event.deed {
            Deed::Close(case) if event.outcome != Outcome::Refused => drop(perhaps_closed.insert(*case)),
            Deed::Delete(cases) if event.outcome != Outcome::Refused => perhaps_deleted.extend(cases.iter().copied()),
            _ => {}
        }
        check_time(event, &history.faults, found);
    }
    for ((status, operation), (count, first)) in wrong {
        let what = format!(
            "{operation} was answered {status} {count} times, first to {:?} by node {}: {:?}",
            first.deed, first.node, first.outcome
        );
        found.add(Rule::WrongAnswer, Some(first.begun), what);
    }
}

fn is_allowed(
    event: &Event,
    status: u16,
    detail: &Detail,
    perhaps_closed: &BTreeSet<i64>,
    perhaps_deleted: &BTreeSet<i64>,
) -> bool {
    // Away for a while, or over its quota.
    if status == 503 || status == 429 {
        return true;
    }
    match &event.deed {
        Deed::Create(marks) if event.operation.contains("bulk") => {
            status == 200 && matches!(detail, Detail::Cases(created) if created.len() == marks.len())
        }
        Deed::Create(_) => status == 201,
        Deed::Add { .. } => status == if event.operation == "POST /v2/items/create" { 201 } else { 200 },
        Deed::Close(case) => status == 200 || perhaps_closed.contains(case) && (status == 400 || status == 404),
        Deed::Delete(cases) => {
            let was_before = cases.iter().any(|case| perhaps_deleted.contains(case));
            match detail {
                Detail::Deleted(deleted) => status == 200 && (deleted.len() == cases.len() || was_before),
                _ => status == 200 || was_before && (status == 400 || status == 404),
            }
        }
        Deed::ReadCertificate(case) => status == 200 || status == 404 && perhaps_deleted.contains(case),
        Deed::ReadLog | Deed::Read => status == 200,
    }
}

fn check_time(event: &Event, faults: &[FaultRecord], found: &mut Found) {
    let bound = if matches!(event.deed, Deed::ReadCertificate(_)) { CERTIFICATE_BOUND } else { BOUND };
    let took = event.ended.saturating_sub(event.begun);
    let is_late = event.outcome == Outcome::Unanswered || took > bound;
    let node_was_broken = faults
        .iter()
        .any(|fault| fault.subject == Subject::Node(event.node) && fault.touches(event.begun, event.ended));
    if is_late && !node_was_broken {
        let what =
            format!("{} of node {} took {:.1} s: {:?}", event.operation, event.node, took.as_secs_f64(), event.outcome);
        found.add(Rule::SlowAnswer, Some(event.begun), what);
    }
}
