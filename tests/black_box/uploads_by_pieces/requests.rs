//! The requests of a client of tus.

use std::path::PathBuf;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hyper::Method;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::support::{
    AMPLE, Answer, Api, TestServer, client::send, company_manifest::PHOTOGRAPHY, eventually, rows::Rows,
    server::files_below,
};

pub(crate) const CAPTURES: [&str; 3] = [
    "0d7c3a5e-54a3-4b8a-9d6e-2f1b8c7d6e5f",
    "5f0c3a52-0d7e-4c11-9a53-6a1f0f7a9b42",
    "3b241101-e2bb-4255-8caf-4136c566a962",
];

pub(crate) const OCTETS: &str = "application/offset+octet-stream";

/// The metadata of a file for a step.
pub(crate) fn describe(case: i64, step: i64, name: &str) -> Vec<(&'static str, String)> {
    vec![
        ("caseId", case.to_string()),
        ("stepId", step.to_string()),
        ("filename", name.to_owned()),
        ("frontCreatedAt", "2026-11-20T10:42:17.000+01:00".to_owned()),
        ("latitude", "45.764043".to_owned()),
        ("longitude", "4.835659".to_owned()),
        ("accuracy", "5".to_owned()),
        ("clientAppName", "Field Companion".to_owned()),
        ("clientAppVersion", "4.2.0".to_owned()),
    ]
}

/// The metadata of a photo, with another value.
pub(crate) fn with(case: i64, name: &'static str, value: &str) -> Vec<(&'static str, String)> {
    let mut metadata = describe(case, PHOTOGRAPHY, "x");
    metadata.retain(|(given, _)| *given != name);
    metadata.push((name, value.to_owned()));
    metadata
}

pub(crate) fn encode(metadata: &[(&'static str, String)]) -> String {
    metadata.iter().map(|(name, value)| format!("{name} {}", STANDARD.encode(value))).collect::<Vec<_>>().join(",")
}

pub(crate) async fn announce(api: &Api, length: usize, metadata: &[(&'static str, String)]) -> Answer {
    let request = api.request(Method::POST, "/v2/uploads").header("tus-resumable", "1.0.0");
    send(request.header("upload-length", length).header("upload-metadata", encode(metadata))).await
}

#[track_caller]
pub(crate) fn location(created: &Answer) -> String {
    created.header("location").expect("a location").to_owned()
}

pub(crate) async fn head(api: &Api, url: &str) -> Answer {
    send(api.request(Method::HEAD, url).header("tus-resumable", "1.0.0")).await
}

pub(crate) async fn delete(api: &Api, url: &str) -> Answer {
    send(api.request(Method::DELETE, url).header("tus-resumable", "1.0.0")).await
}

pub(crate) async fn view(api: &Api, url: &str) -> Value {
    api.get(url).await.expect(200).json()
}

pub(crate) fn raw(api: &Api, url: &str) -> reqwest::RequestBuilder {
    api.request(Method::PATCH, url).header("tus-resumable", "1.0.0")
}

pub(crate) fn patch(api: &Api, url: &str, start: usize, bytes: Vec<u8>) -> reqwest::RequestBuilder {
    raw(api, url).header("content-type", OCTETS).header("upload-offset", start).body(bytes)
}

/// A body whose length is not declared.
pub(crate) fn streamed(bytes: &[u8]) -> reqwest::Body {
    let chunks: Vec<Vec<u8>> = bytes.chunks(10_000).map(<[u8]>::to_vec).collect();
    reqwest::Body::wrap_stream(futures_util::stream::iter(chunks.into_iter().map(Ok::<_, std::io::Error>)))
}

pub(crate) fn hash(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// The files of pieces in the blob store, unfinished ones included.
pub(crate) fn pieces(server: &TestServer) -> Vec<PathBuf> {
    files_below(&server.data_dir().join("blobs/pieces"))
}

/// Waits until no piece is in the blob store, no row of one in the database, and no upload that is gone.
pub(crate) async fn assert_nothing_is_left(server: &TestServer) {
    let mut rows = Rows::of(server).await;
    eventually("the pieces are deleted", AMPLE, async || {
        let sql = "select upload_id from upload_pieces union all select id from uploads where state = 'gone'";
        let left: Vec<(i64,)> = rows.all(sql).await;
        (left.is_empty() && pieces(server).is_empty()).then_some(())
    })
    .await;
}
