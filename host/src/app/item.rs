//! Adding items to open cases (spec 4.13, decisions 8).

mod depositor;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use tracing::Instrument as _;

pub use self::depositor::Depositor;
use super::{
    App,
    analysis::flow,
    audit::{self, Actor, Event},
    capture::records,
    case::already_closed,
};
use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        access_key::MediaKey,
        capture::CaptureId,
        case::limits::Load,
        file_kind::FileKind,
        id::{CaseId, CompanyId, ItemId, StepId},
        item::{ItemReference, NewEntry, NewItem, check_value},
        operation::Operation,
        resource::Kind,
        step::{StepAction, StepAnalysis},
    },
    error::{Error, Result},
    media::StoredFile,
    request_id,
    store::{
        self,
        case::Case,
        frame::Step,
        item::{ItemFile, NewItem as ItemRow},
        job::{JobKind, Work},
    },
};

/// Used for every operation that adds an item: all of them give the same answers for missing and foreign resources.
const OPERATION: Operation = Operation::CreateEntryItem;

/// An entry item just added (decisions 8).
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedEntry {
    pub item_id: ItemId,
    /// The public reference, `ITM-<id>_CAS-<case id>`.
    pub cf_ref: String,
    pub case_id: CaseId,
    pub step_id: StepId,
    /// The type of the step.
    pub step_action: StepAction,
    /// The value as it was entered.
    pub data: String,
    pub created_at: Timestamp,
}

/// An item with a file just added.
#[derive(Clone, Debug)]
pub struct CreatedFile {
    pub company: CompanyId,
    pub case: CaseId,
    pub item: ItemId,
    pub action: StepAction,
    /// Where the file is served to anyone who knows its key.
    pub url: String,
}

/// Which files an endpoint accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileEndpoint {
    /// `POST /v2/items/:caseId/document`: only steps of type `DOCUMENT_UPLOAD`.
    Document,
    /// `POST /v2/items/:caseId`: steps of type `PHOTOGRAPHY`, `SIGNATURE` and `VIDEO`.
    Capture,
}

impl FileEndpoint {
    const fn operation(self) -> Operation {
        match self {
            Self::Document => Operation::UploadDocument,
            Self::Capture => Operation::UploadMedia,
        }
    }
}

/// Which steps an endpoint for entries accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryEndpoint {
    /// `POST /v2/items/create`: steps with an entered value; files have their own endpoints.
    Version2,
    /// `POST /api/items`: all steps. For a step with a file, `data` is the file's name, and no file is sent.
    Legacy,
}

impl EntryEndpoint {
    const fn operation(self, depositor: &Depositor) -> Operation {
        match (depositor, self) {
            (Depositor::Holder(_), _) => Operation::AddCaptureEntry,
            (Depositor::User(_), Self::Version2) => Operation::CreateEntryItem,
            (Depositor::User(_), Self::Legacy) => Operation::CreateLegacyItem,
        }
    }
}

/// Adds an entered value to an open case.
pub async fn add_entry(
    app: &Arc<App>,
    depositor: &Depositor,
    endpoint: EntryEndpoint,
    entry: NewEntry,
    capture: Option<CaptureId>,
) -> Result<CreatedEntry> {
    let NewEntry { case, item } = entry;
    let mut reader = app.db.read().await?;
    let (case, step) = find_case_and_step(&mut reader, depositor, case, &item).await?;
    drop(reader);
    if endpoint == EntryEndpoint::Version2 && step.action.carries_file() {
        return Err(Error::invalid(format!("a {} step takes a file, not an entry", step.action)));
    }
    check_value(step.action, &step.options, &item.data).map_err(Error::Invalid)?;
    check_position(step.action, &item)?;
    let now = app.clock.now();
    let more = Load::of(&item, step.action, false);
    let row = ItemRow { capture, ..row(step, item, None) };
    let id = insert(app, &case, &row, more, ((depositor.actor(), endpoint.operation(depositor)), now)).await?;
    Ok(CreatedEntry::new(id, case.id, row, now))
}

