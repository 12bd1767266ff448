//! The themes with every sample, required parts of a template, and texts that look like markup.

use typst_layout::PagedDocument;

use super::{tests::*, *};
use crate::{Sample, Theme};

/// A template of one file that shows what it must, with `digest` as the function that shows a digest.
fn bare(digest: &str) -> CertificateRenderer {
    let main = format!(
        r#"#import "/sealwright.typ": *
#set text(font: fonts("Noto Sans"))
#let digest(value) = {digest}
#data.reference
#for row in items [
  - #row.item.reference #if row.item.sha256 != none {{ digest(row.item.sha256) }}
]
#data.seal.statement
#for step in missing-steps [Missing: #step.title ]"#
    );
    renderer_of(&main)
}

fn missing_with(digest: &str) -> Vec<String> {
    let sample = sample_named(Sample::COMPLETE);
    let rendered = bare(digest).render(&sample.data, sample.photos, &attachments(), NOW).unwrap();
    rendered.missing.iter().map(Finding::on_one_line).collect()
}

#[test]
fn every_theme_shows_every_sample_whole_and_without_a_warning() {
    for theme in Theme::ALL {
        let renderer = CertificateRenderer::new(theme.template()).unwrap();
        for sample in Sample::built_in() {
            let rendered = renderer.render(&sample.data, sample.photos, &attachments(), NOW);
            let rendered = rendered.unwrap_or_else(|error| panic!("{} {}: {error}", theme.name, sample.name));
            assert_eq!(rendered.missing, Vec::new(), "{} {}", theme.name, sample.name);
            assert_eq!(rendered.warnings, Vec::new(), "{} {}", theme.name, sample.name);
            assert_eq!(rendered.unshown_photos, Vec::<usize>::new(), "{} {}", theme.name, sample.name);
            assert_on_paper(&rendered, &format!("{} {}", theme.name, sample.name));
        }
    }
}

#[test]
fn a_picture_of_a_certificate_is_a_png() {
    let sample = sample_named("no-items");
    let pictured =
        CertificateRenderer::new(Template::built_in()).unwrap().picture(&sample.data, Vec::new(), NOW, None).unwrap();
    assert!(pictured.pdf.starts_with(b"\x89PNG"));
    assert_eq!(image::load_from_memory(&pictured.pdf).unwrap().width(), 893);
}

#[test]
fn one_page_of_a_certificate_can_be_pictured() {
    let sample = sample_named("complete");
    let renderer = CertificateRenderer::new(Template::built_in()).unwrap();
    let height = |page| {
        let pictured = renderer.picture(&sample.data, sample.photos.clone(), NOW, page).unwrap();
        (image::load_from_memory(&pictured.pdf).unwrap().height(), pictured.pages)
    };
    let (all, pages) = height(None);
    let (second, _) = height(Some(2));
    assert!(pages >= 2 && second < all, "{second} of {all} pixels, {pages} pages");
    let error = renderer.picture(&sample.data, sample.photos.clone(), NOW, Some(1000)).unwrap_err();
    assert!(format!("{:#}", anyhow::Error::from(error)).contains("page 1000 does not exist"));
}

#[test]
fn a_digest_that_can_be_seen_is_seen() {
    for shown in [
        "value",
        "text(size: 5pt, value)",
        "text(fill: luma(120), value)",
        "text(fill: white, box(fill: black, value))",
        "block(width: 40mm, value.clusters().join(sym.zws))",
        "value.clusters().chunks(8).map(group => group.join()).join(\" \")",
        "box(clip: true, radius: 3mm, fill: luma(230), inset: 3mm, value)",
        "rotate(90deg, reflow: true, value)",
    ] {
        assert_eq!(missing_with(shown), Vec::<String>::new(), "{shown}");
    }
}

#[test]
fn a_digest_that_is_left_out_or_cannot_be_seen_is_missed() {
    for hidden in [
        "none",
        "value.slice(0, 20)",
        "hide(value)",
        "text(fill: white, value)",
        "text(fill: luma(250), value)",
        "text(fill: rgb(0, 0, 0, 10%), value)",
        "text(fill: red, box(fill: red, value))",
        "text(size: 1pt, value)",
        "scale(10%, value)",
        "place(dx: 300mm, value)",
        "move(dy: 2000mm, value)",
        "box(width: 1mm, height: 3mm, clip: true, value)",
        "{ value; place(dx: -20mm, dy: -10mm, rect(width: 300mm, height: 20mm, fill: white)) }",
        "metadata(value)",
    ] {
        let missing = missing_with(hidden);
        let missed = missing.iter().find(|missing| missing.contains("SHA-256 digests of items that cannot be seen"));
        assert!(missed.is_some_and(|missed| missed.contains("and 12 others")), "{hidden}: {missing:?}");
    }
}

