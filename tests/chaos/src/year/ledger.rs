//! What the year's clients and its operator know from answers and exit codes.

use std::collections::BTreeSet;

use crate::history::Content;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Owner {
    /// Keeps its cases for ever, and its webhooks are sent once.
    Acme,
    /// Keeps its cases for [`Owner::case_days`], and its webhooks are sent until they arrive.
    Borealis,
}

impl Owner {
    pub(super) const ALL: [Self; 2] = [Self::Acme, Self::Borealis];

    /// After how many days from their closing cases are deleted.
    pub(super) const fn case_days(self) -> Option<u64> {
        match self {
            Self::Acme => None,
            Self::Borealis => Some(150),
        }
    }
}

/// What happens to a case after it is sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Kept,
    Deleted,
    /// One of its items is erased.
    Erased,
    Held,
    /// A reviewer decides on it.
    Decided,
}

/// The fate of a company's cases, by the order of their opening.
pub(super) const fn fate(owner: Owner, number: usize) -> Fate {
    match (owner, number % 8) {
        (_, 1) => Fate::Deleted,
        (_, 3) => Fate::Erased,
        (Owner::Acme, 5) => Fate::Decided,
        (Owner::Borealis, 0) => Fate::Held,
        _ => Fate::Kept,
    }
}

/// A closed case.
#[derive(Clone, Debug)]
pub(super) struct ClosedCase {
    pub(super) owner: Owner,
    pub(super) id: i64,
    /// The path of its certificate.
    pub(super) path: String,
    pub(super) closed_on: u64,
    /// Items whose addition was acknowledged.
    pub(super) items: Vec<(i64, Content)>,
    /// Contents that were sent without an answer that says what became of them.
    pub(super) uncertain: BTreeSet<Content>,
    pub(super) fate: Fate,
    /// The fault in the month of its closing may have doubled or lost its webhook.
    pub(super) delivery: Delivery,
    /// The items that were erased.
    pub(super) erased: BTreeSet<i64>,
    pub(super) is_deleted: bool,
    pub(super) is_held: bool,
}

/// What is known about the receiver and the sender when the case was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delivery {
    Usual,
    /// The sender was killed: it may send again what it could not record.
    Interrupted,
    /// The receiver was away.
    Missed,
}

/// A certificate of the installation that the year began with.
#[derive(Clone, Debug)]
pub(super) struct Inherited {
    pub(super) path: String,
    /// Under another authority, whose root the operator kept.
    pub(super) is_from_outside: bool,
}

/// A head of the public log, as someone else kept it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Checkpoint {
    pub(super) month: u64,
    pub(super) size: u64,
    pub(super) root: String,
}
