//! In any 60 seconds at most so many requests of a company are accepted, and none is refused that has room (decisions 11).
//! A request is counted at some moment between its beginning and its end, which is all that a client can know.

use std::time::Duration;

use super::{Found, Rule};
use crate::{
    history::{Event, History, Moment, Outcome, Quota},
    schedule::Kind,
};

const WINDOW: Duration = Duration::from_secs(60);

pub(super) fn check(history: &History, found: &mut Found) {
    // A crash of PostgreSQL empties the table that holds the counters, which is not logged.
    let crashes: Vec<Moment> = history
        .faults
        .iter()
        .filter(|fault| fault.kind == Kind::PostgresCrash)
        .flat_map(|fault| [fault.begun, fault.ended])
        .collect();
    for quota in &history.quotas {
        let mut events: Vec<&Event> = history
            .events
            .iter()
            .filter(|event| event.company == quota.company && event.operation == quota.operation)
            .collect();
        events.sort_by_key(|event| event.begun);
        check_excess(quota, &events, &crashes, found);
        check_refusals(quota, &events, found);
    }
}

fn check_excess(quota: &Quota, events: &[&Event], crashes: &[Moment], found: &mut Found) {
    let accepted: Vec<&Event> = events.iter().copied().filter(|event| is_certainly_accepted(event)).collect();
    let mut reported = None;
    for (place, first) in accepted.iter().enumerate() {
        let end = first.begun + WINDOW;
        if reported.is_some_and(|until| first.begun < until)
            || crashes.iter().any(|crash| (first.begun..=end).contains(crash))
        {
            continue;
        }
        // All of these were counted after the first one began and before the window was over.
        let within = accepted[place..].iter().take_while(|event| event.begun < end).filter(|event| event.ended < end);
        let count = within.count();
        if count > quota.limit {
            reported = Some(end);
            let what = format!(
                "company {}: {count} requests of {} were accepted in a minute, {} are allowed",
                quota.company, quota.operation, quota.limit
            );
            found.add(Rule::Quota, Some(first.begun), what);
        }
    }
}

/// A 429 needs as many requests before it as are allowed.
fn check_refusals(quota: &Quota, events: &[&Event], found: &mut Found) {
    for refused in events.iter().filter(|event| event.status() == Some(429)) {
        let since = refused.begun.saturating_sub(WINDOW);
        let counted = events
            .iter()
            .filter(|event| event.status() != Some(429) && event.outcome != Outcome::Refused)
            .filter(|event| event.begun <= refused.ended && event.latest_effect() >= since)
            .count();
        if counted < quota.limit {
            let what = format!(
                "company {}: a request of {} was refused after {counted} in a minute, {} are allowed",
                quota.company, quota.operation, quota.limit
            );
            found.add(Rule::Quota, Some(refused.begun), what);
        }
    }
}

/// What was answered was counted before, except where it could not be (5xx) or came to nothing before (401, 429).
fn is_certainly_accepted(event: &Event) -> bool {
    event.status().is_some_and(|status| status < 500 && status != 401 && status != 429)
}
