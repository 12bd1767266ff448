//! The kinds of jobs. What each does is in `jobs`.

/// The work of a job. The subject is a case, unless an item is mentioned.
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
    /// Delete the blobs of a deleted case.
    DeleteBlobs,
    /// Append a case's deletion to the log of seals.
    LogDeletion,
    /// Examine the file of an item.
    AnalyseItem,
    /// Judge a closed case when it is due.
    ConcludeAnalysis,
    /// Send the analysis webhook.
    DeliverAnalysis,
    /// Delete the file of an item whose step requires this after the analysis.
    DeleteFile,
    /// Ask the company's shadows about a document. The subject is the item.
    ShadowItem,
    /// Ask the company's shadows about a judged case.
    ShadowCase,
}

/// What the identifier of a job's subject refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    Item,
    Case,
    /// A deleted case for which work is left.
    DeletedCase,
}

impl JobKind {
    pub const ALL: [Self; 12] = [
        Self::StampItem,
        Self::Seal,
        Self::RenewSeal,
        Self::DeliverCase,
        Self::DeleteBlobs,
        Self::LogDeletion,
        Self::AnalyseItem,
        Self::ConcludeAnalysis,
        Self::DeliverAnalysis,
        Self::DeleteFile,
        Self::ShadowItem,
        Self::ShadowCase,
    ];

    /// Its name in the database, in logs and in metrics, and what its subject is.
    const fn described(self) -> (&'static str, Subject) {
        match self {
            Self::StampItem => ("stamp-item", Subject::Item),
            Self::Seal => ("seal", Subject::Case),
            Self::RenewSeal => ("renew-seal", Subject::Case),
            Self::DeliverCase => ("deliver-case", Subject::Case),
            Self::DeleteBlobs => ("delete-blobs", Subject::DeletedCase),
            Self::LogDeletion => ("log-deletion", Subject::DeletedCase),
            Self::AnalyseItem => ("analyse-item", Subject::Item),
            Self::ConcludeAnalysis => ("conclude-analysis", Subject::Case),
            Self::DeliverAnalysis => ("deliver-analysis", Subject::Case),
            Self::DeleteFile => ("delete-file", Subject::Item),
            Self::ShadowItem => ("shadow-item", Subject::Item),
            Self::ShadowCase => ("shadow-case", Subject::Case),
        }
    }

    pub const fn as_str(self) -> &'static str {
        self.described().0
    }

    pub const fn subject(self) -> Subject {
        self.described().1
    }

    /// The kind with this name in the database.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

impl Subject {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Item => "item",
            Self::Case | Self::DeletedCase => "case",
        }
    }
}
