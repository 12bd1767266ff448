//! `sealwright plugin run`: one call of a component that is in no server, for whoever writes it. Everything is as in a
//! server: how a file is read, the limits, what answers are held to.

pub mod input;

use std::{path::PathBuf, sync::Arc, time::Duration};

use anyhow::{Context, Result, bail, ensure};
use hyper::header::{HeaderName, HeaderValue};
use serde::Serialize;
use serde_json::{Map, Value};

use self::input::WebhookInput;
use crate::{
    domain::id::CompanyId,
    plugins::{
        Allowance, Chosen, PluginError, PluginHost, PluginInfo, Role, Trial,
        facts::{Candidate, Check, Comparison, Document, ExtractedField, Pair, Signal},
        this_program,
    },
};

/// What to run, on what.
pub struct Request {
    pub component: PathBuf,
    /// None: the only role that it plays.
    pub role: Option<Role>,
    pub input: PathBuf,
    pub settings: Map<String, Value>,
    /// What kind of document the input is, for roles that are told.
    pub document_type: String,
    /// The fields to read, for a cross-check, with what was entered.
    pub fields: Vec<(String, Option<String>)>,
    pub webhook: WebhookInput,
}

/// What came of it.
#[derive(Debug, Serialize)]
pub struct Ran {
    pub plugin: String,
    pub version: String,
    /// SHA-256 of the component, in lowercase hexadecimal.
    pub digest: String,
    pub role: Role,
    /// None where a call failed.
    pub answer: Option<Answer>,
    pub failure: Option<Failed>,
    /// What the plugin logged or printed, line by line.
    pub log: Vec<String>,
    /// Inside the plugin.
    pub microseconds: u64,
    /// Of the longest call there may be.
    pub allowed_microseconds: u64,
    /// The most linear memory that it had, in bytes.
    pub memory: u64,
    /// Of each linear memory.
    pub allowed_memory: u64,
}

/// Why there is no answer.
#[derive(Debug, Serialize)]
pub struct Failed {
    /// The word by which statistics count it.
    pub kind: &'static str,
    pub message: String,
    /// Which functions were running when it was stopped, the innermost first.
    pub trace: Vec<String>,
}

/// An answer that keeps the contract's rules.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    Candidates(Vec<Candidate>),
    /// One comparison for each field that was read, in their order.
    Fields {
        fields: Vec<ExtractedField>,
        comparisons: Vec<Comparison>,
    },
    Checks(Vec<Check>),
    Signals(Vec<Signal>),
    Headers(Vec<Header>),
}

#[derive(Debug, Serialize)]
pub struct Header {
    pub name: String,
    pub value: String,
}

/// Whose plugin it is: nobody's, so any will do.
fn company() -> CompanyId {
    CompanyId::new(1).expect("1 is a positive number")
}

/// Runs a component once. An error says what of the request cannot be used; that the plugin failed is an answer.
pub async fn run(request: Request) -> Result<Ran> {
    let path = &request.component;
    let bytes = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    let (host, plugin) = tokio::task::spawn_blocking(move || {
        let host = PluginHost::for_trial(this_program())?;
        let plugin = host.admit("the component", &bytes).context("this host would not load it")?;
        anyhow::Ok((host, plugin))
    })
    .await?
    .with_context(|| path.display().to_string())?;
    let role = role(&plugin, request.role)?;
    check_settings(&host, &plugin, role, &request.settings)?;
    let chosen =
        Chosen { company: company(), plugin: plugin.name.clone(), sha256: None, settings: request.settings.clone() };
    let given = &request.input;
    let input = || given.display().to_string();
    let tried: Trial<Answer> = match role {
        Role::DocumentType => {
            let document = input::document(given).await.with_context(input)?;
            Trial::from(host.detect_document_type(&chosen, document).await).map(Answer::Candidates)
        }
        Role::Falsification => {
            let document = input::document(given).await.with_context(input)?;
            let run = host.inspect_document(&chosen, document, &request.document_type).await;
            Trial::from(run).map(Answer::Checks)
        }
        Role::CrossCheck => {
            let document = input::document(given).await.with_context(input)?;
            cross_check(&host, &chosen, document, &request).await
        }
        Role::Signal => {
            let evidence = input::case(given).await.with_context(input)?;
            Trial::from(host.assess_signals(&chosen, evidence).await).map(Answer::Signals)
        }
        Role::WebhookAuth => {
            let body = std::fs::read(given).with_context(input)?;
            let (webhook, credential) = request.webhook.prepare(company(), body);
            host.try_webhook_mode(&plugin.name, webhook, credential).await.map(headers)
        }
    };
    Ok(told(plugin, role, tried))
}

