//! Original files inside a certificate.

use super::*;

/// The certificate's parts with these files in it, too.
fn with_files(files: &[(&str, &[u8])]) -> Parts {
    let mut parts = parts("Example");
    parts.attachments.extend(files.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())));
    parts
}

fn embedded(report: &Report) -> Vec<Option<&str>> {
    report.items.iter().map(|item| item.embedded.as_deref()).collect()
}

#[test]
fn an_embedded_original_is_reported_with_its_item() {
    let pdf = with_files(&[("ITM-1_CAS-12.jpg", PHOTOS[1])]).b_lta();
    let report = verify(&pdf);
    assert_eq!(report.outcome, Outcome::Valid, "{:?}", report.findings);
    assert_eq!(embedded(&report), [None, Some("ITM-1_CAS-12.jpg"), None]);
    let inside = embedded_originals(&pdf);
    assert_eq!(inside.len(), 1, "tokens and the manifest are not originals");
    assert_eq!((inside[0].name.as_str(), inside[0].bytes.as_slice()), ("ITM-1_CAS-12.jpg", PHOTOS[1]));
    assert_eq!(embedded(&verify(&parts("Example").b_lta())), [None; 3]);
    assert_eq!(embedded_originals(b"hello"), []);
}

#[test]
fn the_same_file_can_be_the_original_of_two_items() {
    let mut parts = parts_of("Example", [PHOTOS[0], PHOTOS[0]]);
    for name in ["ITM-0_CAS-12.jpg", "ITM-1_CAS-12.jpg"] {
        parts.attachments.push((name.to_owned(), PHOTOS[0].to_vec()));
    }
    let report = verify(&parts.b_lta());
    assert_eq!(report.outcome, Outcome::Valid, "{:?}", report.findings);
    assert_eq!(embedded(&report), [Some("ITM-0_CAS-12.jpg"), Some("ITM-1_CAS-12.jpg"), None]);
}

#[test]
fn an_embedded_file_that_is_not_the_sealed_one_speaks_against_the_certificate_even_if_it_is_signed() {
    for (name, bytes, expected) in [
        ("ITM-0_CAS-12.jpg", &b"another photo"[..], "is not the one that was sealed as ITM-0_CAS-12"),
        ("ITM-0_CAS-12.jpg", PHOTOS[1], "is not the one that was sealed as ITM-0_CAS-12"),
        ("ITM-2_CAS-12.pdf", &b"Ink"[..], "is not the one that was sealed as ITM-2_CAS-12"),
        ("ITM-9_CAS-12.jpg", PHOTOS[0], "belongs to no item of the seal manifest"),
    ] {
        let report = verify(&with_files(&[(name, bytes)]).b_lta());
        assert_eq!(report.outcome, Outcome::ChangedOrNotOurs);
        assert_eq!(faults(&report), [FindingCode::Embedded], "{name}");
        assert!(report.findings.iter().any(|finding| finding.message.contains(expected)), "{:?}", report.findings);
        assert_eq!(embedded(&report), [None; 3]);
    }
}

#[test]
fn a_changed_byte_of_an_embedded_file_breaks_the_signature() {
    let pdf = with_files(&[("ITM-1_CAS-12.jpg", PHOTOS[1])]).b_lta();
    let deflated = miniz_oxide::deflate::compress_to_vec_zlib(PHOTOS[1], 6);
    let at = pdf.windows(deflated.len()).position(|window| window == deflated).unwrap();
    let mut changed = pdf;
    changed[at + deflated.len() / 2] ^= 1;
    assert_eq!(verify(&changed).outcome, Outcome::ChangedOrNotOurs);
}
