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

/// A page as a picture, at 300 dots per inch.
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

/// A scanned page of paper of 400 by 200 points.
fn scanned(picture: &image::RgbImage) -> Vec<u8> {
    let (width, height) = picture.dimensions();
    let dictionary = format!(
        "/Type/XObject/Subtype/Image/Width {width}/Height {height}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode"
    );
    let mut file =
        page("q 400 0 0 200 0 0 cm /I Do Q", "/XObject<</I 6 0 R>>", &[stream(&dictionary, &jpeg(picture, 85))]);
    let (small, whole) = (b"[0 0 200 100]", b"[0 0 400 200]");
    let at = file.windows(small.len()).position(|bytes| bytes == small).unwrap();
    file[at..at + whole.len()].copy_from_slice(whole);
    file
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
    // 40 points at 300 dots per inch; one dot is one point of the picture's own page.
    assert!(total.area.left.abs_diff(16_667) < 500, "{:?}", total.area);
}

#[test]
fn text_between_the_rules_of_a_table_is_read() {
    let Some(recognition) = tesseract() else { return };
    let rows = [("Nom", "BARANEK"), ("Permis", "SD8832528"), ("Montant", "1872,50"), ("Date", "04/06/2026")];
    let drawn_row = |(row, (label, value)): (i32, (&str, &str))| {
        let (bottom, text) = (150 - row * 30, 160 - row * 30);
        let letters = format!("BT /F1 9 Tf 26 {text} Td ({label}) Tj 160 0 Td ({value}) Tj ET");
        format!("0.3 w 20 {bottom} 160 30 re S 180 {bottom} 180 30 re S {letters}")
    };
    let rows_drawn: Vec<String> = (0..).zip(rows).map(drawn_row).collect();
    let facts = read(&scanned(&drawn(&rows_drawn.join(" "))), &recognition);
    let page = &facts.pages[0];
    for (row, (label, value)) in (0..).zip(rows) {
        for (text, left) in [(label, 26), (value, 186)] {
            let found = page.text.iter().find(|run| run.text == text);
            let run = found.unwrap_or_else(|| panic!("{text} in {:?}", page.text));
            // The letters' middle is 3 points up.
            let (middle, wanted) = (i32::midpoint(run.area.top, run.area.bottom), (200 - (160 - row * 30) - 3) * 100);
            assert!(run.area.left.abs_diff(left * 100) < 150 && middle.abs_diff(wanted) < 150, "{run:?}");
        }
    }
}

#[test]
fn a_skewed_page_is_read_and_its_text_located() {
    let Some(recognition) = tesseract() else { return };
    // It falls by 35 thousandths, 2 degrees: PDF's y axis points up.
    let line = |(left, up): (f64, f64), text: &str| {
        let (x, y) = (left + 0.035 * (up - 100.0), up - 0.035 * (left - 200.0));
        format!("BT /F1 11 Tf 0.9994 -0.035 0.035 0.9994 {x:.2} {y:.2} Tm ({text}) Tj ET ")
    };
    let texts =
        ["Attestation du garage de Valmerle", "Nous avons vu le vehicule entier", "Aucun defaut ne fut trouve ici"];
    let mut content: String =
        (0..).zip(texts).map(|(row, text)| line((30.0, 160.0 - f64::from(row) * 20.0), text)).collect();
    content += &line((300.0, 60.0), "Valmerle");
    let facts = read(&scanned(&drawn(&content)), &recognition);
    let page = &facts.pages[0];
    let run = page.text.iter().find(|run| run.text == "Valmerle").unwrap_or_else(|| panic!("{:?}", page.text));
    // Its letters start at 298.6 points of 400, 143.5 from the top, and end 40 points further.
    assert!(run.area.left.abs_diff(29_860) < 250, "{run:?}");
    assert!((run.area.top..run.area.bottom).contains(&14_100), "{run:?}");
    assert_eq!(run.direction, 2, "{run:?}");
}

#[test]
fn a_picture_without_a_letter_is_read_as_empty() {
    let Some(recognition) = tesseract() else { return };
    for (width, height) in [(1, 1), (1, 3_000), (3_000, 1), (20, 20), (600, 400)] {
        let picture = image::RgbImage::from_pixel(width, height, image::Rgb([240; 3]));
        for file in [png(&picture), scanned(&picture)] {
            let facts = read(&file, &recognition);
            assert!(facts.pages.iter().all(|page| page.text.is_empty()), "{width} by {height}: {:?}", facts.pages);
        }
    }
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
fn a_page_with_its_own_text_is_not_recognised() {
    let file = page("BT /F1 10 Tf 20 80 Td (Total due, and enough of it) Tj ET", "", &[]);
    let facts = read(&file, &Recognition::Unavailable);
    assert_eq!((facts.ocr.state, facts.pages[0].text_source), (OcrState::NotNeeded, TextSource::Layer));
}

/// A letter in a language; letters with accents are octal codes of `WinAnsiEncoding`.
fn letter(lines: [&str; 5]) -> Vec<u8> {
    let shown: Vec<String> = lines.iter().map(|line| format!("({line}) Tj 0 -30 Td ")).collect();
    let shown = shown.concat();
    png(&drawn(&format!("BT /F1 15 Tf 20 165 Td {shown} ET")))
}

const GERMAN: [&str; 5] = [
    "Rechnung der Firma Gr\\366\\337ler GmbH",
    "Bitte zahlen Sie den Betrag bis zum 3. M\\344rz",
    "auf das Konto der Firma und nicht in bar.",
    "Die Ware wird an Ihre Stra\\337e geliefert,",
    "und wir danken Ihnen f\\374r Ihre Bestellung.",
];
const POLISH: [&str; 5] = [
    "Faktura dla firmy Kowalski oraz syn",
    "Prosimy o wplate kwoty na konto firmy",
    "w terminie do dnia 3 marca i nie przez",
    "przelew z banku za granica, razem z data",
    "oraz numerem od sprzedawca po odbiorze.",
];

#[test]
fn a_german_page_is_read_with_its_letters_if_the_language_is_installed() {
    let Some(recognition) = tesseract() else { return };
    let has_german = Tesseract::installed().unwrap().languages().iter().any(|language| language.code == "deu");
    let facts = read(&letter(GERMAN), &recognition);
    let [page] = facts.ocr.page_languages.as_slice() else { panic!("{:?}", facts.ocr) };
    assert_eq!((page.page, page.language.as_str(), page.covered), (1, "German", has_german));
    if !has_german {
        assert!(std::env::var_os("CI").is_none(), "German is missing (Debian: tesseract-ocr-deu)");
        eprintln!("SKIPPED, NOT TESTED: German is missing (Debian: tesseract-ocr-deu)");
        return;
    }
    assert!(facts.ocr.languages.contains(&"deu".to_owned()), "{:?}", facts.ocr);
    let text: Vec<&str> = facts.pages[0].text.iter().map(|run| run.text.as_str()).collect();
    let text = text.join(" ");
    for word in ["Größler", "März", "Straße", "für"] {
        assert!(text.contains(word), "{word} in {text}");
    }
}

#[test]
fn a_page_in_a_language_that_is_not_read_is_reported() {
    let Some(recognition) = tesseract() else { return };
    let facts = read(&letter(POLISH), &recognition);
    let [page] = facts.ocr.page_languages.as_slice() else { panic!("{:?}", facts.ocr) };
    assert_eq!((page.language.as_str(), page.covered), ("Polish", false));
    assert!(!facts.ocr.languages.is_empty() && facts.ocr.recognised == [1], "{:?}", facts.ocr);
}
