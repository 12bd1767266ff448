//! The loaded plugins, those that are missing or were refused, and what is published for every node.

use std::{collections::BTreeMap, path::PathBuf};

use super::check::Check;
use crate::{
    app::{plugins::missing, published::ambiguous},
    db::Db,
    plugins::PluginHost,
    store::published::{Published, PublishedKind},
};

const PART: &str = "plugins";

/// The plugins of a host, with the checks of what is `published`.
pub(in crate::app) async fn checks(host: &PluginHost, db: Option<&Db>, published: Vec<Check>) -> Vec<Check> {
    let names: Vec<String> = host.plugins().into_iter().map(|plugin| plugin.name).collect();
    let mut checks = vec![Check::good(PART, names.join(", "))];
    checks.extend(published);
    checks.extend(host.refused().into_iter().map(|refused| {
        let finding = format!("{} was not loaded: {}", refused.file.display(), refused.reason);
        Check::doubtful(
            PART,
            finding,
            "if the file is in plugin_dir, replace or remove it; if the plugin is published, unload it or publish it \
             again",
        )
    }));
    if let Some(db) = db {
        checks.extend(missing_plugins(db, host).await);
    }
    checks
}

/// The plugins that company manifests name and that are not loaded. Empty if the database cannot be read, which its own
/// check reports.
async fn missing_plugins(db: &Db, host: &PluginHost) -> Vec<Check> {
    let remedy =
        "publish its component with sealwright plugin load FILE, or apply a company manifest that does not name it";
    let missing = missing(db, host).await.unwrap_or_default();
    missing.iter().map(|one| Check::broken(PART, one.to_string(), remedy)).collect()
}

/// What is published: `rows`, the folders of the templates that this node has, by name, and how many jobs wait for a
/// plugin.
pub(in crate::app) fn published(rows: &[Published], waiting: i64, folders: &BTreeMap<String, PathBuf>) -> Vec<Check> {
    let count = rows.iter().filter(|row| row.is(PublishedKind::Plugin) && row.is_in_service()).count();
    let mut checks = Vec::new();
    if count > 0 {
        checks.push(Check::good(PART, format!("{count} published for every node")));
    }
    let remedy = "withdraw the others: sealwright plugin unload NAME --sha256 DIGEST";
    checks.extend(ambiguous(rows).into_iter().map(|finding| Check::doubtful(PART, finding, remedy)));
    if waiting > 0 {
        let finding = format!("{waiting} jobs wait for a plugin: webhooks to be sent, or documents to be judged");
        checks.push(Check::doubtful(PART, finding, "publish it with sealwright plugin load FILE"));
    }
    checks.extend(missed_templates(rows, folders));
    checks
}

fn missed_templates(rows: &[Published], folders: &BTreeMap<String, PathBuf>) -> Vec<Check> {
    let wanted = rows.iter().filter(|row| row.is(PublishedKind::Template) && row.is_in_service());
    let missed =
        wanted.filter(|row| !folders.get(&row.name).is_some_and(|folder| folder.ends_with(row.digest.to_string())));
    let checks = missed.map(|row| {
        let finding = format!("the published template {} is not available", row.name);
        Check::broken("certificate template", finding, "check blob_url and data_dir, or load the template again")
    });
    checks.collect()
}
