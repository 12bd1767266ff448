//! User names and passwords of registries, in the format of Docker's `config.json`, which other tools write too.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::Context;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use hyper::header::HeaderValue;
use serde::Deserialize;

/// By registry, the value of the header that shows them.
#[derive(Default)]
pub(super) struct Credentials(BTreeMap<String, HeaderValue>);

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    auths: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
struct Entry {
    /// Base64 of user name, colon and password.
    auth: Option<String>,
    username: Option<String>,
    password: Option<String>,
}

impl Credentials {
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let reading = || format!("plugins.registry_credentials_file: reading {}", path.display());
        Self::parse(&fs::read(path).with_context(reading)?).with_context(reading)
    }

    fn parse(json: &[u8]) -> anyhow::Result<Self> {
        // The error of the parser could repeat a password.
        let file: Option<File> = serde_json::from_slice(json).ok();
        let file = file.context("it is not in the format of Docker's config.json")?;
        let mut all = BTreeMap::new();
        for (registry, Entry { auth, username, password }) in file.auths {
            let encoded = auth.or_else(|| Some(STANDARD.encode(format!("{}:{}", username?, password?))));
            // An entry may be empty if another program keeps the password.
            let Some(encoded) = encoded else { continue };
            let header = sensitive(&format!("Basic {encoded}"));
            all.insert(host(&registry), header.with_context(|| format!("the password of {registry} cannot be sent"))?);
        }
        Ok(Self(all))
    }

    /// What to show to this registry.
    pub(super) fn of(&self, registry: &str) -> Option<HeaderValue> {
        self.0.get(registry).cloned()
    }
}

/// A header that no log shows. None if the text cannot be sent.
pub(super) fn sensitive(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// The registry in a key of the file, which may be a URL.
fn host(key: &str) -> String {
    let without_scheme = key.split_once("://").map_or(key, |(_, rest)| rest);
    match without_scheme.split('/').next().unwrap_or_default() {
        "index.docker.io" | "registry-1.docker.io" => "docker.io".to_owned(),
        host => host.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_registry_has_its_own() {
        let read = Credentials::parse(
            br#"{"auths": {
                "registry.example:5000": {"auth": "dXNlcjpwYXNz"},
                "https://index.docker.io/v1/": {"username": "user", "password": "pass"},
                "kept.example": {}
            }, "credsStore": "desktop"}"#,
        )
        .unwrap();
        for registry in ["registry.example:5000", "docker.io"] {
            let shown = read.of(registry).unwrap();
            assert_eq!(shown.to_str().unwrap(), "Basic dXNlcjpwYXNz");
            assert!(shown.is_sensitive(), "{registry}");
        }
        assert!(read.of("kept.example").is_none() && read.of("registry.example").is_none());
    }

    #[test]
    fn an_unreadable_file_is_an_error_that_repeats_nothing() {
        let error = Credentials::parse(b"{\"auths\": {\"a\": \"secret\"}}").err().unwrap();
        assert!(!format!("{error:#}").contains("secret"), "{error:#}");
    }
}
