//! Certificates rendered and read back by independent programs (poppler).

use std::{ffi::OsStr, fs, io::Cursor, process::Command, sync::LazyLock};

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

use super::*;
use crate::{
    Sample,
    data::{Device, File, Item, ItemContent, Moment, Named, Step},
};

pub(super) static RENDERER: LazyLock<CertificateRenderer> =
    LazyLock::new(|| CertificateRenderer::new(Template::built_in()).expect("the built-in template loads"));

pub(super) const NOW: Timestamp = Timestamp::from_millis(1_795_168_800_000);
pub(super) const SEAL_MANIFEST: &[u8] = br#"{"format":"sealwright-seal-manifest","version":1}"#;

pub(super) fn sample_named(name: &str) -> Sample {
    Sample::built_in().into_iter().find(|sample| sample.name == name).unwrap()
}

pub(super) fn attachments() -> Vec<Attachment> {
    vec![Attachment::seal_manifest(SEAL_MANIFEST.to_vec())]
}

pub(super) fn sample() -> CertificateData {
    sample_named(Sample::COMPLETE).data
}

pub(super) fn render(data: &CertificateData, photos: Vec<Bytes>) -> RenderedCertificate {
    RENDERER.render(data, photos, &attachments(), NOW).unwrap()
}

pub(super) fn item(content: ItemContent) -> Item {
    Item {
        reference: "ITM-1_CAS-1".to_owned(),
        created: Moment(NOW),
        content,
        sha256: Some(sealwright_seal::Sha256Digest::of("1")),
        position: None,
        device: None,
        client: None,
        time_stamp: None,
    }
}

pub(super) fn entry(value: impl Into<String>) -> Item {
    item(ItemContent::Entry { value: value.into() })
}

pub(super) fn with_items(action: &str, items: Vec<Item>) -> CertificateData {
    let step =
        Step { id: 1, title: "Step".to_owned(), description: None, action: action.to_owned(), mandatory: false, items };
    CertificateData { steps: vec![step], ..sample() }
}

fn with_entry(value: impl Into<String>) -> CertificateData {
    with_items("TEXT_FIELD", vec![entry(value)])
}

pub(super) fn file(media_type: &str) -> File {
    File { name: None, size: 1000, media_type: media_type.to_owned(), deleted_after_analysis: false, attachment: None }
}

fn picture_item(photo: usize) -> Item {
    item(ItemContent::Picture { photo: Some(photo), file: file("image/jpeg") })
}

pub(super) fn drawn_photo(format: ImageFormat, seed: u8) -> Bytes {
    let picture = RgbImage::from_fn(64, 48, |x, y| Rgb([if x > y { 200 } else { 40 }, seed, 255 - seed]));
    let mut bytes = Vec::new();
    DynamicImage::ImageRgb8(picture).write_to(&mut Cursor::new(&mut bytes), format).unwrap();
    bytes.into()
}

/// The output of poppler's `tool` for a PDF (its arguments `IN` and `OUT` are files), or `None` with a message if
/// poppler is not installed.
pub(super) fn poppler(tool: &str, arguments: &[&str], pdf: &[u8]) -> Option<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.pdf"), folder.path().join("out"));
    fs::write(&input, pdf).unwrap();
    let arguments = arguments.iter().map(|&argument| match argument {
        "IN" => input.as_os_str(),
        "OUT" => output.as_os_str(),
        other => OsStr::new(other),
    });
    match Command::new(tool).args(arguments).output() {
        Ok(done) => {
            assert!(done.status.success(), "{tool}: {}", String::from_utf8_lossy(&done.stderr));
            Some(fs::read(output).unwrap())
        }
        Err(error) => {
            eprintln!("SKIPPED: {tool} of poppler-utils cannot be run ({error}); the PDF was not read back");
            None
        }
    }
}

/// The PDF's text as a user would copy it.
pub(super) fn text_of(pdf: &[u8]) -> Option<String> {
    poppler("pdftotext", &["IN", "OUT"], pdf).map(|text| String::from_utf8(text).unwrap())
}

