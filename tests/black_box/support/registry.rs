//! A registry on loopback that speaks the OCI distribution API as public registries do: it gives components only to
//! bearers of a token, and sends requests for bytes on to another address, which must not see the token.

use std::{collections::HashMap, net::SocketAddr, sync::Arc};

use axum::{
    Router,
    extract::{Path, Query, State},
    http::{HeaderMap, StatusCode, header::AUTHORIZATION, header::LOCATION, header::WWW_AUTHENTICATE},
    response::{IntoResponse as _, Response},
    routing::get,
};
use bytes::Bytes;
use parking_lot::Mutex;
use sealwright_seal::digest::Sha256Digest;
use serde_json::json;
use tokio::net::TcpListener;
use tokio_util::task::AbortOnDropHandle;

const REPOSITORY: &str = "team/plugins";
const TOKEN: &str = "a-token-of-the-test";
/// `user:pass` in base64.
const BASIC: &str = "Basic dXNlcjpwYXNz";

/// How the registry answers from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    Honest,
    /// Only to the user `user` with the password `pass`.
    ToUsers,
    /// The bytes of components are changed.
    OtherBytes,
    /// Manifests are changed.
    OtherManifests,
    /// It sends requests on to itself without end.
    InCircles,
}

/// Listens until it is dropped.
pub(crate) struct TestRegistry {
    shared: Arc<Shared>,
    _listening: AbortOnDropHandle<()>,
}

struct Shared {
    address: SocketAddr,
    /// Manifests and components, by digest.
    stored: Mutex<HashMap<String, Bytes>>,
    manner: Mutex<Manner>,
    pulls: Mutex<usize>,
}

impl TestRegistry {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("listen on loopback");
        let shared = Arc::new(Shared {
            address: listener.local_addr().expect("the address of a listener"),
            stored: Mutex::default(),
            manner: Mutex::new(Manner::Honest),
            pulls: Mutex::default(),
        });
        let router = Router::new()
            .route("/token", get(token))
            .route("/v2/{*path}", get(of_registry))
            .route("/bytes/{digest}", get(bytes))
            .with_state(Arc::clone(&shared));
        let listening = tokio::spawn(async move { axum::serve(listener, router).await.expect("serve") });
        Self { shared, _listening: AbortOnDropHandle::new(listening) }
    }

    /// Stores a component, and returns its address with the digest of its manifest.
    pub(crate) fn push(&self, component: &[u8]) -> String {
        let digest = Sha256Digest::of(component);
        let manifest = json!({
            "schemaVersion": 2,
            "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "config": { "mediaType": "application/vnd.wasm.config.v0+json", "digest": "sha256:00", "size": 2 },
            "layers": [{ "mediaType": "application/wasm", "digest": format!("sha256:{digest}"), "size": component.len() }],
        });
        let manifest = Bytes::from(manifest.to_string());
        let address = format!("{}/{REPOSITORY}@sha256:{}", self.shared.address, Sha256Digest::of(&manifest));
        let mut stored = self.shared.stored.lock();
        stored.insert(Sha256Digest::of(&manifest).to_string(), manifest);
        stored.insert(digest.to_string(), Bytes::copy_from_slice(component));
        address
    }

    pub(crate) fn answer(&self, manner: Manner) {
        *self.shared.manner.lock() = manner;
    }

    /// How many manifests it has given.
    pub(crate) fn pulls(&self) -> usize {
        *self.shared.pulls.lock()
    }
}

async fn token(
    State(shared): State<Arc<Shared>>,
    Query(query): Query<HashMap<String, String>>,
    headers: HeaderMap,
) -> Response {
    let is_scoped = query.get("scope").is_some_and(|scope| *scope == format!("repository:{REPOSITORY}:pull"));
    let is_user = headers.get(AUTHORIZATION).is_some_and(|shown| shown == BASIC);
    if !is_scoped || (*shared.manner.lock() == Manner::ToUsers && !is_user) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    json!({ "token": TOKEN, "expires_in": 60 }).to_string().into_response()
}

async fn of_registry(State(shared): State<Arc<Shared>>, Path(path): Path<String>, headers: HeaderMap) -> Response {
    let address = shared.address;
    if headers.get(AUTHORIZATION).is_none_or(|shown| *shown != format!("Bearer {TOKEN}")) {
        let challenge =
            format!("Bearer realm=\"http://{address}/token\",service=\"test\",scope=\"repository:{REPOSITORY}:pull\"");
        return (StatusCode::UNAUTHORIZED, [(WWW_AUTHENTICATE, challenge)]).into_response();
    }
    let rest = path.strip_prefix(REPOSITORY).and_then(|rest| rest.strip_prefix('/'));
    let Some((kind, digest)) = rest.and_then(|rest| rest.split_once("/sha256:")) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    if kind == "blobs" {
        let to = match *shared.manner.lock() {
            Manner::InCircles => format!("http://{address}/bytes/circle"),
            _ => format!("http://{address}/bytes/{digest}"),
        };
        return (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, to)]).into_response();
    }
    *shared.pulls.lock() += 1;
    shared.answer(digest, Manner::OtherManifests)
}

/// Another address, as of a network that delivers bytes.
async fn bytes(State(shared): State<Arc<Shared>>, Path(digest): Path<String>, headers: HeaderMap) -> Response {
    if digest == "circle" {
        let to = format!("http://{}/bytes/circle", shared.address);
        return (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, to)]).into_response();
    }
    if headers.contains_key(AUTHORIZATION) {
        return (StatusCode::BAD_REQUEST, "the token was sent to another address").into_response();
    }
    shared.answer(&digest, Manner::OtherBytes)
}

impl Shared {
    /// The bytes with this digest, changed if the registry answers in the manner `changing`.
    fn answer(&self, digest: &str, changing: Manner) -> Response {
        let Some(stored) = self.stored.lock().get(digest).cloned() else {
            return StatusCode::NOT_FOUND.into_response();
        };
        if *self.manner.lock() == changing {
            return [&stored[..], b" "].concat().into_response();
        }
        stored.into_response()
    }
}
