//! `sealwright retention`: its arguments, and how what has expired is printed.

use std::{fmt, process::ExitCode};

use clap::Args;
use serde::Serialize;

use super::output::Output;
use crate::{
    app::{
        App,
        audit::Actor,
        retention::{self, Expired, Expiring},
    },
    clock::Clock,
    config::Config,
};

/// List or delete data whose retention period is over
///
/// Company manifests set how long cases, the files of closed cases, the facts from these files, webhook attempts and
/// records of the audit log are kept. A running server deletes expired data once a day, except cases under legal hold.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
#[group(required = true, multiple = false)]
pub struct RetentionArguments {
    /// Only list what would be deleted now
    #[arg(long)]
    pub dry_run: bool,

    /// Delete it now; the running server then deletes the bytes of files
    #[arg(long)]
    pub apply: bool,
}

const EXAMPLES: &str = "\
Examples:
  sealwright retention --dry-run
  sealwright retention --dry-run --json > expired.json
  sealwright retention --apply";

pub(super) async fn run(config: Config, arguments: &RetentionArguments, output: Output) -> anyhow::Result<ExitCode> {
    let app = App::open_existing(config, Clock::system()).await?;
    let dry_run = arguments.dry_run;
    let expired =
        if dry_run { retention::list(&app).await? } else { retention::apply(&app, &Actor::command()).await? };
    output.print(&RetentionReport { dry_run, expired })?;
    Ok(ExitCode::SUCCESS)
}

/// What the command prints.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RetentionReport {
    dry_run: bool,
    expired: Vec<Expired>,
}

impl fmt::Display for RetentionReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Expired { company_id, what, case_id, amount, bytes } in &self.expired {
            write!(f, "company {company_id}: ")?;
            if let Some(case) = case_id {
                write!(f, "case {case}, ")?;
            }
            match what {
                Expiring::Case => writeln!(f, "the whole case, with {amount} files and {bytes} bytes")?,
                Expiring::Originals => writeln!(f, "{amount} files with {bytes} bytes")?,
                Expiring::Facts => writeln!(f, "what was read in {amount} files")?,
                Expiring::Deliveries => writeln!(f, "{amount} attempts of webhooks")?,
                Expiring::Audit => writeln!(f, "the content of {amount} records of the audit log")?,
            }
        }
        match (self.expired.is_empty(), self.dry_run) {
            (true, _) => f.write_str("Nothing has expired."),
            (false, true) => f.write_str("This would be deleted. Nothing was changed."),
            (false, false) => f.write_str("This is deleted. The running server now deletes the bytes of files."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::id::{CaseId, CompanyId};

    #[test]
    fn the_text_says_what_goes_and_whether_it_is_gone() {
        let expired = |what, case: Option<i64>, amount, bytes| Expired {
            company_id: CompanyId::new(7).unwrap(),
            what,
            case_id: case.and_then(CaseId::new),
            amount,
            bytes,
        };
        let report = |dry_run, expired| RetentionReport { dry_run, expired }.to_string();
        let some = vec![expired(Expiring::Case, Some(3), 2, 900), expired(Expiring::Deliveries, None, 5, 0)];
        assert_eq!(
            report(true, some.clone()),
            "company 7: case 3, the whole case, with 2 files and 900 bytes\ncompany 7: 5 attempts of webhooks\n\
             This would be deleted. Nothing was changed."
        );
        assert!(report(false, some).ends_with("This is deleted. The running server now deletes the bytes of files."));
        assert_eq!(report(false, Vec::new()), "Nothing has expired.");
        let json = serde_json::to_value(expired(Expiring::Originals, Some(4), 1, 10)).unwrap();
        assert_eq!(
            json,
            serde_json::json!({ "companyId": 7, "what": "originals", "caseId": 4, "amount": 1, "bytes": 10 })
        );
    }
}
