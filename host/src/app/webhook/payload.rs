//! The bodies of the webhooks (spec 6.1, 6.2).

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    app::{App, case::certificate_url, shown_item::shown_item},
    clock::Timestamp,
    domain::{
        analysis::{AnalysisProgress, CaseAnalysis, TrustLevel},
        console::Outcome,
        context::webhook_context,
        id::CaseId,
        link::LinkContext,
        metadata::Metadata,
        report::ReportToken,
        step::StepAction,
    },
    error::{Error, Result},
    store::{
        analysis::{ItemAnalysis, Verdict},
        case::Case,
        certificate::Certificate,
        decision::StoredDecision,
        item::Item,
    },
};

/// Sent when a case was closed.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaseWebhook<'a> {
    /// The case's public reference, and the idempotency key.
    pub cf_ref: String,
    pub created_at: Timestamp,
    /// The report token of the case. Absent if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub report_id: Option<&'a str>,
    /// The frame's name.
    pub frame: &'a str,
    /// Always true.
    pub closed: bool,
    /// The certificate. Null if it could not be made.
    pub case_url: Option<String>,
    pub items: Vec<WebhookItem<'a>>,
    /// The case's `visibleData` under its internal keys, or its link's `context` unchanged. Absent if there is neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Map<String, Value>")]
    pub context: Option<Context<'a>>,
    /// As it was given. Absent if the case has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Metadata")]
    pub metadata: Option<&'a Map<String, Value>>,
}

/// The two origins of a context (spec 6.1).
#[derive(Serialize)]
#[serde(untagged)]
pub enum Context<'a> {
    /// The case's own, under its internal keys.
    OfCase(Value),
    /// The link's, as it was given.
    OfLink(&'a LinkContext),
}

/// An item of a closed case.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookItem<'a> {
    pub created_at: Timestamp,
    /// The item's public reference.
    pub cf_ref: String,
    /// The step's title.
    pub title: &'a str,
    /// What was collected: the entered value, a file's name, or a video's address.
    pub description: String,
    pub step_action: StepAction,
    /// Empty if there is no position.
    pub geoloc_latitude: &'a str,
    /// Empty if there is no position.
    pub geoloc_longitude: &'a str,
    /// The picture of a photo or signature; empty otherwise.
    pub image_url: String,
    /// The fields read from a document. Absent unless the step reads fields; a field that the document does not have,
    /// or that was not read in time, is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<ExtractedData<'_>>")]
    pub extracted_data: Option<Vec<ExtractedData<'a>>>,
}

/// One field read from a document.
#[derive(Serialize, JsonSchema)]
pub struct ExtractedData<'a> {
    /// For example `documentNumber`.
    pub key: &'a str,
    /// For people, as written in the company manifest.
    pub label: &'a str,
    /// As in the document; dates as `yyyy-mm-dd`, amounts with a point before the decimals.
    pub value: &'a str,
}

/// Sent when the analysis of a closed case has ended.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnalysisWebhook<'a> {
    /// The case; a newer webhook for the same case replaces this one.
    pub case_id: CaseId,
    /// The case's public reference.
    pub cf_ref: String,
    pub progress: AnalysisProgress,
    /// 0 to 100; 100 is the most confidence.
    pub trust_score: u8,
    /// The level of `trust_score`.
    pub analyze_status: TrustLevel,
    /// As returned by `GET /cases/:caseId/analysis`.
    pub analysis: &'a CaseAnalysis,
}

/// Sent when a reviewer decided on a case.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionWebhook<'a> {
    /// The case; a newer webhook for the same case replaces this one.
    pub case_id: CaseId,
    /// The case's public reference.
    pub cf_ref: String,
    /// The report token of the case. Absent if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub report_id: Option<&'a str>,
    pub outcome: Outcome,
    /// Empty if the reviewer gave none.
    pub reason: String,
    /// The username of the reviewer in the console.
    pub decided_by: String,
    pub decided_at: Timestamp,
}

/// The body as it is sent and signed.
pub(super) fn case_webhook(
    app: &App,
    case: &Case,
    certificate: &Certificate,
    items: &[Item],
    analyses: &[ItemAnalysis],
) -> Result<Vec<u8>> {
    let own = case.context.as_ref().and_then(webhook_context).map(Context::OfCase);
    let body = CaseWebhook {
        cf_ref: case.reference().to_string(),
        created_at: case.created_at,
        report_id: case.report_token.as_ref().map(ReportToken::as_str),
        frame: &certificate.frozen.frame_name,
        closed: true,
        // Null if no certificate could be made (decisions 12). One that is replaced just now keeps its address.
        case_url: certificate.failure.is_none().then(|| certificate_url(app, &certificate.share_token)),
        items: items.iter().map(|item| webhook_item(app, item, analyses)).collect(),
        // A case's own context wins over its link's (decisions 5).
        context: own.or_else(|| certificate.frozen.link_context.as_ref().map(Context::OfLink)),
        metadata: case.metadata.as_ref(),
    };
    serde_json::to_vec(&body).map_err(Error::internal)
}

/// The body of the analysis webhook (spec 6.2): the response of the read endpoint, and how the analysis ended.
pub(super) fn analysis_webhook(case: &Case, verdict: &Verdict) -> Result<Vec<u8>> {
    let body = AnalysisWebhook {
        case_id: case.id,
        cf_ref: case.reference().to_string(),
        progress: verdict.progress,
        trust_score: verdict.analysis.trust_score,
        analyze_status: verdict.analysis.trust_level,
        analysis: &verdict.analysis,
    };
    serde_json::to_vec(&body).map_err(Error::internal)
}

/// The body of the decision webhook: what `GET /v2/cases/:caseId/decision` returns, and which case it is about.
pub(super) fn decision_webhook(case: &Case, decision: StoredDecision) -> Result<Vec<u8>> {
    let StoredDecision { id: _, case: case_id, outcome, reason, decided_by, decided_at } = decision;
    let body = DecisionWebhook {
        case_id,
        cf_ref: case.reference().to_string(),
        report_id: case.report_token.as_ref().map(ReportToken::as_str),
        outcome,
        reason,
        decided_by,
        decided_at,
    };
    serde_json::to_vec(&body).map_err(Error::internal)
}

fn webhook_item<'a>(app: &App, item: &'a Item, analyses: &'a [ItemAnalysis]) -> WebhookItem<'a> {
    let shown = shown_item(app, item);
    let analysis = analyses.iter().find(|analysis| analysis.item == item.id);
    WebhookItem {
        created_at: shown.created_at,
        cf_ref: shown.cf_ref,
        title: shown.step_title,
        description: shown.value,
        step_action: shown.action,
        geoloc_latitude: shown.latitude,
        geoloc_longitude: shown.longitude,
        // An empty text if there is none (spec 6.1).
        image_url: shown.image_url.unwrap_or_default(),
        extracted_data: analysis.and_then(extracted_data),
    }
}

fn extracted_data(analysis: &ItemAnalysis) -> Option<Vec<ExtractedData<'_>>> {
    let plan = analysis.plan.as_ref().filter(|plan| !plan.extract.is_empty())?;
    let read = plan.extract.iter().filter_map(|field| {
        let found = analysis.extracted.iter().find(|found| found.key == field.key)?;
        Some(ExtractedData { key: &field.key, label: &field.label, value: &found.value })
    });
    Some(read.collect())
}
