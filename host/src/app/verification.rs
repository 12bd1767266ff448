//! Checks a certificate for a user: whom to trust, what to compare, and an account of the facts in sentences. `seal`
//! does the check itself; the command line and the page of a shared certificate show the same account.

mod account;
mod pages;
mod signers;
mod trust;
mod words;

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

use sealwright_seal::{
    Certificate, Sha256Digest, Sha256Hasher,
    disclosure::Disclosure,
    verify::{self, Finding, FindingCode, Original, Report, Severity},
};

pub use self::{
    account::{Account, Entry, Fact, Group, Mark, Subject},
    signers::{record, recorded},
    trust::{Anchor, AnchorSource, GivenTrust, Trust, TrustError, TrustedFor, time_roots},
    words::Language,
};
use super::App;
use crate::clock::Timestamp;

/// The maximum size of a certificate, in bytes: the largest has some hundreds of photos at a megabyte each.
const MAX_CERTIFICATE: u64 = 1024 * 1024 * 1024;
/// The maximum size of a disclosure, in bytes.
const MAX_DISCLOSURE: u64 = 64 * 1024 * 1024;

/// A checked certificate.
#[derive(Clone, Debug)]
pub struct CheckedCertificate {
    pub sha256: Sha256Digest,
    /// Bytes.
    pub size: usize,
    pub at: Timestamp,
    /// The names of the files given for comparison with the sealed ones. For each the report has facts, or a notice
    /// that it was not compared.
    pub originals: Vec<String>,
    pub report: Report,
}

/// Why a file could not be checked.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    #[error("{}: {cause}", path.display())]
    File { path: PathBuf, cause: io::Error },
    #[error("{} is a folder, expected a file", path.display())]
    Folder { path: PathBuf },
    #[error("{} has {size} bytes, expected at most {most}", path.display())]
    TooLarge { path: PathBuf, size: u64, most: u64 },
    #[error("{}: not a disclosure: {cause}", path.display())]
    Disclosure { path: PathBuf, cause: serde_json::Error },
    #[error("the clock of this machine: {0}")]
    Clock(#[from] sealwright_seal::time::TimeError),
}

/// Checks a certificate and given originals, and that its pages show what its manifest says. Blocks: the pages are read in
/// a separate process.
pub fn check(
    pdf: &[u8],
    trust: &Trust,
    originals: &[Original],
    at: Timestamp,
) -> Result<CheckedCertificate, VerifyError> {
    let now = sealwright_seal::UnixTime::from_millis(at.as_millis())?;
    let mut report = verify::certificate(pdf, &trust.expectations(now, originals));
    pages::compare(pdf, &mut report);
    explain_non_pdf(pdf, &mut report);
    for original in originals.iter().filter(|given| report.originals.iter().all(|compared| compared.name != given.name))
    {
        report.findings.push(Finding {
            severity: Severity::Notice,
            code: FindingCode::Original,
            message: format!("`{}` was not compared, because no list of sealed files can be read", original.name),
        });
    }
    let originals = originals.iter().map(|original| original.name.clone()).collect();
    Ok(CheckedCertificate { sha256: Sha256Digest::of(pdf), size: pdf.len(), at, originals, report })
}

/// The first bytes of a PDF file (ISO 32000-1, section 7.5.2).
const PDF: &[u8] = b"%PDF-";

/// For a file that is not a PDF at all, the byte at which the reader gave up is of no use.
fn explain_non_pdf(file: &[u8], report: &mut Report) {
    let message = match file {
        [] => "it is empty",
        file if !file.starts_with(PDF) => "it is not a PDF file",
        _ => return,
    };
    for finding in report.findings.iter_mut().filter(|finding| finding.code == FindingCode::Unreadable) {
        message.clone_into(&mut finding.message);
    }
}

/// How long an answer is reused, in milliseconds: short enough that little can have changed.
const REMEMBERED: i64 = 60 * 1000;

