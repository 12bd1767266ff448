//! Pulls components from registries of the Open Container Initiative (version 1.1 of its distribution protocol): a manifest by
//! its digest, and the one blob that it names. Both are checked against their digests, so neither the registry nor the
//! network decides which component it is (docs/adr/0056-plugins-from-elsewhere.md).
//!
//! Requests go through the guarded client: a company manifest names the registry, and the registry names further
//! addresses, for tokens and for the bytes.

mod challenge;
mod credentials;

use std::time::Duration;

use anyhow::{Context, anyhow, bail, ensure};
use bytes::Bytes;
use hyper::{
    HeaderMap, StatusCode,
    header::{ACCEPT, AUTHORIZATION, HeaderValue, LOCATION, WWW_AUTHENTICATE},
};
use sealwright_seal::digest::Sha256Digest;
use serde::Deserialize;
use url::Url;

use self::{
    challenge::Challenge,
    credentials::{Credentials, sensitive},
};
use crate::{
    config::RegistrySettings,
    domain::registry_reference::{RegistryReference, is_this_machine},
    egress::{Answer, Egress},
};

/// For each request.
const TIMEOUT: Duration = Duration::from_mins(1);
/// The most bytes of a manifest, of a token's answer and of an error.
const MAX_MANIFEST_BYTES: usize = 1 << 20;
/// The most bytes of a component: more than a host of plugins accepts.
const MAX_COMPONENT_BYTES: usize = 32 << 20;
/// How often a request may be sent to another address.
const MAX_REDIRECTS: usize = 3;
/// What is accepted as a manifest.
const MANIFEST_TYPE: &str = "application/vnd.oci.image.manifest.v1+json";
/// The media types of WebAssembly among the layers of a manifest.
const COMPONENT_TYPES: [&str; 2] = ["application/wasm", "application/vnd.wasm.content.layer.v1+wasm"];

/// A client of registries.
pub struct Registries {
    client: Egress,
    credentials: Credentials,
    may_be_private: bool,
}

impl Registries {
    /// # Errors
    /// If TLS cannot be set up, or the file of credentials cannot be read.
    pub fn new(settings: &RegistrySettings) -> anyhow::Result<Self> {
        let client = Egress::for_networks(TIMEOUT, settings.private_addresses.clone())?;
        let credentials = match &settings.credentials_file {
            Some(file) => Credentials::read(file)?,
            None => Credentials::default(),
        };
        Ok(Self { client, credentials, may_be_private: !settings.private_addresses.is_empty() })
    }

    /// The component that the reference names.
    ///
    /// # Errors
    /// If the registry may not be asked, cannot be reached or refuses, if a digest does not match, or if there is not
    /// exactly one component.
    pub async fn pull(&self, reference: &RegistryReference) -> anyhow::Result<Bytes> {
        ensure!(
            self.may_be_private || !reference.is_on_this_machine(),
            "the registry {} is on this machine: plugins.registry_private_addresses has to list its address",
            reference.registry()
        );
        let mut session = Session { registries: self, reference, authorization: None };
        let manifest = session.get("manifests", reference.digest(), MAX_MANIFEST_BYTES).await?;
        let layer = component_of(&manifest)?;
        let digest = layer.digest.strip_prefix("sha256:").and_then(|digest| digest.parse().ok());
        let digest = digest.context("the manifest names a component without a digest of SHA-256")?;
        ensure!(
            layer.size <= MAX_COMPONENT_BYTES as u64,
            "the component has {} bytes; at most {MAX_COMPONENT_BYTES} are pulled",
            layer.size
        );
        session.get("blobs", digest, MAX_COMPONENT_BYTES).await
    }
}

