//! An `OpenID` Connect provider on loopback. It checks what a provider must check, and answers wrongly if a test asks for
//! it.

mod key;

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, SystemTime},
};

use axum::{
    Json, Router,
    extract::{Query, State},
    http::{HeaderMap, StatusCode},
    response::{Html, IntoResponse, Response},
    routing::{get, post},
};
use base64::{
    Engine as _,
    prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD},
};
use bytes::Bytes;
use parking_lot::Mutex;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::{net::TcpListener, task::JoinHandle, time::sleep};
use tokio_util::task::AbortOnDropHandle;
use url::Url;

pub(crate) use self::key::Key;

pub(crate) const CLIENT_ID: &str = "sealwright field/1";
/// With characters that have a meaning in forms and headers.
pub(crate) const CLIENT_SECRET: &str = "s:cret & more=100%";
/// The person who signs in, unless a test says otherwise.
pub(crate) const SUBJECT: &str = "auth0|flora-5f7c8ec7";

/// Listens until it is dropped.
pub(crate) struct Issuer {
    /// Exactly as in its documents.
    pub(crate) url: String,
    pub(crate) state: Arc<Mutex<Behaviour>>,
    address: std::net::SocketAddr,
    listening: Option<AbortOnDropHandle<()>>,
}

/// Changes a token's header and claims before it is signed.
pub(crate) type Forgery = fn(&mut Value, &mut Value);

/// What it does from now on.
#[expect(clippy::struct_excessive_bools, reason = "each is one way in which a provider differs")]
pub(crate) struct Behaviour {
    pub(crate) issuer: String,
    pub(crate) subject: String,
    /// The keys of its JWK set.
    pub(crate) published: Vec<Key>,
    pub(crate) signs_with: Key,
    pub(crate) forge: Option<Forgery>,
    /// Further claims of its tokens: an object.
    pub(crate) claims: Value,
    /// Whether a person can sign out there.
    pub(crate) ends_sessions: bool,
    /// Whether its tokens have no signature.
    pub(crate) unsigned: bool,
    /// Whether a code can be used again.
    pub(crate) takes_codes_twice: bool,
    /// Whether the client's secret must be in the body.
    pub(crate) secret_in_body: bool,
    /// Answered by every address in place of the real answer.
    pub(crate) status: Option<StatusCode>,
    /// How long the token endpoint waits.
    pub(crate) delay: Duration,
    codes: HashMap<String, Grant>,
    /// How often each address was asked.
    pub(crate) asked: HashMap<&'static str, u32>,
}

#[derive(Clone)]
struct Grant {
    nonce: String,
    challenge: String,
    redirect: String,
}

type Shared = Arc<Mutex<Behaviour>>;

impl Issuer {
    /// As `http://127.0.0.1:<port>`, the same site as the server.
    pub(crate) async fn start() -> Self {
        Self::start_as("127.0.0.1").await
    }

    /// As `http://<host>:<port>`.
    pub(crate) async fn start_as(host: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("listen on loopback");
        let address = listener.local_addr().expect("the address of a listener");
        let url = format!("http://{host}:{}", address.port());
        let key = Key::ecdsa("first");
        let state = Arc::new(Mutex::new(Behaviour {
            issuer: url.clone(),
            subject: SUBJECT.to_owned(),
            published: vec![key.clone()],
            signs_with: key,
            forge: None,
            claims: json!({}),
            ends_sessions: false,
            unsigned: false,
            takes_codes_twice: false,
            secret_in_body: false,
            status: None,
            delay: Duration::ZERO,
            codes: HashMap::new(),
            asked: HashMap::new(),
        }));
        let listening = Some(AbortOnDropHandle::new(serve(listener, &state)));
        Self { url, state, address, listening }
    }

    /// The settings of a server whose console uses it.
    pub(crate) fn console_settings(&self) -> Vec<(&'static str, String)> {
        console_settings(&self.url)
    }

    /// The settings of a server whose field app uses it.
    pub(crate) fn settings(&self) -> Vec<(&'static str, String)> {
        field_settings(&self.url)
    }

    pub(crate) fn change(&self, change: impl FnOnce(&mut Behaviour)) {
        change(&mut self.state.lock());
    }

    /// How often an address was asked.
    pub(crate) fn asked(&self, address: &str) -> u32 {
        self.state.lock().asked.get(address).copied().unwrap_or_default()
    }

    /// Signs the person in, as the page behind this address does, and returns where the person goes on.
    pub(crate) fn authorize(&self, address: &str) -> String {
        let url = Url::parse(address).expect("an address");
        assert!(address.starts_with(&format!("{}/authorize?", self.url)), "{address}");
        let query: HashMap<String, String> = url.query_pairs().into_owned().collect();
        self.state.lock().grant(&query).expect("a right request")
    }

