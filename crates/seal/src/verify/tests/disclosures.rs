//! Signed disclosures: what one says without its certificate, and what it cannot be made to say.

use serde_json::Value;

use super::*;
use crate::{
    disclosure::{DisclosureError, signed::Statement},
    testing::disclosures::{Disclosures, forgeries},
};

const CHOSEN: [&str; 2] = ["ITM-0_CAS-12", "ITM-2_CAS-12"];

fn disclosed(pdf: &[u8], references: &[&str]) -> Result<Statement, DisclosureError> {
    let references: Vec<String> = references.iter().map(|reference| (*reference).to_owned()).collect();
    Statement::of_certificate(pdf, &references, now())
}

fn signed_by(name: &'static str, statement: &Statement) -> Vec<u8> {
    let (identity, _) = authority(name).into_identities().unwrap();
    let signed = statement.sign(&identity).unwrap();
    let token = stamp(name, &signed.digest_to_stamp(), now());
    signed.finish(Some(&token)).unwrap()
}

fn of(photos: [&[u8]; 2]) -> Vec<u8> {
    signed_by("Example", &disclosed(&parts_of("Example", photos).b_lta(), &CHOSEN).unwrap())
}

fn check(file: &[u8], originals: &[Original]) -> Report {
    // Created once: a test checks thousands of files.
    static ANCHORS: LazyLock<Vec<TrustAnchor>> = LazyLock::new(|| anchors(&authority("Example")));
    disclosure(file, &Expectations::trusting(&ANCHORS, now(), originals))
}

#[test]
fn a_signed_disclosure_says_for_its_items_what_the_certificate_says() {
    let pdf = parts("Example").b_lta();
    let file = signed_by("Example", &disclosed(&pdf, &CHOSEN).unwrap());
    let originals = [("shown.jpg", PHOTOS[0]), ("withheld.jpg", PHOTOS[1])]
        .map(|(name, bytes)| Original { name: name.to_owned(), sha256: Sha256Digest::of(bytes) });
    let whole = verify(&pdf);
    let part = check(&file, &originals[..1]);
    assert_eq!(part.outcome, Outcome::Valid, "{:?}", part.findings);
    assert_eq!((part.level, part.proven_time), (Some(Level::BT), Some(now())));
    let signer = |report: &Report| report.signature.clone().unwrap().signer;
    assert_eq!(signer(&part), signer(&whole));
    let facts = |report: &Report| {
        report.manifest.clone().map(|manifest| (manifest.reference, manifest.root, manifest.sha256, manifest.token))
    };
    assert_eq!(facts(&part), facts(&whole));
    assert_eq!(part.disclosed.as_ref().map(|disclosed| disclosed.size), Some(3));
    let mut expected = [whole.items[0].clone(), whole.items[2].clone()];
    expected[0].originals = vec!["shown.jpg".to_owned()];
    assert_eq!(part.items, expected);
    let other = check(&file, &originals);
    assert_eq!(faults(&other), [FindingCode::Original]);
}

#[test]
fn nothing_of_the_other_items_is_in_a_disclosure() {
    let pdf = parts("Example").b_lta();
    let manifest = read_manifest(&parts("Example"));
    let text = String::from_utf8(signed_by("Example", &disclosed(&pdf, &CHOSEN).unwrap())).unwrap();
    let withheld = &manifest.items[1];
    let token = withheld.time_stamp_token.as_ref().unwrap().sha256;
    for secret in [
        withheld.reference.clone(),
        withheld.salt.unwrap().to_string(),
        withheld.file.as_ref().unwrap().sha256.to_string(),
        token.to_string(),
        manifest.case.title.clone(),
    ] {
        assert!(!secret.is_empty() && !text.contains(&secret), "{secret}");
    }
    assert!(text.contains(&manifest.items[0].salt.unwrap().to_string()));
}

#[test]
fn only_items_of_the_certificate_can_be_disclosed() {
    let pdf = parts("Example").b_lta();
    let unknown = disclosed(&pdf, &["ITM-0_CAS-12", "ITM-9_CAS-99"]).unwrap_err();
    assert_eq!(unknown, DisclosureError::NoSuchReference("ITM-9_CAS-99".to_owned()));
    assert!(matches!(disclosed(b"%PDF-1.7", &CHOSEN), Err(DisclosureError::Certificate(_))));
}

#[test]
fn a_disclosure_by_a_stranger_is_not_trusted() {
    let report = check(&signed_by("Other", &disclosed(&parts("Other").b_lta(), &CHOSEN).unwrap()), &[]);
    assert_eq!(report.outcome, Outcome::IntactButUntrusted, "{:?}", report.findings);
}

#[test]
fn forged_disclosures_are_refused_even_if_a_trusted_signer_signs_them() {
    let (own, other) = (of(PHOTOS), of([b"a photo of something else", b"and another"]));
    let sign = |statement: Value| signed_by("Example", &serde_json::from_value(statement).unwrap());
    let forgeries = forgeries(&Disclosures { own: &own, other: &other, sign: &sign });
    assert_eq!(check(&own, &[]).outcome, Outcome::Valid);
    for forgery in forgeries {
        let report = check(&forgery.file, &[]);
        let what = format!("{} (signed: {}): {:?}", forgery.variant, forgery.is_signed, report.findings);
        assert_eq!(report.outcome, Outcome::ChangedOrNotOurs, "{what}");
        let of_content = [FindingCode::Disclosure, FindingCode::Token, FindingCode::Log];
        let of_form = [FindingCode::Unreadable, FindingCode::Signature, FindingCode::TimeStamp];
        let sensible: &[FindingCode] = if forgery.is_signed { &of_content } else { &of_form };
        assert!(faults(&report).iter().all(|code| sensible.contains(code)), "{what}");
    }
}

#[test]
fn every_changed_byte_of_a_disclosure_is_noticed() {
    let file = of(PHOTOS);
    for position in 0..file.len() {
        let mut changed = file.clone();
        changed[position] ^= 1;
        let outcome = check(&changed, &[]).outcome;
        assert_eq!(outcome, Outcome::ChangedOrNotOurs, "byte {position}");
    }
}
