//! The company manifest: the operator's TOML file that defines one company, its users, what its frames ask for, and
//! where its webhooks go. This module turns its text into checked types, reports all problems at once, and writes the
//! types as text again. The `apply` use case updates the store.
//!
//! Three things are only checked where what they need is known: the form of webhook addresses (the egress guard), and
//! the names of authentication modes and analysis plugins (the loaded plugins).

mod analysis;
mod appearance;
mod company;
mod frame;
mod lookup;
mod retention;
mod secret;
#[cfg(test)]
mod tests;
mod text;
mod unique;
mod user;
mod webhook;
mod write;

use std::collections::BTreeMap;

use sealwright_base::clock::Timestamp;
use sealwright_base::secrets::SecretString;
use sealwright_base::toml_reader::{self, Problem, Read};
use sealwright_seal::digest::Sha256Digest;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use self::unique::Identifiers;
pub use self::{
    company::SHORTEST_AUDIT_DAYS,
    lookup::Lookup,
    retention::{DEFAULT_DELIVERY_DAYS, Retention},
    unique::check_together,
    webhook::{sends_auth_token, signs_with_each_secret},
};
use crate::{
    appearance::Appearance,
    certificate_extras::CertificateExtras,
    id::{CompanyId, FrameId, StepId, UserId},
    language::CertificateLanguage,
    openid::OidcSubject,
    operation::Operation,
    registry_reference::RegistryReference,
    retry_schedule::RetrySchedule,
    right::Rights,
    step::{StepAction, StepAnalysis},
    time_zone::TimeZoneName,
};

/// A company manifest without an error in it.
#[derive(Clone, Debug)]
pub struct CompanyManifest {
    /// The file's name as the operator gave it, for messages.
    pub file: String,
    pub company: Company,
    pub users: Vec<User>,
    pub frames: Vec<Frame>,
    /// Where each webhook goes; one that is missing is not sent.
    pub webhooks: BTreeMap<WebhookKind, Webhook>,
    pub weights: SignalWeights,
    /// Empty: the built-in plugins with their default settings.
    pub plugins: Vec<AnalysisPlugin>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Company {
    pub id: CompanyId,
    pub name: String,
    pub parent: Option<CompanyId>,
    /// The global switch of the document-analysis option (spec 6.2).
    pub document_analysis: bool,
    /// A folder's name under `template_dir`.
    pub certificate_template: String,
    /// Of its certificates, unless a case has another one.
    pub language: CertificateLanguage,
    /// Whose times certificates show next to UTC; none: UTC only.
    pub time_zone: Option<TimeZoneName>,
    /// What its certificates contain in addition.
    pub extras: CertificateExtras,
    pub appearance: Appearance,
    /// Requests accepted in any 60 seconds where they differ from the table of spec 8; only of operations that are
    /// counted per company.
    pub rate_limits: BTreeMap<Operation, u32>,
    /// How many days the records of the company's audit log are kept; none: as long as the database.
    pub audit_days: Option<u32>,
    pub retention: Retention,
    /// The line of the file.
    pub line: usize,
}

/// Where a company's settings are kept: they can be changed there alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum Keeper {
    /// A file, which `sealwright apply` reads.
    File,
    /// The console.
    Console,
}

sealwright_base::text_column!(Keeper, "keeper of a company");

#[derive(Clone, Debug)]
pub struct User {
    pub id: UserId,
    pub kind: UserKind,
    /// What the certificate shows; the username or identifier where the file gives no name.
    pub name: String,
    pub email: Option<String>,
    /// Always there for [`UserKind::Api`].
    pub login: Option<Login>,
    /// Whom the OpenID Connect provider knows by this subject; only for [`UserKind::Field`].
    pub oidc_subject: Option<OidcSubject>,
    pub rights: Rights,
    /// Whether the user counts as having logged in once, so that `userMail` finds this user (spec 2.2).
    pub logged_in: bool,
    pub line: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum UserKind {
    /// A program: gets tokens from `POST /auth/token` (spec 5, rule 1).
    Api,
    /// A person who fills cases.
    Field,
}

sealwright_base::text_column!(UserKind, "kind of user");

#[derive(Clone, Debug)]
pub struct Login {
    pub username: String,
    pub password: Password,
}

#[derive(Clone, Debug)]
pub enum Password {
    Plain(SecretString),
    /// An Argon2id hash as a PHC string.
    Hash(SecretString),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub id: FrameId,
    pub name: String,
    pub shared_with_children: bool,
    /// For field users: one photo is a case of its own.
    pub quick: bool,
    /// In the order in which they are asked.
    pub steps: Vec<Step>,
    pub line: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub id: StepId,
    pub title: String,
    /// Empty if the file gives none.
    pub description: String,
    pub action: StepAction,
    pub mandatory: bool,
    /// The choices of a [`StepAction::Select`]; empty for every other action.
    pub options: Vec<String>,
    /// Only with [`StepAction::DocumentUpload`].
    pub analysis: Option<StepAnalysis>,
    pub line: usize,
}

/// What a webhook is sent for: spec 6.1, spec 6.2, and a decision in the console.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum WebhookKind {
    Case,
    Analysis,
    Decision,
}

