//! Closing cases, by identifier and by link (spec 4.6 and 4.7).

use std::{sync::Arc, time::Duration};

use schemars::JsonSchema;
use serde::Serialize;

use super::{Refusal, already_closed, certificate_url, company, find_link, find_own};
use crate::{
    app::{
        App, analysis,
        audit::{self, Actor, Event},
        capture::records,
        session::{Caller, CaptureHolder},
    },
    clock::{Timestamp, random_bytes},
    db::{Reader, Tx},
    domain::{
        access_key::ShareToken,
        capture::Closing,
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
#[derive(Clone, Debug, Serialize, JsonSchema)]
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
    LinkHolder(Closing),
}

/// Closes a case of the caller's company (spec 4.6).
pub async fn close(app: &Arc<App>, caller: &Caller, id: CaseId) -> Result<ClosedCase> {
    close_own(app, caller, id).await.map_err(|refusal| refusal.into_error(Operation::CloseCase))
}

async fn close_own(app: &App, caller: &Caller, id: CaseId) -> Result<ClosedCase, Refusal> {
    let mut reader = app.db.read().await?;
    let case = find_own(&mut reader, caller, id).await?;
    close_found(app, reader, case, Closer::Company, (&caller.actor, Operation::CloseCase)).await
}

/// Closes the one open case of a link of the caller's company or of a child company (spec 4.7, decisions 7).
pub async fn close_by_link(app: &Arc<App>, caller: &Caller, token: &LinkToken) -> Result<ClosedCase> {
    const OPERATION: Operation = Operation::CloseCaseByLink;
    let mut reader = app.db.read().await?;
    let link = find_link(&mut reader, caller, OPERATION, token).await?;
    let mut open = store::case::open_on_link(&mut reader, link.company, token).await?;
    match (open.pop(), open.is_empty()) {
        (Some(case), true) => {
            let closed = close_found(app, reader, case, Closer::Company, (&caller.actor, OPERATION)).await;
            closed.map_err(|refusal| refusal.into_error(OPERATION))
        }
        (Some(_), false) => Err(Error::state("several cases of the link are open: close each by its identifier")),
        (None, _) if store::case::is_any_on_link(&mut reader, link.company, token).await? => Err(already_closed()),
        (None, _) => Err(OPERATION.missing(Kind::Case, "the link has no case").into()),
    }
}

/// Closes a case that the holder of its link has named (decisions 16).
pub(in crate::app) async fn close_on_link(
    app: &Arc<App>,
    holder: &CaptureHolder,
    case: Case,
    closing: Closing,
) -> Result<ClosedCase> {
    const OPERATION: Operation = Operation::CloseCaptureCase;
    let reader = app.db.read().await?;
    let closed = close_found(app, reader, case, Closer::LinkHolder(closing), (holder.actor(), OPERATION)).await;
    closed.map_err(|refusal| refusal.into_error(OPERATION))
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
    closer: Closer,
    by: (&Actor, Operation),
) -> Result<ClosedCase, Refusal> {
    if case.is_closed() {
        return Err(already_closed().into());
    }
    let frozen = freeze(&mut reader, &case).await?;
    drop(reader);
    let analysis_timeout = app.config.analysis.deadline;

    let (now, share_token) = (app.clock.now(), ShareToken::random());
    let mut tx = app.db.begin().await?;
    let written = async {
        let Closer::LinkHolder(closing) = closer else {
            return write_closing(&mut tx, case, frozen, &share_token, analysis_timeout, by, now).await;
        };
        store::case::lock(&mut tx, case.company, case.id).await?;
        records::check_arrived(&mut tx, case.id).await?;
        let id = write_closing(&mut tx, case, frozen, &share_token, analysis_timeout, by, now).await?;
        if let Some(closing) = &closing.id {
            store::certificate::set_closing_id(&mut tx, id, closing).await?;
        }
        Ok(id)
    };
    let closed = written.await;
    let id = tx.settle(closed).await?;
    app.wake.job(JobKind::Seal).notify_one();
    app.wake.job(JobKind::ConcludeAnalysis).notify_one();
    Ok(ClosedCase { case_id: id, pdf_url: certificate_url(app, &share_token) })
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
