//! The body of the case webhook (spec 6.1).

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    app::{App, case::certificate_url, item::file_url},
    clock::Timestamp,
    domain::{context::webhook_context, report::ReportToken, step::StepAction},
    error::{Error, Result},
    store::{case::Case, certificate::Certificate, item::Item},
};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CaseWebhook<'a> {
    cf_ref: String,
    created_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    report_id: Option<&'a str>,
    frame: &'a str,
    closed: bool,
    case_url: Option<String>,
    items: Vec<WebhookItem<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<&'a Map<String, Value>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WebhookItem<'a> {
    created_at: Timestamp,
    cf_ref: String,
    title: &'a str,
    description: String,
    step_action: StepAction,
    geoloc_latitude: &'a str,
    geoloc_longitude: &'a str,
    image_url: String,
}

/// The body as it is sent and signed.
pub(super) fn case_webhook(app: &App, case: &Case, certificate: &Certificate, items: &[Item]) -> Result<Vec<u8>> {
    let link_context = || certificate.frozen.link_context.clone().map(Value::Object);
    let body = CaseWebhook {
        cf_ref: case.reference().to_string(),
        created_at: case.created_at,
        report_id: case.report_token.as_ref().map(ReportToken::as_str),
        frame: &certificate.frozen.frame_name,
        closed: true,
        // Null where no certificate could be made (decisions 12).
        case_url: certificate.pdf.is_some().then(|| certificate_url(app, &certificate.share_token)),
        items: items.iter().map(|item| webhook_item(app, item)).collect(),
        // A case's own context wins over its link's (decisions 5).
        context: case.context.as_ref().and_then(webhook_context).or_else(link_context),
        metadata: case.metadata.as_ref(),
    };
    serde_json::to_vec(&body).map_err(Error::internal)
}

fn webhook_item<'a>(app: &App, item: &'a Item) -> WebhookItem<'a> {
    let content = &item.content;
    let url = content.file.as_ref().map(|file| file_url(app, content.action, &file.media_key));
    let (description, image_url) = match content.action {
        // A video's data is its URL (decisions 8); the field for images stays empty (spec 6.1).
        StepAction::Video => (url.unwrap_or_else(|| content.data.clone()), String::new()),
        StepAction::Photography | StepAction::Signature => (content.data.clone(), url.unwrap_or_default()),
        _ => (content.data.clone(), String::new()),
    };
    let position = content.position.as_ref();
    WebhookItem {
        created_at: item.created_at,
        cf_ref: item.reference().to_string(),
        title: &content.step_title,
        description,
        step_action: content.action,
        geoloc_latitude: position.map_or("", |position| &position.latitude),
        geoloc_longitude: position.map_or("", |position| &position.longitude),
        image_url,
    }
}
