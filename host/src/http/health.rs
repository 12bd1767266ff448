//! `GET /healthz` and `GET /readyz` (decisions 1).

use std::time::Duration;

use axum::{
    Json,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::json;

use super::{Shared, error::standard};
use crate::app::health;

/// How long a part may take to say that it is there.
const PATIENCE: Duration = Duration::from_secs(5);

/// The process is up.
pub(super) async fn live() -> impl IntoResponse {
    Json(json!({ "status": "ok" }))
}

/// Database, blob store and plugins are usable; 503 names those that are not. The causes are in the log: this page is
/// public.
pub(super) async fn ready(State(shared): State<Shared>) -> Response {
    let unusable = match tokio::time::timeout(PATIENCE, health::unusable_parts(&shared.app)).await {
        Ok(unusable) => unusable,
        Err(_) => vec!["database or blob store (no answer in 5 s)"],
    };
    if unusable.is_empty() {
        return Json(json!({ "status": "ready" })).into_response();
    }
    standard(StatusCode::SERVICE_UNAVAILABLE, format!("not ready: {}", unusable.join(", ")))
}
