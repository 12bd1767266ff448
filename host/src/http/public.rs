//! What all public bytes have in common: headers that keep a browser from doing more with them than showing them, entity
//! tags, and ranges (decisions 9).

use std::ops::Range;

use axum::{
    body::Body,
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{
            ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_SECURITY_POLICY,
            CONTENT_TYPE, ETAG, IF_NONE_MATCH, IF_RANGE, RANGE, X_CONTENT_TYPE_OPTIONS,
        },
    },
    response::{IntoResponse, Response},
};

use super::error::standard;
use crate::blobs::BlobStream;

/// Nothing in a file may load or run anything. `object-src` stays open to the file itself: browsers show a PDF as one.
const POLICY: &str = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'";

/// What is said of public bytes besides themselves.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) media_type: &'static str,
    /// Without quotes; changes when the bytes do.
    pub(super) entity_tag: String,
    pub(super) cache_control: &'static str,
    /// Offered to who saves the bytes. Our own word: only `A-Za-z0-9._-`.
    pub(super) file_name: Option<String>,
}

/// May be kept by the browser that fetched it, not by caches in between: a deleted case must not live on there.
pub(super) const KEEP: &str = "private, max-age=3600";
/// May be kept, and must be asked about each time: a certificate can be upgraded.
pub(super) const ASK: &str = "private, no-cache";

/// Whether the client has these bytes already.
pub(super) fn is_unchanged(request: &HeaderMap, facts: &Facts) -> bool {
    let quoted = format!("\"{}\"", facts.entity_tag);
    let given = request.get(IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    given.is_some_and(|given| {
        given.split(',').any(|tag| tag.trim().trim_start_matches("W/") == quoted || tag.trim() == "*")
    })
}

/// 304 with the headers that go with it.
pub(super) fn unchanged(facts: &Facts) -> Response {
    with_headers(StatusCode::NOT_MODIFIED.into_response(), facts, None)
}

/// The whole of a blob.
pub(super) fn whole(blob: BlobStream, facts: &Facts) -> Response {
    let length = blob.range.end - blob.range.start;
    with_headers(Body::from_stream(blob.bytes).into_response(), facts, Some(length))
}

/// Bytes in memory.
pub(super) fn bytes(bytes: bytes::Bytes, facts: &Facts) -> Response {
    let length = bytes.len() as u64;
    with_headers(Body::from(bytes).into_response(), facts, Some(length))
}

/// 206 with a part of a blob.
pub(super) fn part(blob: BlobStream, facts: &Facts) -> Response {
    let Range { start, end } = blob.range;
    let content_range = format!("bytes {start}-{}/{}", end.saturating_sub(1), blob.size);
    let mut response = with_headers(Body::from_stream(blob.bytes).into_response(), facts, Some(end - start));
    *response.status_mut() = StatusCode::PARTIAL_CONTENT;
    insert(&mut response, CONTENT_RANGE, &content_range);
    response
}

/// 416: the range asked for lies outside the `size` bytes there are.
pub(super) fn unsatisfiable(size: u64) -> Response {
    let mut response = standard(StatusCode::RANGE_NOT_SATISFIABLE, format!("the range lies outside the {size} bytes"));
    insert(&mut response, CONTENT_RANGE, &format!("bytes */{size}"));
    response
}

/// What a client asks for of `size` bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Whole,
    Part(Range<u64>),
    Unsatisfiable,
}

