//! Legal holds of cases (decisions 21).

use axum::{Json, extract::State};

use super::{
    body::{JsonBody, read_with},
    shared::Shared,
};
use crate::{
    app::{
        legal_hold::{self, EndedHold, HeldCase},
        session::Caller,
    },
    domain::{id::CaseId, legal_hold::HoldRequest},
    error::Result,
};

/// `POST /v2/cases/:caseId/hold`
pub(super) async fn hold(
    State(shared): State<Shared>,
    caller: Caller,
    case: CaseId,
    JsonBody(body): JsonBody,
) -> Result<Json<HeldCase>> {
    let request = read_with(&body, HoldRequest::read)?;
    Ok(Json(legal_hold::hold_own(&shared.app, &caller, case, request).await?))
}

/// `DELETE /v2/cases/:caseId/hold`
pub(super) async fn end(State(shared): State<Shared>, caller: Caller, case: CaseId) -> Result<Json<EndedHold>> {
    Ok(Json(legal_hold::end_own(&shared.app, &caller, case).await?))
}
