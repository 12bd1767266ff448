//! Uploads by pieces (decisions 16): a file that is sent in several requests, and becomes an item by the same rules as
//! one that is sent at once (decisions 8).
//!
//! Each request's bytes are a blob of their own, a piece. Appending compares the offset in the row, so of several
//! requests at one offset, on any node, one succeeds. When the last byte is there, the pieces are read in order as if
//! they had just arrived ([`finish`]), and their blobs are deleted by a job.

mod append;
mod finish;

use std::{sync::Arc, time::Duration};

use schemars::JsonSchema;
use serde::Serialize;

pub use self::append::{BrokenBody, NewPiece, append};
use self::finish::{accepts, end};
use super::{
    App,
    capture::receipt::Receipt,
    case::already_closed,
    item::{Depositor, check_position, file_url, find_case_and_step, unknown_case},
};
use crate::{
    clock::Timestamp,
    db::Tx,
    domain::{
        access_key::UploadKey,
        id::{CaseId, ItemId, StepId},
        operation::Operation,
        resource::Kind,
        upload::{NewUpload, in_its_words},
    },
    error::{Error, Result},
    media::Accepts,
    store::{
        self,
        item::Item,
        job::{JobKind, Work},
        upload::Upload,
    },
};

/// How long an upload stays without another piece.
const LIFETIME: Duration = Duration::from_hours(24);
/// How many uploads to a case may be unfinished. They take space, and a case takes at most 1,000 items.
const MOST_UNFINISHED: i64 = 100;

/// How far an upload is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    pub key: UploadKey,
    /// Bytes.
    pub length: u64,
    /// Bytes, from the start of the file.
    pub received: u64,
    /// None for a finished upload, which stays as long as its case.
    pub expires_at: Option<Timestamp>,
}

/// What `GET` returns of an upload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadView {
    /// How many bytes have arrived.
    pub offset: u64,
    /// How many bytes the file has.
    pub length: u64,
    /// The client's own identifier, if it gave one.
    pub capture_id: Option<String>,
    /// What the upload has become; null until it is complete.
    pub item: Option<UploadedItem>,
    /// A compact JWS whose payload is a receipt over the file. Null until the upload is complete, and without a
    /// `captureId`.
    pub receipt: Option<String>,
}

/// The item of a finished upload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadedItem {
    pub item_id: ItemId,
    /// The public reference, `ITM-<id>_CAS-<case id>`.
    pub cf_ref: String,
    pub case_id: CaseId,
    pub step_id: StepId,
    /// Where the file is served to anyone who knows the address.
    pub file_url: String,
}

/// The largest file of any step, in bytes.
pub fn largest() -> u64 {
    [Accepts::PICTURE, Accepts::VIDEO, Accepts::DOCUMENT].into_iter().map(Accepts::largest).max().unwrap_or(0)
}

/// The address of an upload.
pub fn url(app: &App, key: &UploadKey) -> String {
    app.public_url(&format!("/v2/uploads/{key}"))
}

/// Announces a file of `length` bytes. Repeated for the same capture with the same file, it returns the upload that is
/// there already.
///
/// # Errors
/// Those of an item with a file (decisions 8), as far as they are known before the file; [`Error::Conflict`] if the
/// capture has another file.
pub async fn create(app: &Arc<App>, depositor: &Depositor, length: u64, new: NewUpload) -> Result<Progress> {
    let mut reader = app.db.read().await?;
    let (case, step) = find_case_and_step(&mut reader, depositor, new.case, &new.item).await?;
    drop(reader);
    depositor.ensure_may_add(step.action)?;
    let accepts = accepts(step.action).ok_or_else(|| {
        let wanted = "PHOTOGRAPHY, SIGNATURE, VIDEO or DOCUMENT_UPLOAD";
        Error::forbidden(format!("step {} is of type {}, not {wanted}", step.id, step.action))
    })?;
    check_position(step.action, &new.item).map_err(|error| match error {
        Error::Invalid(message) => Error::Invalid(in_its_words(&message)),
        other => other,
    })?;
    let largest = accepts.largest();
    let length = i64::try_from(length).ok().filter(|length| (1..=largest).contains(&length.unsigned_abs()));
    let length = length.ok_or_else(|| {
        Error::invalid(format!("Upload-Length must be from 1 to {largest} for a {} step", step.action))
    })?;
    let now = app.clock.now();
    let key = UploadKey::random();
    let row = store::upload::NewUpload {
        key: &key,
        case: case.id,
        step: step.id,
        action: step.action,
        capture: new.capture.as_ref(),
        description: &new.description,
        length,
        sha256: new.sha256,
        created_at: now,
        expires_at: now.after(LIFETIME),
    };
    let mut tx = app.db.begin().await?;
    let created = insert(&mut tx, depositor, &row, case.is_closed()).await;
    let progress = tx.settle(created).await?;
    app.wake.job(JobKind::DeleteBlobs).notify_one();
    Ok(progress)
}

/// The case's row is locked first: of several creations of the same capture one inserts, and the others find it.
async fn insert(
    tx: &mut Tx,
    depositor: &Depositor,
    row: &store::upload::NewUpload<'_>,
    is_closed: bool,
) -> Result<Progress> {
    if !store::case::lock(tx, depositor.company_id(), row.case).await? {
        return Err(unknown_case(row.case));
    }
    if let Some(found) = earlier(tx, row).await? {
        return progress(&found);
    }
    if is_closed {
        return Err(already_closed());
    }
    if store::upload::count_unfinished(tx, row.case, row.created_at).await? >= MOST_UNFINISHED {
        return Err(Error::state(format!("a case has at most {MOST_UNFINISHED} unfinished uploads")));
    }
    store::upload::insert(tx, depositor.company_id(), row).await?;
    let length = u64::try_from(row.length).map_err(Error::internal)?;
    Ok(Progress { key: row.key.clone(), length, received: 0, expires_at: Some(row.expires_at) })
}

