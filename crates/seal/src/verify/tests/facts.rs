use super::*;
use crate::{
    manifest::Log,
    merkle::{leaf_hash, root},
    testing::days_ago,
    tlog::{Checkpoint, entry::LogEntry, note::NoteSigner, proof::LogProof},
};

#[test]
fn a_certificate_of_each_level_is_valid_and_reports_its_level() {
    let parts = parts("Example");
    let (b_b, b_t, b_lta) = (parts.b_b(), parts.b_t(), parts.b_lta());
    let upgraded = add_time_stamp(&b_b, "Example", None, now());
    let renewed = add_time_stamp(&b_lta, "Example", None, now().plus_days(1));
    for (pdf, level, stamps) in [
        (&b_b, Level::BB, 0),
        (&b_t, Level::BT, 1),
        (&b_lta, Level::BLta, 2),
        (&upgraded, Level::BT, 1),
        (&renewed, Level::BLta, 3),
    ] {
        let report = verify_at(pdf, now().plus_days(2));
        assert_eq!(report.outcome, Outcome::Valid, "{:#?}", report.findings);
        assert_eq!(report.level, Some(level));
        assert_eq!(report.time_stamps.len(), stamps);
        assert_eq!(report.time_stamps.last().map_or(Level::BB, |stamp| stamp.level), level);
        assert_eq!(report.proven_time, (stamps > 0).then(now));
        assert_eq!(report.signature.unwrap().state, State::Trusted);
        assert!(report.time_stamps.iter().all(|stamp| stamp.state == State::Trusted));
        let pending = report.findings.iter().any(|finding| finding.code == FindingCode::TimePending);
        assert_eq!(pending, stamps == 0);
    }
}

#[test]
fn the_report_states_what_was_sealed_when_and_by_whom() {
    let report = verify(&parts("Example").b_lta());
    let signature = report.signature.as_ref().unwrap();
    assert_eq!(signature.claimed_time.as_deref(), Some("D:20261120100000Z"));
    assert_eq!(signature.signer.as_ref().unwrap().sha256, authority("Example").signing.fingerprint());
    assert!(signature.development);
    let manifest = report.manifest.as_ref().unwrap();
    assert_eq!(manifest.reference, "CAS-12_CMP-7");
    assert!(matches!(manifest.token, TokenState::Verified { .. }));
    let states: Vec<bool> = report.items.iter().map(|item| matches!(item.token, TokenState::Verified { .. })).collect();
    assert_eq!(states, [true, true, false]);
    assert_eq!(report.items[2].token, TokenState::None);
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["outcome"], "valid");
    assert_eq!(json["level"], "B-LTA");
    assert_eq!(json["timeStamps"][1]["kind"], "document");
    assert_eq!(json["timeStamps"][0]["level"], "B-T");
    assert_eq!(json["timeStamps"][1]["level"], "B-LTA");
    assert_eq!(json["provenTime"], "2026-11-20T10:00:00.573Z");
    assert_eq!(json["items"][0]["token"]["state"], "verified");
}

#[test]
fn decisions_14_an_original_is_one_of_the_sealed_files_or_unknown_to_the_certificate() {
    let pdf = parts("Example").b_t();
    let anchors = anchors(&authority("Example"));
    let original = |name: &str, bytes: &[u8]| Original { name: name.into(), sha256: Sha256Digest::of(bytes) };
    let check = |originals: &[Original]| certificate(&pdf, &Expectations::trusting(&anchors, now(), originals));
    let report = check(&[original("a.jpg", PHOTOS[1])]);
    assert_eq!(report.outcome, Outcome::Valid);
    assert_eq!(report.originals[0].items, ["ITM-1_CAS-12"]);
    assert_eq!(report.items[1].originals, ["a.jpg"]);
    let report = check(&[original("a.jpg", PHOTOS[0]), original("b.jpg", b"another file")]);
    assert_eq!(report.outcome, Outcome::ChangedOrNotOurs);
    assert_eq!(faults(&report), [FindingCode::Original]);
}

