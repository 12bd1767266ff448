//! Words that were inserted into scans.

use std::sync::Arc;

use sealwright_plugin_sdk::{
    facts::{Document, Encoding, Image, Measure, Place, Placement, Rectangle},
    falsification::Verdict,
};

use super::{bill, check, pdf, verdict};

/// A scan of 1,000 by 2,000 pixels on a page of 500 by 1,000 points, with what the host measured: how much an earlier
/// compression explains, and the two most prominent parts.
fn scan(gain: i64, parts: [i64; 2]) -> Document {
    let measure =
        |name: &str, at: u32, value: i64, area: Option<Rectangle>| Measure { name: name.to_owned(), at, value, area };
    let part = Some(Rectangle { left: 40_000, top: 60_000, width: 20_000, height: 6_000 });
    let image = Image {
        encoding: Some(Encoding { format: "jpeg".to_owned(), width: 1_000, height: 2_000, channels: 3, bits: 8 }),
        measures: vec![
            measure("earlier-compression", 0, gain, None),
            measure("odd-part", 0, parts[0], part),
            measure("odd-part", 1, parts[1], part),
        ],
        ..Image::default()
    };
    let area = Some(Rectangle { left: 0, top: 0, width: 50_000, height: 100_000 });
    Document {
        images: vec![Arc::new(image)],
        placements: vec![Placement { place: Place { page: 1, area }, image: 0, order: 0 }],
        ..pdf(Vec::new())
    }
}

#[test]
fn a_word_inserted_into_a_scan_is_found_with_its_place() {
    let found = check(&scan(1_900, [5_000, 200]), "IMAGE_RECOMPRESSION");
    assert_eq!((found.verdict, found.evaluation), (Verdict::Invalid, 10));
    let area = found.findings[0].place.unwrap().area.unwrap();
    assert_eq!((area.left, area.top, area.width, area.height), (20_000, 30_000, 10_000, 3_000));
    // A weak trace is a weaker sign, and one part among several is none.
    assert_eq!(check(&scan(200, [3_000, 700]), "IMAGE_RECOMPRESSION").evaluation, 35);
    assert_eq!(verdict(&scan(200, [3_000, 2_000]), "IMAGE_RECOMPRESSION"), Verdict::Valid);
}

#[test]
fn a_scan_that_was_saved_once_or_as_a_whole_is_not_a_forgery() {
    assert_eq!(verdict(&scan(100, [6_000, 1_000]), "IMAGE_RECOMPRESSION"), Verdict::Valid);
    assert_eq!(verdict(&scan(9_000, [200, 100]), "IMAGE_RECOMPRESSION"), Verdict::Valid);
    assert_eq!(verdict(&pdf(bill()), "IMAGE_RECOMPRESSION"), Verdict::NotApplicable);
}
