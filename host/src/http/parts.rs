//! Answers that are streamed: long lists and archives. An error in the middle is logged and breaks the
//! connection, so that no client mistakes a part for the whole.

use axum::{
    Json,
    body::Body,
    http::{
        HeaderValue,
        header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS},
    },
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures_util::{
    Stream, StreamExt, TryStreamExt,
    stream::{self, BoxStream},
};
use serde::Serialize;

use super::error::log_cut_short;
use crate::{
    app::package::{self, Package},
    error::{Error, Result},
};

/// A JSON array of everything in `parts`. A short one is sent whole; an error in the first part becomes an error
/// answer.
pub(super) async fn array<T: Serialize + Send + 'static>(
    mut parts: BoxStream<'static, Result<Vec<T>>>,
) -> Result<Response> {
    let first = parts.try_next().await?.unwrap_or_default();
    let Some(second) = parts.try_next().await? else { return Ok(Json(first).into_response()) };
    let parts = stream::iter([Ok(first), Ok(second)]).chain(parts).enumerate();
    let elements = parts.map(|(position, part)| elements(&part?, position == 0));
    let closing = stream::once(async { Ok(Bytes::from_static(b"]")) });
    let json = HeaderValue::from_static("application/json");
    Ok(([(CONTENT_TYPE, json)], body(elements.chain(closing))).into_response())
}

/// JSON lines to be saved as `file_name`, which the server generates: only `A-Za-z0-9._-`. They are never cached.
pub(super) fn json_lines(lines: BoxStream<'static, Result<Bytes>>, file_name: &str) -> Result<Response> {
    let disposition = format!("attachment; filename=\"{file_name}\"");
    let disposition = HeaderValue::from_str(&disposition).map_err(Error::internal)?;
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("application/jsonl; charset=utf-8")),
        (CONTENT_DISPOSITION, disposition),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    Ok((headers, body(lines)).into_response())
}

/// An archive to be saved as `file_name`, which the server generates: only `A-Za-z0-9._-`.
pub(super) fn archive(bytes: BoxStream<'static, Result<Bytes>>, file_name: &str) -> Result<Response> {
    let disposition = format!("attachment; filename=\"{file_name}\"");
    let disposition = HeaderValue::from_str(&disposition).map_err(Error::internal)?;
    let headers = [(CONTENT_TYPE, HeaderValue::from_static("application/zip")), (CONTENT_DISPOSITION, disposition)];
    Ok((headers, body(bytes)).into_response())
}

/// A package to be saved under the case's reference. It is never cached: it has what only its company may see.
pub(super) fn package(package: Package) -> Result<Response> {
    let Package { reference, size, bytes, .. } = package;
    let disposition = format!("attachment; filename=\"{reference}.asice\"");
    let disposition = HeaderValue::from_str(&disposition).map_err(Error::internal)?;
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(package::MEDIA_TYPE)),
        (CONTENT_DISPOSITION, disposition),
        (CONTENT_LENGTH, HeaderValue::from(size)),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    Ok((headers, body(bytes)).into_response())
}

/// A table (CSV) to be saved as `file_name`, which the server generates: only `A-Za-z0-9._-`. It is never cached.
pub(super) fn table(lines: BoxStream<'static, Result<Bytes>>, file_name: &str) -> Result<Response> {
    let disposition = format!("attachment; filename=\"{file_name}\"");
    let disposition = HeaderValue::from_str(&disposition).map_err(Error::internal)?;
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8")),
        (CONTENT_DISPOSITION, disposition),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    Ok((headers, body(lines)).into_response())
}

/// The elements of a part of an array, with the preceding brackets or commas.
fn elements<T: Serialize>(part: &[T], is_first: bool) -> Result<Bytes> {
    let mut json = Vec::new();
    for (position, element) in part.iter().enumerate() {
        json.push(if is_first && position == 0 { b'[' } else { b',' });
        serde_json::to_writer(&mut json, element).map_err(Error::internal)?;
    }
    Ok(json.into())
}

fn body(bytes: impl Stream<Item = Result<Bytes>> + Send + 'static) -> Body {
    Body::from_stream(bytes.inspect_err(log_cut_short))
}
