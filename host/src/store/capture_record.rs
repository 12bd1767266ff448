//! Capture records: the chains that the devices of those who capture have signed.

use std::collections::HashMap;

use sealwright_seal::{
    Sha256Digest,
    capture::{ChainEnd, Event, Record, SessionId},
};

use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        capture::CaptureId,
        id::{CaseId, StepId},
    },
};

/// A capture whose file was announced and has not arrived.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Announced {
    #[sqlx(rename = "capture_id")]
    pub capture: CaptureId,
    #[sqlx(rename = "step_id")]
    pub step: StepId,
    /// By the device's clock.
    pub occurred_at: String,
}

/// What is recorded of a capture.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct RecordedCapture {
    /// Whether its file is accepted: false for one that was discarded, or deleted later by its own session. Another
    /// session can delete what a device does not announce any more, but can not make the server refuse a file.
    pub is_accepted: bool,
    /// Whether its file is awaited: false for one that was discarded or deleted.
    pub is_awaited: bool,
    #[sqlx(rename = "step_id")]
    pub step: StepId,
    #[sqlx(rename = "file_sha256")]
    pub sha256: Sha256Digest,
    #[sqlx(rename = "file_size")]
    pub size: i64,
}

/// Stores a record. The caller has locked the case's row, and checked that the record is the next one of its session.
pub async fn insert(tx: &mut Tx, case: CaseId, record: &Record, compact: &str, now: Timestamp) -> sqlx::Result<()> {
    let (event, capture, step, shot) = match &record.event {
        Event::Taken(shot) => ("taken", Some(&shot.capture_id), Some(shot.step_id), Some(shot)),
        Event::Retaken(shot) => ("retaken", Some(&shot.capture_id), Some(shot.step_id), Some(shot)),
        Event::Deleted { capture_id } => ("deleted", Some(capture_id), None, None),
        Event::Skipped { step_id } => ("skipped", None, Some(*step_id), None),
        Event::Closing => ("closing", None, None, None),
    };
    tx.query(
        "insert into capture_records (case_id, session, sequence, event, capture_id, step_id, file_sha256, file_size,
                                      occurred_at, record, record_sha256, received_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    )
    .bind(case)
    .bind(record.session.to_string())
    .bind(i64::from(record.sequence))
    .bind(event)
    .bind(capture)
    .bind(step)
    .bind(shot.map(|shot| shot.sha256))
    .bind(shot.and_then(|shot| i64::try_from(shot.size).ok()))
    .bind(&record.at)
    .bind(compact)
    .bind(record.digest)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// The end of a session's chain; none if nothing of it is stored.
pub async fn end(reader: &mut Reader, case: CaseId, session: &SessionId) -> sqlx::Result<Option<ChainEnd>> {
    let last: Option<(i64, Sha256Digest)> = reader
        .query(
            "select sequence, record_sha256 from capture_records where case_id = $1 and session = $2
             order by sequence desc limit 1",
        )
        .bind(case)
        .bind(session.to_string())
        .optional()
        .await?;
    let Some((sequence, digest)) = last else { return Ok(None) };
    let next = u32::try_from(sequence + 1).map_err(|error| sqlx::Error::Decode(error.into()))?;
    Ok(Some(ChainEnd { session: session.clone(), next, digest }))
}

/// The digest of a stored record.
pub async fn digest(reader: &mut Reader, case: CaseId, record: &Record) -> sqlx::Result<Option<Sha256Digest>> {
    let found: Option<(Sha256Digest,)> = reader
        .query("select record_sha256 from capture_records where case_id = $1 and session = $2 and sequence = $3")
        .bind(case)
        .bind(record.session.to_string())
        .bind(i64::from(record.sequence))
        .optional()
        .await?;
    Ok(found.map(|(digest,)| digest))
}

/// What is recorded of a capture of the case.
pub async fn of_capture(reader: &mut Reader, case: CaseId, id: &CaptureId) -> sqlx::Result<Option<RecordedCapture>> {
    reader
        .query(
            "select r.step_id, r.file_sha256, r.file_size,
                    r.event = 'taken' and not exists (
                      select 1 from capture_records d
                      where d.case_id = r.case_id and d.capture_id = r.capture_id and d.event = 'deleted'
                        and d.session = r.session
                    ) as is_accepted,
                    r.event = 'taken' and not exists (
                      select 1 from capture_records d
                      where d.case_id = r.case_id and d.capture_id = r.capture_id and d.event = 'deleted'
                    ) as is_awaited
             from capture_records r
             where r.case_id = $1 and r.capture_id = $2 and r.event in ('taken', 'retaken')",
        )
        .bind(case)
        .bind(id)
        .optional()
        .await
}

/// The captures of a case that were announced and have not arrived, in the order in which they were announced.
pub async fn announced(reader: &mut Reader, case: CaseId) -> sqlx::Result<Vec<Announced>> {
    reader
        .query(
            "select r.capture_id, r.step_id, r.occurred_at from capture_records r
             where r.case_id = $1 and r.event = 'taken'
               and not exists (select 1 from items i where i.case_id = r.case_id and i.capture_id = r.capture_id)
               and not exists (
                 select 1 from capture_records d
                 where d.case_id = r.case_id and d.capture_id = r.capture_id and d.event = 'deleted'
               )
             order by r.received_at, r.session, r.sequence",
        )
        .bind(case)
        .all()
        .await
}

/// The number of records of each session of a case, in the order in which they began.
pub async fn sessions(reader: &mut Reader, case: CaseId) -> sqlx::Result<Vec<(String, i64)>> {
    reader
        .query(
            "select session, count(*) from capture_records where case_id = $1
             group by session order by min(received_at), session",
        )
        .bind(case)
        .all()
        .await
}

/// All records of a case as compact JWSs: for each session, in the order in which they began, its chain.
pub async fn of_case(reader: &mut Reader, case: CaseId) -> sqlx::Result<Vec<Vec<String>>> {
    let order = sessions(reader, case).await?;
    let rows: Vec<(String, String)> = reader
        .query("select session, record from capture_records where case_id = $1 order by session, sequence")
        .bind(case)
        .all()
        .await?;
    let mut chains: HashMap<String, Vec<String>> = HashMap::new();
    for (session, record) in rows {
        chains.entry(session).or_default().push(record);
    }
    Ok(order.iter().filter_map(|(session, _)| chains.remove(session)).collect())
}

/// How many records a case has.
pub async fn count(reader: &mut Reader, case: CaseId) -> sqlx::Result<i64> {
    let (count,) = reader.query("select count(*) from capture_records where case_id = $1").bind(case).one().await?;
    Ok(count)
}
