//! `sealwright plugin run`: one call of a component outside a server, for its author. Everything is as in a server: how
//! a file is read, the limits, the checks of answers.

mod answer;
pub mod input;

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use hyper::header::{HeaderName, HeaderValue};
use sealwright_child_process::this_program;
use sealwright_seal::digest::Sha256Digest;
use serde::Serialize;
use serde_json::{Map, Value};

use self::input::{Input, WebhookInput};
use crate::{
    config::{Config, Setting},
    domain::id::CompanyId,
    plugins::{
        Allowance, CaseSignals, Chosen, CompiledFolder, DocumentChecks, DocumentFields, DocumentTypes,
        FieldComparisons, FieldVerifications, PluginError, PluginHost, PluginInfo, Role, Run, Trial,
        check_component_bytes,
        facts::{Candidate, Check, Comparison, Document, Entry, ExtractedField, Pair, Signal, Verification},
    },
    secrets::SecretKey,
};

/// What to run, and on which input.
pub struct Request {
    pub component: PathBuf,
    /// None: the only role that it plays.
    pub role: Option<Role>,
    pub input: PathBuf,
    pub settings: Map<String, Value>,
    /// The document type of the input, for roles that receive it.
    pub document_type: String,
    /// The fields to read, for a cross-check, with what was entered.
    pub fields: Vec<(String, Option<String>)>,
    pub webhook: WebhookInput,
    /// Where compiled components are kept. None: nowhere.
    pub compiled: Option<CompiledFolder>,
    /// How much fuel a call may use for each second of its deadline.
    pub fuel_per_second: u64,
}

/// How long compiling may take before it is reported.
const MOMENT: Duration = Duration::from_secs(1);

/// The result of a run.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TrialRun {
    pub plugin: String,
    pub version: String,
    /// SHA-256 of the component.
    pub digest: Sha256Digest,
    pub role: Role,
    /// None if a call failed.
    pub answer: Option<Answer>,
    pub failure: Option<TrialFailure>,
    /// What the plugin logged or printed, line by line.
    pub log: Vec<String>,
    /// Time inside the plugin.
    pub microseconds: u64,
    /// The time limit of a call.
    pub allowed_microseconds: u64,
    /// The maximum linear memory that it used, in bytes.
    pub memory: u64,
    /// The limit of each linear memory, in bytes.
    pub allowed_memory: u64,
    /// Units of fuel that it used, about one for each instruction: the same on every machine. None: no call was made.
    pub fuel: Option<u64>,
    /// The limit of a call's fuel.
    pub allowed_fuel: u64,
}

/// Why there is no answer.
#[derive(Debug, Serialize)]
pub struct TrialFailure {
    /// Its name in statistics.
    pub kind: &'static str,
    pub message: String,
    /// Which functions were running when it was stopped, the innermost first.
    pub trace: Vec<String>,
}

/// An answer that keeps the contract's rules.
#[derive(Debug)]
pub enum Answer {
    Candidates(Vec<Candidate>),
    /// One comparison for each requested field, with its code, in order.
    Fields {
        fields: Vec<ExtractedField>,
        comparisons: Vec<(String, Comparison)>,
    },
    /// One verification for each field with an entered value, with its code, in order. `fields` are the others.
    Verified {
        fields: Vec<ExtractedField>,
        verifications: Vec<(String, Verification)>,
    },
    Checks(Vec<Check>),
    Signals(Vec<Signal>),
    Headers(Vec<Header>),
}

#[derive(Debug)]
pub struct Header {
    pub name: String,
    pub value: String,
}

/// The plugin belongs to no company, so any identifier will do.
fn company() -> CompanyId {
    CompanyId::new(1).expect("1 is a positive number")
}

/// The folder for compiled components in the configured installation; or the reason why nothing is kept.
pub fn compiled_folder(config: &Config) -> Result<CompiledFolder, String> {
    if !config.is_given(Setting::DataDir) {
        return Err("no --data-dir names an installation to keep it in".to_owned());
    }
    crate::app::tools::installation::find(config).map_err(|missing| missing.to_string())?;
    let secrets = SecretKey::load_or_create(&config.secret_key_file).map_err(|error| error.to_string())?;
    Ok(CompiledFolder::of(&config.data_dir, &secrets))
}

