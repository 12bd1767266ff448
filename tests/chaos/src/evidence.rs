//! The state at the end of a run, as the interface and the operator's commands return it.

use std::collections::BTreeMap;

use crate::history::{Content, Moment};

#[derive(Debug, Default)]
pub(crate) struct Evidence {
    pub(crate) cases: Vec<SeenCase>,
    /// Case → its certificate, or why there is none.
    pub(crate) certificates: BTreeMap<i64, Result<SeenCertificate, String>>,
    pub(crate) dispatches: Vec<Dispatch>,
    /// Case → recorded attempts of the case webhook.
    pub(crate) attempts: BTreeMap<i64, usize>,
    pub(crate) log: SeenLog,
}

#[derive(Clone, Debug)]
pub(crate) struct SeenCase {
    pub(crate) company: i64,
    pub(crate) id: i64,
    pub(crate) mark: String,
    pub(crate) closed: bool,
    /// Item → its content, if a report shows it: not for videos and documents.
    pub(crate) items: Vec<(i64, Option<Content>)>,
}

/// A certificate as `sealwright verify` describes it.
#[derive(Clone, Debug)]
pub(crate) struct SeenCertificate {
    /// Of the file.
    pub(crate) sha256: String,
    pub(crate) outcome: String,
    pub(crate) manifest_sha256: String,
    pub(crate) items: Vec<(i64, Content)>,
}

/// A case webhook as a receiver got it.
#[derive(Clone, Debug)]
pub(crate) struct Dispatch {
    pub(crate) case: i64,
    pub(crate) received: Moment,
    /// When it was answered, or its sender hung up. `None` if it was still open at the end.
    pub(crate) ended: Option<Moment>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct SeenLog {
    /// The SHA-256 of the manifests in the entries for seals.
    pub(crate) seals: Vec<String>,
    pub(crate) deletions: usize,
    /// Tree size → its root, recomputed from the entries.
    pub(crate) roots: BTreeMap<u64, String>,
    /// What was wrong with the log itself.
    pub(crate) problems: Vec<String>,
}