sealwright_base::text_column!(WebhookKind, "kind of webhook");

#[derive(Clone, Debug)]
pub struct Webhook {
    /// As written; the egress guard says whether it is an address to send to.
    pub endpoint: String,
    /// The name of an authentication mode: `bearer`, `security-token`, `partner-apikey`, `hmac-sha256`,
    /// `standard-webhooks` or a plugin's.
    pub auth: String,
    /// What the mode needs is there, for the modes of spec 6.3; for a plugin's mode, whatever the file gives.
    pub credentials: Credentials,
    /// How often a delivery is tried again, and when. By default it is not.
    pub retries: RetrySchedule,
    pub line: usize,
}

/// What a webhook authenticates with. The fields are named as in the file.
#[derive(Clone, Debug, Default)]
pub struct Credentials {
    pub auth_token: Option<SecretString>,
    pub api_key: Option<SecretString>,
    pub api_secret: Option<SecretString>,
    /// The secret before `api_secret`, which also signs until it ends.
    pub previous: Option<PreviousSecret>,
}

/// A secret that is being replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviousSecret {
    pub secret: SecretString,
    /// It does not sign from this moment on.
    pub until: Timestamp,
}

/// How much each signal counts in a case's trust score (decisions 13). At least one is above zero.
///
/// A weight that was not stored is the default one: weights were added since.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SignalWeights {
    pub document: u32,
    pub image: u32,
    pub duplicate: u32,
    pub consistency: u32,
    pub gps: u32,
    pub device: u32,
    pub motion: u32,
}

impl Default for SignalWeights {
    fn default() -> Self {
        Self { document: 3, image: 2, duplicate: 2, consistency: 2, gps: 1, device: 1, motion: 1 }
    }
}

/// A plugin that the company's documents and cases are analysed with.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysisPlugin {
    /// A component of `plugin_dir`, or a built-in one.
    pub name: String,
    pub role: PluginRole,
    /// The component's SHA-256: only this component is used.
    pub sha256: Option<Sha256Digest>,
    /// Where it is pulled from, if it is not loaded yet.
    pub oci: Option<RegistryReference>,
    /// Passed to the plugin as JSON.
    pub settings: serde_json::Map<String, serde_json::Value>,
    /// Whether it runs alongside the others without counting.
    pub shadow: bool,
    pub line: usize,
}

#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum PluginRole {
    DocumentType,
    CrossCheck,
    Falsification,
    Signal,
}

/// Reads and checks one company manifest. `file` is its name for messages; `lookup` resolves the `…_env` and `…_file`
/// keys.
///
/// # Errors
/// All problems of the file, in the order of its lines, warnings included.
pub fn parse(file: &str, source: &str, lookup: &Lookup<'_>) -> Result<Read<CompanyManifest>, Vec<Problem>> {
    toml_reader::read(file, source, |root| {
        let mut identifiers = Identifiers::default();
        let company = root
            .required("company", "a table [company]")
            .and_then(|field| field.table(|table| company::read(table, lookup)));
        let users = root.tables("user", |table| user::read(table, lookup, &mut identifiers));
        let webhooks = root
            .optional("webhook")
            .and_then(|field| field.table(|table| Some(webhook::read_all(table, lookup))))
            .unwrap_or_default();
        let (weights, plugins) = root
            .optional("analysis")
            .and_then(|field| field.table(|table| Some(analysis::read(table))))
            .unwrap_or_default();
        let plugin_words = analysis::plugin_words(&plugins);
        let frames = root.tables("frame", |table| frame::read(table, &mut identifiers, plugin_words));
        let company = company?;
        Some(CompanyManifest { file: file.to_owned(), company, users, frames, webhooks, weights, plugins })
    })
}
