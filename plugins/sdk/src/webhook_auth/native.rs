//! What the host provides in the sandbox, as plain values for a plugin's native unit tests. The methods are those of
//! the contract, and really sign.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use super::Refusal;

/// The request to authenticate. Fill in what the test needs.
#[derive(Clone, Default)]
pub struct Request {
    pub method: String,
    pub url: String,
    pub body: Content,
    /// Milliseconds since the Unix epoch.
    pub time: u64,
    /// The same at each attempt to deliver it.
    pub delivery_id: String,
}

/// Bytes that the host would hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Content(pub Vec<u8>);

/// A credential as an operator would configure and grant it.
#[derive(Clone, Default)]
pub struct Credential {
    pub label: String,
    pub key_id: Option<String>,
    pub secret: Option<String>,
    /// The secret before `secret`, while both are valid.
    pub previous_secret: Option<String>,
    pub may_reveal: bool,
}

/// A piece of a message to sign.
pub enum Part<'a> {
    Bytes(Vec<u8>),
    Content(&'a Content),
}

impl Request {
    pub fn method(&self) -> String {
        self.method.clone()
    }

    pub fn url(&self) -> String {
        self.url.clone()
    }

    pub fn body(&self) -> Content {
        self.body.clone()
    }

    pub fn time(&self) -> u64 {
        self.time
    }

    pub fn delivery_id(&self) -> String {
        self.delivery_id.clone()
    }
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl Content {
    /// The maximum that one [`read`](Self::read) returns, in bytes.
    const READ_LIMIT: usize = 65_536;

    pub fn size(&self) -> u64 {
        self.0.len() as u64
    }

    pub fn read(&self, offset: u64, length: u32) -> Vec<u8> {
        let start = usize::try_from(offset).map_or(self.0.len(), |offset| offset.min(self.0.len()));
        let length = usize::try_from(length).map_or(Self::READ_LIMIT, |length| length.min(Self::READ_LIMIT));
        self.0[start..].iter().copied().take(length).collect()
    }

    pub fn sha256(&self) -> Vec<u8> {
        Sha256::digest(&self.0).to_vec()
    }
}

impl Credential {
    pub fn label(&self) -> String {
        self.label.clone()
    }

    pub fn key_id(&self) -> Option<String> {
        self.key_id.clone()
    }

    pub fn hmac_sha256(&self, message: &[Part]) -> Result<Vec<u8>, Refusal> {
        Ok(hmac(self.secret.as_ref().ok_or(Refusal::Absent)?.as_bytes(), message))
    }

    pub fn hmac_sha256_each(&self, message: &[Part]) -> Result<Vec<Vec<u8>>, Refusal> {
        let secret = self.secret.as_ref().ok_or(Refusal::Absent)?;
        let secrets = [Some(secret), self.previous_secret.as_ref()];
        let key = |secret: &String| standard_key(secret).unwrap_or_else(|| secret.clone().into_bytes());
        Ok(secrets.into_iter().flatten().map(|secret| hmac(&key(secret), message)).collect())
    }

    pub fn reveal(&self) -> Result<String, Refusal> {
        match &self.secret {
            None => Err(Refusal::Absent),
            Some(_) if !self.may_reveal => Err(Refusal::Denied),
            Some(secret) => Ok(secret.clone()),
        }
    }
}

fn hmac(key: &[u8], message: &[Part]) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length (RFC 2104, section 3)");
    for part in message {
        match part {
            Part::Bytes(bytes) => mac.update(bytes),
            Part::Content(content) => mac.update(&content.0),
        }
    }
    mac.finalize().into_bytes().to_vec()
}

/// What follows `whsec_`, decoded from base64; none for another secret.
fn standard_key(secret: &str) -> Option<Vec<u8>> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let text = secret.strip_prefix("whsec_")?;
    let digits = text.trim_end_matches('=');
    if !text.len().is_multiple_of(4) || text.len() - digits.len() > 2 {
        return None;
    }
    let (mut key, mut bits, mut width) = (Vec::new(), 0_usize, 0);
    for digit in digits.chars() {
        bits = (bits << 6) | DIGITS.find(digit)?;
        width += 6;
        if width >= 8 {
            width -= 8;
            key.push(u8::try_from(bits >> width).ok()?);
            bits &= (1 << width) - 1;
        }
    }
    Some(key)
}