/// The text without spaces, line breaks and break opportunities, because the layout decides where lines break.
pub(super) fn squeezed(text: &str) -> String {
    text.chars().filter(|&c| !c.is_whitespace() && c != '\u{200B}').collect()
}

#[track_caller]
pub(super) fn assert_shows(rendered: &RenderedCertificate, expected: &str) {
    if let Some(text) = text_of(&rendered.pdf) {
        assert!(squeezed(&text).contains(&squeezed(expected)), "{expected:?} is not in {text}");
    }
}

#[test]
fn the_sample_renders_without_a_warning_and_claims_pdf_a_3a_and_pdf_ua_1() {
    let rendered = render(&sample(), vec![drawn_photo(ImageFormat::Jpeg, 1)]);
    assert_eq!(rendered.warnings, Vec::new());
    assert_eq!(rendered.unshown_photos, Vec::<usize>::new());
    let raw = String::from_utf8_lossy(&rendered.pdf);
    assert!(raw.contains("<pdfaid:part>3</pdfaid:part>"));
    assert!(raw.contains("<pdfaid:conformance>A</pdfaid:conformance>"));
    assert!(raw.contains("<pdfuaid:part>1</pdfuaid:part>"));
}

#[test]
fn the_certificate_says_who_what_where_and_when() {
    let data = sample();
    let rendered = render(&data, vec![drawn_photo(ImageFormat::Jpeg, 1)]);
    for expected in [
        "CAS-1042_CMP-7",
        "Water damage, 14 rue des Tanneurs",
        "Acme Insurance (no. 7)",
        "20 November 2026, 10:00:00 UTC",
        "CLAIM-2026-004417",
        "Éloïse Lefèvre",
        "69005 Lyon",
        "Karim Haddad",
        "45.7597, 4.8271 (± 6.5 m)",
        "Fairphone FP5",
        "Acme Field 4.2.1",
        "2026-11-20T08:13:46.007+0000",
        "da42ad8132d45a3e1783d5f94e302123692725dde56612932936c189c354e935",
        "facture-2026-0311.pdf",
        "No file was received.",
        "This document is signed electronically",
        "Claims seal 2026",
        "Example Time Stamping Unit 3",
        &format!("page {0} of {0}", rendered.pages),
    ] {
        assert_shows(&rendered, expected);
    }
}

#[test]
fn a_mandatory_step_without_an_item_is_reported_as_missing() {
    let rendered = render(&sample(), vec![drawn_photo(ImageFormat::Jpeg, 1)]);
    assert_shows(
        &rendered,
        "One mandatory step is missing. The case was closed without an item for: • Identity document",
    );
}

#[test]
fn the_seal_manifest_is_attached_byte_for_byte() {
    let rendered = render(&sample(), Vec::new());
    if let Some(attached) = poppler("pdfdetach", &["-savefile", "seal-manifest.json", "-o", "OUT", "IN"], &rendered.pdf)
    {
        assert_eq!(attached, SEAL_MANIFEST);
    }
}

#[test]
fn tokens_and_chain_are_attached_under_their_own_names() {
    let attachments = [
        Attachment::seal_manifest(SEAL_MANIFEST.to_vec()),
        Attachment::manifest_token(b"token of the manifest".to_vec()),
        Attachment::item_token("ITM-5001_CAS-1042", b"token of a photo".to_vec()),
        Attachment::chain("-----BEGIN CERTIFICATE-----".to_owned()),
    ];
    let rendered = RENDERER.render(&sample(), Vec::new(), &attachments, NOW).unwrap();
    for attachment in &attachments {
        let arguments = ["-savefile", &attachment.name, "-o", "OUT", "IN"];
        let Some(attached) = poppler("pdfdetach", &arguments, &rendered.pdf) else { return };
        assert_eq!(attached, attachment.bytes, "{}", attachment.name);
    }
}

