//! The settings of plugins.

use super::*;

#[test]
fn the_settings_of_plugins_are_read_from_their_table() {
    let plugins = load(&with_file(EVERY_SETTING)).plugins;
    assert_eq!((plugins.signatures.required, plugins.signatures.trusted.len()), (true, 2));
    assert_eq!((plugins.fuel_per_second, plugins.registry.private_addresses.len()), (2_000_000_000, 1));
    assert_eq!(plugins.registry.credentials_file.as_deref(), Some(Path::new("/srv/sealwright/registries.json")));
}

#[test]
fn a_required_signature_needs_trusted_keys() {
    let reported = problems(&with_file("[plugins]\nrequire_signature = true\n"));
    let expected = "plugins.trusted_keys (SEALWRIGHT_PLUGINS_TRUSTED_KEYS): missing, expected a key of 64 hexadecimal";
    assert!(reported.starts_with(expected), "{reported}");
    assert!(!load(&sources()).plugins.signatures.required);
}
