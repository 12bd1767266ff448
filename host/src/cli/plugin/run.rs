//! `sealwright plugin run`: one call of a component on a file, and how its result is printed.

use std::{fmt, fs, path::PathBuf, process::ExitCode, time::Duration};

use anyhow::{Context, bail};
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};
use strum::VariantArray as _;

use super::{super::output::visible, Output};
use crate::{
    app::tools::trial::{self, Answer, Request, TrialFailure, TrialRun, input::WebhookInput},
    clock::Timestamp,
    config::Config,
    domain::{document::TYPE_OTHER, moment::parse_moment},
    plugins::{
        Role,
        facts::{Candidate, Check, ExtractedField, Finding, FoundPlace, Observation, Outcome, State, Verdict},
    },
};

/// Run one component on one file, without a server, within a server's limits
///
/// Prints the plugin's answer, log, time and memory, and if it fails, why and where. If --data-dir names an
/// installation, the compiled code is stored there and reused the next time. Exit code 0 when the plugin answered, 1
/// when it failed or cannot be run.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  sealwright plugin run club-cards.wasm --input sample.txt
  sealwright plugin run mine.wasm --role falsification --input invoice.pdf --settings '{\"strict\": true}'
  sealwright plugin run mine.wasm --role cross-check --input invoice.pdf --field totalAmount=120.50 --field iban
  sealwright plugin run mine.wasm --role signal --input case.json
  sealwright plugin run mine.wasm --role webhook-auth --input body.json --key-id acme-key --secret s3cret")]
pub struct RunArguments {
    /// The component
    #[arg(value_name = "FILE.wasm")]
    component: PathBuf,

    /// The role: webhook-auth, document-type, cross-check, falsification or signal [default: its only role]
    #[arg(long, value_name = "ROLE", value_parser = read_role)]
    role: Option<Role>,

    /// A document (PDF, JPEG, PNG, or its text as .txt), a case described in JSON, or the body of a webhook
    #[arg(long, value_name = "FILE")]
    input: PathBuf,

    /// The plugin's settings, a JSON object; @FILE reads them from a file
    #[arg(long, value_name = "JSON", default_value = "{}")]
    settings: String,

    /// For falsification and cross-check: what kind of document the input is
    #[arg(long, value_name = "TYPE", default_value = TYPE_OTHER)]
    document_type: String,

    /// For cross-check: a field to read, or to compare with what was entered; may be repeated
    #[arg(long = "field", value_name = "CODE[=ENTERED]", value_parser = read_field)]
    fields: Vec<(String, Option<String>)>,

    /// For webhook-auth: where the webhook goes
    #[arg(long, value_name = "URL", default_value = "https://hooks.example/cases")]
    url: String,

    /// For webhook-auth: the company manifest's `api_key`
    #[arg(long, value_name = "ID")]
    key_id: Option<String>,

    /// For webhook-auth: the company manifest's `api_secret` or `auth_token`
    #[arg(long, value_name = "TEXT")]
    secret: Option<String>,

    /// For webhook-auth: let the plugin see the secret
    #[arg(long)]
    grant_reveal: bool,

    /// For webhook-auth: the time of the attempt [default: 2026-11-20T10:00:00Z]
    #[arg(long, value_name = "TIME", value_parser = read_time)]
    at: Option<Timestamp>,
}

