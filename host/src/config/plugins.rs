//! Which plugins are accepted, what they may use, and the registries that they are pulled from.

use std::path::PathBuf;

use ipnet::IpNet;

use super::{Setting, Values, value};
use crate::plugins::{PluginKey, SignaturePolicy, USUAL_FUEL_PER_SECOND};

#[derive(Clone, Debug)]
pub struct PluginSettings {
    pub signatures: SignaturePolicy,
    /// How much fuel a call may use for each second of its deadline.
    pub fuel_per_second: u64,
    pub registry: RegistrySettings,
}

/// The registries that components are pulled from.
#[derive(Clone, Debug)]
pub struct RegistrySettings {
    /// Networks that are not public and may have a registry.
    pub private_addresses: Vec<IpNet>,
    /// User names and passwords of registries. `None`: they are asked without.
    pub credentials_file: Option<PathBuf>,
}

impl Values {
    pub(super) fn plugins(&mut self, path: impl Fn(&str) -> Option<PathBuf>) -> Option<PluginSettings> {
        let required = self.read(Setting::PluginsRequireSignature, "false", value::boolean);
        let trusted = self.read_optional(Setting::PluginsTrustedKeys, "none", keys);
        let usual = USUAL_FUEL_PER_SECOND.to_string();
        let fuel_per_second = self.read(Setting::PluginsFuelPerSecond, &usual, fuel);
        let private_addresses =
            self.read_optional(Setting::PluginsRegistryPrivateAddresses, "none", value::networks).unwrap_or_default();
        let credentials_file = self.read_optional(Setting::PluginsRegistryCredentialsFile, "none", path);
        if required == Some(true) && !self.given.contains_key(&Setting::PluginsTrustedKeys) {
            let setting = Setting::PluginsTrustedKeys;
            let (key, variable, expected) = (setting.key(), setting.variable(), setting.expected());
            let problem =
                format!("{key} ({variable}): missing, expected {expected}, because `plugins.require_signature` is on");
            self.problems.push(problem);
        }
        Some(PluginSettings {
            signatures: SignaturePolicy { required: required?, trusted: trusted.unwrap_or_default() },
            fuel_per_second: fuel_per_second?,
            registry: RegistrySettings { private_addresses, credentials_file },
        })
    }
}

/// One or several keys, separated by commas.
fn keys(text: &str) -> Option<Vec<PluginKey>> {
    text.split(',').map(|key| key.trim().parse().ok()).collect()
}

fn fuel(text: &str) -> Option<u64> {
    text.parse().ok().filter(|fuel| (1_000_000..=1_000_000_000_000).contains(fuel))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_one_or_several() {
        // RFC 8032, section 7.1: tests 1 and 2.
        let (one, other) = (
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        );
        assert_eq!(keys(one).unwrap(), [one.parse().unwrap()]);
        assert_eq!(keys(&format!("{one}, {other}")).unwrap().len(), 2);
        for wrong in ["", ",", "12", &one[1..], &format!("{one},")] {
            assert_eq!(keys(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn fuel_is_a_number_within_limits() {
        assert_eq!(fuel(&USUAL_FUEL_PER_SECOND.to_string()), Some(USUAL_FUEL_PER_SECOND));
        for wrong in ["", "-1", "999999", "1000000000001", "many"] {
            assert_eq!(fuel(wrong), None, "{wrong:?}");
        }
    }
}
