//! Writes a company manifest as its file. What has its default value is left out.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sealwright_base::secrets::SecretString;
use serde::Serialize;

use super::{
    AnalysisPlugin, CompanyManifest, Credentials, Frame, Password, Retention, SignalWeights, Step, User, Webhook,
};
use crate::{
    certificate_extras::CertificateExtras,
    id::{CompanyId, FrameId, StepId, UserId},
    language::CertificateLanguage,
    openid::OidcSubject,
    step::{CrossCheck, ExtractedField, StepAction, StepAnalysis},
    time_zone::TimeZoneName,
};

impl CompanyManifest {
    /// The text that [`parse`](super::parse) reads as this manifest. It holds the secrets in plain text, and the logo in
    /// base64, so it needs no other file.
    ///
    /// # Errors
    /// A plugin's settings hold something that TOML cannot express, such as `null`.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string_pretty(&File::of(self))
    }
}

#[derive(Serialize)]
struct File<'a> {
    company: CompanyTable<'a>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    user: Vec<UserTable<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    frame: Vec<FrameTable<'a>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    webhook: BTreeMap<&'static str, WebhookTable<'a>>,
    analysis: Option<AnalysisTable<'a>>,
}

#[derive(Serialize)]
struct CompanyTable<'a> {
    id: CompanyId,
    name: &'a str,
    parent: Option<CompanyId>,
    document_analysis: bool,
    certificate_template: &'a str,
    language: Option<CertificateLanguage>,
    time_zone: Option<&'a str>,
    embed_originals: Option<String>,
    show_documents: Option<u32>,
    audit_days: Option<u32>,
    case_days: Option<u32>,
    original_days: Option<u32>,
    fact_days: Option<u32>,
    delivery_days: Option<u32>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    rate_limits: BTreeMap<String, u32>,
    appearance: Option<AppearanceTable>,
}

#[derive(Serialize)]
struct AppearanceTable {
    colour: Option<String>,
    logo_base64: Option<String>,
}

#[derive(Serialize)]
struct UserTable<'a> {
    id: &'a UserId,
    username: Option<&'a str>,
    password: Option<&'a str>,
    password_hash: Option<&'a str>,
    email: Option<&'a str>,
    name: &'a str,
    kind: String,
    oidc_subject: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    rights: Vec<&'static str>,
    #[serde(skip_serializing_if = "is_false")]
    logged_in: bool,
}

#[derive(Serialize)]
struct FrameTable<'a> {
    id: FrameId,
    name: &'a str,
    #[serde(skip_serializing_if = "is_false")]
    shared_with_children: bool,
    #[serde(skip_serializing_if = "is_false")]
    quick: bool,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    step: Vec<StepTable<'a>>,
}

#[derive(Serialize)]
struct StepTable<'a> {
    id: StepId,
    title: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    action: StepAction,
    #[serde(skip_serializing_if = "is_false")]
    mandatory: bool,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    options: &'a [String],
    analysis: Option<StepAnalysisTable<'a>>,
}

#[derive(Serialize)]
struct StepAnalysisTable<'a> {
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    document_types: &'a [String],
    #[serde(skip_serializing_if = "is_false")]
    other_document: bool,
    /// Left out with `delete_after_analysis`, which cancels it.
    timestamp_and_signature: Option<bool>,
    #[serde(skip_serializing_if = "is_false")]
    delete_after_analysis: bool,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    cross_check: &'a [CrossCheck],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    extract: &'a [ExtractedField],
}

#[derive(Serialize)]
struct WebhookTable<'a> {
    endpoint: &'a str,
    auth: &'a str,
    auth_token: Option<&'a str>,
    api_key: Option<&'a str>,
    api_secret: Option<&'a str>,
    previous_api_secret: Option<&'a str>,
    previous_until: Option<String>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    retry_seconds: &'a [u32],
}

#[derive(Serialize)]
struct AnalysisTable<'a> {
    weights: Option<SignalWeights>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    plugin: Vec<PluginTable<'a>>,
}

#[derive(Serialize)]
struct PluginTable<'a> {
    name: &'a str,
    role: &'static str,
    sha256: Option<String>,
    oci: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    shadow: bool,
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    settings: &'a serde_json::Map<String, serde_json::Value>,
}

impl<'a> File<'a> {
    fn of(manifest: &'a CompanyManifest) -> Self {
        let CompanyManifest { file: _, company, users, frames, webhooks, weights, plugins } = manifest;
        let weights = (*weights != SignalWeights::default()).then_some(*weights);
        Self {
            company: CompanyTable::of(company),
            user: users.iter().map(UserTable::of).collect(),
            frame: frames.iter().map(FrameTable::of).collect(),
            webhook: webhooks.iter().map(|(kind, webhook)| (kind.into_str(), WebhookTable::of(webhook))).collect(),
            analysis: (weights.is_some() || !plugins.is_empty())
                .then(|| AnalysisTable { weights, plugin: plugins.iter().map(PluginTable::of).collect() }),
        }
    }
}

