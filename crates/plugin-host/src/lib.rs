//! The host of WebAssembly plugins: loads components that keep to the contract in `wit/`, and calls them within limits.
//!
//! A plugin is a function, not a service. Every call gets a fresh instance from a pre-linked component and drops it
//! afterwards, so nothing leaks from one company's call into another's, and a plugin that traps, loops or eats memory
//! fails its own call only. Calls run on blocking threads, at most one for each core, and never wait for anything.
//!
//! The company manifest decides who uses which plugin; this module does not know.

mod answers;
mod bindings;
mod built_in;
mod cache;
mod call;
mod call_mode;
mod compiler;
mod component;
mod component_bytes;
mod contract;
mod cross_check;
mod cross_statement;
mod document_type;
mod engine;
mod error;
mod examine;
pub mod facts;
mod falsification;
mod folder;
mod host;
mod limits;
mod lower;
mod name;
mod options;
mod pack;
mod panic_message;
mod published;
mod question;
mod registry;
mod resources;
mod run;
mod runtime;
mod sched_slice;
mod sections;
mod service;
mod settings;
mod signal;
mod signature;
mod stats;
#[cfg(test)]
mod tests;
mod trace;
mod trial;
mod wasi;
mod webhook;
mod webhook_auth;

pub use call_mode::CallMode;
pub use compiler::compile_standard_input;
pub use component::{PluginInfo, Role};
pub use component_bytes::check as check_component_bytes;
pub use cross_check::{DocumentFields, FieldComparisons, FieldVerifications, MAX_FIELDS};
pub use cross_statement::DocumentStatements;
pub use document_type::DocumentTypes;
pub use error::{Failure, PluginError};
pub use examine::{ExaminedComponent, check_signature, examine};
pub use falsification::DocumentChecks;
pub use folder::RefusedPlugin;
pub use host::PluginHost;
pub use limits::USUAL_FUEL_PER_SECOND;
pub use name::{NAME_RULE, is_built_in_name, is_plugin_name};
pub use options::PluginOptions;
pub use pack::component_of_module;
pub use published::{FolderPlugin, WantedPlugin};
pub use question::{Function, OtherReply, Question, Reply};
pub use registry::Origin;
pub use run::{CONTRACT_VERSION, Chosen, Run, RunRecord, offers_contract, settings_hash};
pub use settings::SettingsProblem;
pub use signal::CaseSignals;
pub use signature::{ParsePluginKeyError, PluginKey, PluginSigningKey, SignaturePolicy, SignatureState};
pub use stats::CallStatistics;
pub use trial::{Allowance, CompiledFolder, Trial};
pub use webhook::{WebhookCredential, WebhookRequest};
