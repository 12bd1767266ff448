//! `sealwright restore`: makes an installation from a backup, or only checks a backup.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;

use super::output::Output;
use crate::{
    app::{
        backup,
        tools::{
            check_backup::{self, CertificateCount},
            restore::{self, BackupSource},
        },
    },
    config::Config,
};

/// Make an installation from a backup, on the database and blob store that the settings name
///
/// The database may be another one than that of the backup: SQLite or PostgreSQL. Database and blob store must be empty,
/// and the secret key file must be that of the backup's installation.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RestoreArguments {
    /// The folder or the `s3://bucket/prefix` with the backups
    from: String,

    /// Change nothing: read every row and file of the backup, and verify certificates and the log of seals
    #[arg(long)]
    check: bool,

    /// Which backup [default: the newest complete one]
    #[arg(long, value_name = "ID")]
    backup: Option<String>,

    /// The file of the key of the backup [default: the setting `backup.key_file`]
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,

    /// How many certificates `--check` verifies: `all` or a number
    #[arg(long, value_name = "all|N", default_value = "20", requires = "check")]
    certificates: CertificateCount,

    /// The newest checkpoint of the log of seals that others have seen, from `/log/checkpoint`
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// A file of `sealwright audit export` that is newer than the backup: the command then names the cases and items that
    /// were deleted or erased after the backup, and are there again
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    audit: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  sealwright restore --check /mnt/backup --certificates all
  sealwright restore /mnt/backup --data-dir /var/lib/sealwright
  sealwright restore s3://backups/sealwright --database-url postgres://sealwright@db/sealwright";

pub(super) async fn run(config: &Config, arguments: &RestoreArguments, output: Output) -> anyhow::Result<ExitCode> {
    let source = BackupSource {
        place: arguments.from.clone(),
        id: arguments.backup.clone(),
        key: backup::read_key(arguments.key.as_deref().or(config.backup.key_file.as_deref()))?,
        checkpoint: arguments.checkpoint.clone(),
    };
    if arguments.check {
        output.print(&Box::pin(check_backup::check(config, &source, arguments.certificates)).await?)?;
    } else {
        output.print(&Box::pin(restore::restore(config, &source, arguments.audit.as_deref())).await?)?;
    }
    Ok(ExitCode::SUCCESS)
}
