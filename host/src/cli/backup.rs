//! `sealwright backup`: copies the running installation to another place.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Context;
use clap::Args;

use super::output::Output;
use crate::{
    app::{App, audit::Actor, backup},
    clock::Clock,
    config::Config,
};

/// Copy the installation to a folder or a bucket, while the server runs
///
/// The copy has everything that was acknowledged before. Files that the place has from an earlier backup are not copied
/// again. The secret key file and the keys that sign are not in it: keep them elsewhere.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct BackupArguments {
    /// A folder, created if missing, or `s3://bucket/prefix` [default: the setting backup.to]
    to: Option<String>,

    /// The file of the key to encrypt with [default: the setting `backup.key_file`]
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  sealwright backup /mnt/backup
  sealwright backup s3://backups/sealwright --key /etc/sealwright/backup.key

A key is made with:
  (umask 077; openssl rand -hex 32 > backup.key)";

pub(super) async fn run(config: Config, arguments: &BackupArguments, output: Output) -> anyhow::Result<ExitCode> {
    let to = arguments.to.clone().or_else(|| config.backup.to.clone());
    let to = to.context("name the place of the backup, or set backup.to")?;
    let key = backup::read_key(arguments.key.as_deref().or(config.backup.key_file.as_deref()))?;
    let app = App::open_existing(config, Clock::system()).await?;
    let made = Box::pin(backup::make::make(&app, &to, key, None, &Actor::command())).await;
    app.db.close().await;
    output.print(&made?)?;
    Ok(ExitCode::SUCCESS)
}
