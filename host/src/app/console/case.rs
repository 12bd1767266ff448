//! A case on its page in the console, and what a user does with it there.

use std::{collections::HashMap, sync::Arc};

use super::ConsoleUser;
pub use crate::{
    app::analysis::photo::{Exif, Moment, Photo, PhotoFacts, Position},
    store::{
        certificate::Certificate,
        item::{Item, ItemFile},
        job::{JobKind, JobState},
        legal_hold::LegalHold,
        retake::Retake,
        webhook::Fate,
    },
};
use crate::{
    app::{
        App,
        analysis::{
            explain::{Explanation, explain},
            photo,
        },
        audit::{self, Event},
        capture::{self, OpenStep},
        case, erasure, item, legal_hold, queue, retake, webhook,
    },
    clock::Timestamp,
    domain::{
        capture::RetakeRequest,
        case::NewCase,
        case_search::about::{About, NamedText, Sources},
        company_manifest::UserKind,
        console::Outcome,
        erasure::{ErasureRequest, Ground},
        id::{CaseId, CompanyId, ItemId, StepId},
        legal_hold::HoldRequest,
        step::StepAction,
    },
    error::{Error, Result},
    store::{self, case::Case, company::Company, decision::StoredDecision, near_duplicate::Near, webhook::Attempt},
};

/// Everything that the page of a case shows.
pub struct CaseView {
    pub case: Case,
    pub company: Company,
    pub frame_name: String,
    /// Who it is about.
    pub about: About,
    /// What can still be answered; empty for a closed case.
    pub open_steps: Vec<OpenStep>,
    /// Whether a field user fills it in the app.
    pub is_field_case: bool,
    /// The e-mail of this field user, if there is one.
    pub field_mail: Option<String>,
    pub items: Vec<ItemView>,
    /// Of a closed case.
    pub certificate: Option<Certificate>,
    /// Where anyone who knows the address reads it.
    pub certificate_url: Option<String>,
    /// None if no file was examined.
    pub explanation: Option<Explanation>,
    /// Whether a closed case has a verdict, or will get one.
    pub is_verdict_awaited: bool,
    /// The newest first: that one counts.
    pub decisions: Vec<StoredDecision>,
    /// Why it must not be deleted; none if it may be.
    pub hold: Option<LegalHold>,
    pub attempts: Vec<Attempt>,
    pub jobs: Vec<store::job::ListedJob>,
    pub history: Vec<HistoryEntry>,
}

/// An item with what else is known of it.
pub struct ItemView {
    pub item: Item,
    /// Another capture that was asked for in its place: the newest request.
    pub retake: Option<Retake>,
    /// Earlier requests for it that newer ones replaced, the oldest first.
    pub replaced_retakes: Vec<Retake>,
    /// Whether a newer item of its step has come.
    pub is_replaced: bool,
    /// Pictures of the company that look like it.
    pub near: Vec<Near>,
    /// What a photo's file says about itself; none for an item that is not a photo.
    pub photo: Option<Photo>,
}

/// What happened when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryEntry {
    pub at: Timestamp,
    pub event: HistoryEvent,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HistoryEvent {
    Opened,
    Received(ItemId),
    RetakeRequested(Retake),
    Closed,
    Sealed,
    Judged,
    Delivered,
    DeliveryFailed,
    /// By the user of the console with this name.
    Decided(Outcome, String),
}

/// Finds a case of one of the user's companies. Any other case looks as if it did not exist.
pub async fn find(app: &App, user: &ConsoleUser, id: CaseId) -> Result<(Case, Company)> {
    let unknown = || Error::not_found(format!("case {id} does not exist, or belongs to another company"));
    let mut reader = app.db.read().await?;
    let case = store::case::find(&mut reader, id).await?.ok_or_else(unknown)?;
    let company = store::company::find(&mut reader, case.company).await?.ok_or_else(unknown)?;
    if user.scope.contains(company.id, company.parent) { Ok((case, company)) } else { Err(unknown()) }
}

/// Opens a case for one of the user's companies, as the API does.
pub async fn open(app: &Arc<App>, user: &ConsoleUser, company: CompanyId, request: NewCase) -> Result<CaseId> {
    let company = user.company(app, company).await?;
    Ok(case::create(app, &user.caller(company)?, request, None).await?.answer.id)
}

