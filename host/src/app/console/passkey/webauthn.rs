//! What a browser sends of a passkey, and its check (Web Authentication, level 3, sections 7.1 and 7.2). No attestation is
//! asked for, so nothing is known about the maker of an authenticator. Pure: no clock, no database.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use p256::ecdsa::signature::Verifier as _;
use sealwright_seal::Sha256Digest;
use serde::Deserialize;

/// The result of a check; the error says what was wrong, for the log.
pub(super) type Checked<T> = Result<T, &'static str>;

/// A person was there.
const PRESENT: u8 = 0x01;
/// The authenticator has verified the person, by a PIN or a fingerprint.
const VERIFIED: u8 = 0x04;
const MAY_BE_BACKED_UP: u8 = 0x08;
const IS_BACKED_UP: u8 = 0x10;
const HAS_CREDENTIAL: u8 = 0x40;

/// The longest name of a credential, in bytes (section 4).
const LONGEST_CREDENTIAL: usize = 1023;
/// The length of a key as `SubjectPublicKeyInfo`, with an uncompressed point.
const P256_BYTES: usize = 91;
const ED25519_BYTES: usize = 44;

/// The site that a passkey is for, and what it signs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expected<'e> {
    pub(super) domain: &'e str,
    /// Of the page: scheme, host and port.
    pub(super) origin: &'e str,
    pub(super) challenge: [u8; 32],
}

/// A new passkey as the form has it; all in base64url without padding.
#[derive(Clone, Copy, Debug)]
pub struct Registration<'r> {
    pub credential: &'r str,
    /// `SubjectPublicKeyInfo`.
    pub public_key: &'r str,
    pub client_data: &'r str,
    pub authenticator_data: &'r str,
}

/// A signature of a passkey as the form has it; all in base64url without padding.
#[derive(Clone, Copy, Debug)]
pub struct Assertion<'a> {
    /// The challenge that the page got, sealed.
    pub sealed: &'a str,
    pub credential: &'a str,
    pub client_data: &'a str,
    pub authenticator_data: &'a str,
    pub signature: &'a str,
}

#[derive(Debug, Deserialize)]
struct ClientData {
    #[serde(rename = "type")]
    kind: String,
    challenge: String,
    origin: String,
    #[serde(default, rename = "crossOrigin")]
    is_cross_origin: bool,
}

struct AuthenticatorData<'d> {
    /// SHA-256 of the domain.
    site: &'d [u8; 32],
    flags: u8,
    counter: u32,
    /// The credential, if the flags say so, and extensions.
    rest: &'d [u8],
}

impl<'d> AuthenticatorData<'d> {
    fn read(bytes: &'d [u8]) -> Checked<Self> {
        let read = || {
            let (site, rest) = bytes.split_first_chunk::<32>()?;
            let (flags, rest) = rest.split_first()?;
            let (counter, rest) = rest.split_first_chunk::<4>()?;
            Some(Self { site, flags: *flags, counter: u32::from_be_bytes(*counter), rest })
        };
        read().ok_or("the authenticator's data is too short")
    }

    const fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    fn check(&self, expected: &Expected<'_>) -> Checked<()> {
        ensure(*self.site == *Sha256Digest::of(expected.domain).as_bytes(), "the passkey is for another site")?;
        ensure(self.has(PRESENT), "no person was present")?;
        ensure(self.has(VERIFIED), "the person was not verified")?;
        ensure(self.has(MAY_BE_BACKED_UP) || !self.has(IS_BACKED_UP), "the flags contradict each other")
    }

    /// The name of the credential, and the bytes after it, which begin with its key.
    fn credential(&self) -> Checked<(&'d [u8], &'d [u8])> {
        ensure(self.has(HAS_CREDENTIAL), "the authenticator's data has no credential")?;
        let read = || {
            let (_maker, rest) = self.rest.split_first_chunk::<16>()?;
            let (length, rest) = rest.split_first_chunk::<2>()?;
            rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))
        };
        let (name, rest) = read().ok_or("the authenticator's data is too short")?;
        ensure((1..=LONGEST_CREDENTIAL).contains(&name.len()), "the credential's name has another length")?;
        Ok((name, rest))
    }
}

/// A passkey that may be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NewPasskey {
    /// In base64url, as the key.
    pub(super) credential: String,
    pub(super) spki: String,
    pub(super) counter: i64,
}

