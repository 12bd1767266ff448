//! The feed of events: what has happened to a company's cases, in an order that never changes, for programs that must
//! miss nothing. Use cases add events in their own transactions ([`store::event::insert`]); [`sequence`] places them.

mod sequence;

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use tokio::time::timeout;

pub use self::sequence::place_waiting;
use super::{
    App,
    audit::{self, Event},
    case::certificate_url,
    event_waiters::Place,
    session::{self, Caller},
};
use crate::{
    clock::Timestamp,
    domain::{
        case::CaseReference,
        event::{EventCursor, EventKind, EventQuery},
        id::{CaseId, CompanyId},
        metadata::Metadata,
        operation::Operation,
        right::Right,
    },
    error::{Error, Result},
    store::{
        self,
        event::{EventHead, StoredEvent},
    },
};

/// How long events are kept.
const KEPT: Duration = Duration::from_hours(30 * 24);
/// How many events are deleted in one transaction: on SQLite other writers wait for it.
const BATCH: u32 = 1000;

/// A part of the feed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Events")]
pub struct EventPage {
    /// In the order of the feed. Empty if nothing has happened.
    pub events: Vec<EventView>,
    /// Continue with this as `after`.
    pub cursor: EventCursor,
}

/// What happened to a case.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Event")]
pub struct EventView {
    /// Identifies the event, and is its place in the feed: with it as `after`, the feed continues behind the event.
    pub cursor: EventCursor,
    pub kind: EventKind,
    /// When it happened. Events of different cases may be in another order.
    pub time: Timestamp,
    pub case_id: CaseId,
    /// The case's public reference.
    pub cf_ref: String,
    /// Where the verdict or the decision is read, with the same token. Only of `analysed` and `decided`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub path: Option<String>,
    /// Public URL of the certificate. Only of `sealed`, and absent if the case was deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub case_url: Option<String>,
    /// That of the case now, exactly as provided. Absent if there is none, or if the case was deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Metadata")]
    pub metadata: Option<Map<String, Value>>,
}

/// The next events of the caller's company. If there are none, waits for them as long as the caller wants.
///
/// # Errors
/// [`Error::Gone`] if events after the cursor are no longer kept, and if the feed has never been as far as the cursor. If
/// the caller has lost the right while it waited, the answer is that of the guard.
pub async fn read(app: &App, caller: &Caller, query: EventQuery) -> Result<EventPage> {
    let company = caller.company_id();
    let mut page = next_page(app, company, query).await?;
    if page.events.is_empty() && !query.wait.is_zero() {
        page = wait_for_page(app, company, query).await?;
        session::check_again(app, caller, Right::CaseRead).await?;
    }
    if !page.events.is_empty() {
        let event = Event::of(Operation::ReadEvents, company, None);
        let event = event.with_detail(format!("events: {}", page.events.len()));
        audit::record_alone(app, &caller.actor, event).await?;
    }
    Ok(page)
}

/// The next events, for which this waits if there are none. Empty if the time is over, if too many requests wait, and if
/// the server stops.
async fn wait_for_page(app: &App, company: CompanyId, query: EventQuery) -> Result<EventPage> {
    let Some(place) = app.event_waiters.enter(company) else { return next_page(app, company, query).await };
    let found = tokio::select! {
        found = timeout(query.wait, page_with_events(app, &place, query)) => found.ok(),
        () = app.event_waiters.released() => None,
    };
    match found {
        Some(found) => found,
        None => next_page(app, company, query).await,
    }
}

async fn page_with_events(app: &App, place: &Place<'_>, query: EventQuery) -> Result<EventPage> {
    loop {
        // Before the database is read: an event that is placed in between must not be missed.
        let woken = place.wake.notified();
        let page = next_page(app, place.company, query).await?;
        if !page.events.is_empty() {
            return Ok(page);
        }
        tokio::select! {
            () = woken => {}
            () = app.event_waiters.look_out(&app.db) => {}
        }
    }
}

async fn next_page(app: &App, company: CompanyId, query: EventQuery) -> Result<EventPage> {
    let mut reader = app.db.read().await?;
    let after = query.after.map_or(0, EventCursor::position);
    let stored = store::event::after(&mut reader, company, after, query.limit.into()).await?;
    // Read last: if events after the cursor are deleted meanwhile, the check below reports it.
    let head = store::event::head(&mut reader, company).await?;
    drop(reader);
    if query.after.is_some() {
        check_cursor(after, head)?;
    }
    let cursor = stored.last().map_or_else(|| after.max(head.expired), |last| last.position);
    let events = stored.into_iter().map(|event| view(app, company, event)).collect();
    Ok(EventPage { events, cursor: EventCursor::behind(cursor) })
}

fn check_cursor(after: i64, head: EventHead) -> Result<()> {
    let problem = if after < head.expired {
        "after is too old: the events that follow it are no longer kept"
    } else if after > head.position {
        "after is not a cursor of this feed: the feed has never been as far"
    } else {
        return Ok(());
    };
    Err(Error::Gone(format!(
        "{problem}; read again without after, and search the cases of the time before with GET /cases"
    )))
}

fn view(app: &App, company: CompanyId, event: StoredEvent) -> EventView {
    let StoredEvent { position, case, kind, happened_at, metadata, share_token } = event;
    let share_token = share_token.filter(|_| kind == EventKind::Sealed);
    EventView {
        cursor: EventCursor::behind(position),
        kind,
        time: happened_at,
        case_id: case,
        cf_ref: CaseReference { case, company }.to_string(),
        path: path(kind, case),
        case_url: share_token.map(|token| certificate_url(app, &token)),
        metadata,
    }
}

/// Where the outcome of an event is read.
fn path(kind: EventKind, case: CaseId) -> Option<String> {
    let operation = match kind {
        EventKind::Analysed => Operation::ReadAnalysis,
        EventKind::Decided => Operation::ReadDecision,
        EventKind::Created
        | EventKind::Closed
        | EventKind::Sealed
        | EventKind::SealFailed
        | EventKind::Erased
        | EventKind::Deleted => {
            return None;
        }
    };
    Some(operation.properties().path.replace(":caseId", &case.to_string()))
}

/// Deletes events that are older than 30 days, and returns how many.
pub async fn forget_old(app: &App) -> Result<u64> {
    let since = app.clock.now().before(KEPT);
    let mut reader = app.db.read().await?;
    let companies = store::event::companies_with_older(&mut reader, since).await?;
    drop(reader);
    let mut forgotten = 0;
    for company in companies {
        forgotten += forget_old_of(app, company, since).await?;
    }
    Ok(forgotten)
}

/// Only the beginning of a feed is deleted, so that a cursor says what is missing: an old event that was placed behind a
/// newer one is kept with it.
async fn forget_old_of(app: &App, company: CompanyId, since: Timestamp) -> Result<u64> {
    let mut reader = app.db.read().await?;
    let head = store::event::head(&mut reader, company).await?;
    let first_kept = store::event::first_since(&mut reader, company, since).await?;
    drop(reader);
    // An event that gets its position in the meantime comes after the head.
    let last = first_kept.map_or(head.position, |first| first - 1);
    let (mut expired, mut forgotten) = (head.expired, 0);
    while expired < last {
        expired = last.min(expired + i64::from(BATCH));
        let mut tx = app.db.begin_maintenance().await?;
        let deleted = store::event::expire(&mut tx, company, expired).await;
        forgotten += tx.settle(deleted).await?;
    }
    Ok(forgotten)
}

#[cfg(test)]
mod tests;
