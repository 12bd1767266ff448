//! Checks that in any 60 seconds no company exceeds its quota, and no request within the quota is refused (decisions
//! 11). A request is counted at some moment between its start and its end; a client cannot know more.

use std::time::Duration;

use super::{Findings, Rule};
use crate::{
    history::{Event, History, Moment, Outcome, Quota},
    schedule::Kind,
};

const WINDOW: Duration = Duration::from_mins(1);

pub(super) fn check(history: &History, findings: &mut Findings) {
    // A crash of PostgreSQL empties the table of the counters, which is unlogged. A single node has them in its memory.
    let is_single = history.events.iter().all(|event| event.node == 0);
    let crashes: Vec<Moment> = history
        .faults
        .iter()
        .filter(|fault| fault.kind == Kind::PostgresCrash || is_single && fault.kind == Kind::Kill)
        .flat_map(|fault| [fault.started, fault.ended])
        .collect();
    for quota in &history.quotas {
        let mut events: Vec<&Event> = history
            .events
            .iter()
            .filter(|event| event.company == quota.company && event.operation == quota.operation)
            .collect();
        events.sort_by_key(|event| event.started);
        check_excess(quota, &events, &crashes, findings);
        check_refusals(quota, &events, findings);
    }
}

fn check_excess(quota: &Quota, events: &[&Event], crashes: &[Moment], findings: &mut Findings) {
    let accepted: Vec<&Event> = events.iter().copied().filter(|event| is_certainly_accepted(event)).collect();
    let mut reported = None;
    for (place, first) in accepted.iter().enumerate() {
        let end = first.started + WINDOW;
        if reported.is_some_and(|until| first.started < until)
            || crashes.iter().any(|crash| (first.started..=end).contains(crash))
        {
            continue;
        }
        // All of these were counted after the first one started and before the window was over.
        let within = accepted[place..].iter().take_while(|event| event.started < end).filter(|event| event.ended < end);
        let count = within.count();
        if count > quota.limit {
            reported = Some(end);
            let what = format!(
                "company {}: {count} requests of {} were accepted in a minute, {} are allowed",
                quota.company, quota.operation, quota.limit
            );
            findings.add(Rule::Quota, Some(first.started), what);
        }
    }
}

/// A 429 is allowed only after as many requests as the quota allows.
fn check_refusals(quota: &Quota, events: &[&Event], findings: &mut Findings) {
    for refused in events.iter().filter(|event| event.status() == Some(429)) {
        let since = refused.started.saturating_sub(WINDOW);
        let counted = events
            .iter()
            .filter(|event| event.status() != Some(429) && event.outcome != Outcome::Refused)
            .filter(|event| event.started <= refused.ended && event.latest_effect() >= since)
            .count();
        if counted < quota.limit {
            let what = format!(
                "company {}: a request of {} was refused after {counted} in a minute, {} are allowed",
                quota.company, quota.operation, quota.limit
            );
            findings.add(Rule::Quota, Some(refused.started), what);
        }
    }
}

/// An answered request was counted before, unless counting failed (5xx) or it was rejected first (401, 429).
fn is_certainly_accepted(event: &Event) -> bool {
    event.status().is_some_and(|status| status < 500 && status != 401 && status != 429)
}
