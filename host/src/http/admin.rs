//! The admin address: metrics in the Prometheus text format and the list of plugins, for operators alone (decisions 1).

use std::{fmt::Write, sync::Arc};

use axum::{
    Json, Router,
    extract::State,
    http::{HeaderValue, header::CONTENT_TYPE},
    response::IntoResponse,
    routing::get,
};

use crate::{
    app::{App, metrics, plugins},
    error::{Error, Result},
};

/// What is served on `admin_listen`.
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/metrics", get(metrics))
        .route("/plugins", get(plugins))
        .fallback(async || Error::not_found("no such address"))
        .with_state(app)
}

async fn plugins(State(app): State<Arc<App>>) -> Result<Json<plugins::PluginList>> {
    Ok(Json(plugins::list(&app).await?))
}

async fn metrics(State(app): State<Arc<App>>) -> Result<impl IntoResponse> {
    let mut text = String::new();
    for metric in metrics::read(&app).await? {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# HELP {} {}\n# TYPE {} gauge", metric.name, metric.help, metric.name);
        for (labels, value) in metric.values {
            let _ = writeln!(text, "{}{labels} {value}", metric.name);
        }
    }
    Ok(([(CONTENT_TYPE, HeaderValue::from_static("text/plain; version=0.0.4"))], text))
}
