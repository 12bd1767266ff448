//! Cases: one file for each thing that can be done to them, and here what several of these share.

mod close;
mod create;

pub use self::{
    close::{ClosedCase, close},
    create::{CreatedCase, create},
};
use super::{App, session::Caller};
use crate::{
    clock::Timestamp,
    db::Tx,
    domain::{id::CompanyId, report::ReportToken},
    error::{Error, Result},
    store::{self, company::Company},
};

/// Where a certificate is served to everybody who knows its token (decisions 5).
pub fn certificate_url(app: &App, share_token: &str) -> String {
    app.public_url(&format!("/share/case/{share_token}"))
}

/// A closed case takes no more items, no change and no second closing (spec 3.1).
pub fn already_closed() -> Error {
    Error::state("case already closed")
}

/// A company that a row refers to.
pub(super) async fn company(tx: &mut Tx, id: CompanyId) -> Result<Company> {
    let company = store::company::find(tx, id).await?;
    company.ok_or_else(|| Error::internal(anyhow::anyhow!("company {id} is referred to and does not exist")))
}

/// Takes a report token for a family, or refuses it if it is another's (decisions 5).
pub(super) async fn claim_report(tx: &mut Tx, family: CompanyId, token: &ReportToken, now: Timestamp) -> Result<()> {
    if store::report::claim(tx, family, token, now).await? == family {
        Ok(())
    } else {
        Err(Error::forbidden("the reportToken belongs to another company"))
    }
}

/// Refuses a `childCompanyId` that is no child of the caller's company (decisions 5).
pub(super) async fn ensure_child(tx: &mut Tx, caller: &Caller, child: CompanyId) -> Result<()> {
    if store::company::is_child(tx, caller.company_id(), child).await? {
        Ok(())
    } else {
        Err(Error::forbidden("childCompanyId is no child of the company"))
    }
}
