//! Keys with which the issuer signs ID tokens: real ones, so that the server checks real signatures.

use std::{convert::Infallible, sync::LazyLock};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use p256::ecdsa;
use rsa::{
    RsaPrivateKey, pkcs1v15,
    rand_core::{TryCryptoRng, TryRng},
    signature::{SignatureEncoding as _, Signer as _},
    traits::PublicKeyParts as _,
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::support::random::Random;

/// A key and its identifier.
#[derive(Clone)]
pub(crate) struct Key {
    pub(crate) id: String,
    kind: Kind,
}

#[derive(Clone)]
enum Kind {
    Ecdsa(ecdsa::SigningKey),
    Rsa(Box<pkcs1v15::SigningKey<Sha256>>),
    /// Not a key of the issuer: any client has its own secret.
    Secret(&'static str),
}

/// Making an RSA key takes seconds, so all tests have the same.
static RSA_KEY: LazyLock<RsaPrivateKey> =
    LazyLock::new(|| RsaPrivateKey::new(&mut Seeded(Random::new(2048)), 2048).expect("an RSA key"));

impl Key {
    /// P-256. The same `name` gives the same key.
    pub(crate) fn ecdsa(name: &str) -> Self {
        let key = ecdsa::SigningKey::from_slice(&Sha256::digest(name)).expect("a key");
        Self { id: name.to_owned(), kind: Kind::Ecdsa(key) }
    }

    pub(crate) fn rsa() -> Self {
        Self { id: "rsa".to_owned(), kind: Kind::Rsa(Box::new(pkcs1v15::SigningKey::new(RSA_KEY.clone()))) }
    }

    pub(crate) fn secret(secret: &'static str) -> Self {
        Self { id: "first".to_owned(), kind: Kind::Secret(secret) }
    }

    /// The same key under the identifier of another.
    pub(crate) fn called(self, id: &str) -> Self {
        Self { id: id.to_owned(), ..self }
    }

    pub(crate) fn algorithm(&self) -> &'static str {
        match self.kind {
            Kind::Ecdsa(_) => "ES256",
            Kind::Rsa(_) => "RS256",
            Kind::Secret(_) => "HS256",
        }
    }

    /// The public key as a member of a JWK set (RFC 7517).
    pub(super) fn jwk(&self) -> Value {
        let encode = |bytes: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(bytes);
        let mut jwk = match &self.kind {
            Kind::Ecdsa(key) => {
                let point = key.verifying_key().to_sec1_point(false);
                let [x, y] = [point.x(), point.y()].map(|coordinate| encode(coordinate.expect("a point")));
                json!({ "kty": "EC", "crv": "P-256", "x": x, "y": y })
            }
            Kind::Rsa(_) => {
                let (n, e) = (RSA_KEY.n().to_be_bytes_trimmed_vartime(), RSA_KEY.e().to_be_bytes_trimmed_vartime());
                json!({ "kty": "RSA", "n": encode(&n), "e": encode(&e) })
            }
            Kind::Secret(_) => panic!("a secret is not published"),
        };
        jwk["kid"] = json!(self.id);
        jwk["use"] = json!("sig");
        jwk["alg"] = json!(self.algorithm());
        jwk
    }

    pub(super) fn sign(&self, message: &[u8]) -> Vec<u8> {
        match &self.kind {
            Kind::Ecdsa(key) => {
                let signature: ecdsa::Signature = key.sign(message);
                signature.to_bytes().to_vec()
            }
            Kind::Rsa(key) => key.sign(message).to_vec(),
            Kind::Secret(secret) => {
                let mut mac =
                    Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("HMAC takes a key of any length");
                mac.update(message);
                mac.finalize().into_bytes().to_vec()
            }
        }
    }
}

/// Randomness for a key that protects nothing.
struct Seeded(Random);

impl TryRng for Seeded {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_le_bytes(std::array::from_fn(|_| self.0.byte())))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.next())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill_with(|| self.0.byte());
        Ok(())
    }
}

impl TryCryptoRng for Seeded {}