impl CreatedEntry {
    pub(super) fn new(id: ItemId, case: CaseId, row: ItemRow, created_at: Timestamp) -> Self {
        Self {
            item_id: id,
            cf_ref: ItemReference { item: id, case }.to_string(),
            case_id: case,
            step_id: row.step,
            step_action: row.action,
            data: row.data,
            created_at,
        }
    }
}

/// Adds a file, already whole and durable in the blob store, to an open case. If it is rejected, the file is deleted
/// before the response.
///
/// Runs as a separate task: a client that hangs up now must not leave a file that no item names.
pub async fn add_file(
    app: &Arc<App>,
    depositor: &Depositor,
    case: CaseId,
    endpoint: FileEndpoint,
    item: NewItem,
    file: StoredFile,
) -> Result<CreatedFile> {
    let (app, depositor) = (Arc::clone(app), depositor.clone());
    let work = async move { add_stored_file(&app, &depositor, case, endpoint, item, file).await };
    let task = tokio::spawn(request_id::scope(request_id::current(), work).in_current_span());
    task.await.map_err(Error::internal)?
}

async fn add_stored_file(
    app: &App,
    depositor: &Depositor,
    case: CaseId,
    endpoint: FileEndpoint,
    item: NewItem,
    file: StoredFile,
) -> Result<CreatedFile> {
    match insert_file(app, depositor, case, endpoint, item, &file).await {
        Ok((tx, created)) => {
            // Before the commit: its result may get lost, and an item without a file is worse than an orphaned file.
            file.keep();
            tx.commit().await?;
            app.wake.job(JobKind::StampItem).notify_one();
            app.wake.job(JobKind::AnalyseItem).notify_one();
            Ok(created)
        }
        Err(refusal) => {
            file.discard().await;
            Err(refusal)
        }
    }
}

/// Checks and inserts the item; the caller keeps the file and commits.
async fn insert_file(
    app: &App,
    depositor: &Depositor,
    case: CaseId,
    endpoint: FileEndpoint,
    item: NewItem,
    file: &StoredFile,
) -> Result<(Tx, CreatedFile)> {
    let mut reader = app.db.read().await?;
    let (case, step) = find_case_and_step(&mut reader, depositor, case, &item).await?;
    drop(reader);
    let new = FileItem::of(&case, step, endpoint, item, file, depositor.is_analysed())?;
    let mut tx = app.db.begin().await?;
    match new.insert(app, &mut tx, &case, (depositor.actor(), endpoint.operation())).await {
        Ok(created) => Ok((tx, created)),
        Err(refusal) => tx.settle(Err(refusal)).await,
    }
}

/// An item with a file that is ready to be inserted.
pub(super) struct FileItem {
    row: ItemRow,
    media_key: MediaKey,
    more: Load,
    analysis: Option<AnalysisKind>,
}

impl FileItem {
    /// Checks the file against its step, and that the case is open. `is_analysed`: whether the company has the option.
    pub(super) fn of(
        case: &Case,
        step: Step,
        endpoint: FileEndpoint,
        item: NewItem,
        file: &StoredFile,
        is_analysed: bool,
    ) -> Result<Self> {
        check_file(endpoint, &step, &item, file.kind)?;
        if case.is_closed() {
            return Err(already_closed());
        }
        let media_key = MediaKey::random();
        let stored = ItemFile {
            blob_key: file.key().clone(),
            kind: file.kind,
            size: i64::try_from(file.size).map_err(Error::internal)?,
            sha256: file.sha256,
            media_key: media_key.clone(),
            deletes_after_analysis: false,
            deleted_at: None,
        };
        let analysis = is_analysed.then(|| AnalysisKind::of(&step)).flatten();
        let more = Load::of(&item, step.action, true);
        Ok(Self { row: row(step, item, Some(stored)), media_key, more, analysis })
    }

