//! What documents and their pictures declare about their origin.

use std::sync::Arc;

use sealwright_plugin_sdk::{
    facts::{
        CredentialIntegrity, Credentials, Document, Image, Mark, MarkKind, Place, Placement, Provenance, Rectangle,
    },
    falsification::Verdict,
};

use super::{bill, check, pdf, verdict};

const CODE: &str = "IMAGE_EDITOR_TRACE";

#[expect(clippy::unnecessary_wraps, reason = "it is the value of an optional field")]
fn declared(kind: MarkKind) -> Option<Provenance> {
    let mark = Mark { kind, origin: "png text".to_owned(), program: Some("ComfyUI".to_owned()), text: "t".to_owned() };
    Some(Provenance { credentials: None, marks: vec![mark] })
}

#[expect(clippy::unnecessary_wraps, reason = "it is the value of an optional field")]
fn credentials(integrity: CredentialIntegrity) -> Option<Provenance> {
    let credentials = Credentials {
        integrity,
        problems: Vec::new(),
        signer: None,
        trusted: false,
        time: None,
        generator: None,
        actions: Vec::new(),
        ingredients: Vec::new(),
        redactions: 0,
        unhashed_bytes: 0,
    };
    Some(Provenance { credentials: Some(credentials), marks: Vec::new() })
}

/// A picture of this width and height in points.
fn pictured(provenance: Option<Provenance>, side: u32) -> Document {
    let image = Image { provenance, ..Image::default() };
    let area = Some(Rectangle { left: 0, top: 0, width: side * 100, height: side * 100 });
    Document {
        images: vec![Arc::new(image)],
        placements: vec![Placement { place: Place { page: 1, area }, image: 0, order: 0 }],
        ..pdf(bill())
    }
}

#[test]
fn a_page_that_declares_a_model_is_a_forgery_and_a_logo_is_a_weak_sign() {
    let page = check(&pictured(declared(MarkKind::Generated), 500), CODE);
    assert_eq!((page.verdict, page.findings[0].code.as_str()), (Verdict::Invalid, "GENERATED"));
    assert!(page.evaluation <= 2, "{}", page.evaluation);
    assert!(page.findings[0].text.contains("ComfyUI (png text)"));
    assert_eq!(verdict(&pictured(declared(MarkKind::PartlyGenerated), 500), CODE), Verdict::Invalid);
    assert_eq!(verdict(&pictured(declared(MarkKind::Generated), 100), CODE), Verdict::Warning);
    for kind in [MarkKind::Captured, MarkKind::Drawn, MarkKind::Screen, MarkKind::Other] {
        assert_eq!(verdict(&pictured(declared(kind), 500), CODE), Verdict::Valid, "{kind:?}");
    }
}

#[test]
fn a_pdf_s_own_declaration_counts_like_a_picture_s() {
    let with = |provenance| Document { provenance, ..pdf(bill()) };
    assert_eq!(verdict(&with(None), CODE), Verdict::NotApplicable);
    assert_eq!(verdict(&with(declared(MarkKind::Generated)), CODE), Verdict::Invalid);
    assert_eq!(verdict(&with(credentials(CredentialIntegrity::Broken)), CODE), Verdict::Invalid);
    for integrity in [CredentialIntegrity::Intact, CredentialIntegrity::Stripped, CredentialIntegrity::Unknown] {
        assert_eq!(verdict(&with(credentials(integrity)), CODE), Verdict::Valid, "{integrity:?}");
    }
}
