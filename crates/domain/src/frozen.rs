//! The data frozen at closing: everything a certificate shows that a company manifest could change afterwards.

use sealwright_seal::Sha256Digest;
use serde::{Deserialize, Serialize};

use super::{
    certificate_extras::CertificateExtras,
    id::{CompanyId, FrameId, StepId},
    language::CertificateLanguage,
    link::LinkContext,
    step::StepAction,
    time_zone::TimeZoneName,
};

/// Company, frame and steps as they were when the case was closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrozenCase {
    pub company: CompanyId,
    pub company_name: String,
    pub certificate_template: String,
    /// The case's, or else the company's. Cases that were closed before languages existed are in English.
    #[serde(default)]
    pub language: CertificateLanguage,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub time_zone: Option<TimeZoneName>,
    /// The file of the company's logo. It may be gone when the case is sealed, if the company has changed it meanwhile.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub logo: Option<Sha256Digest>,
    #[serde(skip_serializing_if = "CertificateExtras::is_none", default)]
    pub extras: CertificateExtras,
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
