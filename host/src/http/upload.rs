//! Uploads by pieces: tus 1.0 under `/v2/uploads` (decisions 16), with the extensions creation, checksum, termination
//! and expiration. Reading the headers is in [`headers`].

mod headers;

use axum::{
    Json,
    extract::{FromRequestParts, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header::CACHE_CONTROL, request::Parts},
    response::{IntoResponse, Response},
};
use futures_util::StreamExt as _;
use hyper::body::Body as _;

use self::headers::{
    EXTENSION, LOCATION, MAX_SIZE, RESUMABLE, UPLOAD_EXPIRES, UPLOAD_LENGTH, UPLOAD_OFFSET, VERSION, VERSION_NUMBER,
};
use super::{error::standard, public::AccessKey, shared::Shared};
use crate::{
    app::{
        item::Depositor,
        upload::{self, BrokenBody, NewPiece, Progress, UploadView},
    },
    domain::{operation::Operation, upload::NewUpload},
    error::{Error, Result},
    media::Checksum,
};

/// What the server supports.
const EXTENSIONS: HeaderValue = HeaderValue::from_static("creation,checksum,termination,expiration");
/// The only media type of a piece.
const OCTETS: &str = "application/offset+octet-stream";

/// Whether the answers of an operation name the version of tus.
pub(super) fn is_tus(operation: Operation) -> bool {
    operation.properties().path.starts_with("/v2/uploads")
}

/// Adds the version of tus to an answer, also to a refusal by the guard.
pub(super) async fn with_version(mut response: Response) -> Response {
    response.headers_mut().insert(RESUMABLE, VERSION_NUMBER);
    response
}

/// `OPTIONS /v2/uploads`: what the server supports.
pub(super) async fn describe() -> Response {
    let headers = [
        (VERSION, VERSION_NUMBER),
        (EXTENSION, EXTENSIONS),
        (MAX_SIZE, HeaderValue::from(upload::largest())),
        (headers::CHECKSUM_ALGORITHM, HeaderValue::from_static(Checksum::ALGORITHMS)),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}

/// `POST /v2/uploads`: announces a file.
pub(super) async fn create(
    State(shared): State<Shared>,
    depositor: Depositor,
    _: Tus1,
    headers: HeaderMap,
) -> Result<Response> {
    let length = headers::length(&headers)?;
    let metadata = headers::metadata(&headers)?;
    let new = NewUpload::read(&metadata).map_err(|problems| Error::Invalid(problems.join(", ")))?;
    let progress = upload::create(&shared.app, &depositor, length, new).await?;
    let mut response = answer(StatusCode::CREATED, &progress)?;
    let url = upload::url(&shared.app, &progress.key);
    response.headers_mut().insert(LOCATION, HeaderValue::from_str(&url).map_err(Error::internal)?);
    Ok(response)
}

/// `HEAD /v2/uploads/:uploadKey`: how many bytes have arrived.
pub(super) async fn offset(
    State(shared): State<Shared>,
    depositor: Depositor,
    _: Tus1,
    AccessKey(key): AccessKey,
) -> Result<Response> {
    let progress = upload::look(&shared.app, &depositor, &key).await?;
    let mut response = answer(StatusCode::OK, &progress)?;
    let headers = response.headers_mut();
    headers.insert(UPLOAD_LENGTH, HeaderValue::from(progress.length));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// `PATCH /v2/uploads/:uploadKey`: the next bytes of the file.
pub(super) async fn append(
    State(shared): State<Shared>,
    depositor: Depositor,
    _: Tus1,
    AccessKey(key): AccessKey,
    request: Request,
) -> Result<Response> {
    let headers = request.headers();
    if !headers::has_type(headers, OCTETS) {
        let message = format!("Content-Type must be {OCTETS}");
        return Ok(standard(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    let (start, checksum) = (headers::offset(headers)?, headers::checksum(headers)?);
    let announced = request.body().size_hint().exact();
    let body = request.into_body().into_data_stream().map(|chunk| chunk.map_err(|_| BrokenBody));
    let piece = NewPiece { start, announced, checksum, body };
    let progress = upload::append(&shared.app, &depositor, &key, piece).await?;
    answer(StatusCode::NO_CONTENT, &progress)
}

/// `GET /v2/uploads/:uploadKey`: the upload and its item. Not part of tus.
pub(super) async fn read(
    State(shared): State<Shared>,
    depositor: Depositor,
    AccessKey(key): AccessKey,
) -> Result<impl IntoResponse + use<>> {
    let view: UploadView = upload::view(&shared.app, &depositor, &key).await?;
    Ok(([(CACHE_CONTROL, HeaderValue::from_static("no-store"))], Json(view)))
}

/// `DELETE /v2/uploads/:uploadKey`: gives up an unfinished upload.
pub(super) async fn terminate(
    State(shared): State<Shared>,
    depositor: Depositor,
    _: Tus1,
    AccessKey(key): AccessKey,
) -> Result<StatusCode> {
    upload::terminate(&shared.app, &depositor, &key).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// An answer that says how far the upload is.
fn answer(status: StatusCode, progress: &Progress) -> Result<Response> {
    let mut response = status.into_response();
    let headers = response.headers_mut();
    headers.insert(UPLOAD_OFFSET, HeaderValue::from(progress.received));
    if let Some(expires_at) = progress.expires_at {
        headers.insert(UPLOAD_EXPIRES, headers::date(expires_at)?);
    }
    Ok(response)
}

/// A request of tus 1.0. One of another version is answered with 412.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tus1;

impl<S: Sync> FromRequestParts<S> for Tus1 {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Response> {
        if parts.headers.get(RESUMABLE) == Some(&VERSION_NUMBER) {
            return Ok(Self);
        }
        let mut refusal = standard(StatusCode::PRECONDITION_FAILED, "Tus-Resumable must be 1.0.0");
        refusal.headers_mut().insert(VERSION, VERSION_NUMBER);
        Err(refusal)
    }
}
