//! Checks every part that the server depends on, and says what to fix (operator.md, `sealwright doctor`).

mod confinement;
mod jobs;
mod published;
mod seal;
mod secret_key;

use std::{collections::BTreeMap, path::PathBuf};

use sealwright_facts::{
    ocr::{LANGUAGES, Language, Tesseract},
    signed_code::trust::TrustList,
};
use serde::Serialize;
use strum::IntoStaticStr;

use crate::{
    app::{
        console,
        open::{open_console_provider, open_field_provider, open_plugins},
        plugins::missing,
        private_files::open_to_others,
        session,
        templates::{
            Templates,
            examine::{Examination, examine as examine_template},
        },
    },
    blobs::Blobs,
    clock::Clock,
    config::Config,
    db::Db,
    openid::Provider,
    plugins::PluginHost,
    secrets::SecretKey,
};

/// The result of checking one part of the installation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// For example `database`.
    pub part: &'static str,
    pub state: State,
    /// What was found, on one line.
    pub finding: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum State {
    Good,
    /// It works, but probably not as intended.
    Doubtful,
    Broken,
}

impl Check {
    /// Whether the server can run with this result.
    pub fn is_usable(&self) -> bool {
        self.state != State::Broken
    }

    pub fn good(part: &'static str, finding: impl Into<String>) -> Self {
        Self { part, state: State::Good, finding: finding.into(), remedy: None }
    }

    pub fn doubtful(part: &'static str, finding: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { part, state: State::Doubtful, finding: finding.into(), remedy: Some(remedy.into()) }
    }

    pub fn broken(part: &'static str, finding: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { part, state: State::Broken, finding: finding.into(), remedy: Some(remedy.into()) }
    }
}

/// Checks every part. Opens the database, which migrates its schema as `serve` does.
pub async fn examine(config: &Config) -> Vec<Check> {
    let mut checks = vec![addresses(config), data_dir(config)];
    // Before the database is opened: that may create files, readable only by the owner.
    checks.extend(permissions(config));
    checks.extend([database(config).await, blob_store(config).await]);
    let (check, secrets) = secret_key::check(config).await;
    checks.push(check);
    let mut published_templates = BTreeMap::new();
    if let Some(secrets) = secrets {
        let plugins = plugins(config, &secrets).await;
        checks.extend(plugins.checks);
        published_templates = plugins.templates;
        checks.extend(seal::log(config, &secrets).await);
    }
    checks.extend(jobs::checks(config).await);
    checks.push(template(config, published_templates).await);
    checks.extend(seal::checks(config).await);
    checks.extend(field_provider(config).await);
    checks.extend(console_provider(config).await);
    checks.push(text_recognition().await);
    checks.extend(codes_trust(config));
    checks.push(confinement::check(config).await);
    checks
}

fn addresses(config: &Config) -> Check {
    let finding = format!("base_url is {}", config.base_url);
    if config.webhook.allow_private_addresses {
        let finding = "webhook.allow_private_addresses is on: webhooks can be sent to private networks";
        return Check::doubtful("addresses", finding, "switch it off outside development and tests");
    }
    if config.base_url.starts_with("http://") {
        return Check::doubtful("addresses", finding, "set base_url to the https address that clients use");
    }
    Check::good("addresses", finding)
}

fn data_dir(config: &Config) -> Check {
    match std::fs::create_dir_all(&config.data_dir) {
        Ok(()) => Check::good("data directory", config.data_dir.display().to_string()),
        Err(error) => Check::broken(
            "data directory",
            format!("{}: {error}", config.data_dir.display()),
            "set data_dir to a folder that the server can write to",
        ),
    }
}

/// Whether the OpenID Connect provider of the field app answers; none if there is no provider.
async fn field_provider(config: &Config) -> Option<Check> {
    let redirect = format!("{}{}", config.base_url, session::openid::CALLBACK);
    let remedy = "check field.oidc_issuer and the network; list a private network in field.oidc_private_addresses";
    provider("sign-in provider", open_field_provider(config, &Clock::system()), &redirect, remedy).await
}

/// The same for the console.
async fn console_provider(config: &Config) -> Option<Check> {
    let redirect = format!("{}{}", config.base_url, console::openid::CALLBACK);
    let remedy =
        "check console.openid.issuer and the network; list a private network in console.openid.private_addresses";
    provider("sign-in provider of the console", open_console_provider(config, &Clock::system()), &redirect, remedy)
        .await
}

