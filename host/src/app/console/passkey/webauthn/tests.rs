use p256::{
    ecdsa::{Signature, SigningKey, signature::Signer as _},
    pkcs8::EncodePublicKey as _,
};
use serde_json::json;

use super::*;

const DOMAIN: &str = "evidence.example";
const ORIGIN: &str = "https://evidence.example";
const NAME: &[u8] = b"credential 1";

const EXPECTED: Expected<'static> = Expected { domain: DOMAIN, origin: ORIGIN, challenge: [7; 32] };

/// An authenticator that does what the test says.
struct Authenticator {
    key: SigningKey,
    domain: &'static str,
    flags: u8,
    counter: u32,
}

/// What the form of a new passkey, or of a sign-in, has.
struct Sent {
    client_data: String,
    authenticator_data: String,
    signature: String,
}

impl Authenticator {
    fn new() -> Self {
        let key = SigningKey::from_slice(&[9; 32]).unwrap();
        Self { key, domain: DOMAIN, flags: PRESENT | VERIFIED, counter: 1 }
    }

    fn spki(&self) -> Vec<u8> {
        self.key.verifying_key().to_public_key_der().unwrap().as_bytes().to_vec()
    }

    fn data(&self, with_credential: bool) -> Vec<u8> {
        let flags = self.flags | if with_credential { HAS_CREDENTIAL } else { 0 };
        let mut data = Sha256Digest::of(self.domain).as_bytes().to_vec();
        data.push(flags);
        data.extend(self.counter.to_be_bytes());
        if with_credential {
            data.extend([0; 16]);
            data.extend(u16::try_from(NAME.len()).unwrap().to_be_bytes());
            data.extend(NAME);
            // As COSE writes it: the names and lengths of both coordinates are between them.
            let spki = self.spki();
            data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
            data.extend(&spki[P256_BYTES - 64..P256_BYTES - 32]);
            data.extend([0x22, 0x58, 0x20]);
            data.extend(&spki[P256_BYTES - 32..]);
        }
        data
    }

    fn answer(&self, kind: &str, challenge: [u8; 32], origin: &str) -> Sent {
        let client_data = json!({
            "type": kind, "challenge": URL_SAFE_NO_PAD.encode(challenge), "origin": origin, "crossOrigin": false,
        });
        self.answer_to(&client_data.to_string(), kind == "webauthn.create")
    }

    fn answer_to(&self, client_data: &str, with_credential: bool) -> Sent {
        let data = self.data(with_credential);
        let signed = [data.as_slice(), Sha256Digest::of(client_data).as_bytes()].concat();
        let signature: Signature = self.key.sign(&signed);
        Sent {
            client_data: URL_SAFE_NO_PAD.encode(client_data),
            authenticator_data: URL_SAFE_NO_PAD.encode(&data),
            signature: URL_SAFE_NO_PAD.encode(signature.to_der().as_bytes()),
        }
    }

    fn register(&self, sent: &Sent) -> Checked<NewPasskey> {
        let (name, spki) = (URL_SAFE_NO_PAD.encode(NAME), URL_SAFE_NO_PAD.encode(self.spki()));
        let registration = Registration {
            credential: &name,
            public_key: &spki,
            client_data: &sent.client_data,
            authenticator_data: &sent.authenticator_data,
        };
        register(&registration, &EXPECTED)
    }

    fn verify(&self, sent: &Sent, counter: i64) -> Checked<i64> {
        let assertion = Assertion {
            sealed: "",
            credential: "",
            client_data: &sent.client_data,
            authenticator_data: &sent.authenticator_data,
            signature: &sent.signature,
        };
        verify(&assertion, &URL_SAFE_NO_PAD.encode(self.spki()), counter, &EXPECTED)
    }
}

#[test]
fn a_passkey_is_registered_and_its_signature_is_accepted_once() {
    let mut authenticator = Authenticator::new();
    let new = authenticator.register(&authenticator.answer("webauthn.create", [7; 32], ORIGIN)).unwrap();
    assert_eq!((new.credential, new.counter), (URL_SAFE_NO_PAD.encode(NAME), 1));
    authenticator.counter = 2;
    let sent = authenticator.answer("webauthn.get", [7; 32], ORIGIN);
    assert_eq!(authenticator.verify(&sent, 1), Ok(2));
    assert!(authenticator.verify(&sent, 2).unwrap_err().contains("counter"));
    // An authenticator that does not count always says 0.
    authenticator.counter = 0;
    let sent = authenticator.answer("webauthn.get", [7; 32], ORIGIN);
    assert_eq!(authenticator.verify(&sent, 0), Ok(0));
    assert!(authenticator.verify(&sent, 1).is_err());
}

