//! A company's options, and the webhook settings that it manages itself (spec 4.17, decisions 4).

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    App,
    audit::{self, Event},
    session::Caller,
    webhook::{self, Credentials},
};
use crate::{
    domain::{
        company_manifest::WebhookKind,
        company_options::{AuthorizationHeader, NewApiSettings},
        id::CompanyId,
        operation::Operation,
        retry_schedule::RetrySchedule,
    },
    egress::{UrlPolicy, check_url},
    error::{Error, Result},
    store::{
        self,
        webhook::{WebhookSettings, WebhookSource},
    },
};

/// The name of the only existing settings (decisions 4).
pub const CASE_WEBHOOK: &str = "case-webhook";

/// The options of a company, and the destination of its case webhook (decisions 4).
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CompanyOptions {
    /// The caller's company.
    pub company_id: CompanyId,
    /// Whether documents are analysed: the global switch of the analysis option.
    pub document_analysis: bool,
    /// One element, or none if no case webhook is configured.
    pub api_settings: Vec<ApiSettings>,
}

/// The settings just stored (spec 4.17).
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdatedApiSettings {
    /// The caller's company.
    pub company_id: CompanyId,
    /// One element: the case webhook.
    pub api_settings: Vec<ApiSettings>,
}

/// The destination of a webhook and its authentication. It never contains a credential.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiSettings {
    /// Always `case-webhook`.
    pub api_name: &'static str,
    pub endpoints: Endpoints,
    /// `authorization` (`Authorization: Bearer`) or `security-token`. For a mode that only the operator configures, the
    /// mode's name: `hmac-sha256`, `partner-apikey`, or that of the operator's plugin.
    pub authorization_header: String,
    /// Whether a token, key or secret is stored.
    pub has_credentials: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ApiEndpoints")]
pub struct Endpoints {
    /// The URL that closed cases are posted to, as it was given.
    pub send_case: String,
}

/// What the receiver of a webhook answered to a test.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookTest {
    /// Whether the receiver answered with a status from 200 to 299.
    pub accepted: bool,
    /// The receiver's status. Null if it did not answer.
    pub status: Option<u16>,
    /// Why there is no answer. Null if there is one.
    pub error: Option<String>,
    /// The first 256 bytes of the answer's body. Null if it is empty.
    pub answer: Option<String>,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
}

/// The caller's company's options.
pub async fn read(app: &Arc<App>, caller: &Caller) -> Result<CompanyOptions> {
    let company_id = caller.company_id();
    let mut reader = app.db.read().await?;
    let stored = store::webhook::settings(&mut reader, company_id, WebhookKind::Case).await?;
    drop(reader);
    let api_settings = stored.map(|stored| shown(app, company_id, stored)).transpose()?;
    Ok(CompanyOptions {
        company_id,
        document_analysis: caller.company.document_analysis,
        api_settings: api_settings.into_iter().collect(),
    })
}

/// Sets the destination of the case webhook of the caller's company, regardless of who set it before. It takes effect
/// with the next dispatch.
pub async fn update_api_settings(
    app: &Arc<App>,
    caller: &Caller,
    request: NewApiSettings,
) -> Result<UpdatedApiSettings> {
    let policy =
        if app.config.webhook.allow_private_addresses { UrlPolicy::AllowPrivate } else { UrlPolicy::SettingsApi };
    check_url(&request.endpoint, policy).map_err(|error| Error::invalid(format!("endpoint is refused: {error}")))?;
    let company_id = caller.company_id();
    let credentials = Credentials { key_id: None, secret: Some(request.auth_token), previous: None };
    let mut settings = WebhookSettings {
        endpoint: request.endpoint,
        mode: request.authorization_header.mode().to_owned(),
        credentials: credentials.encrypt(app, company_id, WebhookKind::Case)?,
        source: WebhookSource::Api,
        retries: RetrySchedule::default(),
    };
    let mut tx = app.db.begin().await?;
    let saved = async {
        // The operator's schedule stays.
        if let Some(before) = store::webhook::settings(&mut tx, company_id, WebhookKind::Case).await? {
            settings.retries = before.retries;
        }
        store::webhook::save_settings(&mut tx, company_id, WebhookKind::Case, &settings).await?;
        webhook::resume(&mut tx, company_id, WebhookKind::Case, app.clock.now()).await?;
        let event = Event::of(Operation::UpdateApiSettings, company_id, Some(CASE_WEBHOOK.to_owned()));
        audit::record(&mut tx, app.clock.now(), &caller.actor, event).await
    };
    let saved = saved.await.map_err(Error::from);
    tx.settle(saved).await?;
    Ok(UpdatedApiSettings { company_id, api_settings: vec![shown(app, company_id, settings)?] })
}

/// Sends a test to the receiver of the case webhook of the caller's company, and returns its answer.
///
/// # Errors
/// [`Error::State`] if the company has no case webhook.
pub async fn test_case_webhook(app: &Arc<App>, caller: &Caller) -> Result<WebhookTest> {
    let company_id = caller.company_id();
    let event = Event::of(Operation::TestCaseWebhook, company_id, Some(CASE_WEBHOOK.to_owned()));
    audit::record_alone(app, &caller.actor, event).await?;
    let sent = webhook::send_test(app, company_id, WebhookKind::Case).await?;
    let (status, error) = match sent.outcome {
        Ok(status) => (Some(status), None),
        Err(error) => (None, Some(error)),
    };
    Ok(WebhookTest {
        accepted: status.is_some_and(|status| (200..300).contains(&status)),
        status,
        error,
        answer: sent.answer,
        duration_ms: u64::try_from(sent.duration.as_millis()).unwrap_or(u64::MAX),
    })
}

fn shown(app: &App, company: CompanyId, settings: WebhookSettings) -> Result<ApiSettings> {
    let credentials = Credentials::decrypt(app, company, WebhookKind::Case, &settings.credentials)?;
    let header = AuthorizationHeader::of_mode(&settings.mode).map(|header| header.into_str().to_owned());
    Ok(ApiSettings {
        api_name: CASE_WEBHOOK,
        endpoints: Endpoints { send_case: settings.endpoint },
        authorization_header: header.unwrap_or(settings.mode),
        has_credentials: credentials.key_id.is_some() || credentials.secret.is_some(),
    })
}
