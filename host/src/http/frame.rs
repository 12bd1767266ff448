//! `GET /frames` (spec 4.2).

use axum::{
    extract::State,
    http::{HeaderValue, header::CONTENT_TYPE},
    response::IntoResponse,
};

use super::shared::Shared;
use crate::{
    app::{frame, session::Caller},
    error::Result,
};

/// The frames that the caller's company can open cases on.
pub(super) async fn list(State(shared): State<Shared>, caller: Caller) -> Result<impl IntoResponse> {
    let frames = frame::list(&shared.app, &caller).await?;
    Ok(([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], frames))
}
