//! `sealwright plugin replay`: repeats the plugin calls behind a case's verdict.

use std::process::ExitCode;

use crate::{
    app::{App, audit, tools::replay},
    cli::output::Output,
    clock::Clock,
    config::Config,
    domain::id::CaseId,
};

/// No answer differs, but some calls cannot be repeated.
const CANNOT_RUN: u8 = 3;

/// The exit code is 0 if all answers are the same, 1 if one differs, else 3 if some calls cannot be repeated.
pub(super) async fn run(config: Config, case: CaseId, output: Output) -> anyhow::Result<ExitCode> {
    let app = App::open_existing(config, Clock::system()).await?;
    audit::record_look_by_command(&app, "replayCase", case).await?;
    let replayed = replay::replay(&app, case).await?;
    output.print(&replayed)?;
    Ok(match (replayed.different, replayed.cannot_run) {
        (0, 0) => ExitCode::SUCCESS,
        (0, _) => ExitCode::from(CANNOT_RUN),
        _ => ExitCode::FAILURE,
    })
}
