//! Public certificates (spec 4.16, decisions 9).

use std::sync::Arc;

use axum::{
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response},
};

use super::{
    Shared,
    guard::{counted, default_limit},
    public::{self, ASK, AccessKey, Facts},
    request::RequestFacts,
};
use crate::{
    app::{App, share},
    domain::{operation::Operation, rate_limit::Counter},
    error::Result,
};

/// `GET /share/case/:shareToken`: the certificate. One that is still being rendered is waited for.
pub(super) async fn certificate(
    State(shared): State<Shared>,
    facts: RequestFacts,
    AccessKey(token): AccessKey,
    headers: HeaderMap,
) -> Response {
    let exists = match share::exists(&shared.app, &token).await {
        Ok(exists) => exists,
        Err(error) => return error.into_response(),
    };
    let counter = if exists {
        Counter::AccessKey(Operation::ReadSharedCase, token.clone())
    } else {
        Counter::Unknown(Operation::ReadSharedCase)
    };
    counted(&shared, &facts, counter, default_limit(Operation::ReadSharedCase), async {
        serve(&shared.app, &token, &headers).await.into_response()
    })
    .await
}

async fn serve(app: &Arc<App>, token: &str, headers: &HeaderMap) -> Result<Response> {
    let certificate = share::certificate(app, token).await?;
    let facts = Facts {
        media_type: "application/pdf",
        entity_tag: certificate.sha256,
        cache_control: ASK,
        file_name: Some(format!("{}.pdf", certificate.reference)),
    };
    if public::is_unchanged(headers, &facts) {
        return Ok(public::unchanged(&facts));
    }
    Ok(public::whole(certificate.pdf, &facts))
}
