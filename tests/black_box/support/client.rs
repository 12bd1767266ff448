//! An integrator's HTTP client: requests with or without a token, and answers that tests can inspect.

use std::{sync::Once, time::Duration};

use bytes::Bytes;
use hyper::{HeaderMap, Method, StatusCode};
use reqwest::{
    Body, Client, RequestBuilder,
    multipart::{Form, Part},
    redirect,
};
use serde_json::{Value, json};

use super::AMPLE;

/// The server's interface as one caller sees it.
#[derive(Clone)]
pub(crate) struct Api {
    pub(crate) base: String,
    pub(crate) token: Option<String>,
    /// The cookie and the CSRF token of a field user.
    session: Option<(String, String)>,
    http: Client,
}

impl Api {
    pub(crate) fn new(base: &str, token: Option<String>) -> Self {
        static PROVIDER: Once = Once::new();
        // The client needs a TLS provider even for plain http. The first caller installs it.
        PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
        let http = Client::builder()
            .no_proxy()
            // The server speaks plain http. Otherwise each client would read all authorities of the system.
            .tls_certs_only([])
            .redirect(redirect::Policy::none())
            .timeout(AMPLE)
            // Below the header timeout of the server, which closes an idle connection just as it is used again.
            .pool_idle_timeout(Duration::from_secs(5))
            .build()
            .expect("build the HTTP client");
        Self { base: base.to_owned(), token, session: None, http }
    }

    /// The same server with another token, or none.
    pub(crate) fn with_token(&self, token: Option<&str>) -> Self {
        Self { token: token.map(str::to_owned), ..self.clone() }
    }

    /// The same server as a field user, whose session has this cookie (`name=value`) and this CSRF token.
    pub(crate) fn with_session(&self, cookie: &str, csrf: &str) -> Self {
        Self { token: None, session: Some((cookie.to_owned(), csrf.to_owned())), ..self.clone() }
    }

    /// `POST /auth/token`.
    pub(crate) async fn sign_in(&self, username: &str, password: &str) -> Answer {
        self.post("/auth/token", &json!({ "username": username, "password": password })).await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        send(self.request(Method::GET, path)).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        send(self.request(Method::POST, path).json(body)).await
    }

    pub(crate) async fn patch(&self, path: &str, body: &Value) -> Answer {
        send(self.request(Method::PATCH, path).json(body)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        send(self.request(Method::DELETE, path)).await
    }

    /// A request to be completed by the caller and sent with [`send`]. `path` starts with `/`; a whole URL from the
    /// server is used as is.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = if path.starts_with('/') { format!("{}{path}", self.base) } else { path.to_owned() };
        let request = self.http.request(method, url);
        let request = match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        match &self.session {
            Some((cookie, csrf)) => request.header("cookie", cookie).header("x-csrf-token", csrf),
            None => request,
        }
    }

    /// Uploads a file with its description in the form of spec 4.13: the parts `createItemDto` and `file`.
    pub(crate) async fn upload(&self, path: &str, create_item: &Value, file: Upload) -> Answer {
        send(self.upload_request(path, create_item, file)).await
    }

    /// The request of [`Self::upload`], not yet sent.
    pub(crate) fn upload_request(&self, path: &str, create_item: &Value, file: Upload) -> RequestBuilder {
        let part = Part::bytes(file.bytes).file_name(file.name).mime_str(file.media_type).expect("a media type");
        let form = Form::new().text("createItemDto", create_item.to_string()).part("file", part);
        self.request(Method::POST, path).multipart(form)
    }

    /// Posts a body that no well-behaved client would send, with any `Content-Type`.
    pub(crate) async fn post_raw(&self, path: &str, content_type: &str, body: impl Into<Body>) -> Answer {
        send(self.request(Method::POST, path).header("content-type", content_type).body(body)).await
    }
}

/// A file to upload, with the name and the media type that the client states.
pub(crate) struct Upload {
    pub(crate) bytes: Vec<u8>,
    pub(crate) name: &'static str,
    pub(crate) media_type: &'static str,
}

/// Sends a request and reads the whole answer.
pub(crate) async fn send(request: RequestBuilder) -> Answer {
    try_send(request).await.expect("the server answers")
}

/// Sends a request to a server that may go away meanwhile. An answer counts if it arrives completely.
pub(crate) async fn try_send(request: RequestBuilder) -> reqwest::Result<Answer> {
    let response = request.send().await?;
    let (status, headers) = (response.status(), response.headers().clone());
    Ok(Answer { status, headers, body: response.bytes().await? })
}

#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    /// The answer itself, if it has this status.
    #[track_caller]
    pub(crate) fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text());
        self
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error} in {}", self.text()))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The only value of a header. `None` if it is absent.
    #[track_caller]
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        only_header(&self.headers, name)
    }

    /// The message of an error, after checking that the body is the standard one of spec 7 and nothing else.
    #[track_caller]
    pub(crate) fn error_message(&self) -> String {
        let body = self.json();
        let message = body["message"].as_str().unwrap_or_default().to_owned();
        assert!(!message.is_empty() && !message.contains('\n'), "the message is one line of text: {body}");
        let reason = self.status.canonical_reason().expect("a status with a reason phrase");
        assert_eq!(body, json!({ "statusCode": self.status.as_u16(), "message": message, "error": reason }));
        assert_eq!(self.header("content-type"), Some("application/json"));
        message
    }
}

/// The only value of a header. `None` if it is absent.
#[track_caller]
pub(super) fn only_header<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().expect("a header of visible characters");
    assert_eq!(values.next(), None, "{name} appears twice");
    Some(value)
}
