//! Accepting a component: whether it follows the contract, its roles, and its description.

use std::borrow::Cow;

use anyhow::{Context, Result, bail, ensure};
use sealwright_domain::company_manifest::PluginRole;
use sealwright_seal::digest::Sha256Digest;
use semver::Version;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};
use wasmtime::{
    Engine,
    component::{Component, InstancePre},
};

use super::{
    bindings::{
        analysis::exports::sealwright::plugin::{
            cross_checking, cross_statement, cross_verification, document_type_detection, falsification_inspection,
            settings, signal_assessment,
        },
        exports::sealwright::plugin::{
            meta::{Description, GuestIndices as MetaIndices},
            webhook_authentication,
        },
    },
    cache::CompiledCache,
    call::{self, CallState},
    compiler::Compiler,
    component_bytes,
    contract::{CROSS_STATEMENT, CROSS_VERIFICATION, OFFERED, PACKAGE},
    limits,
    name::{self, NAME_RULE},
    runtime::{Runtime, Runtimes},
    settings::SettingsSchema,
    signature::{SignaturePolicy, SignatureState},
    wasi,
};

/// A plugin, as it describes itself and as the host found it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PluginInfo {
    pub name: String,
    pub version: String,
    pub summary: String,
    pub roles: Vec<Role>,
    /// SHA-256 of the component.
    pub digest: Sha256Digest,
    /// Of the component, in bytes.
    pub size: usize,
    /// Whether it is part of the program.
    pub built_in: bool,
    /// What its own signatures prove. A built-in one has none.
    pub signature: SignatureState,
    /// The JSON Schema of its settings, if it has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settings: Option<serde_json::Value>,
}

/// What a plugin can be called for. Operators call a role by the name of its world in the contract.
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
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Role {
    WebhookAuth,
    DocumentType,
    CrossCheck,
    Falsification,
    Signal,
}

impl Role {
    /// The interface that a component with this role exports.
    const fn interface(self) -> &'static str {
        match self {
            Self::WebhookAuth => "webhook-authentication",
            Self::DocumentType => "document-type-detection",
            Self::CrossCheck => "cross-checking",
            Self::Falsification => "falsification-inspection",
            Self::Signal => "signal-assessment",
        }
    }
}

impl From<PluginRole> for Role {
    fn from(role: PluginRole) -> Self {
        match role {
            PluginRole::DocumentType => Self::DocumentType,
            PluginRole::CrossCheck => Self::CrossCheck,
            PluginRole::Falsification => Self::Falsification,
            PluginRole::Signal => Self::Signal,
        }
    }
}

/// A component that was accepted, linked and ready to be instantiated.
pub(super) struct Plugin {
    pub(super) info: PluginInfo,
    /// `info.version`, parsed for comparison.
    pub(super) version: Version,
    pub(super) linked: InstancePre<CallState>,
    entries: Entries,
    pub(super) settings: Option<SettingsSchema>,
}

/// The entry point of a component for each of its roles, and for the optional interfaces of cross-checks.
#[derive(Default)]
struct Entries {
    webhook_auth: Option<webhook_authentication::GuestIndices>,
    document_type: Option<document_type_detection::GuestIndices>,
    cross_check: Option<cross_checking::GuestIndices>,
    cross_verification: Option<cross_verification::GuestIndices>,
    cross_statement: Option<cross_statement::GuestIndices>,
    falsification: Option<falsification_inspection::GuestIndices>,
    signal: Option<signal_assessment::GuestIndices>,
}

impl Entries {
    /// `exported` are the contract's interfaces that the component exports.
    fn find(linked: &InstancePre<CallState>, roles: &[Role], exported: &[String]) -> wasmtime::Result<Self> {
        let exports = |name: &str| exported.iter().any(|interface| interface == name);
        let mut entries = Self::default();
        for role in roles {
            match role {
                Role::WebhookAuth => {
                    entries.webhook_auth = Some(webhook_authentication::GuestIndices::new(linked)?);
                }
                Role::DocumentType => {
                    entries.document_type = Some(document_type_detection::GuestIndices::new(linked)?);
                }
                Role::CrossCheck => {
                    entries.cross_check = Some(cross_checking::GuestIndices::new(linked)?);
                    let verifying = exports(CROSS_VERIFICATION).then(|| cross_verification::GuestIndices::new(linked));
                    entries.cross_verification = verifying.transpose()?;
                    let stating = exports(CROSS_STATEMENT).then(|| cross_statement::GuestIndices::new(linked));
                    entries.cross_statement = stating.transpose()?;
                }
                Role::Falsification => {
                    entries.falsification = Some(falsification_inspection::GuestIndices::new(linked)?);
                }
                Role::Signal => entries.signal = Some(signal_assessment::GuestIndices::new(linked)?),
            }
        }
        Ok(entries)
    }
}

