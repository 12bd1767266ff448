//! `sealwright template`: its arguments, and how its findings are printed.

mod publish;

use std::{
    fmt, fs,
    num::NonZero,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use clap::{Args, Subcommand};
use serde::Serialize;

use super::output::Output;
use crate::{
    app::{
        App, audit, seal,
        templates::examine::{Examination, examine},
        tools::preview::{Finding, Preview, PreviewForm, RenderError, Sample, Theme, create},
    },
    clock::Clock,
    config::Config,
    domain::id::CaseId,
};

/// Create, check, preview and publish certificate templates
///
/// A template is a folder with Typst files; the guide is `docs/template-designer.md`.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TemplateArguments {
    #[command(subcommand)]
    pub action: TemplateAction,
}

#[derive(Clone, Debug, Subcommand)]
pub enum TemplateAction {
    /// Compile all sample cases with a template, and report every error with its file and line
    ///
    /// Also reports what a certificate must show but the template does not: the reference, the digests, the seal's
    /// statement, and the titles of missing mandatory steps. Exit code 0 when certificates can be made with the
    /// template, 1 when not.
    #[command(after_help = CHECK_EXAMPLES)]
    Check {
        /// The template's folder
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Render a certificate with sample data
    #[command(after_help = PREVIEW_EXAMPLES)]
    Preview {
        /// The template's folder
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        /// The file to write, a .pdf or a .png; a PNG shows the first pages, one below the other
        #[arg(long, value_name = "FILE", default_value = "preview.pdf")]
        out: PathBuf,
        /// Render again whenever a file in the folder changes
        #[arg(long)]
        watch: bool,
        /// The sample to show: a built-in one (`complete`, `no-items`, …), or `NAME` for `DIR/samples/NAME.json`
        #[arg(long, value_name = "NAME", default_value = "complete")]
        sample: String,
        /// Show a closed case of this installation instead, by its identifier; the time of its seal is shown as pending
        #[arg(long, value_name = "ID", conflicts_with = "sample", value_parser = case_id)]
        case: Option<CaseId>,
        /// Show only this page, the first is 1; for a PNG
        #[arg(long, value_name = "NUMBER")]
        page: Option<NonZero<usize>>,
    },
    /// Publish a template to every node of the installation, replacing one of the same name
    ///
    /// This command checks the template first, as `check` does. Running servers use it within a few seconds, instead of
    /// a folder of the same name in `template_dir`.
    #[command(after_help = LOAD_EXAMPLES)]
    Load {
        /// The template's folder
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        /// The template's name in company manifests [default: the folder's name]
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
    },
    /// Withdraw a published template from every node
    #[command(after_help = "Example:\n  sealwright template unload acme")]
    Unload {
        /// The template's name in company manifests
        name: String,
    },
    /// List the templates that company manifests can name here, and where each comes from
    #[command(after_help = "Example:\n  sealwright template list --json")]
    List,
    /// Create a template of your own
    #[command(after_help = NEW_EXAMPLES)]
    New {
        /// The folder to create
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        /// The theme to start from: default, notary or gallery
        #[arg(long, value_name = "THEME", default_value = "default", value_parser = theme)]
        from: Theme,
    },
}

fn case_id(text: &str) -> Result<CaseId, &'static str> {
    text.parse().ok().and_then(CaseId::new).ok_or("expected a positive whole number")
}

fn theme(name: &str) -> Result<Theme, String> {
    Theme::named(name).ok_or_else(|| {
        let known = Theme::ALL.map(|theme| format!("  {:<8} {}", theme.name, theme.about));
        format!("unknown theme; expected one of\n{}", known.join("\n"))
    })
}

const EXAMPLES: &str = "\
Examples:
  sealwright template new acme --from gallery
  sealwright template preview acme --watch --out acme.png
  sealwright template check acme
  sealwright template load acme";
const LOAD_EXAMPLES: &str = "\
Examples:
  sealwright template load /etc/sealwright/templates/acme
  sealwright template load draft --name acme";
const CHECK_EXAMPLES: &str = "\
Examples:
  sealwright template check /etc/sealwright/templates/acme
  sealwright template check acme --json";
const PREVIEW_EXAMPLES: &str = "\
Examples:
  sealwright template preview acme
  sealwright template preview acme --watch --out acme.png
  sealwright template preview acme --page 2 --out second.png
  sealwright template preview acme --sample scripts --out scripts.pdf
  sealwright template preview acme --case 1042";
const NEW_EXAMPLES: &str = "\
Examples:
  sealwright template new acme
  sealwright template new acme --from notary";

/// How often `--watch` scans the folder. A template has a few dozen files: a scan takes well under a millisecond, and
/// detects every way in which editors save, on every kind of file system.
const SCAN_INTERVAL: Duration = Duration::from_millis(60);

