//! `sealwright analysis`: its arguments.

use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::output::Output;
use crate::{
    app::{App, analysis::explain, audit},
    clock::Clock,
    config::Config,
    domain::id::CaseId,
};

/// Explain the analysis of a case
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AnalysisArguments {
    #[command(subcommand)]
    pub action: AnalysisAction,
}

#[derive(Clone, Debug, Subcommand)]
pub enum AnalysisAction {
    /// Print how each score was computed: its parts, their weights, and the plugins they come from
    #[command(after_help = "Examples:\n  sealwright analysis explain 4711\n  \
                            sealwright analysis explain CAS-4711_CMP-7 --json")]
    Explain {
        /// The case, by its number or its public reference
        #[arg(value_name = "CASE", value_parser = read_case)]
        case: CaseId,
    },
}

/// Explains a case, from what is stored.
pub(super) async fn run(config: Config, arguments: &AnalysisArguments, output: Output) -> anyhow::Result<ExitCode> {
    let app = App::open_existing(config, Clock::system()).await?;
    match arguments.action {
        AnalysisAction::Explain { case } => {
            audit::record_look_by_command(&app, "explainAnalysis", case).await?;
            output.print(&explain::explain(&app, case).await?)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// `4711` or `CAS-4711_CMP-7`.
pub(super) fn read_case(text: &str) -> Result<CaseId, String> {
    let number = match text.strip_prefix("CAS-") {
        Some(rest) => rest.split_once("_CMP-").map_or("", |(number, _)| number),
        None => text,
    };
    CaseId::parse(number).ok_or_else(|| "expected a case's number, or its reference such as CAS-4711_CMP-7".to_owned())
}

const EXAMPLES: &str = "\
Examples:
  sealwright analysis explain 4711
  sealwright analysis explain CAS-4711_CMP-7 --json";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_given_by_its_number_or_its_reference() {
        let case = CaseId::new(4711);
        assert_eq!(read_case("4711").ok(), case);
        assert_eq!(read_case("CAS-4711_CMP-7").ok(), case);
        for wrong in ["", "0", "-1", "CAS-", "CAS-x_CMP-7", "4711_CMP-7", "CAS-4711"] {
            assert!(read_case(wrong).is_err(), "{wrong}");
        }
    }
}