/// Checks a new passkey.
pub(super) fn register(sent: &Registration<'_>, expected: &Expected<'_>) -> Checked<NewPasskey> {
    check_client_data(&decoded(sent.client_data)?, "webauthn.create", expected)?;
    let bytes = decoded(sent.authenticator_data)?;
    let data = AuthenticatorData::read(&bytes)?;
    data.check(expected)?;
    let (name, after) = data.credential()?;
    ensure(decoded(sent.credential)? == name, "the credential's name is not that of the authenticator")?;
    let spki = decoded(sent.public_key)?;
    Key::read(&spki)?;
    // The browser has taken it from the credential, which has its coordinates as they are.
    let coordinates = if spki.len() == P256_BYTES { &spki[P256_BYTES - 64..] } else { &spki[ED25519_BYTES - 32..] };
    let is_there = |part: &[u8]| after.windows(part.len()).any(|window| window == part);
    ensure(coordinates.chunks(32).all(is_there), "the key is not that of the credential")?;
    let counter = i64::from(data.counter);
    Ok(NewPasskey { credential: URL_SAFE_NO_PAD.encode(name), spki: URL_SAFE_NO_PAD.encode(&spki), counter })
}

/// Checks a signature by a stored key, whose last signature had this counter. Returns the counter of this one.
pub(super) fn verify(sent: &Assertion<'_>, spki: &str, counter: i64, expected: &Expected<'_>) -> Checked<i64> {
    let client_data = decoded(sent.client_data)?;
    check_client_data(&client_data, "webauthn.get", expected)?;
    let bytes = decoded(sent.authenticator_data)?;
    let data = AuthenticatorData::read(&bytes)?;
    data.check(expected)?;
    let signed = [bytes.as_slice(), Sha256Digest::of(&client_data).as_bytes()].concat();
    Key::read(&decoded(spki)?)?.verify(&signed, &decoded(sent.signature)?)?;
    let new = i64::from(data.counter);
    // Two authenticators with one key do not count together.
    ensure(new > counter || (new == 0 && counter == 0), "the counter did not rise: the passkey may have been copied")?;
    Ok(new)
}

enum Key {
    P256(Box<p256::ecdsa::VerifyingKey>),
    Ed25519(Box<ed25519_dalek::VerifyingKey>),
}

impl Key {
    fn read(spki: &[u8]) -> Checked<Self> {
        const UNKNOWN: &str = "the key is not one of P-256 or Ed25519";
        let key = match spki.len() {
            P256_BYTES => p256_key(spki).map(|key| Self::P256(Box::new(key))),
            ED25519_BYTES => ed25519_key(spki).map(|key| Self::Ed25519(Box::new(key))),
            _ => None,
        };
        key.ok_or(UNKNOWN)
    }

    fn verify(&self, signed: &[u8], signature: &[u8]) -> Checked<()> {
        const WRONG: &str = "the signature is wrong";
        match self {
            Self::P256(key) => {
                let signature = p256::ecdsa::Signature::from_der(signature).map_err(|_| WRONG)?;
                key.verify(signed, &signature).map_err(|_| WRONG)
            }
            Self::Ed25519(key) => {
                let signature = ed25519_dalek::Signature::from_slice(signature).map_err(|_| WRONG)?;
                key.verify_strict(signed, &signature).map_err(|_| WRONG)
            }
        }
    }
}

// The two crates have different versions of the trait that reads a key.

fn p256_key(spki: &[u8]) -> Option<p256::ecdsa::VerifyingKey> {
    use p256::pkcs8::DecodePublicKey as _;
    p256::ecdsa::VerifyingKey::from_public_key_der(spki).ok()
}

fn ed25519_key(spki: &[u8]) -> Option<ed25519_dalek::VerifyingKey> {
    use ed25519_dalek::pkcs8::DecodePublicKey as _;
    ed25519_dalek::VerifyingKey::from_public_key_der(spki).ok()
}

fn check_client_data(json: &[u8], kind: &str, expected: &Expected<'_>) -> Checked<()> {
    let read: ClientData = serde_json::from_slice(json).map_err(|_| "the browser's data cannot be read")?;
    ensure(read.kind == kind, "the browser's data is for something else")?;
    ensure(read.challenge == URL_SAFE_NO_PAD.encode(expected.challenge), "another challenge was signed")?;
    ensure(read.origin == expected.origin && !read.is_cross_origin, "the passkey was used on another page")
}

fn decoded(text: &str) -> Checked<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).map_err(|_| "a field is not base64url")
}

fn ensure(holds: bool, otherwise: &'static str) -> Checked<()> {
    if holds { Ok(()) } else { Err(otherwise) }
}

#[cfg(test)]
mod tests;