#[test]
fn more_attachments_than_a_reader_accepts_are_refused() {
    let attachments = vec![attachments().remove(0); MAX_ATTACHMENTS + 1];
    let refused = RENDERER.render(&sample(), Vec::new(), &attachments, NOW);
    assert!(matches!(refused, Err(RenderError::TooManyAttachments(5001))));
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let photos = || vec![drawn_photo(ImageFormat::Jpeg, 1)];
    let first = render(&sample(), photos());
    comemo::evict(0);
    let other_in_between = render(&with_entry("something else"), Vec::new());
    assert_ne!(first.pdf, other_in_between.pdf);
    assert!(first.pdf == render(&sample(), photos()).pdf);
}

#[test]
fn a_case_without_items_or_steps_has_a_certificate() {
    let no_steps = CertificateData { steps: Vec::new(), ..sample() };
    assert_shows(&render(&no_steps, Vec::new()), "closed without any item");
    assert_shows(&render(&with_items("VIDEO", Vec::new()), Vec::new()), "No item was received for this step.");
}

#[test]
fn empty_texts_do_no_harm() {
    /// Fields that are not free text.
    const KEPT: [&str; 8] =
        ["iso", "kind", "state", "sha256", "certificate_sha256", "token_sha256", "share_url", "language"];
    fn emptied(value: &mut Value) {
        match value {
            Value::String(text) => text.clear(),
            Value::Array(elements) => elements.iter_mut().for_each(emptied),
            Value::Object(members) => {
                members
                    .iter_mut()
                    .filter(|(name, _)| !KEPT.contains(&name.as_str()))
                    .for_each(|(_, value)| emptied(value));
            }
            _ => {}
        }
    }
    let mut json = serde_json::to_value(sample()).unwrap();
    emptied(&mut json);
    let data: CertificateData = serde_json::from_value(json).unwrap();
    assert!(data.title.is_empty() && data.company.name.is_empty());
    assert!(render(&data, vec![drawn_photo(ImageFormat::Jpeg, 1)]).pages >= 2);
    assert!(render(&CertificateData { title: "\n".to_owned(), ..data }, Vec::new()).pages >= 2);
}

#[test]
fn two_hundred_items_are_all_there() {
    let items: Vec<Item> = (0..200)
        .map(|number| if number % 4 == 0 { picture_item(number / 4) } else { entry(format!("value-{number}")) })
        .collect();
    let photos = (0..50).map(|seed| drawn_photo(ImageFormat::Png, seed)).collect();
    let rendered = render(&with_items("PHOTOGRAPHY", items), photos);
    assert_eq!(rendered.unshown_photos, Vec::<usize>::new());
    for expected in ["Item 1 ", "Item 200 ", "value-199", &format!("page {0} of {0}", rendered.pages)] {
        assert_shows(&rendered, expected);
    }
}

#[test]
fn a_text_longer_than_a_page_is_shown_to_its_end() {
    let words: Vec<String> = (0..1500).map(|number| format!("w{number}")).collect();
    let rendered = render(&with_entry(words.join(" ")), Vec::new());
    assert!(rendered.pages > 2);
    assert_shows(&rendered, "w1499");
}

#[test]
fn words_of_ten_thousand_characters_stay_on_the_paper() {
    for word in ["x", "W", "ß", "永", "ー", "っ", "。", "ก", "ب", "क्ष", "👩🏽‍🚒", "\u{A0}", "（"]
    {
        let long = word.repeat(255 / word.len());
        let mut item = entry(word.repeat(10_000 / word.chars().count()));
        item.device = Some(Device { name: Some(long.clone()), ..Device::default() });
        let data = CertificateData {
            title: long.clone(),
            frame: Named { id: 1, name: long.clone() },
            ..with_items("TEXT_FIELD", vec![item])
        };
        assert_on_paper(&render(&data, Vec::new()), word);
    }
}

