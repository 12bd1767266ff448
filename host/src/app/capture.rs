//! What the holder of a link can do without an account: read what is asked, open the case, add to it, and close it
//! (decisions 16). The token of the link is the permission, for the open cases on the link and nothing else. A field user
//! does the same with their own cases ([`field`]).

pub mod field;
pub mod receipt;
pub(super) mod records;
mod view;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use self::receipt::Receipt;
pub(super) use self::view::open_steps;
pub use self::{
    records::{AnnouncedView, SessionView, announce},
    view::{CaptureView, CaseView, FormView, ItemView, LimitsView, OpenCaseView, OpenStep, RetakeView, StepView},
};
use super::{
    App,
    appearance::AppearanceView,
    audit::{self, Event},
    case::{self, ClosedCase, claim_report},
    item::{self, CreatedEntry, Depositor, EntryEndpoint},
    link::{LinkState, state},
    session::{CaptureHolder, LinkHolder},
};
use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        capture::{CaptureId, CapturedEntry, Closing},
        id::{CaseId, FrameId},
        item::NewEntry,
        operation::Operation,
        resource::Kind,
    },
    error::{Error, Result},
    store::{self, case::Case, item::Item, link::Link},
};

/// What the link asks for, and its open cases. Changes nothing.
pub async fn view(app: &App, holder: &LinkHolder) -> Result<CaptureView> {
    let (link, now) = (&holder.link, app.clock.now());
    let mut reader = app.db.read().await?;
    let open = store::link::open_cases(&mut reader, &link.token).await?;
    let state = state(link, open, is_offered(&mut reader, holder).await?, now);
    let cases = store::case::all_open_on_link(&mut reader, link.company, &link.token).await?;
    let form = match link.frame.or(open.frame) {
        Some(frame) => Some(view::form(&mut reader, frame).await?),
        None => None,
    };
    Ok(CaptureView {
        state,
        company_name: holder.company.name.clone(),
        appearance: AppearanceView::of(app, &holder.company),
        expiration_date: link.expires_at,
        server_time: now,
        can_open_case: state == LinkState::Usable && open.count == 0 && link.frame.is_some(),
        form,
        open_cases: cases.iter().map(OpenCaseView::of).collect(),
        limits: LimitsView::default(),
    })
}

/// Whether a case can still be opened on the link's frame. True for a link without a frame.
async fn is_offered(reader: &mut Reader, holder: &LinkHolder) -> Result<bool> {
    match holder.link.frame {
        Some(frame) => Ok(store::frame::find_accessible_name(reader, holder.link.company, frame).await?.is_some()),
        None => Ok(true),
    }
}

/// The open case on the link. Opens it if there is none and the link has a frame; the second value says whether this
/// call did. Calls that race open one case.
pub async fn open_case(app: &Arc<App>, holder: &LinkHolder) -> Result<(CaseView, bool)> {
    let now = app.clock.now();
    holder.check_date(now)?;
    let mut reader = app.db.read().await?;
    if let Some(case) = the_open_case(&mut reader, &holder.link).await? {
        return Ok((view::case(app, &mut reader, &case).await?, false));
    }
    let frame = holder.link.frame.ok_or_else(|| Error::forbidden("the link has no open case and no form"))?;
    let name = store::frame::find_accessible_name(&mut reader, holder.link.company, frame).await?;
    let name = name.ok_or_else(|| Error::forbidden("the link's form is no longer offered"))?;
    drop(reader);
    let mut tx = app.db.begin().await?;
    let opened = match insert_case(&mut tx, holder, frame, name, now).await {
        Ok(Some(id)) => {
            tx.commit().await?;
            tracing::info!(case = %id, "a case was opened on a link");
            Some(id)
        }
        // Another call has opened it, or has taken the last use.
        Ok(None) => tx.settle(Ok::<_, Error>(None)).await?,
        Err(error) => return tx.settle(Err(error)).await,
    };
    let mut reader = app.db.read().await?;
    let case = match opened {
        Some(id) => store::case::find(&mut reader, id).await?,
        None => the_open_case(&mut reader, &holder.link).await?,
    };
    let case = case.ok_or_else(|| Error::forbidden("the link is used up"))?;
    Ok((view::case(app, &mut reader, &case).await?, opened.is_some()))
}

/// None: no use of the link is left, or a case is open on it.
async fn insert_case(
    tx: &mut Tx,
    holder: &LinkHolder,
    frame: FrameId,
    title: String,
    now: Timestamp,
) -> Result<Option<CaseId>> {
    let link = &holder.link;
    // Locks the link's row, so that of two calls one sees the other's case.
    if store::link::is_open_after_lock(tx, &link.token).await? || !store::link::take_use(tx, &link.token).await? {
        return Ok(None);
    }
    if let Some(report_token) = &link.report_token {
        claim_report(tx, holder.company.parent.unwrap_or(holder.company.id), report_token, now).await?;
    }
    let case = store::case::NewCase {
        company: link.company,
        frame,
        title,
        user: None,
        link: Some(link.token.clone()),
        report_token: link.report_token.clone(),
        context: None,
        metadata: None,
        scheduled_at: None,
        language: None,
        created_at: now,
    };
    let id = store::case::insert(tx, &case).await?;
    let event = Event::of(Operation::OpenCaptureCase, link.company, Some(format!("case {id}")));
    audit::record(tx, now, &holder.actor, event.with_detail(format!("frame {frame}"))).await?;
    Ok(Some(id))
}

