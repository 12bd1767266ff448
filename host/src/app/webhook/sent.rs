//! What a dispatch did: an attempt, or none because the receiver is paused.

use crate::{
    clock::Timestamp,
    domain::{
        company_manifest::WebhookKind,
        id::{CaseId, CompanyId},
        retry_schedule::RetrySchedule,
    },
    store::webhook::NewAttempt,
};

/// An attempt that was made.
pub(super) struct Sent {
    pub(super) company: CompanyId,
    pub(super) attempt: NewAttempt,
    pub(super) retries: RetrySchedule,
    /// How many earlier attempts of the same delivery failed.
    pub(super) attempts: i64,
    /// Whether a failed delivery about the case is recorded, perhaps another one.
    pub(super) has_failed: bool,
}

/// A delivery to a paused receiver.
pub(super) struct Waiting {
    pub(super) company: CompanyId,
    pub(super) case: CaseId,
    pub(super) kind: WebhookKind,
    pub(super) delivery: String,
    pub(super) attempts: i64,
    pub(super) until: Timestamp,
}
