//! The facts of documents whose every byte is known.

use sealwright_facts::{
    Reading,
    model::{Area, Compression, CoverKind, Kind, TextRendering, TextRun, TextSource},
};

use crate::support::{facts, jpeg, page, png, revised, scene, stream};

fn run<'f>(runs: &'f [TextRun], text: &str) -> &'f TextRun {
    runs.iter().find(|run| run.text == text).unwrap_or_else(|| panic!("{text}: {runs:?}"))
}

#[test]
fn text_has_its_place_size_font_and_colour() {
    let facts = facts(&page("BT /F1 10 Tf 1 0 0 rg 20 80 Td (Total due) Tj ET", "", &[]));
    assert_eq!(facts.reading, Reading::Complete);
    let page = &facts.pages[0];
    assert_eq!((page.width, page.height, page.text_source), (20_000, 10_000, TextSource::Layer));
    let run = run(&page.text, "Total due");
    assert_eq!((run.size, run.colour, run.direction), (1_000, Some(0x00FF_0000), 0));
    // The baseline is 80 points above the lower edge: 20 below the upper one.
    assert_eq!((run.area.left, run.area.top, run.area.bottom), (2_000, 1_200, 2_200));
    let font = &facts.pdf.as_ref().unwrap().fonts[usize::try_from(run.font.unwrap()).unwrap()];
    assert_eq!((font.name.as_str(), font.embedded, font.pages.as_slice()), ("Helvetica", false, &[1][..]));
}

#[test]
fn a_gap_makes_a_space_and_a_wide_gap_another_run() {
    let facts = facts(&page("BT /F1 10 Tf 10 50 Td [(One)-400(two)-9000(far)] TJ ET", "", &[]));
    let texts: Vec<_> = facts.pages[0].text.iter().map(|run| run.text.as_str()).collect();
    assert_eq!(texts, ["One two", "far"]);
}

#[test]
fn paint_over_a_text_is_reported_and_not_confused_with_paint_below_it() {
    let content = "0.9 g 0 0 200 100 re f 0 g BT /F1 10 Tf 20 80 Td (1 200) Tj ET 1 g 15 75 60 20 re f 0 g BT /F1 10 Tf 20 80 Td (9 200) Tj ET";
    let facts = facts(&page(content, "", &[]));
    let page = &facts.pages[0];
    let (old, new) = (run(&page.text, "1 200"), run(&page.text, "9 200"));
    let cover = old.cover.expect("a white box covers it");
    assert_eq!((cover.kind, cover.percent), (CoverKind::Shape, 100));
    assert_eq!(page.shapes[1].order, cover.order);
    assert_eq!(page.shapes[1].colour, 0x00FF_FFFF);
    assert_eq!(page.shapes[1].area, Area { left: 1_500, top: 500, right: 7_500, bottom: 2_500 });
    assert!(new.cover.is_none() && new.order > cover.order && cover.order > old.order);
    assert_eq!((old.background, new.background), (Some(0x00E6_E6E6), Some(0x00FF_FFFF)));
}

#[test]
fn a_transparent_surface_covers_nothing() {
    for content in [
        "BT /F1 10 Tf 20 80 Td (1 200) Tj ET /G gs 1 g 0 0 200 100 re f",
        "BT /F1 10 Tf 20 80 Td (1 200) Tj ET 1 G 3 w 0 0 200 100 re S",
        "BT /F1 10 Tf 20 80 Td (1 200) Tj ET /M gs 1 g 0 0 200 100 re f",
    ] {
        let facts = facts(&page(content, "/ExtGState<</G<</ca 0.3>>/M<</BM/Multiply>>>>", &[]));
        assert!(run(&facts.pages[0].text, "1 200").cover.is_none(), "{content}");
    }
}

#[test]
fn invisible_and_outlying_text_is_reported() {
    let content = "BT /F1 10 Tf 3 Tr 20 80 Td (secret) Tj ET BT 0 Tr /F1 10 Tf 20 300 Td (outside) Tj ET q 0 0 5 5 re W n BT /F1 10 Tf 50 50 Td (clipped) Tj ET Q";
    let facts = facts(&page(content, "", &[]));
    let text = &facts.pages[0].text;
    assert_eq!(run(text, "secret").rendering, TextRendering::Invisible);
    assert!(run(text, "outside").outside_page && run(text, "clipped").outside_page);
    assert!(!run(text, "secret").outside_page);
    assert!(run(text, "outside").area.bottom < 0);
}

