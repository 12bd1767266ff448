//! A record of a verdict holds the digest of its input, and the digest is over this JSON. So the JSON never changes,
//! byte for byte. What was added later (the provenance) is absent from it if it is none.

use super::*;

fn rectangle() -> Rectangle {
    Rectangle { left: -1, top: 2, width: 3, height: 4 }
}

fn place() -> Place {
    Place { page: 1, area: Some(rectangle()) }
}

fn property() -> Property {
    let name = "Producer".to_owned();
    Property { source: PropertySource::PdfInfo, name, value: "v".to_owned(), time: Some(-5), revision: Some(2) }
}

fn measure() -> Measure {
    Measure { name: "ghost".to_owned(), at: 7, value: -8, area: Some(rectangle()) }
}

fn page() -> PageFacts {
    let run = TextRun {
        text: "é".to_owned(),
        area: rectangle(),
        direction: 90,
        source: TextSource::Recognised,
        font: Some(0),
        size: 1,
        colour: Some(2),
        opacity: 3,
        hidden: Some(Hiding::SameColour),
        covered_by: None,
        order: 4,
        confidence: 5,
        unmapped: 6,
    };
    let shapes = vec![Shape { area: rectangle(), colour: 1, opacity: 2, order: 3 }];
    PageFacts {
        width: 1,
        height: 2,
        rotation: 90,
        reading: Reading::Mixed,
        image_cover: 3,
        text: "t\n".to_owned(),
        text_runs: vec![run],
        shapes,
    }
}

fn image() -> Image {
    let position = Some(Position { latitude: 1, longitude: -2, accuracy: None });
    let capture = Capture {
        time: Some(1),
        time_has_offset: true,
        position,
        make: Some("m".to_owned()),
        model: None,
        software: Some("s".to_owned()),
    };
    Image {
        encoding: Some(Encoding { format: "jpeg".to_owned(), width: 1, height: 2, channels: 3, bits: 8 }),
        content: Some(HeldBytes(Bytes::from_static(b"jpeg"))),
        properties: vec![property()],
        capture: Some(capture),
        measures: vec![measure()],
        editor_traces: vec![EditorTrace { program: "p".to_owned(), origin: "o".to_owned(), text: "t".to_owned() }],
        segments: vec![Segment { name: "APP1".to_owned(), label: Some("Exif".to_owned()), length: 9 }],
        overview: None,
        detail: Some(Raster { width: 1, height: 1, channels: 1, pixels: HeldBytes(Bytes::from_static(&[0])) }),
        provenance: None,
    }
}

#[test]
fn the_digest_of_a_document_never_changes() {
    let document = Document {
        media_type: "application/pdf".to_owned(),
        content: HeldBytes(Bytes::from_static(b"pdf")),
        sha256: [7; 32],
        received_at: 5,
        omissions: vec!["o".to_owned()],
        pages: vec![page()],
        fonts: vec![Font {
            name: "n".to_owned(),
            subset: None,
            kind: "Type0".to_owned(),
            embedded: true,
            explained: false,
            revision: Some(1),
            pages: vec![1, 2],
        }],
        placements: vec![Placement { place: place(), image: 0, order: 1 }],
        images: vec![Arc::new(image())],
        machine_codes: vec![MachineCode {
            kind: "mrz".to_owned(),
            text: "P<\n".to_owned(),
            place: place(),
            confidence: 9,
        }],
        properties: vec![property()],
        measures: vec![measure()],
        foreign_contents: vec![ForeignContent { kind: "zip".to_owned(), offset: 1, length: 2 }],
        structure: Some(Structure {
            version: "1.7".to_owned(),
            objects: 1,
            encrypted: true,
            linearised: false,
            bytes_before: 2,
            bytes_behind: 3,
            identifier: Some(("a".to_owned(), "b".to_owned())),
        }),
        revisions: vec![Revision {
            start: 1,
            end: 2,
            objects: 3,
            replaced: 4,
            kinds: vec!["Page".to_owned()],
            pages: vec![5],
        }],
        signatures: vec![Signature {
            field: "f".to_owned(),
            signer: None,
            sub_filter: "s".to_owned(),
            time: Some(1),
            integrity: Integrity::Broken,
            covers_file: true,
            covered_until: 2,
            revision: None,
            permission: Some(3),
        }],
        annotations: vec![Annotation {
            place: Place { page: 2, area: None },
            kind: "Stamp".to_owned(),
            text: "t".to_owned(),
            modified: None,
            hidden: false,
            has_appearance: true,
        }],
        form_fields: vec![FormField { name: "n".to_owned(), kind: "Tx".to_owned(), value: None }],
        actions: vec![Action { kind: "URI".to_owned(), origin: "open".to_owned(), target: Some("t".to_owned()) }],
        attachments: vec![Attachment { name: "n".to_owned(), size: 1 }],
        layers: vec![Layer { name: "n".to_owned(), visible: true }],
        attached: Vec::new(),
        signed_codes: Vec::new(),
        provenance: None,
    };
    assert_eq!(
        digest(&document).to_string(),
        "a731efaea27c45c28dcdd4c28ba3eebde69c553392d9d9e22c8f45c6fd608549",
        "{}",
        serde_json::to_string(&document).unwrap()
    );
}

#[test]
fn the_digest_of_a_case_never_changes() {
    let device = Device {
        manufacturer: Some("m".to_owned()),
        model: None,
        name: None,
        platform: None,
        os: None,
        os_version: Some("v".to_owned()),
        carrier_address: None,
        wifi_address: None,
    };
    let client = Client { application: Some("a".to_owned()), version: None, made_at: Some(-1), offset: Some(60) };
    let item = Item {
        id: 1,
        step: 2,
        step_title: "s".to_owned(),
        action: "a".to_owned(),
        value: None,
        received_at: 3,
        position: Some(Position { latitude: 1, longitude: 2, accuracy: Some(3) }),
        device: Some(device),
        client: Some(client),
        media_type: Some("image/png".to_owned()),
        size: Some(4),
        sha256: Some(vec![9; 32]),
        image: Some(Arc::new(image())),
        near_duplicates: Some(vec![NearDuplicate {
            reference: "r".to_owned(),
            same_case: true,
            same_file: false,
            distance: 5,
            received_at: 6,
        }]),
        document_outcome: Some(DocumentOutcome {
            complete: true,
            document_type: "INVOICE".to_owned(),
            type_score: 1,
            cross_check_score: None,
            suspicion_score: 2,
            trust_score: 3,
        }),
        stated: None,
        field_codes: Vec::new(),
    };
    let evidence = Evidence {
        reference: "CAS-1_CMP-2".to_owned(),
        frame: "f".to_owned(),
        opened_at: 1,
        closed_at: None,
        declarations: vec![Declaration { name: "n".to_owned(), value: "v".to_owned() }],
        items: vec![Arc::new(item)],
    };
    assert_eq!(
        digest(&evidence).to_string(),
        "1c74276837c5a3bf3d914f977989d2b0a1987e0078ec998748f17966f20b01f8",
        "{}",
        serde_json::to_string(&evidence).unwrap()
    );
}