#[test]
fn long_texts_continue_on_the_next_page() {
    let lines = "line\n".repeat(300);
    let long = "word ".repeat(2000);
    for text in [&lines, &long] {
        let mut items = vec![entry(text), item(ItemContent::NoFile { declared_name: text.clone() }), picture_item(0)];
        items[2].device = Some(Device { name: Some(text.clone()), ..Device::default() });
        let mut data = CertificateData { title: text.chars().take(255).collect(), ..with_items("PHOTOGRAPHY", items) };
        data.context.instructions = Some(text.clone());
        data.steps[0].description = Some(text.clone());
        let rendered = render(&data, vec![drawn_photo(ImageFormat::Jpeg, 1)]);
        assert!(rendered.pages > 10);
        assert_on_paper(&rendered, text);
    }
}

/// Fails if a word extends beyond the middle of the right margin or the lower edge.
#[track_caller]
pub(super) fn assert_on_paper(rendered: &RenderedCertificate, text: &str) {
    let Some(boxes) = poppler("pdftotext", &["-bbox", "IN", "OUT"], &rendered.pdf) else { return };
    // If a line breaks inside a sequence of emoji, poppler splits a character.
    let boxes = String::from_utf8_lossy(&boxes);
    let furthest = |edge: &str| {
        let values = boxes.split(edge).skip(1).map(|rest| rest.split('"').next().unwrap().parse::<f64>().unwrap());
        values.fold(0.0, f64::max)
    };
    let (right, bottom) = (furthest("xMax=\""), furthest("yMax=\""));
    let start: String = text.chars().take(20).collect();
    assert!(right > 300.0 && right < 565.0, "{start:?} reaches {right} pt to the right of a page of 595 pt");
    assert!(bottom > 300.0 && bottom < 835.0, "{start:?} reaches {bottom} pt down a page of 842 pt");
}

#[test]
fn typst_markup_is_shown_as_it_is() {
    for markup in [
        r#"#panic("no")"#,
        r#"= Heading *bold* _it_ `raw` $x^2$ @label <label> https://example.org // comment /* x */ \ ~ --- "q""#,
        r#"#read("/seal-manifest.json") #import "@preview/x:1.0.0" ]]}} #{ "#,
        "- list\n+ enum\n/ term: x",
    ] {
        let data = CertificateData { title: markup.to_owned(), ..with_entry(markup) };
        let rendered = render(&data, Vec::new());
        if let Some(text) = text_of(&rendered.pdf) {
            let shown = squeezed(&text).matches(&squeezed(markup)).count();
            assert!(shown >= 2, "{markup:?} is shown {shown} times in {text}");
        }
    }
}

#[test]
fn writing_of_all_kinds_can_be_read_back() {
    for text in [
        "Ζημιά από νερό",
        "Повреждение водой",
        "שלום עולם",
        "漏水による損害",
        "누수 피해",
        "渗水损坏",
        "ความเสียหาย",
        "Թաց պատ",
    ] {
        assert_shows(&render(&with_entry(text), Vec::new()), text);
    }
    // poppler returns Arabic letters in their logical order, sometimes in their presentation forms.
    let rendered = render(&with_entry("أضرار المياه"), Vec::new());
    assert!(!rendered.pdf.is_empty());
}

#[test]
fn characters_that_cannot_be_seen_are_written_by_their_number() {
    let rendered = render(&with_entry("bell\u{7} exe\u{202E}fdp \u{E000} \u{10FFFF}"), Vec::new());
    assert_shows(&rendered, "bell[U+0007] exe[U+202E]fdp [U+E000] [U+10FFFF]");
    assert_shows(&rendered, "Characters in brackets.");
}

#[test]
fn every_printable_character_has_a_glyph() {
    let printable: Vec<String> = ('\0'..=char::MAX)
        .filter(|c| !c.is_ascii())
        .map(String::from)
        .filter(|text| !RENDERER.template.fonts.repertoire().printable(text).noted)
        .collect();
    assert!(printable.len() > 30_000, "{}", printable.len());
    for part in printable.chunks(5000) {
        assert_has_all_glyphs(&part.join(" "));
    }
}

