//! What the capture records of a manifest amount to.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{ChainEnd, Event, Record, RecordError, SessionId, Shot};
use crate::{digest::Sha256Digest, manifest::SealManifest};

/// The sessions of a manifest, and how many of its files they cover.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CaptureAccount {
    pub sessions: Vec<SessionAccount>,
    /// Items with a file that has a record.
    pub recorded: usize,
    /// Items with a file that has none: another program sent it, or the browser could not sign.
    pub unrecorded: usize,
}

/// An unbroken session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionAccount {
    pub id: SessionId,
    /// The number of its records.
    pub records: u32,
    /// The times of its first and last record, by the device's clock.
    pub first: String,
    pub last: String,
    /// The number of its files among the items.
    pub files: usize,
    /// Discarded by the person, who took another.
    pub retaken: Vec<CapturedFile>,
    /// Deleted by the person before the file had arrived.
    pub deleted: Vec<CapturedFile>,
    /// Announced, but their files never arrived.
    pub missing: Vec<CapturedFile>,
    /// Identifiers of the steps that the person left empty.
    pub skipped: Vec<i64>,
    /// Whether its last record is the closing: nothing followed on this device.
    pub is_ended: bool,
}

/// A capture without a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CapturedFile {
    pub step_id: i64,
    /// When, by the device's clock.
    pub at: String,
    pub sha256: Sha256Digest,
}

/// Why the records of a manifest do not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CaptureError {
    #[error("record {record} of capture session {session}: {error}")]
    Record { session: usize, record: usize, error: RecordError },
    #[error("capture session {0} has no record")]
    Empty(usize),
    #[error("two capture sessions have the same key")]
    SameKey,
    #[error("capture {0} is recorded more than once, or was deleted without being taken")]
    Events(String),
    #[error("{0} has another file or step than its capture record")]
    OtherFile(String),
    #[error("{0} is the file of a capture that was discarded, or of which there is another item")]
    Discarded(String),
}

impl CaptureAccount {
    /// The digests of captures without a file.
    pub fn digests(&self) -> impl Iterator<Item = Sha256Digest> {
        self.sessions.iter().flat_map(|session| {
            [&session.retaken, &session.deleted, &session.missing].into_iter().flatten().map(|capture| capture.sha256)
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Announced,
    Arrived,
    Retaken,
    Deleted,
}

/// The position of a session, and of a record there.
type Place = (usize, u32);

struct Capture {
    shot: Shot,
    at: String,
    place: Place,
    fate: Fate,
}

/// Checks every record of a manifest, and every item that names a capture against its record.
pub fn account(manifest: &SealManifest) -> Result<CaptureAccount, CaptureError> {
    let (mut captures, mut deletions) = (BTreeMap::new(), Vec::new());
    let mut account = CaptureAccount::default();
    for (position, session) in manifest.capture_sessions.iter().enumerate() {
        let session = read_session(manifest.case.id, position, &session.records, &mut captures, &mut deletions)?;
        if account.sessions.iter().any(|other| other.id == session.id) {
            return Err(CaptureError::SameKey);
        }
        account.sessions.push(session);
    }
    for (id, place) in deletions {
        delete(&mut captures, id, place)?;
    }
    for item in &manifest.items {
        let Some(file) = &item.file else { continue };
        let Some(capture) = item.capture_id.as_ref().and_then(|id| captures.get_mut(id)) else {
            account.unrecorded += 1;
            continue;
        };
        let Shot { step_id, sha256, size, .. } = &capture.shot;
        if (*step_id, sha256, *size) != (item.step_id, &file.sha256, file.size) {
            return Err(CaptureError::OtherFile(item.reference.clone()));
        }
        // A device may delete a capture without having seen that its file had arrived.
        if matches!(capture.fate, Fate::Retaken | Fate::Arrived) {
            return Err(CaptureError::Discarded(item.reference.clone()));
        }
        capture.fate = Fate::Arrived;
        account.recorded += 1;
    }
    let mut captures: Vec<Capture> = captures.into_values().collect();
    captures.sort_by_key(|capture| capture.place);
    for Capture { shot, at, place, fate } in captures {
        let session = &mut account.sessions[place.0];
        let without_file = CapturedFile { step_id: shot.step_id, at, sha256: shot.sha256 };
        match fate {
            Fate::Arrived => session.files += 1,
            Fate::Announced => session.missing.push(without_file),
            Fate::Retaken => session.retaken.push(without_file),
            Fate::Deleted => session.deleted.push(without_file),
        }
    }
    Ok(account)
}

fn read_session(
    case: i64,
    position: usize,
    records: &[String],
    captures: &mut BTreeMap<String, Capture>,
    deletions: &mut Vec<(String, Place)>,
) -> Result<SessionAccount, CaptureError> {
    let mut end: Option<ChainEnd> = None;
    let (mut first, mut last) = (None, None);
    let (mut skipped, mut is_ended) = (Vec::new(), false);
    for (number, compact) in records.iter().enumerate() {
        let broken = |error| CaptureError::Record { session: position + 1, record: number + 1, error };
        let record = Record::read(compact).map_err(broken)?;
        end = Some(ChainEnd::extend(end.as_ref(), case, &record).map_err(broken)?);
        first = first.or_else(|| Some(record.at.clone()));
        last = Some(record.at.clone());
        is_ended = record.event == Event::Closing;
        let place = (position, record.sequence);
        match record.event {
            Event::Taken(shot) => note(captures, Capture { shot, at: record.at, place, fate: Fate::Announced })?,
            Event::Retaken(shot) => note(captures, Capture { shot, at: record.at, place, fate: Fate::Retaken })?,
            Event::Deleted { capture_id } => deletions.push((capture_id, place)),
            Event::Skipped { step_id } => skipped.push(step_id),
            Event::Closing => {}
        }
    }
    let (Some(end), Some(first), Some(last)) = (end, first, last) else {
        return Err(CaptureError::Empty(position + 1));
    };
    Ok(SessionAccount {
        id: end.session,
        records: end.next,
        first,
        last,
        files: 0,
        retaken: Vec::new(),
        deleted: Vec::new(),
        missing: Vec::new(),
        skipped,
        is_ended,
    })
}

/// A deletion comes after its capture, or is of another session: a device that had to begin again deletes what it has
/// announced before.
fn delete(captures: &mut BTreeMap<String, Capture>, id: String, place: Place) -> Result<(), CaptureError> {
    let is_earlier = |capture: &Capture| capture.place.0 != place.0 || capture.place.1 < place.1;
    match captures.get_mut(&id) {
        Some(capture) if capture.fate == Fate::Announced && is_earlier(capture) => {
            capture.fate = Fate::Deleted;
            Ok(())
        }
        _ => Err(CaptureError::Events(id)),
    }
}

fn note(captures: &mut BTreeMap<String, Capture>, capture: Capture) -> Result<(), CaptureError> {
    let id = capture.shot.capture_id.clone();
    match captures.insert(id.clone(), capture) {
        None => Ok(()),
        Some(_) => Err(CaptureError::Events(id)),
    }
}
