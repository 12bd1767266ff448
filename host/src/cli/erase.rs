//! `sealwright erase`: erases items from a sealed case.

use std::{fmt, process::ExitCode, sync::Arc};

use clap::Args;
use serde::Serialize;

use super::{analysis::read_case, disclose::read_item, output::Output};
use crate::{
    app::{
        App,
        erasure::{self, Erased},
    },
    clock::Clock,
    config::Config,
    domain::{
        erasure::{ErasureRequest, Ground},
        id::{CaseId, ItemId},
    },
};

/// Erase items of a sealed case
///
/// Deletes the items with all that was made from them, for good. The running server then replaces the certificate by a
/// successor at the same address, which shows that an item was erased, when, by whom and why. What is left stays
/// provable.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct EraseArguments {
    /// The case, by its number or its public reference
    #[arg(value_name = "CASE", value_parser = read_case)]
    case: CaseId,

    /// The items to erase, by their numbers or their references, separated by commas
    #[arg(long, value_name = "ITEMS", required = true, value_delimiter = ',', value_parser = read_item)]
    items: Vec<ItemId>,

    /// Why: request (of a person whom the item concerns), legalDuty or mistake
    #[arg(long, value_name = "GROUND", value_parser = read_ground)]
    ground: Ground,
}

const EXAMPLES: &str = "\
Examples:
  sealwright erase CAS-12_CMP-7 --items 31 --ground request
  sealwright erase 12 --items ITM-31_CAS-12,ITM-34_CAS-12 --ground legalDuty";

pub(super) async fn run(config: Config, arguments: &EraseArguments, output: Output) -> anyhow::Result<ExitCode> {
    let EraseArguments { case, items, ground } = arguments.clone();
    let app = Arc::new(App::open_existing(config, Clock::system()).await?);
    let mut chosen = items;
    chosen.sort_unstable();
    chosen.dedup();
    let erased = erasure::erase_by_command(&app, case, &ErasureRequest { items: chosen, ground }).await?;
    output.print(&ErasedItems(erased))?;
    Ok(ExitCode::SUCCESS)
}

fn read_ground(text: &str) -> Result<Ground, String> {
    text.parse().map_err(|_| format!("expected {}", Ground::EXPECTED))
}

#[derive(Serialize)]
#[serde(transparent)]
struct ErasedItems(Erased);

impl fmt::Display for ErasedItems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Erased { case_id, items, .. } = &self.0;
        write!(f, "Erased {} of case {case_id}. The running server now makes a new certificate.", items.len())
    }
}