/// The parts of an image's manifest that matter here.
#[derive(Debug, Deserialize)]
struct Manifest {
    #[serde(default)]
    layers: Vec<Layer>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Layer {
    media_type: String,
    digest: String,
    size: u64,
}

/// The answer of a token server.
#[derive(Deserialize)]
struct Token {
    token: Option<String>,
    access_token: Option<String>,
}

/// The only component that a manifest names.
fn component_of(manifest: &[u8]) -> anyhow::Result<Layer> {
    let manifest: Manifest = serde_json::from_slice(manifest).context("its manifest is not that of an OCI image")?;
    let is_component = |layer: &Layer| COMPONENT_TYPES.contains(&layer.media_type.as_str());
    let mut components = manifest.layers.into_iter().filter(is_component);
    match (components.next(), components.next()) {
        (Some(component), None) => Ok(component),
        (Some(_), Some(_)) => bail!("its manifest names several components; expected one"),
        (None, _) => bail!(
            "its manifest names no component: expected one layer of the media type {}. An index has none: name the \
             digest of a manifest in it",
            COMPONENT_TYPES[0]
        ),
    }
}

/// The requests of one pull.
struct Session<'a> {
    registries: &'a Registries,
    reference: &'a RegistryReference,
    /// What the registry wanted to see. It is only sent to the registry.
    authorization: Option<HeaderValue>,
}

impl Session<'_> {
    /// The manifest or blob with this digest, checked.
    async fn get(&mut self, kind: &str, digest: Sha256Digest, most: usize) -> anyhow::Result<Bytes> {
        let url = self.address(kind, digest)?;
        let mut answer = self.ask(&url, most).await?;
        if answer.status == StatusCode::UNAUTHORIZED && self.authorization.is_none() {
            self.authorize(&answer).await?;
            answer = self.ask(&url, most).await?;
        }
        let registry = self.reference.registry();
        match answer.status {
            StatusCode::OK => {}
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => bail!(
                "the registry {registry} does not allow it (status {}): plugins.registry_credentials_file can name a \
                 user",
                answer.status.as_u16()
            ),
            StatusCode::NOT_FOUND => bail!("the registry {registry} does not have it"),
            status => bail!("the registry {registry} answered with status {}", status.as_u16()),
        }
        let found = Sha256Digest::of(&answer.body);
        ensure!(found == digest, "the registry {registry} sent other bytes: their SHA-256 is {found}, not {digest}");
        Ok(answer.body)
    }

    fn address(&self, kind: &str, digest: Sha256Digest) -> anyhow::Result<Url> {
        let scheme = if self.reference.is_on_this_machine() { "http" } else { "https" };
        let host = match self.reference.registry() {
            // Its server has another name.
            "docker.io" => "registry-1.docker.io",
            registry => registry,
        };
        let address = format!("{scheme}://{host}/v2/{}/{kind}/sha256:{digest}", self.reference.repository());
        Url::parse(&address).with_context(|| format!("the registry {host} has no valid address"))
    }

    /// Sends a request, and again to each address to which it is sent on. Those do not see the authorization.
    async fn ask(&self, url: &Url, most: usize) -> anyhow::Result<Answer> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(MANIFEST_TYPE));
        headers.append(ACCEPT, HeaderValue::from_static("application/octet-stream"));
        if let Some(authorization) = &self.authorization {
            headers.insert(AUTHORIZATION, authorization.clone());
        }
        let mut answer = self.send(url, headers, most).await?;
        let mut from = url.clone();
        for _ in 0..MAX_REDIRECTS {
            if !answer.status.is_redirection() {
                return Ok(answer);
            }
            let to = answer.headers.get(LOCATION).and_then(|to| to.to_str().ok());
            let to = to.and_then(|to| from.join(to).ok()).context("the registry sends the request on to no address")?;
            ensure!(is_secure(&to), "the registry sends the request on without TLS, to {}", host_of(&to));
            answer = self.send(&to, HeaderMap::new(), most).await?;
            // The user and the password are for the registry only.
            let is_refused = answer.status == StatusCode::UNAUTHORIZED;
            ensure!(!is_refused, "{} refuses what the registry sends the request on to", host_of(&to));
            from = to;
        }
        ensure!(!answer.status.is_redirection(), "the registry sends the request on more than {MAX_REDIRECTS} times");
        Ok(answer)
    }

    async fn send(&self, url: &Url, headers: HeaderMap, most: usize) -> anyhow::Result<Answer> {
        let answer = self.registries.client.get(url, headers, most).await;
        answer.map_err(|reason| anyhow!("{}: {reason}", host_of(url)))
    }

    /// Gets what the registry wants to see.
    async fn authorize(&mut self, refused: &Answer) -> anyhow::Result<()> {
        let registry = self.reference.registry();
        let mut given = refused.headers.get_all(WWW_AUTHENTICATE).iter().filter_map(|given| given.to_str().ok());
        let challenge = given.find_map(Challenge::read);
        let challenge =
            challenge.with_context(|| format!("the registry {registry} wants an unknown authentication"))?;
        let own = self.registries.credentials.of(registry);
        let authorization = match challenge {
            Challenge::Basic => {
                own.with_context(|| format!("the registry {registry} wants a user: plugins.registry_credentials_file"))?
            }
            Challenge::Bearer { realm, service, scope } => {
                let scope = scope.unwrap_or_else(|| format!("repository:{}:pull", self.reference.repository()));
                self.token(&realm, service.as_deref(), &scope, own).await?
            }
        };
        self.authorization = Some(authorization);
        Ok(())
    }

    async fn token(
        &self,
        realm: &str,
        service: Option<&str>,
        scope: &str,
        own: Option<HeaderValue>,
    ) -> anyhow::Result<HeaderValue> {
        let mut url = Url::parse(realm).context("the registry names no valid address for tokens")?;
        ensure!(is_secure(&url), "the registry wants tokens without TLS, from {}", host_of(&url));
        url.query_pairs_mut().append_pair("scope", scope);
        if let Some(service) = service {
            url.query_pairs_mut().append_pair("service", service);
        }
        let headers = own.map(|own| (AUTHORIZATION, own)).into_iter().collect();
        let answer = self.send(&url, headers, MAX_MANIFEST_BYTES).await?;
        let (server, status) = (host_of(&url), answer.status);
        ensure!(status == StatusCode::OK, "the token server {server} answered with status {}", status.as_u16());
        let token: Token = serde_json::from_slice(&answer.body).context("the token server's answer is not JSON")?;
        let token = token.token.or(token.access_token).context("the token server's answer has no token")?;
        sensitive(&format!("Bearer {token}")).context("the token server's answer has a token that cannot be sent")
    }
}

