//! Whether electronic signatures match the files that contain them.

use sealwright_facts::pdf::{Integrity, Signature};
use sealwright_seal::{
    UnixTime,
    pades::{SignatureText, prepare_signature},
    pki::{DevelopmentAuthority, RandomBytes},
};

use crate::support::{facts, page, revised, stream};

/// A signed page.
fn signed() -> Vec<u8> {
    let now = UnixTime::from_millis(1_795_168_800_000).unwrap();
    let random = RandomBytes { keys: [[1; 32], [2; 32], [3; 32]], serial_numbers: [[4; 16], [5; 16], [6; 16]] };
    let (identity, _) = DevelopmentAuthority::new("Example Org", &random, now).unwrap().into_identities().unwrap();
    let text = SignatureText { name: "Example Org", reason: "Signed", time: now };
    let base = page("BT /F1 10 Tf 20 80 Td (Total 120,00) Tj ET", "", &[]);
    // Signing requires an identifier in the trailer.
    let at = base.windows(11).rposition(|bytes| bytes == b"/Root 1 0 R").unwrap();
    let base = [&base[..at], b"/ID[<00><00>]", &base[at..]].concat();
    prepare_signature(&base, &text).unwrap().sign(&identity).unwrap().finish(None).unwrap()
}

fn signature(file: &[u8]) -> Signature {
    facts(file).pdf.unwrap().signatures.remove(0)
}

#[test]
fn a_matching_signature_is_intact() {
    let found = signature(&signed());
    assert_eq!((found.integrity, found.covers_whole_file), (Integrity::Intact, true), "{found:?}");
    assert_eq!(found.name.as_deref(), Some("Example Org"));
}

#[test]
fn one_changed_byte_breaks_it() {
    let mut file = signed();
    let at = file.windows(6).position(|bytes| bytes == b"120,00").unwrap();
    file[at] = b'9';
    assert_eq!(signature(&file).integrity, Integrity::Broken);
}

#[test]
fn an_appended_revision_leaves_it_intact_and_is_reported() {
    let changed = stream("", b"BT /F1 10 Tf 20 80 Td (Total 920,00) Tj ET");
    let file = [signed(), b"\n".to_vec()].concat();
    let found = signature(&revised(&file, &[(4, changed)], 20));
    assert_eq!((found.integrity, found.covers_whole_file), (Integrity::Intact, false), "{found:?}");
    assert!(found.revision.is_some(), "{found:?}");
}
