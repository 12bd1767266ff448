//! The role `webhook-authentication`: what the host holds for a mode, and what it accepts as an answer.

use std::fmt;

use bytes::Bytes;
use hmac::{Hmac, KeyInit, Mac};
use hyper::header::{self, HeaderName, HeaderValue};
use sha2::{Digest, Sha256};
use wasmtime::{Engine, component::Resource};

use super::{
    bindings::{
        WebhookAuthPre,
        exports::sealwright::plugin::webhook_authentication::Header,
        sealwright::plugin::{
            content,
            credentials::{self, Part, Refusal},
            webhook,
        },
    },
    call::{self, CallState},
    error::{Failure, PluginError},
    limits,
    secret::SecretString,
};
use crate::clock::Timestamp;

/// The most headers that a mode may answer with.
const MAX_HEADERS: usize = 16;
/// The most bytes that the names and values of those headers may have in all.
const MAX_HEADER_BYTES: usize = 8 * 1024;

/// Headers that frame the message or say where it goes: they are the HTTP client's alone.
const RESERVED_HEADERS: [HeaderName; 9] = [
    header::HOST,
    header::CONTENT_LENGTH,
    header::CONTENT_TYPE,
    header::TRANSFER_ENCODING,
    header::CONNECTION,
    header::UPGRADE,
    header::TE,
    header::TRAILER,
    header::EXPECT,
];

/// The webhook that a mode authenticates. Its method is `POST`.
#[derive(Clone, Debug)]
pub struct WebhookRequest {
    pub url: String,
    /// The body as it will be sent, byte for byte.
    pub body: Bytes,
    /// The moment of this attempt.
    pub now: Timestamp,
}

/// What a company authenticates its webhook with, as its manifest says.
#[derive(Clone)]
pub struct WebhookCredential {
    /// What the operator calls it, for messages; for example `webhook.case of company acme`.
    pub label: String,
    /// The manifest's `api_key`. Handed to the mode as text.
    pub key_id: Option<SecretString>,
    /// The manifest's `auth_token` or `api_secret`. A mode signs with it, and gets to see it only when granted.
    pub secret: Option<SecretString>,
    /// Whether the manifest lets a plugin of the operator's see the secret. Built-in modes do not depend on it.
    pub grant_reveal: bool,
}

impl fmt::Debug for WebhookCredential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebhookCredential").field("label", &self.label).finish_non_exhaustive()
    }
}

/// The resource `content`.
pub struct Content(Bytes);

/// The resource `request`.
pub struct HeldRequest(WebhookRequest);

/// The resource `credential`.
pub struct HeldCredential {
    credential: WebhookCredential,
    may_reveal: bool,
}

/// Asks the mode `plugin` for the headers. Takes up to the role's deadline on the calling thread.
pub(super) fn authenticate(
    engine: &Engine,
    plugin: &str,
    component: &WebhookAuthPre<CallState>,
    request: WebhookRequest,
    credential: WebhookCredential,
    may_reveal: bool,
) -> Result<Vec<(HeaderName, HeaderValue)>, PluginError> {
    let private = credential.secret.iter().chain(&credential.key_id).cloned().collect();
    call::run(engine, plugin, limits::WEBHOOK_AUTH_DEADLINE, private, |store| {
        let resources = &mut store.data_mut().resources;
        let request = resources.push(HeldRequest(request))?;
        let credential = resources.push(HeldCredential { credential, may_reveal })?;
        let instance = component.instantiate(&mut *store)?;
        let answer = instance.sealwright_plugin_webhook_authentication().call_authenticate(
            &mut *store,
            Resource::new_borrow(request.rep()),
            Resource::new_borrow(credential.rep()),
        )?;
        Ok(match answer {
            Ok(headers) => check(headers).map_err(Failure::InvalidAnswer),
            Err(error) => Err(store.data().declined(error)),
        })
    })
}

/// Holds an answer to the contract's rules. The reason names headers, never their values.
fn check(headers: Vec<Header>) -> Result<Vec<(HeaderName, HeaderValue)>, String> {
    if headers.len() > MAX_HEADERS {
        return Err(format!("{} headers, where {MAX_HEADERS} are allowed", headers.len()));
    }
    let bytes: usize = headers.iter().map(|header| header.name.len() + header.value.len()).sum();
    if bytes > MAX_HEADER_BYTES {
        return Err(format!("{bytes} bytes of headers, where {MAX_HEADER_BYTES} are allowed"));
    }
    let mut checked: Vec<(HeaderName, HeaderValue)> = Vec::with_capacity(headers.len());
    for header in headers {
        let (name, value) = check_one(&header)?;
        if checked.iter().any(|(earlier, _)| *earlier == name) {
            return Err(format!("the header {name} twice"));
        }
        checked.push((name, value));
    }
    Ok(checked)
}