#[test]
fn any_sequence_of_characters_has_glyphs() {
    let alphabet: Vec<char> = "aé\u{301}\u{20E3}\u{FE0F}\u{200D}👩🏽🚒🇫🇷🏴\u{E0067}\u{E007F}אָ\u{5B0}بـ\u{64B}क्षि\u{94D}กำ\u{E33}ေကျ한\u{1112}\u{1161}漢ー⃝∑\u{202B}\u{202C}\u{2067}\u{2069}\u{200F} \n1"
        .chars()
        .collect();
    let mut state = 0x9E37_79B9_u64;
    let text: String = (0..8000)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            alphabet[(state >> 33) as usize % alphabet.len()]
        })
        .collect();
    assert_has_all_glyphs(&text);
}

/// Renders `text` without the retry in Latin letters that would hide a missing glyph.
#[track_caller]
fn assert_has_all_glyphs(text: &str) {
    let data = CertificateData { title: text.chars().take(255).collect(), ..with_entry(text) };
    let attachments = attachments();
    let input = Input {
        data: &data,
        photos: Vec::new(),
        pictures: Vec::new(),
        attachments: &attachments,
        now: NOW,
        form: Form::Certificate,
    };
    if let Err(error) = RENDERER.attempt(&input, RENDERER.template.fonts.repertoire()) {
        panic!("{error}");
    }
}

#[test]
fn a_photo_that_cannot_be_decoded_loses_only_its_own_place() {
    let good = drawn_photo(ImageFormat::Png, 7);
    let cut_in_its_pixels = good.slice(..good.len() - 40);
    let photos = vec![good, Bytes::from_static(b"\xFF\xD8\xFFnot a photo"), cut_in_its_pixels];
    let rendered = render(&with_items("PHOTOGRAPHY", (0..4).map(picture_item).collect()), photos);
    assert_eq!(rendered.unshown_photos, [1, 2]);
    if let Some(text) = text_of(&rendered.pdf) {
        assert_eq!(text.matches("This picture cannot be shown").count(), 3, "two broken and one never given: {text}");
    }
}

#[test]
fn more_photos_than_a_certificate_holds_are_refused() {
    let photos = vec![Bytes::new(); MAX_PHOTOS + 1];
    assert!(matches!(RENDERER.render(&sample(), photos, &attachments(), NOW), Err(RenderError::TooManyPhotos(2001))));
}

pub(super) fn renderer_of(main: &str) -> CertificateRenderer {
    let mut template = Template::built_in();
    template.files = vec![("main.typ".to_owned(), TypstBytes::from_string(main.to_owned()))];
    CertificateRenderer::new(template).unwrap()
}

#[test]
fn an_error_in_a_template_names_file_and_line() {
    let renderer = renderer_of("Hello\n#unknown-function()");
    let error = renderer.render(&sample(), Vec::new(), &attachments(), NOW).unwrap_err();
    assert!(error.to_string().contains("main.typ:2:2: unknown variable: unknown-function"), "{error}");
}

#[test]
fn no_template_can_leave_out_the_seal_manifest() {
    let rendered = renderer_of("Hello").render(&sample(), Vec::new(), &attachments(), NOW).unwrap();
    if let Some(attached) = poppler("pdfdetach", &["-savefile", "seal-manifest.json", "-o", "OUT", "IN"], &rendered.pdf)
    {
        assert_eq!(attached, SEAL_MANIFEST);
    }
}

#[test]
fn a_template_sees_neither_the_clock_nor_files_outside_it_nor_packages() {
    for main in ["#datetime.today()", r#"#read("../../../../etc/passwd")"#, r#"#import "@preview/cetz:0.4.0""#] {
        let rendered = renderer_of(main).render(&sample(), Vec::new(), &attachments(), NOW);
        assert!(matches!(rendered, Err(RenderError::Template(_))), "{main}");
    }
}
