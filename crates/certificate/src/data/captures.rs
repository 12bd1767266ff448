//! What the capture records of a case say.

use schemars::JsonSchema;
use sealwright_domain::language::CertificateLanguage;
use sealwright_seal::Sha256Digest;
use serde::{Deserialize, Serialize};

use super::statement::{self, CaptureCounts};

/// The capture records of a case. Each was signed by a device at the moment of a capture, and names the one before it. In
/// the JSON, `statement` is added, so that no template has to phrase what they prove.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(from = "WrittenCaptures", into = "WrittenCaptures")]
pub struct Captures {
    /// In the order in which they began.
    pub sessions: Vec<CaptureSession>,
    /// The number of items with a file that has a record.
    pub recorded: usize,
    /// The number of items with a file that has none.
    pub unrecorded: usize,
}

impl Captures {
    /// What the records prove and what they do not, in words for the reader of the certificate.
    pub fn statement(&self, language: CertificateLanguage) -> String {
        let sum = |list: fn(&CaptureSession) -> usize| self.sessions.iter().map(list).sum::<usize>();
        let counts = CaptureCounts {
            recorded: self.recorded,
            files: self.recorded + self.unrecorded,
            sessions: self.sessions.len(),
            retaken: sum(|session| session.retaken.len()),
            deleted: sum(|session| session.deleted.len()),
            missing: sum(|session| session.missing.len()),
        };
        statement::of_captures(language, &counts)
    }
}

/// The capture records of a case. Each was signed by a device at the moment of a capture, and names the one before it.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Captures")]
struct WrittenCaptures {
    /// What the records prove and what they do not, in the certificate's language.
    #[serde(default)]
    statement: String,
    /// In the order in which they began.
    sessions: Vec<CaptureSession>,
    /// The number of items with a file that has a record.
    recorded: usize,
    /// The number of items with a file that has none.
    unrecorded: usize,
}

impl From<Captures> for WrittenCaptures {
    fn from(captures: Captures) -> Self {
        let statement = captures.statement(CertificateLanguage::default());
        let Captures { sessions, recorded, unrecorded } = captures;
        Self { statement, sessions, recorded, unrecorded }
    }
}

/// The statement follows from the rest: its value in a file is ignored.
impl From<WrittenCaptures> for Captures {
    fn from(written: WrittenCaptures) -> Self {
        Self { sessions: written.sessions, recorded: written.recorded, unrecorded: written.unrecorded }
    }
}

/// The records by one key of a device. None of them is missing between the first and the last.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CaptureSession {
    /// The thumbprint of the key (RFC 7638).
    pub key: String,
    /// The number of records.
    pub records: u32,
    /// The times of the first and the last record, by the device's clock, with its offset.
    pub first: String,
    pub last: String,
    /// The number of its files among the items.
    pub files: usize,
    /// Captures that the person discarded and took again.
    pub retaken: Vec<CaptureWithoutFile>,
    /// Captures that the person deleted before their files had arrived.
    pub deleted: Vec<CaptureWithoutFile>,
    /// Captures that were announced and whose files never arrived. A certificate must name these.
    pub missing: Vec<CaptureWithoutFile>,
    /// Titles of the steps that the person left empty.
    pub skipped: Vec<String>,
    /// Whether the last record is the closing of the case: nothing followed on this device.
    pub ended: bool,
}

/// A capture of which there is no file.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CaptureWithoutFile {
    /// The title of its step.
    pub step: String,
    /// When, by the device's clock, with its offset.
    pub clock: String,
    /// Over the bytes of the file, as the device computed it.
    #[schemars(with = "String")]
    pub sha256: Sha256Digest,
}
