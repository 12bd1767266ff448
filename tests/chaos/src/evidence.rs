//! What is there at the end of a run, as it was found through the interface and the operator's commands.

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
    /// Item → what it holds, as far as a report shows it: nothing of a video, or of a document.
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
    /// When it was answered, or its sender hung up. Neither happened to one that was still open at the end.
    pub(crate) ended: Option<Moment>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct SeenLog {
    /// The manifests' SHA-256 of the entries for seals.
    pub(crate) seals: Vec<String>,
    pub(crate) deletions: usize,
    /// Tree size → its root, recomputed from the entries.
    pub(crate) roots: BTreeMap<u64, String>,
    /// What was wrong with the log itself.
    pub(crate) problems: Vec<String>,
}
