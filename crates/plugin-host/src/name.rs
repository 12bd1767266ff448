//! What a plugin may be called: the contract's rule (`meta.description`), and the names that are taken.

use super::built_in;

/// The rule, for messages.
pub const NAME_RULE: &str = "1 to 64 characters of a-z, 0-9 and -, starting with a letter";

/// The most characters of a name.
const MAX_LENGTH: usize = 64;

/// Whether the contract allows the name.
pub fn is_plugin_name(name: &str) -> bool {
    let of_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    name.len() <= MAX_LENGTH && name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(of_name)
}

/// Whether a built-in plugin has this name: a server skips any other plugin of this name.
pub fn is_built_in_name(name: &str) -> bool {
    built_in::COMPONENTS.iter().any(|(taken, _)| *taken == name)
}

/// Why a plugin of this name is skipped, and what to do.
pub(super) fn taken(name: &str) -> String {
    format!("its name {name} is taken by a built-in plugin: return another name from `meta.describe`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PluginHost, PluginOptions};

    #[test]
    fn a_name_is_one_that_the_contract_allows() {
        for right in ["a", "club-cards2", "club-", "a--b", &"a".repeat(64)] {
            assert!(is_plugin_name(right), "{right}");
        }
        for wrong in ["", "Club", "2club", "-club", "club_cards", "club.cards", "klüb", &"a".repeat(65)] {
            assert!(!is_plugin_name(wrong), "{wrong}");
        }
    }

    #[test]
    fn the_taken_names_are_those_of_the_built_in_plugins() {
        let folder = tempfile::tempdir().unwrap();
        let cache_dir = concat!(env!("OUT_DIR"), "/compiled-plugins").into();
        let plugin_dir = Some(folder.path().join("plugins"));
        let host = PluginHost::new(PluginOptions { plugin_dir, ..PluginOptions::new(cache_dir, [7; 32]) }).unwrap();
        let names: Vec<String> = host.plugins().into_iter().map(|plugin| plugin.name).collect();
        assert_eq!(names.len(), built_in::COMPONENTS.len());
        assert!(names.iter().all(|name| is_built_in_name(name)), "{names:?}");
        assert!(!is_built_in_name("club-cards"));
    }
}
