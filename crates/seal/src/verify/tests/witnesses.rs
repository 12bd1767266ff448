//! Cosignatures of witnesses in a certificate's proof of its place in a log.

use super::{
    facts::{logged, with_proofs},
    *,
};
use crate::tlog::{
    cosignature::{Cosigner, WitnessKey},
    proof::LogProof,
};

fn witness(name: &str) -> Cosigner {
    Cosigner::new(name, &random(name)).unwrap()
}

/// The proof with cosignatures by these witnesses.
fn cosigned(proof: &LogProof, by: &[&Cosigner], time: UnixTime) -> String {
    let text = proof.checkpoint.split_once("\n\n").unwrap().0;
    let lines = by.iter().map(|cosigner| cosigner.cosign(&format!("{text}\n"), time).unwrap());
    let checkpoint = proof.checkpoint.clone() + &lines.collect::<String>();
    LogProof { checkpoint, ..proof.clone() }.to_string()
}

/// The report for a reader who trusts these witnesses.
fn verify_with(pdf: &[u8], witnesses: &[WitnessKey]) -> Report {
    let anchors = anchors(&authority("Example"));
    certificate(pdf, &Expectations { witnesses, ..Expectations::trusting(&anchors, now(), &[]) })
}

fn saw(report: &Report) -> Vec<&str> {
    report.witnesses.saw.iter().map(|witness| witness.name.as_str()).collect()
}

#[test]
fn trusted_witnesses_that_saw_the_seal_are_counted_and_others_are_not() {
    let (manifest, proof) = logged();
    let [one, two, stranger] = ["w.example/1", "w.example/2", "w.example/3"].map(witness);
    let pdf = with_proofs(manifest, &[cosigned(&proof, &[&one, &stranger], now()).as_bytes()]);
    let report = verify_with(&pdf, &[one.verifier(), two.verifier()]);
    assert_eq!(report.outcome, Outcome::Valid, "{:?}", report.findings);
    assert_eq!((report.witnesses.trusted, saw(&report)), (2, vec!["w.example/1"]));
    let place = report.time_stamps[0].log.as_ref().unwrap();
    assert_eq!((place.witnesses.len(), place.other_cosignatures), (1, 1));
    assert_eq!(place.witnesses[0].key, one.verifier().to_string());

    assert_eq!(cosigned_by(&pdf, &[one.verifier(), two.verifier()]), 1);
    assert_eq!(cosigned_by(b"%PDF-", &[one.verifier()]), 0);
    let without = verify_with(&pdf, &[]);
    assert_eq!((without.outcome, saw(&without).len()), (Outcome::Valid, 0));
    assert_eq!(without.time_stamps[0].log.as_ref().unwrap().other_cosignatures, 2);
}

#[test]
fn a_witness_counts_once_and_at_its_first_time() {
    let (manifest, proof) = logged();
    let [one, two] = ["w.example/1", "w.example/2"].map(witness);
    let first = cosigned(&proof, &[&one], UnixTime::from_millis(now().as_millis() - 5000).unwrap());
    let second = cosigned(&proof, &[&one, &two], now());
    let pdf = with_proofs(manifest, &[proof.to_string().as_bytes(), first.as_bytes(), second.as_bytes()]);
    let report = verify_with(&pdf, &[two.verifier(), one.verifier()]);
    assert_eq!(saw(&report), ["w.example/1", "w.example/2"]);
    // A cosignature states its time in seconds.
    assert_eq!(report.witnesses.saw[0].time.as_millis(), (now().as_millis() - 5000) / 1000 * 1000);
}

#[test]
fn a_forged_cosignature_is_detected_and_one_from_the_future_does_not_count() {
    let (manifest, proof) = logged();
    let one = witness("w.example/1");
    let elsewhere = LogProof { checkpoint: proof.checkpoint.replacen("\n2\n", "\n3\n", 1), ..proof.clone() };
    let elsewhere = cosigned(&elsewhere, &[&one], now());
    let line = elsewhere.lines().last().unwrap();
    let forged = format!("{proof}{line}\n");
    let report = verify_with(&with_proofs(manifest.clone(), &[forged.as_bytes()]), &[one.verifier()]);
    assert_eq!(report.outcome, Outcome::ChangedOrNotOurs);
    assert_eq!(faults(&report), [FindingCode::Log], "{:?}", report.findings);
    assert!(saw(&report).is_empty());

    let future = cosigned(&proof, &[&one], now().plus_days(1));
    let report = verify_with(&with_proofs(manifest, &[future.as_bytes()]), &[one.verifier()]);
    assert_eq!((report.outcome, saw(&report).len()), (Outcome::Valid, 0), "{:?}", report.findings);
}
