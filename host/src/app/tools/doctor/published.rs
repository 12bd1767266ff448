//! Checks what is published for every node.

use std::{collections::BTreeMap, path::PathBuf};

use super::Check;
use crate::{
    app::{
        plugins::waiting_jobs,
        published::{Parts, TEMPLATES_FOLDER, ambiguous},
    },
    blobs::Blobs,
    config::Config,
    db::Db,
    error::Error,
    plugins::PluginHost,
    store::published::{Published, PublishedKind},
};

#[derive(Default)]
pub(super) struct PublishedFindings {
    pub(super) checks: Vec<Check>,
    /// The folders of the published templates, by name.
    pub(super) templates: BTreeMap<String, PathBuf>,
}

/// Loads the published plugins into `host` as a node does, and checks the result. Empty if the database or the blob
/// store cannot be used, which their own checks report.
pub(super) async fn examine(config: &Config, host: &PluginHost) -> PublishedFindings {
    let Ok(db) = Db::open(config.database_url.expose()).await else { return PublishedFindings::default() };
    let Ok(blobs) = Blobs::open(config.blob_url.as_str()) else { return PublishedFindings::default() };
    let folder = config.data_dir.join(TEMPLATES_FOLDER);
    let parts = Parts { db: &db, blobs: &blobs, plugins: host, templates: &folder, is_repeated: false };
    let found = async {
        let followed = parts.follow().await?;
        let mut reader = db.read().await?;
        let waiting = waiting_jobs(&mut reader).await?;
        drop(reader);
        let missed = missed_templates(&followed.rows, &followed.templates);
        let checks = plugin_checks(&followed.rows, waiting).into_iter().chain(missed).collect();
        Ok::<_, Error>(PublishedFindings { checks, templates: followed.templates })
    };
    let found = found.await.unwrap_or_default();
    db.close().await;
    found
}

fn plugin_checks(rows: &[Published], waiting: i64) -> Vec<Check> {
    let count = rows.iter().filter(|row| row.is(PublishedKind::Plugin) && row.is_in_service()).count();
    let mut checks = Vec::new();
    if count > 0 {
        checks.push(Check::good("plugins", format!("{count} published for every node")));
    }
    let remedy = "withdraw the others: sealwright plugin unload NAME --sha256 DIGEST";
    checks.extend(ambiguous(rows).into_iter().map(|finding| Check::doubtful("plugins", finding, remedy)));
    if waiting > 0 {
        let finding = format!("{waiting} jobs wait for a plugin: webhooks to be sent, or documents to be judged");
        checks.push(Check::doubtful("plugins", finding, "publish it with sealwright plugin load FILE"));
    }
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
