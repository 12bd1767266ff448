//! When the provider is asked, and which of its documents are refused.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use axum::{Json, Router, http::StatusCode, response::IntoResponse, routing::get};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_util::task::AbortOnDropHandle;

use super::*;
use crate::config::SecretSource;

/// A provider's documents.
struct Documents {
    url: String,
    metadata: Arc<Mutex<Option<Value>>>,
    asked: Arc<AtomicU32>,
    _listening: AbortOnDropHandle<()>,
}

impl Documents {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (metadata, asked) = (Arc::new(Mutex::new(Some(metadata(&url)))), Arc::new(AtomicU32::new(0)));
        let (kept, counted) = (Arc::clone(&metadata), Arc::clone(&asked));
        let answer = async move || {
            counted.fetch_add(1, Ordering::SeqCst);
            let metadata = kept.lock().clone();
            metadata.map_or_else(|| StatusCode::BAD_GATEWAY.into_response(), |metadata| Json(metadata).into_response())
        };
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(answer))
            .route("/keys", get(async || Json(json!({ "keys": [] }))));
        let listening = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, metadata, asked, _listening: AbortOnDropHandle::new(listening) }
    }

    fn asked(&self) -> u32 {
        self.asked.load(Ordering::SeqCst)
    }

    fn provider(&self, private_addresses: &str, clock: &Clock) -> Provider {
        let settings = OpenIdSettings {
            issuer: self.url.clone(),
            client_id: "field".to_owned(),
            // Any variable that is set.
            client_secret: SecretSource::Environment("CARGO_MANIFEST_DIR".to_owned()),
            private_addresses: private_addresses.split(',').filter_map(|text| text.parse().ok()).collect(),
        };
        let redirect = "https://evidence.example/field/signed-in".to_owned();
        Provider::new(&settings, redirect, &["profile"], clock.clone()).unwrap()
    }
}

fn metadata(url: &str) -> Value {
    json!({
        "issuer": url,
        "authorization_endpoint": format!("{url}/authorize"),
        "token_endpoint": format!("{url}/token"),
        "jwks_uri": format!("{url}/keys"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
    })
}

fn clock() -> Clock {
    Clock::held(Timestamp::from_millis(1_790_000_000_000))
}

#[tokio::test]
async fn the_provider_is_asked_again_after_an_hour() {
    let (documents, clock) = (Documents::start().await, clock());
    let provider = documents.provider("127.0.0.0/8", &clock);
    assert_eq!(documents.asked(), 0);
    for (minutes, asked) in [(0, 1), (59, 1), (1, 2), (30, 2)] {
        clock.advance(Duration::from_mins(minutes));
        provider.begin(false).await.unwrap();
        assert_eq!(documents.asked(), asked, "after {minutes} minutes more");
    }
    let (url, attempt) = provider.begin(false).await.unwrap();
    let (other, _) = provider.begin(false).await.unwrap();
    assert_ne!(url, other, "each sign-in has its own secrets");
    assert!(!url.as_str().contains(&attempt.verifier), "the verifier stays here");
    assert!(url.as_str().contains("scope=openid+profile"), "{url}");
}

#[tokio::test]
async fn a_failure_is_remembered_for_a_few_seconds() {
    let (documents, clock) = (Documents::start().await, clock());
    let provider = documents.provider("127.0.0.0/8", &clock);
    let right = documents.metadata.lock().take();
    for _ in 0..5 {
        assert!(matches!(provider.begin(false).await, Err(OpenIdError::Unavailable(_))));
    }
    assert_eq!(documents.asked(), 1);
    *documents.metadata.lock() = right;
    clock.advance(Duration::from_secs(5));
    provider.begin(false).await.unwrap();
}

#[tokio::test]
async fn keys_are_fetched_again_at_most_every_ten_seconds() {
    let (documents, clock) = (Documents::start().await, clock());
    let provider = documents.provider("127.0.0.0/8", &clock);
    provider.begin(false).await.unwrap();
    for (seconds, asked) in [(0, 2), (0, 2), (9, 2), (1, 3), (0, 3)] {
        clock.advance(Duration::from_secs(seconds));
        provider.renewed_metadata().await.unwrap();
        assert_eq!(documents.asked(), asked);
    }
}

#[tokio::test]
async fn documents_that_are_not_the_issuer_s_or_lead_elsewhere_are_refused() {
    let documents = Documents::start().await;
    for (member, value) in [
        ("issuer", json!("https://login.example")),
        ("issuer", json!(format!("{}/", documents.url))),
        ("authorization_endpoint", json!("http://login.example/authorize")),
        ("authorization_endpoint", json!("javascript:alert(1)")),
        ("jwks_uri", json!("http://login.example/keys")),
        ("jwks_uri", json!("file:///etc/passwd")),
        ("padding", json!("x".repeat(300_000))),
    ] {
        let mut wrong = metadata(&documents.url);
        wrong[member] = value;
        *documents.metadata.lock() = Some(wrong);
        let begun = documents.provider("127.0.0.0/8", &clock()).begin(false).await;
        assert!(matches!(begun, Err(OpenIdError::Unavailable(_))), "{member}");
    }
}

#[tokio::test]
async fn a_private_address_is_called_only_if_it_is_listed() {
    let documents = Documents::start().await;
    for (addresses, reached) in [("", 0), ("10.0.0.0/8", 0), ("127.0.0.1/32", 1)] {
        let begun = documents.provider(addresses, &clock()).begin(false).await;
        assert_eq!((begun.is_ok(), documents.asked()), (reached == 1, reached), "{addresses}");
    }
}

#[tokio::test]
async fn a_person_signs_out_at_the_provider_if_it_has_an_address_for_that() {
    let documents = Documents::start().await;
    let back = || "https://evidence.example/console/sign-in".to_owned();
    assert_eq!(documents.provider("127.0.0.0/8", &clock()).sign_out_url(back()).await, None);
    for (address, expected) in [
        (
            json!(format!("{}/end?tenant=1", documents.url)),
            Some(format!(
                "{}/end?tenant=1&client_id=field&post_logout_redirect_uri=\
                 https%3A%2F%2Fevidence.example%2Fconsole%2Fsign-in",
                documents.url
            )),
        ),
        (json!("http://login.example/end"), None),
        (json!("javascript:alert(1)"), None),
        (json!(""), None),
        (json!(null), None),
        (json!({ "url": "https://login.example" }), None),
    ] {
        let mut with_end = metadata(&documents.url);
        with_end["end_session_endpoint"] = address;
        *documents.metadata.lock() = Some(with_end);
        let provider = documents.provider("127.0.0.0/8", &clock());
        assert_eq!(provider.sign_out_url(back()).await.map(String::from), expected);
        // Whatever it is, people can sign in.
        provider.begin(false).await.unwrap();
    }
}