/// Reads `Range` and `If-Range` (RFC 9110, section 14). Several ranges, or one that is malformed, are answered with the
/// whole, as the RFC allows.
pub(super) fn asked_range(request: &HeaderMap, facts: &Facts, size: u64) -> Asked {
    if let Some(condition) = request.get(IF_RANGE)
        && condition.as_bytes() != format!("\"{}\"", facts.entity_tag).as_bytes()
    {
        return Asked::Whole;
    }
    let Some(range) =
        request.get(RANGE).and_then(|value| value.to_str().ok()).and_then(|text| text.strip_prefix("bytes="))
    else {
        return Asked::Whole;
    };
    match range.trim().split_once('-') {
        Some(("", suffix)) => match suffix.parse::<u64>() {
            Ok(0) => Asked::Unsatisfiable,
            Ok(length) => Asked::Part(size.saturating_sub(length)..size),
            Err(_) => Asked::Whole,
        },
        Some((start, end)) => match (start.parse::<u64>(), end) {
            (Ok(start), _) if start >= size => Asked::Unsatisfiable,
            (Ok(start), "") => Asked::Part(start..size),
            (Ok(start), end) => match end.parse::<u64>() {
                Ok(end) if end >= start => Asked::Part(start..end.saturating_add(1).min(size)),
                _ => Asked::Whole,
            },
            _ => Asked::Whole,
        },
        None => Asked::Whole,
    }
}

fn with_headers(mut response: Response, facts: &Facts, length: Option<u64>) -> Response {
    let disposition = match &facts.file_name {
        Some(name) => format!("inline; filename=\"{name}\""),
        None => "inline".to_owned(),
    };
    insert(&mut response, CONTENT_TYPE, facts.media_type);
    insert(&mut response, CONTENT_DISPOSITION, &disposition);
    insert(&mut response, CONTENT_SECURITY_POLICY, POLICY);
    insert(&mut response, X_CONTENT_TYPE_OPTIONS, "nosniff");
    insert(&mut response, CACHE_CONTROL, facts.cache_control);
    insert(&mut response, ETAG, &format!("\"{}\"", facts.entity_tag));
    if facts.media_type.starts_with("video/") {
        insert(&mut response, ACCEPT_RANGES, "bytes");
    }
    if let Some(length) = length {
        response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    response
}

fn insert(response: &mut Response, name: axum::http::HeaderName, value: &str) {
    // Every value here is made of our own words, digits and hexadecimal; one that is no header value is left out.
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> Facts {
        Facts { media_type: "video/mp4", entity_tag: "abc".to_owned(), cache_control: KEEP, file_name: None }
    }

    fn asked(range: &str) -> Asked {
        let headers = HeaderMap::from_iter([(RANGE, HeaderValue::from_str(range).unwrap())]);
        asked_range(&headers, &facts(), 100)
    }

    #[test]
    fn rfc_9110_ranges_are_read() {
        assert_eq!(asked("bytes=0-"), Asked::Part(0..100));
        assert_eq!(asked("bytes=10-19"), Asked::Part(10..20));
        assert_eq!(asked("bytes=90-1000"), Asked::Part(90..100));
        assert_eq!(asked("bytes=-5"), Asked::Part(95..100));
        assert_eq!(asked("bytes=-500"), Asked::Part(0..100));
        assert_eq!(asked("bytes=100-"), Asked::Unsatisfiable);
        assert_eq!(asked("bytes=-0"), Asked::Unsatisfiable);
        for whole in ["bytes=0-1,5-6", "bytes=5-1", "bytes=a-b", "bytes=", "items=0-1", "bytes=0-18446744073709551616"]
        {
            assert_eq!(asked(whole), Asked::Whole, "{whole}");
        }
    }

    #[test]
    fn if_range_with_another_tag_asks_for_the_whole() {
        let mut headers = HeaderMap::from_iter([(RANGE, HeaderValue::from_static("bytes=0-1"))]);
        headers.insert(IF_RANGE, HeaderValue::from_static("\"abc\""));
        assert_eq!(asked_range(&headers, &facts(), 100), Asked::Part(0..2));
        headers.insert(IF_RANGE, HeaderValue::from_static("\"other\""));
        assert_eq!(asked_range(&headers, &facts(), 100), Asked::Whole);
    }

    #[test]
    fn a_client_that_has_the_bytes_is_told_so() {
        for (tag, has) in
            [("\"abc\"", true), ("W/\"abc\"", true), ("\"x\", \"abc\"", true), ("*", true), ("\"x\"", false)]
        {
            let headers = HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::from_str(tag).unwrap())]);
            assert_eq!(is_unchanged(&headers, &facts()), has, "{tag}");
        }
    }
}
