//! Capture records: a device announces what it has captured, in a chain that it signs, before the files follow.

use schemars::JsonSchema;
use sealwright_seal::capture::{ChainEnd, Event, Record, Shot};
use serde::Serialize;

use super::find_case;
use crate::{
    app::{
        App,
        audit::{self, Event as AuditEvent},
        case::already_closed,
        session::CaptureHolder,
    },
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        capture::{Announcement, CaptureId},
        id::{CaseId, CompanyId, StepId},
        operation::Operation,
    },
    error::{Error, Result},
    store::{self, capture_record::Announced, item::Item},
};

/// The most records of a case, of all its sessions.
const MOST_RECORDS: i64 = 2_000;

/// How many records of a session the server has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    /// The thumbprint of the session's key (RFC 7638, SHA-256, base64url).
    pub session: String,
    /// The sequence number of the next record.
    pub next: u32,
}

/// A capture whose file has not arrived.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnnouncedView {
    pub capture_id: CaptureId,
    pub step_id: StepId,
    /// When it was captured, by the device's clock.
    pub at: String,
}

/// Stores records of one session, in their order. Those that are stored already are accepted again.
pub async fn announce(
    app: &App,
    holder: &CaptureHolder,
    id: CaseId,
    announcement: Announcement,
) -> Result<SessionView> {
    holder.check_date(app.clock.now())?;
    let mut reader = app.db.read().await?;
    let case = find_case(&mut reader, Operation::AnnounceCaptures, holder, id).await?;
    drop(reader);
    if case.is_closed() {
        return Err(already_closed());
    }
    let records = app.run_heavy(move || read(announcement)).await??;
    let mut tx = app.db.begin().await?;
    let stored = async {
        let now = app.clock.now();
        let stored = store_all(&mut tx, case.company, id, &records, now).await?;
        let event = AuditEvent::of(Operation::AnnounceCaptures, case.company, Some(format!("case {id}")));
        let event = event.with_detail(format!("{} records", records.len()));
        audit::record(&mut tx, now, holder.actor(), event).await?;
        Ok(stored)
    };
    let stored = stored.await;
    tx.settle(stored).await
}

/// A verified record and its compact form.
type Signed = (Record, String);

fn read(announcement: Announcement) -> Result<Vec<Signed>> {
    let mut records: Vec<Signed> = Vec::new();
    for (position, compact) in announcement.records.into_iter().enumerate() {
        let invalid = |reason: String| Error::invalid(format!("records[{position}]: {reason}"));
        let record = Record::read(&compact).map_err(|error| invalid(error.to_string()))?;
        if records.first().is_some_and(|(first, _)| first.session != record.session) {
            return Err(invalid("it is signed by a different key from records[0]".to_owned()));
        }
        if let Event::Taken(Shot { capture_id, .. }) | Event::Retaken(Shot { capture_id, .. }) = &record.event
            && CaptureId::parse(capture_id).is_none_or(|id| id.to_string() != *capture_id)
        {
            return Err(invalid("captureId must be a UUID v4 in lowercase".to_owned()));
        }
        records.push((record, compact));
    }
    Ok(records)
}

/// The case's row is locked first, so that a closing comes before the records or after them.
async fn store_all(
    tx: &mut Tx,
    company: CompanyId,
    id: CaseId,
    records: &[Signed],
    now: Timestamp,
) -> Result<SessionView> {
    let is_there = store::case::lock(tx, company, id).await?;
    let is_open = is_there && store::case::find(tx, id).await?.is_some_and(|case| !case.is_closed());
    if !is_open {
        return Err(already_closed());
    }
    let Some((first, _)) = records.first() else { return Err(Error::invalid("records must not be empty")) };
    let mut end = store::capture_record::end(tx, id, &first.session).await?;
    let mut room = MOST_RECORDS - store::capture_record::count(tx, id).await?;
    for (position, (record, compact)) in records.iter().enumerate() {
        if end.as_ref().is_some_and(|end| record.sequence < end.next) {
            check_repeat(tx, id, record, position).await?;
            continue;
        }
        end = Some(follow(end.as_ref(), id, record, position)?);
        check_event(tx, id, record, position).await?;
        if room == 0 {
            return Err(Error::state(format!(
                "the case already has {MOST_RECORDS} capture records, which is the maximum"
            )));
        }
        room -= 1;
        store::capture_record::insert(tx, id, record, compact, now).await?;
    }
    Ok(SessionView { session: first.session.to_string(), next: end.map_or(0, |end| end.next) })
}

