//! The kinds of jobs. What each does is in `jobs`.

use std::{fmt, str::FromStr};

use serde::{Serialize, Serializer};

use crate::domain::id::{BacktestId, CaseId, ItemId};

/// A kind of job. The subject is a case, unless something else is mentioned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JobKind {
    /// Have the file of an item time-stamped. The subject is the item.
    StampItem,
    /// Render and sign the certificate of a closed case.
    Seal,
    /// Append a time stamp to a certificate: because its time is pending, or because its last one expires.
    RenewSeal,
    /// Send the case webhook.
    DeliverCase,
    /// Delete the blobs of a deleted case, or of a case's uploads by pieces that have ended.
    DeleteBlobs,
    /// Append a case's deletion to the log of seals.
    LogDeletion,
    /// Examine the file of an item.
    AnalyseItem,
    /// Judge a closed case when it is due.
    ConcludeAnalysis,
    /// Send the analysis webhook.
    DeliverAnalysis,
    /// Send the decision webhook.
    DeliverDecision,
    /// Delete the file of an item whose step requires this after the analysis.
    DeleteFile,
    /// Ask the company's shadows about a document. The subject is the item.
    ShadowItem,
    /// Ask the company's shadows about a judged case.
    ShadowCase,
    /// Judge cases again with a candidate plugin. The subject is the backtest.
    Backtest,
}

/// What a job does, and for which item, case or backtest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    StampItem(ItemId),
    Seal(CaseId),
    RenewSeal(CaseId),
    DeliverCase(CaseId),
    DeleteBlobs(CaseId),
    LogDeletion(CaseId),
    AnalyseItem(ItemId),
    ConcludeAnalysis(CaseId),
    DeliverAnalysis(CaseId),
    DeliverDecision(CaseId),
    DeleteFile(ItemId),
    ShadowItem(ItemId),
    ShadowCase(CaseId),
    Backtest(BacktestId),
}

impl Work {
    /// `None` unless `subject` is positive, as all identifiers are.
    pub fn new(kind: JobKind, subject: i64) -> Option<Self> {
        let (case, item) = (CaseId::new(subject)?, ItemId::new(subject)?);
        Some(match kind {
            JobKind::StampItem => Self::StampItem(item),
            JobKind::Seal => Self::Seal(case),
            JobKind::RenewSeal => Self::RenewSeal(case),
            JobKind::DeliverCase => Self::DeliverCase(case),
            JobKind::DeleteBlobs => Self::DeleteBlobs(case),
            JobKind::LogDeletion => Self::LogDeletion(case),
            JobKind::AnalyseItem => Self::AnalyseItem(item),
            JobKind::ConcludeAnalysis => Self::ConcludeAnalysis(case),
            JobKind::DeliverAnalysis => Self::DeliverAnalysis(case),
            JobKind::DeliverDecision => Self::DeliverDecision(case),
            JobKind::DeleteFile => Self::DeleteFile(item),
            JobKind::ShadowItem => Self::ShadowItem(item),
            JobKind::ShadowCase => Self::ShadowCase(case),
            JobKind::Backtest => Self::Backtest(BacktestId::new(subject)?),
        })
    }

    pub const fn kind(self) -> JobKind {
        match self {
            Self::StampItem(_) => JobKind::StampItem,
            Self::Seal(_) => JobKind::Seal,
            Self::RenewSeal(_) => JobKind::RenewSeal,
            Self::DeliverCase(_) => JobKind::DeliverCase,
            Self::DeleteBlobs(_) => JobKind::DeleteBlobs,
            Self::LogDeletion(_) => JobKind::LogDeletion,
            Self::AnalyseItem(_) => JobKind::AnalyseItem,
            Self::ConcludeAnalysis(_) => JobKind::ConcludeAnalysis,
            Self::DeliverAnalysis(_) => JobKind::DeliverAnalysis,
            Self::DeliverDecision(_) => JobKind::DeliverDecision,
            Self::DeleteFile(_) => JobKind::DeleteFile,
            Self::ShadowItem(_) => JobKind::ShadowItem,
            Self::ShadowCase(_) => JobKind::ShadowCase,
            Self::Backtest(_) => JobKind::Backtest,
        }
    }

    /// The identifier of the item, case or backtest.
    pub const fn subject(self) -> i64 {
        match self {
            Self::StampItem(item) | Self::AnalyseItem(item) | Self::DeleteFile(item) | Self::ShadowItem(item) => {
                item.get()
            }
            Self::Seal(case)
            | Self::RenewSeal(case)
            | Self::DeliverCase(case)
            | Self::DeleteBlobs(case)
            | Self::LogDeletion(case)
            | Self::ConcludeAnalysis(case)
            | Self::DeliverAnalysis(case)
            | Self::DeliverDecision(case)
            | Self::ShadowCase(case) => case.get(),
            Self::Backtest(backtest) => backtest.get(),
        }
    }
}

/// What the identifier of a job's subject refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    Item,
    Case,
    /// A case for which work is left when it is deleted.
    DeletedCase,
    Backtest,
}

