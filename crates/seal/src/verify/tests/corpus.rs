//! Every published class of attacks on signed PDF files, in its variants: each is detected, for a plausible reason.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::testing::{
    attacks::{self, Attack, DORMANT, Victim, corpus},
    base_pdf::base_pdf_with,
};

/// The plausible findings for an attack of a class.
fn sensible(class: &str) -> &'static [FindingCode] {
    use FindingCode as Code;
    match class {
        attacks::MESSAGE => &[Code::Signature, Code::TimeStamp, Code::Coverage],
        attacks::CONTENT_SWAP
        | attacks::EVIL_ANNOTATION
        | attacks::INCREMENTAL_SAVING
        | attacks::SHADOW_HIDE
        | attacks::SHADOW_REPLACE
        | attacks::SHADOW_HIDE_AND_REPLACE => &[Code::Unreadable, Code::Addition, Code::NotSigned],
        attacks::IN_PLACE => &[Code::Unreadable, Code::Signature, Code::NotSigned, Code::Coverage],
        _ => &[
            Code::Unreadable,
            Code::Addition,
            Code::NotSigned,
            Code::Coverage,
            Code::Signature,
            Code::TimeStamp,
            Code::Manifest,
        ],
    }
}

fn attacks() -> Vec<Attack> {
    let (example, other) = (parts("Example"), parts_of("Example", [b"a photo of something else", b"and another"]));
    let (prepared, first) = base_pdf_with(&example.attached(), &DORMANT);
    let stamp = |digest: &Sha256Digest| stamp("Example", digest, now());
    let archived = example.b_lta();
    let victim = Victim {
        base: example.base(),
        signed: example.b_b(),
        stamped: example.b_t(),
        renewed: add_time_stamp(&archived, "Example", None, now()),
        archived,
        other: other.b_t(),
        foreign: parts("Other").b_t(),
        prepared: (example.sign_base(&prepared, true), first),
        stamp: &stamp,
    };
    for (what, pdf) in [
        ("signed", &victim.signed),
        ("stamped", &victim.stamped),
        ("archived", &victim.archived),
        ("renewed", &victim.renewed),
        ("other", &victim.other),
        ("prepared", &victim.prepared.0),
    ] {
        let report = verify(pdf);
        assert_eq!(report.outcome, Outcome::Valid, "{what}: {:?}", report.findings);
    }
    let attacks = corpus(&victim);
    let own = [&victim.base, &victim.signed, &victim.stamped, &victim.archived, &victim.renewed, &victim.other];
    for Attack { class, variant, pdf } in &attacks {
        assert!(pdf == own[0] || !own.contains(&pdf), "{class}: {variant} changes nothing");
    }
    attacks
}

#[test]
fn two_hundred_known_attacks_are_detected_each_for_a_plausible_reason() {
    let attacks = attacks();
    let mut table: BTreeMap<&str, BTreeMap<String, usize>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for Attack { class, variant, pdf } in &attacks {
        let report = verify(pdf);
        let codes = faults(&report);
        let is_noticed = report.outcome == Outcome::ChangedOrNotOurs;
        if !is_noticed || !codes.iter().any(|code| sensible(class).contains(code)) {
            wrong.push(format!("{class}: {variant}: {:?}, {:?}", report.outcome, report.findings));
        }
        for code in codes {
            *table.entry(class).or_default().entry(format!("{code:?}")).or_default() += 1;
        }
    }
    for (class, reasons) in &table {
        println!("{class:32} {reasons:?}");
    }
    println!("{} attacks in {} classes", attacks.len(), table.len());
    assert_eq!(wrong, Vec::<String>::new());
    let distinct: BTreeSet<&[u8]> = attacks.iter().map(|attack| attack.pdf.as_slice()).collect();
    assert!(distinct.len() >= 200, "{} distinct attacks", distinct.len());
    let named: BTreeSet<(&str, &str)> = attacks.iter().map(|attack| (attack.class, attack.variant.as_str())).collect();
    assert_eq!(named.len(), attacks.len(), "two attacks have one name");
}

/// Removing the time stamp from a signature leaves the certificate as it was before the stamp. It cannot be
/// distinguished from one that was never stamped, and it does not pass as stamped: its time is reported as pending.
#[test]
fn a_certificate_whose_time_stamp_was_removed_has_a_pending_time() {
    let report = verify(&parts("Example").b_b());
    assert_eq!((report.outcome, report.proven_time), (Outcome::Valid, None));
    assert!(report.findings.iter().any(|finding| finding.code == FindingCode::TimePending));
}