/// A record whose sequence number is taken must be the one that is stored.
async fn check_repeat(reader: &mut Reader, case: CaseId, record: &Record, position: usize) -> Result<()> {
    if store::capture_record::digest(reader, case, record).await? == Some(record.digest) {
        return Ok(());
    }
    Err(Error::Conflict(format!("records[{position}]: another record {} of the session is stored", record.sequence)))
}

fn follow(end: Option<&ChainEnd>, case: CaseId, record: &Record, position: usize) -> Result<ChainEnd> {
    use sealwright_seal::capture::RecordError::{Gap, Previous};
    ChainEnd::extend(end, case.get(), record).map_err(|error| {
        let message = format!("records[{position}]: {error}");
        match error {
            Gap { .. } | Previous => Error::Conflict(message),
            _ => Error::invalid(message),
        }
    })
}

/// Rejects an event that contradicts what is stored. A `deleted` record is accepted although its file has arrived: the
/// device may not have seen the answer.
async fn check_event(reader: &mut Reader, case: CaseId, record: &Record, position: usize) -> Result<()> {
    let refused = |reason: &str| Err(Error::state(format!("records[{position}]: {reason}")));
    match &record.event {
        Event::Taken(shot) | Event::Retaken(shot) => {
            let Some(id) = CaptureId::parse(&shot.capture_id) else { return refused("captureId is not a UUID v4") };
            if store::capture_record::of_capture(reader, case, &id).await?.is_some() {
                return refused("the capture is already recorded");
            }
            let item = store::item::find_by_capture(reader, case, &id).await?;
            match item {
                Some(item) if matches!(record.event, Event::Retaken(_)) || !is_of(&item, shot) => {
                    refused("captureId was used for another capture of the case")
                }
                _ => Ok(()),
            }
        }
        Event::Deleted { capture_id } => {
            let known = match CaptureId::parse(capture_id) {
                Some(id) => store::capture_record::of_capture(reader, case, &id).await?,
                None => None,
            };
            match known {
                Some(known) if known.is_awaited => Ok(()),
                _ => refused("the capture was not recorded as taken, or is already deleted"),
            }
        }
        Event::Skipped { .. } | Event::Closing => Ok(()),
    }
}

fn is_of(item: &Item, shot: &Shot) -> bool {
    let file = item.content.file.as_ref();
    item.content.step.get() == shot.step_id
        && file.is_some_and(|file| file.sha256 == shot.sha256 && u64::try_from(file.size) == Ok(shot.size))
}

/// Rejects the file of a capture if its record says something else. The caller has locked the case's row.
pub(in crate::app) async fn check_file(reader: &mut Reader, case: CaseId, row: &store::item::NewItem) -> Result<()> {
    let (Some(capture), Some(file)) = (&row.capture, &row.file) else { return Ok(()) };
    let Some(recorded) = store::capture_record::of_capture(reader, case, capture).await? else { return Ok(()) };
    let refused = |reason: &str| Err(Error::state(format!("capture {capture}: {reason}")));
    if !recorded.is_accepted {
        return refused("its record says that it was discarded or deleted");
    }
    if (recorded.step, recorded.sha256, recorded.size) != (row.step, file.sha256, file.size) {
        return refused("the step, size or SHA-256 of the file differs from its record");
    }
    Ok(())
}

/// Rejects the closing of a case while announced captures are missing. The caller has locked the case's row.
pub(in crate::app) async fn check_arrived(reader: &mut Reader, case: CaseId) -> Result<()> {
    let announced = store::capture_record::announced(reader, case).await?;
    if announced.is_empty() {
        return Ok(());
    }
    let list: Vec<String> =
        announced.iter().map(|Announced { capture, step, .. }| format!("{capture} (step {step})")).collect();
    let have = if list.len() == 1 { "announced capture has" } else { "announced captures have" };
    Err(Error::state(format!("{} {have} not arrived: {}", list.len(), list.join(", "))))
}

pub(super) async fn sessions(reader: &mut Reader, case: CaseId) -> Result<Vec<SessionView>> {
    let sessions = store::capture_record::sessions(reader, case).await?;
    let view = |(session, count): (String, i64)| Ok(SessionView { session, next: u32::try_from(count)? });
    sessions.into_iter().map(view).collect::<Result<_, std::num::TryFromIntError>>().map_err(Error::internal)
}

pub(super) async fn announced(reader: &mut Reader, case: CaseId) -> Result<Vec<AnnouncedView>> {
    let announced = store::capture_record::announced(reader, case).await?;
    let view = |Announced { capture, step, occurred_at }| AnnouncedView {
        capture_id: capture,
        step_id: step,
        at: occurred_at,
    };
    Ok(announced.into_iter().map(view).collect())
}
