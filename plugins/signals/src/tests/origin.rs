//! What photos declare about their origin.

use sealwright_plugin_sdk::facts::{
    CredentialAction, CredentialIntegrity, Credentials, EditorTrace, Image, Item, ManifestRelation, Mark, MarkKind,
    Provenance,
};

use super::{image, photo, score};

fn declared(kind: MarkKind) -> Provenance {
    let mark = Mark { kind, origin: "iptc".to_owned(), program: None, text: "t".to_owned() };
    Provenance { credentials: None, marks: vec![mark] }
}

fn signed(integrity: CredentialIntegrity, trusted: bool, actions: &[&str]) -> Provenance {
    let action = |name: &&str| CredentialAction {
        name: (*name).to_owned(),
        source_type: (*name == "c2pa.created").then(|| "digitalCapture".to_owned()),
        agent: None,
        relation: ManifestRelation::Active,
    };
    let credentials = Credentials {
        integrity,
        problems: vec!["The content of the file was changed after signing.".to_owned()],
        signer: Some("CN=Camera".to_owned()),
        trusted,
        time: None,
        generator: None,
        actions: actions.iter().map(action).collect(),
        ingredients: Vec::new(),
        redactions: 0,
        unhashed_bytes: 0,
    };
    Provenance { credentials: Some(credentials), marks: Vec::new() }
}

fn of_origin(provenance: Provenance) -> u8 {
    let with = |image: &mut Image| image.provenance = Some(provenance);
    score(vec![Item { image: Some(image(with)), ..photo(1, 0) }], "image")
}

#[test]
fn a_photo_that_declares_a_model_is_critical_and_one_that_declares_a_part_is_suspicious() {
    assert!(of_origin(declared(MarkKind::Generated)) < 30);
    for kind in [MarkKind::PartlyGenerated, MarkKind::Drawn, MarkKind::Screen, MarkKind::Edited] {
        assert!((30..70).contains(&of_origin(declared(kind))), "{kind:?}");
    }
    for kind in [MarkKind::Captured, MarkKind::Other] {
        assert_eq!(of_origin(declared(kind)), 100, "{kind:?}");
    }
}

#[test]
fn only_broken_credentials_count_against_a_photo() {
    let capture = ["c2pa.created"];
    assert!((30..70).contains(&of_origin(signed(CredentialIntegrity::Broken, true, &capture))));
    for integrity in [CredentialIntegrity::Intact, CredentialIntegrity::Stripped, CredentialIntegrity::Unknown] {
        assert_eq!(of_origin(signed(integrity, false, &capture)), 100, "{integrity:?}");
    }
    let edited = ["c2pa.created", "c2pa.edited"];
    assert!(of_origin(signed(CredentialIntegrity::Intact, true, &edited)) < 70);
}

#[test]
fn a_trusted_camera_s_signature_lifts_signs_of_editing_and_an_unknown_one_does_not() {
    let trace = EditorTrace { program: "P".to_owned(), origin: "exif software".to_owned(), text: "P 1".to_owned() };
    let with = |provenance: Provenance| {
        let change = |image: &mut Image| {
            image.editor_traces = vec![trace.clone()];
            image.provenance = Some(provenance);
        };
        score(vec![Item { image: Some(image(change)), ..photo(1, 0) }], "image")
    };
    let capture = ["c2pa.created"];
    assert_eq!(with(signed(CredentialIntegrity::Intact, true, &capture)), 100);
    assert!(with(signed(CredentialIntegrity::Intact, false, &capture)) < 70);
    assert!(with(signed(CredentialIntegrity::Stripped, true, &capture)) < 70);
}
