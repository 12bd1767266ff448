//! The server's HTTP interface as an integrator's program calls it: with a bearer token, JSON and multipart forms.

use std::{fs, path::Path, time::Duration};

use anyhow::{Context as _, ensure};
use serde_json::Value;
use ureq::{
    Agent, Body,
    http::{Response, StatusCode},
};

/// No response of the server takes longer, not even for a certificate that is still being rendered (30 s).
const TIMEOUT: Duration = Duration::from_mins(1);
/// Far above any certificate of the demo.
const LARGEST_ANSWER: u64 = 256 * 1024 * 1024;
/// Separates the parts of a form; too long to occur in a file by chance.
const BOUNDARY: &str = "sealwright-demo-7c1f4b0e9a6d4f52a3e8";

pub(super) struct Api {
    agent: Agent,
    base_url: String,
    token: Option<String>,
}

impl Api {
    pub(super) fn new(base_url: String) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(TIMEOUT))
            // The server is on this machine: ignore any proxy of the environment.
            .proxy(None)
            .build();
        Self { agent: config.new_agent(), base_url, token: None }
    }

    /// The same server, called with this token.
    pub(super) fn with_token(self, token: String) -> Self {
        Self { token: Some(token), ..self }
    }

    /// The status of a `GET`, or `None` while the server does not answer.
    pub(super) fn status(&self, path: &str) -> Option<StatusCode> {
        self.agent.get(self.url(path)).call().ok().map(|response| response.status())
    }

    pub(super) fn get(&self, path: &str) -> anyhow::Result<Value> {
        let request = self.agent.get(self.url(path)).header("authorization", self.authorization());
        json(&format!("GET {path}"), request.call()?)
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> anyhow::Result<Value> {
        let request = self.agent.post(self.url(path)).header("authorization", self.authorization());
        json(&format!("POST {path}"), request.send_json(body)?)
    }

    /// Sends a file and the JSON that describes it as the two parts of a form (spec 4.13).
    pub(super) fn post_file(&self, path: &str, file: &Path, item: &Value) -> anyhow::Result<Value> {
        let content = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let request = self
            .agent
            .post(self.url(path))
            .header("authorization", self.authorization())
            .header("content-type", format!("multipart/form-data; boundary={BOUNDARY}"));
        json(&format!("POST {path}"), request.send(&form(&file_name(file), &content, item)[..])?)
    }

    /// The media type and bytes of a public URL, which needs no token.
    pub(super) fn download(&self, url: &str) -> anyhow::Result<(String, Vec<u8>)> {
        let mut response = self.agent.get(url).call()?;
        let kind = response.headers().get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or("").to_owned();
        let bytes = response.body_mut().with_config().limit(LARGEST_ANSWER).read_to_vec()?;
        ensure!(
            response.status().is_success(),
            "GET {url} answered {}: {}",
            response.status(),
            String::from_utf8_lossy(&bytes)
        );
        Ok((kind, bytes))
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base_url)
    }

    fn authorization(&self) -> String {
        self.token.as_ref().map_or_else(String::new, |token| format!("Bearer {token}"))
    }
}

/// A file's name, safe for a form part.
pub(super) fn file_name(file: &Path) -> String {
    file.file_name().map_or_else(|| "file".into(), |name| name.to_string_lossy().replace(['"', '\\', '\r', '\n'], "_"))
}

fn form(name: &str, content: &[u8], item: &Value) -> Vec<u8> {
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"createItemDto\"\r\nContent-Type: application/json\r\n\r\n\
         {item}\r\n\
         --{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
         Content-Type: application/octet-stream\r\n\r\n"
    );
    [head.as_bytes(), content, format!("\r\n--{BOUNDARY}--\r\n").as_bytes()].concat()
}

fn json(call: &str, mut response: Response<Body>) -> anyhow::Result<Value> {
    let text = response.body_mut().read_to_string().with_context(|| format!("the answer to {call} cannot be read"))?;
    ensure!(response.status().is_success(), "{call} answered {}: {text}", response.status());
    serde_json::from_str(&text).with_context(|| format!("the answer to {call} is not JSON: {text}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_form_has_the_description_first_and_the_file_untouched() {
        let form = form("a.pdf", b"%PDF-\x00\xff", &json!({ "stepId": 7 }));
        let text = String::from_utf8_lossy(&form);
        assert!(text.starts_with(&format!("--{BOUNDARY}\r\n")));
        assert!(text.contains("name=\"createItemDto\"\r\nContent-Type: application/json\r\n\r\n{\"stepId\":7}\r\n--"));
        assert!(form.windows(13).any(|window| window == b"\r\n\r\n%PDF-\x00\xff\r\n"));
        assert!(form.ends_with(format!("\r\n--{BOUNDARY}--\r\n").as_bytes()));
    }

    #[test]
    fn a_file_name_cannot_break_out_of_its_quotes() {
        assert_eq!(file_name(Path::new("/tmp/a\"b\r\n.pdf")), "a_b__.pdf");
    }
}
