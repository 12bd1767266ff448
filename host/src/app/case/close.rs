//! Closing cases, by identifier and by link (spec 4.6 and 4.7).

use std::{sync::Arc, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Refusal, already_closed, certificate_url, company, find_link, find_own};
use crate::{
    app::{
        App, analysis,
        audit::{self, Actor, Event},
        capture::records,
        idempotency::{self, Outcome, RepeatableRequest},
        session::{Caller, CaptureHolder},
    },
    clock::{Timestamp, random_bytes},
    db::{Reader, Tx},
    domain::{
        access_key::ShareToken,
        capture,
        frozen::{FrozenCase, FrozenStep},
        id::CaseId,
        link::{LinkContext, LinkToken},
        operation::Operation,
        resource::Kind,
    },
    error::{Error, Result},
    store::{
        self,
        case::Case,
        job::{JobKind, Work},
    },
};

/// A case just closed (spec 4.6; decisions 5).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClosedCase {
    pub case_id: CaseId,
    /// Where the certificate is served to anyone who knows the address.
    pub pdf_url: String,
}

/// Who closes a case.
enum Closer {
    /// May close a case while captures that a device has announced are missing. The certificate lists them.
    Company,
    /// May not.
    LinkHolder(capture::Closing),
}

/// Who closes a case, and by which operation.
struct Closing<'c> {
    actor: &'c Actor,
    operation: Operation,
    closer: Closer,
    repeatable: Option<&'c RepeatableRequest>,
}

/// Closes a case of the caller's company (spec 4.6). A request that was carried out before, by its key, is answered as
/// then.
pub async fn close(
    app: &Arc<App>,
    caller: &Caller,
    id: CaseId,
    repeatable: Option<&RepeatableRequest>,
) -> Result<Outcome<ClosedCase>> {
    close_own(app, caller, id, repeatable).await.map_err(|refusal| refusal.into_error(Operation::CloseCase))
}

async fn close_own(
    app: &App,
    caller: &Caller,
    id: CaseId,
    repeatable: Option<&RepeatableRequest>,
) -> Result<Outcome<ClosedCase>, Refusal> {
    let mut reader = app.db.read().await?;
    if let Some(earlier) = idempotency::find(&mut reader, repeatable, app.clock.now()).await? {
        return Ok(earlier);
    }
    let case = find_own(&mut reader, caller, id).await?;
    let (actor, operation, closer) = (&caller.actor, Operation::CloseCase, Closer::Company);
    close_found(app, reader, case, Closing { actor, operation, closer, repeatable }).await
}

/// Closes the one open case of a link of the caller's company or of a child company (spec 4.7, decisions 7). A request
/// that was carried out before, by its key, is answered as then.
pub async fn close_by_link(
    app: &Arc<App>,
    caller: &Caller,
    token: &LinkToken,
    repeatable: Option<&RepeatableRequest>,
) -> Result<Outcome<ClosedCase>> {
    let mut reader = app.db.read().await?;
    let now = app.clock.now();
    if let Some(earlier) = idempotency::find(&mut reader, repeatable, now).await? {
        return Ok(earlier);
    }
    let case = match open_on_link(&mut reader, caller, token).await {
        Ok(case) => case,
        // A concurrent request with the same key may have closed it since.
        Err(error) => return idempotency::find(&mut reader, repeatable, now).await?.ok_or(error),
    };
    let (actor, operation, closer) = (&caller.actor, Operation::CloseCaseByLink, Closer::Company);
    let closed = close_found(app, reader, case, Closing { actor, operation, closer, repeatable }).await;
    closed.map_err(|refusal| refusal.into_error(operation))
}

/// The one open case of a link.
async fn open_on_link(reader: &mut Reader, caller: &Caller, token: &LinkToken) -> Result<Case> {
    const OPERATION: Operation = Operation::CloseCaseByLink;
    let link = find_link(reader, caller, OPERATION, token).await?;
    let mut open = store::case::open_on_link(reader, link.company, token).await?;
    match (open.pop(), open.is_empty()) {
        (Some(case), true) => Ok(case),
        (Some(_), false) => Err(Error::state("several cases of the link are open: close each by its identifier")),
        (None, _) if store::case::is_any_on_link(reader, link.company, token).await? => Err(already_closed()),
        (None, _) => Err(OPERATION.missing(Kind::Case, "the link has no case").into()),
    }
}

/// Closes a case that the holder of its link has named (decisions 16).
pub(in crate::app) async fn close_on_link(
    app: &Arc<App>,
    holder: &CaptureHolder,
    case: Case,
    closing: capture::Closing,
) -> Result<ClosedCase> {
    const OPERATION: Operation = Operation::CloseCaptureCase;
    let reader = app.db.read().await?;
    let (actor, operation, closer) = (holder.actor(), OPERATION, Closer::LinkHolder(closing));
    let closed = close_found(app, reader, case, Closing { actor, operation, closer, repeatable: None }).await;
    closed.map(|closed| closed.answer).map_err(|refusal| refusal.into_error(OPERATION))
}

/// Closes a case that the same transaction has opened. After the commit the caller wakes the workers for
/// [`JobKind::Seal`] and [`JobKind::ConcludeAnalysis`].
pub(super) async fn close_in(
    app: &App,
    tx: &mut Tx,
    case: Case,
    actor: &Actor,
    now: Timestamp,
) -> Result<ClosedCase, Refusal> {
    let (frozen, share_token) = (freeze(tx, &case).await?, ShareToken::random());
    let by = (actor, Operation::CloseCase);
    let case_id = write_closing(tx, case, frozen, &share_token, app.config.analysis.deadline, by, now).await?;
    Ok(ClosedCase { case_id, pdf_url: certificate_url(app, &share_token) })
}

