//! Files that are made to be expensive: each is finished soon, with a result.

use std::time::{Duration, Instant};

use sealwright_facts::{Facts, Limited, Reading, UnreadableReason, pdf::Integrity};

use crate::support::{facts, jpeg, page, pdf, png, scene, stream};

/// Far more than any of them takes, even on a slow machine and without optimisation.
const TIMEOUT: Duration = Duration::from_mins(1);

fn soon(name: &str, file: &[u8]) -> Facts {
    let start = Instant::now();
    let facts = facts(file);
    assert!(start.elapsed() < TIMEOUT, "{name} took {:?}", start.elapsed());
    facts
}

fn refused(name: &str, file: &[u8]) -> UnreadableReason {
    match soon(name, file).reading {
        Reading::Unreadable { reason } => reason,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn bombs_are_rejected_before_they_are_unpacked() {
    let zeros = miniz_oxide::deflate::compress_to_vec_zlib(&vec![b' '; 300 << 20], 6);
    assert_eq!(
        refused("bomb", &page("q Q", "", &[stream("/Filter/FlateDecode", &zeros)])),
        UnreadableReason::UnpacksTooLarge
    );
    let many: Vec<Vec<u8>> = (0..40)
        .map(|_| stream("/Filter/FlateDecode", &miniz_oxide::deflate::compress_to_vec_zlib(&vec![0; 8 << 20], 1)))
        .collect();
    assert_eq!(refused("many bombs", &page("q Q", "", &many)), UnreadableReason::UnpacksTooLarge);
}

#[test]
fn a_million_objects_are_too_many() {
    let objects = "9 0 obj<<>>endobj\n".repeat(1_000_000);
    assert_eq!(refused("objects", format!("%PDF-1.7\n{objects}").as_bytes()), UnreadableReason::TooManyObjects);
}

#[test]
fn page_trees_that_loop_or_branch_endlessly_are_rejected() {
    let looped =
        pdf(&[b"<</Type/Catalog/Pages 2 0 R>>".to_vec(), b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 9>>".to_vec()]);
    soon("loop", &looped);
    let mut objects = vec![b"<</Type/Catalog/Pages 2 0 R>>".to_vec()];
    objects.extend((2..60).map(|n| format!("<</Type/Pages/Kids[{0} 0 R {0} 0 R]/Count 2>>", n + 1).into_bytes()));
    objects.push(b"<</Type/Page/MediaBox[0 0 9 9]>>".to_vec());
    assert_eq!(refused("branches", &pdf(&objects)), UnreadableReason::TooManyObjects);
}

#[test]
fn endless_content_is_cut_off_and_the_rest_is_reported() {
    let painting = "BT /F1 1 Tf (x) Tj ET 0 0 1 1 re f\n".repeat(600_000);
    let facts = soon("painting", &page(&painting, "", &[]));
    assert!(
        matches!(&facts.reading, Reading::Partial { limits } if limits.contains(&Limited::TextRuns)),
        "{:?}",
        facts.reading
    );
    assert!(!facts.pages[0].text.is_empty());
}

#[test]
fn deeply_nested_forms_are_stopped() {
    let form = |next: u32| {
        let content = "/X Do ".repeat(10);
        stream(
            &format!("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X {next} 0 R>>>>"),
            content.as_bytes(),
        )
    };
    let forms: Vec<Vec<u8>> = (7..27).map(form).collect();
    let facts = soon("forms", &page("/X Do", "/XObject<</X 6 0 R>>", &forms));
    assert!(matches!(&facts.reading, Reading::Partial { .. }), "{:?}", facts.reading);
    let itself = vec![form(6)];
    soon("a form that draws itself", &page("/X Do", "/XObject<</X 6 0 R>>", &itself));
}

#[test]
fn deep_nesting_does_not_panic() {
    // Values that nest deeper than the library's stack end the child process: the black-box tests cover that.
    for open in ["[", "<</A", "("] {
        soon("object", &pdf(&[open.repeat(1_000).into_bytes()]));
    }
    soon("states", &page(&"q ".repeat(200_000), "", &[]));
}

#[test]
fn huge_pictures_are_rejected_by_their_size_alone() {
    let mut large = png(&scene(8, 8));
    large[16..24].copy_from_slice(&[0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF]);
    assert_eq!(refused("png", &large), UnreadableReason::TooManyPixels);
    let mut large = jpeg(&scene(8, 8), 80);
    let frame = large.windows(2).position(|pair| pair == [0xFF, 0xC0]).unwrap();
    large[frame + 5..frame + 9].copy_from_slice(&[0xFF; 4]);
    assert_eq!(refused("jpeg", &large), UnreadableReason::TooManyPixels);
}

#[test]
fn a_huge_picture_inside_a_document_is_not_decoded() {
    let mut large = jpeg(&scene(64, 64), 80);
    let frame = large.windows(2).position(|pair| pair == [0xFF, 0xC0]).unwrap();
    large[frame + 5..frame + 9].copy_from_slice(&[0xFF; 4]);
    let image = stream(
        "/Type/XObject/Subtype/Image/Width 65535/Height 65535/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode",
        &large,
    );
    let facts = soon("picture", &page("q 200 0 0 100 0 0 cm /I Do Q", "/XObject<</I 6 0 R>>", &[image]));
    assert!(facts.pages[0].images.iter().all(|placed| placed.picture.is_none()), "{:?}", facts.pages[0].images);
}

#[test]
fn files_that_are_several_kinds_at_once_are_detected() {
    let picture = jpeg(&scene(40, 30), 80);
    // Very many archives and pages, in a picture that is also a document.
    let several = [picture, b"PK\x03\x04<html>".repeat(500_000), page("q Q", "", &[])].concat();
    let facts = soon("polyglot", &several);
    let foreign = &facts.file.foreign_content;
    assert!((1..=8).contains(&foreign.len()) && foreign[0].kind == "zip", "{foreign:?}");
    let before = [b"<html><script>".to_vec(), page("q Q", "", &[])].concat();
    assert_eq!(soon("page before a document", &before).pdf.unwrap().bytes_before_start, 14);
}

#[test]
fn only_a_limited_number_of_signatures_is_checked() {
    // Each covers four megabytes, and contains a set in the most expensive order.
    let set = (0..20_000_u32).rev().map(|number| format!("0203{number:06x}")).collect::<Vec<_>>().concat();
    let message = format!("3083{:06x}{set}", set.len() / 2);
    let field = |number: u32| {
        format!("<</FT/Sig/T(s{number})/V<</SubFilter/adbe.pkcs7.detached/ByteRange[0 4000000 4000000 100]/Contents<{message}>>>>>")
            .into_bytes()
    };
    let mut objects: Vec<Vec<u8>> = (0..60).map(field).collect();
    objects.push(stream("", &vec![b' '; 4 << 20]));
    let kids = (6..66).map(|number| format!("{number} 0 R")).collect::<Vec<_>>().join(" ");
    let file = page("q Q", "", &objects);
    let at = file.windows(8).position(|bytes| bytes == b"/Catalog").unwrap() + 8;
    let file = [&file[..at], format!("/AcroForm<</Fields[{kids}]>>").as_bytes(), &file[at..]].concat();
    let signatures = soon("signatures", &file).pdf.unwrap().signatures;
    assert_eq!(signatures.len(), 60);
    assert!(signatures.iter().all(|signature| signature.integrity == Integrity::Unknown));
}

#[test]
fn files_of_other_kinds_and_empty_ones_are_reported() {
    for file in [&b""[..], b"x", b"GIF89a", b"PK\x03\x04", &[0; 5000]] {
        assert_eq!(refused("other", file), UnreadableReason::UnknownKind);
    }
    for file in [&b"%PDF-1.7"[..], b"%PDF-", b"\xFF\xD8\xFF", b"\x89PNG\r\n\x1A\n", b"%PDF-1.7\ntrailer<</Root 1 0 R>>"]
    {
        assert_eq!(refused("broken", file), UnreadableReason::Malformed, "{file:?}");
    }
}

#[test]
fn more_pages_than_are_read_are_counted() {
    let kids = (3..203).map(|number| format!("{number} 0 R")).collect::<Vec<_>>().join(" ");
    let mut objects =
        vec![b"<</Type/Catalog/Pages 2 0 R>>".to_vec(), format!("<</Type/Pages/Kids[{kids}]/Count 200>>").into_bytes()];
    objects.extend((0..200).map(|_| b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>".to_vec()));
    let facts = soon("pages", &pdf(&objects));
    assert_eq!((facts.pdf.unwrap().page_count, facts.pages.len()), (200, 50));
    assert_eq!(facts.reading, Reading::Partial { limits: vec![Limited::Pages] });
}
