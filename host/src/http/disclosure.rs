//! Disclosures: some items of a sealed case, without the others (decisions 18).

use axum::{extract::State, response::Response};

use super::{
    body::{JsonBody, read_with},
    parts,
    shared::Shared,
};
use crate::{
    app::{disclosure, session::Caller},
    domain::{disclosure::DisclosureRequest, id::CaseId},
    error::Result,
};

/// `POST /v2/cases/:caseId/disclosure`
pub(super) async fn disclose(
    State(shared): State<Shared>,
    caller: Caller,
    case: CaseId,
    JsonBody(body): JsonBody,
) -> Result<Response> {
    let request = read_with(&body, DisclosureRequest::read)?;
    let package = disclosure::disclose(&shared.app, &caller, case, &request.items).await?;
    let name = package.file_name();
    parts::archive(package.archive, &name)
}
