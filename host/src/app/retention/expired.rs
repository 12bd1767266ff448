//! What a run deletes, or a dry run lists.

use serde::Serialize;

use crate::domain::id::{CaseId, CompanyId};

/// Something that a company no longer keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Expired {
    pub company_id: CompanyId,
    pub what: Expiring,
    /// None for rows that are counted for the company.
    pub case_id: Option<CaseId>,
    /// How many files the case or its originals have, analyses that read something, or rows.
    pub amount: i64,
    /// Of the files, and of the certificate if the case goes; 0 if it is not known.
    pub bytes: i64,
}

/// What expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Expiring {
    /// A case with all that belongs to it.
    Case,
    /// The files of a case's items.
    Originals,
    /// What was read in the files of a case.
    Facts,
    /// Attempts of webhooks.
    Deliveries,
    /// The content of records of the audit log.
    Audit,
}
