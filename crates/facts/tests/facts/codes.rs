//! Signed codes and attached files, in the files of `tests/fixtures/codes`, which its `make.py` makes.

use std::path::{Path, PathBuf};

use sealwright_facts::{
    Facts, Limits, Recognition, prepare,
    signed_code::{SignatureState, SignedCode, trust::TrustList},
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/codes")
}

fn facts(name: &str) -> Facts {
    prepare(&std::fs::read(folder().join(name)).unwrap(), &Limits::default(), &Recognition::Unavailable)
}

fn code(name: &str) -> SignedCode {
    let facts = facts(name);
    assert_eq!(facts.signed_codes.len(), 1, "{name}: {:?}", facts.barcodes);
    assert_eq!(facts.barcodes[0].kind, "data-matrix");
    facts.signed_codes.into_iter().next().unwrap()
}

fn value<'c>(code: &'c SignedCode, id: &str) -> &'c str {
    code.fields.iter().find(|field| field.id == id).map_or("", |field| &field.value)
}

#[test]
fn a_code_in_a_picture_is_read_with_its_place() {
    let bill = code("bill.png");
    assert_eq!((bill.version, bill.authority.as_str(), bill.certificate.as_str()), (4, "FR99", "TST1"));
    assert_eq!((bill.document_type.as_str(), bill.perimeter.as_str(), bill.country.as_str()), ("01", "01", "FR"));
    assert_eq!((bill.issued_on.as_deref(), bill.signed_on.as_deref()), (Some("2026-10-01"), Some("2026-10-01")));
    let ids: Vec<&str> = bill.fields.iter().map(|field| field.id.as_str()).collect();
    assert_eq!(ids, ["10", "18", "1D", "24", "25", "26"]);
    assert_eq!((value(&bill, "1D"), value(&bill, "24"), value(&bill, "25")), ("84.27", "69003", "LYON"));
    assert_eq!(bill.state, SignatureState::NotChecked);
    // It is drawn at 420, 200 with a side of 240 to 260 dots. The search for candidates is coarse.
    let area = bill.area;
    let edges = [(area.left, 42_000), (area.top, 20_000), (area.right, 67_000), (area.bottom, 45_000)];
    assert!(edges.iter().all(|(edge, drawn)| edge.abs_diff(*drawn) <= 3_000), "{area:?}");
}

#[test]
fn codes_of_pages_with_text_are_read_as_a_picture_and_as_a_path() {
    assert_eq!(value(&code("bank-details.pdf"), "31"), "FR1420041010050500013M02606");
    let notice = code("tax-notice.pdf");
    assert_eq!((value(&notice, "41"), value(&notice, "43"), value(&notice, "4A")), ("23450", "1.5", "2026-09-15"));
}

#[test]
fn a_code_in_a_turned_scan_is_read() {
    let payslip = code("scan.jpg");
    assert_eq!((value(&payslip, "50"), value(&payslip, "5C")), ("55210055400013", "1790.12"));
}

#[test]
fn a_signature_is_checked_with_the_certificates_of_the_operator() {
    let list = TrustList::read(&folder().join("trust")).unwrap();
    assert_eq!((list.len(), list.rejected.len()), (4, 1), "{:?}", list.rejected);
    assert!(list.rejected[0].contains("the authority did not issue it"), "{:?}", list.rejected);
    for (file, state) in [
        ("bill.png", SignatureState::Valid),
        ("bank-details.pdf", SignatureState::Valid),
        ("scan.jpg", SignatureState::Valid),
        ("changed.png", SignatureState::Invalid),
        ("expired.png", SignatureState::OutsideValidity),
        ("unknown.png", SignatureState::UnknownCertificate),
    ] {
        assert_eq!(list.check(&code(file)), state, "{file}");
    }
}

#[test]
fn every_bit_of_what_is_signed_counts() {
    let list = TrustList::read(&folder().join("trust/FR99.der")).unwrap();
    let bill = code("bill.png");
    assert_eq!(list.check(&bill), SignatureState::Valid);
    for at in 0..bill.signed.len() {
        let mut signed = bill.signed.clone().into_bytes();
        signed[at] ^= 1;
        let changed = SignedCode { signed: String::from_utf8(signed).unwrap(), ..bill.clone() };
        assert_eq!(list.check(&changed), SignatureState::Invalid, "{at}");
    }
    for signature in ["", "00", &"00".repeat(64), &"ff".repeat(96), "not hexadecimal"] {
        let changed = SignedCode { signature: signature.to_owned(), ..bill.clone() };
        assert_eq!(list.check(&changed), SignatureState::Invalid, "{signature}");
    }
}

#[test]
fn a_folder_without_certificates_is_an_error() {
    let empty = folder().join("make.py");
    assert!(TrustList::read(&empty).unwrap_err().to_string().contains("no certificate"));
    assert!(TrustList::read(Path::new("/nowhere/at/all")).unwrap_err().to_string().contains("cannot read"));
}

#[test]
fn the_bytes_of_an_attached_file_are_kept_and_survive_json() {
    let facts = facts("invoice.pdf");
    let files = &facts.pdf.as_ref().unwrap().embedded_files;
    assert_eq!(files.len(), 1, "{files:?}");
    assert_eq!((files[0].name.as_str(), files[0].relationship.as_deref()), ("factur-x.xml", Some("Data")));
    assert_eq!(files[0].media_type.as_deref(), Some("text/xml"));
    assert!(files[0].content.as_ref().unwrap().0.starts_with(b"<?xml"));
    let json = serde_json::to_string(&facts).unwrap();
    assert_eq!(serde_json::from_str::<Facts>(&json).unwrap(), facts);
}

#[test]
fn facts_from_before_codes_and_attachments_are_read() {
    let new = serde_json::to_value(facts("invoice.pdf")).unwrap();
    let mut old = new.clone();
    let file = &mut old["pdf"]["embeddedFiles"][0];
    for field in ["mediaType", "relationship", "content"] {
        assert!(file.as_object_mut().unwrap().remove(field).is_some(), "{field}");
    }
    assert!(new.get("signedCodes").is_none(), "facts without a code have the JSON of before");
    let read: Facts = serde_json::from_value(old.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), old);
}