/// Unreachable: callers check [`Plugin::plays`] first.
const NOT_PLAYED: &str = "the plugin does not play this role";

impl Plugin {
    pub(super) fn plays(&self, role: Role) -> bool {
        self.info.roles.contains(&role)
    }

    pub(super) fn webhook_auth(&self) -> wasmtime::Result<&webhook_authentication::GuestIndices> {
        self.entries.webhook_auth.as_ref().ok_or_else(|| wasmtime::format_err!(NOT_PLAYED))
    }

    pub(super) fn document_type(&self) -> wasmtime::Result<&document_type_detection::GuestIndices> {
        self.entries.document_type.as_ref().ok_or_else(|| wasmtime::format_err!(NOT_PLAYED))
    }

    pub(super) fn cross_check(&self) -> wasmtime::Result<&cross_checking::GuestIndices> {
        self.entries.cross_check.as_ref().ok_or_else(|| wasmtime::format_err!(NOT_PLAYED))
    }

    /// None: it does not verify entered values.
    pub(super) fn cross_verification(&self) -> Option<&cross_verification::GuestIndices> {
        self.entries.cross_verification.as_ref()
    }

    /// None: it does not read what a document states.
    pub(super) fn cross_statement(&self) -> Option<&cross_statement::GuestIndices> {
        self.entries.cross_statement.as_ref()
    }

    pub(super) fn falsification(&self) -> wasmtime::Result<&falsification_inspection::GuestIndices> {
        self.entries.falsification.as_ref().ok_or_else(|| wasmtime::format_err!(NOT_PLAYED))
    }

    pub(super) fn signal(&self) -> wasmtime::Result<&signal_assessment::GuestIndices> {
        self.entries.signal.as_ref().ok_or_else(|| wasmtime::format_err!(NOT_PLAYED))
    }
}

/// What is needed to accept components.
pub(super) struct Acceptance<'a> {
    pub(super) runtimes: &'a Runtimes,
    /// None: compiled components are not stored.
    pub(super) cache: Option<&'a CompiledCache>,
    pub(super) compiler: &'a Compiler,
    pub(super) signatures: &'a SignaturePolicy,
}

