//! What files declare about their origin, through all of the reader.

use sealwright_facts::{Facts, Limits, Recognition, image::ImageFacts, prepare_trusting};
use sealwright_provenance::{
    Container, Integrity, MarkKind, Provenance, TrustList,
    maker::{Binding, Content, TestSigner, sign_jpeg, sign_png},
};

use crate::support::{facts, jpeg, page, pdf, png, scene, stream};

fn origin(file: &[u8]) -> Option<Provenance> {
    facts(file).image.expect("it is a picture").provenance
}

fn kinds(file: &[u8]) -> Vec<(MarkKind, String)> {
    let marks = origin(file).map(|origin| origin.marks).unwrap_or_default();
    marks.into_iter().map(|mark| (mark.kind, mark.origin)).collect()
}

/// A segment after the start of a JPEG.
fn with_segment(file: &[u8], marker: u8, payload: &[u8]) -> Vec<u8> {
    let length = u16::try_from(payload.len() + 2).unwrap().to_be_bytes();
    [&file[..2], &[0xFF, marker], &length, payload, &file[2..]].concat()
}

fn with_xmp(file: &[u8], properties: &str) -> Vec<u8> {
    let packet = format!(
        r#"http://ns.adobe.com/xap/1.0/{}<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" {properties}</rdf:Description></rdf:RDF></x:xmpmeta>"#,
        '\0'
    );
    with_segment(file, 0xE1, packet.as_bytes())
}

/// An EXIF with a user's comment, and a position of zeros if `erased`.
fn with_exif(file: &[u8], comment: &[u8], erased: bool) -> Vec<u8> {
    let entry = |tag: u16, format: u16, count: u32, value: u32| {
        [&tag.to_be_bytes()[..], &format.to_be_bytes(), &count.to_be_bytes(), &value.to_be_bytes()].concat()
    };
    let count = u32::try_from(comment.len()).unwrap();
    // The main directory at 8, those of the camera and of the position, then their values.
    let (camera, gps, position, text) = (8 + 30, 8 + 30 + 18, 8 + 30 + 18 + 30, 8 + 30 + 18 + 30 + 48);
    let number = |parts: &[u8]| if erased { vec![0; parts.len()] } else { parts.to_vec() };
    let angle = number(&[0, 0, 0, 45, 0, 0, 0, 1, 0, 0, 0, 30, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 1]);
    let tiff = [
        b"MM\0*\0\0\0\x08".to_vec(),
        [&2_u16.to_be_bytes()[..], &entry(0x8769, 4, 1, camera), &entry(0x8825, 4, 1, gps), &[0; 4]].concat(),
        [&1_u16.to_be_bytes()[..], &entry(0x9286, 7, count, text), &[0; 4]].concat(),
        [&2_u16.to_be_bytes()[..], &entry(2, 5, 3, position), &entry(4, 5, 3, position + 24), &[0; 4]].concat(),
        angle.clone(),
        angle,
        comment.to_vec(),
    ]
    .concat();
    with_segment(file, 0xE1, &[b"Exif\0\0", tiff.as_slice()].concat())
}

fn photo() -> Vec<u8> {
    jpeg(&scene(96, 64), 90)
}

fn generated(origin: &str) -> Vec<(MarkKind, String)> {
    vec![(MarkKind::Generated, origin.to_owned())]
}

const SETTINGS: &str = "a cat\nSteps: 20, Sampler: Euler a, CFG scale: 7, Seed: 5, Size: 512x512, Model: x";

#[test]
fn a_signed_photo_has_its_credentials_and_says_who_is_trusted() {
    let signer = TestSigner::new("Example Cameras");
    let content = Content::new("Example Camera", "c2pa.created", Some("digitalCapture"));
    for file in [
        sign_jpeg(&photo(), &content, &signer, Binding::Ranges),
        sign_png(&png(&scene(96, 64)), &content, &signer, Binding::Boxes),
    ] {
        let found = origin(&file).expect("it is signed");
        let credentials = found.credentials.expect("it is signed");
        assert_eq!((credentials.integrity, credentials.problems), (Integrity::Intact, Vec::new()));
        assert!(!credentials.signer.expect("it has a certificate").trusted);
        assert_eq!((found.marks[0].kind, found.marks[0].origin.as_str()), (MarkKind::Captured, "content credentials"));
        let trust = TrustList::from_pem(&signer.root_pem()).unwrap();
        let trusting = prepare_trusting(&file, &Limits::default(), &Recognition::NotWanted, &trust);
        let signer = trusting.image.and_then(|image| image.provenance?.credentials?.signer);
        assert!(signer.is_some_and(|signer| signer.trusted));
    }
}

