use super::*;

fn key(number: u8) -> PluginSigningKey {
    PluginSigningKey(SigningKey::from_bytes(&[number; 32]))
}

fn component(export: &str) -> Vec<u8> {
    wat::parse_str(format!(r#"(component (core module $m) (export "{export}" (core module $m)))"#)).unwrap()
}

fn trusting(keys: &[&PluginSigningKey]) -> SignaturePolicy {
    SignaturePolicy { required: true, trusted: keys.iter().map(|key| key.public()).collect() }
}

#[track_caller]
fn refusal(policy: &SignaturePolicy, component: &[u8]) -> String {
    policy.admit(&policy.judge(component)).unwrap_err().to_string()
}

#[test]
fn a_component_signed_by_a_trusted_key_is_accepted() {
    let signed = key(1).sign(&component("a")).unwrap();
    let policy = trusting(&[&key(2), &key(1)]);
    assert_eq!(policy.judge(&signed), SignatureState::Trusted { key: key(1).public() });
    policy.admit(&policy.judge(&signed)).unwrap();
}

#[test]
fn an_unsigned_component_is_refused_only_if_the_policy_requires_a_signature() {
    let policy = trusting(&[&key(1)]);
    assert_eq!(policy.judge(&component("a")), SignatureState::Unsigned);
    assert!(refusal(&policy, &component("a")).starts_with("it is not signed"));
    SignaturePolicy::default().admit(&SignatureState::Unsigned).unwrap();
}

#[test]
fn the_signature_of_an_unknown_key_is_not_trusted() {
    let signed = key(1).sign(&component("a")).unwrap();
    let policy = trusting(&[&key(2)]);
    assert_eq!(policy.judge(&signed), SignatureState::Untrusted { key: Some(key(1).public()) });
    assert!(refusal(&policy, &signed).contains(&key(1).public().to_string()));
}

#[test]
fn a_signature_does_not_hold_for_another_component() {
    let (one, other) = (key(1).sign(&component("a")).unwrap(), key(1).sign(&component("b")).unwrap());
    let Carried::Section { after, .. } = section::find(&one) else { panic!("it is signed") };
    let Carried::Section { after: after_other, .. } = section::find(&other) else { panic!("it is signed") };
    let moved = [&one[..after], &other[after_other..]].concat();
    let policy = trusting(&[&key(1)]);
    assert!(refusal(&policy, &moved).contains("changed after it was signed"));
}

/// Where the identifier of the key is: a hint, which proves nothing.
const HINT: std::ops::Range<usize> = 63..95;

#[test]
fn every_byte_is_covered() {
    let signed = key(1).sign(&component("a")).unwrap();
    let policy = trusting(&[&key(1)]);
    for position in section::PREAMBLE..signed.len() {
        let mut changed = signed.clone();
        changed[position] ^= 1;
        match policy.judge(&changed) {
            SignatureState::Trusted { .. } => assert!(HINT.contains(&position), "{position}"),
            state => assert!(policy.admit(&state).is_err(), "{position}: {state:?}"),
        }
    }
}

#[test]
fn signing_again_replaces_the_signature_and_keeps_the_content() {
    let component = component("a");
    let signed = key(1).sign(&component).unwrap();
    let again = key(2).sign(&signed).unwrap();
    assert_eq!(again, key(2).sign(&component).unwrap());
    assert_eq!(trusting(&[&key(1)]).judge(&again), SignatureState::Untrusted { key: Some(key(2).public()) });
    assert!(key(1).sign(b"no component").is_err());
}

#[test]
fn a_signature_without_a_key_s_identifier_is_found_by_trying_the_trusted_keys() {
    let component = component("a");
    let content = &component[section::PREAMBLE..];
    let hashes = vec![Sha256Digest::of("a part"), Sha256Digest::of(content)];
    let signature = key(1).0.sign(&section::message(&hashes)).to_bytes().to_vec();
    let signatures = vec![SingleSignature { key_id: Vec::new(), signature }];
    let data = SignatureData { signed: vec![SignedHashes { hashes, signatures }] };
    let signed = [&component[..section::PREAMBLE], &data.write_section(), content].concat();
    assert_eq!(trusting(&[&key(1)]).judge(&signed), SignatureState::Trusted { key: key(1).public() });
    assert_eq!(trusting(&[&key(2)]).judge(&signed), SignatureState::Untrusted { key: None });
}

#[test]
fn the_section_has_the_documented_form() {
    let component = component("a");
    let signed = key(1).sign(&component).unwrap();
    let content = &component[section::PREAMBLE..];
    let (head, tail) = signed.split_at(signed.len() - content.len());
    assert_eq!(tail, content);
    let digest = Sha256Digest::of(content);
    let signature = key(1).0.sign(&section::message(&[digest])).to_bytes();
    let expected = [
        &component[..section::PREAMBLE],
        // A custom section of 150 bytes.
        &[0, 0x96, 1],
        b"\x09signature",
        // The format's version, WebAssembly, SHA-256, and one list of 134 bytes.
        &[1, 1, 1, 1, 0x86, 1],
        &[1],
        digest.as_bytes(),
        // One signature of 99 bytes: the key's identifier, Ed25519, the signature.
        &[1, 99, 32],
        &key(1).public().0,
        &[1, 64],
        &signature,
    ];
    assert_eq!(head, expected.concat());
}

#[test]
fn what_cannot_be_read_is_wrong_and_never_a_panic() {
    let signed = key(1).sign(&component("a")).unwrap();
    let policy = trusting(&[&key(1)]);
    for length in 0..signed.len() {
        assert!(!matches!(policy.judge(&signed[..length]), SignatureState::Trusted { .. }), "{length}");
    }
    let mut empty = component("a")[..section::PREAMBLE].to_vec();
    empty.extend_from_slice(b"\x00\x0a\x09signature");
    assert!(matches!(policy.judge(&empty), SignatureState::Wrong { .. }));
}

#[test]
fn keys_are_read_as_they_are_written() {
    let key = PluginSigningKey::generate();
    let read = PluginSigningKey::parse(&format!("{}\n", key.secret_text().expose())).unwrap();
    assert_eq!(read.public(), key.public());
    assert_eq!(key.public().to_string().parse(), Ok(key.public()));
    assert_eq!("12".parse::<PluginKey>(), Err(ParsePluginKeyError));
    assert!(PluginSigningKey::parse("12").is_none());
}
