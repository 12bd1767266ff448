//! The client of a company: it repeats what was not answered, as an integrator does who must know.

use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use reqwest::{
    Method, RequestBuilder,
    multipart::{Form, Part},
    redirect,
};
use serde_json::{Value, json};

use super::{company::PASSWORD, ledger::Owner};
use crate::{client::Answer, files::File};

const TIMEOUT: Duration = Duration::from_secs(45);
/// How long something is tried again, longer than any fault of the year.
const PATIENCE: Duration = Duration::from_mins(4);
const PAUSE: Duration = Duration::from_millis(300);

#[derive(Clone)]
pub(super) struct Api {
    base: String,
    token: Option<String>,
    http: reqwest::Client,
}

impl Api {
    pub(super) fn new(base: &str) -> anyhow::Result<Self> {
        // The client needs a TLS provider even if it only speaks http. Another client may have installed it.
        drop(rustls::crypto::ring::default_provider().install_default());
        let http = reqwest::Client::builder()
            .no_proxy()
            .tls_certs_only([])
            .redirect(redirect::Policy::none())
            .timeout(TIMEOUT)
            .pool_idle_timeout(Duration::from_secs(5))
            .build()?;
        Ok(Self { base: base.to_owned(), token: None, http })
    }

    pub(super) async fn signed_in(&self, owner: Owner) -> anyhow::Result<Self> {
        let credentials = json!({ "username": owner.username(), "password": PASSWORD });
        let signed_in = self.until_answered("sign-in", || self.request(Method::POST, "/auth/token").json(&credentials));
        let token = signed_in.await?["token"].as_str().context("a token")?.to_owned();
        Ok(Self { token: Some(token), ..self.clone() })
    }

    pub(super) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.base));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// Sends a request once. `None` without a complete answer.
    pub(super) async fn send(request: RequestBuilder) -> Option<Answer> {
        let response = request.send().await.ok()?;
        let status = response.status().as_u16();
        Some(Answer { status, body: response.bytes().await.ok()? })
    }

    /// Reads something, and waits while a quota is used up: addresses of deleted certificates count as guesses.
    pub(super) async fn get(&self, path: &str) -> anyhow::Result<Answer> {
        let started = Instant::now();
        loop {
            let answer = Self::send(self.request(Method::GET, path)).await;
            let answer = answer.with_context(|| format!("GET {path}: not answered"))?;
            if answer.status != 429 || started.elapsed() > PATIENCE {
                return Ok(answer);
            }
            tokio::time::sleep(Duration::from_secs(2)).await;
        }
    }

    /// Repeats a request until it succeeds. It must be one that is carried out once, however often it is sent.
    pub(super) async fn until_answered(
        &self,
        what: &str,
        request: impl Fn() -> RequestBuilder,
    ) -> anyhow::Result<Value> {
        let started = Instant::now();
        loop {
            let answer = Self::send(request()).await;
            match answer {
                Some(answer) if answer.status < 300 => return Ok(answer.json()),
                Some(answer) if answer.status < 500 && answer.status != 429 && answer.status != 401 => {
                    bail!("{what}: status {}: {}", answer.status, String::from_utf8_lossy(&answer.body));
                }
                answer => {
                    let status = answer.map(|answer| answer.status);
                    ensure!(
                        started.elapsed() < PATIENCE,
                        "{what}: not done within {PATIENCE:?}, last status {status:?}"
                    );
                }
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// A file with its description, as the two parts of a form.
    pub(super) fn upload(&self, path: &str, description: &Value, file: &File, bytes: Vec<u8>) -> RequestBuilder {
        let part = Part::bytes(bytes).file_name(file.name).mime_str(file.media_type);
        let part = part.expect("the types of the lab's files are valid");
        let form = Form::new().text("createItemDto", description.to_string()).part("file", part);
        self.request(Method::POST, path).multipart(form)
    }
}
