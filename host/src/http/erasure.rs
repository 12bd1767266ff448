//! Erasures of items from sealed cases (decisions 19).

use axum::{Json, extract::State};

use super::{
    body::{JsonBody, read_with},
    shared::Shared,
};
use crate::{
    app::{
        erasure::{self, Erased},
        session::Caller,
    },
    domain::{erasure::ErasureRequest, id::CaseId},
    error::Result,
};

/// `POST /v2/cases/:caseId/erasure`
pub(super) async fn erase(
    State(shared): State<Shared>,
    caller: Caller,
    case: CaseId,
    JsonBody(body): JsonBody,
) -> Result<Json<Erased>> {
    let request = read_with(&body, ErasureRequest::read)?;
    Ok(Json(erasure::erase(&shared.app, &caller, case, &request).await?))
}
