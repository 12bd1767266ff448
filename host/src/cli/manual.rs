//! `sealwright manual`: man pages and completions, made from the definition of the command line. Packages contain them,
//! so the command is not listed by `--help`.

use std::{fs, path::PathBuf, process::ExitCode};

use anyhow::Context as _;
use clap::Args;
use clap_complete::aot::{Shell, generate_to};

/// Write the man pages and the completions for shells into a folder
///
/// A man page for each command, and completions for bash, zsh and fish.
#[derive(Clone, Debug, Args)]
#[command(hide = true, after_help = EXAMPLES)]
pub struct ManualArguments {
    /// The folder; created if missing
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
}

/// Writes them. `command_line` returns the definition of the whole command line.
pub(super) fn run(command_line: fn() -> clap::Command, arguments: &ManualArguments) -> anyhow::Result<ExitCode> {
    let folder = &arguments.folder;
    let writing = || format!("writing to {}", folder.display());
    fs::create_dir_all(folder).with_context(writing)?;
    clap_mangen::generate_to(command_line(), folder).with_context(writing)?;
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        generate_to(shell, &mut command_line(), "sealwright", folder).with_context(writing)?;
    }
    Ok(ExitCode::SUCCESS)
}

const EXAMPLES: &str = "\
Examples:
  sealwright manual target/manual";
