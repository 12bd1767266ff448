//! Frames as the API returns them.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use quick_cache::sync::Cache;
use schemars::JsonSchema;
use serde::Serialize;

use super::{App, session::Caller};
use crate::{
    clock::Timestamp,
    domain::{
        id::{CompanyId, FrameId, StepId},
        step::StepAction,
    },
    error::{Error, Result},
    store,
};

/// How long a company's frames are remembered; `apply` promises to take effect within 5 s.
const FRAMES_FRESH: Duration = Duration::from_secs(2);
const COMPANIES_REMEMBERED: usize = 1_000;

/// A frame (spec 2.1).
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Frame")]
pub struct FrameView {
    pub id: FrameId,
    pub name: String,
    /// In their order.
    pub steps: Vec<StepView>,
}

/// A step of a frame (spec 2.1).
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Step")]
pub struct StepView {
    /// The `stepId` of items.
    pub id: StepId,
    pub title: String,
    /// Empty if the operator gave none.
    pub description: String,
    pub step_action: StepAction,
    /// Whether the certificate lists the step as missing when it has no item.
    pub is_mandatory: bool,
}

/// Companies' frames as JSON, read in the last two seconds.
pub type FrameCache = Cache<CompanyId, (Timestamp, Bytes)>;

pub fn frame_cache() -> FrameCache {
    Cache::new(COMPANIES_REMEMBERED)
}

/// The frames the caller's company may open cases on, as a JSON array of [`FrameView`]: its own, then those its parent
/// shares (spec 4.2, decisions 4).
pub async fn list(app: &Arc<App>, caller: &Caller) -> Result<Bytes> {
    let now = app.clock.now();
    if let Some((read, frames)) = app.frames.get(&caller.company_id())
        && now < read.after(FRAMES_FRESH)
    {
        return Ok(frames);
    }
    let mut reader = app.db.read().await?;
    let frames = store::frame::accessible(&mut reader, caller.company_id()).await?;
    let frames: Vec<FrameView> = frames.into_iter().map(view).collect();
    let frames = Bytes::from(serde_json::to_vec(&frames).map_err(Error::internal)?);
    app.frames.insert(caller.company_id(), (now, frames.clone()));
    Ok(frames)
}

fn view(frame: store::frame::Frame) -> FrameView {
    let steps = frame.steps.into_iter().map(|step| StepView {
        id: step.id,
        title: step.title,
        description: step.description,
        step_action: step.action,
        is_mandatory: step.mandatory,
    });
    FrameView { id: frame.id, name: frame.name, steps: steps.collect() }
}
