//! Certificates from which items were erased: what is left is valid, and a gap that is not an erasure is detected.

use std::slice;

use super::*;
use crate::{
    disclosure::signed::Statement,
    manifest::{ErasedItem, Erasure, ErasureGround},
    testing::erasures::manifests,
};

/// The manifest of the successor of a certificate, without the items at these places.
fn successor(parts: &Parts, places: &[usize]) -> SealManifest {
    let whole = read_manifest(parts);
    let erased = places.iter().map(|place| ErasedItem {
        index: *place as u64,
        commitment: whole.items[*place].leaf().unwrap(),
        ground: ErasureGround::Request,
        by: "Acme".to_owned(),
        erased_at: "2026-11-20T10:30:00.000Z".to_owned(),
    });
    let erasure = Erasure { predecessor_sha256: Sha256Digest::of(&parts.manifest), items: erased.collect() };
    let mut left = whole.clone();
    let items = whole.items.iter().enumerate().filter(|(place, _)| !places.contains(place));
    left.items = items.map(|(_, item)| item.clone()).collect();
    let salts: Vec<[u8; 32]> = left.items.iter().map(|item| item.salt.unwrap().0).collect();
    left.commit_erased(&salts, erasure).unwrap();
    left
}

/// A certificate with this manifest, by the trusted signer.
fn sealed(parts: &Parts, manifest: Vec<u8>) -> Vec<u8> {
    let tokens = parts.attachments.iter().filter(|(name, _)| name != manifest::TOKEN_ATTACHMENT).cloned();
    Parts { authority: parts.authority, manifest, attachments: tokens.collect() }.b_t()
}

#[test]
fn a_successor_is_valid_has_the_same_root_and_says_what_was_erased() {
    let parts = parts("Example");
    let whole = verify(&parts.b_t());
    for places in [&[0][..], &[1], &[2], &[0, 2], &[0, 1, 2]] {
        let manifest = successor(&parts, places).to_canonical_json().unwrap();
        let pdf = sealed(&parts, manifest);
        let report = verify(&pdf);
        assert_eq!(report.outcome, Outcome::Valid, "{places:?}: {:?}", report.findings);
        let root = |report: &Report| report.manifest.clone().unwrap().root;
        assert_eq!(root(&report), root(&whole));
        let erasure = report.erasure.unwrap();
        assert_eq!((erasure.size, erasure.items.len()), (3, places.len()));
        assert_eq!(erasure.predecessor_sha256, whole.manifest.as_ref().unwrap().sha256);
        let left = whole.items.iter().enumerate().filter(|(place, _)| !places.contains(place));
        assert_eq!(report.items, left.map(|(_, item)| item.clone()).collect::<Vec<_>>());
        if let Some(item) = report.items.last() {
            // The remaining items can be disclosed, under the same root.
            let statement = Statement::of_certificate(&pdf, slice::from_ref(&item.reference), now()).unwrap();
            let root = root(&whole).unwrap();
            assert_eq!(statement.disclosure.verify(&root).unwrap()[0].reference, item.reference, "{places:?}");
        }
    }
}

#[test]
fn a_gap_that_is_not_an_erasure_and_a_successor_that_drops_more_are_detected() {
    let parts = parts("Example");
    let whole = serde_json::from_slice(&parts.manifest).unwrap();
    let left = serde_json::to_value(successor(&parts, &[1])).unwrap();
    for (what, manifest) in manifests(&left, &whole) {
        let report = verify(&sealed(&parts, manifest));
        assert_eq!(report.outcome, Outcome::ChangedOrNotOurs, "{what}");
        assert!(faults(&report).contains(&FindingCode::Commitments), "{what}: {:?}", report.findings);
    }
}
