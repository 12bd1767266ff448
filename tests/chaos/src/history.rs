//! The requests, their answers and the faults: everything that the checker may judge by.

use std::time::Duration;

use crate::schedule::{Kind, Subject};

/// Since the start of the run.
pub(crate) type Moment = Duration;

#[derive(Debug, Default)]
pub(crate) struct History {
    pub(crate) events: Vec<Event>,
    pub(crate) faults: Vec<FaultRecord>,
    /// The accepted requests per minute of each company and operation.
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
    /// The place of the node that got the request.
    pub(crate) node: usize,
    pub(crate) started: Moment,
    pub(crate) ended: Moment,
    pub(crate) action: Action,
    pub(crate) outcome: Outcome,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
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
    /// A read; only the status and the time of its answer matter.
    Read,
}

/// The content of an item, in a form that can be recognised later.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Content {
    Text(String),
    /// By the SHA-256 of its bytes.
    File(String),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// The connection was not accepted: the request certainly had no effect.
    Refused,
    /// The connection ended before the whole answer had come: the request may have had an effect.
    Cut,
    /// The client timed out: the request may still have an effect.
    Unanswered,
    Answered(u16, Detail),
}

/// The relevant part of an answer's body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Detail {
    Nothing,
    /// The message of an error.
    Message(String),
    /// Positions among the marks that were sent, and the identifiers that were assigned.
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
    pub(crate) started: Moment,
    /// When the subject was usable again.
    pub(crate) ended: Moment,
}

impl FaultRecord {
    /// Whether the fault overlaps the period from `started` to `ended`.
    pub(crate) fn touches(&self, started: Moment, ended: Moment) -> bool {
        self.started <= ended && started <= self.ended
    }
}

impl Event {
    pub(crate) fn status(&self) -> Option<u16> {
        match self.outcome {
            Outcome::Answered(status, _) => Some(status),
            _ => None,
        }
    }

    /// Whether the effect of the request is unknown.
    pub(crate) fn is_uncertain(&self) -> bool {
        match &self.outcome {
            Outcome::Refused => false,
            Outcome::Cut | Outcome::Unanswered => true,
            Outcome::Answered(status, _) => *status >= 500,
        }
    }

    /// The latest moment at which the request may have had an effect.
    pub(crate) fn latest_effect(&self) -> Moment {
        match self.outcome {
            Outcome::Cut | Outcome::Unanswered => Moment::MAX,
            Outcome::Refused | Outcome::Answered(..) => self.ended,
        }
    }
}
