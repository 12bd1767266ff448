//! `sealwright plugin backtest`: tries a component on a company's stored evidence.

use std::{
    fs::File,
    io::{IsTerminal, Read, Write, stderr},
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use anyhow::Context;
use clap::Args;
use serde_json::{Map, Value};
use tokio::signal::unix::{SignalKind, signal};

use crate::{
    app::{
        App,
        audit::{self, Actor, Event},
        backtest::{
            self, BacktestRequest, Candidate, MOST_CASES, Progress, USUAL_CASES, USUAL_TIME, read_settings, read_time,
        },
    },
    cli::output::Output,
    clock::Clock,
    config::Config,
    domain::id::CompanyId,
};

/// One byte more than the largest component is enough to reject it.
const MOST_BYTES: u64 = 64 << 20;
/// The exit code that shells use for a command ended by Ctrl-C.
const INTERRUPTED: u8 = 130;
/// How often progress is printed: on a terminal, and in a log.
const ON_TERMINAL: Duration = Duration::from_millis(200);
const IN_LOG: Duration = Duration::from_secs(10);

#[derive(Clone, Debug, Args)]
pub struct BacktestArguments {
    /// The component
    file: PathBuf,
    /// The company whose cases are judged again
    #[arg(long, value_name = "ID", value_parser = read_company)]
    company: CompanyId,
    /// Add the component to the plugins in service, instead of replacing any of them
    #[arg(long = "beside")]
    alongside: bool,
    /// Only cases that were closed in the last TIME: a number and s, m, h or d
    #[arg(long, value_name = "TIME", default_value = USUAL_TIME, value_parser = read_time)]
    since: Duration,
    /// The candidate's settings, a JSON object [default: those of the company's plugin with the same name, else none]
    #[arg(long, value_name = "JSON", value_parser = read_settings)]
    settings: Option<Map<String, Value>>,
    /// Maximum number of cases; the newest are used
    #[arg(long, value_name = "COUNT", default_value_t = USUAL_CASES, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_CASES)))]
    limit: u32,
    /// How many cases to judge at once [default: the number of cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=64))]
    at_once: Option<u16>,
}

/// Nothing is written, except to the audit log. Ctrl-C ends it early and prints the results so far.
pub(super) async fn run(config: Config, arguments: &BacktestArguments, output: Output) -> anyhow::Result<ExitCode> {
    let BacktestArguments { file, company, alongside, since, settings, limit, at_once } = arguments;
    // Installed early, so that Ctrl-C before the first case is handled too.
    let mut interrupts = signal(SignalKind::interrupt()).context("listening for Ctrl-C")?;
    let mut component = Vec::new();
    let opened = File::open(file).with_context(|| format!("opening {}", file.display()))?;
    opened.take(MOST_BYTES).read_to_end(&mut component).with_context(|| format!("reading {}", file.display()))?;
    let app = Arc::new(App::open_existing(config, Clock::system()).await?);
    let event = Event::done("backtestPlugin", Some(*company), Some(format!("company {company}")));
    audit::record_alone(&app, &Actor::command(), event).await?;
    let request = BacktestRequest {
        company: *company,
        candidate: Candidate::File { component, origin: file.display().to_string() },
        settings: settings.clone(),
        alongside: *alongside,
        since: app.clock.now().before(*since),
        limit: *limit,
        at_once: at_once.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from),
    };
    let stop = async move {
        interrupts.recv().await;
    };
    let mut progress_printer = ProgressPrinter::new();
    let result = backtest::backtest(&app, request, stop, |progress| progress_printer.print(progress)).await;
    progress_printer.end();
    let result = result?;
    output.print(&result)?;
    Ok(if result.interrupted { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// Prints progress to standard error.
struct ProgressPrinter {
    on_terminal: bool,
    last: Option<Instant>,
}

impl ProgressPrinter {
    fn new() -> Self {
        Self { on_terminal: stderr().is_terminal(), last: None }
    }

    fn print(&mut self, Progress { done, of }: Progress) {
        let every = if self.on_terminal { ON_TERMINAL } else { IN_LOG };
        if done < of && self.last.is_some_and(|last| last.elapsed() < every) {
            return;
        }
        self.last = Some(Instant::now());
        let mut out = stderr().lock();
        // A failed write loses nothing.
        let _ = if self.on_terminal {
            write!(out, "\r{done} of {of} cases\u{1b}[K").and_then(|()| out.flush())
        } else {
            writeln!(out, "{done} of {of} cases")
        };
    }

    fn end(&self) {
        if self.on_terminal && self.last.is_some() {
            eprintln!();
        }
    }
}

fn read_company(text: &str) -> Result<CompanyId, String> {
    CompanyId::parse(text).ok_or_else(|| "expected a company's number".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_a_company_and_settings_are_parsed_or_rejected() {
        assert_eq!(read_time("30d"), Ok(Duration::from_hours(30 * 24)));
        assert_eq!(read_company("7").ok(), CompanyId::new(7));
        assert_eq!(read_settings("{\"a\": 1}").map(|settings| settings.len()), Ok(1));
        for wrong in ["", "30", "d", "-1d", "0s"] {
            assert!(read_time(wrong).is_err(), "{wrong}");
        }
        assert!(read_company("0").is_err() && read_company("x").is_err());
        assert!(read_settings("[]").is_err() && read_settings("{").is_err());
    }
}
