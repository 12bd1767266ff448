//! `sealwright disclose`: writes a package with some items of a sealed case.

use std::{
    fmt,
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use anyhow::Context;
use bytes::Bytes;
use clap::Args;
use futures_util::{TryStreamExt, stream::BoxStream};
use serde::Serialize;

use super::{analysis::read_case, output::Output};
use crate::{
    app::{App, disclosure},
    clock::Clock,
    config::Config,
    domain::id::{CaseId, ItemId},
    error::Result,
};

/// Disclose some items of a sealed case, without the others
///
/// Writes a ZIP archive with the items' files and with disclosure.json: a statement, signed by this installation, that
/// the case's certificate contains these items. `sealwright verify` checks the archive without the certificate.
///
/// The archive shows the case's reference, company, frame, the times at which it was opened and closed, and how many items
/// the certificate has. It shows nothing else of the other items.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DiscloseArguments {
    /// The case, by its number or its public reference
    #[arg(value_name = "CASE", value_parser = read_case)]
    case: CaseId,

    /// The items to show, by their numbers or their references, separated by commas
    #[arg(long, value_name = "ITEMS", required = true, value_delimiter = ',', value_parser = read_item)]
    items: Vec<ItemId>,

    /// The file to write; it must not exist [default: CAS-<case>_CMP-<company>.disclosure.zip]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  sealwright disclose CAS-12_CMP-7 --items 31,34
  sealwright disclose 12 --items ITM-31_CAS-12 --out front.zip
  sealwright verify front.zip";

pub(super) async fn run(config: Config, arguments: &DiscloseArguments, output: Output) -> anyhow::Result<ExitCode> {
    let DiscloseArguments { case, items, out } = arguments;
    let app = Arc::new(App::open_existing(config, Clock::system()).await?);
    let package = disclosure::disclose_by_command(&app, *case, items).await?;
    let path = out.clone().unwrap_or_else(|| PathBuf::from(package.file_name()));
    let size = write(package.archive, &path).await?;
    output.print(&WrittenPackage { file: path, size })?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a new file, and returns its size in bytes. If that fails, no file is left.
async fn write(archive: BoxStream<'static, Result<Bytes>>, path: &Path) -> anyhow::Result<u64> {
    let writing = || format!("writing {}", path.display());
    let mut file = File::create_new(path).with_context(writing)?;
    let written = fill(&mut file, archive).await;
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(path);
    }
    written.with_context(writing)
}

async fn fill(file: &mut File, mut archive: BoxStream<'static, Result<Bytes>>) -> anyhow::Result<u64> {
    let mut size = 0;
    while let Some(piece) = archive.try_next().await? {
        file.write_all(&piece)?;
        size += piece.len() as u64;
    }
    file.sync_all()?;
    Ok(size)
}

/// `31` or `ITM-31_CAS-12`.
pub(super) fn read_item(text: &str) -> std::result::Result<ItemId, String> {
    let number = match text.strip_prefix("ITM-") {
        Some(rest) => rest.split_once("_CAS-").map_or("", |(number, _)| number),
        None => text,
    };
    ItemId::parse(number).ok_or_else(|| "expected an item's number, or its reference such as ITM-31_CAS-12".to_owned())
}

#[derive(Serialize)]
struct WrittenPackage {
    file: PathBuf,
    /// Bytes.
    size: u64,
}

impl fmt::Display for WrittenPackage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Wrote {} ({} bytes)", self.file.display(), self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_given_by_its_number_or_its_reference() {
        let item = ItemId::new(31);
        assert_eq!(read_item("31").ok(), item);
        assert_eq!(read_item("ITM-31_CAS-12").ok(), item);
        for wrong in ["", "0", "-1", "ITM-", "ITM-x_CAS-12", "31_CAS-12", "ITM-31"] {
            assert!(read_item(wrong).is_err(), "{wrong}");
        }
    }
}
