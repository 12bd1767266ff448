//! A company's options, and the webhook settings that it makes itself (spec 4.17, decisions 4).

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::{App, session::Caller, webhook::Credentials};
use crate::{
    domain::{
        company_options::{AuthorizationHeader, NewApiSettings},
        id::CompanyId,
    },
    egress::{UrlPolicy, check_url},
    error::{Error, Result},
    store::{
        self,
        webhook::{WebhookKind, WebhookSettings, WebhookSource},
    },
};

/// The name of the only settings there are (decisions 4).
pub const CASE_WEBHOOK: &str = "case-webhook";

/// What a company has switched on, and where its case webhook goes (decisions 4).
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CompanyOptions {
    /// The caller's company.
    pub company_id: CompanyId,
    /// Whether documents are analysed: the global switch of the analysis option.
    pub document_analysis: bool,
    /// One element, or none where no case webhook is configured.
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

/// Where a webhook goes and how it is authenticated. No credential is ever in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiSettings {
    /// Always `case-webhook`.
    pub api_name: &'static str,
    pub endpoints: Endpoints,
    /// `authorization` (`Authorization: Bearer`) or `security-token`. For a mode that only the operator configures, the
    /// mode's name: `hmac-sha256`, `partner-apikey`, or that of a plugin of theirs.
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

/// The caller's company's options.
pub async fn read(app: &Arc<App>, caller: &Caller) -> Result<CompanyOptions> {
    let company_id = caller.company_id();
    let mut tx = app.db.read().await?;
    let stored = store::webhook::settings(&mut tx, company_id, WebhookKind::Case).await?;
    drop(tx);
    let api_settings = stored.map(|stored| shown(app, company_id, stored)).transpose()?;
    Ok(CompanyOptions {
        company_id,
        document_analysis: caller.company.document_analysis,
        api_settings: api_settings.into_iter().collect(),
    })
}

/// Sets where the case webhook of the caller's company goes, whoever set it before; it counts from the next dispatch.
pub async fn update_api_settings(app: &Arc<App>, caller: &Caller, wish: NewApiSettings) -> Result<UpdatedApiSettings> {
    let policy =
        if app.config.webhook.allow_private_addresses { UrlPolicy::AllowPrivate } else { UrlPolicy::SettingsApi };
    check_url(&wish.endpoint, policy).map_err(|error| Error::invalid(format!("endpoint is refused: {error}")))?;
    let company_id = caller.company_id();
    let credentials = Credentials { key_id: None, secret: Some(wish.auth_token) };
    let settings = WebhookSettings {
        endpoint: wish.endpoint,
        mode: wish.authorization_header.mode().to_owned(),
        credentials: credentials.encrypt(app, company_id, WebhookKind::Case)?,
        source: WebhookSource::Api,
    };
    let mut tx = app.db.begin().await?;
    store::webhook::save_settings(&mut tx, company_id, WebhookKind::Case, &settings).await?;
    tx.commit().await?;
    Ok(UpdatedApiSettings { company_id, api_settings: vec![shown(app, company_id, settings)?] })
}

fn shown(app: &App, company: CompanyId, settings: WebhookSettings) -> Result<ApiSettings> {
    let credentials = Credentials::decrypt(app, company, WebhookKind::Case, &settings.credentials)?;
    let header = AuthorizationHeader::of_mode(&settings.mode).map(|header| header.as_str().to_owned());
    Ok(ApiSettings {
        api_name: CASE_WEBHOOK,
        endpoints: Endpoints { send_case: settings.endpoint },
        authorization_header: header.unwrap_or(settings.mode),
        has_credentials: credentials.key_id.is_some() || credentials.secret.is_some(),
    })
}
