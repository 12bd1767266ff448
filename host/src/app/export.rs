//! A stored company as its company manifest (operator.md, `sealwright company export`). Applying it changes nothing.

use std::collections::BTreeMap;

use strum::VariantArray as _;

use crate::{
    app::{
        App,
        audit::{self, Actor, Event},
        webhook::Credentials,
    },
    db::Reader,
    domain::{
        appearance::{Appearance, Logo},
        company_manifest::{self, CompanyManifest, Login, Password, WebhookKind},
        id::CompanyId,
        operation::Operation,
    },
    error::{Error, Result},
    secrets::SecretString,
    store::{
        self,
        company::Company,
        frame::{Frame, Step},
        user::User,
        webhook::{WebhookSettings, WebhookSource},
    },
};

/// A company's manifest, made from the database.
#[derive(Debug)]
pub struct ExportedCompany {
    /// The text of the file, with the passwords' hashes and the webhooks' secrets.
    pub manifest: String,
    /// Webhooks that the company set through the API. They are not in the manifest: `apply` leaves them as they are,
    /// and in the manifest they would become the operator's.
    pub own_webhooks: Vec<WebhookKind>,
}

/// Makes the manifest of a company; none if the company does not exist.
pub async fn export(app: &App, actor: &Actor, id: CompanyId) -> Result<Option<ExportedCompany>> {
    let mut tx = app.db.begin().await?;
    let Some(stored) = read(app, &mut tx, id).await? else { return Ok(None) };
    let event = Event::done("exportCompany", Some(id), Some(format!("company {id}")));
    audit::record(&mut tx, app.clock.now(), actor, event).await?;
    tx.commit().await?;
    let manifest = stored.manifest.to_toml().map_err(Error::internal)?;
    Ok(Some(ExportedCompany { manifest, own_webhooks: stored.own_webhooks }))
}

/// A stored company.
#[derive(Debug)]
pub struct StoredCompany {
    pub company: Company,
    pub manifest: CompanyManifest,
    /// As in [`ExportedCompany`].
    pub own_webhooks: Vec<WebhookKind>,
}

/// Reads everything that a company's manifest holds.
pub async fn read(app: &App, reader: &mut Reader, id: CompanyId) -> Result<Option<StoredCompany>> {
    let Some(company) = store::company::find(reader, id).await? else { return Ok(None) };
    let users = store::user::of_company(reader, id).await?;
    let frames = store::frame::of_company(reader, id).await?;
    let (mut webhooks, mut own_webhooks) = (BTreeMap::new(), Vec::new());
    for &kind in WebhookKind::VARIANTS {
        match store::webhook::settings(reader, id, kind).await? {
            None => {}
            Some(stored) if stored.source == WebhookSource::Api => own_webhooks.push(kind),
            Some(stored) => drop(webhooks.insert(kind, manifest_webhook(app, id, kind, stored)?)),
        }
    }
    let manifest = CompanyManifest {
        file: String::new(),
        users: users.into_iter().filter(|user| user.active).map(manifest_user).collect(),
        frames: frames.into_iter().filter(|frame| frame.active).map(manifest_frame).collect(),
        weights: company.analysis.weights,
        plugins: company.analysis.plugins.iter().cloned().map(manifest_plugin).collect(),
        company: manifest_company(reader, company.clone()).await?,
        webhooks,
    };
    Ok(Some(StoredCompany { company, manifest, own_webhooks }))
}

fn manifest_webhook(
    app: &App,
    company: CompanyId,
    kind: WebhookKind,
    stored: WebhookSettings,
) -> Result<company_manifest::Webhook> {
    let Credentials { key_id, secret, previous } = Credentials::decrypt(app, company, kind, &stored.credentials)?;
    // `auth_token` and `api_secret` are one secret in the database.
    let (auth_token, api_secret) =
        if company_manifest::sends_auth_token(&stored.mode) { (secret, None) } else { (None, secret) };
    Ok(company_manifest::Webhook {
        endpoint: stored.endpoint,
        auth: stored.mode,
        credentials: company_manifest::Credentials { auth_token, api_key: key_id, api_secret, previous },
        retries: stored.retries,
        line: 0,
    })
}

async fn manifest_company(reader: &mut Reader, company: Company) -> Result<company_manifest::Company> {
    let logo = match company.logo {
        Some(sha256) => store::logo::find(reader, sha256).await?.and_then(|file| Logo::new(file.bytes, 0)),
        None => None,
    };
    let quotas = company.rate_limits.iter();
    let quotas = quotas.filter_map(|(key, limit)| Some((Operation::by_key(key)?.operation, *limit)));
    Ok(company_manifest::Company {
        rate_limits: quotas.collect(),
        id: company.id,
        name: company.name,
        parent: company.parent,
        document_analysis: company.document_analysis,
        certificate_template: company.certificate_template,
        language: company.language,
        time_zone: company.time_zone,
        extras: company.extras,
        appearance: Appearance { colour: company.colour, logo },
        audit_days: company.audit_days,
        retention: company.retention,
        line: 0,
    })
}

fn manifest_user(user: User) -> company_manifest::User {
    let login = user.username.zip(user.password_hash);
    company_manifest::User {
        login: login.map(|(username, hash)| Login { username, password: Password::Hash(SecretString::new(hash)) }),
        id: user.id,
        kind: user.kind,
        name: user.name,
        email: user.email,
        oidc_subject: user.oidc_subject,
        rights: user.rights,
        logged_in: user.logged_in,
        line: 0,
    }
}

fn manifest_frame(frame: Frame) -> company_manifest::Frame {
    company_manifest::Frame {
        id: frame.id,
        name: frame.name,
        shared_with_children: frame.shared_with_children,
        quick: frame.quick,
        steps: frame.steps.into_iter().filter(|step| step.active).map(manifest_step).collect(),
        line: 0,
    }
}

fn manifest_step(step: Step) -> company_manifest::Step {
    let Step { id, title, description, action, mandatory, options, analysis, active: _ } = step;
    company_manifest::Step { id, title, description, action, mandatory, options, analysis, line: 0 }
}

fn manifest_plugin(plugin: store::company::AnalysisPlugin) -> company_manifest::AnalysisPlugin {
    let store::company::AnalysisPlugin { name, role, sha256, oci, settings, shadow } = plugin;
    company_manifest::AnalysisPlugin { name, role, sha256, oci, settings, shadow, line: 0 }
}
