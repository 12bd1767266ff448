//! Parses and changes JWTs, and signs them with keys that are not the server's (RFC 7515 and 7519).

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use ed25519_dalek::{Signer as _, SigningKey};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::Value;
use sha2::Sha256;

/// The header (0) or the claims (1) of a JWT.
pub(crate) fn token_part(token: &str, index: usize) -> Value {
    let encoded = token.split('.').nth(index).expect("a JWT has three parts");
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(encoded).expect("base64url")).expect("JSON")
}

/// The encoded form of a header or claims in a JWT.
pub(crate) fn part(content: &Value) -> String {
    URL_SAFE_NO_PAD.encode(content.to_string())
}

/// A JWT signed with Ed25519 by our own key.
pub(crate) fn sign_ed25519(header: &Value, claims: &Value) -> String {
    let signed = format!("{}.{}", part(header), part(claims));
    let signature = foreign_key().sign(signed.as_bytes()).to_bytes();
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
}

/// The public half of that key.
pub(crate) fn foreign_public_key() -> [u8; 32] {
    foreign_key().verifying_key().to_bytes()
}

/// A JWT with an HMAC under any `key`.
pub(crate) fn sign_hs256(header: &Value, claims: &Value, key: &[u8]) -> String {
    let signed = format!("{}.{}", part(header), part(claims));
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes a key of any length");
    mac.update(signed.as_bytes());
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
}

/// The same token with its claims and its `kid`, signed by a party without the server's key.
pub(crate) fn signed_by_another_key(token: &str) -> String {
    sign_ed25519(&token_part(token, 0), &token_part(token, 1))
}

fn foreign_key() -> SigningKey {
    SigningKey::from_bytes(&[7; 32])
}
