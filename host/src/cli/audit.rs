//! `sealwright audit`: lists, exports and checks the audit log.

use std::{
    fmt,
    io::{self, Write},
    process::ExitCode,
};

use clap::{Args, Subcommand, ValueEnum};
use futures_util::{Stream, TryStreamExt as _};
use serde::Serialize;

use super::output::Output;
use crate::{
    app::{
        App,
        audit::{
            self, AuditFilter, AuditRecord,
            export::{ExportFormat, records},
            publish::publish_now,
            verify::{AuditCheck, verify},
        },
        tools::installation,
    },
    clock::{Clock, Timestamp},
    config::Config,
    domain::{
        console::Scope,
        id::CompanyId,
        moment::{parse_day, parse_moment},
    },
    error::Error,
};

/// Show, export and check the audit log: who did or saw what
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AuditArguments {
    #[command(subcommand)]
    pub action: AuditAction,
}

#[derive(Clone, Debug, Subcommand)]
pub enum AuditAction {
    /// List records, the newest first
    #[command(after_help = "Examples:\n  sealwright audit list --company 7 --since 2026-11-01\n  \
                            sealwright audit list --subject \"case 12\" --json")]
    List {
        #[command(flatten)]
        filter: FilterArguments,

        /// Maximum number of records to list
        #[arg(long, value_name = "COUNT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
    },
    /// Print all matching records, the oldest first, as JSON lines or CSV
    #[command(after_help = "Examples:\n  sealwright audit export > audit.jsonl\n  \
                            sealwright audit export --format csv --company 7 --since 2026-11-01 > november.csv")]
    Export {
        #[command(flatten)]
        filter: FilterArguments,

        /// The form of the file
        #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Jsonl)]
        format: Format,

        /// Maximum number of records to print [default: all]
        #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
        limit: Option<u64>,
    },
    /// Check that no record was changed, removed or reordered
    ///
    /// This command computes the digest of every record again. It compares the chain with its stored head, and with the
    /// heads that were published in the log of seals. Exit code 0 if the log is whole, 1 if not.
    #[command(after_help = "Examples:\n  sealwright audit verify\n  sealwright audit verify --publish")]
    Verify {
        /// Then publish the head in the log of seals, if it has moved, instead of within the next hour
        #[arg(long)]
        publish: bool,
    },
}

/// Which records.
#[derive(Clone, Debug, Args)]
pub struct FilterArguments {
    /// Only records about this company
    #[arg(long, value_name = "ID", value_parser = company)]
    pub company: Option<CompanyId>,

    /// Only records of this actor: a name, or a kind and a name such as "link 1a2b3c4d"
    #[arg(long, value_name = "NAME")]
    pub actor: Option<String>,

    /// Only records of this action, such as closeCase
    #[arg(long, value_name = "ACTION")]
    pub action: Option<String>,

    /// Only records about this, such as "case 12"; also finds the items of the case
    #[arg(long, value_name = "SUBJECT")]
    pub subject: Option<String>,

    /// Only records from this moment on: a date, or a date and time with its offset
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub since: Option<Timestamp>,

    /// Only records before this moment
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub until: Option<Timestamp>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Jsonl,
    Csv,
}

impl FilterArguments {
    fn filter(&self) -> AuditFilter {
        let Self { company, actor, action, subject, since, until } = self.clone();
        AuditFilter { company, actor, action, subject, since, until, ..AuditFilter::all(Scope::Installation) }
    }
}

pub(super) async fn run(config: Config, arguments: &AuditArguments, output: Output) -> anyhow::Result<ExitCode> {
    match &arguments.action {
        AuditAction::List { filter, limit } => {
            let db = installation::open_database(&config).await?;
            print_table(&audit::newest(&db, &filter.filter(), None, *limit).await?, output)?;
            Ok(ExitCode::SUCCESS)
        }
        AuditAction::Export { filter, format, limit } => {
            let db = installation::open_database(&config).await?;
            let parts = records(&db, filter.filter()).await?;
            print_lines(std::pin::pin!(parts), *format, limit.unwrap_or(u64::MAX)).await?;
            Ok(ExitCode::SUCCESS)
        }
        AuditAction::Verify { publish } => check(config, *publish, output).await,
    }
}

fn print_table(records: &[AuditRecord], output: Output) -> io::Result<()> {
    let headings = ["POSITION", "TIME", "COMPANY", "ACTOR", "ACTION", "SUBJECT", "ADDRESS", "OUTCOME", "DETAIL"];
    output.print_table(headings, records, |record| {
        let number = |number: Option<i64>| number.map(|number| number.to_string()).unwrap_or_default();
        [
            number(record.position),
            record.happened_at.to_string(),
            number(record.company),
            format!("{} {}", record.actor_kind, record.actor),
            record.action.clone(),
            record.subject.clone().unwrap_or_default(),
            record.address.clone().unwrap_or_default(),
            record.outcome.clone(),
            record.detail.clone().unwrap_or_default(),
        ]
    })
}

async fn print_lines(
    mut parts: impl Stream<Item = Result<Vec<AuditRecord>, Error>> + Unpin,
    format: Format,
    limit: u64,
) -> anyhow::Result<()> {
    let format = match format {
        Format::Jsonl => ExportFormat::Jsonl,
        Format::Csv => ExportFormat::Csv,
    };
    let mut out = io::BufWriter::new(io::stdout());
    out.write_all(format.heading().as_bytes())?;
    let mut left = limit;
    while let Some(part) = parts.try_next().await? {
        for record in &part {
            if left == 0 {
                out.flush()?;
                return Ok(());
            }
            left -= 1;
            out.write_all(format.line(record)?.as_bytes())?;
        }
    }
    out.flush()?;
    Ok(())
}

async fn check(config: Config, publish: bool, output: Output) -> anyhow::Result<ExitCode> {
    let app = App::open_existing(config, Clock::system()).await?;
    let check = verify(&app).await?;
    let is_whole = check.problem.is_none();
    let published = if publish && is_whole { publish_now(&app).await? } else { None };
    app.db.close().await;
    output.print(&VerifyResult { check, now_published: published.map(|head| head.size) })?;
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What `verify` prints.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct VerifyResult {
    #[serde(flatten)]
    check: AuditCheck,
    /// How many records the head covers that was published now.
    now_published: Option<u64>,
}

impl fmt::Display for VerifyResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.check)?;
        match self.now_published {
            Some(records) => write!(f, "\n  now        {records} records were published in the log of seals"),
            None => Ok(()),
        }
    }
}

fn company(text: &str) -> Result<CompanyId, String> {
    text.parse().ok().and_then(CompanyId::new).ok_or_else(|| "expected the identifier of a company".to_owned())
}

fn moment(text: &str) -> Result<Timestamp, String> {
    let found = parse_day(text).or_else(|| parse_moment(text));
    found.ok_or_else(|| "expected a date such as 2026-11-20, or a time such as 2026-11-20T10:00:00Z".to_owned())
}

const EXAMPLES: &str = "\
Examples:
  sealwright audit list --limit 20
  sealwright audit export --format csv > audit.csv
  sealwright audit verify";