/// Runs a component once. An error means that the request cannot be used; a failure of the plugin is a result. As much
/// of the request as possible is checked before compiling, and `slow` is called if compiling takes a while.
pub async fn run(request: Request, slow: impl FnOnce(usize)) -> Result<TrialRun> {
    let bytes = read_component(&request.component)?;
    let given = &request.input;
    let named = || given.display().to_string();
    ensure!(fs::metadata(given).with_context(named)?.is_file(), "{} is not a file", given.display());
    // A case is described in JSON. For any other file the role is probably wrong, and the component shows its roles.
    let lacks_case =
        |role: &Role| *role == Role::Signal && given.extension().is_none_or(|extension| extension != "json");
    let input = match request.role.filter(|role| !lacks_case(role)) {
        Some(role) => Some(Input::read(role, given).await.with_context(named)?),
        None => None,
    };
    let size = bytes.len();
    let (compiled, fuel_per_second) = (request.compiled.clone(), request.fuel_per_second);
    let admitting = tokio::task::spawn_blocking(move || {
        let host = PluginHost::for_trial(Some(this_program()), compiled, fuel_per_second)?;
        let plugin = host.admit("the component", &bytes).context("this host would not load it")?;
        anyhow::Ok((host, plugin))
    });
    let (host, plugin) = report_when_slow(admitting, MOMENT, || slow(size))
        .await?
        .with_context(|| request.component.display().to_string())?;
    let role = role(&plugin, request.role)?;
    check_settings(&host, &plugin, role, &request.settings)?;
    let chosen =
        Chosen { company: company(), plugin: plugin.name.clone(), sha256: None, settings: request.settings.clone() };
    let input = match input {
        Some(input) => input,
        None => Input::read(role, given).await.with_context(named)?,
    };
    let tried: Trial<Answer> = match (role, input) {
        (Role::DocumentType, Input::Document(document)) => {
            Trial::from(host.ask(&chosen, DocumentTypes { document }).await).map(Answer::Candidates)
        }
        (Role::CrossCheck, Input::Document(document)) if host.verifies(&chosen) => {
            verify(&host, &chosen, document, &request).await
        }
        (Role::CrossCheck, Input::Document(document)) => cross_check(&host, &chosen, document, &request).await,
        (_, Input::Document(document)) => {
            let question = DocumentChecks { document, document_type: request.document_type };
            Trial::from(host.ask(&chosen, question).await).map(Answer::Checks)
        }
        (_, Input::Case(evidence)) => {
            Trial::from(host.ask(&chosen, CaseSignals { evidence }).await).map(Answer::Signals)
        }
        (_, Input::Body(body)) => {
            let (webhook, credential) = request.webhook.prepare(company(), body);
            host.try_webhook_mode(&plugin.name, webhook, credential).await.map(headers)
        }
    };
    Ok(result_of(plugin, Allowance::of(role, fuel_per_second), role, tried))
}

/// The component, after a quick check that it can be one.
fn read_component(path: &Path) -> Result<Vec<u8>> {
    let named = || path.display().to_string();
    let mut bytes = Vec::new();
    let file = fs::File::open(path).with_context(named)?;
    // One byte more than the limit is enough to reject it.
    io::Read::read_to_end(&mut io::Read::take(file, MOST_BYTES), &mut bytes).with_context(named)?;
    check_component_bytes(&bytes).context("this host would not load it").with_context(named)?;
    Ok(bytes)
}

/// More than the limit for a component.
const MOST_BYTES: u64 = 64 << 20;

/// Waits for the work, and calls `slow` once if it takes longer than `moment`.
async fn report_when_slow<T>(
    work: tokio::task::JoinHandle<T>,
    moment: Duration,
    slow: impl FnOnce(),
) -> Result<T, tokio::task::JoinError> {
    tokio::pin!(work);
    if let Ok(done) = tokio::time::timeout(moment, &mut work).await {
        return done;
    }
    slow();
    work.await
}

/// Reads the fields, and compares them with what was entered: two calls, as in a server.
async fn cross_check(host: &PluginHost, chosen: &Chosen, document: Arc<Document>, request: &Request) -> Trial<Answer> {
    let wanted: Vec<String> = request.fields.iter().map(|(code, _)| code.clone()).collect();
    let question = DocumentFields::new(document, request.document_type.clone(), wanted);
    let read = Trial::from(host.ask(chosen, question).await);
    let Trial { outcome, mut log, time, memory, fuel } = read;
    let fields = match outcome {
        Ok(fields) => fields,
        Err(error) => return Trial { outcome: Err(error), log, time, memory, fuel },
    };
    let pair = |(code, entered): &(String, Option<String>)| Pair {
        code: code.clone(),
        entered: entered.clone(),
        extracted: fields.iter().find(|field| field.code == *code).map(|field| field.value.clone()),
    };
    let question = FieldComparisons { pairs: request.fields.iter().map(pair).collect() };
    let compared = Trial::from(host.ask(chosen, question).await);
    log.extend(compared.log);
    let codes = request.fields.iter().map(|(code, _)| code.clone());
    Trial {
        outcome: compared
            .outcome
            .map(|comparisons| Answer::Fields { fields, comparisons: codes.zip(comparisons).collect() }),
        log,
        time: time.max(compared.time),
        memory: memory.max(compared.memory),
        fuel: fuel.max(compared.fuel),
    }
}