fn check_one(header: &Header) -> Result<(HeaderName, HeaderValue), String> {
    let name = HeaderName::from_bytes(header.name.as_bytes())
        .map_err(|_| format!("{:?} is no header name (RFC 9110, section 5.6.2)", header.name))?;
    if RESERVED_HEADERS.contains(&name) {
        return Err(format!("the header {name} is not a mode's to set"));
    }
    let printable = header.value.bytes().all(|byte| byte == b'\t' || (b' '..=b'~').contains(&byte));
    if !printable || header.value.trim_matches([' ', '\t']).len() != header.value.len() {
        return Err(format!("the value of {name} is not visible ASCII text without space at its ends"));
    }
    let mut value = HeaderValue::from_str(&header.value).map_err(|_| format!("the value of {name} is none"))?;
    value.set_sensitive(true);
    Ok((name, value))
}

impl content::Host for CallState {}
impl credentials::Host for CallState {}
impl webhook::Host for CallState {}

impl content::HostContent for CallState {
    fn size(&mut self, content: Resource<Content>) -> wasmtime::Result<u64> {
        Ok(self.resources.get(&content)?.0.len() as u64)
    }

    fn read(&mut self, content: Resource<Content>, offset: u64, length: u32) -> wasmtime::Result<Vec<u8>> {
        let bytes = &self.resources.get(&content)?.0;
        let start = usize::try_from(offset).map_or(bytes.len(), |offset| offset.min(bytes.len()));
        let length = usize::try_from(length)?.min(limits::READ_BYTES).min(bytes.len() - start);
        Ok(bytes[start..start + length].to_vec())
    }

    fn sha256(&mut self, content: Resource<Content>) -> wasmtime::Result<Vec<u8>> {
        let bytes = self.resources.get(&content)?.0.clone();
        self.spend_hashing(bytes.len())?;
        Ok(Sha256::digest(&bytes).to_vec())
    }

    fn drop(&mut self, content: Resource<Content>) -> wasmtime::Result<()> {
        self.resources.delete(content)?;
        Ok(())
    }
}

impl credentials::HostCredential for CallState {
    fn label(&mut self, credential: Resource<HeldCredential>) -> wasmtime::Result<String> {
        Ok(self.resources.get(&credential)?.credential.label.clone())
    }

    fn key_id(&mut self, credential: Resource<HeldCredential>) -> wasmtime::Result<Option<String>> {
        let key_id = &self.resources.get(&credential)?.credential.key_id;
        Ok(key_id.as_ref().map(|key_id| key_id.expose().to_owned()))
    }

    fn hmac_sha256(
        &mut self,
        credential: Resource<HeldCredential>,
        message: Vec<Part>,
    ) -> wasmtime::Result<Result<Vec<u8>, Refusal>> {
        let Some(secret) = &self.resources.get(&credential)?.credential.secret else {
            return Ok(Err(Refusal::Absent));
        };
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes())?;
        for part in message {
            let bytes = match part {
                Part::Bytes(bytes) => Bytes::from(bytes),
                Part::Content(content) => self.resources.get(&content)?.0.clone(),
            };
            self.spend_hashing(bytes.len())?;
            mac.update(&bytes);
        }
        Ok(Ok(mac.finalize().into_bytes().to_vec()))
    }

    fn reveal(&mut self, credential: Resource<HeldCredential>) -> wasmtime::Result<Result<String, Refusal>> {
        let HeldCredential { credential, may_reveal } = self.resources.get(&credential)?;
        Ok(match &credential.secret {
            None => Err(Refusal::Absent),
            Some(_) if !may_reveal => Err(Refusal::Denied),
            Some(secret) => Ok(secret.expose().to_owned()),
        })
    }

    fn drop(&mut self, credential: Resource<HeldCredential>) -> wasmtime::Result<()> {
        self.resources.delete(credential)?;
        Ok(())
    }
}

impl webhook::HostRequest for CallState {
    fn method(&mut self, _: Resource<HeldRequest>) -> wasmtime::Result<String> {
        Ok("POST".to_owned())
    }

    fn url(&mut self, request: Resource<HeldRequest>) -> wasmtime::Result<String> {
        Ok(self.resources.get(&request)?.0.url.clone())
    }

    fn body(&mut self, request: Resource<HeldRequest>) -> wasmtime::Result<Resource<Content>> {
        let body = self.resources.get(&request)?.0.body.clone();
        Ok(self.resources.push(Content(body))?)
    }

    fn time(&mut self, request: Resource<HeldRequest>) -> wasmtime::Result<u64> {
        let now = self.resources.get(&request)?.0.now;
        // The contract counts from 1970 on; a machine whose clock is set earlier is in 1970.
        Ok(now.as_millis().max(0).cast_unsigned())
    }

    fn drop(&mut self, request: Resource<HeldRequest>) -> wasmtime::Result<()> {
        self.resources.delete(request)?;
        Ok(())
    }
}