#[test]
fn a_certificate_of_an_authority_that_is_not_trusted_is_intact_but_untrusted() {
    for pdf in [parts("Other").b_b(), parts("Other").b_t(), parts("Other").b_lta()] {
        let report = verify(&pdf);
        assert_eq!(report.outcome, Outcome::IntactButUntrusted, "{:#?}", report.findings);
        assert_eq!(report.signature.unwrap().state, State::Untrusted);
        assert_eq!(report.proven_time, None);
    }
}

/// Signed and stamped, it stays valid after all certificates have expired; only signed, it does not.
#[test]
fn a_time_stamp_keeps_a_certificate_valid_beyond_its_signers() {
    let parts = parts("Example");
    let later = now().plus_days(30 * 365);
    assert_eq!(verify_at(&parts.b_t(), later).outcome, Outcome::Valid);
    let report = verify_at(&parts.b_b(), later);
    assert_eq!(report.outcome, Outcome::IntactButUntrusted);
    assert_eq!(faults(&report), [FindingCode::Signature]);
    // Not yet valid for a reader whose clock is before all of it.
    let report = verify_at(&parts.b_t(), days_ago(30));
    assert_eq!(report.outcome, Outcome::IntactButUntrusted);
    assert!(faults(&report).contains(&FindingCode::FutureTime), "{:?}", report.findings);
}

#[test]
fn an_untrusted_time_stamp_does_not_prove_the_time() {
    let report = verify(&add_time_stamp(&parts("Example").b_b(), "Other", None, now()));
    assert_eq!(report.outcome, Outcome::IntactButUntrusted);
    assert_eq!(report.proven_time, None);
    assert_eq!(report.time_stamps[0].state, State::Untrusted);
    assert_eq!(report.signature.unwrap().state, State::Trusted);
}

#[test]
fn an_operator_s_own_anchor_is_not_a_development_authority() {
    let certificate = authority("Example").root;
    let anchors = [TrustAnchor { certificate, development: false }];
    let pdf = parts("Example").b_lta();
    let report = super::certificate(&pdf, &Expectations::trusting(&anchors, now(), &[]));
    assert_eq!(report.findings, []);
    assert_eq!(report.outcome, Outcome::Valid);
}

/// Signed by us, but inconsistent: these can only happen through a bug in the sealing program.
#[test]
fn a_manifest_that_does_not_match_its_attachments_is_detected() {
    type Change = fn(&mut Parts);
    let changes: [(FindingCode, Change); 8] = [
        (FindingCode::Manifest, |parts| parts.manifest = b"{}".to_vec()),
        (FindingCode::Manifest, |parts| parts.manifest.push(b' ')),
        (FindingCode::Manifest, |parts| parts.attachments.push((manifest::ATTACHMENT.into(), parts.manifest.clone()))),
        (FindingCode::Token, |parts| drop(parts.attachments.remove(0))),
        (FindingCode::Token, |parts| parts.attachments[2].1 = parts.attachments[0].1.clone()),
        (FindingCode::Commitments, |parts| {
            let mut manifest = read_manifest(parts);
            manifest.items[2].value = Some("Water".into());
            parts.manifest = manifest.to_canonical_json().unwrap();
            parts.attachments.pop();
        }),
        (FindingCode::Token, |parts| {
            let mut manifest = read_manifest(parts);
            manifest.items[0].time_stamp_token.as_mut().unwrap().time = "2020-01-01T00:00:00.000Z".into();
            manifest.commit(&[[1; 32], [2; 32], [3; 32]]).unwrap();
            parts.manifest = manifest.to_canonical_json().unwrap();
            parts.attachments.pop();
        }),
        // The token of the other photo.
        (FindingCode::Token, |parts| {
            let mut manifest = read_manifest(parts);
            manifest.items[0].time_stamp_token = manifest.items[1].time_stamp_token.clone();
            manifest.commit(&[[1; 32], [2; 32], [3; 32]]).unwrap();
            parts.manifest = manifest.to_canonical_json().unwrap();
            parts.attachments.pop();
        }),
    ];
    for (number, (code, change)) in changes.into_iter().enumerate() {
        let mut parts = parts("Example");
        change(&mut parts);
        let report = verify(&parts.b_t());
        assert_eq!(report.outcome, Outcome::ChangedOrNotOurs, "{number}");
        assert!(faults(&report).contains(&code), "{number}: {:?}", report.findings);
    }
}

