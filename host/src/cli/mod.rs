//! The command line: parses arguments, sets up settings and logging, runs one command, and turns its outcome into an
//! exit code. The work itself is done by the use cases in [`app`](crate::app); commands only call them and print.

mod allocator;
pub mod analysis;
pub mod apply;
pub mod audit;
pub mod backup;
mod child;
pub mod company;
pub mod demo;
mod descriptors;
pub mod disclose;
pub mod doctor;
pub mod erase;
pub mod facts;
mod flags;
pub mod hold;
pub mod job;
pub mod log;
mod logging;
pub mod manual;
pub mod output;
pub mod plugin;
pub mod restore;
pub mod retention;
pub mod seal;
pub mod serve;
mod server;
pub mod template;
#[cfg(test)]
mod tests;
pub mod user;
pub mod verify;
pub mod webhook;
pub mod witness;

use std::{path::PathBuf, process::ExitCode, time::Duration};

use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};
use sealwright_child_process::ARGUMENT;
use strum::VariantArray as _;

use self::{demo::ThrowAwayFolder, flags::SettingFlags, output::Output};
use crate::{
    config::{Config, LogSettings, Setting, Sources},
    otlp::Otlp,
};

/// What the operator asked for, ready to run.
#[derive(Debug)]
pub struct Invocation {
    pub command: Command,
    pub config: Config,
    pub output: Output,
    /// The data directory of a demo without a given one, or of a dry run without an installation; removed when this is
    /// dropped.
    pub throw_away: Option<ThrowAwayFolder>,
    /// Where a server sends its traces and metrics.
    pub otlp: Option<Otlp>,
}

#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    Serve(serve::ServeArguments),
    Demo(demo::DemoArguments),
    Apply(apply::ApplyArguments),
    Company(company::CompanyArguments),
    Doctor(doctor::DoctorArguments),
    Template(template::TemplateArguments),
    Verify(verify::VerifyArguments),
    Webhook(webhook::WebhookArguments),
    Job(job::JobArguments),
    Seal(seal::SealArguments),
    Log(log::LogArguments),
    Audit(audit::AuditArguments),
    Facts(facts::FactsArguments),
    Plugin(plugin::PluginArguments),
    Analysis(analysis::AnalysisArguments),
    User(user::UserArguments),
    Witness(witness::WitnessArguments),
    Manual(manual::ManualArguments),
    Disclose(disclose::DiscloseArguments),
    Erase(erase::EraseArguments),
    Backup(backup::BackupArguments),
    Restore(restore::RestoreArguments),
    Retention(retention::RetentionArguments),
    Hold(hold::HoldArguments),
}

impl Command {
    /// Whether it runs until it is stopped and prints its log only.
    const fn serves(&self) -> bool {
        match self {
            Self::Serve(_) | Self::Demo(_) => true,
            Self::Witness(arguments) => arguments.serves(),
            _ => false,
        }
    }

    /// Whether the files it writes belong to the caller and follow the caller's umask.
    const fn writes_user_files(&self) -> bool {
        matches!(
            self,
            Self::Template(_)
                | Self::Verify(_)
                | Self::Manual(_)
                | Self::Plugin(plugin::PluginArguments {
                    action: plugin::PluginAction::New(_) | plugin::PluginAction::Pack { .. }
                })
        )
    }

    /// Whether the log is part of the answer.
    const fn prints_its_own_log(&self) -> bool {
        matches!(self, Self::Plugin(plugin::PluginArguments { action: plugin::PluginAction::Run(_) }))
    }
}

/// Turns evidence from the field into sealed PDFs, which can be verified without this server
#[derive(Debug, Parser)]
#[command(name = "sealwright", version, after_help = EXAMPLES)]
struct Arguments {
    /// The settings file [default: sealwright.toml, if present]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Print JSON instead of text
    #[arg(long, global = true)]
    json: bool,

