//! `sealwright seal`: its arguments, what is printed about a new development authority, and evidence records.

use std::{
    fmt,
    io::{self, Write},
    process::ExitCode,
};

use anyhow::Context;
use clap::{Args, Subcommand};
use serde::Serialize;

use super::output::Output;
use crate::{
    app::{
        audit::{self, Actor, Event},
        seal::{evidence_record, pending},
        seal_keys::{Made, init},
        tools::installation,
    },
    clock::Clock,
    config::Config,
    domain::id::{CaseId, NUMBER_EXPECTED},
};

/// Manage the keys that seal certificates, list unfinished certificates, and print evidence records
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SealArguments {
    #[command(subcommand)]
    pub action: SealAction,
}

#[derive(Clone, Debug, Subcommand)]
pub enum SealAction {
    /// Create a development authority: a root, a signing key and a time-stamping key
    ///
    /// `serve` creates one by itself if there is none and the settings name no key. This command creates it in advance,
    /// and can put an organization's name into it. An existing one is never overwritten.
    #[command(after_help = "Example:\n  sealwright seal init --organization \"Acme Insurance, test\"")]
    Init {
        /// The organization that the authority's certificates name
        #[arg(long, value_name = "NAME", value_parser = organization)]
        organization: Option<String>,
    },
    /// Print the evidence record of a case's certificate (RFC 4998, DER)
    ///
    /// The record belongs to the certificate as it is now: keep both together. Certificates have one if `seal.evidence` is
    /// set, and not before their own time stamps expire in some months.
    #[command(after_help = "Example:\n  sealwright seal evidence 12 > CAS-12_CMP-7.ers\n  \
                            sealwright verify CAS-12_CMP-7.pdf --evidence CAS-12_CMP-7.ers")]
    Evidence {
        /// The number of the case
        #[arg(value_name = "CASE", value_parser = case)]
        case: CaseId,
    },
    /// List the certificates that are not finished: not made yet, given up, or without a time stamp
    #[command(after_help = "Example:\n  sealwright seal pending --json --limit 10")]
    Pending {
        /// Maximum number of certificates to list
        #[arg(long, value_name = "COUNT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
    },
}

pub(super) async fn run(config: &Config, arguments: &SealArguments, output: Output) -> anyhow::Result<ExitCode> {
    match &arguments.action {
        SealAction::Init { organization } => make(config, organization.as_deref(), output).await,
        SealAction::Evidence { case } => print_evidence(config, *case).await,
        SealAction::Pending { limit } => list(config, *limit, output).await,
    }
}

async fn list(config: &Config, limit: u32, output: Output) -> anyhow::Result<ExitCode> {
    let db = installation::open_database(config).await?;
    let certificates = pending::list(&db, limit).await?;
    db.close().await;
    let columns = ["CASE", "COMPANY", "CLOSED", "WORK", "STATE", "NEXT", "WHY"];
    output.print_table(columns, &certificates, |certificate| {
        let why = certificate.waits_for.as_ref().map(|part| format!("waits for {part}"));
        [
            certificate.case_id.to_string(),
            certificate.company_id.to_string(),
            certificate.closed_at.map(|at| at.to_string()).unwrap_or_default(),
            certificate.work.to_string(),
            certificate.state.to_string(),
            certificate.run_at.to_string(),
            why.or_else(|| certificate.last_error.clone()).unwrap_or_default(),
        ]
    })?;
    Ok(ExitCode::SUCCESS)
}

async fn print_evidence(config: &Config, case: CaseId) -> anyhow::Result<ExitCode> {
    let db = installation::open_database(config).await?;
    let record = evidence_record(&db, case).await?;
    let record = record.with_context(|| format!("the certificate of case {case} has no evidence record yet"))?;
    db.close().await;
    let mut out = io::stdout().lock();
    out.write_all(&record.to_der()).and_then(|()| out.flush()).context("printing the evidence record")?;
    Ok(ExitCode::SUCCESS)
}

async fn make(config: &Config, organization: Option<&str>, output: Output) -> anyhow::Result<ExitCode> {
    let made = init(config, organization)?;
    let event = Event::done("initSeal", None, Some(format!("root {}", made.root_sha256)));
    output.print(&InitResult { is_used: config.seal.signer.is_none(), made })?;
    if let Err(error) = record(config, event).await {
        output.warn([format!("warning: the new authority is not in the audit log: {error:#}")]);
    }
    Ok(ExitCode::SUCCESS)
}

/// Before the first start of the server there is no audit log.
async fn record(config: &Config, event: Event) -> anyhow::Result<()> {
    if installation::find(config).is_ok() {
        let db = installation::open_database(config).await?;
        audit::record_in(&db, Clock::system().now(), &Actor::command(), event).await?;
        db.close().await;
    }
    Ok(())
}

fn case(text: &str) -> Result<CaseId, String> {
    CaseId::parse(text).ok_or_else(|| NUMBER_EXPECTED.to_owned())
}

/// RFC 5280, appendix A.1: an organization's name has at most 64 characters.
fn organization(text: &str) -> Result<String, String> {
    if text.trim().is_empty() || text.chars().count() > 64 || text.chars().any(char::is_control) {
        return Err("expected 1 to 64 characters without control characters".to_owned());
    }
    Ok(text.to_owned())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InitResult {
    #[serde(flatten)]
    made: Made,
    /// Whether it will sign certificates, because no setting names another key.
    is_used: bool,
}

impl fmt::Display for InitResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { made: Made { folder, root, root_sha256, valid_until }, is_used } = self;
        let folder = folder.display();
        writeln!(f, "Created a development authority in {folder}")?;
        writeln!(f, "  root         {root}")?;
        writeln!(f, "  its SHA-256  {root_sha256}")?;
        writeln!(f, "  valid until  {valid_until} (signing and time stamping)")?;
        writeln!(f)?;
        if *is_used {
            writeln!(
                f,
                "The server signs with it from its next start. No one else trusts it, and certificates say so."
            )?;
        } else {
            writeln!(f, "The settings name another key, so certificates are not signed by it.")?;
        }
        writeln!(f, "Keep a copy of the folder. Give {folder}/root.pem to anyone who checks certificates:")?;
        writeln!(f, "  sealwright verify --trust root.pem certificate.pdf")?;
        write!(f, "To make certificates that others trust, set seal.key, seal.certificate_chain and seal.tsa_url.")
    }
}

const EXAMPLES: &str = "\
Examples:
  sealwright seal init
  sealwright seal evidence 12 > CAS-12_CMP-7.ers
  sealwright seal init --organization \"Acme Insurance, test\" --data-dir /var/lib/sealwright
  sealwright seal pending";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_organization_is_a_name_that_a_certificate_can_have() {
        assert_eq!(organization("Assurances Éluard"), Ok("Assurances Éluard".to_owned()));
        for wrong in ["", "  ", "a\nb", &"x".repeat(65)] {
            assert!(organization(wrong).is_err(), "{wrong:?}");
        }
    }
}