/// Whether a provider answers. Passwords work without it, so it breaks nothing.
async fn provider(
    part: &'static str,
    opened: anyhow::Result<Option<Provider>>,
    redirect: &str,
    remedy: &str,
) -> Option<Check> {
    let provider = match opened {
        Ok(provider) => provider?,
        Err(error) => {
            let remedy = "correct the file or the variable with the client's secret";
            return Some(Check::broken(part, format!("{error:#}"), remedy));
        }
    };
    Some(match provider.begin(false).await {
        Ok(_) => Check::good(part, format!("{} answers; its redirect URI must be {redirect}", provider.issuer())),
        Err(error) => Check::doubtful(part, format!("{}: {error}", provider.issuer()), remedy),
    })
}

/// Whether the certificates of the issuers of signed codes can be read; none if there are none.
fn codes_trust(config: &Config) -> Option<Check> {
    const PART: &str = "signed codes";
    let path = config.analysis.codes_trust.as_deref()?;
    Some(match TrustList::read(path) {
        Ok(list) if list.rejected.is_empty() => Check::good(PART, format!("{} certificates of issuers", list.len())),
        Ok(list) => Check::doubtful(
            PART,
            format!("{} certificates of issuers; not used: {}", list.len(), list.rejected.join("; ")),
            "replace these files in analysis.codes_trust, or remove them",
        ),
        Err(error) => {
            Check::broken(PART, error.to_string(), "set analysis.codes_trust to a file or folder of certificates")
        }
    })
}

/// The files that other users of this machine can read.
fn permissions(config: &Config) -> Vec<Check> {
    let open = open_to_others(config).into_iter().map(|open| {
        let remedy = format!(
            "run: chmod {:o} '{}'; the server does it at its next start",
            open.narrow_mode(),
            open.path.display()
        );
        Check::doubtful("permissions", format!("{open}: other users of this machine can read it"), remedy)
    });
    open.collect()
}

async fn database(config: &Config) -> Check {
    let opened = async {
        let db = Db::open(config.database_url.expose()).await?;
        let mut tx = db.begin().await?;
        tx.query("select cast(1 as bigint)").one::<(i64,)>().await?;
        tx.commit().await?;
        db.close().await;
        anyhow::Ok(if db.is_shared() { "PostgreSQL" } else { "SQLite" })
    };
    match opened.await {
        Ok(kind) => Check::good("database", format!("{kind}; the schema is up to date")),
        Err(error) => {
            Check::broken("database", format!("{error:#}"), "check database_url, and that the database is running")
        }
    }
}

async fn blob_store(config: &Config) -> Check {
    let checked = async {
        let blobs = Blobs::open(config.blob_url.as_str())?;
        blobs.check().await?;
        blobs.owners().await
    };
    match checked.await {
        Ok(owners) if owners.len() > 1 => {
            let names: Vec<String> =
                owners.into_iter().map(|owner| format!("{} since {}", owner.name, owner.since)).collect();
            Check::doubtful(
                "blob store",
                format!("several installations use it or have used it: {}", names.join(", ")),
                "give each its own prefix, or remove the names of retired installations from the store's folder \
                 `owners`; until then, files left behind by a crash are not deleted",
            )
        }
        Ok(_) => Check::good("blob store", format!("{} can be written and read", config.blob_url)),
        Err(error) => {
            Check::broken("blob store", format!("{error:#}"), "check blob_url; for s3:// also the AWS_* variables")
        }
    }
}

/// Checks the plugins, and with them everything that is published.
async fn plugins(config: &Config, secrets: &SecretKey) -> published::PublishedFindings {
    let host = match open_plugins(config, secrets).await {
        Ok(host) => host,
        Err(error) => {
            let remedy = "check the memory limit of this process, and the folder plugin-cache in data_dir";
            let checks = vec![Check::broken("plugins", format!("{error:#}"), remedy)];
            return published::PublishedFindings { checks, ..published::PublishedFindings::default() };
        }
    };
    let published = published::examine(config, &host).await;
    let names: Vec<String> = host.plugins().into_iter().map(|plugin| plugin.name).collect();
    let refused = host.refused().into_iter().map(|refused| {
        let finding = format!("{} was not loaded: {}", refused.file.display(), refused.reason);
        Check::doubtful(
            "plugins",
            finding,
            "if the file is in plugin_dir, replace or remove it; if the plugin is published, unload it or publish it \
             again",
        )
    });
    let missing = missing_plugins(config, &host).await;
    let loaded = std::iter::once(Check::good("plugins", names.join(", ")));
    let checks = loaded.chain(published.checks).chain(refused).chain(missing).collect();
    published::PublishedFindings { checks, ..published }
}

