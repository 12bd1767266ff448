//! The flags of the settings of plugins.

use clap::Args;

use crate::config::Setting;

#[derive(Clone, Debug, Default, Args)]
#[expect(clippy::struct_field_names, reason = "a flag has the name of its setting")]
pub(super) struct PluginFlags {
    /// Accept only plugins that a key in --plugins-trusted-keys signed, and the built-in ones [default: false]
    #[arg(
        long,
        global = true,
        value_name = "true|false",
        hide_short_help = true,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    plugins_require_signature: Option<String>,

    /// The keys whose signatures of plugins are trusted, separated by commas [default: none]
    #[arg(long, global = true, value_name = "KEY,…", hide_short_help = true)]
    plugins_trusted_keys: Option<String>,

    /// How much fuel a plugin's call may use for each second of its deadline [default: 8000000000]
    #[arg(long, global = true, value_name = "NUMBER", hide_short_help = true)]
    plugins_fuel_per_second: Option<String>,

    /// Networks that are not public and may have a registry of plugins, separated by commas [default: none]
    #[arg(long, global = true, value_name = "NETWORK,…", hide_short_help = true)]
    plugins_registry_private_addresses: Option<String>,

    /// User names and passwords of registries, in the format of Docker's config.json [default: none]
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    plugins_registry_credentials_file: Option<String>,
}

impl PluginFlags {
    pub(super) fn all(self) -> [(Setting, Option<String>); 5] {
        [
            (Setting::PluginsRequireSignature, self.plugins_require_signature),
            (Setting::PluginsTrustedKeys, self.plugins_trusted_keys),
            (Setting::PluginsFuelPerSecond, self.plugins_fuel_per_second),
            (Setting::PluginsRegistryPrivateAddresses, self.plugins_registry_private_addresses),
            (Setting::PluginsRegistryCredentialsFile, self.plugins_registry_credentials_file),
        ]
    }
}
