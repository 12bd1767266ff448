//! What was asked and answered, and which faults there were: everything that the checker may judge by.

use std::time::Duration;

use crate::schedule::{Kind, Subject};

/// Since the start of the run.
pub(crate) type Moment = Duration;

#[derive(Debug, Default)]
pub(crate) struct History {
    pub(crate) events: Vec<Event>,
    pub(crate) faults: Vec<FaultRecord>,
    /// Company and operation → accepted requests a minute.
    pub(crate) quotas: Vec<Quota>,
}

#[derive(Clone, Debug)]
pub(crate) struct Quota {
    pub(crate) company: i64,
    pub(crate) operation: &'static str,
    pub(crate) limit: usize,
}

/// A request of a client.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) company: i64,
    /// As company manifests name it: `POST /cases/create`.
    pub(crate) operation: &'static str,
    /// The place of the node that was asked.
    pub(crate) node: usize,
    pub(crate) begun: Moment,
    pub(crate) ended: Moment,
    pub(crate) deed: Deed,
    pub(crate) outcome: Outcome,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Deed {
    /// Cases with these marks in their metadata.
    Create(Vec<String>),
    Add {
        case: i64,
        content: Content,
    },
    Close(i64),
    Delete(Vec<i64>),
    ReadCertificate(i64),
    ReadLog,
    /// A read of which only the answer's status and time matter.
    Read,
}

/// What an item holds, as it can be recognised later.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Content {
    Text(String),
    /// By the SHA-256 of its bytes.
    File(String),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// The connection was not accepted: the request certainly did nothing.
    Refused,
    /// The connection ended before the whole answer had come: the request did something or nothing.
    Cut,
    /// The client gave up waiting: the request may still do something.
    Unanswered,
    Answered(u16, Detail),
}

/// What matters of an answer's body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Detail {
    Nothing,
    /// The message of an error.
    Message(String),
    /// Places among the marks that were sent, and the identifiers that they got.
    Cases(Vec<(usize, i64)>),
    /// The cases that a bulk request deleted.
    Deleted(Vec<i64>),
    Item(i64),
    /// The SHA-256 of the file.
    Certificate(String),
    Head {
        size: u64,
        root: String,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct FaultRecord {
    pub(crate) kind: Kind,
    pub(crate) subject: Subject,
    pub(crate) begun: Moment,
    /// When the subject was usable again.
    pub(crate) ended: Moment,
}

impl FaultRecord {
    /// Whether the fault was there at some time between the two.
    pub(crate) fn touches(&self, begun: Moment, ended: Moment) -> bool {
        self.begun <= ended && begun <= self.ended
    }
}

impl Event {
    pub(crate) fn status(&self) -> Option<u16> {
        match self.outcome {
            Outcome::Answered(status, _) => Some(status),
            _ => None,
        }
    }

    /// Whether it is unknown what the request did.
    pub(crate) fn is_uncertain(&self) -> bool {
        match &self.outcome {
            Outcome::Refused => false,
            Outcome::Cut | Outcome::Unanswered => true,
            Outcome::Answered(status, _) => *status >= 500,
        }
    }

    /// The latest moment at which the request may have done something.
    pub(crate) fn latest_effect(&self) -> Moment {
        match self.outcome {
            Outcome::Cut | Outcome::Unanswered => Moment::MAX,
            Outcome::Refused | Outcome::Answered(..) => self.ended,
        }
    }
}
