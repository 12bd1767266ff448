//! Checks a certificate for a user of this machine: which files, whom to trust, and the pages read in a process of their
//! own. `sealwright_verification` does the check and makes the account; the command line and the page of a shared
//! certificate show it.

mod page;
mod pages;
mod signers;
pub mod trust;

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

use sealwright_seal::{
    Certificate, Sha256Digest, Sha256Hasher, disclosure::Disclosure, evidence::MAX_RECORD, verify::Original,
};
pub use sealwright_verification::{
    Account, AnchorSource, Answer, CheckedCertificate, Entry, Fact, Facts, Group, Language, Mark, Sentence, Subject,
    Trust, TrustedFor, etsi_report, hold_disclosure, hold_evidence,
};
use sealwright_verification::{CASE_PACKAGE_START, CasePackage, CasePackageReader, is_case_package};

pub use self::{
    page::{VerifyPage, page},
    signers::{record, recorded},
    trust::{GivenTrust, TrustError, time_roots},
};
use super::App;
use crate::clock::Timestamp;

/// The maximum size of a certificate, in bytes: the largest has some hundreds of photos at a megabyte each.
const MAX_CERTIFICATE: u64 = 1024 * 1024 * 1024;
/// The maximum size of a disclosure, in bytes.
const MAX_DISCLOSURE: u64 = 64 * 1024 * 1024;

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
    Ok(sealwright_verification::check(pdf, trust, originals, now, |report| pages::compare(pdf, report)))
}

/// A file to check, as far as it is kept in memory.
pub enum CheckableFile {
    /// A certificate, or a disclosure.
    Whole(Vec<u8>),
    /// The package of a case, which can be larger than the memory.
    Package(CasePackage),
}

impl CheckableFile {
    /// The certificate, for evidence records.
    pub fn certificate(&self) -> &[u8] {
        match self {
            Self::Whole(bytes) => bytes,
            Self::Package(package) => package.certificate(),
        }
    }
}

/// Like [`check`], for a file that may also be the package of a case.
pub fn check_file(
    file: &CheckableFile,
    trust: &Trust,
    originals: &[Original],
    at: Timestamp,
) -> Result<CheckedCertificate, VerifyError> {
    match file {
        CheckableFile::Whole(bytes) => check(bytes, trust, originals, at),
        CheckableFile::Package(package) => {
            let now = sealwright_seal::UnixTime::from_millis(at.as_millis())?;
            Ok(sealwright_verification::check_case_package(package, trust, originals, now, pages::compare))
        }
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

/// The evidence record of a certificate.
pub struct NamedRecord {
    pub name: String,
    pub der: Vec<u8>,
}

/// Checks a certificate of this installation, and its evidence record if it has one, against its own trust. `sha256` is
/// that of `pdf`, `recorded` is [what this installation has signed with](recorded).
pub fn check_and_remember(
    app: &App,
    sha256: Sha256Digest,
    pdf: &[u8],
    recorded: Vec<Vec<Certificate>>,
    record: Option<&NamedRecord>,
) -> anyhow::Result<Arc<CheckedCertificate>> {
    let trust = trust::of_installation(&app.config, recorded)?;
    let mut checked = check(pdf, &trust, &[], app.clock.now())?;
    if let Some(NamedRecord { name, der }) = record {
        hold_evidence(&mut checked, pdf, &trust, name, der);
    }
    let checked = Arc::new(checked);
    app.verified.insert(sha256, Arc::clone(&checked));
    Ok(checked)
}

/// Reads a file that may be a certificate, whole, or a package, a piece at a time.
pub fn read_file(path: &Path) -> Result<CheckableFile, VerifyError> {
    let failed = |cause| VerifyError::File { path: path.to_owned(), cause };
    let mut file = open(path)?;
    let mut start = Vec::new();
    file.by_ref().take(CASE_PACKAGE_START as u64).read_to_end(&mut start).map_err(failed)?;
    if !is_case_package(&start) {
        return Ok(CheckableFile::Whole(read_rest(start, file, path, MAX_CERTIFICATE)?));
    }
    let mut reader = CasePackageReader::new(MAX_CERTIFICATE);
    reader.update(&start);
    each_piece(file, |piece| reader.update(piece)).map_err(failed)?;
    Ok(CheckableFile::Package(reader.finish()))
}

/// Reads a disclosure.
pub fn read_disclosure(path: &Path) -> Result<Disclosure, VerifyError> {
    let bytes = read(path, MAX_DISCLOSURE)?;
    serde_json::from_slice(&bytes).map_err(|cause| VerifyError::Disclosure { path: path.to_owned(), cause })
}

/// Reads an evidence record. What it says is checked with the certificate.
pub fn read_evidence(path: &Path) -> Result<Vec<u8>, VerifyError> {
    read(path, MAX_RECORD as u64)
}

/// Hashes a file of any size, a piece at a time.
pub fn read_original(path: &Path) -> Result<Original, VerifyError> {
    let failed = |cause| VerifyError::File { path: path.to_owned(), cause };
    let mut hasher = Sha256Hasher::new();
    each_piece(open(path)?, |piece| hasher.update(piece)).map_err(failed)?;
    Ok(Original { name: path.display().to_string(), sha256: hasher.finish() })
}

fn each_piece(mut file: File, mut take: impl FnMut(&[u8])) -> io::Result<()> {
    let mut piece = vec![0; 256 * 1024];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(()),
            count => take(&piece[..count]),
        }
    }
}

fn read(path: &Path, most: u64) -> Result<Vec<u8>, VerifyError> {
    read_rest(Vec::new(), open(path)?, path, most)
}

/// The bytes of a file whose first ones were read.
fn read_rest(mut bytes: Vec<u8>, file: File, path: &Path, most: u64) -> Result<Vec<u8>, VerifyError> {
    let failed = |cause| VerifyError::File { path: path.to_owned(), cause };
    let size = file.metadata().map_err(failed)?.len();
    if size > most {
        return Err(VerifyError::TooLarge { path: path.to_owned(), size, most });
    }
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
