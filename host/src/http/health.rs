//! `GET /healthz` and `GET /readyz` (decisions 1).

use axum::{
    Json,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::json;

use super::{Shared, error::standard};
use crate::app::health;

/// The process is up.
pub(super) async fn live() -> impl IntoResponse {
    Json(json!({ "status": "ok" }))
}

/// Database, blob store and plugins are usable; 503 names those that are not. The causes are in the log: this page is
/// public.
pub(super) async fn ready(State(shared): State<Shared>) -> Response {
    let unusable = health::unusable_parts(&shared.app).await;
    if unusable.is_empty() {
        return Json(json!({ "status": "ready" })).into_response();
    }
    standard(StatusCode::SERVICE_UNAVAILABLE, format!("not ready: {}", unusable.join(", ")))
}