    /// The same with the client's identifier of the capture.
    pub(super) fn with_capture(mut self, capture: Option<CaptureId>) -> Self {
        self.row.capture = capture;
        self
    }

    /// Inserts the item with its jobs. After the commit the caller wakes the workers for [`JobKind::StampItem`] and
    /// [`JobKind::AnalyseItem`].
    pub(super) async fn insert(
        &self,
        app: &App,
        tx: &mut Tx,
        case: &Case,
        by: (&Actor, Operation),
    ) -> Result<CreatedFile> {
        let now = app.clock.now();
        let id = insert_with_jobs(tx, case, &self.row, self.more, self.analysis.as_ref(), by, now).await?;
        records::check_file(tx, case.id, &self.row).await?;
        let action = self.row.action;
        let url = file_url(app, action, &self.media_key);
        Ok(CreatedFile { company: case.company, case: case.id, item: id, action, url })
    }
}

/// How an item's file is analysed if the company has the option (spec 3.3).
enum AnalysisKind {
    /// A document, as configured in its step. The case waits for it.
    Document(StepAnalysis),
    /// A photo, for the signals of its case. The case does not wait for it.
    Picture,
}

impl AnalysisKind {
    /// None for a step whose files are only kept and sealed.
    fn of(step: &Step) -> Option<Self> {
        match step.action {
            StepAction::DocumentUpload => step.analysis.clone().map(Self::Document),
            StepAction::Photography => Some(Self::Picture),
            _ => None,
        }
    }
}

/// Where an item's file is served (spec 4.16).
pub fn file_url(app: &App, action: StepAction, media_key: &MediaKey) -> String {
    match action {
        StepAction::Video => app.public_url(&format!("/medias/video/{media_key}")),
        _ => app.public_url(&format!("/images/{media_key}")),
    }
}

/// Existence first, then ownership (decisions 2): an unknown case is 404, another company's 403, a step of another frame
/// 404.
pub(super) async fn find_case_and_step(
    reader: &mut Reader,
    depositor: &Depositor,
    id: CaseId,
    item: &NewItem,
) -> Result<(Case, Step)> {
    let case = store::case::find(reader, id).await?;
    let case = case.ok_or_else(|| unknown_case(id))?;
    depositor.check_case(&case)?;
    if item.company.is_some_and(|company| company != case.company) {
        return Err(OPERATION.foreign(Kind::Company, "companyId is not the company of the case").into());
    }
    let step = store::frame::find_step(reader, case.frame, item.step).await?;
    Ok((case, step.ok_or_else(|| unknown_step(item.step))?))
}

fn check_file(endpoint: FileEndpoint, step: &Step, item: &NewItem, kind: FileKind) -> Result<()> {
    use StepAction::{DocumentUpload, Photography, Signature, Video};
    let (served, kinds): (bool, &[FileKind]) = match (endpoint, step.action) {
        (FileEndpoint::Document, DocumentUpload) => (true, &[FileKind::Pdf, FileKind::Jpeg, FileKind::Png]),
        (FileEndpoint::Capture, Photography | Signature) => (true, &[FileKind::Jpeg, FileKind::Png]),
        (FileEndpoint::Capture, Video) => (true, &[FileKind::Mp4]),
        _ => (false, &[]),
    };
    if !served {
        let wanted = match endpoint {
            FileEndpoint::Document => "DOCUMENT_UPLOAD",
            FileEndpoint::Capture => "PHOTOGRAPHY, SIGNATURE or VIDEO",
        };
        return Err(Error::forbidden(format!("step {} is of type {}, not {wanted}", step.id, step.action)));
    }
    if !kinds.contains(&kind) {
        return Err(Error::invalid(format!("file type {kind} is not accepted by a {} step", step.action)));
    }
    check_position(step.action, item)
}

