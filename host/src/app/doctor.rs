//! Looks at everything the server stands on, each part for itself, and says what to mend (operator.md,
//! `sealwright doctor`).

use serde::Serialize;

use super::open::{open_plugins, open_renderer};
use crate::{blobs::Blobs, config::Config, db::Db, secrets::SecretKey};

/// What was found of one part.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    pub part: &'static str,
    pub state: State,
    /// What was found; with `warning` and `failed`, what to mend.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Good,
    /// The server runs; something is not as it should be in production.
    Warning,
    /// The server cannot run, or not rightly.
    Failed,
}

/// Examines every part. Opens the database, which brings its schema up to date as `serve` does.
pub async fn examine(config: &Config) -> Vec<Finding> {
    let mut findings = vec![settings(config)];
    findings.push(outcome("data directory", std::fs::create_dir_all(&config.data_dir).map_err(Into::into), || {
        config.data_dir.display().to_string()
    }));
    findings.push(database(config).await);
    findings.push(blob_store(config).await);
    match SecretKey::load_or_create(&config.secret_key_file) {
        Ok(secrets) => {
            let text = format!("{}; keep a copy apart from the database", config.secret_key_file.display());
            findings.push(good("secret key", text));
            findings.extend(plugins(config, &secrets).await);
        }
        Err(error) => findings.push(failed("secret key", &error.into())),
    }
    findings.push(template(config).await);
    findings.push(seal());
    findings
}

fn settings(config: &Config) -> Finding {
    if config.webhook.allow_private_addresses {
        let text = "webhook.allow_private_addresses is on: for development and tests, never in production";
        return warning("settings", text.to_owned());
    }
    if config.base_url.starts_with("http://") {
        let text = format!("base_url is {}: in production it should be the https address that clients use", config.base_url);
        return warning("settings", text);
    }
    good("settings", format!("base_url is {}", config.base_url))
}

async fn database(config: &Config) -> Finding {
    let opened = async {
        let db = Db::open(config.database_url.expose()).await?;
        let kind = if db.is_shared() { "PostgreSQL, schema up to date" } else { "SQLite, schema up to date" };
        let mut tx = db.begin().await?;
        tx.query("select cast(1 as bigint)").one::<(i64,)>().await?;
        tx.commit().await?;
        db.close().await;
        anyhow::Ok(kind.to_owned())
    };
    opened.await.map_or_else(|error| failed("database", &error), |kind| good("database", kind))
}

async fn blob_store(config: &Config) -> Finding {
    let checked = async { Blobs::open(config.blob_url.as_str())?.check().await };
    outcome("blob store", checked.await, || format!("{} can be written and read", config.blob_url))
}

async fn plugins(config: &Config, secrets: &SecretKey) -> Vec<Finding> {
    let host = match open_plugins(config, secrets).await {
        Ok(host) => host,
        Err(error) => return vec![failed("plugins", &error)],
    };
    let names: Vec<String> = host.plugins().into_iter().map(|plugin| plugin.name).collect();
    let mut findings = vec![good("plugins", names.join(", "))];
    findings.extend(host.refused().iter().map(|refused| warning("plugins", format!("{} was not loaded: {}", refused.file.display(), refused.reason))));
    findings
}

async fn template(config: &Config) -> Finding {
    let folder = config.template_dir.clone();
    let text = match &folder {
        Some(folder) => format!("{}, fonts loaded", folder.display()),
        None => "built-in, fonts loaded".to_owned(),
    };
    let opened = tokio::task::spawn_blocking(move || open_renderer(folder.as_deref())).await;
    outcome("certificate template", opened.map_err(Into::into).and_then(|opened| opened.map(drop)), || text)
}

/// Certificates of this release carry neither signature nor time stamp, and say so.
fn seal() -> Finding {
    warning("seal", "this release does not sign or time-stamp certificates; they state that they are unsigned".to_owned())
}

fn outcome(part: &'static str, outcome: anyhow::Result<()>, text: impl FnOnce() -> String) -> Finding {
    match outcome {
        Ok(()) => good(part, text()),
        Err(error) => failed(part, &error),
    }
}

fn good(part: &'static str, text: String) -> Finding {
    Finding { part, state: State::Good, text }
}

fn warning(part: &'static str, text: String) -> Finding {
    Finding { part, state: State::Warning, text }
}

fn failed(part: &'static str, error: &anyhow::Error) -> Finding {
    Finding { part, state: State::Failed, text: format!("{error:#}") }
}
