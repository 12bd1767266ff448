//! One run of a plugin of analysis: the chosen plugin, the outcome, and what is needed to run it again.

use std::sync::Arc;

use sealwright_domain::id::CompanyId;
use sealwright_seal::digest::Sha256Digest;
use semver::Version;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::task;

use super::{PluginHost, component::Role, error::PluginError, host::Entry, question::Question};

/// The version of the contract that this host offers.
pub const CONTRACT_VERSION: &str = "0.1.3";

/// The plugin that a company uses for a role, with the company's settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    pub company: CompanyId,
    pub plugin: String,
    /// The component's SHA-256, if the company manifest pins it.
    pub sha256: Option<Sha256Digest>,
    pub settings: Map<String, Value>,
}

/// The outcome of a run. A failed one is a typed "not run" and does not affect other runs.
#[derive(Debug)]
pub struct Run<T> {
    pub outcome: Result<T, PluginError>,
    /// None if no plugin was called: it is not loaded, got no turn, or is out of service.
    pub record: Option<RunRecord>,
    /// What the plugin logged, line by line.
    pub log: Vec<String>,
}

/// The stored record of a run, so that it can be repeated and compared. The same plugin, settings and input give the
/// same answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRecord {
    pub role: Role,
    pub plugin: String,
    pub version: String,
    /// SHA-256 of the component.
    pub digest: Sha256Digest,
    /// SHA-256 of the settings' JSON.
    pub settings_hash: Sha256Digest,
    pub contract: String,
    /// SHA-256 of everything else that the call was given ([`Question::digest`]).
    pub input_hash: Sha256Digest,
    /// Microseconds inside the plugin.
    pub micros: u64,
    /// The most linear memory that it had, in bytes.
    pub memory: u64,
    /// Units of fuel that it used, about one for each instruction: the same on every machine. None: not counted.
    #[serde(default)]
    pub fuel: Option<u64>,
}

/// Whether this host offers the contract of a record: newer versions of the same series include the older ones.
pub fn offers_contract(version: &str) -> bool {
    let (Ok(recorded), Ok(offered)) = (Version::parse(version), Version::parse(CONTRACT_VERSION)) else { return false };
    let series = |version: &Version| (version.major, version.minor);
    series(&recorded) == series(&offered) && recorded <= offered
}

/// The SHA-256 of settings, as in records.
pub fn settings_hash(settings: &Map<String, Value>) -> Sha256Digest {
    settings_text(settings).1
}

impl PluginHost {
    /// Whether the chosen plugin verifies entered values on a document
    /// ([`FieldVerifications`](super::FieldVerifications)), so that it need not read and compare them.
    pub fn verifies(&self, chosen: &Chosen) -> bool {
        let found = self.find(&chosen.plugin, chosen.sha256, Role::CrossCheck);
        found.is_some_and(|plugin| plugin.cross_verification().is_some())
    }

    /// Whether the chosen plugin reads what a document states ([`DocumentStatements`](super::DocumentStatements)).
    pub fn states(&self, chosen: &Chosen) -> bool {
        let found = self.find(&chosen.plugin, chosen.sha256, Role::CrossCheck);
        found.is_some_and(|plugin| plugin.cross_statement().is_some())
    }

    /// Asks the chosen plugin.
    pub async fn ask<Q: Question>(&self, chosen: &Chosen, question: Q) -> Run<Q::Answer> {
        let role = Q::FUNCTION.role();
        let (settings, settings_hash) = settings_text(&chosen.settings);
        let entry = Entry {
            company: chosen.company,
            plugin: &chosen.plugin,
            sha256: chosen.sha256,
            role,
            deadline: Q::FUNCTION.deadline(),
            private: Vec::new(),
        };
        let question = Arc::new(question);
        let asked = Arc::clone(&question);
        let hashed = task::spawn_blocking(move || asked.digest());
        let entered = self.enter(entry, move |plugin, store| question.call(plugin, store, &settings)).await;
        let log = entered.plugin.as_ref().map(|(_, usage)| usage.log.clone()).unwrap_or_default();
        let record = match (entered.plugin, hashed.await) {
            (Some((plugin, usage)), Ok(input_hash)) => Some(RunRecord {
                role,
                plugin: plugin.info.name.clone(),
                version: plugin.info.version.clone(),
                digest: plugin.info.digest,
                settings_hash,
                contract: CONTRACT_VERSION.to_owned(),
                input_hash,
                micros: u64::try_from(usage.time.as_micros()).unwrap_or(u64::MAX),
                memory: usage.memory as u64,
                fuel: usage.fuel,
            }),
            _ => None,
        };
        Run { outcome: entered.outcome, record, log }
    }
}

/// The settings as a plugin is given them, and their SHA-256.
fn settings_text(settings: &Map<String, Value>) -> (String, Sha256Digest) {
    let text = serde_json::to_string(settings).expect("a JSON object can be written as JSON");
    let hash = Sha256Digest::of(&text);
    (text, hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contracts_of_the_same_series_up_to_this_one_are_offered() {
        assert!(offers_contract(CONTRACT_VERSION) && offers_contract("0.1.0"));
        for gone in ["0.2.0", "0.0.9", "1.1.0", "0.1.99", "0.1", "", "newest"] {
            assert!(!offers_contract(gone), "{gone}");
        }
    }
}
