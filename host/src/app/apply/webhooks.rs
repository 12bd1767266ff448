//! The destinations of the company's webhooks.

use strum::VariantArray as _;

use super::{ApplyError, Run, classify};
use crate::{
    app::webhook::{self as use_case, Credentials},
    db::Tx,
    domain::{
        apply_report::{ApplyReport, Change, ChangeKind},
        company_manifest::{CompanyManifest, Webhook, WebhookKind},
        id::CompanyId,
        retry_schedule::RetrySchedule,
    },
    egress::{UrlPolicy, check_url, is_plaintext},
    store::webhook::{self, WebhookSettings, WebhookSource},
};

pub(super) async fn apply(
    run: &mut Run<'_>,
    tx: &mut Tx,
    manifest: &CompanyManifest,
    report: &mut ApplyReport,
) -> Result<(), ApplyError> {
    for &kind in WebhookKind::VARIANTS {
        let stored = webhook::settings(tx, manifest.company.id, kind).await?;
        let change = Change::new(ChangeKind::Webhook, &kind.into_str(), None);
        match manifest.webhooks.get(&kind) {
            Some(webhook) => {
                let wanted = WebhookRow::of(webhook);
                let stored =
                    stored.map(|stored| WebhookRow::stored(run, manifest.company.id, kind, stored)).transpose()?;
                let is_as_before = stored.as_ref().is_some_and(|stored| stored.differing(&wanted).is_empty());
                if !is_as_before || run.is_from_file() {
                    check(run, manifest, kind, webhook);
                }
                if classify(report, change, stored.as_ref(), &wanted, WebhookRow::differing) {
                    webhook::save_settings(
                        tx,
                        manifest.company.id,
                        kind,
                        &wanted.settings(run, manifest.company.id, kind)?,
                    )
                    .await?;
                    use_case::resume(tx, manifest.company.id, kind, run.app.clock.now()).await?;
                }
            }
            None if stored.is_some_and(|stored| stored.source == WebhookSource::Manifest) => {
                report.deactivated.push(change);
                webhook::delete_settings(tx, manifest.company.id, kind).await?;
                use_case::resume(tx, manifest.company.id, kind, run.app.clock.now()).await?;
            }
            // Settings made through the API belong to the company.
            None => {}
        }
    }
    Ok(())
}

/// Checks what cannot be checked in the file alone: the form of the address, and that the mode is loaded.
fn check(run: &mut Run<'_>, manifest: &CompanyManifest, kind: WebhookKind, webhook: &Webhook) {
    let path = |field: &str| format!("webhook.{}.{field}", kind.into_str());
    let policy = if run.app.config.webhook.allow_private_addresses {
        UrlPolicy::AllowPrivate
    } else if run.is_from_file() {
        UrlPolicy::CompanyManifest
    } else {
        // An administrator of a company is trusted as much as its programs.
        UrlPolicy::SettingsApi
    };
    match check_url(&webhook.endpoint, policy) {
        Err(error) => run.refuse(manifest, webhook.line, path("endpoint"), error.to_string()),
        Ok(url) if policy == UrlPolicy::CompanyManifest && is_plaintext(&url) => {
            let message = "the endpoint is not https: its contents and credentials can be read in transit";
            run.warn(manifest, webhook.line, path("endpoint"), message);
        }
        Ok(_) => {}
    }
    if !run.app.plugins.has_webhook_mode(&webhook.auth) {
        let loaded = run.app.plugins.webhook_modes().join(", ");
        let message = format!("no webhook-auth mode is called {:?}; expected one of {loaded}", webhook.auth);
        run.refuse(manifest, webhook.line, path("auth"), message);
    }
}

/// A webhook's settings with its credentials in the clear, to be compared.
struct WebhookRow {
    endpoint: String,
    mode: String,
    credentials: Credentials,
    source: WebhookSource,
    retries: RetrySchedule,
}

impl WebhookRow {
    fn of(webhook: &Webhook) -> Self {
        let credentials = webhook.credentials.clone();
        Self {
            endpoint: webhook.endpoint.clone(),
            mode: webhook.auth.clone(),
            credentials: Credentials {
                key_id: credentials.api_key,
                secret: credentials.auth_token.or(credentials.api_secret),
                previous: credentials.previous,
            },
            source: WebhookSource::Manifest,
            retries: webhook.retries.clone(),
        }
    }

    fn stored(
        run: &Run<'_>,
        company: CompanyId,
        kind: WebhookKind,
        stored: WebhookSettings,
    ) -> Result<Self, ApplyError> {
        let credentials = Credentials::decrypt(run.app, company, kind, &stored.credentials)?;
        let WebhookSettings { endpoint, mode, credentials: _, source, retries } = stored;
        Ok(Self { endpoint, mode, credentials, source, retries })
    }

    fn settings(&self, run: &Run<'_>, company: CompanyId, kind: WebhookKind) -> Result<WebhookSettings, ApplyError> {
        Ok(WebhookSettings {
            endpoint: self.endpoint.clone(),
            mode: self.mode.clone(),
            credentials: self.credentials.encrypt(run.app, company, kind)?,
            source: self.source,
            retries: self.retries.clone(),
        })
    }

    fn differing(&self, wanted: &Self) -> Vec<&'static str> {
        let mut fields = super::differing!(self, wanted; "endpoint" => endpoint, "auth" => mode,
                                           "credentials" => credentials, "retry_seconds" => retries);
        // Set through the API in between: the file takes over again, even if the values are the same.
        if self.source != wanted.source && fields.is_empty() {
            fields.push("source");
        }
        fields
    }
}
