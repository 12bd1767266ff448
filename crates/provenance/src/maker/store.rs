//! Manifest stores: boxes, claim, signature.

use ciborium::value::Value;
use sealwright_seal::{
    Certificate, Sha256Digest, UnixTime,
    pki::{DevelopmentAuthority, PrivateKey, RandomBytes, Signer as _},
    tsp::TimeStampAuthority,
};

use crate::{cbor, hash::HashAlgorithm};

/// The signature's box is padded to this length, so that a store's length does not depend on the signature.
const SIGNATURE_BYTES: usize = 8_000;
const LABEL: &str = "urn:c2pa:00000000-0000-4000-8000-";

/// A key with its certificate under a root, the same in every run.
pub struct TestSigner {
    key: PrivateKey,
    certificate: Certificate,
    root: Certificate,
    stamps: TimeStampAuthority,
    now: UnixTime,
}

impl TestSigner {
    /// # Panics
    /// Never: the key's bytes are fixed.
    #[expect(clippy::unwrap_used, reason = "for tests, and the input is fixed")]
    pub fn new(organization: &str) -> Self {
        let random = |label: &str| *Sha256Digest::of(format!("{organization} {label}")).as_bytes();
        let number = |label: &str| *random(label).first_chunk::<16>().unwrap();
        let bytes = RandomBytes {
            keys: ["root", "signing", "stamping"].map(random),
            serial_numbers: ["1", "2", "3"].map(number),
        };
        // 2026-11-20T10:00:00Z
        let now = UnixTime::from_millis(1_795_168_800_000).unwrap();
        let authority = DevelopmentAuthority::new(organization, &bytes, now).unwrap();
        let (root, certificate) = (authority.root.clone(), authority.signing.clone());
        let key = PrivateKey::p256_from_random(&random("signing")).unwrap();
        let stamps = TimeStampAuthority::new(authority.into_identities().unwrap().1, Some(1000));
        Self { key, certificate, root, stamps, now }
    }

    /// The root, for a trust list.
    pub fn root_pem(&self) -> String {
        self.root.to_pem()
    }

    /// A COSE signature over a claim, padded.
    #[expect(clippy::unwrap_used, reason = "for tests: a key in memory signs, and what is made has a fixed shape")]
    fn sign(&self, claim: &[u8], stamped: bool) -> Vec<u8> {
        let header = Value::Map(vec![
            (Value::from(1), Value::from(-7)),
            (Value::from(33), Value::Array(vec![Value::Bytes(self.certificate.der().to_vec())])),
        ]);
        let header = cbor::write(&header);
        let to_be_signed = cbor::write(&Value::Array(vec![
            Value::from("Signature1"),
            Value::Bytes(header.clone()),
            Value::Bytes(Vec::new()),
            Value::Bytes(claim.to_vec()),
        ]));
        let signature = two_numbers(&self.key.sign(&to_be_signed).unwrap());
        let mut unprotected = Vec::new();
        if stamped {
            let digest = Sha256Digest::of(cbor::write(&Value::Bytes(signature.clone())));
            let token = self.stamps.stamp(&digest, [9; 16], self.now).unwrap();
            let token = map([("val", Value::Bytes(token.der().to_vec()))]);
            unprotected.push((Value::from("sigTst2"), map([("tstTokens", Value::Array(vec![token]))])));
        }
        let whole = |pad: usize| {
            let mut unprotected = unprotected.clone();
            unprotected.push((Value::from("pad"), Value::Bytes(vec![0; pad])));
            let parts = [Value::Bytes(header.clone()), Value::Map(unprotected), Value::Null];
            let parts = parts.into_iter().chain([Value::Bytes(signature.clone())]).collect();
            cbor::write(&Value::Tag(18, Box::new(Value::Array(parts))))
        };
        let unpadded = whole(1_000).len() - 1_000;
        whole(SIGNATURE_BYTES - unpadded)
    }
}

/// `r` and `s` with 32 bytes each, from the DER form.
fn two_numbers(der: &[u8]) -> Vec<u8> {
    let mut rest = &der[2..];
    let mut numbers = Vec::new();
    for _ in 0..2 {
        let length = usize::from(rest[1]);
        let digits = &rest[2..2 + length];
        let digits = &digits[digits.iter().take_while(|byte| **byte == 0).count()..];
        numbers.extend(std::iter::repeat_n(0, 32 - digits.len()).chain(digits.iter().copied()));
        rest = &rest[2 + length..];
    }
    numbers
}

pub(super) fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Map(entries.into_iter().map(|(key, value)| (Value::from(key), value)).collect())
}

