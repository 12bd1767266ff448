//! The end of an upload: it becomes an item by the rules of a file that is sent at once, or is given up.

use std::sync::Arc;

use futures_util::TryStreamExt as _;
use tracing::Instrument as _;

use crate::{
    app::{
        App,
        item::{Depositor, FileEndpoint, FileItem, find_case_and_step, unknown_case},
    },
    clock::Timestamp,
    db::Tx,
    domain::{item::NewItem, operation::Operation, step::StepAction},
    error::{Error, Result},
    media::{self, Accepts, StoredFile},
    request_id,
    store::{
        self,
        case::Case,
        job::{JobKind, Work},
        upload::Upload,
    },
};

/// The upload, with its item if all bytes have arrived. Runs as a separate task, as the end of an upload.
pub(super) async fn ensure(app: &Arc<App>, depositor: &Depositor, upload: Upload) -> Result<Upload> {
    if !is_due(&upload) {
        return Ok(upload);
    }
    let (app, depositor) = (Arc::clone(app), depositor.clone());
    let work = async move { make(&app, &depositor, upload).await };
    let task = tokio::spawn(request_id::scope(request_id::current(), work).in_current_span());
    task.await.map_err(Error::internal)?
}

fn is_due(upload: &Upload) -> bool {
    upload.item.is_none() && upload.received == upload.length
}

/// The upload, with its item if all bytes have arrived. If the file is refused, the upload is gone.
pub(super) async fn make(app: &App, depositor: &Depositor, upload: Upload) -> Result<Upload> {
    if !is_due(&upload) {
        return Ok(upload);
    }
    let made = make_item(app, depositor, &upload).await;
    // Another request may have finished or ended it meanwhile, also if this one has found its pieces deleted.
    let mut reader = app.db.read().await?;
    let now = store::upload::find(&mut reader, upload.company, &upload.key).await?;
    drop(reader);
    let Some(now) = now else { return Err(made.err().unwrap_or_else(|| Error::not_found("no such upload"))) };
    if now.item.is_some() {
        return Ok(now);
    }
    let refusal = match made {
        Ok(()) => return Err(Error::internal(anyhow::anyhow!("a finished upload has no item"))),
        Err(Error::Invalid(message)) => Error::Invalid(message),
        Err(Error::State(message) | Error::Forbidden(message) | Error::NotFound(message)) => Error::State(message),
        // Tried again by the next request.
        Err(failure) => return Err(failure),
    };
    end(app, &upload).await?;
    Err(refusal)
}

async fn make_item(app: &App, depositor: &Depositor, upload: &Upload) -> Result<()> {
    let file = join(app, upload).await?;
    match insert(app, depositor, upload, &file).await {
        Ok(tx) => {
            // Before the commit: its result may get lost, and an item without a file is worse than an orphaned file.
            file.keep();
            tx.commit().await?;
            for kind in [JobKind::StampItem, JobKind::AnalyseItem, JobKind::DeleteBlobs] {
                app.wake.job(kind).notify_one();
            }
            Ok(())
        }
        Err(refusal) => {
            file.discard().await;
            Err(refusal)
        }
    }
}

/// Reads the pieces in order, as if they had just arrived.
async fn join(app: &App, upload: &Upload) -> Result<StoredFile> {
    let accepts = accepts(upload.action).ok_or_else(|| Error::internal(anyhow::anyhow!("the step takes no file")))?;
    let mut reader = app.db.read().await?;
    let pieces = store::upload::pieces(&mut reader, upload.id).await?;
    drop(reader);
    let mut file = media::Upload::new(&app.blobs, accepts);
    let mut end = 0;
    for piece in pieces {
        let stored = app.blobs.stream(&piece.blob_key, None).await?;
        let missing = || anyhow::anyhow!("the piece of an upload at {} is not in the blob store", piece.start);
        let mut bytes = stored.filter(|_| piece.start == end).ok_or_else(missing)?.bytes;
        while let Some(chunk) = bytes.try_next().await? {
            file = file.push(chunk).await?;
        }
        end += piece.size;
    }
    let file = file.finish().await?;
    let refusal = if i64::try_from(file.size) == Ok(upload.length) {
        let wrong = upload.sha256.filter(|declared| *declared != file.sha256);
        wrong.map(|declared| Error::invalid(format!("the file has the SHA-256 {}, not {declared}", file.sha256)))
    } else {
        let message = format!("the pieces of an upload have {} bytes, not {}", file.size, upload.length);
        Some(Error::internal(anyhow::Error::msg(message)))
    };
    match refusal {
        Some(refusal) => {
            file.discard().await;
            Err(refusal)
        }
        None => Ok(file),
    }
}

