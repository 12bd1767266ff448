//! `GET /cases/:caseId/analysis` (spec 4.12), and the decision of a reviewer.

use axum::{Json, extract::State, response::IntoResponse};

use super::shared::Shared;
use crate::{
    app::{analysis, console::decision, session::Caller},
    domain::id::CaseId,
    error::Result,
};

/// `GET /cases/:caseId/analysis`
pub(super) async fn read(State(shared): State<Shared>, caller: Caller, id: CaseId) -> Result<impl IntoResponse> {
    Ok(Json(analysis::read(&shared.app, &caller, id).await?))
}

/// `GET /v2/cases/:caseId/decision`
pub(super) async fn read_decision(
    State(shared): State<Shared>,
    caller: Caller,
    id: CaseId,
) -> Result<impl IntoResponse> {
    Ok(Json(decision::read(&shared.app, &caller, id).await?))
}
