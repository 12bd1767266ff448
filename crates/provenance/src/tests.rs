//! Signed files as they are, and with every kind of change.

use std::ops::Range;

use crate::{
    Container, Credentials, Integrity, Metadata, TrustList, credentials,
    maker::{Binding, Content, TestSigner, sign_jpeg, sign_png},
    model::ManifestRelation,
};

/// Segments of a JPEG with an EXIF and coded data; no decoder has to read it.
fn jpeg() -> Vec<u8> {
    let segment = |marker: u8, payload: &[u8]| {
        let length = u16::try_from(payload.len() + 2).unwrap().to_be_bytes();
        [&[0xFF, marker][..], &length, payload].concat()
    };
    [
        vec![0xFF, 0xD8],
        segment(0xE1, b"Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0"),
        segment(0xDB, &[7; 65]),
        segment(0xC0, &[8, 0, 8, 0, 8, 1, 1, 0x11, 0]),
        segment(0xC4, &[3; 30]),
        segment(0xDA, &[1, 1, 0, 0, 63, 0]),
        (0..4_000_u32).map(|n| (n * 37 % 251).to_le_bytes()[0]).collect(),
        vec![0xFF, 0xD9],
    ]
    .concat()
}

fn png() -> Vec<u8> {
    let chunk = |name: &[u8], payload: &[u8]| {
        [&u32::try_from(payload.len()).unwrap().to_be_bytes()[..], name, payload, b"CRC!"].concat()
    };
    [
        b"\x89PNG\r\n\x1A\n".to_vec(),
        chunk(b"IHDR", &[0, 0, 0, 8, 0, 0, 0, 8, 8, 2, 0, 0, 0]),
        chunk(b"tEXt", b"Comment\0hello"),
        chunk(b"IDAT", &[5; 500]),
        chunk(b"IEND", b""),
    ]
    .concat()
}

fn camera() -> Content {
    Content::new("Example Camera", "c2pa.created", Some("digitalCapture"))
}

fn signer() -> TestSigner {
    TestSigner::new("Example Org")
}

fn trusting(signer: &TestSigner) -> TrustList {
    TrustList::from_pem(&signer.root_pem()).unwrap()
}

fn read_as(file: &[u8], metadata: Metadata, trust: &TrustList) -> Option<Credentials> {
    let container = if file.starts_with(b"\x89") { Container::Png } else { Container::Jpeg };
    let store = container.store(file)?;
    Some(credentials(file, container, &store, metadata, trust))
}

fn read(file: &[u8]) -> Credentials {
    read_as(file, Metadata::Present, &TrustList::default()).expect("there is a store")
}

fn codes(credentials: &Credentials) -> Vec<&str> {
    credentials.problems.iter().map(|problem| problem.code.as_str()).collect()
}

/// The place of a part of a file.
fn find(file: &[u8], part: &[u8]) -> usize {
    file.windows(part.len()).position(|window| window == part).expect("it is in the file")
}

#[test]
fn a_signed_file_is_intact_in_each_container_and_with_each_binding() {
    for binding in [Binding::Ranges, Binding::Boxes] {
        for version in [1, 2] {
            let content = Content { version, ..camera() };
            for file in
                [sign_jpeg(&jpeg(), &content, &signer(), binding), sign_png(&png(), &content, &signer(), binding)]
            {
                let read = read(&file);
                assert_eq!((read.integrity, codes(&read)), (Integrity::Intact, vec![]), "{binding:?}");
                assert_eq!((read.claim_version, read.unhashed_bytes), (version, 0));
                assert_eq!(read.generator.as_deref(), Some("Example Camera"));
                assert_eq!(read.actions.len(), 1);
                assert_eq!(read.actions[0].source_type.as_deref(), Some("digitalCapture"));
            }
        }
    }
}

#[test]
fn a_signer_is_trusted_only_by_the_operator_s_list() {
    let file = sign_jpeg(&jpeg(), &camera(), &signer(), Binding::Ranges);
    let trust_in = |trust: &TrustList| read_as(&file, Metadata::Present, trust).unwrap().signer.unwrap();
    let unknown = trust_in(&TrustList::default());
    assert_eq!((unknown.trusted, unknown.distrust), (false, None), "without a list there is nothing to say");
    let trusted = trust_in(&trusting(&signer()));
    assert_eq!((trusted.trusted, trusted.distrust), (true, None));
    let stamp = trusted.time_stamp.expect("it is stamped");
    assert_eq!((stamp.time.as_str(), stamp.trusted), ("2026-11-20T10:00:00.000Z", true));
    let foreign = trust_in(&trusting(&TestSigner::new("Another Org")));
    assert!(!foreign.trusted);
    assert!(foreign.distrust.expect("there is a reason").contains("not trusted"));
}

