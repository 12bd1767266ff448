//! Commands of the program, run with a server's settings, next to the server.

use std::{
    fs,
    process::{Child, Command, Output, Stdio},
};

use serde_json::Value;

use super::{TestServer, said};

impl TestServer {
    /// Runs `sealwright apply` on a company manifest.
    pub(crate) fn apply(&self, company_manifest: &str) -> Output {
        self.run(&["apply", &self.write_company_manifest(company_manifest)])
    }

    /// Applies a company manifest that must be accepted.
    #[track_caller]
    pub(crate) fn must_apply(&self, company_manifest: &str) {
        let output = self.apply(company_manifest);
        assert!(output.status.success(), "apply: {}\n{}", output.status, said(&output));
    }

    /// Applies several company manifests in one call, all of which must be accepted.
    #[track_caller]
    pub(crate) fn must_apply_all(&self, company_manifests: &[String]) {
        let files: Vec<String> = company_manifests.iter().map(|text| self.write_company_manifest(text)).collect();
        let arguments: Vec<&str> = std::iter::once("apply").chain(files.iter().map(String::as_str)).collect();
        let output = self.run(&arguments);
        assert!(output.status.success(), "apply: {}\n{}", output.status, said(&output));
    }

    /// Writes a company manifest to a file and returns its path.
    pub(crate) fn write_company_manifest(&self, company_manifest: &str) -> String {
        let file = tempfile::Builder::new().prefix("company-").suffix(".toml").tempfile_in(self.folder());
        let (_, path) = file.expect("a file next to the data").keep().expect("keep the file");
        fs::write(&path, company_manifest).expect("write the company manifest");
        path.display().to_string()
    }

    /// Runs a command of the program with this server's settings, next to the server.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("run sealwright")
    }

    /// The same with further variables in its environment.
    pub(crate) fn run_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
        self.command(arguments).envs(variables.iter().copied()).output().expect("run sealwright")
    }

    /// Starts a command of the program with this server's settings, next to the server. Its output can be read.
    pub(crate) fn spawn(&self, arguments: &[&str]) -> Child {
        let mut command = self.command(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("start sealwright")
    }

    /// The recorded attempts of the case webhook, newest first: `sealwright webhook list`.
    pub(crate) fn webhook_attempts(&self) -> Vec<Value> {
        self.all_attempts().into_iter().filter(|attempt| attempt["kind"] == "case").collect()
    }

    /// The recorded attempts of both webhooks, newest first.
    pub(crate) fn all_attempts(&self) -> Vec<Value> {
        let output = self.run(&["webhook", "list", "--json", "--limit", "100000"]);
        assert!(output.status.success(), "{}", said(&output));
        serde_json::from_slice(&output.stdout).expect("webhook list --json prints an array")
    }

    /// A command of the program with this server's settings, not started yet.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sealwright"));
        // Only the test's settings: the environment of the person who runs the tests must not interfere.
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("RUST_BACKTRACE", "1");
        command.env("SEALWRIGHT_LISTEN", "127.0.0.1:0").env("SEALWRIGHT_ADMIN_LISTEN", "127.0.0.1:0");
        command.envs(self.settings.iter().map(|(name, value)| (name, value)));
        command.current_dir(self.folder.path()).args(arguments);
        command
    }
}