    /// Refuses every connection from now on.
    pub(crate) fn stop(&mut self) {
        self.listening = None;
    }

    /// Listens again, at the same address.
    pub(crate) async fn resume(&mut self) {
        let listener = TcpListener::bind(self.address).await.expect("listen on the same port");
        self.listening = Some(AbortOnDropHandle::new(serve(listener, &self.state)));
    }
}

/// The settings of a server whose console uses the issuer at this address.
pub(crate) fn console_settings(issuer: &str) -> Vec<(&'static str, String)> {
    vec![
        ("SEALWRIGHT_CONSOLE_OPENID_ISSUER", issuer.to_owned()),
        ("SEALWRIGHT_CONSOLE_OPENID_CLIENT_ID", CLIENT_ID.to_owned()),
        ("SEALWRIGHT_CONSOLE_OPENID_CLIENT_SECRET_ENV", "SEALWRIGHT_TEST_OIDC_SECRET".to_owned()),
        ("SEALWRIGHT_TEST_OIDC_SECRET", CLIENT_SECRET.to_owned()),
        ("SEALWRIGHT_CONSOLE_OPENID_PRIVATE_ADDRESSES", "127.0.0.0/8,::1".to_owned()),
    ]
}

/// The settings of a server whose field app uses the issuer at this address.
pub(crate) fn field_settings(issuer: &str) -> Vec<(&'static str, String)> {
    vec![
        ("SEALWRIGHT_FIELD_OIDC_ISSUER", issuer.to_owned()),
        ("SEALWRIGHT_FIELD_OIDC_CLIENT_ID", CLIENT_ID.to_owned()),
        ("SEALWRIGHT_FIELD_OIDC_CLIENT_SECRET_ENV", "SEALWRIGHT_TEST_OIDC_SECRET".to_owned()),
        ("SEALWRIGHT_TEST_OIDC_SECRET", CLIENT_SECRET.to_owned()),
        ("SEALWRIGHT_FIELD_OIDC_NAME", "Harbour ID".to_owned()),
        ("SEALWRIGHT_FIELD_OIDC_PRIVATE_ADDRESSES", "127.0.0.0/8,::1".to_owned()),
    ]
}

fn serve(listener: TcpListener, state: &Shared) -> JoinHandle<()> {
    let router = Router::new()
        .route("/.well-known/openid-configuration", get(metadata))
        .route("/keys", get(keys))
        .route("/authorize", get(authorize))
        .route("/token", post(token))
        .with_state(Arc::clone(state));
    tokio::spawn(async move { axum::serve(listener, router).await.expect("serve") })
}

impl Behaviour {
    /// Counts a request. Returns the answer of an issuer that fails.
    fn count(&mut self, address: &'static str) -> Option<Response> {
        *self.asked.entry(address).or_default() += 1;
        Some((self.status?, Json(json!({ "error": "server_error" }))).into_response())
    }

    fn grant(&mut self, query: &HashMap<String, String>) -> Result<String, String> {
        let get = |name: &str| query.get(name).cloned().ok_or_else(|| format!("{name} is missing"));
        for (name, expected) in [("response_type", "code"), ("client_id", CLIENT_ID), ("code_challenge_method", "S256")]
        {
            let given = get(name)?;
            if given != expected {
                return Err(format!("{name} is {given}"));
            }
        }
        // The field app needs the subject only, the console also names.
        let scope = get("scope")?;
        if !["openid", "openid profile email"].contains(&scope.as_str()) {
            return Err(format!("scope is {scope}"));
        }
        let grant = Grant { nonce: get("nonce")?, challenge: get("code_challenge")?, redirect: get("redirect_uri")? };
        if get("state")?.len() < 32 || grant.nonce.len() < 32 || grant.challenge.len() != 43 {
            return Err("state, nonce or challenge is too short".to_owned());
        }
        let code = format!("code {}/{}?", self.codes.len(), &grant.challenge[..8]);
        let mut back = Url::parse(&grant.redirect).map_err(|error| error.to_string())?;
        back.query_pairs_mut()
            .append_pair("code", &code)
            .append_pair("state", &get("state")?)
            .append_pair("iss", &self.issuer);
        self.codes.insert(code, grant);
        Ok(back.into())
    }