#[test]
fn a_change_of_any_byte_of_the_content_breaks_the_binding() {
    for binding in [Binding::Ranges, Binding::Boxes] {
        let file = sign_jpeg(&jpeg(), &camera(), &signer(), binding);
        for at in [file.len() - 3, file.len() - 2_000, find(&file, &[7; 65])] {
            let mut changed = file.clone();
            changed[at] ^= 1;
            let read = read(&changed);
            assert_eq!(read.integrity, Integrity::Broken, "{binding:?} {at}");
            assert_eq!(codes(&read), ["assertion.dataHash.mismatch"]);
        }
    }
}

/// The bytes of a store's segment or chunk that neither a hash nor the signature covers, with the reason. A file with other
/// bytes there says the same.
fn uncovered(file: &[u8], container: Container) -> Vec<(Range<usize>, &'static str)> {
    let place = container.store(file).unwrap().places[0].clone();
    let mut ranges = vec![match container {
        Container::Jpeg => (place.start + 6..place.start + 12, "the numbers of the segment"),
        _ => (place.end - 4..place.end, "the checksum of the chunk"),
    }];
    // The content of a box's description: 16 bytes of type, a byte of flags, the label.
    let description = |kind: &str| find(file, format!("jumd{kind}").as_bytes()) + 4;
    for kind in ["c2pa", "c2ma", "c2as", "c2cl", "c2cs"] {
        let at = description(kind);
        ranges.push((at + 4..at + 17, "the rest of a box's type, and its flags"));
        if matches!(kind, "c2pa" | "c2ma") {
            let length = file[at + 17..].iter().take_while(|byte| **byte != 0).count();
            ranges.push((at + 17..at + 17 + length, "the label of the store and of the manifest"));
        }
    }
    let signature = description("c2cs");
    ranges.push((signature..signature + 4, "the type of the signature's box, which is found by its label"));
    let structure = signature + 17 + "c2pa.signature\0".len() + 8;
    ranges.push((structure..structure + 1, "the number of the tag around the signature"));
    // The name, a length of three bytes, and zeros.
    let padding = find(file, b"\x63pad");
    let end = padding + 7 + file[padding + 7..].iter().take_while(|byte| **byte == 0).count();
    assert!(end > padding + 1_000 && file[end] == 0xF6, "the padding ends with the payload, which is empty");
    ranges.push((padding..end, "the padding of the signature"));
    ranges.push((end..end + 1, "the payload, which is elsewhere"));
    ranges
}

#[test]
fn only_bytes_that_say_nothing_can_be_changed_in_a_store_unnoticed() {
    let content = Content { stamped: false, ..camera() };
    let trust = trusting(&signer());
    for (file, container) in [
        (sign_jpeg(&jpeg(), &content, &signer(), Binding::Ranges), Container::Jpeg),
        (sign_png(&png(), &content, &signer(), Binding::Ranges), Container::Png),
    ] {
        let uncovered = uncovered(&file, container);
        let place = container.store(&file).unwrap().places[0].clone();
        let why = |at: usize| uncovered.iter().find(|(range, _)| range.contains(&at)).map(|(_, why)| *why);
        // There are thousands of zeros in the padding; some stand for all.
        let changed = place.filter(|at| why(*at) != Some("the padding of the signature") || at % 97 == 0);
        for at in changed {
            let mut file = file.clone();
            file[at] ^= [0x01, 0x20, 0x80][at % 3];
            // Without a store there are no credentials.
            let Some(found) = read_as(&file, Metadata::Present, &trust) else { continue };
            let trusted = found.signer.is_some_and(|signer| signer.trusted);
            let is_unnoticed = found.integrity == Integrity::Intact && trusted;
            assert!(!is_unnoticed || why(at).is_some(), "byte {at} of the {container:?} can be changed");
        }
    }
}

#[test]
fn a_segment_that_swallows_signed_bytes_is_noticed() {
    for (file, container) in [
        (sign_jpeg(&jpeg(), &camera(), &signer(), Binding::Ranges), Container::Jpeg),
        (sign_png(&png(), &camera(), &signer(), Binding::Ranges), Container::Png),
    ] {
        let mut longer = file.clone();
        let place = container.store(&file).unwrap().places[0].clone();
        // Two bytes after the marker; the last two of four at the start of a chunk.
        let length = place.start + 2..place.start + 4;
        let number = u16::from_be_bytes([file[length.start], file[length.start + 1]]) + 20;
        longer[length].copy_from_slice(&number.to_be_bytes());
        assert_eq!(container.store(&longer).unwrap().places[0], place.start..place.end + 20);
        assert_eq!(read(&longer).integrity, Integrity::Unknown, "{container:?}");
    }
}

