//! `sealwright webhook`: its arguments.

use std::{fmt, process::ExitCode};

use clap::{Args, Subcommand};
use serde::Serialize;

use super::output::Output;
use crate::{
    app::{App, audit::Actor, webhook},
    clock::{Clock, Timestamp},
    config::Config,
    domain::{
        company_manifest::WebhookKind,
        id::{CaseId, CompanyId},
    },
    error::Error,
};

/// List webhooks and their attempts, resend one, or send a test
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct WebhookArguments {
    #[command(subcommand)]
    pub action: WebhookAction,
}

#[derive(Clone, Debug, Subcommand)]
pub enum WebhookAction {
    /// List the attempts of the last 30 days, the newest first
    #[command(after_help = "Example:\n  sealwright webhook list --json --limit 10")]
    List {
        /// Maximum number of attempts to list
        #[arg(long, value_name = "COUNT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
    },
    /// Send the webhook of an attempt again, with the current state of its case
    #[command(after_help = "Example:\n  sealwright webhook resend 42")]
    Resend {
        /// The attempt's identifier, from `sealwright webhook list`
        #[arg(value_parser = clap::value_parser!(i64).range(1..))]
        id: i64,
    },
    /// List the webhooks of all companies: which receivers are paused, and how many deliveries wait or have failed
    #[command(after_help = "Example:\n  sealwright webhook status --json")]
    Status,
    /// Send a body without a case to a webhook's receiver, authenticated as always, and print its answer
    #[command(after_help = "Example:\n  sealwright webhook test 7 case")]
    Test {
        /// The company's identifier
        #[arg(value_parser = clap::value_parser!(i64).range(1..))]
        company: i64,
        /// `case`, `analysis` or `decision`
        kind: WebhookKind,
    },
}

/// Lists attempts, or lets the running server resend one.
pub(super) async fn run(config: Config, arguments: &WebhookArguments, output: Output) -> anyhow::Result<ExitCode> {
    let app = App::open_existing(config, Clock::system()).await?;
    match arguments.action {
        WebhookAction::List { limit } => {
            let attempts = webhook::latest_attempts(&app, limit).await?;
            let columns = ["ID", "CASE", "KIND", "STARTED", "TOOK", "OUTCOME", "NEXT", "ANSWER", "URL"];
            output.print_table(columns, &attempts, |attempt| {
                [
                    attempt.id.to_string(),
                    attempt.case_id.to_string(),
                    attempt.kind.to_string(),
                    attempt.started_at.to_string(),
                    format!("{} ms", attempt.duration_ms),
                    match (attempt.status, &attempt.error) {
                        (Some(status), _) => status.to_string(),
                        (None, error) => error.clone().unwrap_or_default(),
                    },
                    next(attempt.fate.map(|fate| fate.to_string()), attempt.next_at),
                    attempt.answer.clone().unwrap_or_default(),
                    attempt.url.clone(),
                ]
            })?;
        }
        WebhookAction::Resend { id } => {
            let case = webhook::resend(&app, &Actor::command(), id).await?;
            output.print(&ResentCase { case })?;
        }
        WebhookAction::Status => {
            let webhooks = status(&app).await?;
            let columns = ["COMPANY", "KIND", "MODE", "STATE", "FAILURES", "WAITING", "FAILED", "URL"];
            output.print_table(columns, &webhooks, |webhook| {
                [
                    webhook.company.to_string(),
                    webhook.kind.to_string(),
                    webhook.mode.clone(),
                    match webhook.paused_at {
                        Some(since) => format!("paused since {since}"),
                        None => "active".to_owned(),
                    },
                    webhook.failures.to_string(),
                    webhook.waiting.to_string(),
                    webhook.failed.to_string(),
                    webhook.endpoint.clone(),
                ]
            })?;
        }
        WebhookAction::Test { company, kind } => {
            let unknown = || Error::not_found(format!("company {company} does not exist"));
            let company = CompanyId::new(company).ok_or_else(unknown)?;
            let sent = TestResult::of(webhook::test(&app, &Actor::command(), company, kind).await?);
            output.print(&sent)?;
            if !sent.accepted {
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What followed an attempt, for people.
fn next(fate: Option<String>, at: Option<Timestamp>) -> String {
    match (fate, at) {
        (Some(fate), Some(at)) => format!("{fate} {at}"),
        (fate, _) => fate.unwrap_or_default(),
    }
}

/// A webhook, as `status` prints it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct WebhookRow {
    company: CompanyId,
    kind: WebhookKind,
    mode: String,
    endpoint: String,
    paused_at: Option<Timestamp>,
    probe_at: Option<Timestamp>,
    /// Attempts that have failed since the last success.
    failures: i64,
    /// Deliveries that wait for another attempt.
    waiting: i64,
    /// Deliveries whose attempts are used up, of the last 30 days.
    failed: i64,
}

async fn status(app: &App) -> Result<Vec<WebhookRow>, Error> {
    let (states, counts) = webhook::states(app, None).await?;
    let count = |company: CompanyId, kind: WebhookKind, is_waiting: bool| {
        let same = counts.iter().filter(|count| (count.company_id, count.kind) == (company, kind));
        same.filter(|count| count.is_waiting() == is_waiting).map(|count| count.count).sum::<i64>()
    };
    let row = |state: webhook::WebhookState| WebhookRow {
        company: state.company_id,
        kind: state.kind,
        mode: state.mode,
        endpoint: state.endpoint,
        paused_at: state.paused_at,
        probe_at: state.probe_at,
        failures: state.failures,
        waiting: count(state.company_id, state.kind, true),
        failed: count(state.company_id, state.kind, false),
    };
    Ok(states.into_iter().map(row).collect())
}

/// What `test` prints.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct TestResult {
    url: String,
    accepted: bool,
    /// The receiver's status, or why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    duration_ms: u64,
}

impl TestResult {
    fn of(sent: webhook::TestDelivery) -> Self {
        let duration_ms = u64::try_from(sent.duration.as_millis()).unwrap_or(u64::MAX);
        let (status, error) = match sent.outcome {
            Ok(status) => (Some(status), None),
            Err(error) => (None, Some(error)),
        };
        let accepted = status.is_some_and(|status| (200..300).contains(&status));
        Self { url: sent.url, accepted, status, error, answer: sent.answer, duration_ms }
    }
}

impl fmt::Display for TestResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { url, status, error, answer, duration_ms, .. } = self;
        match (status, error) {
            (Some(status), _) => write!(f, "{url} answered {status} in {duration_ms} ms")?,
            (None, error) => write!(f, "{url} did not answer: {}", error.as_deref().unwrap_or_default())?,
        }
        match answer {
            Some(answer) => write!(f, ": {answer}"),
            None => Ok(()),
        }
    }
}

/// What `resend` prints.
#[derive(Debug, Serialize)]
struct ResentCase {
    case: CaseId,
}

impl fmt::Display for ResentCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the running server will resend the webhook of case {}", self.case)
    }
}

const EXAMPLES: &str = "\
Examples:
  sealwright webhook list
  sealwright webhook status
  sealwright webhook test 7 case
  sealwright webhook resend 42";
