use super::*;
use crate::{
    testing::{anchors, authority, days_ago, issued, now, random},
    time::UnixTime,
};

fn check(
    leaf: &Certificate,
    embedded: &[Certificate],
    purpose: Purpose,
    at: UnixTime,
) -> Result<TrustedPath, PathError> {
    verify_path(leaf, embedded, &anchors(&authority("Example")), at, purpose)
}

#[test]
fn a_chain_to_the_anchor_is_trusted_with_or_without_the_root() {
    let example = authority("Example");
    for embedded in [vec![], vec![example.root.clone()], vec![example.signing.clone(), example.root.clone()]] {
        let path = check(&example.signing, &embedded, Purpose::DocumentSigning, now()).unwrap();
        assert_eq!(path.certificates, [example.signing.clone(), example.root.clone()]);
        assert!(path.development);
        assert_eq!(path.valid_until(), example.signing.not_after());
    }
    check(&example.time_stamping, &[], Purpose::TimeStamping, now()).unwrap();
}

#[test]
fn a_chain_to_another_root_is_not_trusted_but_is_not_tampering() {
    let other = authority("Other");
    let error = check(&other.signing, std::slice::from_ref(&other.root), Purpose::DocumentSigning, now()).unwrap_err();
    assert!(matches!(error, PathError::Untrusted { .. }), "{error}");
    assert!(!error.is_tampering());
}

#[test]
fn a_certificate_is_valid_from_its_first_second_to_its_last() {
    let example = authority("Example");
    let leaf = issued(&example, Usage::DocumentSigning, days_ago(0), days_ago(0).plus_days(1)).certificate().clone();
    let at = |millis: i64| UnixTime::from_millis(millis).unwrap();
    let (from, until) = (leaf.not_before().as_millis(), leaf.not_after().as_millis());
    for (time, expected) in [(from - 1, false), (from, true), (until + 999, true), (until + 1000, false)] {
        let result = check(&leaf, &[], Purpose::DocumentSigning, at(time));
        assert_eq!(result.is_ok(), expected, "{time}: {result:?}");
    }
    assert!(matches!(check(&leaf, &[], Purpose::DocumentSigning, at(from - 1)), Err(PathError::NotYetValid { .. })));
    assert!(matches!(check(&leaf, &[], Purpose::DocumentSigning, at(until + 1000)), Err(PathError::Expired { .. })));
}

#[test]
fn a_certificate_is_only_valid_for_its_own_purpose() {
    let example = authority("Example");
    for (leaf, purpose) in
        [(&example.signing, Purpose::TimeStamping), (&example.time_stamping, Purpose::DocumentSigning)]
    {
        assert!(matches!(check(leaf, &[], purpose, now()), Err(PathError::WrongUsage { .. })), "{purpose:?}");
    }
}

#[test]
fn an_end_entity_cannot_issue() {
    let example = authority("Example");
    let key = PrivateKey::p256_from_random(&random("leaf of a leaf")).unwrap();
    let request = Issue {
        usage: Usage::DocumentSigning,
        common_name: "Below a leaf",
        organization: "Example",
        public_key: &key.public_key_der().unwrap(),
        serial_number: random("serial"),
        not_before: days_ago(1),
        not_after: now(),
    };
    let leaf = issue(&request, Some(&example.signing), &example.signing_key).unwrap();
    let error = check(&leaf, std::slice::from_ref(&example.signing), Purpose::DocumentSigning, now()).unwrap_err();
    assert!(matches!(error, PathError::NotAnAuthority { .. }), "{error}");
}

#[test]
fn an_unrelated_certificate_is_detected() {
    let (example, other) = (authority("Example"), authority("Other"));
    let error =
        check(&example.signing, std::slice::from_ref(&other.root), Purpose::DocumentSigning, now()).unwrap_err();
    assert!(matches!(&error, PathError::Stray { .. }) && error.is_tampering(), "{error}");
}

/// The root in a signature is only signed by itself, so this is what detects a change to it.
#[test]
fn every_flipped_byte_of_an_included_root_is_detected() {
    let example = authority("Example");
    let der = example.root.der();
    for position in 0..der.len() {
        let mut changed = der.to_vec();
        changed[position] ^= 1;
        let Ok(root) = Certificate::from_der(&changed) else { continue };
        let error = check(&example.signing, &[root], Purpose::DocumentSigning, now()).unwrap_err();
        assert!(error.is_tampering(), "byte {position}: {error}");
    }
}

#[test]
fn names_round_trip() {
    let example = authority("Acme, Inc. + \"Söhne\" O=Evil,CN=Evil");
    let subject = example.root.as_x509().tbs_certificate().subject();
    assert_eq!(subject.iter_rdn().count(), 2);
    assert_eq!(example.signing.issuer(), example.root.subject());
    let read = Certificate::from_pem_chain(&format!("subject=…\n{}\n", example.root.to_pem())).unwrap();
    assert_eq!(read, [example.root]);
}

#[test]
fn texts_without_a_certificate_are_rejected() {
    assert_eq!(Certificate::from_pem_chain(""), Err(CertificateError::NoCertificate));
    for text in ["-----BEGIN CERTIFICATE-----", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
        assert!(Certificate::from_pem_chain(text).is_err(), "{text}");
    }
}

#[test]
fn a_key_written_to_pem_is_the_same_key() {
    let key = PrivateKey::p256_from_random(&random("key")).unwrap();
    let read = PrivateKey::from_pem(&key.to_pem().unwrap()).unwrap();
    assert_eq!(read.public_key_der().unwrap(), key.public_key_der().unwrap());
    assert_eq!(read.sign(b"message").unwrap(), key.sign(b"message").unwrap());
    assert!(matches!(PrivateKey::p256_from_random(&[0; 32]), Err(KeyError::Unlucky)));
}

#[test]
fn a_key_and_another_key_s_certificate_are_not_an_identity() {
    let (example, other) = (authority("Example"), authority("Other"));
    let chain = vec![example.signing.clone(), example.root.clone()];
    let error = Identity::new(Box::new(other.signing_key), chain, Purpose::DocumentSigning).unwrap_err();
    assert!(matches!(error, IdentityError::OtherKey { .. }), "{error}");
    let reversed = vec![example.signing, other.root];
    let error = Identity::new(Box::new(example.signing_key), reversed, Purpose::DocumentSigning).unwrap_err();
    assert!(matches!(error, IdentityError::Chain(_)), "{error}");
}