/// Reads the fields, and compares what was read with what was entered: two calls, as a server makes them.
async fn cross_check(host: &PluginHost, chosen: &Chosen, document: Arc<Document>, request: &Request) -> Trial<Answer> {
    let wanted: Vec<String> = request.fields.iter().map(|(code, _)| code.clone()).collect();
    let read = Trial::from(host.extract_fields(chosen, document, &request.document_type, wanted).await);
    let Trial { outcome, mut log, time, memory } = read;
    let fields = match outcome {
        Ok(fields) => fields,
        Err(error) => return Trial { outcome: Err(error), log, time, memory },
    };
    let pair = |(code, entered): &(String, Option<String>)| Pair {
        code: code.clone(),
        entered: entered.clone(),
        extracted: fields.iter().find(|field| field.code == *code).map(|field| field.value.clone()),
    };
    let compared = Trial::from(host.compare_fields(chosen, request.fields.iter().map(pair).collect()).await);
    log.extend(compared.log);
    Trial {
        outcome: compared.outcome.map(|comparisons| Answer::Fields { fields, comparisons }),
        log,
        time: time.max(compared.time),
        memory: memory.max(compared.memory),
    }
}

/// The headers with their values: whatever is secret in them is the author's own, and what he came to see.
fn headers(headers: Vec<(HeaderName, HeaderValue)>) -> Answer {
    let header = |(name, value): (HeaderName, HeaderValue)| Header {
        name: name.as_str().to_owned(),
        value: String::from_utf8_lossy(value.as_bytes()).into_owned(),
    };
    Answer::Headers(headers.into_iter().map(header).collect())
}

/// The role that is asked for, or the only one there is.
fn role(plugin: &PluginInfo, asked: Option<Role>) -> Result<Role> {
    let names = plugin.roles.iter().map(|role| role.as_str()).collect::<Vec<_>>().join(", ");
    match (asked, &plugin.roles[..]) {
        (Some(role), roles) if roles.contains(&role) => Ok(role),
        (Some(role), _) => bail!("{} does not play the role {role}; it plays {names}", plugin.name),
        (None, [role]) => Ok(*role),
        (None, _) => bail!("{} plays several roles: say which with --role: {names}", plugin.name),
    }
}

/// Holds the settings to what the plugin declares, as `apply` does.
fn check_settings(host: &PluginHost, plugin: &PluginInfo, role: Role, settings: &Map<String, Value>) -> Result<()> {
    let problems = host.settings_problems(&plugin.name, None, role, settings);
    let lines: Vec<String> =
        problems.iter().map(|problem| format!("settings{}: {}", problem.path, problem.message)).collect();
    ensure!(lines.is_empty(), "{}", lines.join("\n"));
    Ok(())
}

fn told(plugin: PluginInfo, role: Role, trial: Trial<Answer>) -> Ran {
    let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    let allowance = Allowance::of(role);
    let (answer, failure) = match trial.outcome {
        Ok(answer) => (Some(answer), None),
        Err(PluginError { failure, trace, .. }) => {
            (None, Some(Failed { kind: failure.kind(), message: failure.to_string(), trace }))
        }
    };
    Ran {
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
    }
}
