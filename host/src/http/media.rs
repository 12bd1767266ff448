//! Public photos, signatures, documents and videos (spec 4.16, decisions 9).

use std::sync::Arc;

use axum::{
    extract::{RawQuery, State},
    http::{
        HeaderMap, HeaderValue, Method,
        header::{ACCEPT, VARY},
    },
    response::{IntoResponse, Response},
};

use super::{
    access_key::by_key,
    public::{self, AccessKey, Facts, PRIVATE_CACHE, RequestedRange},
    request::RequestFacts,
    shared::Shared,
};
use crate::{
    app::{
        App,
        media::{self, MediaFile, MediaKind},
    },
    domain::file_kind::FileKind,
    domain::operation::Operation,
    error::Result,
};

/// `GET /images/:imageUrl`: a PNG; with `?original=1` or `Accept: image/jpeg`, the original bytes.
pub(super) async fn image(
    State(shared): State<Shared>,
    facts: RequestFacts,
    AccessKey(key): AccessKey,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let find = media::find(&shared.app, &key, MediaKind::Image);
    by_key(&shared, &facts, (Operation::ReadImage, key.clone()), find, async |found| {
        let original = asks_for_original(query.as_deref().unwrap_or_default()) || wants_original(&headers);
        let mut response = serve_image(&shared.app, found, original, &headers).await.into_response();
        // A cache must not serve one client the form that another requested.
        response.headers_mut().insert(VARY, HeaderValue::from_static("accept"));
        response
    })
    .await
}

/// `GET /medias/video/:videoUrl`: the video, or a range of it.
pub(super) async fn video(
    State(shared): State<Shared>,
    facts: RequestFacts,
    AccessKey(key): AccessKey,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let find = media::find(&shared.app, &key, MediaKind::Video);
    by_key(&shared, &facts, (Operation::ReadVideo, key.clone()), find, async |found| {
        serve_video(&shared.app, found, &method, &headers).await.into_response()
    })
    .await
}

async fn serve_image(
    app: &Arc<App>,
    found: Result<MediaFile>,
    original: bool,
    headers: &HeaderMap,
) -> Result<Response> {
    let found = found?;
    // A PDF document has no picture form: it is served as it was sent.
    if original || found.kind == FileKind::Pdf {
        let facts = as_sent(&found);
        if public::is_unchanged(headers, &facts) {
            return Ok(public::unchanged(&facts));
        }
        return Ok(public::whole(media::original(app, &found, None).await?, &facts));
    }
    let entity_tag = format!("{}-png", found.sha256);
    let media_type = FileKind::Png.media_type();
    let facts = Facts { media_type, entity_tag, cache_control: PRIVATE_CACHE, file_name: None };
    if public::is_unchanged(headers, &facts) {
        return Ok(public::unchanged(&facts));
    }
    Ok(public::whole(media::png(app, &found).await?, &facts))
}

async fn serve_video(
    app: &Arc<App>,
    found: Result<MediaFile>,
    method: &Method,
    headers: &HeaderMap,
) -> Result<Response> {
    let found = found?;
    let facts = as_sent(&found);
    if public::is_unchanged(headers, &facts) {
        return Ok(public::unchanged(&facts));
    }
    // Ranges are defined for GET only (RFC 9110, section 14.2): HEAD describes the whole.
    let requested = if method == Method::GET {
        public::requested_range(headers, &facts, found.size)
    } else {
        RequestedRange::Whole
    };
    Ok(match requested {
        RequestedRange::Whole => public::whole(media::original(app, &found, None).await?, &facts),
        RequestedRange::Part(range) => public::part(media::original(app, &found, Some(range)).await?, &facts),
        RequestedRange::Unsatisfiable => public::unsatisfiable(found.size),
    })
}

fn as_sent(found: &MediaFile) -> Facts {
    let entity_tag = found.sha256.to_string();
    Facts { media_type: found.kind.media_type(), entity_tag, cache_control: PRIVATE_CACHE, file_name: None }
}

/// Whether the query has `original=1`.
fn asks_for_original(query: &str) -> bool {
    url::form_urlencoded::parse(query.as_bytes()).any(|(name, value)| name == "original" && value == "1")
}

/// Whether the client names JPEG and not PNG: `*/*` and a browser's list get the PNG.
fn wants_original(headers: &HeaderMap) -> bool {
    let accept = headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let names = |wanted: &str| {
        accept.split(',').any(|range| {
            range.split(';').next().is_some_and(|media_type| media_type.trim().eq_ignore_ascii_case(wanted))
        })
    };
    names("image/jpeg") && !names("image/png")
}
