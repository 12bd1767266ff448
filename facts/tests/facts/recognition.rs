//! Text in pictures, where Tesseract is installed.

use hayro::{
    RenderCache, RenderSettings, hayro_interpret::InterpreterSettings, hayro_syntax::Pdf,
    vello_cpu::color::palette::css::WHITE,
};
use sealwright_facts::{
    Facts, Limits, Recognition,
    model::TextSource,
    mrz,
    ocr::{OcrState, Tesseract},
    prepare,
};

use crate::support::{jpeg, page, png, stream};

fn tesseract() -> Option<Recognition> {
    let found = Tesseract::installed();
    if found.is_none() {
        assert!(std::env::var_os("CI").is_none(), "tesseract is missing (Debian: tesseract-ocr, tesseract-ocr-fra)");
        eprintln!("SKIPPED, NOT TESTED: tesseract is missing (Debian: tesseract-ocr, tesseract-ocr-fra)");
    }
    found.map(Recognition::With)
}

/// A page as a picture, at 300 dots an inch.
fn drawn(content: &str) -> image::RgbImage {
    let file = page(content, "", &[b"<</Type/Font/Subtype/Type1/BaseFont/Courier-Bold>>".to_vec()]);
    let file = String::from_utf8_lossy(&file)
        .replace("[0 0 200 100]", "[0 0 400 200]")
        .replace("<</F1 5 0 R>>", "<</F1 5 0 R/F2 6 0 R>>");
    let pdf = Pdf::new(file.into_bytes()).unwrap();
    let scale = 300.0 / 72.0;
    let settings = RenderSettings { x_scale: scale, y_scale: scale, bg_color: WHITE, ..RenderSettings::default() };
    let pixels = hayro::render(&pdf.pages()[0], &RenderCache::new(), &InterpreterSettings::default(), &settings);
    let bytes = pixels.data_as_u8_slice().as_chunks::<4>().0.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
    image::RgbImage::from_raw(pixels.width().into(), pixels.height().into(), bytes).unwrap()
}

fn read(file: &[u8], recognition: &Recognition) -> Facts {
    prepare(file, &Limits::default(), recognition)
}

#[test]
fn a_picture_s_text_is_read_with_its_place() {
    let Some(recognition) = tesseract() else { return };
    let picture = drawn("BT /F1 18 Tf 40 150 Td (Facture du garage) Tj 0 -60 Td (Total due 1234.50) Tj ET");
    let facts = read(&png(&picture), &recognition);
    assert_eq!((facts.ocr.state, facts.ocr.recognised.as_slice()), (OcrState::Ran, &[1][..]));
    let page = &facts.pages[0];
    assert_eq!(page.text_source, TextSource::Ocr);
    let total = page.text.iter().find(|run| run.text.contains("1234.50")).unwrap_or_else(|| panic!("{:?}", page.text));
    assert!(total.confidence.unwrap() > 60, "{total:?}");
    // 40 points at 300 dots an inch, one dot being one point of the picture's own page.
    assert!(total.area.left.abs_diff(16_667) < 500, "{:?}", total.area);
}

#[test]
fn a_scanned_page_is_drawn_and_read() {
    let Some(recognition) = tesseract() else { return };
    let picture = drawn("BT /F1 18 Tf 40 150 Td (Facture du garage) Tj ET");
    let (width, height) = picture.dimensions();
    let dictionary = format!(
        "/Type/XObject/Subtype/Image/Width {width}/Height {height}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode"
    );
    let scan =
        page("q 200 0 0 100 0 0 cm /I Do Q", "/XObject<</I 6 0 R>>", &[stream(&dictionary, &jpeg(&picture, 85))]);
    let facts = read(&scan, &recognition);
    assert_eq!(facts.ocr.recognised, [1]);
    let run = facts.pages[0]
        .text
        .iter()
        .find(|run| run.text.contains("garage"))
        .unwrap_or_else(|| panic!("{:?}", facts.pages));
    // The scan shows 400 by 200 points at half their size.
    assert!(run.area.left.abs_diff(2_000) < 200 && run.area.top.abs_diff(1_800) < 300, "{:?}", run.area);
    let without = read(&scan, &Recognition::Unavailable);
    assert_eq!((without.ocr.state, without.ocr.unread.as_slice()), (OcrState::Unavailable, &[1][..]));
}

#[test]
fn a_zone_is_read_with_its_check_digits() {
    let Some(recognition) = tesseract() else { return };
    let picture = drawn(
        "BT /F2 13 Tf 20 60 Td (P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<) Tj 0 -24 Td (L898902C36UTO7408122F1204159ZE184226B<<<<<10) Tj ET",
    );
    let facts = read(&png(&picture), &recognition);
    let zone = facts.mrz.first().unwrap_or_else(|| panic!("{:?}", facts.pages[0].text));
    assert_eq!(zone.format, mrz::Format::Td3);
    assert_eq!(zone.fields.surname, "ERIKSSON");
    assert!(zone.check_digits.iter().all(|digit| digit.matches), "{zone:?}");
}

#[test]
fn text_of_its_own_is_not_read_again() {
    let file = page("BT /F1 10 Tf 20 80 Td (Total due, and enough of it) Tj ET", "", &[]);
    let facts = read(&file, &Recognition::Unavailable);
    assert_eq!((facts.ocr.state, facts.pages[0].text_source), (OcrState::NotNeeded, TextSource::Layer));
}