/// Whether no one between can read what is sent: over TLS, or within this machine.
fn is_secure(url: &Url) -> bool {
    url.scheme() == "https" || url.host_str().is_some_and(is_this_machine)
}

/// For messages: paths and queries may contain secrets.
fn host_of(url: &Url) -> &str {
    url.host_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(layers: &str) -> String {
        format!(r#"{{"schemaVersion": 2, "mediaType": "{MANIFEST_TYPE}", "config": {{}}, "layers": [{layers}]}}"#)
    }

    fn layer(media_type: &str) -> String {
        format!(r#"{{"mediaType": "{media_type}", "digest": "sha256:00", "size": 7}}"#)
    }

    #[test]
    fn a_manifest_names_one_component_among_its_layers() {
        let layers = [layer("application/vnd.oci.image.layer.v1.tar"), layer("application/wasm")].join(",");
        let found = component_of(manifest(&layers).as_bytes()).unwrap();
        assert_eq!((found.digest.as_str(), found.size), ("sha256:00", 7));
    }

    #[test]
    fn no_component_or_several_are_refused() {
        let none = component_of(manifest(&layer("text/plain")).as_bytes()).unwrap_err().to_string();
        assert!(none.contains("names no component"), "{none}");
        let several = [layer("application/wasm"), layer("application/wasm")].join(",");
        let several = component_of(manifest(&several).as_bytes()).unwrap_err().to_string();
        assert!(several.contains("several components"), "{several}");
        assert!(component_of(br#"{"manifests": []}"#).unwrap_err().to_string().contains("An index has none"));
        assert!(component_of(b"<html>").is_err());
    }

    #[test]
    fn only_this_machine_is_asked_without_tls() {
        let is_secure = |url: &str| super::is_secure(&Url::parse(url).unwrap());
        assert!(is_secure("https://registry.example/token") && is_secure("http://127.0.0.1:5000/token"));
        assert!(is_secure("http://[::1]:5000/token") && is_secure("http://localhost/token"));
        assert!(!is_secure("http://registry.example/token") && !is_secure("http://10.0.0.1/token"));
    }
}
