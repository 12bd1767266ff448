//! Pages drawn for people.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use sealwright_facts::{
    Limits, UnreadableReason,
    page_picture::{Drawing, FirstPages, first_pages, page_picture},
};

use crate::support::{jpeg, page, pdf, png, scene, stream};

fn drawn(file: &[u8]) -> (Drawing, image::RgbImage) {
    let found = page_picture(file.to_vec(), 1, &Limits::default()).unwrap();
    assert_eq!(found.pages, 1);
    let drawing = found.drawing.unwrap();
    let file = BASE64_STANDARD.decode(&drawing.png).unwrap();
    let picture = image::load_from_memory_with_format(&file, image::ImageFormat::Png).unwrap().into_rgb8();
    (drawing, picture)
}

#[test]
fn a_page_is_drawn_in_its_colours_and_has_its_size_in_hundredths_of_a_point() {
    // A red rectangle in the lower left quarter of a page of 200 by 100 points.
    let (drawing, picture) = drawn(&page("1 0 0 rg 0 0 100 50 re f", "", &[]));
    assert_eq!((drawing.width, drawing.height), (20_000, 10_000));
    assert_eq!(picture.dimensions(), (1_600, 800));
    assert_eq!(picture.get_pixel(400, 600).0, [255, 0, 0]);
    assert_eq!(picture.get_pixel(400, 200).0, [255, 255, 255]);
    assert_eq!(picture.get_pixel(1_200, 600).0, [255, 255, 255]);
}

#[test]
fn an_image_file_is_its_only_page_and_a_pixel_counts_as_a_point() {
    let (drawing, picture) = drawn(&png(&scene(40, 30)));
    assert_eq!((drawing.width, drawing.height, picture.dimensions()), (4_000, 3_000, (40, 30)));
    let (drawing, picture) = drawn(&jpeg(&scene(3_200, 1_000), 80));
    assert_eq!((drawing.width, drawing.height, picture.dimensions()), (320_000, 100_000, (1_600, 500)));
}

#[test]
fn a_page_that_is_not_there_is_not_drawn() {
    for file in [page("", "", &[]), png(&scene(8, 8))] {
        for number in [0, 2, u32::MAX] {
            let found = page_picture(file.clone(), number, &Limits::default()).unwrap();
            assert_eq!((found.pages, found.drawing), (1, None), "{number}");
        }
    }
}

/// A PDF file with pages of these contents, each of 100 by 200 points.
fn document(contents: &[&str]) -> Vec<u8> {
    let kids: Vec<String> = (0..contents.len()).map(|index| format!("{} 0 R", 3 + 2 * index)).collect();
    let tree = format!("<</Type/Pages/Kids[{}]/Count {}>>", kids.join(" "), contents.len());
    let mut objects = vec![b"<</Type/Catalog/Pages 2 0 R>>".to_vec(), tree.into_bytes()];
    for (index, content) in contents.iter().enumerate() {
        let content_object = 4 + 2 * index;
        let page =
            format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]/Contents {content_object} 0 R/Resources<<>>>>");
        objects.push(page.into_bytes());
        objects.push(stream("", content.as_bytes()));
    }
    pdf(&objects)
}

#[test]
fn the_first_pages_are_drawn_in_their_order_and_the_others_are_counted() {
    let file = document(&["1 0 0 rg 0 0 100 200 re f", "0 1 0 rg 0 0 100 200 re f", "0 0 1 rg 0 0 100 200 re f"]);
    let colours = |most: u32| {
        let FirstPages { pages, drawn } = first_pages(file.clone(), most, &Limits::default()).unwrap();
        assert_eq!(pages, 3);
        let colour = |page: &String| {
            let picture = image::load_from_memory(&BASE64_STANDARD.decode(page).unwrap()).unwrap().into_rgb8();
            assert_eq!(picture.dimensions(), (800, 1_600));
            picture.get_pixel(400, 800).0
        };
        drawn.iter().map(colour).collect::<Vec<_>>()
    };
    assert_eq!(colours(2), [[255, 0, 0], [0, 255, 0]]);
    assert_eq!(colours(20), [[255, 0, 0], [0, 255, 0], [0, 0, 255]]);
    assert_eq!(colours(0), [[0; 3]; 0]);
    let same = || first_pages(file.clone(), 3, &Limits::default());
    assert_eq!(same(), same());
}

#[test]
fn an_image_file_is_the_first_page_and_an_unreadable_file_says_why() {
    let found = first_pages(png(&scene(40, 30)), 5, &Limits::default()).unwrap();
    assert_eq!((found.pages, found.drawn.len()), (1, 1));
    assert_eq!(first_pages(b"hello".to_vec(), 5, &Limits::default()), Err(UnreadableReason::UnknownKind));
    assert_eq!(first_pages(b"%PDF-1.7\nhello".to_vec(), 5, &Limits::default()), Err(UnreadableReason::Malformed));
    let none = Limits { max_file_bytes: 3, ..Limits::default() };
    assert_eq!(first_pages(b"%PDF-1.7".to_vec(), 5, &none), Err(UnreadableReason::FileTooLarge));
}

#[test]
fn a_file_that_cannot_be_read_says_why() {
    let reason = |file: &[u8]| page_picture(file.to_vec(), 1, &Limits::default()).unwrap_err();
    assert_eq!(reason(b"hello"), UnreadableReason::UnknownKind);
    assert_eq!(reason(b"%PDF-1.7\nhello"), UnreadableReason::Malformed);
    let half = png(&scene(40, 30));
    assert_eq!(reason(&half[..half.len() / 2]), UnreadableReason::Malformed);
    let small = Limits { max_pixels: 100, max_file_bytes: 1 << 20, ..Limits::default() };
    assert_eq!(page_picture(png(&scene(40, 30)), 1, &small), Err(UnreadableReason::TooManyPixels));
    let none = Limits { max_file_bytes: 3, ..Limits::default() };
    assert_eq!(page_picture(vec![0; 4], 1, &none), Err(UnreadableReason::FileTooLarge));
}
