//! `sealwright job`: its arguments.

use std::{fmt, process::ExitCode};

use clap::{Args, Subcommand};
use serde::Serialize;

use super::output::Output;
use crate::{
    app::{
        audit::Actor,
        queue::{self, JobState, RestartedJob},
        tools::installation,
    },
    clock::Clock,
    config::Config,
};

/// List the jobs of the queue, or retry those that failed
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct JobArguments {
    #[command(subcommand)]
    pub action: JobAction,
}

#[derive(Clone, Debug, Subcommand)]
pub enum JobAction {
    /// List jobs: first those that failed or are quarantined, then those waiting or running, the oldest first
    #[command(after_help = "Example:\n  sealwright job list --json --limit 10")]
    List {
        /// Maximum number of jobs to list
        #[arg(long, value_name = "COUNT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
    },
    /// Retry a failed or quarantined job, or all of them
    #[command(after_help = "Examples:\n  sealwright job retry 42\n  sealwright job retry")]
    Retry {
        /// The job's identifier, from `sealwright job list` [default: all]
        #[arg(value_parser = clap::value_parser!(i64).range(1..))]
        id: Option<i64>,
    },
}

/// Lists jobs, or lets the running server retry some.
pub(super) async fn run(config: Config, arguments: &JobArguments, output: Output) -> anyhow::Result<ExitCode> {
    // Only the database is opened: the jobs may be waiting for the blob store.
    let db = installation::open_database(&config).await?;
    match arguments.action {
        JobAction::List { limit } => {
            let jobs = queue::list(&db, limit).await?;
            let headings =
                ["ID", "KIND", "SUBJECT", "COMPANY", "STATE", "ATTEMPTS", "DUE SINCE", "NEXT", "WAITS FOR", "ERROR"];
            output.print_table(headings, &jobs, |job| {
                let is_waiting = matches!(job.state, JobState::Ready | JobState::Suspect);
                [
                    job.id.to_string(),
                    job.kind.as_str().to_owned(),
                    job.subject.to_string(),
                    job.company_id.to_string(),
                    job.state.to_string(),
                    job.attempt.to_string(),
                    job.due_at.to_string(),
                    if is_waiting { job.run_at.to_string() } else { String::new() },
                    job.waits_for.clone().unwrap_or_default(),
                    job.last_error.clone().unwrap_or_default(),
                ]
            })?;
        }
        JobAction::Retry { id } => {
            output.print(&RetriedJobs {
                jobs: queue::restart(&db, &Actor::command(), id, Clock::system().now()).await?,
            })?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What `retry` prints.
#[derive(Debug, Serialize)]
struct RetriedJobs {
    jobs: Vec<RestartedJob>,
}

impl fmt::Display for RetriedJobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((last, others)) = self.jobs.split_last() else {
            return f.write_str("no job has failed or is quarantined");
        };
        for job in others {
            writeln!(f, "{}", sentence(job))?;
        }
        f.write_str(&sentence(last))
    }
}

fn sentence(job: &RestartedJob) -> String {
    format!("the running server will retry job {} ({} of {})", job.id, job.kind, job.subject)
}

const EXAMPLES: &str = "\
Examples:
  sealwright job list
  sealwright job retry 42";
