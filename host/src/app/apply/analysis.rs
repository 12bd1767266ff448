//! The plugins that a company manifest names: whether they are loaded and accept their settings.

use super::Run;
use crate::{
    domain::company_manifest::{AnalysisPlugin, CompanyManifest},
    plugins::Role,
    store,
};

/// How many refused components a message names: one of them may be the missing plugin.
const MOST_REFUSED: usize = 3;

/// Checks what cannot be checked in the file alone.
pub(super) fn check(run: &mut Run<'_>, manifest: &CompanyManifest) {
    for (index, plugin) in manifest.plugins.iter().enumerate() {
        let is_same = |stored: &store::company::AnalysisPlugin| {
            stored.name == plugin.name
                && stored.role == plugin.role
                && stored.sha256 == plugin.sha256
                && stored.oci == plugin.oci
                && stored.settings == plugin.settings
        };
        if run.before.as_ref().is_some_and(|before| before.analysis.plugins.iter().any(is_same)) {
            continue;
        }
        check_plugin(run, manifest, index, plugin);
    }
}

fn check_plugin(run: &mut Run<'_>, manifest: &CompanyManifest, index: usize, plugin: &AnalysisPlugin) {
    let AnalysisPlugin { name, role, sha256, settings, line, .. } = plugin;
    let (host, role) = (&run.app.plugins, Role::from(*role));
    let path = |field: &str| format!("analysis.plugin[{index}].{field}");
    if !host.plays(name, *sha256, role) {
        let (field, message) = if host.plays(name, None, role) {
            let there = host.plugins().into_iter().filter(|other| other.name == *name);
            let digests: Vec<String> = there.map(|other| format!("{} ({})", other.digest, other.version)).collect();
            ("sha256", format!("no component of {name} with this SHA-256 is loaded; expected {}", digests.join(" or ")))
        } else {
            let names = host.names(role);
            let loaded = if names.is_empty() {
                "none of this role is loaded".to_owned()
            } else {
                format!("expected one of these: {}", names.join(", "))
            };
            let refused = host.refused().into_iter().take(MOST_REFUSED);
            let refused = refused.map(|one| format!("; {} is not loaded: {}", one.file.display(), one.reason));
            let refused = refused.collect::<Vec<_>>().concat();
            ("name", format!("no plugin of the role {role} is called {name:?}; {loaded}{refused}"))
        };
        run.refuse(manifest, *line, path(field), message);
        return;
    }
    for problem in run.app.plugins.settings_problems(name, *sha256, role, settings) {
        run.refuse(manifest, *line, path(&format!("settings{}", problem.path)), problem.message);
    }
}
