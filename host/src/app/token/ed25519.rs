//! Ed25519 for the crate `jsonwebtoken`, whose own features for cryptography bring every algorithm a token can have.

use ed25519_dalek::{
    SECRET_KEY_LENGTH, Signature, SignatureError, SigningKey, VerifyingKey,
    ed25519::signature::{Signer, Verifier},
};
use jsonwebtoken::{
    Algorithm, DecodingKey, EncodingKey,
    crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils},
    errors::{Error, ErrorKind},
};

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |algorithm, key| signer(*algorithm, key),
    verifier_factory: |algorithm, key| verifier(*algorithm, key),
    key_utils: KeyUtils::new_unimplemented(),
};

/// Makes the crate `jsonwebtoken` use this module. Calling it again has no effect.
pub(super) fn install() {
    let _already_installed = PROVIDER.install_default();
}

/// The key that signs. The crate passes its bytes on unread.
pub(super) fn encoding_key(key: &SigningKey) -> EncodingKey {
    EncodingKey::from_ed_der(key.as_bytes())
}

pub(super) fn decoding_key(key: &VerifyingKey) -> DecodingKey {
    DecodingKey::from_ed_der(key.as_bytes())
}

fn signer(algorithm: Algorithm, key: &EncodingKey) -> Result<Box<dyn JwtSigner>, Error> {
    ensure_is_eddsa(algorithm)?;
    let seed = <&[u8; SECRET_KEY_LENGTH]>::try_from(key.as_bytes()).map_err(|_| ErrorKind::InvalidEddsaKey)?;
    Ok(Box::new(TokenSigner(SigningKey::from_bytes(seed))))
}

fn verifier(algorithm: Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, Error> {
    ensure_is_eddsa(algorithm)?;
    let key = VerifyingKey::try_from(key.try_get_as_bytes()?).map_err(|_| ErrorKind::InvalidEddsaKey)?;
    Ok(Box::new(TokenVerifier(key)))
}

fn ensure_is_eddsa(algorithm: Algorithm) -> Result<(), Error> {
    if algorithm == Algorithm::EdDSA { Ok(()) } else { Err(ErrorKind::InvalidAlgorithm.into()) }
}

struct TokenSigner(SigningKey);

impl Signer<Vec<u8>> for TokenSigner {
    fn try_sign(&self, message: &[u8]) -> Result<Vec<u8>, SignatureError> {
        let signature: Signature = self.0.try_sign(message)?;
        Ok(signature.to_bytes().to_vec())
    }
}

impl JwtSigner for TokenSigner {
    fn algorithm(&self) -> Algorithm {
        Algorithm::EdDSA
    }
}

struct TokenVerifier(VerifyingKey);

impl Verifier<Vec<u8>> for TokenVerifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), SignatureError> {
        self.0.verify(message, &Signature::from_slice(signature)?)
    }
}

impl JwtVerifier for TokenVerifier {
    fn algorithm(&self) -> Algorithm {
        Algorithm::EdDSA
    }
}