/// Freezes a case that the caller may close, closes it and enqueues its seal in one transaction. Nothing slow happens
/// before the answer. `reader` is the connection on which the case was found.
async fn close_found(
    app: &App,
    mut reader: Reader,
    case: Case,
    closing: Closing<'_>,
) -> Result<Outcome<ClosedCase>, Refusal> {
    // Of concurrent requests with one key, the slower ones find the case closed.
    if case.is_closed() && closing.repeatable.is_none() {
        return Err(already_closed().into());
    }
    let frozen = freeze(&mut reader, &case).await?;
    drop(reader);

    let (now, share_token) = (app.clock.now(), ShareToken::random());
    let mut tx = app.db.begin().await?;
    let closed = async {
        if closing.repeatable.is_some() {
            // Before the key, as a deletion of the case locks them.
            store::case::lock(&mut tx, case.company, case.id).await?;
        }
        if let Some(earlier) = idempotency::begin(&mut tx, closing.repeatable, now).await? {
            return Ok(earlier);
        }
        let case_id = write_with_checks(app, &mut tx, case, frozen, &share_token, &closing, now).await?;
        let closed = ClosedCase { case_id, pdf_url: certificate_url(app, &share_token) };
        idempotency::finish(&mut tx, closing.repeatable, case_id, &closed).await?;
        Ok(Outcome::done(closed))
    };
    let closed: Result<_, Refusal> = closed.await;
    let closed = tx.settle(closed).await?;
    app.wake.job(JobKind::Seal).notify_one();
    app.wake.job(JobKind::ConcludeAnalysis).notify_one();
    Ok(closed)
}

async fn write_with_checks(
    app: &App,
    tx: &mut Tx,
    case: Case,
    frozen: CaseSnapshot,
    share_token: &ShareToken,
    closing: &Closing<'_>,
    now: Timestamp,
) -> Result<CaseId, Refusal> {
    let (by, timeout) = ((closing.actor, closing.operation), app.config.analysis.deadline);
    let Closer::LinkHolder(named) = &closing.closer else {
        return write_closing(tx, case, frozen, share_token, timeout, by, now).await;
    };
    store::case::lock(tx, case.company, case.id).await?;
    records::check_arrived(tx, case.id).await?;
    let id = write_closing(tx, case, frozen, share_token, timeout, by, now).await?;
    if let Some(closing_id) = &named.id {
        store::certificate::set_closing_id(tx, id, closing_id).await?;
    }
    Ok(id)
}

async fn write_closing(
    tx: &mut Tx,
    mut case: Case,
    mut frozen: CaseSnapshot,
    share_token: &ShareToken,
    analysis_timeout: Duration,
    (actor, operation): (&Actor, Operation),
    now: Timestamp,
) -> Result<CaseId, Refusal> {
    while !store::case::close(tx, &case, now).await? {
        // Another request was faster. After an update the case is still open, and is frozen in its new state.
        case = store::case::find(tx, case.id).await?.ok_or(Refusal::Unknown(case.id))?;
        if case.is_closed() {
            return Err(already_closed().into());
        }
        frozen = freeze(tx, &case).await?;
    }
    let salt_seed = hex::encode(random_bytes::<32>());
    store::certificate::insert(tx, case.id, share_token, &salt_seed, &frozen.case).await?;
    store::job::enqueue(tx, Work::Seal(case.id), now).await?;
    audit::record(tx, now, actor, Event::of(operation, case.company, Some(format!("case {}", case.id)))).await?;
    if frozen.is_analysed {
        analysis::flow::begin(tx, case.company, case.id, now, analysis_timeout).await?;
    }
    Ok(case.id)
}

/// What a closing takes from the current company manifest.
struct CaseSnapshot {
    case: FrozenCase,
    /// Whether the company has the option of document analysis.
    is_analysed: bool,
}

async fn freeze(reader: &mut Reader, case: &Case) -> Result<CaseSnapshot> {
    let owner = company(reader, case.company).await?;
    let frame = store::frame::find(reader, case.frame).await?;
    let frame = frame.ok_or_else(|| Error::internal(anyhow::anyhow!("frame {} does not exist", case.frame)))?;
    let link_context = match &case.link {
        Some(token) => store::link::find(reader, token).await?.and_then(|link| link.context),
        None => None,
    };
    let frozen = FrozenCase {
        company: owner.id,
        company_name: owner.name,
        certificate_template: owner.certificate_template,
        language: case.language.unwrap_or(owner.language),
        time_zone: owner.time_zone,
        logo: owner.logo,
        extras: owner.extras,
        frame: frame.id,
        frame_name: frame.name,
        steps: frame
            .steps
            .into_iter()
            .filter(|step| step.active)
            .map(|step| FrozenStep {
                id: step.id,
                title: step.title,
                description: step.description,
                action: step.action,
                mandatory: step.mandatory,
            })
            .collect(),
        link_context: link_context.map(LinkContext::from_json).transpose().map_err(Error::internal)?,
    };
    Ok(CaseSnapshot { case: frozen, is_analysed: owner.document_analysis })
}
