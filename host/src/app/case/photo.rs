//! A certified photo: a case of its own, opened, filled and closed in one transaction (decisions 16).

use std::sync::Arc;

use schemars::JsonSchema;
use sealwright_seal::Sha256Digest;
use serde::Serialize;
use tracing::Instrument as _;

use super::{FrameNames, close, create::Plan};
use crate::{
    app::{
        App,
        item::{FileEndpoint, FileItem},
        session::Caller,
    },
    db::{Reader, Tx},
    domain::{
        id::{CaseId, FrameId, ItemId},
        operation::Operation,
        photo::NewPhoto,
        step::StepAction,
    },
    error::{Error, Result},
    media::StoredFile,
    request_id,
    store::{self, frame::Step, job::JobKind},
};

/// A photo that is sealed as a case of its own.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CertifiedPhoto {
    pub case_id: CaseId,
    /// The public reference, `CAS-<id>_CMP-<company id>`.
    pub cf_ref: String,
    pub frame_id: FrameId,
    pub item_id: ItemId,
    /// Where the photo is served to anyone who knows the address.
    pub image_url: String,
    /// SHA-256 of the photo's bytes, in lowercase hexadecimal.
    #[schemars(with = "String")]
    pub image_hash: Sha256Digest,
    /// Where the certificate is served to anyone who knows the address.
    pub pdf_url: String,
}

/// Opens a case for the photo, already whole and durable in the blob store, and closes it. If it is rejected, the file
/// is deleted before the response, and there is no case.
///
/// Runs as a separate task: a client that hangs up now must not leave a file that no item names.
pub async fn certify(app: &Arc<App>, caller: &Caller, photo: NewPhoto, file: StoredFile) -> Result<CertifiedPhoto> {
    let (app, caller) = (Arc::clone(app), caller.clone());
    let work = async move { certify_stored(&app, &caller, photo, file).await };
    let task = tokio::spawn(request_id::scope(request_id::current(), work).in_current_span());
    task.await.map_err(Error::internal)?
}

async fn certify_stored(app: &App, caller: &Caller, photo: NewPhoto, file: StoredFile) -> Result<CertifiedPhoto> {
    match insert(app, caller, photo, &file).await {
        Ok((tx, certified)) => {
            // Before the commit: its result may get lost, and an item without a file is worse than an orphaned file.
            file.keep();
            tx.commit().await?;
            for kind in [JobKind::StampItem, JobKind::AnalyseItem, JobKind::Seal, JobKind::ConcludeAnalysis] {
                app.wake.job(kind).notify_one();
            }
            Ok(certified)
        }
        Err(refusal) => {
            file.discard().await;
            Err(refusal)
        }
    }
}

/// Checks and writes everything; the caller keeps the file and commits.
async fn insert(app: &App, caller: &Caller, photo: NewPhoto, file: &StoredFile) -> Result<(Tx, CertifiedPhoto)> {
    let now = app.clock.now();
    let frame = photo.case.frame;
    let mut reader = app.db.read().await?;
    let plan = Plan::make(&mut reader, &mut FrameNames::default(), caller, photo.case.clone(), now).await?;
    let step = photo_step(&mut reader, frame).await?;
    drop(reader);
    plan.reports.pass(app, caller.company_id()).await?;
    let item = photo.item(step.id);
    let mut tx = app.db.begin().await?;
    let written = async {
        let created = plan.carry_out(app, &mut tx, &caller.actor, now).await?;
        let case = store::case::find(&mut tx, created.id).await?;
        let case = case.ok_or_else(|| Error::internal(anyhow::anyhow!("case {} was opened just now", created.id)))?;
        let is_analysed = caller.company.document_analysis;
        let new = FileItem::of(&case, step, FileEndpoint::Capture, item, file, is_analysed)?;
        let stored = new.insert(app, &mut tx, &case, (&caller.actor, Operation::CertifyPhoto)).await?;
        let closed = close::close_in(app, &mut tx, case, &caller.actor, now).await;
        let closed = closed.map_err(|refusal| refusal.into_error(Operation::CertifyPhoto))?;
        Ok(CertifiedPhoto {
            case_id: created.id,
            cf_ref: created.cf_ref,
            frame_id: frame,
            item_id: stored.item,
            image_url: stored.url,
            image_hash: file.sha256,
            pdf_url: closed.pdf_url,
        })
    };
    let written = written.await;
    match written {
        Ok(certified) => Ok((tx, certified)),
        Err(refusal) => tx.settle(Err(refusal)).await,
    }
}

/// The only mandatory step of the frame, which must ask for a photo.
async fn photo_step(reader: &mut Reader, frame: FrameId) -> Result<Step> {
    let steps = store::frame::find(reader, frame).await?.map(|frame| frame.steps).unwrap_or_default();
    let mut mandatory = steps.into_iter().filter(|step| step.active && step.mandatory);
    match (mandatory.next(), mandatory.next()) {
        (Some(step), None) if step.action == StepAction::Photography => Ok(step),
        _ => Err(Error::state(format!("the only mandatory step of frame {frame} must be of type PHOTOGRAPHY"))),
    }
}
