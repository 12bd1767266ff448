//! Layouts that start from the answers of an earlier certificate.

use typst_layout::PagedDocument;

use super::{tests::*, *};
use crate::{Sample, Theme, data::ItemContent, layout};

/// Another case with as many items.
fn alike(data: &CertificateData) -> CertificateData {
    CertificateData { reference: "CAS-77_CMP-7".to_owned(), title: "Another title".to_owned(), ..data.clone() }
}

/// The document of `data` in at most `passes` that start from the answers about `earlier`; `None` if that is not enough.
fn laid_out_after(
    renderer: &CertificateRenderer,
    earlier: &CertificateData,
    data: &CertificateData,
    passes: usize,
) -> Option<PagedDocument> {
    let earlier = typst::compile::<PagedDocument>(&world_of(renderer, earlier)).output.unwrap();
    let compiled = layout::compile_from(&world_of(renderer, data), earlier.introspector(), passes)?;
    Some(compiled.output.unwrap())
}

fn world_of<'a>(renderer: &'a CertificateRenderer, data: &CertificateData) -> CertificateWorld<'a> {
    let attachments = attachments();
    let input = Input {
        data,
        photos: Vec::new(),
        pictures: Vec::new(),
        attachments: &attachments,
        now: NOW,
        form: Form::Certificate,
    };
    let files = renderer.files(&input, renderer.template.fonts.repertoire()).unwrap();
    CertificateWorld { template: &renderer.template, files }
}

#[test]
fn a_certificate_like_the_one_before_is_laid_out_in_one_pass() {
    let data = sample();
    for theme in Theme::ALL {
        let renderer = CertificateRenderer::new(theme.template()).unwrap();
        assert!(laid_out_after(&renderer, &alike(&data), &data, 1).is_some(), "{}", theme.name);
    }
}

#[test]
fn a_certificate_with_other_pages_than_the_one_before_takes_a_second_pass() {
    let few = with_items("TEXT_FIELD", vec![entry("short"); 3]);
    let many = with_items("TEXT_FIELD", vec![entry("long ".repeat(800)); 3]);
    let renderer = CertificateRenderer::new(Template::built_in()).unwrap();
    assert!(layout::Shape::of(&few) == layout::Shape::of(&many));
    assert!(laid_out_after(&renderer, &few, &many, 1).is_none(), "its page numbers are those of the other");
    let document = laid_out_after(&renderer, &few, &many, 2).unwrap();
    let seen = squeezed(&visible::visible_text(&document).concat());
    let pages = document.pages().len();
    assert!(pages > 3 && seen.contains(&format!("page{pages}of{pages}")), "{pages} pages: {seen}");
}

#[test]
fn other_kinds_of_items_are_another_shape() {
    let shape = |items| layout::Shape::of(&with_items("TEXT_FIELD", items));
    let no_file = item(ItemContent::NoFile { declared_name: String::new() });
    assert!(shape(vec![entry("a")]) == shape(vec![entry("b")]));
    assert!(shape(vec![entry("a")]) != shape(vec![entry("a"), entry("b")]));
    assert!(shape(vec![entry("a")]) != shape(vec![no_file]));
}

#[test]
fn a_certificate_is_the_same_whatever_was_rendered_before_it() {
    for theme in Theme::ALL {
        for name in [Sample::COMPLETE, "long-texts", "no-items"] {
            let sample = sample_named(name);
            let render = |renderer: &CertificateRenderer, data: &CertificateData| {
                renderer.render(data, sample.photos.clone(), &attachments(), NOW).unwrap()
            };
            let first = render(&CertificateRenderer::new(theme.template()).unwrap(), &sample.data);
            let renderer = CertificateRenderer::new(theme.template()).unwrap();
            render(&renderer, &alike(&sample.data));
            let later = render(&renderer, &sample.data);
            assert!(first.pdf == later.pdf, "{} {name}", theme.name);
        }
    }
}
