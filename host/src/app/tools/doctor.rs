//! Checks every part that the server depends on, and says what to fix (operator.md, `sealwright doctor`). Opens each part
//! itself, as `serve` does, so that it also works if the server cannot start.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use crate::{
    app::{
        checks::{
            Check, backups, confinement, growth, jobs, parts, plugins, seal, secret_key, settings, template,
            text_recognition,
        },
        open::{open_plugins, time_sources},
        plugins::waiting_jobs,
        published::{Parts, TEMPLATES_FOLDER},
        seal_log::SealLog,
        templates::{Templates, examine::examine as examine_template},
    },
    blobs::Blobs,
    clock::Clock,
    config::Config,
    db::Db,
    error::Result,
    plugins::PluginHost,
    secrets::SecretKey,
    signing::SealKeys,
};

/// The folders of the published templates, by name.
type TemplateFolders = BTreeMap<String, PathBuf>;

/// Checks every part. Opens the database, which migrates its schema as `serve` does.
pub async fn examine(config: &Config) -> Vec<Check> {
    let mut checks = vec![settings::addresses(config), settings::data_dir(config)];
    // Before the database is opened: that may create files, readable only by the owner.
    checks.extend(settings::permissions(config));
    let db = Db::open(config.database_url.expose()).await;
    let blobs = Blobs::open(config.blob_url.as_str());
    checks.extend([database(&db).await, blob_store(config, &blobs).await]);
    // The checks of a part that cannot be opened were made.
    let (db, blobs) = (db.ok(), blobs.ok());
    let (check, secrets) = secret_key::check(config, db.as_ref()).await;
    checks.push(check);
    let mut published_templates = TemplateFolders::new();
    if let Some(secrets) = secrets {
        let (of_plugins, templates) = of_plugins(config, &secrets, db.as_ref(), blobs.as_ref()).await;
        checks.extend(of_plugins);
        published_templates = templates;
        if let (Some(db), Some(blobs)) = (&db, &blobs) {
            let log = SealLog::new(&secrets, &config.base_url);
            checks.push(seal::log(&log, db, blobs).await);
            checks.extend(seal::witnesses(&log, &config.witnesses, db).await);
        }
    }
    if let Some(db) = &db {
        let now = Clock::system().now();
        checks.extend(jobs::checks(db, now).await);
        checks.push(growth::check(config, db, now).await);
        checks.extend(backups::checks(config, db, now).await);
        db.close().await;
    }
    checks.push(of_templates(config, published_templates).await);
    checks.extend(of_seal(config).await);
    checks.extend(parts::providers(config).await);
    checks.push(text_recognition::check().await);
    checks.extend(settings::codes_trust(config));
    checks.push(confinement::check(config).await);
    checks
}

async fn database(opened: &anyhow::Result<Db>) -> Check {
    match opened {
        Ok(db) => parts::database(db).await,
        Err(error) => parts::no_database(error),
    }
}

async fn blob_store(config: &Config, opened: &anyhow::Result<Blobs>) -> Check {
    match opened {
        Ok(blobs) => parts::blob_store(config, blobs).await,
        Err(error) => parts::no_blob_store(error),
    }
}

/// Checks the plugins, and with them everything that is published.
async fn of_plugins(
    config: &Config,
    secrets: &SecretKey,
    db: Option<&Db>,
    blobs: Option<&Blobs>,
) -> (Vec<Check>, TemplateFolders) {
    let host = match open_plugins(config, secrets).await {
        Ok(host) => host,
        Err(error) => {
            let remedy = "check the memory limit of this process, and the folder plugin-cache in data_dir";
            return (vec![Check::broken("plugins", format!("{error:#}"), remedy)], TemplateFolders::new());
        }
    };
    // Nothing if the database or the blob store cannot be used, which their own checks report.
    let (published, templates) = match (db, blobs) {
        (Some(db), Some(blobs)) => of_published(config, &host, db, blobs).await.unwrap_or_default(),
        _ => (Vec::new(), TemplateFolders::new()),
    };
    (plugins::checks(&host, db, published).await, templates)
}

/// Loads the published plugins into `host` as a node does, and checks the result.
async fn of_published(
    config: &Config,
    host: &PluginHost,
    db: &Db,
    blobs: &Blobs,
) -> Result<(Vec<Check>, TemplateFolders)> {
    let folder = config.data_dir.join(TEMPLATES_FOLDER);
    let parts = Parts { db, blobs, plugins: host, templates: &folder, is_repeated: false };
    let followed = parts.follow().await?;
    let mut reader = db.read().await?;
    let waiting = waiting_jobs(&mut reader).await?;
    drop(reader);
    let checks = plugins::published(&followed.rows, waiting, &followed.templates);
    Ok((checks, followed.templates))
}

async fn of_templates(config: &Config, published: TemplateFolders) -> Check {
    let templates = Arc::new(Templates::new(config.template_dir.clone()));
    templates.set_published(published);
    template::check(config, templates, |folder| Ok(examine_template(folder)?.usable)).await
}

/// Checks the signing key and requests a time stamp from every authority.
async fn of_seal(config: &Config) -> Vec<Check> {
    let clock = Clock::system();
    let keys = match SealKeys::load_or_create(&config.seal, &config.data_dir, clock.now()) {
        Ok(keys) => keys,
        Err(error) => return vec![seal::no_keys(&error)],
    };
    let mut checks = seal::keys(&keys, clock.now());
    match time_sources(config, &keys, &clock) {
        Ok(sources) => {
            let answers = seal::ask(&sources).await;
            checks.extend(seal::time_stamps(&answers, sources.is_development(), clock.now()));
        }
        Err(error) => checks.push(seal::no_time(&error)),
    }
    checks
}
