//! Signatures that a component carries, and which of them an installation requires.
//!
//! The format is that of the WebAssembly tool conventions (`Signatures.md`), in the encoding of their reference program
//! `wasmsign2`: docs/plugin-author.md has it in full. A signature covers every byte after its section, so a component
//! cannot be changed under it, and a signature cannot be moved to another component.

mod section;

use std::{fmt, str::FromStr};

use anyhow::{Result, bail, ensure};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use sealwright_base::{clock::random_bytes, secrets::SecretString};
use sealwright_seal::digest::Sha256Digest;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use self::section::{Carried, SignatureData, SignedHashes, SingleSignature};
use super::component_bytes;

/// A key that signatures are checked with: Ed25519, as 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PluginKey([u8; 32]);

/// What a component's own signatures prove.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum SignatureState {
    /// It carries none.
    #[default]
    Unsigned,
    /// A trusted key signed exactly these bytes.
    Trusted { key: PluginKey },
    /// It is signed, but by no trusted key. The key is there if the signature names it and holds under it.
    Untrusted { key: Option<PluginKey> },
    /// It carries a signature that does not hold for these bytes.
    Wrong { reason: String },
}

/// Which components an installation accepts. The default accepts all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SignaturePolicy {
    /// Only components that a trusted key signed are accepted, apart from the built-in ones.
    pub required: bool,
    pub trusted: Vec<PluginKey>,
}

/// A key that signs components.
pub struct PluginSigningKey(SigningKey);

impl PluginSigningKey {
    /// A new key.
    pub fn generate() -> Self {
        Self(SigningKey::from_bytes(&random_bytes()))
    }

    /// The key in a text of 64 hexadecimal digits, as [`secret_text`](Self::secret_text) writes it.
    pub fn parse(text: &str) -> Option<Self> {
        let mut seed = [0; 32];
        hex::decode_to_slice(text.trim(), &mut seed).ok()?;
        Some(Self(SigningKey::from_bytes(&seed)))
    }

    /// The key itself, as 64 hexadecimal digits.
    pub fn secret_text(&self) -> SecretString {
        SecretString::new(hex::encode(self.0.to_bytes()))
    }

    /// The key that its signatures are checked with.
    pub fn public(&self) -> PluginKey {
        PluginKey(self.0.verifying_key().to_bytes())
    }

    /// The component with this key's signature, in place of those that it carried.
    ///
    /// # Errors
    /// If it is not a component.
    pub fn sign(&self, component: &[u8]) -> Result<Vec<u8>> {
        component_bytes::check(component)?;
        ensure!(
            component.len() > section::PREAMBLE,
            "it is not a WebAssembly component: it ends after its first bytes"
        );
        let content = match section::find(component) {
            Carried::Nothing => &component[section::PREAMBLE..],
            Carried::Section { after, .. } => &component[after..],
        };
        let hashes = vec![Sha256Digest::of(content)];
        let signature = self.0.sign(&section::message(&hashes)).to_bytes().to_vec();
        let signatures = vec![SingleSignature { key_id: self.public().0.to_vec(), signature }];
        let data = SignatureData { signed: vec![SignedHashes { hashes, signatures }] };
        Ok([&component[..section::PREAMBLE], &data.write_section(), content].concat())
    }
}

impl SignaturePolicy {
    /// What the signatures in a component prove.
    pub fn judge(&self, component: &[u8]) -> SignatureState {
        let (data, content) = match section::find(component) {
            Carried::Nothing => return SignatureState::Unsigned,
            Carried::Section { data: Some(data), after } => (data, &component[after..]),
            Carried::Section { data: None, .. } => return wrong("its section cannot be read"),
        };
        let whole = Sha256Digest::of(content);
        // The last hash of a list is that of the whole component; those before it are of parts.
        let of_these_bytes = data.signed.iter().filter(|signed| signed.hashes.last() == Some(&whole));
        let judged: Vec<SignatureState> = of_these_bytes.flat_map(|signed| self.judge_each(signed)).collect();
        if judged.is_empty() {
            return wrong("the component was changed after it was signed");
        }
        let best = |wanted: fn(&SignatureState) -> bool| judged.iter().find(|state| wanted(state)).cloned();
        best(|state| matches!(state, SignatureState::Trusted { .. }))
            .or_else(|| best(|state| matches!(state, SignatureState::Untrusted { .. })))
            .unwrap_or_else(|| wrong("it does not hold under the key that it names"))
    }

