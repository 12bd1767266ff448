//! The `[analysis]` table: the weights of the signals and the plugins that analyse.

use std::collections::BTreeSet;

use sealwright_base::toml_reader::{Field, Table};
use sealwright_seal::digest::Sha256Digest;
use strum::VariantArray as _;

use super::{AnalysisPlugin, PluginRole, SignalWeights, frame::PluginWords, text};
use crate::registry_reference::RegistryReference;

pub(super) fn read(table: &mut Table<'_>) -> (SignalWeights, Vec<AnalysisPlugin>) {
    let weights =
        table.optional("weights").and_then(|field| field.table(|table| Some(read_weights(table)))).unwrap_or_default();
    let mut seen = BTreeSet::new();
    let plugins = table.tables("plugin", |table| {
        let plugin = read_plugin(table)?;
        // One or several shadows may be other versions of the plugin that counts.
        let version = plugin.shadow.then(|| (plugin.sha256, plugin.oci.clone()));
        if !seen.insert((plugin.name.clone(), plugin.role, version)) {
            table.error(format!("{:?} is already given for the role {}", plugin.name, plugin.role.into_str()));
        }
        Some(plugin)
    });
    (weights, plugins)
}

/// The words that plugins other than the built-in ones add.
pub(super) fn plugin_words(plugins: &[AnalysisPlugin]) -> PluginWords {
    let adds =
        |role, built_in| plugins.iter().any(|plugin| plugin.role == role && !plugin.shadow && plugin.name != built_in);
    PluginWords {
        document_types: adds(PluginRole::DocumentType, "document-types"),
        field_codes: adds(PluginRole::CrossCheck, "cross-check"),
    }
}

fn read_weights(table: &mut Table<'_>) -> SignalWeights {
    let usual = SignalWeights::default();
    let mut weight = |key, usual| {
        let given = table.optional(key).and_then(|field| {
            field.number("a whole number from 0 to 1000", |number| u32::try_from(number).ok().filter(|n| *n <= 1000))
        });
        given.unwrap_or(usual)
    };
    let weights = SignalWeights {
        document: weight("document", usual.document),
        image: weight("image", usual.image),
        duplicate: weight("duplicate", usual.duplicate),
        consistency: weight("consistency", usual.consistency),
        gps: weight("gps", usual.gps),
        device: weight("device", usual.device),
        motion: weight("motion", usual.motion),
    };
    let SignalWeights { document, image, duplicate, consistency, gps, device, motion } = weights;
    if [document, image, duplicate, consistency, gps, device, motion].into_iter().all(|weight| weight == 0) {
        table.error("found every weight 0, expected at least one above 0: no score can be computed");
    }
    weights
}

fn read_plugin(table: &mut Table<'_>) -> Option<AnalysisPlugin> {
    let name = table.required("name", "the name of a plugin").and_then(|field| text::slug(&field));
    let role = table.required("role", "what the plugin does").and_then(|field| read_role(&field));
    let sha256 = match table.optional("sha256") {
        Some(field) => read_digest(&field).map(Some),
        None => Some(None),
    };
    let oci = match table.optional("oci") {
        Some(field) => field.parsed(RegistryReference::EXPECTED, |text| text.parse().ok()).map(Some),
        None => Some(None),
    };
    let settings = match table.optional("settings") {
        Some(field) => field.json_object(),
        None => Some(serde_json::Map::new()),
    };
    let shadow = match table.optional("shadow") {
        Some(field) => field.boolean(),
        None => Some(false),
    };
    Some(AnalysisPlugin {
        name: name?,
        role: role?,
        sha256: sha256?,
        oci: oci?,
        settings: settings?,
        shadow: shadow?,
        line: table.line(),
    })
}

fn read_role(field: &Field<'_>) -> Option<PluginRole> {
    const EXPECTED: &str = "the role of a plugin";
    if field.text(EXPECTED)? == "webhook-auth" {
        return field.error(
            "a plugin with the role webhook-auth does not belong here: name it in `auth` of [webhook.case] or \
             [webhook.analysis]",
        );
    }
    field.word(EXPECTED, PluginRole::VARIANTS.iter().map(PluginRole::into_str), |word| word.parse().ok())
}

/// As `sha256sum` and `sealwright plugin check` print it; capitals are accepted too.
fn read_digest(field: &Field<'_>) -> Option<Sha256Digest> {
    const EXPECTED: &str = "the SHA-256 of a component, 64 hexadecimal digits as `sealwright plugin check` prints them";
    field.parsed(EXPECTED, |digest| digest.to_ascii_lowercase().parse().ok())
}
