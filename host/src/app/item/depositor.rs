//! Who adds an item: an API user, the holder of a link, or a field user.

use crate::{
    app::{
        audit::Actor,
        session::{Caller, CaptureHolder},
    },
    domain::{id::CompanyId, operation::Operation, resource::Kind, right::Right, step::StepAction},
    error::{Error, Result},
    store::{case::Case, company::Company},
};

/// Who adds an item.
#[derive(Clone, Debug)]
pub enum Depositor {
    User(Caller),
    Holder(CaptureHolder),
}

impl Depositor {
    fn company(&self) -> &Company {
        match self {
            Self::User(caller) => &caller.company,
            Self::Holder(holder) => holder.company(),
        }
    }

    /// For the audit log.
    pub(in crate::app) fn actor(&self) -> &Actor {
        match self {
            Self::User(caller) => &caller.actor,
            Self::Holder(holder) => holder.actor(),
        }
    }

    pub(in crate::app) fn company_id(&self) -> CompanyId {
        self.company().id
    }

    /// Whether the company has the option of document analysis.
    pub(in crate::app) fn is_analysed(&self) -> bool {
        self.company().document_analysis
    }

    /// Rejects a user without the right to add files to such a step (decisions 3). A holder needs none.
    pub(in crate::app) fn ensure_may_add(&self, action: StepAction) -> Result<()> {
        let right = match action {
            StepAction::DocumentUpload => Right::CaseCreate,
            _ => Right::ItemCreate,
        };
        match self {
            Self::User(caller) if !caller.may(right) => Err(Error::forbidden(format!("missing permission {right}"))),
            _ => Ok(()),
        }
    }

    /// Rejects a case of another company, and for a holder every case that is not on the link or not the user's.
    pub(in crate::app) fn check_case(&self, case: &Case) -> Result<()> {
        match self {
            Self::User(caller) if case.company != caller.company_id() => {
                Err(Operation::CreateEntryItem.foreign(Kind::Case, "the case belongs to another company").into())
            }
            Self::User(_) => Ok(()),
            Self::Holder(holder) => holder.check_case(case),
        }
    }
}
