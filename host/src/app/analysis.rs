//! Reading the analysis of a case (spec 4.12, decisions 13).
//!
//! Nothing is analysed yet, so nothing is stored, and the answer is the one of a case in which nothing was analysed.

use std::sync::Arc;

use super::{App, session::Caller};
use crate::{
    domain::{analysis::CaseAnalysis, id::CaseId, operation::Operation, resource::Kind},
    error::{Error, Result},
    store,
};

const OPERATION: Operation = Operation::ReadAnalysis;

/// What is known of the case. Whether the option is on is looked at before the case (decisions 13).
pub async fn read(app: &Arc<App>, caller: &Caller, id: CaseId) -> Result<CaseAnalysis> {
    if !caller.company.document_analysis {
        return Err(Error::forbidden("the document-analysis option is not active for the company"));
    }
    let mut tx = app.db.read().await?;
    let case = store::case::find(&mut tx, id).await?;
    let case = case.ok_or_else(|| OPERATION.missing(Kind::Case, format!("case {id} does not exist")))?;
    if case.company != caller.company_id() {
        return Err(OPERATION.foreign(Kind::Case, "the case belongs to another company"));
    }
    Ok(CaseAnalysis::of_nothing(case.id))
}