/// What a claim says.
#[derive(Clone, Debug)]
pub struct Content {
    pub generator: String,
    /// Name, digital source type (its last part), and agent.
    pub actions: Vec<(&'static str, Option<&'static str>, Option<&'static str>)>,
    /// 1 or 2.
    pub version: u8,
    pub stamped: bool,
    /// The store of the file that this one was made from.
    pub parent: Option<Vec<u8>>,
    /// `parentOf` or `componentOf`.
    pub relationship: &'static str,
    /// Assertions of the parent's manifest to declare as redacted, by label.
    pub redacted: Vec<&'static str>,
}

impl Content {
    /// One action, in a claim of version 2 with a time stamp.
    pub fn new(generator: &str, action: &'static str, source_type: Option<&'static str>) -> Self {
        Self {
            generator: generator.to_owned(),
            actions: vec![(action, source_type, None)],
            version: 2,
            stamped: true,
            parent: None,
            relationship: "parentOf",
            redacted: Vec::new(),
        }
    }
}

/// The store of a file, with this binding of its content.
pub(super) fn store(content: &Content, binding: (&str, &Value), signer: &TestSigner) -> Vec<u8> {
    let earlier = content.parent.as_deref().map(manifests).unwrap_or_default();
    let label = format!("{LABEL}{:012}", earlier.len());
    let mut assertions = vec![(binding.0.to_owned(), assertion(binding.0, binding.1))];
    let actions = content.actions.iter().map(|(name, source, agent)| {
        let mut action = vec![(Value::from("action"), Value::from(*name))];
        if let Some(source) = source {
            let address = format!("http://cv.iptc.org/newscodes/digitalsourcetype/{source}");
            action.push((Value::from("digitalSourceType"), Value::from(address)));
        }
        if let Some(agent) = agent {
            action.push((Value::from("softwareAgent"), map([("name", Value::from(*agent))])));
        }
        Value::Map(action)
    });
    let actions = map([("actions", Value::Array(actions.collect()))]);
    assertions.push(("c2pa.actions.v2".to_owned(), assertion("c2pa.actions.v2", &actions)));
    if let Some((parent, bytes)) = earlier.last() {
        let reference = map([
            ("url", Value::from(format!("self#jumbf=/c2pa/{parent}"))),
            ("hash", Value::Bytes(HashAlgorithm::Sha256.digest([&bytes[8..]]))),
        ]);
        let ingredient = map([
            ("dc:title", Value::from("before.jpg")),
            ("relationship", Value::from(content.relationship)),
            ("activeManifest", reference),
        ]);
        assertions.push(("c2pa.ingredient.v3".to_owned(), assertion("c2pa.ingredient.v3", &ingredient)));
    }
    let references = assertions.iter().map(|(label, bytes)| {
        map([
            ("url", Value::from(format!("self#jumbf=c2pa.assertions/{label}"))),
            ("hash", Value::Bytes(HashAlgorithm::Sha256.digest([&bytes[8..]]))),
        ])
    });
    let redacted = content.redacted.iter().map(|redacted| {
        let parent = earlier.last().map(|(label, _)| label.as_str()).unwrap_or_default();
        Value::from(format!("self#jumbf=/c2pa/{parent}/c2pa.assertions/{redacted}"))
    });
    let claim = claim(content, references.collect(), redacted.collect());
    let claim_label = if content.version == 2 { "c2pa.claim.v2" } else { "c2pa.claim" };
    let signature = signer.sign(&claim, content.stamped);
    let parts = [
        superbox(
            *b"c2as",
            "c2pa.assertions",
            &assertions.iter().map(|(_, bytes)| bytes.as_slice()).collect::<Vec<_>>(),
        ),
        superbox(*b"c2cl", claim_label, &[&plain(*b"cbor", &claim)]),
        superbox(*b"c2cs", "c2pa.signature", &[&plain(*b"cbor", &signature)]),
    ];
    let own = superbox(*b"c2ma", &label, &parts.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let all: Vec<&[u8]> = earlier.iter().map(|(_, bytes)| bytes.as_slice()).chain([own.as_slice()]).collect();
    superbox(*b"c2pa", "c2pa", &all)
}

fn claim(content: &Content, references: Vec<Value>, redacted: Vec<Value>) -> Vec<u8> {
    let list = if content.version == 2 { "created_assertions" } else { "assertions" };
    let info = map([("name", Value::from(content.generator.as_str()))]);
    let info = if content.version == 2 { info } else { Value::Array(vec![info]) };
    let claim = map([
        ("instanceID", Value::from("xmp:iid:00000000-0000-4000-8000-000000000000")),
        ("claim_generator", Value::from(content.generator.as_str())),
        ("claim_generator_info", info),
        ("dc:format", Value::from("image/jpeg")),
        ("signature", Value::from("self#jumbf=c2pa.signature")),
        (list, Value::Array(references)),
        ("redacted_assertions", Value::Array(redacted)),
        ("alg", Value::from("sha256")),
    ]);
    cbor::write(&claim)
}

/// The manifests of a store, each with its label and its box.
fn manifests(store: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    // After the store's header and its description.
    let description = length(&store[8..]);
    let mut rest = &store[8 + description..];
    while !rest.is_empty() {
        let (own, after) = rest.split_at(length(rest));
        let label = own[8 + 8 + 17..].iter().copied().take_while(|byte| *byte != 0).collect();
        found.push((String::from_utf8(label).unwrap_or_default(), own.to_vec()));
        rest = after;
    }
    found
}

fn length(start: &[u8]) -> usize {
    start.first_chunk::<4>().map_or(0, |length| u32::from_be_bytes(*length) as usize)
}

fn assertion(label: &str, content: &Value) -> Vec<u8> {
    superbox(*b"cbor", label, &[&plain(*b"cbor", &cbor::write(content))])
}

pub(crate) fn plain(kind: [u8; 4], content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len() + 8).unwrap_or(u32::MAX);
    [&length.to_be_bytes()[..], &kind, content].concat()
}

pub(crate) fn superbox(kind: [u8; 4], label: &str, contents: &[&[u8]]) -> Vec<u8> {
    const REST: [u8; 12] = [0x00, 0x11, 0x00, 0x10, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71];
    let description = [&kind[..], &REST, &[3], label.as_bytes(), &[0]].concat();
    let mut content = plain(*b"jumd", &description);
    for part in contents {
        content.extend_from_slice(part);
    }
    plain(*b"jumb", &content)
}