/// Photos and videos must say where they were made, in any request format (decisions 8).
pub(super) fn check_position(action: StepAction, item: &NewItem) -> Result<()> {
    if matches!(action, StepAction::Photography | StepAction::Video) && item.position.is_none() {
        let message = format!("geolocLatitude and geolocLongitude are required for a {action} step");
        return Err(Error::invalid(message));
    }
    Ok(())
}

fn row(step: Step, item: NewItem, file: Option<ItemFile>) -> ItemRow {
    // On by default; the step can turn it off (spec 2.1, decisions 14).
    let is_on = step.analysis.as_ref().is_none_or(|analysis| analysis.timestamp_and_signature);
    ItemRow {
        wants_time_stamp: file.is_some() && is_on,
        step: step.id,
        step_title: step.title,
        step_description: step.description,
        action: step.action,
        data: item.data,
        position: item.position,
        device: item.device,
        client: item.client,
        file,
        capture: None,
    }
}

async fn insert(
    app: &App,
    case: &Case,
    row: &ItemRow,
    more: Load,
    (by, now): ((&Actor, Operation), Timestamp),
) -> Result<ItemId> {
    if case.is_closed() {
        return Err(already_closed());
    }
    let mut tx = app.db.begin().await?;
    let inserted = insert_in(&mut tx, case, row, more, by, now).await;
    tx.settle(inserted).await
}

/// The case's row is locked first: an item that races with a closing is inserted before it or rejected, and if several
/// race for the last place, only one is inserted.
async fn insert_in(
    tx: &mut Tx,
    case: &Case,
    row: &ItemRow,
    more: Load,
    (actor, operation): (&Actor, Operation),
    now: Timestamp,
) -> Result<ItemId> {
    if !store::case::count_item(tx, case.company, case.id, case.frame, more).await? {
        return Err(why_not_counted(tx, case, row.step, more).await?);
    }
    let id = store::item::insert(tx, case.id, row, now).await?;
    let event = Event::of(operation, case.company, Some(format!("item {id}")));
    audit::record(tx, now, actor, event.with_detail(format!("case {}, step {}", case.id, row.step))).await?;
    Ok(id)
}

/// Inserts the item together with the jobs that time-stamp and examine its file.
async fn insert_with_jobs(
    tx: &mut Tx,
    case: &Case,
    row: &ItemRow,
    more: Load,
    analysis: Option<&AnalysisKind>,
    by: (&Actor, Operation),
    now: Timestamp,
) -> Result<ItemId> {
    let id = insert_in(tx, case, row, more, by, now).await?;
    if row.wants_time_stamp {
        store::job::enqueue(tx, Work::StampItem(id), now).await?;
    }
    let plan = match analysis {
        Some(AnalysisKind::Document(plan)) => Some(plan),
        Some(AnalysisKind::Picture) => None,
        None => return Ok(id),
    };
    flow::expect(tx, case.company, case.id, id, plan, now).await?;
    Ok(id)
}

/// What has happened to a case since it was read, or which limit it has reached.
async fn why_not_counted(reader: &mut Reader, case: &Case, step: StepId, more: Load) -> Result<Error> {
    Ok(match store::case::find(reader, case.id).await? {
        None => unknown_case(case.id),
        Some(case) if case.is_closed() => already_closed(),
        Some(now) if now.frame == case.frame => match store::case::load(reader, case.id).await?.refusal(more) {
            Some(refusal) => Error::state(refusal),
            None => Error::internal(anyhow::anyhow!("case {} does not accept an item, for an unknown reason", case.id)),
        },
        // An update has moved it to another frame.
        Some(_) => unknown_step(step),
    })
}

pub(super) fn unknown_case(id: CaseId) -> Error {
    OPERATION.missing(Kind::Case, format!("case {id} does not exist")).into()
}

fn unknown_step(step: StepId) -> Error {
    OPERATION.missing(Kind::Step, format!("no step of the case's frame matches stepId {step}")).into()
}