#[test]
fn removed_metadata_is_not_a_change_of_the_picture() {
    let without_exif = |file: &[u8]| {
        let at = find(file, b"Exif\0\0") - 4;
        let length = usize::from(u16::from_be_bytes([file[at + 2], file[at + 3]])) + 2;
        [&file[..at], &file[at + length..]].concat()
    };
    // Each box has its own hash, so the picture itself is proven.
    let by_boxes = without_exif(&sign_jpeg(&jpeg(), &camera(), &signer(), Binding::Boxes));
    let found = read_as(&by_boxes, Metadata::Absent, &TrustList::default()).unwrap();
    assert_eq!((found.integrity, codes(&found)), (Integrity::Stripped, vec!["assertion.boxesHash.mismatch"]));
    let mut changed = by_boxes.clone();
    let end = changed.len() - 10;
    changed[end] ^= 1;
    assert_eq!(read_as(&changed, Metadata::Absent, &TrustList::default()).unwrap().integrity, Integrity::Broken);
    // One hash covers all, so the picture is not proven; but the removal explains the mismatch.
    let by_ranges = without_exif(&sign_jpeg(&jpeg(), &camera(), &signer(), Binding::Ranges));
    let found = read_as(&by_ranges, Metadata::Absent, &TrustList::default()).unwrap();
    assert_eq!((found.integrity, codes(&found)), (Integrity::Stripped, vec!["assertion.dataHash.mismatch"]));
    // With its metadata in place nothing explains it.
    assert_eq!(read(&by_ranges).integrity, Integrity::Broken);
}

#[test]
fn an_erased_position_explains_a_mismatch() {
    let mut file = sign_jpeg(&jpeg(), &camera(), &signer(), Binding::Ranges);
    let at = find(&file, b"Exif\0\0") + 12;
    file[at] ^= 8;
    assert_eq!(read(&file).integrity, Integrity::Broken);
    let erased = read_as(&file, Metadata::Erased, &TrustList::default()).unwrap();
    assert_eq!(erased.integrity, Integrity::Stripped);
}

#[test]
fn bytes_that_are_added_break_the_binding() {
    for binding in [Binding::Ranges, Binding::Boxes] {
        let file = sign_jpeg(&jpeg(), &camera(), &signer(), binding);
        let inserted = [&file[..2], &[0xFF, 0xDB, 0, 3, 1], &file[2..]].concat();
        assert_eq!(read(&inserted).integrity, Integrity::Broken, "{binding:?}");
    }
    let behind = [sign_jpeg(&jpeg(), &camera(), &signer(), Binding::Ranges), b"more".to_vec()].concat();
    assert_eq!(read(&behind).integrity, Integrity::Broken);
    // Boxes end with the picture; what follows is not covered, and said.
    let behind = [sign_jpeg(&jpeg(), &camera(), &signer(), Binding::Boxes), b"more".to_vec()].concat();
    let read = read(&behind);
    assert_eq!((read.integrity, read.unhashed_bytes), (Integrity::Intact, 4));
}

#[test]
fn the_history_goes_back_to_the_parent() {
    let first = sign_jpeg(&jpeg(), &camera(), &signer(), Binding::Ranges);
    let parent = Container::Jpeg.store(&first).unwrap().bytes;
    let content = Content {
        actions: vec![("c2pa.opened", None, None), ("c2pa.color_adjustments", None, Some("Example Editor"))],
        parent: Some(parent),
        ..camera()
    };
    let file = sign_jpeg(&jpeg(), &content, &signer(), Binding::Ranges);
    let found = read(&file);
    assert_eq!((found.integrity, codes(&found)), (Integrity::Intact, vec![]));
    let history: Vec<_> = found.actions.iter().map(|action| (action.name.as_str(), action.manifest)).collect();
    assert_eq!(
        history,
        [
            ("c2pa.opened", ManifestRelation::Active),
            ("c2pa.color_adjustments", ManifestRelation::Active),
            ("c2pa.created", ManifestRelation::Parent),
        ]
    );
    assert_eq!(found.actions[1].agent.as_deref(), Some("Example Editor"));
    assert_eq!(found.ingredients.len(), 1);
    assert_eq!((found.ingredients[0].relationship.as_str(), found.ingredients[0].intact), ("parentOf", Some(true)));
    // The source type of the parent's action is changed: its hash is in the parent's claim, and in the ingredient.
    let mut changed = file.clone();
    let at = find(&changed, b"digitalCapture");
    changed[at] ^= 1;
    let found = read(&changed);
    assert_eq!(found.integrity, Integrity::Broken);
    assert!(codes(&found).contains(&"ingredient.manifest.mismatch"));
    assert_eq!(found.ingredients[0].intact, Some(false));
}