/// Reads a case for its page. The look is in the audit log.
pub async fn show(app: &Arc<App>, user: &ConsoleUser, id: CaseId) -> Result<CaseView> {
    let (case, company) = find(app, user, id).await?;
    look(app, user, &case, "showCase", format!("case {id}")).await?;
    let mut photos = photo::of_case(app, id).await?;
    let mut reader = app.db.read().await?;
    let frame = store::frame::find(&mut reader, case.frame).await?;
    let user = match &case.user {
        Some(user) => store::user::find(&mut reader, user).await?,
        None => None,
    };
    let field_user = user.filter(|user| user.kind == UserKind::Field);
    let retakes = store::retake::of_case(&mut reader, id).await?;
    let replaced = store::retake::replaced_of_case(&mut reader, id).await?;
    let stored = store::item::of_case(&mut reader, id).await?;
    let open_steps = if case.is_closed() {
        Vec::new()
    } else {
        capture::open_steps(&mut reader, case.frame, &stored, &retakes).await?
    };
    let about = about(&case, &stored);
    let newest: HashMap<StepId, ItemId> = stored.iter().map(|item| (item.content.step, item.id)).collect();
    let mut items = Vec::new();
    for item in stored {
        let is_replaced = newest.get(&item.content.step) != Some(&item.id);
        let retake = retakes.iter().find(|retake| retake.item == item.id).cloned();
        let replaced_retakes = replaced.iter().filter(|retake| retake.item == item.id).cloned().collect();
        let near = store::near_duplicate::of_shown(&mut reader, case.company, item.id).await?;
        let is_photo = item.content.action == StepAction::Photography && item.content.file.is_some();
        let photo = is_photo.then(|| photos.remove(&item.id).unwrap_or(Photo::NotExamined));
        items.push(ItemView { item, retake, replaced_retakes, is_replaced, near, photo });
    }
    let certificate = store::certificate::find(&mut reader, id).await?;
    let decisions = store::decision::of_case(&mut reader, id).await?;
    let hold = store::legal_hold::find(&mut reader, id).await?;
    let attempts = store::webhook::attempts_of_case(&mut reader, case.company, id).await?;
    let jobs = store::job::of_case(&mut reader, id).await?;
    let is_verdict_awaited = store::analysis::standing(&mut reader, id).await?.is_some();
    drop(reader);
    let explanation = explain(app, id).await?;
    let explanation = (explanation.verdict.is_some() || !explanation.items.is_empty()).then_some(explanation);
    let certificate_url = certificate.as_ref().map(|found| case::certificate_url(app, &found.share_token));
    let frame_name = frame.map(|frame| frame.name).unwrap_or_default();
    let view = CaseView {
        case,
        company,
        frame_name,
        about,
        open_steps,
        is_field_case: field_user.is_some(),
        field_mail: field_user.and_then(|user| user.email),
        items,
        certificate,
        certificate_url,
        explanation,
        is_verdict_awaited,
        decisions,
        hold,
        attempts,
        jobs,
        history: Vec::new(),
    };
    let history = history(&view);
    Ok(CaseView { history, ..view })
}

/// Who the case is about, as it was given and entered.
fn about(case: &Case, items: &[Item]) -> About {
    let entries = items.iter().filter(|item| item.content.file.is_none());
    let entries =
        entries.map(|item| NamedText { name: item.content.step_title.clone(), text: item.content.data.clone() });
    let sources = Sources {
        report_token: case.report_token.clone(),
        context: case.context.clone(),
        metadata: case.metadata.clone(),
        entries: entries.collect(),
        files: Vec::new(),
        user: None,
    };
    sources.about()
}

/// The address of an item's file, after the look is recorded.
pub async fn file_address(app: &Arc<App>, user: &ConsoleUser, id: CaseId, item: ItemId) -> Result<String> {
    let (case, _) = find(app, user, id).await?;
    let unknown = || Error::not_found(format!("item {item} has no file, or is not on case {id}"));
    let mut reader = app.db.read().await?;
    let found = store::item::find(&mut reader, item).await?.filter(|found| found.case == id).ok_or_else(unknown)?;
    drop(reader);
    let file = found.content.file.as_ref().filter(|file| file.deleted_at.is_none()).ok_or_else(unknown)?;
    let event = Event::done("readItemFile", Some(case.company), Some(format!("item {item}")));
    audit::record_alone(app, &user.actor(), event.with_detail(format!("case {id}"))).await?;
    let url = item::file_url(app, found.content.action, &file.media_key);
    // Of this host, whatever name the person came by.
    Ok(url.strip_prefix(&app.config.base_url).unwrap_or(&url).to_owned())
}

/// Closes a case, as the API does.
pub async fn close(app: &Arc<App>, user: &ConsoleUser, id: CaseId) -> Result<()> {
    let (_, company) = find(app, user, id).await?;
    case::close(app, &user.caller(company)?, id, None).await?;
    Ok(())
}

/// Deletes a case, as the API does.
pub async fn delete(app: &Arc<App>, user: &ConsoleUser, id: CaseId) -> Result<()> {
    let (_, company) = find(app, user, id).await?;
    case::delete(app, &user.caller(company)?, id).await
}

