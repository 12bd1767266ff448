//! `sealwright doctor`: its arguments, and how its findings are printed.

use std::{fmt, process::ExitCode};

use clap::Args;
use serde::Serialize;

use super::output::Output;
use crate::{
    app::{checks::Check, tools::doctor::examine},
    config::{Config, DescribedSetting},
};

/// Check settings, database, blob store, plugins, fonts, keys and time-stamping authorities, and suggest fixes
///
/// Exit code 0 when everything can be used, 1 when something cannot.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DoctorArguments {}

/// Runs all checks and prints the findings.
pub(super) async fn run(config: &Config, output: Output) -> anyhow::Result<ExitCode> {
    let diagnosis = Diagnosis { settings: config.describe().to_vec(), checks: examine(config).await };
    output.print(&diagnosis)?;
    Ok(if diagnosis.is_usable() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

const EXAMPLES: &str = "\
Examples:
  sealwright doctor
  sealwright doctor --json --config /etc/sealwright.toml";

/// What the command prints.
#[derive(Clone, Debug, Serialize)]
pub struct Diagnosis {
    pub settings: Vec<DescribedSetting>,
    pub checks: Vec<Check>,
}

impl Diagnosis {
    pub fn is_usable(&self) -> bool {
        self.checks.iter().all(Check::is_usable)
    }
}

/// The settings with their origins, then a line for each check and one for its remedy.
impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Settings")?;
        let key_width = self.settings.iter().map(|setting| setting.key.len()).max().unwrap_or(0);
        for DescribedSetting { key, value, origin } in &self.settings {
            writeln!(f, "  {key:<key_width$}  {value}  ({origin})")?;
        }
        write!(f, "Checks")?;
        let part_width = self.checks.iter().map(|check| check.part.len()).max().unwrap_or(0);
        for Check { part, state, finding, remedy } in &self.checks {
            write!(f, "\n  {:<8}  {part:<part_width$}  {finding}", state.into_str())?;
            if let Some(remedy) = remedy {
                write!(f, "\n  {:<8}  {:<part_width$}  -> {remedy}", "", "")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnosis() -> Diagnosis {
        let setting = |key, value: &str, origin: &str| DescribedSetting {
            key,
            value: value.to_owned(),
            origin: origin.to_owned(),
        };
        Diagnosis {
            settings: vec![
                setting("listen", "127.0.0.1:8080", "default"),
                setting("data_dir", "/data", "SEALWRIGHT_DATA_DIR"),
            ],
            checks: vec![
                Check::good("database", "SQLite, 12 cases"),
                Check::doubtful("seal", "a development authority", "set seal.key"),
            ],
        }
    }

    #[test]
    fn the_text_lists_settings_checks_and_remedies() {
        insta::assert_snapshot!(diagnosis(), @r"
        Settings
          listen    127.0.0.1:8080  (default)
          data_dir  /data  (SEALWRIGHT_DATA_DIR)
        Checks
          good      database  SQLite, 12 cases
          doubtful  seal      a development authority
                              -> set seal.key
        ");
    }

    #[test]
    fn only_broken_parts_make_an_installation_unusable() {
        let mut diagnosis = diagnosis();
        assert!(diagnosis.is_usable());
        diagnosis.checks.push(Check::broken("blobs", "the folder cannot be written", "chown it"));
        assert!(!diagnosis.is_usable());
        assert_eq!(serde_json::to_value(&diagnosis).unwrap()["checks"][2]["state"], "broken");
    }
}