pub(super) async fn run(config: &Config, arguments: &RunArguments, output: Output) -> anyhow::Result<ExitCode> {
    let RunArguments { component, role, input, settings, document_type, fields, .. } = arguments.clone();
    let webhook = WebhookInput {
        url: arguments.url.clone(),
        key_id: arguments.key_id.as_deref().map(Into::into),
        secret: arguments.secret.as_deref().map(Into::into),
        grant_reveal: arguments.grant_reveal,
        now: arguments.at,
    };
    let settings = read_settings(&settings)?;
    let (compiled, keeping) = match trial::compiled_folder(config) {
        Ok(compiled) => {
            let keeping = format!("stored in {}", compiled.folder.display());
            (Some(compiled), keeping)
        }
        Err(reason) => (None, format!("not stored, because {reason}")),
    };
    let name = component.display().to_string();
    let slow = |size: usize| {
        let size = size.div_ceil(1 << 20);
        output.warn([format!(
            "compiling {}, {size} MiB, which may take a minute or two; the result is {}",
            visible(&name),
            visible(&keeping)
        )]);
    };
    let fuel_per_second = config.plugins.fuel_per_second;
    let request = Request {
        component,
        role,
        input: input.clone(),
        settings,
        document_type,
        fields,
        webhook,
        compiled,
        fuel_per_second,
    };
    let ran = trial::run(request, slow).await?;
    let answered = ran.failure.is_none();
    output.print(&RunResult { input: input.display().to_string(), ran })?;
    Ok(if answered { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn read_settings(given: &str) -> anyhow::Result<Map<String, Value>> {
    let text = match given.strip_prefix('@') {
        Some(file) => fs::read_to_string(file).with_context(|| format!("--settings: reading {file}"))?,
        None => given.to_owned(),
    };
    match serde_json::from_str(&text).context("--settings: expected JSON")? {
        Value::Object(settings) => Ok(settings),
        _ => bail!("--settings: expected a JSON object, for example {{\"languages\": [\"fr\"]}}"),
    }
}

pub(super) fn read_role(text: &str) -> Result<Role, String> {
    let names = || Role::VARIANTS.iter().map(Role::into_str).collect::<Vec<_>>().join(", ");
    text.parse().map_err(|_| format!("expected one of {}", names()))
}

#[expect(clippy::unnecessary_wraps, reason = "clap asks for a Result")]
fn read_field(text: &str) -> Result<(String, Option<String>), String> {
    Ok(match text.split_once('=') {
        Some((code, entered)) => (code.to_owned(), Some(entered.to_owned())),
        None => (text.to_owned(), None),
    })
}

fn read_time(text: &str) -> Result<Timestamp, String> {
    parse_moment(text).ok_or_else(|| "expected a time with its offset, for example 2026-11-20T10:00:00Z".to_owned())
}

/// What `plugin run` prints.
#[derive(Debug, Serialize)]
struct RunResult {
    input: String,
    #[serde(flatten)]
    ran: TrialRun,
}

impl fmt::Display for RunResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ran = &self.ran;
        writeln!(f, "{} {} as {} on {}", ran.plugin, ran.version, ran.role, visible(&self.input))?;
        if let Some(answer) = &ran.answer {
            writeln!(f, "\nanswer")?;
            write_answer(f, answer)?;
        }
        if let Some(failed) = &ran.failure {
            write_failure(f, failed)?;
        }
        if !ran.log.is_empty() {
            writeln!(f, "\nlog")?;
            ran.log.iter().try_for_each(|line| writeln!(f, "  {}", visible(line)))?;
        }
        let milliseconds = |micros: u64| Duration::from_micros(micros).as_secs_f64() * 1000.0;
        let mebibytes = |bytes: u64| bytes.div_ceil(1 << 20);
        writeln!(
            f,
            "\ntime    {:.1} ms of {:.0} ms",
            milliseconds(ran.microseconds),
            milliseconds(ran.allowed_microseconds)
        )?;
        write!(f, "memory  {} MiB of {} MiB", mebibytes(ran.memory), mebibytes(ran.allowed_memory))?;
        match ran.fuel {
            Some(fuel) => write!(f, "\nfuel    {fuel} of {}", ran.allowed_fuel),
            None => Ok(()),
        }
    }
}

fn write_failure(f: &mut fmt::Formatter<'_>, failed: &TrialFailure) -> fmt::Result {
    writeln!(f, "\nfailed ({}): {}", failed.kind, visible(&failed.message))?;
    if !failed.trace.is_empty() {
        writeln!(f, "\nstack trace, innermost first")?;
        failed.trace.iter().try_for_each(|frame| writeln!(f, "  {frame}"))?;
    }
    Ok(())
}

fn write_answer(f: &mut fmt::Formatter<'_>, answer: &Answer) -> fmt::Result {
    match answer {
        Answer::Candidates(candidates) => candidates.iter().try_for_each(|candidate| {
            let Candidate { document_type, score, findings } = candidate;
            writeln!(f, "  {document_type} {score}")?;
            findings.iter().try_for_each(|finding| write_finding(f, finding))
        }),
        Answer::Checks(checks) => checks.iter().try_for_each(|check| {
            let Check { code, label, verdict, evaluation, weight, findings } = check;
            let verdict = match verdict {
                Verdict::Valid => "valid",
                Verdict::Warning => "warning",
                Verdict::Invalid => "invalid",
                Verdict::NotApplicable => "not applicable",
            };
            writeln!(f, "  {code} ({}): {verdict}, {evaluation}, weight {weight}", visible(label))?;
            findings.iter().try_for_each(|finding| write_finding(f, finding))
        }),
        Answer::Signals(signals) => signals.iter().try_for_each(|signal| {
            writeln!(f, "  {} {}", signal.kind, signal.score)?;
            signal.observations.iter().try_for_each(|Observation { item, finding }| {
                if let Some(item) = item {
                    writeln!(f, "    item {item}:")?;
                }
                write_finding(f, finding)
            })
        }),
        Answer::Headers(headers) => {
            headers.iter().try_for_each(|header| writeln!(f, "  {}: {}", header.name, visible(&header.value)))
        }
        Answer::Fields { fields, comparisons } => {
            write_fields(f, fields)?;
            comparisons.iter().try_for_each(|(code, comparison)| {
                let outcome = word(comparison.outcome);
                writeln!(f, "  {}: {outcome}, {}: {}", visible(code), comparison.score, visible(&comparison.text))
            })
        }
        Answer::Verified { fields, verifications } => {
            write_fields(f, fields)?;
            verifications.iter().try_for_each(|(code, verified)| {
                let (outcome, place) = (word(verified.outcome.into()), on_page(verified.place.as_ref()));
                writeln!(f, "  {}: {outcome}, {}{place}: {}", visible(code), verified.score, visible(&verified.text))
            })
        }
    }
}

fn write_fields(f: &mut fmt::Formatter<'_>, fields: &[ExtractedField]) -> fmt::Result {
    fields.iter().try_for_each(|field| {
        let place = on_page(field.place.as_ref());
        writeln!(f, "  {} = {:?} ({}){place}", field.code, field.value, field.score)
    })
}

fn on_page(place: Option<&FoundPlace>) -> String {
    place.map(|place| format!(" on page {}", place.page)).unwrap_or_default()
}

const fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Same => "same",
        Outcome::Different => "different",
        Outcome::Missing => "missing",
    }
}

fn write_finding(f: &mut fmt::Formatter<'_>, finding: &Finding) -> fmt::Result {
    let state = match finding.state {
        State::Found => "found",
        State::NotFound => "not found",
        State::NotRun => "not run",
    };
    write!(f, "    {} {state}", finding.code)?;
    if let Some(place) = &finding.place {
        write!(f, ", page {}", place.page)?;
        if let Some(area) = &place.area {
            write!(f, " at {},{} ({} x {})", area.left, area.top, area.width, area.height)?;
        }
    }
    writeln!(f, ": {}", visible(&finding.text))
}
