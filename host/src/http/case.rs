//! Cases: opening and closing (spec 4.4, 4.6).

use axum::{Json, extract::State, http::StatusCode, response::IntoResponse};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Shared,
    body::{JsonBody, read_with},
};
use crate::{
    app::{
        case::{self, ClosedCase},
        session::Caller,
    },
    domain::{case::NewCase, id::CaseId},
    error::Result,
};

/// `POST /cases/create`
pub(super) async fn create(
    State(shared): State<Shared>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<impl IntoResponse> {
    let wish = read_with(&body, NewCase::read)?;
    let created = case::create(&shared.app, &caller, wish).await?;
    Ok((StatusCode::CREATED, Json(created)))
}

/// `GET /cases/close/:caseId`
pub(super) async fn close(State(shared): State<Shared>, caller: Caller, id: CaseId) -> Result<impl IntoResponse> {
    Ok(Json(Closed::from(case::close(&shared.app, &caller, id).await?)))
}

/// The answer to a closing, with what the document-analysis flow adds (spec 4.6; decisions 5).
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Closed {
    /// `Success`
    status: &'static str,
    /// `Case closed successfully`
    message: &'static str,
    #[serde(flatten)]
    case: ClosedCase,
}

impl From<ClosedCase> for Closed {
    fn from(case: ClosedCase) -> Self {
        Self { status: "Success", message: "Case closed successfully", case }
    }
}
