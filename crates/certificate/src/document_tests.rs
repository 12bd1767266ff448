//! Original files and pages of documents in certificates, read back by poppler.

use image::ImageFormat;

use super::{tests::*, *};
use crate::{
    attachment::Original,
    data::{Item, ItemContent, ShownPages},
};

#[test]
fn an_original_is_attached_byte_for_byte_as_a_source_with_its_type_and_digest() {
    let photo = drawn_photo(ImageFormat::Jpeg, 3);
    let sha256 = sealwright_seal::Sha256Digest::of(&photo);
    let original = Original {
        reference: "ITM-5001_CAS-1042",
        declared_name: "Küche (1).jpg",
        media_type: "image/jpeg",
        extension: "jpg",
        sha256,
    };
    let attachments = [
        Attachment::seal_manifest(SEAL_MANIFEST.to_vec()),
        Attachment::item_token("ITM-5001_CAS-1042", b"token of a photo".to_vec()),
        Attachment::original(&original, photo.clone()),
    ];
    let rendered = RENDERER.render(&sample(), Vec::new(), &attachments, NOW).unwrap();
    assert_eq!(rendered.warnings, Vec::new());
    let raw = String::from_utf8_lossy(&rendered.pdf);
    for expected in ["/AFRelationship/Source", "/Subtype/image#2Fjpeg", "<pdfaid:conformance>A</pdfaid:conformance>"] {
        assert!(raw.replace(' ', "").contains(&expected.replace(' ', "")), "{expected}");
    }
    let arguments = ["-savefile", "ITM-5001_CAS-1042.jpg", "-o", "OUT", "IN"];
    let Some(attached) = poppler("pdfdetach", &arguments, &rendered.pdf) else { return };
    assert_eq!(attached, photo);
}

fn document_item(shown: Option<ShownPages>) -> Item {
    item(ItemContent::Document { file: file("application/pdf"), shown })
}

#[test]
fn a_document_is_shown_page_by_page_if_its_pages_are_given() {
    let photos = || (0..3).map(|seed| drawn_photo(ImageFormat::Jpeg, seed)).collect::<Vec<_>>();
    let named = render(&with_items("DOCUMENT_UPLOAD", vec![document_item(None)]), Vec::new());
    assert_shows(&named, "The document itself is not part of this certificate.");
    let shown = ShownPages { pages: vec![0, 1, 2], count: Some(5) };
    let rendered = render(&with_items("DOCUMENT_UPLOAD", vec![document_item(Some(shown))]), photos());
    assert_eq!((rendered.warnings.len(), rendered.missing.len()), (0, 0), "{:?}", rendered.warnings);
    for expected in ["Page 1 of 5", "Page 3 of 5", "Shown below: 3 of 5 pages"] {
        assert_shows(&rendered, expected);
    }
    let pictures = |rendered: &RenderedCertificate| {
        String::from_utf8_lossy(&rendered.pdf).replace(' ', "").matches("/Subtype/Image").count()
    };
    assert_eq!(pictures(&rendered), pictures(&named) + 3);
    let raw = String::from_utf8_lossy(&rendered.pdf);
    assert!(raw.contains("<pdfuaid:part>1</pdfuaid:part>"), "each page has a text for those who cannot see it");
}

#[test]
fn a_document_that_cannot_be_shown_says_so_and_an_undecodable_page_loses_only_its_place() {
    let unread = ShownPages { pages: Vec::new(), count: None };
    let broken = ShownPages { pages: vec![0, 1], count: Some(2) };
    let items = vec![document_item(Some(unread)), document_item(Some(broken))];
    let photos = vec![drawn_photo(ImageFormat::Jpeg, 1), Bytes::from_static(b"\xFF\xD8\xFFnot a picture")];
    let rendered = render(&with_items("DOCUMENT_UPLOAD", items), photos);
    assert_eq!(rendered.unshown_photos, [1]);
    assert_shows(&rendered, "The pages of this document cannot be shown.");
    if let Some(text) = text_of(&rendered.pdf) {
        assert_eq!(text.matches("This picture cannot be shown").count(), 1, "{text}");
    }
}