    fn exchange(&mut self, headers: &HeaderMap, form: &HashMap<String, String>) -> Result<Value, &'static str> {
        let given = |name: &str| form.get(name).map(String::as_str);
        let encode = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        let basic =
            format!("Basic {}", BASE64_STANDARD.encode(format!("{}:{}", encode(CLIENT_ID), encode(CLIENT_SECRET))));
        let is_client = if self.secret_in_body {
            given("client_id") == Some(CLIENT_ID) && given("client_secret") == Some(CLIENT_SECRET)
        } else {
            headers.get("authorization").is_some_and(|header| header == &basic)
        };
        if !is_client {
            return Err("invalid_client");
        }
        let code = given("code").ok_or("invalid_request")?;
        let grant = self.codes.get(code).cloned().ok_or("invalid_grant")?;
        if !self.takes_codes_twice {
            self.codes.remove(code);
        }
        let verifier = given("code_verifier").ok_or("invalid_request")?;
        let is_right = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier)) == grant.challenge
            && given("redirect_uri") == Some(grant.redirect.as_str())
            && given("grant_type") == Some("authorization_code");
        if !is_right {
            return Err("invalid_grant");
        }
        let token = self.id_token(&grant.nonce);
        Ok(json!({ "access_token": "not used", "token_type": "Bearer", "expires_in": 300, "id_token": token }))
    }

    fn id_token(&self, nonce: &str) -> String {
        let key = &self.signs_with;
        let mut header = json!({ "alg": key.algorithm(), "typ": "JWT", "kid": key.id });
        let mut claims = json!({
            "iss": self.issuer, "sub": self.subject, "aud": CLIENT_ID, "nonce": nonce, "iat": now(), "exp": now() + 300,
        });
        for (name, value) in self.claims.as_object().expect("an object") {
            claims[name] = value.clone();
        }
        if let Some(forge) = self.forge {
            forge(&mut header, &mut claims);
        }
        let signed = [header, claims].map(|part| BASE64_URL_SAFE_NO_PAD.encode(part.to_string())).join(".");
        let signature = if self.unsigned { Vec::new() } else { key.sign(signed.as_bytes()) };
        format!("{signed}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature))
    }
}

#[expect(clippy::disallowed_methods, reason = "the server's clock is the system's, too")]
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970").as_secs()
}

async fn metadata(State(shared): State<Shared>) -> Response {
    let mut behaviour = shared.lock();
    if let Some(answer) = behaviour.count("metadata") {
        return answer;
    }
    let (issuer, method) =
        (&behaviour.issuer, if behaviour.secret_in_body { "client_secret_post" } else { "client_secret_basic" });
    let mut metadata = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/keys"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        // More than a client may accept.
        "id_token_signing_alg_values_supported": ["RS256", "ES256", "HS256", "none"],
        "token_endpoint_auth_methods_supported": [method],
        "code_challenge_methods_supported": ["S256"],
    });
    if behaviour.ends_sessions {
        metadata["end_session_endpoint"] = json!(format!("{issuer}/end"));
    }
    Json(metadata).into_response()
}

async fn keys(State(shared): State<Shared>) -> Response {
    let mut behaviour = shared.lock();
    if let Some(answer) = behaviour.count("keys") {
        return answer;
    }
    let keys: Vec<Value> = behaviour.published.iter().map(Key::jwk).collect();
    Json(json!({ "keys": keys })).into_response()
}

/// The page on which a person says who they are.
async fn authorize(State(shared): State<Shared>, Query(query): Query<HashMap<String, String>>) -> Response {
    let mut behaviour = shared.lock();
    if let Some(answer) = behaviour.count("authorize") {
        return answer;
    }
    match behaviour.grant(&query) {
        Ok(back) => {
            let back = back.replace('&', "&amp;");
            let prompt = query.get("prompt").map_or("none", String::as_str);
            Html(format!(
                "<!doctype html><title>Harbour ID</title><h1>Who are you?</h1><p>prompt {prompt}</p>
                 <a id=flora href=\"{back}\">Flora</a>"
            ))
            .into_response()
        }
        Err(reason) => (StatusCode::BAD_REQUEST, reason).into_response(),
    }
}

async fn token(State(shared): State<Shared>, headers: HeaderMap, body: Bytes) -> Response {
    let form = url::form_urlencoded::parse(&body).into_owned().collect();
    let delay = shared.lock().delay;
    sleep(delay).await;
    let mut behaviour = shared.lock();
    if let Some(answer) = behaviour.count("token") {
        return answer;
    }
    match behaviour.exchange(&headers, &form) {
        Ok(answer) => Json(answer).into_response(),
        Err(error) => (StatusCode::BAD_REQUEST, Json(json!({ "error": error }))).into_response(),
    }
}