    fn judge_each(&self, signed: &SignedHashes) -> Vec<SignatureState> {
        let message = section::message(&signed.hashes);
        let judge = |one: &SingleSignature| {
            if let Some(key) = self.trusted.iter().find(|key| key.verifies(&message, &one.signature)) {
                return SignatureState::Trusted { key: *key };
            }
            match PluginKey::of_identifier(&one.key_id) {
                Some(key) if !key.verifies(&message, &one.signature) => {
                    wrong("it does not hold under the key that it names")
                }
                key => SignatureState::Untrusted { key },
            }
        };
        signed.signatures.iter().map(judge).collect()
    }

    /// Refuses a component in this state if the installation does not accept it.
    pub(super) fn admit(&self, state: &SignatureState) -> Result<()> {
        if !self.required {
            return Ok(());
        }
        match state {
            SignatureState::Trusted { .. } => Ok(()),
            SignatureState::Unsigned => bail!(
                "it is not signed, and plugins.require_signature is on: sign it with `sealwright plugin sign`, by a \
                 key in plugins.trusted_keys"
            ),
            SignatureState::Untrusted { key: Some(key) } => bail!(
                "it is signed by the key {key}, which is not in plugins.trusted_keys, and plugins.require_signature is \
                 on"
            ),
            SignatureState::Untrusted { key: None } => {
                bail!("no key in plugins.trusted_keys signed it, and plugins.require_signature is on")
            }
            SignatureState::Wrong { reason } => {
                bail!("its signature is wrong, and plugins.require_signature is on: {reason}")
            }
        }
    }
}

fn wrong(reason: &str) -> SignatureState {
    SignatureState::Wrong { reason: reason.to_owned() }
}

impl PluginKey {
    /// The key in a signature's identifier: its bytes, or with the number of its algorithm before them.
    fn of_identifier(identifier: &[u8]) -> Option<Self> {
        let bytes = identifier.strip_prefix(&[section::ED25519]).filter(|rest| rest.len() == 32).unwrap_or(identifier);
        let key: [u8; 32] = bytes.try_into().ok()?;
        VerifyingKey::from_bytes(&key).ok().map(|_| Self(key))
    }

    fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        let (Ok(key), Ok(signature)) = (VerifyingKey::from_bytes(&self.0), Signature::from_slice(signature)) else {
            return false;
        };
        key.verify_strict(message, &signature).is_ok()
    }
}

/// Why a text is not a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a key of plugins is 64 hexadecimal digits, as `sealwright plugin key` prints them")]
pub struct ParsePluginKeyError;

impl FromStr for PluginKey {
    type Err = ParsePluginKeyError;

    fn from_str(text: &str) -> Result<Self, ParsePluginKeyError> {
        let mut key = [0; 32];
        hex::decode_to_slice(text, &mut key).map_err(|_| ParsePluginKeyError)?;
        VerifyingKey::from_bytes(&key).map_err(|_| ParsePluginKeyError)?;
        Ok(Self(key))
    }
}

/// A precision shortens it for people: `{:.12}` writes its first 12 digits.
impl fmt::Display for PluginKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&hex::encode(self.0))
    }
}

impl Serialize for PluginKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PluginKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// In a few words, for people.
impl fmt::Display for SignatureState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsigned => write!(f, "none"),
            Self::Trusted { key } => write!(f, "trusted, by {key:.12}"),
            Self::Untrusted { key: Some(key) } => write!(f, "not trusted, by {key:.12}"),
            Self::Untrusted { key: None } => write!(f, "not trusted, by an unknown key"),
            Self::Wrong { reason } => write!(f, "wrong: {reason}"),
        }
    }
}

#[cfg(test)]
mod tests;
