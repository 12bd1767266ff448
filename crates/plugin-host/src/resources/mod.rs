//! The host's side of the contract's resources: what a plugin asks through a handle is answered here. No function
//! waits for anything, and each does a bounded amount of work, since a deadline cannot interrupt it.
#![expect(unreachable_pub, reason = "the generated bindings re-export the resources' types")]

mod attachments;
mod document;
mod evidence;
mod image;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use wasmtime::component::Resource;

pub use self::{
    document::HeldDocument,
    evidence::{HeldEvidence, HeldItem},
    image::{HeldImage, HeldRaster},
};
use super::{
    bindings::sealwright::plugin::{
        content,
        credentials::{self, Part, Refusal},
        webhook,
    },
    call::CallState,
    facts::Property,
    limits,
    lower::Lower,
    webhook::{WebhookCredential, WebhookRequest},
};

/// The resource `content`.
pub struct Content(pub(super) Bytes);

/// The resource `request`.
pub struct HeldRequest(pub(super) WebhookRequest);

/// The resource `credential`.
pub struct HeldCredential {
    pub(super) credential: WebhookCredential,
    pub(super) may_reveal: bool,
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
        let Some(secret) = self.resources.get(&credential)?.credential.secret.clone() else {
            return Ok(Err(Refusal::Absent));
        };
        let pieces = self.pieces(message)?;
        Ok(Ok(self.hmac(secret.expose().as_bytes(), &pieces)?))
    }

    fn hmac_sha256_each(
        &mut self,
        credential: Resource<HeldCredential>,
        message: Vec<Part>,
    ) -> wasmtime::Result<Result<Vec<Vec<u8>>, Refusal>> {
        let credential = &self.resources.get(&credential)?.credential;
        let Some(secret) = credential.secret.clone() else { return Ok(Err(Refusal::Absent)) };
        let secrets = [Some(secret), credential.previous_secret.clone()];
        let pieces = self.pieces(message)?;
        let mut signatures = Vec::new();
        for secret in secrets.iter().flatten() {
            let signature = match standard_key(secret.expose()) {
                Some(key) => self.hmac(&key, &pieces)?,
                None => self.hmac(secret.expose().as_bytes(), &pieces)?,
            };
            signatures.push(signature);
        }
        Ok(Ok(signatures))
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

impl CallState {
    /// The bytes of a message's parts.
    fn pieces(&self, message: Vec<Part>) -> wasmtime::Result<Vec<Bytes>> {
        let mut pieces = Vec::with_capacity(message.len());
        for part in message {
            pieces.push(match part {
                Part::Bytes(bytes) => Bytes::from(bytes),
                Part::Content(content) => self.resources.get(&content)?.0.clone(),
            });
        }
        Ok(pieces)
    }

    fn hmac(&mut self, key: &[u8], pieces: &[Bytes]) -> wasmtime::Result<Vec<u8>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(key)?;
        for piece in pieces {
            self.spend_hashing(piece.len())?;
            mac.update(piece);
        }
        Ok(mac.finalize().into_bytes().to_vec())
    }
}

/// The key in a secret of Standard Webhooks: what follows `whsec_`, decoded from base64.
fn standard_key(secret: &str) -> Option<Vec<u8>> {
    STANDARD.decode(secret.strip_prefix("whsec_")?).ok()
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
        // The contract counts from 1970 on; an earlier clock counts as 1970.
        Ok(now.as_millis().max(0).cast_unsigned())
    }

    fn delivery_id(&mut self, request: Resource<HeldRequest>) -> wasmtime::Result<String> {
        Ok(self.resources.get(&request)?.0.delivery_id.clone())
    }

    fn drop(&mut self, request: Resource<HeldRequest>) -> wasmtime::Result<()> {
        self.resources.delete(request)?;
        Ok(())
    }
}

/// The elements from `first` on, as many as the contract allows at a time. `bytes` returns the length of an element's
/// texts and lists; an element that is larger than a window is returned alone.
fn window<T: Lower>(elements: &[T], first: u32, bytes: impl Fn(&T) -> usize) -> Vec<T::Lowered> {
    let rest = usize::try_from(first).ok().and_then(|first| elements.get(first..)).unwrap_or_default();
    let mut room = limits::WINDOW_BYTES;
    let mut window = Vec::new();
    for element in rest.iter().take(limits::WINDOW_ELEMENTS) {
        match room.checked_sub(size_of::<T::Lowered>() + bytes(element)) {
            Some(left) => room = left,
            None if window.is_empty() => room = 0,
            None => break,
        }
        window.push(element.lower());
    }
    window
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn text_bytes(text: Option<&String>) -> usize {
    text.map_or(0, String::len)
}

fn property_bytes(property: &Property) -> usize {
    property.name.len() + property.value.len()
}