#[test]
fn a_turned_page_has_turned_coordinates() {
    let file = page("BT /F1 10 Tf 20 80 Td (up) Tj ET", "", &[]);
    let turned = String::from_utf8_lossy(&file).replace("/MediaBox[0 0 200 100]", "/Rotate 90/MediaBox[0 0 200 100]");
    let facts = facts(turned.as_bytes());
    let page = &facts.pages[0];
    assert_eq!((page.width, page.height, page.rotation), (10_000, 20_000, 90));
    let run = run(&page.text, "up");
    assert_eq!(run.direction, 90);
    // What was 20 from the left is 20 from the top, what was 80 from below is 80 from the left.
    assert!(run.area.top.abs_diff(2_000) <= 1 && run.area.left < 8_000 && run.area.right > 8_000, "{:?}", run.area);
}

#[test]
fn an_appended_revision_lists_the_page_that_it_changed() {
    let original = page("BT /F1 10 Tf 20 80 Td (1 200) Tj ET", "", &[]);
    let forged = revised(&original, &[(4, stream("", b"BT /F1 10 Tf 20 80 Td (9 200) Tj ET"))], 6);
    let facts = facts(&forged);
    run(&facts.pages[0].text, "9 200");
    let revisions = facts.pdf.unwrap().revisions;
    assert_eq!(revisions.len(), 2);
    assert_eq!((revisions[1].changed_objects.as_slice(), revisions[1].changed_pages.as_slice()), (&[4][..], &[1][..]));
    assert_eq!(revisions[0].end, original.len() as u64);
    assert_eq!(revisions[1].end, forged.len() as u64);
}

#[test]
fn a_picture_on_a_page_is_described() {
    let picture = jpeg(&scene(120, 80), 75);
    let image = stream(
        "/Type/XObject/Subtype/Image/Width 120/Height 80/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode",
        &picture,
    );
    let content = "BT /F1 10 Tf 20 50 Td (below) Tj ET q 200 0 0 100 0 0 cm /I Do Q";
    let facts = facts(&page(content, "/XObject<</I 6 0 R>>", &[image]));
    let page = &facts.pages[0];
    let placed = &page.images[0];
    assert_eq!((placed.width, placed.height, placed.compression, placed.object), (120, 80, Compression::Jpeg, 6));
    assert_eq!(placed.area, Area { left: 0, top: 0, right: 20_000, bottom: 10_000 });
    assert_eq!(placed.jpeg.as_ref().unwrap().quality, Some(75));
    assert!(placed.picture.as_ref().unwrap().pixels.is_some());
    assert_eq!(page.image_cover, 100);
    assert_eq!(run(&page.text, "below").cover.unwrap().kind, CoverKind::Image);
}

#[test]
fn annotations_forms_actions_and_layers_are_listed() {
    let file = page("BT /F1 10 Tf 20 80 Td (x) Tj ET", "", &[
        b"<</Type/Annot/Subtype/FreeText/Rect[10 10 50 30]/Contents(note)/F 2/A<</S/URI/URI(https://example.org)>>>>".to_vec(),
        b"<</FT/Tx/T(total)/V(42)>>".to_vec(),
    ]);
    let text = String::from_utf8_lossy(&file)
        .replace("/MediaBox", "/Annots[6 0 R]/MediaBox")
        .replace("/Catalog", "/Catalog/AcroForm<</Fields[7 0 R]>>/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>");
    let pdf = facts(text.as_bytes()).pdf.unwrap();
    let annotation = &pdf.annotations[0];
    assert_eq!(
        (annotation.kind.as_str(), annotation.hidden, annotation.contents.as_deref()),
        ("FreeText", true, Some("note"))
    );
    assert_eq!(annotation.area, Area { left: 1_000, top: 7_000, right: 5_000, bottom: 9_000 });
    assert_eq!((pdf.form_fields[0].name.as_str(), pdf.form_fields[0].value.as_deref()), ("total", Some("42")));
    let actions: Vec<_> = pdf.actions.iter().map(|action| (action.kind.as_str(), action.target.as_deref())).collect();
    assert_eq!(actions, [("URI", Some("https://example.org")), ("JavaScript", Some("app.alert(1)"))]);
}