#[test]
fn each_missing_required_part_is_named() {
    let sample = sample_named(Sample::COMPLETE);
    let rendered = renderer_of("Hello").render(&sample.data, sample.photos, &attachments(), NOW).unwrap();
    let missing: Vec<String> = rendered.missing.iter().map(|finding| finding.message.clone()).collect();
    assert_eq!(missing.len(), 5, "{missing:?}");
    for (message, part) in
        missing.iter().zip(["CAS-1042_CMP-7", "ITM-5001", "digests", "sentences", "Identity document"])
    {
        assert!(message.contains(part), "{message}");
    }
}

/// 500 texts that would do something if they were markup, each with its number in it.
fn markup() -> Vec<String> {
    const SEEDS: [&str; 50] = [
        "#panic(\"@\")",
        "#eval(\"1+@\")",
        "#{ let a = @; a }",
        "#if true [@] else [no]",
        "#for i in range(@) [x]",
        "#while true { @ }",
        "#let x = @",
        "#set text(fill: white) @",
        "#show: it => [@]",
        "#show regex(\".\"): [@]",
        "#import \"/theme.typ\": * @",
        "#include \"/main.typ\" @",
        "#import \"@preview/cetz:0.4.0\" @",
        "#read(\"/certificate.json\") @",
        "#json(\"/certificate.json\") @",
        "#image(\"/evidence/@.jpg\")",
        "#raw(\"@\")",
        "`raw @`",
        "```rust\nlet x = @;\n```",
        "$ x^@ / sqrt(2) $",
        "$sum_(i=0)^@ i$",
        "*bold @*",
        "_emph @_",
        "= Heading @",
        "== Heading @ ==",
        "- list @",
        "+ enum @",
        "/ term: @",
        "<label-@>",
        "@ref-@",
        "#ref(<a@>)",
        "#cite(<a@>)",
        "#bibliography(\"@.bib\")",
        "// comment @",
        "/* comment @ */",
        "x /* @ */ y",
        "\\u{1F600} @",
        "\\ @ \\",
        "~@~",
        "a -- b --- @ ...",
        "\"quotes @\" 'single'",
        "https://example.org/@?a=b#c",
        "[@]",
        "]@[",
        "}{@}{",
        "#(@)",
        "#(1,2).at(@)",
        "##@",
        "#v(-500pt) @ #h(100%)",
        "#place(dx: 99cm)[@]",
    ];
    const TURNS: [fn(&str) -> String; 10] = [
        |seed| seed.to_owned(),
        |seed| format!("]{seed}["),
        |seed| format!("#[{seed}]"),
        |seed| format!("{seed}\n{seed}"),
        |seed| format!("\u{7}{seed}\u{1b}[2J"),
        |seed| format!("*{seed}*"),
        |seed| format!("`{seed}"),
        |seed| format!("${seed}$"),
        |seed| format!("\\{seed}\\"),
        |seed| format!("\u{202E}{seed}\u{202C}"),
    ];
    let turned = TURNS.iter().enumerate().flat_map(|(turn, with)| {
        SEEDS.iter().enumerate().map(move |(seed, text)| with(&text.replace('@', &format!("@{}", turn * 100 + seed))))
    });
    turned.collect()
}

#[test]
fn five_hundred_texts_of_markup_are_shown_as_they_are() {
    let texts = markup();
    assert_eq!(texts.len(), 500);
    let renderer = CertificateRenderer::new(Template::built_in()).unwrap();
    let repertoire = renderer.template.fonts.repertoire();
    for texts in texts.chunks(50) {
        let mut data = with_items("TEXT_FIELD", texts.iter().map(entry).collect());
        data.steps[0].title.clone_from(&texts[0]);
        data.title.clone_from(&texts[1]);
        data.context.instructions = Some(texts[2].clone());
        data.steps[0].description = Some(texts[3].clone());
        data.company.name.clone_from(&texts[4]);
        let attachments = attachments();
        let rendered = renderer.render(&data, Vec::new(), &attachments, NOW).unwrap();
        let input = Input {
            data: &data,
            photos: Vec::new(),
            pictures: Vec::new(),
            attachments: &attachments,
            now: NOW,
            form: Form::Certificate,
        };
        let world =
            CertificateWorld { template: &renderer.template, files: renderer.files(&input, repertoire).unwrap() };
        let document = typst::compile::<PagedDocument>(&world).output.unwrap();
        let seen = squeezed(&visible::visible_text(&document).concat());
        let copied = text_of(&rendered.pdf).map(|text| squeezed(&text));
        for text in texts {
            for line in repertoire.printable(text).text.split('\n') {
                assert!(seen.contains(&squeezed(line)), "{line:?} is not seen");
                if let Some(copied) = &copied {
                    assert!(copied.contains(&squeezed(line)), "{line:?} is not in the PDF");
                }
            }
        }
    }
}

