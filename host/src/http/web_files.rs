//! The files of `web/`, embedded in the program: what each is, and how it is sent. Their address contains a hash over all of
//! them, so browsers keep them for ever, and modules import each other by relative paths.

use std::{collections::BTreeMap, io::Write as _, sync::LazyLock};

use axum::{
    http::{
        HeaderMap, HeaderName, HeaderValue,
        header::{
            ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, VARY,
            X_CONTENT_TYPE_OPTIONS,
        },
    },
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest, Sha256};

/// What a service worker may load: nothing but what its own pages load.
const POLICY: &str = "default-src 'none'; script-src 'self'; connect-src 'self'";
/// The service worker. Its address must be below the pages that it serves.
pub(super) const WORKER: &str = "capture/worker.js";

/// What only the field app has.
pub(super) const FIELD: &str = "capture/field/";
/// What only the console's preview of a frame has.
pub(super) const PREVIEW: &str = "capture/preview/";
const FOLDERS: [&str; 2] = [FIELD, PREVIEW];

/// The files of `web/capture/`, by their path below it.
const CAPTURE: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/capture.rs"));
/// The files of `web/console/`, by their path below it.
const CONSOLE: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/console.rs"));

static FILES: LazyLock<WebFiles> = LazyLock::new(WebFiles::load);

struct WebFiles {
    /// `/assets/<hash>/`
    prefix: String,
    files: BTreeMap<String, WebFile>,
    /// The paths of the files of the capture page, as a JSON array: the service worker keeps them.
    list: WebFile,
}

pub(super) struct WebFile {
    media_type: &'static str,
    bytes: Bytes,
    /// The same with gzip, if that is smaller.
    compressed: Option<Bytes>,
}

impl WebFiles {
    fn load() -> Self {
        let mut hash = Sha256::new();
        let mut files = BTreeMap::new();
        let capture = CAPTURE.iter().map(|(path, bytes)| (format!("capture/{path}"), bytes));
        let console = CONSOLE.iter().map(|(path, bytes)| (format!("console/{path}"), bytes));
        for (path, bytes) in capture.chain(console) {
            hash.update(path.as_bytes());
            hash.update([0]);
            hash.update(Sha256::digest(bytes));
            let file = WebFile::new(media_type(&path), Bytes::from_static(bytes));
            files.insert(path, file);
        }
        let of_capture: Vec<_> = files.keys().filter(|path| path.starts_with("capture/")).collect();
        let list = serde_json::to_vec(&of_capture).unwrap_or_default();
        let digest = hex::encode(&hash.finalize()[..8]);
        Self { prefix: format!("/assets/{digest}/"), files, list: WebFile::new("application/json", list.into()) }
    }
}

impl WebFile {
    fn new(media_type: &'static str, bytes: Bytes) -> Self {
        let compressed = gzip(&bytes).filter(|compressed| compressed.len() < bytes.len());
        Self { media_type, bytes, compressed }
    }

    pub(super) fn respond(&self, request: &HeaderMap, cache_control: &'static str) -> Response {
        let compressed = self.compressed.as_ref().filter(|_| accepts_gzip(request));
        let mut response = compressed.unwrap_or(&self.bytes).clone().into_response();
        let headers = response.headers_mut();
        let fixed: [(HeaderName, &'static str); 5] = [
            (CONTENT_TYPE, self.media_type),
            (CACHE_CONTROL, cache_control),
            (CONTENT_SECURITY_POLICY, POLICY),
            (VARY, "accept-encoding"),
            (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        ];
        for (name, value) in fixed {
            headers.insert(name, HeaderValue::from_static(value));
        }
        if compressed.is_some() {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    }
}

fn gzip(bytes: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok().map(Bytes::from)
}

fn accepts_gzip(request: &HeaderMap) -> bool {
    let given = request.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    given.split(',').any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        name.trim().eq_ignore_ascii_case("gzip") && weight.trim() != "q=0"
    })
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("js") => SCRIPT,
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}

/// The address of a file of `web/`.
pub(super) fn address(path: &str) -> String {
    format!("{}{path}", FILES.prefix)
}

/// The modules that the capture page loads at its start: all but languages, which it loads when they are needed. Of the
/// folders of the field app and of the preview, it loads at most the one that is named.
pub(super) fn modules(with: Option<&'static str>) -> impl Iterator<Item = &'static str> {
    let is_first = move |path: &&str| {
        let is_of_another = FOLDERS.iter().any(|folder| path.starts_with(folder) && with != Some(*folder));
        !path.contains("/languages/") && *path != WORKER && !is_of_another
    };
    let scripts = FILES.files.iter().filter(|(path, file)| path.starts_with("capture/") && file.media_type == SCRIPT);
    scripts.map(|(path, _)| path.as_str()).filter(is_first)
}

/// Whether `hash` is that of these files.
pub(super) fn is_current(hash: &str) -> bool {
    FILES.prefix == format!("/assets/{hash}/")
}

/// A file by its path below `web/`. `files.json` is the list of those of the capture page.
pub(super) fn find(path: &str) -> Option<&'static WebFile> {
    if path == "files.json" { Some(&FILES.list) } else { FILES.files.get(path) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_media_type_and_the_pages_files_are_there() {
        assert!(FILES.prefix.len() > "/files//".len());
        for (path, file) in &FILES.files {
            assert_ne!(file.media_type, "application/octet-stream", "{path}");
            assert!(!file.bytes.is_empty(), "{path}");
        }
        for path in [
            WORKER,
            "capture/manifest.webmanifest",
            "capture/main.js",
            "capture/style.css",
            "capture/field/main.js",
            "capture/preview/main.js",
            "console/style.css",
        ] {
            assert!(FILES.files.contains_key(path), "{path}");
        }
    }

    #[test]
    fn a_page_loads_the_modules_of_its_own_folder_only() {
        for (with, other) in [(Some(FIELD), PREVIEW), (Some(PREVIEW), FIELD)] {
            let all: Vec<&str> = modules(with).collect();
            assert!(
                all.contains(&"capture/main.js")
                    && with.is_some_and(|with| all.iter().any(|path| path.starts_with(with)))
            );
            assert!(!all.iter().any(|path| path.starts_with(other)), "{all:?}");
        }
        assert!(!modules(None).any(|path| path.starts_with(FIELD) || path.starts_with(PREVIEW)));
    }

    #[test]
    fn a_compressed_file_is_sent_only_to_those_who_accept_it() {
        let accepts = |value: &'static str| {
            accepts_gzip(&HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(value))]))
        };
        assert!(accepts("gzip, deflate, br") && accepts("br;q=1.0, GZIP;q=0.8"));
        assert!(!accepts("br") && !accepts("gzip;q=0") && !accepts_gzip(&HeaderMap::new()));
    }
}