impl Acceptance<'_> {
    /// Accepts the component in `bytes`, called `origin` until its name is known. The error says why it is refused.
    pub(super) fn accept(&self, origin: &str, bytes: &[u8], built_in: bool) -> Result<Plugin> {
        component_bytes::check(bytes)?;
        if !built_in {
            self.signatures.admit(&self.signatures.judge(bytes))?;
        }
        let runtime = self.runtimes.for_component(bytes)?;
        let component = self.compiled(origin, bytes, &runtime, built_in)?;
        let plugin = self.admit(origin, bytes, &runtime, &component, built_in)?;
        if let Some(cache) = self.cache.filter(|_| !built_in) {
            cache.keep_source(plugin.info.digest, bytes);
        }
        Ok(plugin)
    }

    /// The component in `bytes`, compiled for `runtime`: from the cache if it is there.
    pub(super) fn compiled(&self, origin: &str, bytes: &[u8], runtime: &Runtime, built_in: bool) -> Result<Component> {
        let compile = || self.compiler.compile((&runtime.engine, runtime.profile), origin, bytes, built_in);
        match self.cache {
            Some(cache) => cache.compile(&runtime.engine, Sha256Digest::of(bytes), compile),
            None => compile(),
        }
    }

    /// Accepts a component that was compiled for `runtime`, whatever its signatures prove.
    pub(super) fn admit(
        &self,
        origin: &str,
        bytes: &[u8],
        runtime: &Runtime,
        component: &Component,
        built_in: bool,
    ) -> Result<Plugin> {
        let wants_wasi = check_imports(component, &runtime.engine)?;
        let exported = exported(component, &runtime.engine);
        let roles = roles(&exported);
        ensure!(
            !roles.is_empty(),
            "it exports no role of this host's contract: expected one of {} in a version that the host has",
            Role::VARIANTS.iter().map(|role| role.interface()).collect::<Vec<_>>().join(", ")
        );

        let mut linker = Cow::Borrowed(&runtime.linker);
        if wants_wasi {
            wasi::link(linker.to_mut(), component, &runtime.engine)
                .map_err(|error| error.context("it imports a WASI that this host does not support"))?;
        }
        let linked = linker
            .instantiate_pre(component)
            .map_err(|error| error.context("its imports do not fit this host's contract"))?;
        let entries = Entries::find(&linked, &roles, &exported)
            .map_err(|error| error.context("its exports do not fit this host's contract"))?;
        let description = self.describe(origin, &linked)?;
        let version = check_description(&description)?;
        let settings = self.settings(origin, &linked)?;
        Ok(Plugin {
            info: PluginInfo {
                name: description.name,
                version: description.version,
                summary: description.summary,
                roles,
                digest: Sha256Digest::of(bytes),
                size: bytes.len(),
                built_in,
                signature: if built_in { SignatureState::Unsigned } else { self.signatures.judge(bytes) },
                settings: settings.as_ref().map(|settings| settings.schema.clone()),
            },
            version,
            linked,
            entries,
            settings,
        })
    }

    /// The schema of its settings, if it exports one.
    fn settings(&self, origin: &str, linked: &InstancePre<CallState>) -> Result<Option<SettingsSchema>> {
        let Ok(settings) = settings::GuestIndices::new(linked) else { return Ok(None) };
        let (schema, _) =
            call::run(linked.engine(), origin, self.runtimes.budget(limits::DESCRIBE_DEADLINE), Vec::new(), |store| {
                let instance = linked.instantiate(&mut *store)?;
                Ok(Ok(settings.load(&mut *store, &instance)?.call_schema(&mut *store)?))
            });
        SettingsSchema::read(&schema?).map(Some)
    }

    fn describe(&self, origin: &str, linked: &InstancePre<CallState>) -> Result<Description> {
        let meta = MetaIndices::new(linked)
            .map_err(|error| error.context("it does not export this host's version of the interface meta"))?;
        let (described, _) =
            call::run(linked.engine(), origin, self.runtimes.budget(limits::DESCRIBE_DEADLINE), Vec::new(), |store| {
                let instance = linked.instantiate(&mut *store)?;
                Ok(Ok(meta.load(&mut *store, &instance)?.call_describe(&mut *store)?))
            });
        Ok(described?)
    }
}

/// A plugin may import the contract's interfaces and an empty WASI: no clock, no network, no files, no randomness.
/// Returns whether it imports WASI.
fn check_imports(component: &Component, engine: &Engine) -> Result<bool> {
    let mut wants_wasi = false;
    for (import, _) in component.component_type().imports(engine) {
        if interface_of(import).is_some_and(|interface| OFFERED.contains(&interface)) {
            continue;
        }
        if wasi::is_offered(import) {
            wants_wasi = true;
        } else if import.starts_with("wasi:") {
            bail!(
                "it imports {import}, and this host offers plugins only an empty WASI 0.2 or 0.3. Build it without this \
                 import: in Rust for wasm32-unknown-unknown, in JavaScript with `componentize-js` and all its features \
                 disabled, in Python with `componentize-py --stub-wasi`"
            );
        } else {
            bail!("it imports {import}, which this host's contract does not offer");
        }
    }
    Ok(wants_wasi)
}

/// The contract's interfaces that a component exports, in any version.
fn exported(component: &Component, engine: &Engine) -> Vec<String> {
    let kind = component.component_type();
    kind.exports(engine).filter_map(|(export, _)| interface_of(export).map(str::to_owned)).collect()
}

fn roles(exported: &[String]) -> Vec<Role> {
    let is_exported = |role: &Role| exported.iter().any(|interface| interface == role.interface());
    Role::VARIANTS.iter().copied().filter(is_exported).collect()
}

/// `log` of `sealwright:plugin/log@0.1.0`; none for another package's interface. The linker checks versions.
fn interface_of(name: &str) -> Option<&str> {
    let interface = name.strip_prefix(PACKAGE)?;
    Some(interface.split_once('@').map_or(interface, |(interface, _)| interface))
}

/// The rules that `meta.description` states.
fn check_description(description: &Description) -> Result<Version> {
    let Description { name, version, summary } = description;
    ensure!(name::is_plugin_name(name), "its name {name:?} is not {NAME_RULE}");
    let parsed = Version::parse(version).ok().filter(|_| version.len() <= 64);
    let parsed =
        parsed.with_context(|| format!("its version {version:?} is not a semantic version, for example 1.0.0"))?;
    ensure!(
        !summary.is_empty() && summary.chars().count() <= 200 && !summary.contains(char::is_control),
        "its summary is not one line of 1 to 200 characters"
    );
    Ok(parsed)
}
