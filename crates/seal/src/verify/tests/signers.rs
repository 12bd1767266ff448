//! Whose signature counts: anchors of signers and of time stamps are separate, and a named certificate counts alone.

use super::*;
use crate::{
    Certificate,
    pki::Usage,
    testing::{days_ago, issued},
};

/// A certificate by the signer `Example`, its signature stamped by the authority `Time`.
fn signed_and_stamped() -> Vec<u8> {
    signed_by(&authority("Example").into_identities().unwrap().0)
}

fn signed_by(identity: &crate::pki::Identity) -> Vec<u8> {
    let base = Parts { authority: "Time", ..parts("Time") }.base();
    let text = SignatureText { name: "Example Org", reason: "Sealed", time: now() };
    let signed = prepare_signature(&base, &text).unwrap().sign(identity).unwrap();
    let token = stamp("Time", &signed.digest_to_stamp(), now());
    signed.finish(Some(&token)).unwrap()
}

fn check(pdf: &[u8], roots: &[TrustAnchor], certificates: &[Certificate], time_roots: &[TrustAnchor]) -> Report {
    let signers = Signers { roots, certificates };
    certificate(pdf, &Expectations { signers, time_roots, now: now(), originals: &[], witnesses: &[] })
}

fn reasons(report: &Report) -> String {
    let against = report.findings.iter().filter(|finding| finding.severity > Severity::Notice);
    against.map(|finding| finding.message.as_str()).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_root_for_time_stamps_trusts_no_signer_and_a_root_of_signers_no_time_stamp() {
    let (signers, time) = (anchors(&authority("Example")), anchors(&authority("Time")));
    let pdf = signed_and_stamped();
    assert_eq!(check(&pdf, &signers, &[], &time).outcome, Outcome::Valid);

    let both = [signers.clone(), time.clone()].concat();
    let report = check(&pdf, &time, &[], &both);
    assert_eq!(faults(&report), [FindingCode::Signature], "{:?}", report.findings);
    assert_eq!(report.outcome, Outcome::IntactButUntrusted);

    let report = check(&pdf, &both, &[], &signers);
    assert_eq!(report.outcome, Outcome::IntactButUntrusted);
    assert!(faults(&report).iter().all(|code| matches!(code, FindingCode::TimeStamp | FindingCode::Token)));
    assert_eq!(report.proven_time, None);
}

#[test]
fn a_named_signing_certificate_counts_alone_under_its_root() {
    let (example, time) = (authority("Example"), anchors(&authority("Time")));
    let other = issued(&example, Usage::DocumentSigning, days_ago(1), now().plus_days(1));
    let (own, others) = (signed_and_stamped(), signed_by(&other));
    let named = [example.signing.clone()];
    let report = check(&own, &[], &named, &time);
    assert_eq!(report.outcome, Outcome::Valid, "{:?}", report.findings);
    assert_eq!(report.signature.unwrap().anchor, Some(example.root.subject()), "the end of its own chain");

    let report = check(&others, &[], &named, &time);
    assert_eq!(report.outcome, Outcome::IntactButUntrusted);
    let reasons = reasons(&report);
    let (subject, fingerprint) = (other.certificate().subject(), other.certificate().fingerprint());
    assert!(reasons.contains(&format!("found `{subject}` (SHA-256 of the certificate {fingerprint})")), "{reasons}");
    assert!(reasons.contains(&format!("expected `{}`", example.signing.subject())), "{reasons}");

    // If it is named too, it counts. So does each under a root that is trusted for signers.
    let both = [example.signing.clone(), other.certificate().clone()];
    assert_eq!(check(&others, &[], &both, &time).outcome, Outcome::Valid);
    assert_eq!(check(&others, &anchors(&example), &named, &time).outcome, Outcome::Valid);
}

#[test]
fn a_named_certificate_that_has_expired_does_not_count() {
    let (example, time) = (authority("Example"), anchors(&authority("Time")));
    let an_hour_before = UnixTime::from_millis(now().as_millis() - 3_600_000).unwrap();
    let ended = issued(&example, Usage::DocumentSigning, days_ago(1), an_hour_before);
    let report = check(&signed_by(&ended), &[], &[ended.certificate().clone()], &time);
    assert_eq!(report.outcome, Outcome::IntactButUntrusted);
    assert!(reasons(&report).contains("no longer valid"), "{}", reasons(&report));
}

#[test]
fn the_level_follows_from_the_bytes_and_not_from_who_is_trusted() {
    let parts = parts("Example");
    let no_statements = add_time_stamp(&parts.b_t(), "Example", Some(&ValidationMaterial::default()), now());
    for (what, pdf, level, stamps) in [
        ("signed", parts.b_b(), Level::BB, 0),
        ("stamped", parts.b_t(), Level::BT, 0),
        ("archived", parts.b_lta(), Level::BLta, 1),
        ("archived, without a statement about revocation", no_statements, Level::BT, 1),
    ] {
        assert_eq!(reached(&pdf), Some(ReachedLevel { level, document_time_stamps: stamps }), "{what}");
        for trusted in [anchors(&authority("Example")), Vec::new()] {
            for at in [now(), now().plus_days(365)] {
                let report = certificate(&pdf, &Expectations::trusting(&trusted, at, &[]));
                assert_eq!(report.level, Some(level), "{what}, {} trusted, {at}", trusted.len());
            }
        }
    }
    assert_eq!(reached(b"%PDF-1.7\n"), None);
}