    #[command(flatten)]
    settings: SettingFlags,

    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  sealwright demo                   try it
  sealwright apply company.toml     set up a company
  sealwright serve                  run the server
  sealwright verify CERT.pdf        check a certificate";

/// Where to find the settings that most help texts leave out.
const SETTINGS: &str = "Every command takes the settings that `sealwright serve --help` lists.";

/// The command line. Every command takes every setting, but only the help of `serve` lists them all: elsewhere thirty
/// server settings would hide the command's own flags, so only the data directory is shown.
fn command_line() -> clap::Command {
    let command = Arguments::command();
    let settings: Vec<Arg> = command.get_arguments().filter(|flag| is_setting(flag)).cloned().collect();
    let hidden = |flag: Arg| {
        let hide = is_setting(&flag) && flag.get_long() != Setting::DataDir.flag().strip_prefix("--");
        flag.hide(hide)
    };
    // Arguments of a command's own are not propagated to it.
    point_to_settings(command.mut_args(hidden)).mut_subcommand("serve", |serve| serve.args(settings))
}

fn is_setting(flag: &Arg) -> bool {
    let long = flag.get_long().unwrap_or_default();
    Setting::VARIANTS.iter().any(|setting| setting.flag().strip_prefix("--") == Some(long))
}

fn point_to_settings(command: clap::Command) -> clap::Command {
    if command.get_name() == "serve" {
        return command;
    }
    let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    command.after_help(format!("{examples}\n\n{SETTINGS}")).mut_subcommands(point_to_settings)
}

/// Runs the program as its command line says.
pub fn run() -> ExitCode {
    // Not a command for users: the server starts itself this way. It has no settings, no log and no runtime.
    if std::env::args_os().nth(1).is_some_and(|first| first == ARGUMENT) {
        return child::run(std::env::args().skip(2));
    }
    allocator::return_large_buffers();
    run_with(|invocation| {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let code = runtime.block_on(dispatch(invocation));
        // A blocking task that hangs (resolving a name) must not delay the exit.
        runtime.shutdown_timeout(Duration::from_secs(1));
        code
    })
}

async fn dispatch(invocation: Invocation) -> anyhow::Result<ExitCode> {
    let Invocation { command, config, output, throw_away, otlp } = invocation;
    // The folder is removed when this function returns, after the server has stopped.
    let _throw_away = throw_away;
    match command {
        Command::Serve(arguments) => serve::run(config, otlp, &arguments).await,
        Command::Demo(arguments) => Box::pin(demo::run(config, otlp, &arguments)).await,
        Command::Apply(arguments) => apply::run(config, &arguments, output).await,
        Command::Company(arguments) => company::run(config, &arguments, output).await,
        Command::Doctor(_) => doctor::run(&config, output).await,
        Command::Template(arguments) => Box::pin(template::run(config, &arguments, output)).await,
        Command::Verify(arguments) => verify::run(&config, &arguments, output),
        Command::Webhook(arguments) => webhook::run(config, &arguments, output).await,
        Command::Job(arguments) => job::run(config, &arguments, output).await,
        Command::Log(arguments) => log::run(config, &arguments, output).await,
        Command::Audit(arguments) => audit::run(config, &arguments, output).await,
        Command::Seal(arguments) => seal::run(&config, &arguments, output).await,
        Command::Facts(arguments) => facts::run(&arguments, output).await,
        Command::Plugin(arguments) => Box::pin(plugin::run(config, &arguments, output)).await,
        Command::Analysis(arguments) => analysis::run(config, &arguments, output).await,
        Command::User(arguments) => user::run(config, &arguments, output).await,
        Command::Witness(arguments) => Box::pin(witness::run(config, otlp, &arguments, output)).await,
        Command::Manual(arguments) => manual::run(command_line, &arguments),
        Command::Erase(arguments) => Box::pin(erase::run(config, &arguments, output)).await,
        Command::Disclose(arguments) => Box::pin(disclose::run(config, &arguments, output)).await,
        Command::Backup(arguments) => backup::run(config, &arguments, output).await,
        Command::Restore(arguments) => restore::run(&config, &arguments, output).await,
        Command::Retention(arguments) => Box::pin(retention::run(config, &arguments, output)).await,
        Command::Hold(arguments) => hold::run(config, &arguments, output).await,
    }
}

/// Runs the program, with `dispatch` for its commands. The exit code is the command's, 1 if it failed, and 2 if the
/// command line or the settings are invalid. For `verify`, 2 is an answer, so invalid arguments give 1.
fn run_with(dispatch: impl FnOnce(Invocation) -> anyhow::Result<ExitCode>) -> ExitCode {
    let unusable = |is_verify| if is_verify { ExitCode::FAILURE } else { ExitCode::from(2) };
    let matches = command_line().try_get_matches();
    let arguments = match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        Err(error) if error.exit_code() == 0 => error.exit(),
        Err(error) => {
            // If not even this can be printed, nothing can be done.
            let _ = error.print();
            return unusable(std::env::args_os().any(|argument| argument == "verify"));
        }
    };
    let is_verify = matches!(arguments.command, Command::Verify(_));
    if !arguments.command.writes_user_files() {
        // Only the owner may read an installation's files. Set before any thread starts: it affects the whole process.
        rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
    }
    let invocation = match prepare(arguments) {
        Ok(invocation) => invocation,
        Err(error) => {
            for line in format!("{error:#}").lines() {
                eprintln!("error: {line}");
            }
            return unusable(is_verify);
        }
    };
    dispatch(invocation).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

/// The default log level of commands that print an answer and exit: warnings, and what the command waits for.
const ONE_SHOT_LOG_LEVEL: &str = "warn,sealwright_plugin_host::compiler=info";

fn log_settings(command: &Command, config: &Config) -> LogSettings {
    let mut settings = config.log.clone();
    if !command.serves() && !config.is_given(Setting::LogLevel) {
        ONE_SHOT_LOG_LEVEL.clone_into(&mut settings.level);
    }
    settings
}

fn prepare(arguments: Arguments) -> anyhow::Result<Invocation> {
    // A check may run in a folder with files of unknown origin. A settings file there must not affect it.
    let with_default_file = !matches!(arguments.command, Command::Verify(_));
    let mut sources = Sources::of_process(arguments.config.as_deref(), with_default_file, arguments.settings.given())?;
    let throw_away = match &arguments.command {
        Command::Demo(_) => ThrowAwayFolder::unless_named(&mut sources)?,
        Command::Apply(arguments) if arguments.dry_run => ThrowAwayFolder::unless_installed(&mut sources)?,
        _ => None,
    };
    let loaded = Config::load(&sources)?;
    let otlp = if arguments.command.serves() { Otlp::new(&loaded.config.otlp)? } else { None };
    if !arguments.command.prints_its_own_log() {
        let traces = otlp.as_ref().map(Otlp::layer);
        logging::start(&log_settings(&arguments.command, &loaded.config), sources.logs_to_terminal, traces);
    }
    for warning in &loaded.warnings {
        tracing::warn!("{warning}");
    }
    Ok(Invocation {
        command: arguments.command,
        config: loaded.config,
        output: Output { json: arguments.json },
        throw_away,
        otlp,
    })
}
