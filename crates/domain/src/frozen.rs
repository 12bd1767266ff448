//! The data frozen at closing: everything a certificate shows that a company manifest could change afterwards.

use serde::{Deserialize, Serialize};

use super::{
    id::{CompanyId, FrameId, StepId},
    link::LinkContext,
    step::StepAction,
};

/// Company, frame and steps as they were when the case was closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrozenCase {
    pub company: CompanyId,
    pub company_name: String,
    pub certificate_template: String,
    pub frame: FrameId,
    pub frame_name: String,
    pub steps: Vec<FrozenStep>,
    /// The context of the link the case was opened on, which the webhook returns unchanged (spec 6.1).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub link_context: Option<LinkContext>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrozenStep {
    pub id: StepId,
    pub title: String,
    pub description: String,
    pub action: StepAction,
    pub mandatory: bool,
}
