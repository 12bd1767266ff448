//! `GET /healthz` and `GET /readyz` (decisions 1).

use axum::{
    Json, extract,
    response::{IntoResponse, Response},
};
use schemars::JsonSchema;
use serde::Serialize;

use super::{error::unavailable, shared::Shared};
use crate::app::health;

/// The server's state.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ServerState")]
pub(super) struct State {
    /// `ok` or `ready`.
    pub(super) status: &'static str,
}

/// Whether the process is up.
pub(super) async fn live() -> impl IntoResponse {
    Json(State { status: "ok" })
}

/// Whether database, blob store and plugins are usable; a 503 names those that are not. The causes are only logged:
/// this page is public.
pub(super) async fn ready(extract::State(shared): extract::State<Shared>) -> Response {
    let unusable = health::unusable_parts(&shared.app).await;
    if unusable.is_empty() {
        return Json(State { status: "ready" }).into_response();
    }
    unavailable(format!("not ready: {}", unusable.join(", ")))
}
