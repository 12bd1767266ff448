//! HTML pages: their frame, their style, and the headers that keep them from doing anything but being read.
//!
//! A page's address may be a permission, so no page leaks it (`Referrer-Policy`), is cached, or loads anything. `maud`
//! escapes the texts.

use std::sync::LazyLock;

use axum::{
    http::{
        HeaderName, HeaderValue, StatusCode,
        header::{
            CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, VARY,
            X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
        },
    },
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::web_files;

/// The style of every page, written into the page itself.
const STYLE: &str = include_str!("html/style.css");

/// Nothing is loaded, run, sent or framed; the one style sheet is allowed by its digest.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let digest = STANDARD.encode(Sha256::digest(STYLE));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    // Base64 and our own words always make a valid header value.
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
});

/// What the capture page may load, run and send: only what comes from this server, and the person's own captures.
const CAPTURE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
     media-src 'self' blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'";
/// What the preview of a frame may load: what comes from this server. It may send nothing. A page of the console may frame
/// it.
const PREVIEW_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'self'";
const PREVIEW_PERMISSIONS: &str = "camera=(), microphone=(), geolocation=()";
const CAPTURE_PERMISSIONS: &str = "camera=(self), microphone=(self), geolocation=(self)";

/// A page to respond with.
#[derive(Debug)]
pub(super) struct Page {
    /// For the window's title; plain text.
    pub(super) title: String,
    pub(super) main: Markup,
}

/// Which page the capture engine runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CaptureApp<'a> {
    /// `/link/<token>`
    Link,
    /// `/field`
    Field {
        /// What the sign-in calls the OpenID Connect provider, if there is one.
        provider: Option<&'a str>,
    },
    /// In the console: what the holder of a link of a frame would see. Nothing is stored or sent.
    Preview {
        /// What the capture API would answer for the link, as JSON.
        link: &'a str,
        /// Says that the page is a preview, in the language of the console.
        notice: &'a str,
    },
}

impl<'a> CaptureApp<'a> {
    /// What the browser installs.
    const fn manifest(self) -> Option<&'static str> {
        match self {
            Self::Link => Some("capture/manifest.webmanifest"),
            Self::Field { .. } => Some("capture/field/manifest.webmanifest"),
            Self::Preview { .. } => None,
        }
    }

    const fn provider(self) -> Option<&'a str> {
        match self {
            Self::Field { provider } => provider,
            Self::Link | Self::Preview { .. } => None,
        }
    }

    /// The preview's answer of the capture API, and its notice.
    const fn preview(self) -> (Option<&'a str>, Option<&'a str>) {
        match self {
            Self::Preview { link, notice } => (Some(link), Some(notice)),
            Self::Link | Self::Field { .. } => (None, None),
        }
    }

    /// Whose modules the page has in addition.
    const fn folder(self) -> Option<&'static str> {
        match self {
            Self::Link => None,
            Self::Field { .. } => Some(web_files::FIELD),
            Self::Preview { .. } => Some(web_files::PREVIEW),
        }
    }

    /// What the page may load and send, which devices it may use, and where it may be framed.
    fn headers(self) -> [(HeaderName, &'static str); 3] {
        let (policy, permissions, framed) = match self {
            Self::Link | Self::Field { .. } => (CAPTURE_POLICY, CAPTURE_PERMISSIONS, "DENY"),
            Self::Preview { .. } => (PREVIEW_POLICY, PREVIEW_PERMISSIONS, "SAMEORIGIN"),
        };
        [
            (CONTENT_SECURITY_POLICY, policy),
            (HeaderName::from_static("permissions-policy"), permissions),
            (X_FRAME_OPTIONS, framed),
        ]
    }
}

/// Responds with the capture page: `page` is what it shows without scripts, in the language of this tag. A link that has
/// ended gets the script too, so that the person can save captures that were not sent.
pub(super) fn respond_with_capture(
    status: StatusCode,
    language: &'static str,
    app: CaptureApp<'_>,
    page: Page,
) -> Response {
    let Page { title, main } = page;
    let (preview, notice) = app.preview();
    let document = html! {
        (DOCTYPE)
        html lang=(language) data-capture data-provider=[app.provider()] data-preview=[preview] data-notice=[notice] {
            head {
                (head(&title))
                meta name="theme-color" content="#14532d";
                link rel="icon" href=(web_files::address("capture/icon.svg"));
                link rel="apple-touch-icon" href=(web_files::address("capture/icon-192.png"));
                @if let Some(manifest) = app.manifest() { link rel="manifest" href=(web_files::address(manifest)); }
                link rel="stylesheet" href=(web_files::address("capture/style.css"));
                @for module in web_files::modules(app.folder()) {
                    link rel="modulepreload" href=(web_files::address(module));
                }
                script type="module" src=(web_files::address("capture/main.js")) {}
            }
            body {
                main #capture { (main) }
            }
        }
    };
    let mut response = document_response(status, language, document);
    let headers = response.headers_mut();
    for (name, value) in app.headers() {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Responds with a page in the language of this tag (`en`), which was chosen by `Accept-Language`.
pub(super) fn respond(status: StatusCode, language: &'static str, page: Page) -> Response {
    let Page { title, main } = page;
    let document = html! {
        (DOCTYPE)
        html lang=(language) {
            head {
                (head(&title))
                style { (PreEscaped(STYLE)) }
            }
            body {
                main { (main) }
                footer { "Sealwright" }
            }
        }
    };
    let mut response = document_response(status, language, document);
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, POLICY.clone());
    response
}

pub(super) fn head(title: &str) -> Markup {
    html! {
        meta charset="utf-8";
        meta name="viewport" content="width=device-width, initial-scale=1";
        meta name="color-scheme" content="light dark";
        meta name="robots" content="noindex, nofollow";
        title { (title) }
    }
}

/// The document with the headers that every page has.
pub(super) fn document_response(status: StatusCode, language: &'static str, document: Markup) -> Response {
    let mut response = (status, document.into_string()).into_response();
    let fixed: [(HeaderName, &'static str); 8] = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_LANGUAGE, language),
        (VARY, "accept-language"),
        (CACHE_CONTROL, "no-store"),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("x-robots-tag"), "noindex, nofollow"),
    ];
    let headers = response.headers_mut();
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