#[test]
fn everything_that_differs_from_what_was_asked_for_is_refused() {
    let right = Authenticator::new();
    let answer = |kind, challenge, origin| right.answer(kind, challenge, origin);
    for (sent, problem) in [
        (answer("webauthn.create", [7; 32], ORIGIN), "for something else"),
        (answer("webauthn.get", [8; 32], ORIGIN), "another challenge"),
        (answer("webauthn.get", [7; 32], "https://evidence.example.evil.example"), "another page"),
        (answer("webauthn.get", [7; 32], "http://evidence.example"), "another page"),
        (right.answer_to("{}", false), "cannot be read"),
        (
            Authenticator { domain: "evil.example", ..Authenticator::new() }.answer("webauthn.get", [7; 32], ORIGIN),
            "another site",
        ),
        (Authenticator { flags: VERIFIED, ..Authenticator::new() }.answer("webauthn.get", [7; 32], ORIGIN), "present"),
        (Authenticator { flags: PRESENT, ..Authenticator::new() }.answer("webauthn.get", [7; 32], ORIGIN), "verified"),
        (
            Authenticator { flags: PRESENT | VERIFIED | IS_BACKED_UP, ..Authenticator::new() }.answer(
                "webauthn.get",
                [7; 32],
                ORIGIN,
            ),
            "contradict",
        ),
        (
            Authenticator { key: SigningKey::from_slice(&[5; 32]).unwrap(), ..Authenticator::new() }.answer(
                "webauthn.get",
                [7; 32],
                ORIGIN,
            ),
            "signature",
        ),
    ] {
        let refused = right.verify(&sent, 0).unwrap_err();
        assert!(refused.contains(problem), "{problem}: {refused}");
    }
    let framed = json!({
        "type": "webauthn.get", "challenge": URL_SAFE_NO_PAD.encode([7; 32]), "origin": ORIGIN, "crossOrigin": true,
    });
    assert!(right.verify(&right.answer_to(&framed.to_string(), false), 0).unwrap_err().contains("another page"));
    let cut = Sent { authenticator_data: URL_SAFE_NO_PAD.encode([0; 36]), ..answer("webauthn.get", [7; 32], ORIGIN) };
    assert!(right.verify(&cut, 0).unwrap_err().contains("too short"));
}

#[test]
fn a_registration_needs_the_credential_and_its_own_key() {
    let right = Authenticator::new();
    let sent = right.answer("webauthn.create", [7; 32], ORIGIN);
    let other = Authenticator { key: SigningKey::from_slice(&[5; 32]).unwrap(), ..Authenticator::new() };
    assert!(other.register(&sent).unwrap_err().contains("not that of the credential"));
    let assertion = right.answer("webauthn.get", [7; 32], ORIGIN);
    let without =
        Sent { authenticator_data: assertion.authenticator_data, ..right.answer("webauthn.create", [7; 32], ORIGIN) };
    assert!(right.register(&without).unwrap_err().contains("no credential"));
    let data = right.data(true);
    for length in 0..data.len() - 70 {
        let cut = Sent {
            authenticator_data: URL_SAFE_NO_PAD.encode(&data[..length]),
            ..right.answer("webauthn.create", [7; 32], ORIGIN)
        };
        assert!(right.register(&cut).is_err(), "{length}");
    }
    assert!(Key::read(&[0; P256_BYTES]).is_err() && Key::read(&[0; ED25519_BYTES]).is_err() && Key::read(&[]).is_err());
}

#[test]
fn a_key_of_ed25519_is_accepted_too() {
    use ed25519_dalek::Signer as _;

    let key = ed25519_dalek::SigningKey::from_bytes(&[3; 32]);
    // The fixed head of such a key (RFC 8410), and the key.
    let mut spki = vec![0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];
    spki.extend(key.verifying_key().to_bytes());
    let read = Key::read(&spki).unwrap();
    let signature: ed25519_dalek::Signature = key.sign(b"signed");
    assert_eq!(read.verify(b"signed", &signature.to_bytes()), Ok(()));
    assert!(read.verify(b"other", &signature.to_bytes()).is_err());
}