/// The plugins that company manifests name and that are not loaded. Empty if the database cannot be read, which its own
/// check reports.
async fn missing_plugins(config: &Config, host: &PluginHost) -> Vec<Check> {
    let Ok(db) = Db::open(config.database_url.expose()).await else { return Vec::new() };
    let missing = missing(&db, host).await;
    db.close().await;
    let remedy =
        "publish its component with sealwright plugin load FILE, or apply a company manifest that does not name it";
    missing.unwrap_or_default().iter().map(|one| Check::broken("plugins", one.to_string(), remedy)).collect()
}

async fn text_recognition() -> Check {
    const PART: &str = "text recognition";
    let remedy = |missing: &[&Language]| {
        let packages: Vec<String> = missing.iter().map(|language| language.package()).collect();
        format!(
            "install Tesseract with the languages of your documents (Debian: tesseract-ocr {}); without it scans and \
             photos of documents are kept, but their text is not read",
            packages.join(" ")
        )
    };
    let read: Vec<&Language> = LANGUAGES.iter().filter(|language| language.is_read).collect();
    let Some(found) = tokio::task::spawn_blocking(Tesseract::installed).await.ok().flatten() else {
        return Check::doubtful(PART, "Tesseract is not in PATH, or has no language", remedy(&read));
    };
    let missing: Vec<&Language> = read.into_iter().filter(|language| !found.languages().contains(language)).collect();
    let names = |languages: &[&Language]| languages.iter().map(|language| language.name).collect::<Vec<_>>().join(", ");
    let finding = format!("{}, {}", found.program().display(), names(found.languages()));
    if missing.iter().any(|language| ["fra", "eng"].contains(&language.code)) {
        return Check::doubtful(PART, format!("{finding}; not {}", names(&missing)), remedy(&missing));
    }
    let also = if missing.is_empty() { String::new() } else { format!("; not installed: {}", packages(&missing)) };
    Check::good(PART, finding + &also)
}

/// `German (tesseract-ocr-deu), Spanish (tesseract-ocr-spa)`.
fn packages(languages: &[&Language]) -> String {
    let named = |language: &&Language| format!("{} ({})", language.name, language.package());
    languages.iter().map(named).collect::<Vec<_>>().join(", ")
}

async fn template(config: &Config, published: BTreeMap<String, PathBuf>) -> Check {
    let folder = config.template_dir.clone();
    // Without this check a mistyped name would silently select the built-in template.
    if let Some(missing) = folder.as_ref().filter(|folder| !folder.is_dir()) {
        let finding = format!("{} is not a folder", missing.display());
        return Check::broken("certificate template", finding, "check template_dir");
    }
    let name = folder.as_ref().map_or("built-in".to_owned(), |folder| folder.display().to_string());
    let examined = tokio::task::spawn_blocking(move || {
        let templates = Templates::new(folder);
        templates.set_published(published);
        templates.check_built_in()?;
        templates.folders().into_iter().map(|(name, folder)| Ok((name, examine_template(&folder)?))).collect()
    });
    let examined: anyhow::Result<Vec<(String, Examination)>> =
        examined.await.map_err(anyhow::Error::from).and_then(|examined| examined);
    let examined = match examined {
        Ok(examined) => examined,
        Err(error) => return Check::broken("certificate template", format!("{error:#}"), "check template_dir"),
    };
    let (usable, unusable): (Vec<_>, Vec<_>) = examined.into_iter().partition(|(_, examined)| examined.usable);
    let names = |examined: &[(String, Examination)]| {
        examined.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
    };
    if unusable.is_empty() {
        let own = if usable.is_empty() { String::new() } else { format!(": {}", names(&usable)) };
        return Check::good("certificate template", format!("{name}{own}; all fonts are available"));
    }
    Check::doubtful(
        "certificate template",
        format!("{name}: {} cannot be used; the built-in template is used instead", names(&unusable)),
        "run sealwright template check on the folder",
    )
}
