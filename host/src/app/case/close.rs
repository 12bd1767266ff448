//! Closing cases (spec 4.6).

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::{already_closed, certificate_url, company};
use crate::{
    app::{App, session::Caller},
    clock::random_key,
    db::Tx,
    domain::{
        frozen::{FrozenCase, FrozenStep},
        id::CaseId,
        link::LinkContext,
    },
    error::{Error, Result},
    store::{self, job::JobKind},
};

/// A case just closed (spec 4.6; decisions 5).
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClosedCase {
    pub case_id: CaseId,
    /// Where the certificate is served to everybody who knows the address.
    pub pdf_url: String,
}

/// Closes a case of the caller's company: freezes it and enqueues its seal in one transaction (spec 4.6). Nothing slow
/// happens before the answer.
pub async fn close(app: &Arc<App>, caller: &Caller, id: CaseId) -> Result<ClosedCase> {
    let mut tx = app.db.read().await?;
    let case = store::case::find(&mut tx, id).await?;
    // 400, not 404: spec 4.6 says so.
    let case = case.ok_or_else(|| Error::state(format!("case {id} does not exist")))?;
    if case.company != caller.company_id() {
        return Err(Error::forbidden("the case belongs to another company"));
    }
    if case.is_closed() {
        return Err(already_closed());
    }
    let frozen = freeze(&mut tx, &case).await?;
    drop(tx);

    let (now, share_token) = (app.clock.now(), random_key());
    let mut tx = app.db.begin().await?;
    if !store::case::close(&mut tx, case.company, id, now).await? {
        return Err(already_closed());
    }
    store::certificate::insert(&mut tx, id, &share_token, &frozen).await?;
    store::job::enqueue(&mut tx, JobKind::Seal, id.get(), now).await?;
    tx.commit().await?;
    app.wake.job(JobKind::Seal).notify_one();
    Ok(ClosedCase { case_id: id, pdf_url: certificate_url(app, &share_token) })
}

async fn freeze(tx: &mut Tx, case: &store::case::Case) -> Result<FrozenCase> {
    let owner = company(tx, case.company).await?;
    let frame = store::frame::find(tx, case.frame).await?;
    let frame = frame.ok_or_else(|| Error::internal(anyhow::anyhow!("frame {} does not exist", case.frame)))?;
    let link_context = match &case.link {
        Some(token) => store::link::find(tx, token).await?.and_then(|link| link.context),
        None => None,
    };
    Ok(FrozenCase {
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
    })
}