/// Verifies the entered values, and reads the fields without one: two calls at most, as in a server.
async fn verify(host: &PluginHost, chosen: &Chosen, document: Arc<Document>, request: &Request) -> Trial<Answer> {
    let (mut wanted, mut entries) = (Vec::new(), Vec::new());
    for (code, entered) in request.fields.iter().cloned() {
        match entered.filter(|value| !value.trim().is_empty()) {
            Some(value) => entries.push(Entry { code, value }),
            None => wanted.push(code),
        }
    }
    let codes: Vec<String> = entries.iter().map(|entry| entry.code.clone()).collect();
    let document_type = || request.document_type.clone();
    let read = if wanted.is_empty() && !entries.is_empty() {
        nothing()
    } else {
        Trial::from(host.ask(chosen, DocumentFields::new(Arc::clone(&document), document_type(), wanted)).await)
    };
    let verified = if entries.is_empty() || read.outcome.is_err() {
        nothing()
    } else {
        Trial::from(host.ask(chosen, FieldVerifications::new(document, document_type(), entries)).await)
    };
    let outcome = read.outcome.and_then(|fields| {
        let verifications = codes.into_iter().zip(verified.outcome?).collect();
        Ok(Answer::Verified { fields, verifications })
    });
    Trial {
        outcome,
        log: [read.log, verified.log].concat(),
        time: read.time.max(verified.time),
        memory: read.memory.max(verified.memory),
        fuel: read.fuel.max(verified.fuel),
    }
}

/// The outcome of a call that was not needed.
fn nothing<T>() -> Trial<Vec<T>> {
    Trial::from(Run { outcome: Ok(Vec::new()), record: None, log: Vec::new() })
}

/// The headers with their values: any secrets in them are the author's own, and may be shown.
fn headers(headers: Vec<(HeaderName, HeaderValue)>) -> Answer {
    let header = |(name, value): (HeaderName, HeaderValue)| Header {
        name: name.as_str().to_owned(),
        value: String::from_utf8_lossy(value.as_bytes()).into_owned(),
    };
    Answer::Headers(headers.into_iter().map(header).collect())
}

/// The requested role, or the plugin's only one.
fn role(plugin: &PluginInfo, asked: Option<Role>) -> Result<Role> {
    let names = plugin.roles.iter().map(Role::into_str).collect::<Vec<_>>().join(", ");
    match (asked, &plugin.roles[..]) {
        (Some(role), roles) if roles.contains(&role) => Ok(role),
        (Some(role), _) => bail!("{} does not play the role {role}; it plays {names}", plugin.name),
        (None, [role]) => Ok(*role),
        (None, _) => bail!("{} plays several roles: say which with --role: {names}", plugin.name),
    }
}

/// Checks the settings against the plugin's declaration, as `apply` does.
fn check_settings(host: &PluginHost, plugin: &PluginInfo, role: Role, settings: &Map<String, Value>) -> Result<()> {
    let problems = host.settings_problems(&plugin.name, None, role, settings);
    let lines: Vec<String> =
        problems.iter().map(|problem| format!("settings{}: {}", problem.path, problem.message)).collect();
    ensure!(lines.is_empty(), "{}", lines.join("\n"));
    Ok(())
}

fn result_of(plugin: PluginInfo, allowance: Allowance, role: Role, trial: Trial<Answer>) -> TrialRun {
    let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    let (answer, failure) = match trial.outcome {
        Ok(answer) => (Some(answer), None),
        Err(PluginError { failure, trace, .. }) => {
            (None, Some(TrialFailure { kind: failure.kind(), message: failure.to_string(), trace }))
        }
    };
    TrialRun {
        plugin: plugin.name,
        version: plugin.version,
        digest: plugin.digest,
        role,
        answer,
        failure,
        log: trial.log,
        microseconds: micros(trial.time),
        allowed_microseconds: micros(allowance.time),
        memory: trial.memory,
        allowed_memory: allowance.memory,
        fuel: trial.fuel,
        allowed_fuel: allowance.fuel,
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn slow_work_is_reported_once_and_quick_work_is_not() {
        let reports = Cell::new(0);
        let quick = tokio::spawn(async { 7 });
        assert_eq!(report_when_slow(quick, MOMENT, || reports.set(reports.get() + 1)).await.unwrap(), 7);
        assert_eq!(reports.get(), 0);
        // It ends only after it was reported.
        let (finish, finished) = oneshot::channel();
        let slow = tokio::spawn(async { finished.await.unwrap() });
        let done = report_when_slow(slow, Duration::ZERO, || {
            reports.set(reports.get() + 1);
            finish.send(8).unwrap();
        });
        assert_eq!(done.await.unwrap(), 8);
        assert_eq!(reports.get(), 1);
    }
}