#[test]
fn every_theme_is_in_the_certificate_s_language_and_time_zone() {
    const EXPECTED: [(&str, &[&str]); 3] = [
        (
            "french",
            &[
                "Ce document est signé électroniquement",
                "20 novembre 2026, 11:00:00 Europe/Paris (10:00:00 UTC)",
                "Signé par",
            ],
        ),
        (
            "german",
            &[
                "Dieses Dokument ist elektronisch signiert",
                "20. November 2026, 11:00:00 Europe/Berlin (10:00:00 UTC)",
                "Die Zeit steht noch aus",
            ],
        ),
        (
            "spanish",
            &[
                "Este documento está firmado electrónicamente",
                "20 de noviembre de 2026, 10:00:00 UTC",
                "autoridad de desarrollo",
            ],
        ),
    ];
    for theme in Theme::ALL {
        let renderer = CertificateRenderer::new(theme.template()).unwrap();
        for (name, expected) in EXPECTED {
            let sample = sample_named(name);
            let rendered = renderer.render(&sample.data, sample.photos, &attachments(), NOW).unwrap();
            let Some(text) = text_of(&rendered.pdf) else { return };
            let text = squeezed(&text);
            for part in expected {
                assert!(
                    text.to_lowercase().contains(&squeezed(part).to_lowercase()),
                    "{part:?} is not in {} {name}: {text}",
                    theme.name
                );
            }
            for english in ["Signed by", "signed electronically", "Time stamp", "Published at"] {
                assert!(!text.contains(&squeezed(english)), "{english:?} is in {} {name}", theme.name);
            }
        }
    }
}

#[test]
fn a_reader_copies_nothing_invisible() {
    let invisible = |c: char| matches!(c, '\u{AD}' | '\u{200B}' | '\u{2060}' | '\u{FEFF}');
    for theme in Theme::ALL {
        let renderer = CertificateRenderer::new(theme.template()).unwrap();
        for name in ["complete", "long-texts"] {
            let sample = sample_named(name);
            let rendered = renderer.render(&sample.data, sample.photos, &attachments(), NOW).unwrap();
            let Some(text) = text_of(&rendered.pdf) else { return };
            assert!(!text.contains(invisible), "{} {name}: {text:?}", theme.name);
        }
    }
}

#[test]
fn a_template_without_texts_for_its_pictures_makes_pdf_a_3b_and_is_warned() {
    let sample = sample_named("no-items");
    let main = "#import \"/sealwright.typ\": *\n#set document(title: data.title)\n#image(\"/share.svg\", width: 20mm)";
    let rendered = renderer_of(main).render(&sample.data, Vec::new(), &attachments(), NOW).unwrap();
    let [warning] = &rendered.warnings[..] else { panic!("one warning: {:?}", rendered.warnings) };
    assert!(!warning.is_error() && warning.message.starts_with("the certificate is not accessible: "), "{warning}");
    assert_eq!(warning.place.as_ref().unwrap().line, 3);
    let raw = String::from_utf8_lossy(&rendered.pdf);
    assert!(raw.contains("<pdfaid:conformance>B</pdfaid:conformance>") && !raw.contains("pdfuaid:part"));
}

#[test]
fn a_logo_that_cannot_be_decoded_is_left_out() {
    let mut sample = sample_named("french");
    let logo = sample.data.logo.unwrap();
    let renderer = CertificateRenderer::new(Template::built_in()).unwrap();
    let with_logo = renderer.render(&sample.data, sample.photos.clone(), &attachments(), NOW).unwrap();
    sample.photos[logo] = Bytes::from_static(b"\xFF\xD8\xFFnot a logo");
    let without = renderer.render(&sample.data, sample.photos, &attachments(), NOW).unwrap();
    assert_eq!((with_logo.unshown_photos, without.unshown_photos), (vec![], vec![logo]));
    assert_eq!(without.missing, Vec::new());
}
