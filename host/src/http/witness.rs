//! Where others' logs get cosignatures, and everyone can read what was cosigned (C2SP `tlog-witness`). Like the addresses of the log, these are not operations of the
//! interface: a request is authenticated by the log's signature on its checkpoint.

use axum::{
    Router,
    extract::{Path, Request, State},
    http::{
        HeaderValue, StatusCode,
        header::{CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS},
    },
    middleware::from_fn_with_state,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use sealwright_seal::{
    Sha256Digest,
    tlog::witness::{SIZE_MEDIA_TYPE, WitnessRefusal},
};

use super::{request_body::read_whole, seal_log, shared::Shared};
use crate::{
    app::witness,
    error::{Error, Result},
};

/// The most bytes of a request. A proof has at most 63 lines of 45 bytes; the rest is for signatures.
const MOST_BYTES: usize = 64 * 1024;
const TEXT: &str = "text/plain; charset=utf-8";

/// They are counted like requests for the log.
pub(super) fn routes(shared: &Shared) -> Router<Shared> {
    Router::new()
        .route("/witness/add-checkpoint", post(add_checkpoint))
        .route("/witness/key", get(key))
        .route("/witness/{origin}/checkpoint", get(checkpoint))
        .route_layer(from_fn_with_state(shared.clone(), seal_log::count))
}

/// `POST /witness/add-checkpoint`.
async fn add_checkpoint(State(shared): State<Shared>, request: Request) -> Result<Response> {
    let body = read_whole(request, MOST_BYTES).await?;
    let text = str::from_utf8(&body.bytes).map_err(|_| Error::invalid("the request is not UTF-8"))?;
    Ok(match witness::add_checkpoint(&shared.app, text).await? {
        Ok(lines) => answer(StatusCode::OK, TEXT, lines),
        Err(refusal) => refused(&refusal),
    })
}

/// `GET /witness/key`: the key that verifies the cosignatures.
async fn key(State(shared): State<Shared>) -> Result<Response> {
    let key = witness::verifier_key(&shared.app).await?;
    Ok(answer(StatusCode::OK, TEXT, format!("{key}\n")))
}

/// `GET /witness/:origin/checkpoint`: the newest cosigned checkpoint of the log whose origin has this SHA-256, so that
/// anyone can compare what the log shows with it.
async fn checkpoint(State(shared): State<Shared>, Path(origin): Path<String>) -> Result<Response> {
    let unknown = || Error::not_found("no checkpoint of this log was cosigned");
    let origin: Sha256Digest = origin.parse().map_err(|_| unknown())?;
    let note = witness::checkpoint(&shared.app, origin).await?.ok_or_else(unknown)?;
    Ok(answer(StatusCode::OK, TEXT, note))
}

fn refused(refusal: &WitnessRefusal) -> Response {
    let status = match refusal {
        WitnessRefusal::Malformed(_) => StatusCode::BAD_REQUEST,
        WitnessRefusal::NotSigned(_) => StatusCode::FORBIDDEN,
        WitnessRefusal::UnknownLog(_) => StatusCode::NOT_FOUND,
        WitnessRefusal::OtherRoot(_) | WitnessRefusal::Inconsistent => StatusCode::UNPROCESSABLE_ENTITY,
        WitnessRefusal::OtherSize(size) => {
            return answer(StatusCode::CONFLICT, SIZE_MEDIA_TYPE, format!("{size}\n"));
        }
    };
    answer(status, TEXT, format!("{refusal}\n"))
}

fn answer(status: StatusCode, media_type: &'static str, body: String) -> Response {
    let mut response = (status, body).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
