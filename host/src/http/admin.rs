//! The admin address: metrics in the OpenMetrics text format, the list of plugins, and whether the process is up, for
//! operators only (decisions 1).

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::{Request, State},
    http::{HeaderValue, header::CONTENT_TYPE},
    middleware::{Next, from_fn},
    response::IntoResponse,
    routing::get,
};

use super::{health, host_header};
use crate::{
    app::{App, metrics, plugins},
    error::{Error, Result},
};

/// What is served on `admin_listen`.
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/healthz", get(health::live))
        .route("/metrics", get(metrics))
        .route("/plugins", get(plugins))
        .fallback(async || Error::not_found("no such address"))
        .layer(from_fn(async |request: Request, next: Next| {
            match host_header::problem(request.version(), request.headers()) {
                Some(problem) => Error::invalid(problem).into_response(),
                None => next.run(request).await,
            }
        }))
        .with_state(app)
}

async fn plugins(State(app): State<Arc<App>>) -> Result<Json<plugins::PluginList>> {
    Ok(Json(plugins::list(&app).await?))
}

async fn metrics(State(app): State<Arc<App>>) -> Result<impl IntoResponse> {
    Ok(([(CONTENT_TYPE, HeaderValue::from_static(metrics::CONTENT_TYPE))], metrics::encode(&app).await?))
}