#[test]
fn a_component_s_history_is_that_of_a_component() {
    let generated = Content::new("Example Model", "c2pa.created", Some("trainedAlgorithmicMedia"));
    let first = sign_jpeg(&jpeg(), &generated, &signer(), Binding::Ranges);
    let parent = Container::Jpeg.store(&first).unwrap().bytes;
    let content = Content { parent: Some(parent), relationship: "componentOf", ..camera() };
    let found = read(&sign_jpeg(&jpeg(), &content, &signer(), Binding::Ranges));
    assert_eq!(found.actions.last().map(|action| action.manifest), Some(ManifestRelation::Component));
}

#[test]
fn a_redacted_assertion_may_be_missing() {
    let first = sign_jpeg(&jpeg(), &camera(), &signer(), Binding::Ranges);
    let parent = Container::Jpeg.store(&first).unwrap().bytes;
    let with = |redacted| {
        let content = Content { parent: Some(parent.clone()), redacted, ..camera() };
        let mut file = sign_jpeg(&jpeg(), &content, &signer(), Binding::Ranges);
        // The first occurrence of the content is in the parent.
        let at = find(&file, b"digitalCapture");
        file[at..at + 14].fill(b'0');
        read(&file)
    };
    let redacted = with(vec!["c2pa.actions.v2"]);
    assert_eq!((redacted.integrity, redacted.redactions), (Integrity::Intact, 1));
    assert_eq!(with(Vec::new()).integrity, Integrity::Broken);
}

#[test]
fn every_truncation_ends_without_a_panic() {
    for binding in [Binding::Ranges, Binding::Boxes] {
        let file = sign_jpeg(&jpeg(), &camera(), &signer(), binding);
        for length in (0..file.len()).step_by(7) {
            if let Some(found) = read_as(&file[..length], Metadata::Absent, &TrustList::default()) {
                assert_ne!(found.integrity, Integrity::Intact, "{length}");
            }
        }
    }
}

mod bombs {
    use ciborium::value::Value;

    use super::*;
    use crate::{cbor, jumbf::StoreBytes, maker::superbox};

    fn of_store(bytes: Vec<u8>) -> Credentials {
        let store = StoreBytes { bytes, places: Vec::new() };
        credentials(b"", Container::Jpeg, &store, Metadata::Absent, &TrustList::default())
    }

    #[test]
    fn boxes_in_boxes_are_followed_only_so_far() {
        let mut bytes = superbox(*b"c2pa", "deep", &[]);
        for _ in 0..5_000 {
            bytes = superbox(*b"c2pa", "deep", &[&bytes]);
        }
        assert_eq!(of_store(bytes).integrity, Integrity::Unknown);
    }

    #[test]
    fn very_many_boxes_and_manifests_are_not_read() {
        let one = superbox(*b"c2ma", "same", &[]);
        let many = |count: usize| superbox(*b"c2pa", "c2pa", &vec![one.as_slice(); count]);
        for count in [0, 65, 100_000] {
            let found = of_store(many(count));
            assert_eq!((found.integrity, codes(&found)), (Integrity::Unknown, vec!["general.error"]), "{count}");
        }
        assert_eq!(of_store(many(64)).integrity, Integrity::Broken, "their claims are missing");
    }

    #[test]
    fn lengths_beyond_the_end_are_not_followed() {
        for length in [2_u32, 7, 9, 0x7FFF_FFFF, u32::MAX] {
            let mut bytes = superbox(*b"c2pa", "c2pa", &[&superbox(*b"c2ma", "a", &[])]);
            bytes[..4].copy_from_slice(&length.to_be_bytes());
            assert_eq!(of_store(bytes).integrity, Integrity::Unknown, "{length}");
        }
    }

    #[test]
    fn nested_and_boastful_structures_are_rejected() {
        let mut nested = Value::Null;
        for _ in 0..100 {
            nested = Value::Array(vec![nested]);
        }
        assert!(cbor::read(&cbor::write(&nested)).is_none());
        // A list, a map and a text that say they have 2^32 elements.
        for start in [0x9A_u8, 0xBA, 0x7A, 0x5A] {
            assert!(cbor::read(&[start, 0xFF, 0xFF, 0xFF, 0xFF]).is_none(), "{start:x}");
        }
        assert!(cbor::read(&vec![0; cbor::MAX_BYTES + 1]).is_none());
    }
}
