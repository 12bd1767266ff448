//! `sealwright hold`: legal holds of cases.

use std::{fmt, process::ExitCode};

use clap::{Args, Subcommand};
use serde::Serialize;

use super::{analysis::read_case, output::Output};
use crate::{
    app::{App, audit::Actor, legal_hold},
    clock::Clock,
    config::Config,
    domain::{id::CaseId, legal_hold::HoldRequest},
};

/// Put cases under legal hold: they are deleted neither by retention nor by a person
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct HoldArguments {
    #[command(subcommand)]
    pub action: HoldAction,
}

#[derive(Clone, Debug, Subcommand)]
pub enum HoldAction {
    /// Put a case under legal hold
    #[command(after_help = "Examples:\n  sealwright hold set 12 --reason \"lawsuit 12/345\"\n  \
                            sealwright hold set CAS-12_CMP-7 --reason \"lawsuit 12/345\"")]
    Set {
        /// The case, by its number or its public reference
        #[arg(value_name = "CASE", value_parser = read_case)]
        case: CaseId,

        /// Why, on one line
        #[arg(long, value_name = "TEXT", value_parser = read_reason)]
        reason: HoldRequest,
    },
    /// End the legal hold of a case
    #[command(after_help = "Example:\n  sealwright hold end CAS-12_CMP-7")]
    End {
        /// The case, by its number or its public reference
        #[arg(value_name = "CASE", value_parser = read_case)]
        case: CaseId,
    },
    /// List the cases under legal hold, the oldest hold first
    #[command(after_help = "Example:\n  sealwright hold list --json")]
    List,
}

const EXAMPLES: &str = "\
Examples:
  sealwright hold set CAS-12_CMP-7 --reason \"lawsuit 12/345\"
  sealwright hold list
  sealwright hold end CAS-12_CMP-7";

pub(super) async fn run(config: Config, arguments: &HoldArguments, output: Output) -> anyhow::Result<ExitCode> {
    let app = App::open_existing(config, Clock::system()).await?;
    let actor = Actor::command();
    match arguments.action.clone() {
        HoldAction::Set { case, reason } => {
            let found = legal_hold::find_case(&app, case).await?;
            legal_hold::hold(&app, &actor, &actor.name, &found, reason).await?;
            output.print(&ChangedHold { case_id: case, is_held: true })?;
        }
        HoldAction::End { case } => {
            let found = legal_hold::find_case(&app, case).await?;
            legal_hold::end(&app, &actor, &found).await?;
            output.print(&ChangedHold { case_id: case, is_held: false })?;
        }
        HoldAction::List => {
            let holds = legal_hold::list(&app).await?;
            output.print_table(["CASE", "COMPANY", "SINCE", "BY", "REASON"], &holds, |hold| {
                [
                    hold.case_id.to_string(),
                    hold.company_id.to_string(),
                    hold.held_at.to_string(),
                    hold.held_by.clone(),
                    hold.reason.clone(),
                ]
            })?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn read_reason(text: &str) -> Result<HoldRequest, String> {
    HoldRequest::new(text)
        .ok_or_else(|| format!("expected one line of 1 to {} characters", HoldRequest::LONGEST_REASON))
}

/// What `set` and `end` print.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ChangedHold {
    case_id: CaseId,
    is_held: bool,
}

impl fmt::Display for ChangedHold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { case_id, is_held } = self;
        if *is_held {
            write!(f, "case {case_id} is under legal hold: it cannot be deleted before the hold is ended")
        } else {
            write!(f, "the legal hold of case {case_id} has ended: it can be deleted")
        }
    }
}