/// Runs the action.
pub(super) async fn run(config: Config, arguments: &TemplateArguments, output: Output) -> anyhow::Result<ExitCode> {
    match &arguments.action {
        TemplateAction::Check { folder } => {
            check_folder(folder)?;
            let examination = examine(folder)?;
            output.print(&CheckResult(&examination))?;
            Ok(if examination.usable { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        TemplateAction::Preview { folder, out, watch, sample, case, page } => {
            check_folder(folder)?;
            let form = PreviewForm::of(out)
                .with_context(|| format!("--out {}: expected a file that ends in .pdf or .png", out.display()))?;
            ensure!(page.is_none() || form == PreviewForm::Png, "--page needs a PNG: --out FILE.png");
            let preview = match case {
                Some(case) => Preview::of(folder, shown_case(config, *case).await?, form),
                None => Preview::new(folder, sample, form)?,
            };
            let mut preview = preview.with_page(page.map(NonZero::get));
            let good = show(&mut preview, out, output)?;
            if *watch {
                output.warn(["watching for changes; press Ctrl-C to stop"]);
                watch_for_changes(&mut preview, out, output)?;
            }
            Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        TemplateAction::Load { folder, name } => publish::load(config, folder, name.as_deref(), output).await,
        TemplateAction::Unload { name } => publish::unload(config, name, output).await,
        TemplateAction::List => publish::list(config, output).await,
        TemplateAction::New { folder, from } => {
            create(folder, *from)?;
            output.print(&NewTemplate { folder: folder.clone(), theme: from.name, files: from.files.len() })?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// A missing folder is an error of the command, not a finding about a template.
fn check_folder(folder: &Path) -> anyhow::Result<()> {
    ensure!(folder.exists(), "{}: there is no such folder", folder.display());
    ensure!(folder.is_dir(), "{} is not a folder", folder.display());
    Ok(())
}

/// A closed case's own data and pictures.
async fn shown_case(config: Config, case: CaseId) -> anyhow::Result<Sample> {
    let app = Arc::new(App::open_existing(config, Clock::system()).await?);
    audit::record_look_by_command(&app, "previewCase", case).await?;
    let shown = seal::shown(&app, case).await?;
    app.db.close().await;
    shown.with_context(|| format!("--case {case}: there is no closed case with this number"))
}

/// Runs until the program is ended or its output is closed.
fn watch_for_changes(preview: &mut Preview, out: &Path, output: Output) -> anyhow::Result<()> {
    loop {
        thread::sleep(SCAN_INTERVAL);
        if preview.has_changed() {
            show(preview, out, output)?;
        }
    }
}

/// Renders the preview and prints the result. Returns whether a file was written.
fn show(preview: &mut Preview, out: &Path, output: Output) -> anyhow::Result<bool> {
    let started = Instant::now();
    let (findings, pages) = match preview.render() {
        Ok(rendered) => {
            write_whole(out, &rendered.pdf)?;
            (rendered.missing.into_iter().chain(rendered.warnings).collect(), Some(rendered.pages))
        }
        Err(RenderError::Template(findings) | RenderError::Export(findings)) => (findings, None),
        Err(error) => (vec![Finding::error(format!("{:#}", anyhow::Error::from(error)))], None),
    };
    let milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    output.print(&PreviewResult { file: out.to_owned(), pages, milliseconds, findings })?;
    Ok(pages.is_some())
}

/// Replaces the file in one step, so that a viewer that watches it never sees half of it.
fn write_whole(file: &Path, content: &[u8]) -> anyhow::Result<()> {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part = file.with_file_name(name);
    fs::write(&part, content)
        .and_then(|()| fs::rename(&part, file))
        .with_context(|| format!("writing {}", file.display()))
}

/// What `check` prints.
#[derive(Serialize)]
#[serde(transparent)]
struct CheckResult<'a>(&'a Examination);

impl fmt::Display for CheckResult<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Examination { template, usable, samples, findings } = self.0;
        for found in findings {
            writeln!(f, "{}", found.finding)?;
            if !found.samples.is_empty() && found.samples.len() < samples.len() {
                writeln!(f, "  = in the samples {}", found.samples.join(", "))?;
            }
            writeln!(f)?;
        }
        let pages: usize = samples.iter().filter_map(|sample| sample.pages).sum();
        let compiled = samples.iter().filter(|sample| sample.pages.is_some()).count();
        let verdict = if *usable { "can be used" } else { "cannot be used" };
        let errors = findings.iter().filter(|found| found.finding.is_error()).count();
        write!(
            f,
            "{} {verdict}: {compiled} of {} samples compiled, {pages} pages, errors: {errors}, warnings: {}",
            template.display(),
            samples.len(),
            findings.len() - errors
        )
    }
}

/// What `preview` prints each time.
#[derive(Serialize)]
struct PreviewResult {
    file: PathBuf,
    /// Absent if nothing was written.
    pages: Option<usize>,
    milliseconds: u64,
    findings: Vec<Finding>,
}

impl fmt::Display for PreviewResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            writeln!(f, "{finding}\n")?;
        }
        match self.pages {
            Some(pages) => write!(f, "{}: {pages} pages in {} ms", self.file.display(), self.milliseconds),
            None => write!(f, "nothing was written ({} ms)", self.milliseconds),
        }
    }
}

/// What `new` prints.
#[derive(Serialize)]
struct NewTemplate {
    folder: PathBuf,
    theme: &'static str,
    files: usize,
}

impl fmt::Display for NewTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = self.folder.display();
        write!(
            f,
            "{folder} has {} files of the theme {}; main.typ describes them\n\
             preview it: sealwright template preview {folder} --watch",
            self.files, self.theme
        )
    }
}
