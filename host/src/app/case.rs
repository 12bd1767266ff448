//! Cases: one file for each operation, and here what several of them share.

mod bulk;
mod close;
mod create;
mod delete;
mod photo;
mod report_token;
mod update;

use std::collections::HashMap;

pub(super) use self::close::close_on_link;
pub(super) use self::report_token::{
    NamedReports, claim as claim_report, ensure_budget as ensure_report_budget, spend as spend_report_budget,
};
pub use self::{
    bulk::{BulkFailure, BulkOutcome, BulkSuccess, create_all, delete_all, update_all},
    close::{ClosedCase, close, close_by_link},
    create::{CreatedCase, create},
    delete::{after_deletion, delete, delete_blobs, delete_expired},
    photo::{CertifiedPhoto, certify},
    update::update,
};
use super::{App, session::Caller};
use crate::{
    db::Reader,
    domain::{
        access_key::ShareToken,
        id::{CaseId, CompanyId, FrameId},
        link::LinkToken,
        operation::Operation,
        resource::Kind,
    },
    error::{Error, Result},
    store::{self, case::Case, company::Company, link::Link},
};

/// Where a certificate is served to anyone who knows its token (decisions 5).
pub fn certificate_url(app: &App, share_token: &ShareToken) -> String {
    app.public_url(&format!("/share/case/{share_token}"))
}

/// A closed case accepts no items, no changes and no second closing (spec 3.1).
pub fn already_closed() -> Error {
    Error::state("case already closed")
}

/// Why nothing was done to a case. Single and bulk requests report it in different words (spec 4.8 to 4.11).
#[derive(Debug)]
enum Refusal {
    /// No case has this identifier.
    Unknown(CaseId),
    /// It is another company's.
    Foreign,
    Other(Error),
}

impl Refusal {
    /// The error for a request for a single case, by the operations' table.
    fn into_error(self, operation: Operation) -> Error {
        match self {
            Self::Unknown(id) => operation.missing(Kind::Case, format!("case {id} does not exist")).into(),
            Self::Foreign => operation.foreign(Kind::Case, "the case belongs to another company").into(),
            Self::Other(error) => error,
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}

impl From<sqlx::Error> for Refusal {
    fn from(error: sqlx::Error) -> Self {
        Self::Other(error.into())
    }
}

/// A case of the caller's company: existence first, then ownership (decisions 2).
async fn find_own(reader: &mut Reader, caller: &Caller, id: CaseId) -> Result<Case, Refusal> {
    let case = store::case::find(reader, id).await?.ok_or(Refusal::Unknown(id))?;
    if case.company == caller.company_id() { Ok(case) } else { Err(Refusal::Foreign) }
}

/// A link of the caller's company or of a child company (spec 5, rule 5).
async fn find_link(reader: &mut Reader, caller: &Caller, operation: Operation, token: &LinkToken) -> Result<Link> {
    let link = store::link::find(reader, token).await?;
    let link = link.ok_or_else(|| operation.missing(Kind::Link, "the link does not exist"))?;
    if link.company == caller.company_id()
        || store::company::is_child(reader, caller.company_id(), link.company).await?
    {
        Ok(link)
    } else {
        Err(operation.foreign(Kind::Link, "the link belongs to another company").into())
    }
}

/// A company that a row refers to.
pub(super) async fn company(reader: &mut Reader, id: CompanyId) -> Result<Company> {
    let company = store::company::find(reader, id).await?;
    company.ok_or_else(|| Error::internal(anyhow::anyhow!("company {id} is referenced but does not exist")))
}

/// The names of the frames that a request has read. The elements of a bulk request mostly name the same frame.
#[derive(Default)]
struct FrameNames(HashMap<(CompanyId, FrameId), String>);

impl FrameNames {
    /// The name of a frame that the company may use: its own, or one that its parent shares (decisions 5).
    async fn find(
        &mut self,
        reader: &mut Reader,
        company: CompanyId,
        operation: Operation,
        frame: FrameId,
    ) -> Result<String> {
        if let Some(name) = self.0.get(&(company, frame)) {
            return Ok(name.clone());
        }
        let name = store::frame::find_accessible_name(reader, company, frame).await?;
        let refusal = || {
            operation.missing(Kind::Frame, format!("frame {frame} does not exist or is not shared with the company"))
        };
        let name = name.ok_or_else(refusal)?;
        self.0.insert((company, frame), name.clone());
        Ok(name)
    }
}

/// Rejects a `childCompanyId` that is not a child of the caller's company; its own is not one either (decisions 5).
pub(super) async fn ensure_child(reader: &mut Reader, caller: &Caller, child: CompanyId) -> Result<()> {
    if store::company::is_child(reader, caller.company_id(), child).await? {
        Ok(())
    } else {
        Err(Operation::CreateCase.foreign(Kind::Child, "childCompanyId is not a child of the company").into())
    }
}