/// Puts a case under legal hold.
pub async fn hold(app: &App, user: &ConsoleUser, id: CaseId, request: HoldRequest) -> Result<()> {
    let (case, _) = find(app, user, id).await?;
    legal_hold::hold(app, &user.actor(), &user.username, &case, request).await.map(drop)
}

/// Ends the legal hold of a case.
pub async fn end_hold(app: &App, user: &ConsoleUser, id: CaseId) -> Result<()> {
    let (case, _) = find(app, user, id).await?;
    legal_hold::end(app, &user.actor(), &case).await
}

/// Asks for another capture in place of an item, as the API does.
pub async fn request_retake(
    app: &Arc<App>,
    user: &ConsoleUser,
    id: CaseId,
    item: ItemId,
    request: RetakeRequest,
) -> Result<()> {
    let (_, company) = find(app, user, id).await?;
    ensure_item(app, id, item).await?;
    retake::request(app, &user.caller(company)?, item, request).await?;
    Ok(())
}

/// Erases an item of a sealed case, as the API does.
pub async fn erase_item(app: &Arc<App>, user: &ConsoleUser, id: CaseId, item: ItemId, ground: Ground) -> Result<()> {
    let (_, company) = find(app, user, id).await?;
    let request = ErasureRequest { items: vec![item], ground };
    erasure::erase(app, &user.caller(company)?, id, &request).await?;
    Ok(())
}

/// Sends the webhook of an attempt again.
pub async fn resend(app: &Arc<App>, user: &ConsoleUser, id: CaseId, attempt: i64) -> Result<()> {
    find(app, user, id).await?;
    let mut reader = app.db.read().await?;
    let found = store::webhook::find_attempt(&mut reader, attempt).await?.filter(|found| found.case_id == id);
    drop(reader);
    found.ok_or_else(|| Error::not_found(format!("attempt {attempt} is not one of case {id}")))?;
    webhook::resend(app, &user.actor(), attempt).await?;
    Ok(())
}

/// Lets a job of the case run again that was given up.
pub async fn retry_job(app: &Arc<App>, user: &ConsoleUser, id: CaseId, job: i64) -> Result<()> {
    find(app, user, id).await?;
    let mut reader = app.db.read().await?;
    let is_of_case = store::job::of_case(&mut reader, id).await?.iter().any(|listed| listed.id == job);
    drop(reader);
    if !is_of_case {
        return Err(Error::not_found(format!("job {job} is not one of case {id}")));
    }
    queue::restart(&app.db, &user.actor(), Some(job), app.clock.now()).await?;
    Ok(())
}

async fn ensure_item(app: &App, case: CaseId, item: ItemId) -> Result<()> {
    let mut reader = app.db.read().await?;
    let found = store::item::find(&mut reader, item).await?.filter(|found| found.case == case);
    found.map(|_| ()).ok_or_else(|| Error::not_found(format!("item {item} is not on case {case}")))
}

async fn look(app: &App, user: &ConsoleUser, case: &Case, action: &str, subject: String) -> Result<()> {
    audit::record_alone(app, &user.actor(), Event::done(action, Some(case.company), Some(subject))).await
}

/// What happened to the case, in order.
fn history(view: &CaseView) -> Vec<HistoryEntry> {
    let mut entries = vec![HistoryEntry { at: view.case.created_at, event: HistoryEvent::Opened }];
    let mut note = |at: Option<Timestamp>, event| entries.extend(at.map(|at| HistoryEntry { at, event }));
    for ItemView { item, retake, replaced_retakes, .. } in &view.items {
        note(Some(item.created_at), HistoryEvent::Received(item.id));
        for retake in replaced_retakes.iter().chain(retake) {
            note(Some(retake.requested_at), HistoryEvent::RetakeRequested(retake.clone()));
        }
    }
    note(view.case.closed_at, HistoryEvent::Closed);
    let pdf = view.certificate.as_ref().and_then(|certificate| certificate.pdf.as_ref());
    note(pdf.map(|pdf| pdf.rendered_at), HistoryEvent::Sealed);
    let verdict = view.explanation.as_ref().and_then(|explanation| explanation.verdict.as_ref());
    note(verdict.map(|verdict| verdict.concluded_at), HistoryEvent::Judged);
    for attempt in &view.attempts {
        let is_accepted = attempt.status.is_some_and(|status| (200..300).contains(&status));
        let event = if is_accepted { HistoryEvent::Delivered } else { HistoryEvent::DeliveryFailed };
        note(Some(attempt.started_at), event);
    }
    for decision in &view.decisions {
        let event = HistoryEvent::Decided(decision.outcome, decision.decided_by.clone());
        note(Some(decision.decided_at), event);
    }
    entries.sort_by_key(|entry| entry.at);
    entries
}