#[test]
fn a_manifest_of_version_1_is_read_too() {
    let mut parts = parts("Example");
    parts.manifest = manifest::tests::manifest().to_canonical_json().unwrap();
    parts.attachments.clear();
    let report = verify(&parts.b_t());
    assert_eq!(report.outcome, Outcome::Valid, "{:?}", report.findings);
    assert_eq!(report.manifest.unwrap().version, 1);
}

/// A manifest that names a log, and the log's proof of it.
pub(super) fn logged() -> (Vec<u8>, LogProof) {
    let signer = NoteSigner::new("log.example/seals", &random("log key")).unwrap();
    let log = Some(Log { key: signer.verifier().to_string() });
    let manifest = SealManifest { log, ..manifest::tests::manifest() }.to_canonical_json().unwrap();
    let entry = LogEntry::Seal { seal_manifest_sha256: Sha256Digest::of(&manifest) }.to_canonical_json().unwrap();
    let leaves = [leaf_hash(b"another"), leaf_hash(&entry)];
    let head =
        Checkpoint { origin: "log.example/seals".to_owned(), size: 2, root: root(&leaves), extensions: Vec::new() };
    let checkpoint = signer.sign(&head.to_string()).unwrap();
    (manifest, LogProof { index: 1, hashes: vec![leaves[0]], checkpoint })
}

fn with_log_proof(manifest: Vec<u8>, proof: &[u8]) -> Report {
    verify(&with_proofs(manifest, &[proof]))
}

/// A certificate with a time stamp for each proof.
pub(super) fn with_proofs(manifest: Vec<u8>, proofs: &[&[u8]]) -> Vec<u8> {
    let mut parts = parts("Example");
    parts.manifest = manifest;
    parts.attachments.clear();
    proofs.iter().fold(parts.b_b(), |pdf, &proof| {
        let prepared = prepare_time_stamp(&pdf, None, Some(proof)).unwrap();
        let token = stamp("Example", &prepared.digest(), now());
        prepared.finish(&token).unwrap()
    })
}

#[test]
fn the_place_in_a_log_is_in_the_time_stamp() {
    let (manifest, proof) = logged();
    let report = with_log_proof(manifest, proof.to_string().as_bytes());
    assert_eq!(report.outcome, Outcome::Valid, "{:?}", report.findings);
    let place = report.time_stamps[0].log.as_ref().unwrap();
    assert_eq!((place.name.as_str(), place.index, place.size), ("log.example/seals", 1, 2));
}

#[test]
fn a_place_in_a_log_of_another_manifest_is_detected() {
    let (manifest, proof) = logged();
    let elsewhere = LogProof { index: 0, ..proof.clone() };
    let unsigned = LogProof { checkpoint: proof.checkpoint.replace("\n2\n", "\n3\n"), ..proof.clone() };
    let without_log = manifest::tests::manifest().to_canonical_json().unwrap();
    for (manifest, proof) in [
        (manifest.clone(), elsewhere.to_string()),
        (manifest.clone(), unsigned.to_string()),
        (manifest, "proof".to_owned()),
        (without_log, proof.to_string()),
    ] {
        let report = with_log_proof(manifest, proof.as_bytes());
        assert_eq!(report.outcome, Outcome::ChangedOrNotOurs);
        assert_eq!(faults(&report), [FindingCode::Log], "{:?}", report.findings);
        assert_eq!(report.time_stamps[0].log, None);
    }
}