/// Recent answers, by the SHA-256 of the file.
pub type CheckCache = quick_cache::sync::Cache<Sha256Digest, Arc<CheckedCertificate>>;

/// The recent check of the file with this SHA-256.
pub fn remembered(app: &App, sha256: Sha256Digest) -> Option<Arc<CheckedCertificate>> {
    let now = app.clock.now().as_millis();
    app.verified.get(&sha256).filter(|checked| (0..REMEMBERED).contains(&(now - checked.at.as_millis())))
}

/// Checks a certificate of this installation against its own trust. `sha256` is that of `pdf`, `recorded` is [what this
/// installation has signed with](recorded).
pub fn check_and_remember(
    app: &App,
    sha256: Sha256Digest,
    pdf: &[u8],
    recorded: Vec<Vec<Certificate>>,
) -> anyhow::Result<Arc<CheckedCertificate>> {
    let checked = Arc::new(check(pdf, &Trust::of_installation(&app.config, recorded)?, &[], app.clock.now())?);
    app.verified.insert(sha256, Arc::clone(&checked));
    Ok(checked)
}

/// Compares a disclosure of some items with a checked certificate. One that does not match invalidates the whole
/// result, like an original that is not one of those sealed.
pub fn hold_disclosure(checked: &mut CheckedCertificate, name: &str, disclosure: &Disclosure) {
    let root = checked.report.manifest.as_ref().and_then(|manifest| manifest.root);
    let held = match root {
        Some(root) => disclosure.verify(&root).map_err(|error| error.to_string()),
        None => Err("the certificate does not commit to individual items".to_owned()),
    };
    match held {
        Ok(items) => checked.report.disclosures.push(verify::DisclosureFacts {
            name: name.to_owned(),
            items: items.into_iter().map(|item| item.reference).collect(),
        }),
        Err(error) => checked.report.add(Finding {
            severity: Severity::Changed,
            code: FindingCode::Disclosure,
            message: format!("`{name}` discloses no items of this certificate: {error}"),
        }),
    }
}

/// Reads a file that may be a certificate, whole.
pub fn read_certificate(path: &Path) -> Result<Vec<u8>, VerifyError> {
    read(path, MAX_CERTIFICATE)
}

/// Reads a disclosure.
pub fn read_disclosure(path: &Path) -> Result<Disclosure, VerifyError> {
    let bytes = read(path, MAX_DISCLOSURE)?;
    serde_json::from_slice(&bytes).map_err(|cause| VerifyError::Disclosure { path: path.to_owned(), cause })
}

/// Hashes a file of any size, a piece at a time.
pub fn read_original(path: &Path) -> Result<Original, VerifyError> {
    let failed = |cause| VerifyError::File { path: path.to_owned(), cause };
    let mut file = open(path)?;
    let mut hasher = Sha256Hasher::new();
    let mut piece = vec![0; 256 * 1024];
    loop {
        match file.read(&mut piece).map_err(failed)? {
            0 => break,
            count => hasher.update(&piece[..count]),
        }
    }
    Ok(Original { name: path.display().to_string(), sha256: hasher.finish() })
}

fn read(path: &Path, most: u64) -> Result<Vec<u8>, VerifyError> {
    let failed = |cause| VerifyError::File { path: path.to_owned(), cause };
    let file = open(path)?;
    let size = file.metadata().map_err(failed)?.len();
    if size > most {
        return Err(VerifyError::TooLarge { path: path.to_owned(), size, most });
    }
    let mut bytes = Vec::new();
    // The metadata of a file that is not regular does not give its size.
    file.take(most + 1).read_to_end(&mut bytes).map_err(failed)?;
    let size = bytes.len() as u64;
    if size > most {
        return Err(VerifyError::TooLarge { path: path.to_owned(), size, most });
    }
    Ok(bytes)
}

fn open(path: &Path) -> Result<File, VerifyError> {
    let failed = |cause| VerifyError::File { path: path.to_owned(), cause };
    let file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(VerifyError::Folder { path: path.to_owned() });
    }
    Ok(file)
}
