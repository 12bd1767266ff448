//! `sealwright plugin replay`: runs again what a case's verdict rests on.

use std::process::ExitCode;

use crate::{
    app::{App, analysis},
    cli::output::Output,
    clock::Clock,
    config::Config,
    domain::id::CaseId,
};

/// Nothing differs, but something cannot be run again.
const CANNOT_RUN: u8 = 3;

/// The exit code tells: 0 where all is the same, 1 where something differs, else 3 where something cannot be run again.
pub(super) async fn run(config: Config, case: CaseId, output: Output) -> anyhow::Result<ExitCode> {
    let app = App::open_existing(config, Clock::system()).await?;
    let replayed = analysis::replay(&app, case).await?;
    output.print(&replayed)?;
    Ok(match (replayed.different, replayed.cannot_run) {
        (0, 0) => ExitCode::SUCCESS,
        (0, _) => ExitCode::from(CANNOT_RUN),
        _ => ExitCode::FAILURE,
    })
}
