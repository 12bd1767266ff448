//! `sealwright apply`: its arguments, and reading company manifests with the secrets that they name.

use std::{
    env,
    fmt::Display,
    fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;

use super::output::Output;
use crate::{
    app::{
        App,
        apply::{ApplyError, ManifestSource, apply},
        audit::Actor,
    },
    clock::Clock,
    config::Config,
    domain::company_manifest::{self, CompanyManifest, Lookup, check_together},
};

/// Create or update companies from their company manifests
///
/// Applying a file twice changes nothing the second time. An error in any file is reported with its line and field, and
/// nothing is applied. Anything removed from a file is deactivated, never deleted.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ApplyArguments {
    /// Only print what would be done
    #[arg(long)]
    pub dry_run: bool,

    /// Also apply files of companies that are kept in the console: from now on their files keep them
    #[arg(long)]
    pub take_over: bool,

    /// Company manifests
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Applies the files, or prints what that would do.
pub(super) async fn run(config: Config, arguments: &ApplyArguments, output: Output) -> anyhow::Result<ExitCode> {
    let read = match read_company_manifests(&arguments.files) {
        Ok(read) => read,
        Err(problems) => return Ok(refuse(output, problems)),
    };
    output.warn(&read.warnings);
    let app = App::open(config, Clock::system()).await?;
    let source = ManifestSource::File { take_over: arguments.take_over };
    let applied = match apply(&app, &Actor::command(), &read.manifests, source, arguments.dry_run).await {
        Ok(applied) => applied,
        Err(ApplyError::Refused(problems)) => return Ok(refuse(output, problems)),
        Err(ApplyError::Failed(error)) => return Err(error.into()),
    };
    output.warn(&applied.warnings);
    output.print_all(&applied.reports)?;
    Ok(ExitCode::SUCCESS)
}

fn refuse(output: Output, problems: Vec<impl Display>) -> ExitCode {
    output.warn(problems);
    output.warn(["nothing was applied"]);
    ExitCode::FAILURE
}

const EXAMPLES: &str = "\
Examples:
  sealwright apply --dry-run acme.toml
  sealwright apply companies/*.toml";

/// Company manifests without an error in them.
#[derive(Debug)]
pub struct CompanyManifests {
    pub manifests: Vec<CompanyManifest>,
    /// Lines for the operator.
    pub warnings: Vec<String>,
}

/// Reads and checks company manifests, first each one alone and then all together. `…_env` keys are looked up in the
/// process's environment, `…_file` keys relative to the folder of the file that names them.
///
/// # Errors
/// Every problem in any of the files, one line each.
pub fn read_company_manifests(files: &[PathBuf]) -> Result<CompanyManifests, Vec<String>> {
    let mut manifests = Vec::new();
    let mut warnings = Vec::new();
    let mut errors = Vec::new();
    for file in files {
        match read_company_manifest(file) {
            Ok(read) => {
                warnings.extend(read.warnings.iter().map(ToString::to_string));
                manifests.push(read.value);
            }
            Err(problems) => errors.extend(problems),
        }
    }
    errors.extend(check_together(&manifests).iter().map(ToString::to_string));
    if errors.is_empty() { Ok(CompanyManifests { manifests, warnings }) } else { Err(errors) }
}

fn read_company_manifest(file: &Path) -> Result<crate::toml_reader::Read<CompanyManifest>, Vec<String>> {
    let name = file.display().to_string();
    let source = fs::read_to_string(file).map_err(|error| vec![format!("{name}: {}", reason(&error))])?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let lookup = Lookup {
        env: &|name| env::var(name).ok(),
        file: &|path| fs::read(folder.join(path)).map_err(|error| reason(&error)),
    };
    company_manifest::parse(&name, &source, &lookup)
        .map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

/// A plain message for the most common errors, otherwise the system's.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "no permission to read it".to_owned(),
        io::ErrorKind::InvalidData => "it is not UTF-8 text".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::company_manifest::WebhookKind;

    const WEBHOOK: &str = "[webhook.case]\nendpoint = \"https://hooks.acme.example/\"\nauth_token_file = \"token\"\n";

    #[test]
    fn secret_files_are_next_to_the_file_that_names_them() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("acme.toml");
        fs::write(&file, format!("[company]\nid = 1\nname = \"Acme\"\n{WEBHOOK}")).unwrap();
        fs::write(folder.path().join("token"), "t0ken\n").unwrap();
        let read = read_company_manifests(&[file]).unwrap();
        let webhook = &read.manifests[0].webhooks[&WebhookKind::Case];
        assert_eq!(webhook.credentials.auth_token.as_ref().unwrap().expose(), "t0ken");
    }

    #[test]
    fn all_files_are_read_before_errors_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a.toml"), "[company]\nid = 1\nname = \"\"\n").unwrap();
        fs::write(path("b.toml"), b"\xff\xfe").unwrap();
        fs::write(path("d.toml"), "[company]\nid = 4\nname = \"d\"\n").unwrap();
        fs::write(path("e.toml"), "[company]\nid = 4\nname = \"e\"\n").unwrap();
        let files = ["a.toml", "b.toml", "c.toml", "d.toml", "e.toml"].map(path);
        let errors = read_company_manifests(&files).unwrap_err().join("\n");
        let errors = errors.replace(&format!("{}/", folder.path().display()), "");
        insta::assert_snapshot!(errors, @r#"
        a.toml:3: company.name: found an empty text, expected a text of 1 to 255 characters on one line
        b.toml: it is not UTF-8 text
        c.toml: no such file
        e.toml:1: company 4 is already in d.toml, line 1; expected one that no other file has
        "#);
    }
}
