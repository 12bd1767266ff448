//! Signers and authorities with invalid certificates: expired, not yet valid, revoked, weak, or for another purpose.
//! Each result is intact but not trusted, with the right reason.

use super::*;
use crate::{
    pki::{Identity, Issue, PrivateKey, Purpose, Revocation, Usage, issue, revocation_list},
    testing::{days_ago, issued},
};

/// A certificate signed by the test's own identity, with a time stamp by `Example` at `time`.
fn signed_by(identity: &Identity, stamped_at: Option<UnixTime>) -> Vec<u8> {
    let parts = parts("Example");
    let text = SignatureText { name: "Example Org", reason: "Sealed", time: now() };
    let signed = prepare_signature(&parts.base(), &text).unwrap().sign(identity).unwrap();
    let token = stamped_at.map(|time| stamp("Example", &signed.digest_to_stamp(), time));
    signed.finish(token.as_ref()).unwrap()
}

#[test]
fn a_chain_counts_at_the_time_of_the_signature_and_not_before_or_after() {
    let example = authority("Example");
    let identity = |from, until| issued(&example, Usage::DocumentSigning, from, until);
    let hours = |count: i64| UnixTime::from_millis(now().as_millis() + count * 3_600_000).unwrap();
    for (what, identity, expected) in [
        ("valid", identity(days_ago(1), hours(1)), Outcome::Valid),
        ("expired when it was stamped", identity(days_ago(1), hours(-1)), Outcome::IntactButUntrusted),
        ("not yet valid when it was stamped", identity(hours(1), hours(2)), Outcome::IntactButUntrusted),
    ] {
        let report = verify(&signed_by(&identity, Some(now())));
        assert_eq!(report.outcome, expected, "{what}: {:?}", report.findings);
    }
    // Valid at the time of its stamp but expired now: this is the purpose of stamps.
    let expired = signed_by(&identity(days_ago(1), hours(1)), Some(now()));
    assert_eq!(verify_at(&expired, hours(24)).outcome, Outcome::Valid);
    // Without a stamp, the current time counts.
    let unstamped = signed_by(&identity(days_ago(1), hours(1)), None);
    assert_eq!(verify_at(&unstamped, hours(24)).outcome, Outcome::IntactButUntrusted);
}

#[test]
fn a_root_that_is_not_yet_valid_or_expired_is_not_an_anchor() {
    let pdf = parts("Example").b_t();
    let anchors = anchors(&authority("Example"));
    for at in [days_ago(300), now().plus_days(30 * 365)] {
        let report = certificate(&pdf, &Expectations::trusting(&anchors, at, &[]));
        let expected = if at < now() { Outcome::IntactButUntrusted } else { Outcome::Valid };
        assert_eq!(report.outcome, expected, "{at}: {:?}", report.findings);
    }
}

/// With the precision of a list.
fn seconds(time: UnixTime) -> UnixTime {
    UnixTime::from_millis(time.as_millis() / 1000 * 1000).unwrap()
}

/// An archived certificate whose store contains this list by `Example`.
fn archived_with(list: Vec<u8>) -> Vec<u8> {
    let material = ValidationMaterial { revocation_lists: vec![list], ..ValidationMaterial::default() };
    add_time_stamp(&parts("Example").b_t(), "Example", Some(&material), now())
}

#[test]
fn a_signer_revoked_before_it_signed_is_not_trusted_and_one_revoked_later_is() {
    let example = authority("Example");
    let list = |revoked: &[(crate::Certificate, UnixTime)]| {
        revocation_list(&example.root, &example.root_key, 1, now(), now().plus_days(30), revoked).unwrap()
    };
    let report = verify(&archived_with(list(&[(example.signing.clone(), days_ago(1))])));
    assert_eq!(report.outcome, Outcome::IntactButUntrusted, "{:?}", report.findings);
    assert_eq!(faults(&report), [FindingCode::Signature]);
    assert_eq!(report.signature.unwrap().revocation, Some(Revocation::Revoked { since: seconds(days_ago(1)) }));

    let report = verify(&archived_with(list(&[(example.signing.clone(), now().plus_days(1))])));
    assert_eq!(report.outcome, Outcome::Valid, "{:?}", report.findings);

    let report = verify(&archived_with(list(&[(example.time_stamping.clone(), days_ago(1))])));
    assert_eq!(report.outcome, Outcome::IntactButUntrusted);
    assert!(faults(&report).contains(&FindingCode::TimeStamp));
    assert_eq!(report.proven_time, None);
}

#[test]
fn a_list_by_another_issuer_or_too_old_does_not_count_and_is_reported() {
    let (example, other) = (authority("Example"), authority("Other"));
    let foreign = revocation_list(&other.root, &other.root_key, 1, now(), now().plus_days(30), &[]).unwrap();
    let old = revocation_list(&example.root, &example.root_key, 1, days_ago(30), days_ago(2), &[]).unwrap();
    let mut broken = revocation_list(&example.root, &example.root_key, 1, now(), now().plus_days(30), &[]).unwrap();
    let last = broken.len() - 1;
    broken[last] ^= 1;
    for (what, list) in [("foreign", foreign), ("old", old), ("broken", broken)] {
        let report = verify(&archived_with(list));
        assert_eq!(report.outcome, Outcome::Valid, "{what}: {:?}", report.findings);
        assert!(report.findings.iter().any(|finding| finding.code == FindingCode::Revocation), "{what}");
        assert_eq!(report.signature.unwrap().revocation, Some(Revocation::Unknown), "{what}");
    }
    let report = verify(&parts("Example").b_lta());
    assert!(matches!(report.signature.unwrap().revocation, Some(Revocation::NotRevoked { .. })));
}

#[test]
fn a_time_stamping_key_cannot_sign_documents_nor_a_signing_key_stamp_times() {
    let (signing, time_stamping) = authority("Example").into_identities().unwrap();
    let refused = Identity::new(
        Box::new(authority("Example").time_stamping_key),
        time_stamping.chain().to_vec(),
        Purpose::DocumentSigning,
    );
    assert!(refused.is_err());
    let stamps = crate::tsp::TimeStampAuthority::new(signing, None);
    let token = stamps.stamp(&Sha256Digest::of("digest"), random("serial"), now()).unwrap();
    let error = token.verify(&Sha256Digest::of("digest"), &anchors(&authority("Example"))).unwrap_err();
    assert!(error.to_string().contains("may not be used for this"), "{error}");
}

#[test]
fn a_p_384_key_can_sign() {
    let example = authority("Example");
    // A fixed key: P-384 from 48 bytes, in SEC 1.
    let key = p384::SecretKey::from_slice(&[7; 48]).unwrap();
    let pem = p384::pkcs8::EncodePrivateKey::to_pkcs8_pem(&key, der::pem::LineEnding::LF).unwrap();
    let key = PrivateKey::from_pem(&pem).unwrap();
    let request = Issue {
        usage: Usage::DocumentSigning,
        common_name: "P-384",
        organization: "Example",
        public_key: &key.public_key_der().unwrap(),
        serial_number: random("p384"),
        not_before: days_ago(1),
        not_after: now().plus_days(1),
    };
    let own = issue(&request, Some(&example.root), &example.root_key).unwrap();
    let identity = Identity::new(Box::new(key), vec![own, example.root.clone()], Purpose::DocumentSigning).unwrap();
    let report = verify(&signed_by(&identity, Some(now())));
    assert_eq!(report.outcome, Outcome::Valid, "{:?}", report.findings);
    assert_eq!(report.signature.unwrap().algorithm.as_deref(), Some("ECDSA P-384 with SHA-256"));
}
