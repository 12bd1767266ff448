//! If an installation requires signatures, only components that a trusted key signed are accepted.

use super::{
    guest::{Guest, doing},
    *,
};
use crate::{PluginSigningKey, SignaturePolicy, SignatureState, WantedPlugin, examine};

fn key(digit: char) -> PluginSigningKey {
    PluginSigningKey::parse(&digit.to_string().repeat(64)).unwrap()
}

fn trusting(key: &PluginSigningKey) -> SignaturePolicy {
    SignaturePolicy { required: true, trusted: vec![key.public()] }
}

fn options(signatures: SignaturePolicy) -> PluginOptions {
    PluginOptions { signatures, ..PluginOptions::new(CACHE.into(), [7; 32]) }
}

/// A component that is `other` behind the signature of `signed`.
fn swapped(signed: &[u8], other: &[u8]) -> Vec<u8> {
    // The section of one signature has 153 bytes.
    [&signed[..8 + 153], &other[8..]].concat()
}

#[test]
fn unsigned_wrongly_signed_and_swapped_files_are_not_loaded() {
    let (ours, theirs) = (key('1'), key('2'));
    let honest = doing("").build();
    let signed = ours.sign(&honest).unwrap();
    let files = [
        ("1-unsigned.wasm", honest.clone()),
        ("2-theirs.wasm", theirs.sign(&honest).unwrap()),
        ("3-swapped.wasm", swapped(&signed, &doing("unreachable").build())),
        ("4-signed.wasm", signed),
    ];
    let TestHost { host, .. } = TestHost::with_options(&files, options(trusting(&ours)));
    let reasons: Vec<String> = host.refused().into_iter().map(|refused| refused.reason).collect();
    let [unsigned, by_others, changed] = &reasons[..] else { panic!("{reasons:?}") };
    assert!(unsigned.contains("it is not signed"), "{unsigned}");
    assert!(by_others.contains(&format!("signed by the key {}", theirs.public())), "{by_others}");
    assert!(changed.contains("changed after it was signed"), "{changed}");
    let guests: Vec<_> = host.plugins().into_iter().filter(|plugin| !plugin.built_in).collect();
    assert_eq!(guests.len(), 1);
    assert_eq!(guests[0].signature, SignatureState::Trusted { key: ours.public() });
    assert_eq!(host.webhook_modes().len(), 6, "the built-in plugins need no signature");
}

#[test]
fn without_the_policy_signatures_are_only_reported() {
    let theirs = key('2');
    let files = [
        ("signed.wasm", theirs.sign(&doing("").build()).unwrap()),
        ("unsigned.wasm", Guest { name: "other", ..Guest::default() }.build()),
    ];
    let host = TestHost::with(&files).host;
    assert_eq!(host.refused(), []);
    let state = |name: &str| host.plugins().into_iter().find(|plugin| plugin.name == name).unwrap().signature;
    assert_eq!(state("guest"), SignatureState::Untrusted { key: Some(theirs.public()) });
    assert_eq!(state("other"), SignatureState::Unsigned);
}

#[test]
fn a_published_component_needs_a_signature_too() {
    let ours = key('1');
    let host = PluginHost::new(options(trusting(&ours))).unwrap();
    let unsigned = doing("").build();
    let signed = ours.sign(&unsigned).unwrap();
    let wanted = |bytes: &[u8]| WantedPlugin {
        name: "guest".to_owned(),
        version: "1.0.0".to_owned(),
        digest: Sha256Digest::of(bytes),
        revision: 1,
    };
    let both = [wanted(&unsigned), wanted(&signed)];
    host.accept_published(&both[0], &unsigned);
    host.accept_published(&both[1], &signed);
    host.keep_published(&both, Vec::new(), std::collections::BTreeSet::new());
    let [refused] = &host.refused()[..] else { panic!("{:?}", host.refused()) };
    assert!(refused.reason.contains("it is not signed"), "{}", refused.reason);
    assert!(host.plays("guest", Some(both[1].digest), Role::WebhookAuth));
}

#[test]
fn an_examined_component_reports_its_signature_and_why_it_would_be_refused() {
    let (ours, theirs) = (key('1'), key('2'));
    let signed = theirs.sign(&doing("").build()).unwrap();
    let examined = examine(&signed, None, None, &trusting(&ours)).unwrap();
    assert_eq!(examined.signature, SignatureState::Untrusted { key: Some(theirs.public()) });
    assert!(examined.refusal.unwrap().contains("not in plugins.trusted_keys"));
    assert_eq!(examined.plugin.unwrap().name, "guest", "it is described all the same");
    assert_eq!(examine(&signed, None, None, &trusting(&theirs)).unwrap().refusal, None);
}