/// The one open case on the link; an error if there are several.
async fn the_open_case(reader: &mut Reader, link: &Link) -> Result<Option<Case>> {
    let mut open = store::case::open_on_link(reader, link.company, &link.token).await?;
    match (open.pop(), open.is_empty()) {
        (case, true) => Ok(case),
        _ => Err(Error::state("several cases of the link are open: choose one of them")),
    }
}

/// An open case on the link, or of the field user.
pub async fn read_case(app: &App, holder: &CaptureHolder, id: CaseId) -> Result<CaseView> {
    holder.check_date(app.clock.now())?;
    let mut reader = app.db.read().await?;
    let case = find_case(&mut reader, Operation::ReadCaptureCase, holder, id).await?;
    if case.is_closed() {
        return Err(Error::forbidden("the case is closed"));
    }
    drop(reader);
    let event = Event::of(Operation::ReadCaptureCase, case.company, Some(format!("case {id}")));
    audit::record_alone(app, holder.actor(), event).await?;
    let mut reader = app.db.read().await?;
    view::case(app, &mut reader, &case).await
}

async fn find_case(reader: &mut Reader, operation: Operation, holder: &CaptureHolder, id: CaseId) -> Result<Case> {
    let unknown = || Error::from(operation.missing(Kind::Case, format!("case {id} does not exist")));
    let case = store::case::find(reader, id).await?.ok_or_else(unknown)?;
    holder.check_case(&case)?;
    Ok(case)
}

/// An entered value, as it was stored.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoredEntry {
    #[serde(flatten)]
    pub entry: CreatedEntry,
    pub capture_id: CaptureId,
    /// A compact JWS whose payload is a receipt over the value's bytes in UTF-8.
    pub receipt: String,
}

/// Adds an entered value to an open case on the link; the second value says whether it is new. The same capture again
/// is answered like the first time, also once the case is closed: the first answer may have been lost.
pub async fn add_entry(
    app: &Arc<App>,
    holder: &CaptureHolder,
    id: CaseId,
    captured: CapturedEntry,
) -> Result<(StoredEntry, bool)> {
    let CapturedEntry { capture, item } = captured;
    if let Some(known) = known_entry(app, holder, id, &capture).await? {
        return Ok((known.repeat(app, &item.data)?, false));
    }
    holder.check_date(app.clock.now())?;
    let data = item.data.clone();
    let depositor = Depositor::Holder(holder.clone());
    let entry = NewEntry { case: id, item };
    match item::add_entry(app, &depositor, EntryEndpoint::Version2, entry, Some(capture.clone())).await {
        Ok(entry) => Ok((stored(app, entry, capture)?, true)),
        // Another call with the same capture was faster.
        Err(error) => match known_entry(app, holder, id, &capture).await? {
            Some(known) => Ok((known.repeat(app, &data)?, false)),
            None => Err(error),
        },
    }
}

struct KnownEntry(Item, CaptureId);

async fn known_entry(app: &App, holder: &CaptureHolder, id: CaseId, capture: &CaptureId) -> Result<Option<KnownEntry>> {
    let mut reader = app.db.read().await?;
    find_case(&mut reader, Operation::AddCaptureEntry, holder, id).await?;
    let item = store::item::find_by_capture(&mut reader, id, capture).await?;
    Ok(item.map(|item| KnownEntry(item, capture.clone())))
}

impl KnownEntry {
    fn repeat(self, app: &App, data: &str) -> Result<StoredEntry> {
        let Self(item, capture) = self;
        if item.content.file.is_some() || item.content.data != data {
            return Err(Error::state("captureId was used for another capture of the case"));
        }
        stored(app, CreatedEntry::new(item.id, item.case, item.content, item.created_at), capture)
    }
}

fn stored(app: &App, entry: CreatedEntry, capture_id: CaptureId) -> Result<StoredEntry> {
    let receipt = Receipt::of_entry(&entry, &capture_id).sign(app)?;
    Ok(StoredEntry { entry, capture_id, receipt })
}

/// Closes an open case of the holder. The same closing again is answered like the first time.
pub async fn close(app: &Arc<App>, holder: &CaptureHolder, id: CaseId, closing: Closing) -> Result<ClosedCase> {
    let mut reader = app.db.read().await?;
    let case = find_case(&mut reader, Operation::CloseCaptureCase, holder, id).await?;
    if let Some(closing) = &closing.id
        && let Some(share_token) = store::certificate::find_by_closing_id(&mut reader, id, closing).await?
    {
        return Ok(ClosedCase { case_id: id, pdf_url: case::certificate_url(app, &share_token) });
    }
    drop(reader);
    holder.check_date(app.clock.now())?;
    case::close_on_link(app, holder, case, closing).await
}
