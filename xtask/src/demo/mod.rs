//! `cargo xtask demo`: from sources to a certificate in one command. Builds everything, starts a server with a demo
//! company and a webhook receiver, takes one case through the HTTP API as an integrator would, and keeps serving.

mod api;
mod company;
mod journey;
mod poll;
mod receiver;
mod report;
mod server;

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use anyhow::{Context as _, bail, ensure};
use clap::{
    Args,
    builder::{PathBufValueParser, TypedValueParser as _},
};
use tempfile::TempDir;

use self::{
    api::Api,
    company::Company,
    journey::{Evidence, Journey},
    poll::Interrupted,
    receiver::Receiver,
    server::Server,
};
use crate::workspace::{Workspace, build_programs, run as run_command};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// A photo of your own (JPEG or PNG) instead of the drawn one
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().try_map(existing))]
    photo: Option<PathBuf>,
    /// A document of your own (PDF, JPEG or PNG) instead of the specimen
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().try_map(existing))]
    document: Option<PathBuf>,
    /// Keep the server's data here (default: a temporary folder, removed at the end)
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Stop after the journey; the exit status shows whether it succeeded
    #[arg(long)]
    pub(crate) once: bool,
}

/// Reports a wrong path before ten minutes of compiling, not after.
fn existing(path: PathBuf) -> anyhow::Result<PathBuf> {
    ensure!(path.is_file(), "{} is not a file", path.display());
    Ok(path)
}

pub(crate) fn run(workspace: &Workspace, options: Options) -> anyhow::Result<()> {
    // The development profile on purpose: a fast first start matters more here than speed. The whole workspace, because
    // then every dependency has the features that `cargo xtask test` compiles it with too.
    let mut build = workspace.cargo_with_plugins("build")?;
    let programs = build_programs(build.args(["--workspace", "--bin", "sealwright", "--bin", "sealwright-lab"]))?;
    let program = |name: &str| programs.get(name).with_context(|| format!("cargo built no program named {name}"));

    let out = workspace.target_dir.join("demo");
    let specimens = out.join("specimens");
    // The lab's output is in specimens.json too.
    let mut lab = Command::new(program("sealwright-lab")?);
    run_command(lab.args(["specimens", "--out"]).arg(&specimens).stdout(Stdio::null()))?;
    let evidence = Evidence::load(&specimens, options.photo, options.document)?;

    let interrupted = Interrupted::default();
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&interrupted))?;
    }
    let temporary = TempDir::with_prefix("sealwright-demo-")?;
    let data_dir = options.data_dir.unwrap_or_else(|| temporary.path().join("data"));

    let receiver = Receiver::start()?;
    let company = Company::load(&workspace.root.join("host/demo/company.toml"), &receiver.url())?;
    let mut server = Server::start(program("sealwright")?, &data_dir, temporary.path())?;
    let journey = attend(&mut server, &company, &evidence, &receiver, &interrupted, &out);
    let certificate = match journey {
        Ok(certificate) => certificate,
        Err(error) => {
            server.stop();
            eprintln!("The last lines of the server's log:\n{}\n", server.log_tail());
            return Err(error.context("the demo failed"));
        }
    };
    report::print(&server.base_url(), &company, &certificate);
    if !options.once {
        keep_serving(&mut server, &receiver, &company, &interrupted)?;
    }
    server.stop();
    Ok(())
}

/// All steps from the start of the server to the certificate on disk.
fn attend(
    server: &mut Server,
    company: &Company,
    evidence: &Evidence,
    receiver: &Receiver,
    interrupted: &Interrupted,
    out: &Path,
) -> anyhow::Result<journey::Certificate> {
    let api = Api::new(server.base_url());
    server.wait_until_ready(&api, interrupted)?;
    server.apply(company)?;
    Journey { api, company, evidence, receiver, interrupted, out }.travel()
}

/// Shows further webhooks until Ctrl-C; fails if the server ends by itself.
fn keep_serving(
    server: &mut Server,
    receiver: &Receiver,
    company: &Company,
    interrupted: &Interrupted,
) -> anyhow::Result<()> {
    println!("Serving until Ctrl-C. Webhooks that arrive are shown here.");
    while !interrupted.load(Ordering::Relaxed) {
        if let Some(delivery) = receiver.next(Duration::from_millis(200)) {
            match delivery.check_signature(&company.webhook_key) {
                Ok(()) => println!("Webhook, signature valid: {}", String::from_utf8_lossy(&delivery.body)),
                Err(error) => println!("Webhook, {error:#}"),
            }
        }
        if let Some(status) = server.ended()? {
            bail!("the server ended by itself ({status}); the last lines of its log:\n{}", server.log_tail());
        }
    }
    println!();
    Ok(())
}