/// Inserts the item and marks the upload as finished. The caller keeps the file and commits.
async fn insert(app: &App, depositor: &Depositor, upload: &Upload, file: &StoredFile) -> Result<Tx> {
    let item = NewItem::read(&upload.description);
    let item = item.map_err(|problems| Error::internal(anyhow::anyhow!("stored item: {}", problems.join(", "))))?;
    let mut reader = app.db.read().await?;
    let (case, step) = find_case_and_step(&mut reader, depositor, upload.case, &item).await?;
    drop(reader);
    let endpoint = match step.action {
        StepAction::DocumentUpload => FileEndpoint::Document,
        _ => FileEndpoint::Capture,
    };
    let new =
        FileItem::of(&case, step, endpoint, item, file, depositor.is_analysed())?.with_capture(upload.capture.clone());
    let mut tx = app.db.begin().await?;
    match insert_in(app, &mut tx, &case, upload, &new, depositor).await {
        Ok(()) => Ok(tx),
        Err(refusal) => tx.settle(Err(refusal)).await,
    }
}

/// The case's row is locked first, as by everything that locks a case and its uploads.
async fn insert_in(
    app: &App,
    tx: &mut Tx,
    case: &Case,
    upload: &Upload,
    new: &FileItem,
    depositor: &Depositor,
) -> Result<()> {
    if !store::case::lock(tx, case.company, case.id).await? {
        return Err(unknown_case(case.id));
    }
    if !store::upload::claim(tx, upload.id).await? {
        return Err(Error::not_found("the upload is finished or gone"));
    }
    if let Some(capture) = &upload.capture
        && store::item::find_by_capture(tx, case.id, capture).await?.is_some()
    {
        return Err(Error::state("captureId names another item of this case"));
    }
    let created = new.insert(app, tx, case, (depositor.actor(), Operation::AppendToUpload)).await?;
    store::upload::set_item(tx, upload.id, created.item).await?;
    store::job::enqueue(tx, Work::DeleteBlobs(upload.case), app.clock.now()).await?;
    Ok(())
}

/// Ends an unfinished upload, with a job that deletes its pieces. False if it is finished or gone.
pub(super) async fn end(app: &App, upload: &Upload) -> Result<bool> {
    let mut tx = app.db.begin().await?;
    let ended = end_in(&mut tx, upload, app.clock.now()).await;
    let ended = tx.settle(ended).await?;
    app.wake.job(JobKind::DeleteBlobs).notify_one();
    Ok(ended)
}

async fn end_in(tx: &mut Tx, upload: &Upload, now: Timestamp) -> Result<bool> {
    let ended = store::upload::end(tx, upload.id).await?;
    if ended {
        store::job::enqueue(tx, Work::DeleteBlobs(upload.case), now).await?;
    }
    Ok(ended)
}

/// Which files a step takes; none if it takes no file.
pub(super) const fn accepts(action: StepAction) -> Option<Accepts> {
    match action {
        StepAction::Photography | StepAction::Signature => Some(Accepts::PICTURE),
        StepAction::Video => Some(Accepts::VIDEO),
        StepAction::DocumentUpload => Some(Accepts::DOCUMENT),
        _ => None,
    }
}