#[test]
fn the_extent_of_a_signature_is_reported() {
    let field =
        b"<</FT/Sig/T(seal)/V<</SubFilter/ETSI.CAdES.detached/ByteRange[0 AAAA BBBB CCCC]/Contents<00ff>>>>>".to_vec();
    let file = page("q Q", "", &[field]);
    let text = String::from_utf8_lossy(&file).replace("/Catalog", "/Catalog/AcroForm<</Fields[6 0 R]>>");
    let from = text.find("<00ff>").unwrap();
    let filled = |end: usize| {
        text.replace("AAAA", &format!("{from:04}"))
            .replace("BBBB", &format!("{:04}", from + 6))
            .replace("CCCC", &format!("{:04}", end - from - 6))
    };
    let whole = facts(filled(text.len()).as_bytes()).pdf.unwrap().signatures.remove(0);
    assert!(whole.covers_whole_file, "{whole:?}");
    assert_eq!((whole.revision, whole.sub_filter.as_deref()), (Some(1), Some("ETSI.CAdES.detached")));
    let part = facts(filled(text.len() - 30).as_bytes()).pdf.unwrap().signatures.remove(0);
    assert!(!part.covers_whole_file && part.revision.is_none(), "{part:?}");
}

#[test]
fn similar_pixels_have_similar_hashes_whatever_the_format() {
    let scene = scene(400, 300);
    let (photo, drawing) = (facts(&jpeg(&scene, 90)), facts(&png(&scene)));
    assert_eq!((photo.file.kind, drawing.file.kind), (Kind::Jpeg, Kind::Png));
    let hash = |facts: &sealwright_facts::Facts| {
        let pixels = facts.image.as_ref().unwrap().pixels.as_ref().unwrap();
        sealwright_facts::near::from_text(&pixels.dct_hash).unwrap()
    };
    assert!(sealwright_facts::near::distance(hash(&photo), hash(&drawing)) <= 4);
    let photo = photo.image.unwrap();
    assert_eq!(photo.jpeg.unwrap().quality, Some(90));
    let compression = photo.pixels.unwrap().compression.unwrap();
    assert_eq!(compression.ghosts.len(), 14);
    assert!(drawing.image.unwrap().pixels.unwrap().compression.is_none());
}

#[test]
fn a_file_after_the_end_of_a_file_is_found() {
    let hidden = [jpeg(&scene(40, 30), 80), page("q Q", "", &[])].concat();
    let facts = facts(&hidden);
    assert_eq!(facts.file.kind, Kind::Jpeg);
    assert!(facts.file.foreign_content.iter().any(|foreign| foreign.kind == "pdf"), "{:?}", facts.file.foreign_content);
}

#[test]
fn stored_facts_can_be_read_back() {
    let facts = facts(&page("BT /F1 10 Tf 20 80 Td (Total) Tj ET", "", &[]));
    let stored = serde_json::to_string(&facts).unwrap();
    assert_eq!(serde_json::from_str::<sealwright_facts::Facts>(&stored).unwrap(), facts);
}

#[test]
fn a_pdf_whose_header_is_within_the_first_1024_bytes_is_read() {
    let file = page("BT /F1 10 Tf 20 80 Td (Total due 42.00) Tj ET", "", &[]);
    for before in [1, 700, 1_016] {
        let read = facts(&[vec![b'\n'; before], file.clone()].concat());
        assert_eq!(read.file.kind, Kind::Pdf);
        let text: Vec<&str> = read.pages[0].text.iter().map(|run| run.text.as_str()).collect();
        assert_eq!((text, read.pdf.unwrap().bytes_before_start), (vec!["Total due 42.00"], before as u64));
    }
    assert_eq!(facts(&[vec![b'\n'; 1_020], file].concat()).file.kind, Kind::Other);
}