impl<'a> CompanyTable<'a> {
    fn of(company: &'a super::Company) -> Self {
        let super::Company {
            id,
            name,
            parent,
            document_analysis,
            certificate_template,
            language,
            time_zone,
            extras: CertificateExtras { embed_originals, show_documents },
            appearance,
            rate_limits,
            audit_days,
            retention: Retention { case_days, original_days, fact_days, delivery_days },
            line: _,
        } = company;
        let appearance = (appearance.colour.is_some() || appearance.logo.is_some()).then(|| AppearanceTable {
            colour: appearance.colour.map(|colour| colour.to_string()),
            logo_base64: appearance.logo.as_ref().map(|logo| STANDARD.encode(&logo.bytes)),
        });
        Self {
            id: *id,
            name,
            parent: *parent,
            document_analysis: *document_analysis,
            certificate_template,
            language: (*language != CertificateLanguage::default()).then_some(*language),
            time_zone: time_zone.as_ref().map(TimeZoneName::as_str),
            embed_originals: (embed_originals.bytes() > 0).then(|| embed_originals.to_string()),
            show_documents: (*show_documents > 0).then_some(*show_documents),
            audit_days: *audit_days,
            case_days: *case_days,
            original_days: *original_days,
            fact_days: *fact_days,
            delivery_days: *delivery_days,
            rate_limits: rate_limits.iter().map(|(operation, limit)| (operation.properties().key(), *limit)).collect(),
            appearance,
        }
    }
}

impl<'a> UserTable<'a> {
    fn of(user: &'a User) -> Self {
        let User { id, kind, name, email, login, oidc_subject, rights, logged_in, line: _ } = user;
        let (password, password_hash) = match login.as_ref().map(|login| &login.password) {
            Some(Password::Plain(password)) => (Some(password.expose()), None),
            Some(Password::Hash(hash)) => (None, Some(hash.expose())),
            None => (None, None),
        };
        Self {
            id,
            username: login.as_ref().map(|login| login.username.as_str()),
            password,
            password_hash,
            email: email.as_deref(),
            name,
            kind: kind.to_string(),
            oidc_subject: oidc_subject.as_ref().map(OidcSubject::as_str),
            rights: rights.words(),
            logged_in: *logged_in,
        }
    }
}

impl<'a> FrameTable<'a> {
    fn of(frame: &'a Frame) -> Self {
        let Frame { id, name, shared_with_children, quick, steps, line: _ } = frame;
        Self {
            id: *id,
            name,
            shared_with_children: *shared_with_children,
            quick: *quick,
            step: steps.iter().map(StepTable::of).collect(),
        }
    }
}

impl<'a> StepTable<'a> {
    fn of(step: &'a Step) -> Self {
        let Step { id, title, description, action, mandatory, options, analysis, line: _ } = step;
        Self {
            id: *id,
            title,
            description,
            action: *action,
            mandatory: *mandatory,
            options,
            analysis: analysis.as_ref().map(StepAnalysisTable::of),
        }
    }
}

impl<'a> StepAnalysisTable<'a> {
    fn of(analysis: &'a StepAnalysis) -> Self {
        let StepAnalysis {
            document_types,
            other_document,
            timestamp_and_signature,
            delete_after_analysis,
            cross_check,
            extract,
        } = analysis;
        Self {
            document_types,
            other_document: *other_document,
            timestamp_and_signature: (!delete_after_analysis).then_some(*timestamp_and_signature),
            delete_after_analysis: *delete_after_analysis,
            cross_check,
            extract,
        }
    }
}

impl<'a> WebhookTable<'a> {
    fn of(webhook: &'a Webhook) -> Self {
        let Webhook { endpoint, auth, credentials, retries, line: _ } = webhook;
        let Credentials { auth_token, api_key, api_secret, previous } = credentials;
        Self {
            endpoint,
            auth,
            auth_token: auth_token.as_ref().map(SecretString::expose),
            api_key: api_key.as_ref().map(SecretString::expose),
            api_secret: api_secret.as_ref().map(SecretString::expose),
            previous_api_secret: previous.as_ref().map(|previous| previous.secret.expose()),
            previous_until: previous.as_ref().map(|previous| previous.until.to_string()),
            retry_seconds: retries.seconds(),
        }
    }
}

impl<'a> PluginTable<'a> {
    fn of(plugin: &'a AnalysisPlugin) -> Self {
        let AnalysisPlugin { name, role, sha256, oci, settings, shadow, line: _ } = plugin;
        Self {
            name,
            role: role.into_str(),
            sha256: sha256.map(|digest| digest.to_string()),
            oci: oci.as_ref().map(ToString::to_string),
            shadow: *shadow,
            settings,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}
