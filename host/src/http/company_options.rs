//! `GET /company-options` and `POST /company-options/api-settings` (spec 4.17), and a test of the case webhook.

use axum::{Json, extract::State, response::IntoResponse};

use super::{
    body::{JsonBody, read_with},
    shared::Shared,
};
use crate::{
    app::{company_options, session::Caller},
    domain::company_options::NewApiSettings,
    error::Result,
};

/// `GET /company-options`
pub(super) async fn read(State(shared): State<Shared>, caller: Caller) -> Result<impl IntoResponse> {
    Ok(Json(company_options::read(&shared.app, &caller).await?))
}

/// `POST /company-options/api-settings`
pub(super) async fn update_api_settings(
    State(shared): State<Shared>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<impl IntoResponse> {
    let settings = read_with(&body, NewApiSettings::read)?;
    Ok(Json(company_options::update_api_settings(&shared.app, &caller, settings).await?))
}

/// `POST /v2/company-options/case-webhook/test`
pub(super) async fn test_case_webhook(State(shared): State<Shared>, caller: Caller) -> Result<impl IntoResponse> {
    Ok(Json(company_options::test_case_webhook(&shared.app, &caller).await?))
}
