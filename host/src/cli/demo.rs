//! `sealwright demo`: its arguments, its company manifest, and its temporary data directory.

use std::{env, fs, io, os::unix::fs::DirBuilderExt, path::PathBuf, process::ExitCode};

use anyhow::Context as _;
use clap::Args;

use super::server::{self, Role};
use crate::{
    app::{
        App,
        apply::{ManifestSource, apply},
        audit::Actor,
        console::user::{self, Authority, NewUser},
        tools::installation,
    },
    clock::random_key,
    config::{Config, Setting, Sources},
    domain::{
        company_manifest::{self, Lookup},
        console::{Role as ConsoleRole, Scope},
        id::CompanyId,
    },
    otlp::Otlp,
};

/// The company manifest that the demo applies. It names no webhook: the demo appends one for the receiver it starts.
pub const COMPANY_MANIFEST: &str = include_str!("../../demo/company.toml");

/// The number of the company in that manifest.
const DEMO_COMPANY: i64 = 1;

/// Run the server with a demo company, to try it
///
/// Data is kept in a folder that is removed at exit, unless --data-dir (or the setting) names one. Webhooks may
/// go to this machine unless --webhook-allow-private-addresses (or the setting) is false.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DemoArguments {}

/// Serves with the demo company applied. Receivers on this machine are accepted unless the setting says otherwise.
pub(super) async fn run(mut config: Config, otlp: Option<Otlp>, _: &DemoArguments) -> anyhow::Result<ExitCode> {
    if !config.is_given(Setting::WebhookAllowPrivateAddresses) {
        config.webhook.allow_private_addresses = true;
    }
    server::run(config, otlp, Role::All, async |app| {
        let lookup = Lookup { env: &|_| None, file: &|_| Err("the demo reads no files".to_owned()) };
        let manifest = company_manifest::parse("demo/company.toml", COMPANY_MANIFEST, &lookup)
            .map_err(|problems| anyhow::anyhow!("the demo's company manifest: {problems:?}"))?;
        apply(app, &Actor::command(), &[manifest.value], ManifestSource::File { take_over: false }, false)
            .await
            .map_err(|error| anyhow::anyhow!("the demo's company manifest: {error:?}"))?;
        println!("Sealwright listens on {}; its data is in {}", app.config.base_url, app.config.data_dir.display());
        add_console_user(app).await?;
        println!("Programs sign in as demo-api, and people at /console as reviewer, with the password demo-password.");
        println!("  {base}/console   the console", base = app.config.base_url);
        println!("  {base}/field     the field app", base = app.config.base_url);
        println!("  {base}/verify    check a certificate", base = app.config.base_url);
        println!("  {base}/docs      the reference for programs", base = app.config.base_url);
        println!("Press Ctrl-C to stop.");
        Ok(())
    })
    .await?;
    Ok(ExitCode::SUCCESS)
}

/// Someone who may do everything in the demo company, unless an earlier run has added them.
async fn add_console_user(app: &App) -> anyhow::Result<()> {
    const USERNAME: &str = "reviewer";
    if user::find_by_username(app, USERNAME).await.is_ok() {
        return Ok(());
    }
    let id = CompanyId::new(DEMO_COMPANY).context("the demo company has a number")?;
    let new = NewUser {
        username: USERNAME.to_owned(),
        name: "Demo reviewer".to_owned(),
        role: ConsoleRole::Administrator,
        scope: Scope::Company { id, with_children: true },
        password: "demo-password".to_owned(),
    };
    user::add(app, Authority::COMMAND, &Actor::command(), new).await?;
    Ok(())
}

const EXAMPLES: &str = "\
Examples:
  sealwright demo
  sealwright demo --data-dir ./demo-data";

/// A folder for one run that only its owner can read; removed when this is dropped.
#[derive(Debug)]
pub struct ThrowAwayFolder(PathBuf);

impl ThrowAwayFolder {
    /// Makes such a folder the `data_dir`, unless a source names another.
    pub(super) fn unless_named(sources: &mut Sources) -> anyhow::Result<Option<Self>> {
        if Config::load(sources)?.config.is_given(Setting::DataDir) {
            return Ok(None);
        }
        let folder = Self::create()?;
        sources.flags.push((Setting::DataDir, folder.0.display().to_string()));
        Ok(Some(folder))
    }

    /// If nothing is installed, puts the whole installation into such a folder, so that a dry run leaves nothing
    /// behind. Plugins are still looked up in the configured folder.
    pub(super) fn unless_installed(sources: &mut Sources) -> anyhow::Result<Option<Self>> {
        let config = Config::load(sources)?.config;
        // The program's own runtime starts later, when the settings are final.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        if !runtime.block_on(installation::is_missing(&config))? {
            return Ok(None);
        }
        let folder = Self::create()?;
        let inside = |name: &str| folder.0.join(name).display().to_string();
        sources.flags.extend([
            (Setting::PluginDir, config.plugin_dir.display().to_string()),
            (Setting::DataDir, folder.0.display().to_string()),
            (Setting::SecretKeyFile, inside("secret.key")),
            (Setting::DatabaseUrl, format!("sqlite://{}", inside("sealwright.db"))),
            (Setting::BlobUrl, format!("file://{}", inside("blobs"))),
        ]);
        Ok(Some(folder))
    }

    fn create() -> io::Result<Self> {
        let path = env::temp_dir().join(format!("sealwright-{}", random_key()));
        fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self(path))
    }
}

impl Drop for ThrowAwayFolder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            tracing::warn!(folder = %self.0.display(), %error, "the throw-away folder could not be removed");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn sources() -> Sources {
        Sources { working_dir: env::temp_dir(), ..Sources::default() }
    }

    #[test]
    fn a_demo_without_a_data_directory_gets_a_private_one_and_removes_it() {
        let mut sources = sources();
        let folder = ThrowAwayFolder::unless_named(&mut sources).unwrap().unwrap();
        let path = folder.0.clone();
        assert_eq!(Config::load(&sources).unwrap().config.data_dir, path);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
        fs::write(path.join("something"), "x").unwrap();
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn a_data_directory_that_was_named_is_kept() {
        let mut sources = Sources { flags: vec![(Setting::DataDir, "kept".to_owned())], ..sources() };
        assert!(ThrowAwayFolder::unless_named(&mut sources).unwrap().is_none());
        assert_eq!(Config::load(&sources).unwrap().config.data_dir, env::temp_dir().join("kept"));
    }
}