/// The upload that an earlier request has created for the same capture.
async fn earlier(tx: &mut Tx, row: &store::upload::NewUpload<'_>) -> Result<Option<Upload>> {
    let Some(capture) = row.capture else { return Ok(None) };
    if let Some(found) = store::upload::of_capture(tx, row.case, capture).await? {
        if store::upload::end_expired(tx, found.id, row.created_at).await? {
            store::job::enqueue(tx, Work::DeleteBlobs(found.case), row.created_at).await?;
            return Ok(None);
        }
        let is_same = (found.step, found.length, found.sha256) == (row.step, row.length, row.sha256);
        let other = || Error::Conflict("captureId names another file of this case".to_owned());
        return if is_same { Ok(Some(found)) } else { Err(other()) };
    }
    match store::item::find_by_capture(tx, row.case, capture).await? {
        Some(item) => Err(Error::Conflict(format!("captureId names item {} of this case", item.id))),
        None => Ok(None),
    }
}

/// How far an upload is. If all bytes have arrived and the item is missing, because the server ended between the two,
/// the item is made now.
///
/// # Errors
/// [`Error::NotFound`] for an unknown or foreign key, [`Error::Gone`] for an expired upload, and those of
/// [`append`] if the file is refused now.
pub async fn look(app: &Arc<App>, depositor: &Depositor, key: &str) -> Result<Progress> {
    let upload = find(app, depositor, key).await?;
    progress(&finish::ensure(app, depositor, upload).await?)
}

/// The upload with its item. Errors are those of [`look`].
pub async fn view(app: &Arc<App>, depositor: &Depositor, key: &str) -> Result<UploadView> {
    let upload = find(app, depositor, key).await?;
    let upload = finish::ensure(app, depositor, upload).await?;
    let mut reader = app.db.read().await?;
    let stored = match upload.item {
        Some(id) => store::item::find(&mut reader, id).await?,
        None => None,
    };
    let item = stored.as_ref().and_then(|item| uploaded_item(app, item));
    let receipt = stored.as_ref().and_then(Receipt::of_file).map(|receipt| receipt.sign(app));
    let Progress { length, received, .. } = progress(&upload)?;
    let capture_id = upload.capture.as_ref().map(ToString::to_string);
    Ok(UploadView { offset: received, length, capture_id, item, receipt: receipt.transpose()? })
}

fn uploaded_item(app: &App, item: &Item) -> Option<UploadedItem> {
    let file = item.content.file.as_ref()?;
    Some(UploadedItem {
        item_id: item.id,
        cf_ref: item.reference().to_string(),
        case_id: item.case,
        step_id: item.content.step,
        file_url: file_url(app, item.content.action, &file.media_key),
    })
}

/// Ends an upload before it is complete: its pieces are deleted. A finished one is an item, and stays.
pub async fn terminate(app: &Arc<App>, depositor: &Depositor, key: &str) -> Result<()> {
    let upload = find_any(app, depositor, key).await?;
    if !end(app, &upload).await? {
        return Err(Error::state("the upload is finished: its item stays in the case"));
    }
    Ok(())
}

/// Ends the expired uploads of all companies. Returns how many they were.
pub async fn end_expired(app: &App) -> Result<usize> {
    let mut ended = 0;
    loop {
        let now = app.clock.now();
        let mut reader = app.db.read().await?;
        let expired = store::upload::expired(&mut reader, now).await?;
        drop(reader);
        if expired.is_empty() {
            return Ok(ended);
        }
        for (upload, case) in expired {
            let mut tx = app.db.begin().await?;
            if store::upload::end_expired(&mut tx, upload, now).await? {
                store::job::enqueue(&mut tx, Work::DeleteBlobs(case), now).await?;
                ended += 1;
            }
            tx.commit().await?;
        }
        app.wake.job(JobKind::DeleteBlobs).notify_one();
    }
}

/// An upload of the caller's company that has not expired.
async fn find(app: &App, depositor: &Depositor, key: &str) -> Result<Upload> {
    let upload = find_any(app, depositor, key).await?;
    if upload.item.is_none() && upload.expires_at <= app.clock.now() {
        return Err(Error::Gone("the upload has expired".to_owned()));
    }
    Ok(upload)
}

/// An upload of the caller's company, expired or not.
async fn find_any(app: &App, depositor: &Depositor, key: &str) -> Result<Upload> {
    let unknown = || Error::from(Operation::ReadUpload.missing(Kind::Upload, "no such upload"));
    let key = UploadKey::parse(key).ok_or_else(unknown)?;
    let mut reader = app.db.read().await?;
    let upload = store::upload::find(&mut reader, depositor.company_id(), &key).await?.ok_or_else(unknown)?;
    let case = store::case::find(&mut reader, upload.case).await?.ok_or_else(unknown)?;
    drop(reader);
    depositor.check_case(&case)?;
    depositor.ensure_may_add(upload.action)?;
    Ok(upload)
}

fn progress(upload: &Upload) -> Result<Progress> {
    Ok(Progress {
        key: upload.key.clone(),
        length: u64::try_from(upload.length).map_err(Error::internal)?,
        received: u64::try_from(upload.received).map_err(Error::internal)?,
        expires_at: upload.item.is_none().then_some(upload.expires_at),
    })
}