impl JobKind {
    pub const ALL: [Self; 14] = [
        Self::StampItem,
        Self::Seal,
        Self::RenewSeal,
        Self::DeliverCase,
        Self::DeleteBlobs,
        Self::LogDeletion,
        Self::AnalyseItem,
        Self::ConcludeAnalysis,
        Self::DeliverAnalysis,
        Self::DeliverDecision,
        Self::DeleteFile,
        Self::ShadowItem,
        Self::ShadowCase,
        Self::Backtest,
    ];

    /// What sets the kind apart for the queue.
    pub const fn traits(self) -> Traits {
        match self {
            // Authorities may not accept many concurrent requests.
            Self::StampItem => Traits { slots: 8, max_failures: i64::MAX, ..of_item("stamp-item") },
            // One renders while the others read and scale their pictures, or wait for time stamps.
            Self::Seal => Traits { slots: 4, ..of_case("seal") },
            // Each keeps a whole certificate in memory, and no one waits for it.
            Self::RenewSeal => Traits { slots: 2, max_failures: i64::MAX, ..of_case("renew-seal") },
            Self::DeliverCase => delivery("deliver-case"),
            // No one waits for a deletion, which mostly waits for the disk or the bucket.
            Self::DeleteBlobs => Traits { slots: 4, max_failures: i64::MAX, ..of_deleted_case("delete-blobs") },
            // Entries are appended one after the other anyway.
            Self::LogDeletion => Traits { max_failures: i64::MAX, ..of_deleted_case("log-deletion") },
            // An item is read in its own process while others wait for plugins. Its failures take more than an hour in
            // total: a late result is better than none (spec 3.3).
            Self::AnalyseItem => Traits { slots: 4, max_failures: 12, ..of_item("analyse-item") },
            Self::ConcludeAnalysis => Traits { slots: 8, ..of_case("conclude-analysis") },
            Self::DeliverAnalysis => delivery("deliver-analysis"),
            Self::DeliverDecision => delivery("deliver-decision"),
            Self::DeleteFile => Traits { slots: 4, max_failures: i64::MAX, ..of_item("delete-file") },
            // No one waits for a shadow, and all shadows share one turn.
            Self::ShadowItem => of_item("shadow-item"),
            Self::ShadowCase => of_case("shadow-case"),
            // It takes hours and starts over, and the operator who started it can start another one.
            Self::Backtest => Traits { subject: Subject::Backtest, max_failures: 3, ..of_case("backtest") },
        }
    }

    /// Its name in the database, in logs and in metrics.
    pub const fn as_str(self) -> &'static str {
        self.traits().name
    }

    pub const fn subject(self) -> Subject {
        self.traits().subject
    }

    /// Whether people or other programs wait for it. More workers are started for such jobs only.
    pub const fn is_awaited(self) -> bool {
        match self {
            Self::StampItem
            | Self::Seal
            | Self::DeliverCase
            | Self::AnalyseItem
            | Self::ConcludeAnalysis
            | Self::DeliverAnalysis
            | Self::DeliverDecision => true,
            Self::RenewSeal
            | Self::DeleteBlobs
            | Self::LogDeletion
            | Self::DeleteFile
            | Self::ShadowItem
            | Self::ShadowCase
            | Self::Backtest => false,
        }
    }
}

/// No kind of job has this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownJobKind;

impl FromStr for JobKind {
    type Err = UnknownJobKind;

    fn from_str(name: &str) -> Result<Self, UnknownJobKind> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name).ok_or(UnknownJobKind)
    }
}

/// What sets a kind of job apart for the queue. What its jobs do is in `jobs`.
#[derive(Clone, Copy, Debug)]
pub struct Traits {
    /// In the database, in logs and in metrics.
    pub name: &'static str,
    pub subject: Subject,
    /// How many run at once on a worker. One company has at most half of them.
    pub slots: usize,
    /// How many times in a row a job may fail before it is given up. Failures of an unavailable part are not counted. Time
    /// stamps are retried without a limit, and so are deletions and their log entries, because they were promised.
    pub max_failures: i64,
    /// After this many crashes in a row a job does not run again until the operator restarts it. It runs alone at the last
    /// three of five: what kills a process from outside seldom meets the same job alone three times.
    pub max_crashes: i64,
}

const fn of_case(name: &'static str) -> Traits {
    Traits { name, subject: Subject::Case, slots: 1, max_failures: 5, max_crashes: 5 }
}

const fn of_item(name: &'static str) -> Traits {
    Traits { subject: Subject::Item, ..of_case(name) }
}

const fn of_deleted_case(name: &'static str) -> Traits {
    Traits { subject: Subject::DeletedCase, ..of_case(name) }
}

/// A webhook mostly waits for its receiver. So a few that hang must not block the others, and a process that is killed
/// from outside is likely to be sending some: they are seldom to blame.
const fn delivery(name: &'static str) -> Traits {
    Traits { slots: 64, max_crashes: 20, ..of_case(name) }
}

sealwright_base::text_column!(JobKind, "kind of job");

impl fmt::Display for JobKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for JobKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Subject {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Item => "item",
            Self::Case | Self::DeletedCase => "case",
            Self::Backtest => "backtest",
        }
    }
}
