//! The process that reads one file. It is confined before it looks at the first byte (`sealwright-child-process`), so
//! whatever a hostile file makes a library do ends here, at worst by an abort or a signal.

use std::{
    io::{self, Read, Write},
    panic,
    process::ExitCode,
    sync::OnceLock,
    thread,
};

use sealwright_provenance::TrustList;
use serde::{Deserialize, Serialize};

use crate::{
    Facts, Limits, Recognition, UnreadableReason,
    page_picture::{first_pages, page_picture},
    pages::{self, PageTexts, page_texts},
    prepare_trusting,
};

/// The facts of a page full of text take about 1 MiB.
pub const MAX_ANSWER_BYTES: u64 = 64 << 20;
/// Readers follow structures that nest.
const STACK_BYTES: usize = 64 << 20;
/// The longest list of trusted roots, in bytes.
pub const MAX_TRUST_BYTES: u64 = 4 << 20;

/// Whether text in pictures is read, and codes are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FactsScope {
    /// For documents.
    Text,
    /// For photos of places and things.
    PicturesOnly,
}

/// Reads a file from standard input and writes its [`Facts`] as JSON to standard output. Exit code 0 means success; any
/// other code means that the process failed.
///
/// The first `trust_bytes` of the input are the roots of trusted signers of content credentials, in PEM.
pub fn main(wanted: FactsScope, trust_bytes: u64) -> ExitCode {
    let limits = Limits::default();
    let mut roots = String::new();
    if let Err(error) = io::stdin().lock().take(trust_bytes.min(MAX_TRUST_BYTES)).read_to_string(&mut roots) {
        eprintln!("cannot read the trust list: {error}");
        return ExitCode::FAILURE;
    }
    let trust = match TrustList::from_pem(&roots) {
        _ if trust_bytes == 0 => TrustList::default(),
        Ok(trust) => trust,
        Err(error) => {
            eprintln!("cannot read the trust list: {error}");
            return ExitCode::FAILURE;
        }
    };
    answer(limits.max_file_bytes, move |file| facts(&file, &limits, wanted, &trust))
}

/// The same, with only the [text of its pages](page_texts).
pub fn main_of_pages() -> ExitCode {
    answer(pages::LIMITS.max_file_bytes, |file| {
        let read = panic::catch_unwind(|| page_texts(file, &pages::LIMITS));
        read.unwrap_or_else(|_| PageTexts::unreadable(UnreadableReason::ReaderFailed))
    })
}

/// The same, with [page `number` drawn](page_picture), or why the file cannot be read.
pub fn main_of_picture(number: u32) -> ExitCode {
    let limits = Limits::default();
    answer(limits.max_file_bytes, move |file| {
        let drawn = panic::catch_unwind(|| page_picture(file, number, &limits));
        drawn.unwrap_or(Err(UnreadableReason::ReaderFailed))
    })
}

/// The same, with the [first `most` pages drawn](first_pages), or why the file cannot be read.
pub fn main_of_first_pages(most: u32) -> ExitCode {
    let limits = Limits::default();
    answer(limits.max_file_bytes, move |file| {
        let drawn = panic::catch_unwind(|| first_pages(file, most, &limits));
        drawn.unwrap_or(Err(UnreadableReason::ReaderFailed))
    })
}

fn answer<T: Serialize + Send + 'static>(
    most_bytes: u64,
    read: impl FnOnce(Vec<u8>) -> T + Send + 'static,
) -> ExitCode {
    let mut file = Vec::new();
    // One extra byte shows that the file is longer than the limit.
    if let Err(error) = io::stdin().lock().take(most_bytes + 1).read_to_end(&mut file) {
        eprintln!("cannot read the file: {error}");
        return ExitCode::FAILURE;
    }
    let read = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || read(file));
    let Ok(Ok(found)) = read.map(thread::JoinHandle::join) else { return ExitCode::FAILURE };
    match serde_json::to_vec(&found).map_err(io::Error::other).and_then(|answer| io::stdout().write_all(&answer)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write what was read: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A panic in a library loses only the facts that it was computing.
fn facts(file: &[u8], limits: &Limits, wanted: FactsScope, trust: &TrustList) -> Facts {
    let recognition = match wanted {
        FactsScope::PicturesOnly => Recognition::NotWanted,
        FactsScope::Text => Recognition::IfInstalled(OnceLock::new()),
    };
    let read = |recognition: &Recognition| panic::catch_unwind(|| prepare_trusting(file, limits, recognition, trust));
    read(&recognition).unwrap_or_else(|_| Facts::of_file_alone(file, UnreadableReason::ReaderFailed))
}