#[test]
fn an_erased_position_explains_a_mismatch_and_a_changed_pixel_does_not() {
    let signer = TestSigner::new("Example Cameras");
    let content = Content::new("Example Camera", "c2pa.created", Some("digitalCapture"));
    let photo = photo();
    let signed = sign_jpeg(&with_exif(&photo, b"ASCII\0\0\0hello", false), &content, &signer, Binding::Ranges);
    let erased = with_exif(&photo, b"ASCII\0\0\0hello", true);
    let integrity = |file: &[u8]| origin(file).and_then(|origin| Some(origin.credentials?.integrity));
    assert_eq!(integrity(&signed), Some(Integrity::Intact));
    let mut shared = signed.clone();
    let place = erased.len() - photo.len() + 2;
    shared[..place].copy_from_slice(&erased[..place]);
    assert_eq!(integrity(&shared), Some(Integrity::Stripped));
    let mut changed = signed;
    let end = changed.len() - 20;
    changed[end] ^= 1;
    assert_eq!(integrity(&changed), Some(Integrity::Broken));
}

#[test]
fn generators_marks_are_read_where_they_write_them() {
    // A text chunk after the header.
    let picture = png(&scene(96, 64));
    let text = [b"tEXtparameters\0", SETTINGS.as_bytes()].concat();
    let length = u32::try_from(text.len() - 4).unwrap().to_be_bytes();
    let with_text = [&picture[..33], &length, &text, b"crc!", &picture[33..]].concat();
    assert_eq!(kinds(&with_text), generated("png text"));
    let ascii = [b"ASCII\0\0\0", SETTINGS.as_bytes()].concat();
    assert_eq!(kinds(&with_exif(&photo(), &ascii, false)), generated("exif"));
    for bytes in [u16::to_be_bytes, u16::to_le_bytes] {
        let wide = [b"UNICODE\0".to_vec(), SETTINGS.encode_utf16().flat_map(bytes).collect()].concat();
        assert_eq!(kinds(&with_exif(&photo(), &wide, false)), generated("exif"));
    }
    assert_eq!(kinds(&with_segment(&photo(), 0xFE, SETTINGS.as_bytes())), generated("comment"));
    assert_eq!(kinds(&photo()), []);
}

#[test]
fn the_source_type_is_read_in_each_form_of_xmp() {
    let address = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia";
    for properties in [
        format!(r#"Iptc4xmpExt:DigitalSourceType="{address}">"#),
        format!("><Iptc4xmpExt:DigitalSourceType>{address}</Iptc4xmpExt:DigitalSourceType>"),
        format!(r#"><Iptc4xmpExt:DigitalSourceType rdf:resource="{address}"/>"#),
    ] {
        assert_eq!(kinds(&with_xmp(&photo(), &properties)), generated("iptc"), "{properties}");
    }
    let credit = r#"photoshop:Credit="Made with Google AI">"#;
    assert_eq!(kinds(&with_xmp(&photo(), credit)), generated("xmp"));
}

#[test]
fn a_pdf_s_credentials_are_an_associated_file() {
    let signer = TestSigner::new("Example Model");
    let content = Content::new("Example Model", "c2pa.created", Some("trainedAlgorithmicMedia"));
    let store = Container::Jpeg.store(&sign_jpeg(&photo(), &content, &signer, Binding::Ranges)).unwrap().bytes;
    let mut file = page("BT /F1 12 Tf 10 50 Td (Invoice) Tj ET", "", &[]);
    assert_eq!(facts(&file).pdf.unwrap().provenance, None);
    let objects = vec![
        b"<</Type/Catalog/Pages 2 0 R/AF[4 0 R]>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>".to_vec(),
        b"<</Type/Filespec/AFRelationship/C2PA_Manifest/F(manifest.c2pa)/EF<</F 5 0 R>>>>".to_vec(),
        stream("/Type/EmbeddedFile", &store),
    ];
    file = pdf(&objects);
    let found = facts(&file).pdf.unwrap().provenance.expect("it has credentials");
    // The store is that of a photo, so its hash is of another file.
    assert_eq!(found.credentials.map(|credentials| credentials.integrity), Some(Integrity::Broken));
    assert_eq!(found.marks[0].kind, MarkKind::Generated);
}

#[test]
fn facts_from_before_provenance_was_read_can_still_be_read_and_are_written_as_before() {
    let now = facts(&photo());
    let text = serde_json::to_string(&now).unwrap();
    assert!(!text.contains("provenance"), "nothing is declared, so nothing is written");
    assert_eq!(serde_json::from_str::<Facts>(&text).unwrap(), now);
    let image: ImageFacts = serde_json::from_str(
        r#"{"width":1,"height":2,"jpeg":null,"png":null,"exif":null,"xmp":null,"editors":[],"pixels":null}"#,
    )
    .unwrap();
    assert_eq!(image.provenance, None);
}
