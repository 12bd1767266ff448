//! Photos that were saved again, turned, or composed of parts.

use std::sync::Arc;

use sealwright_plugin_sdk::facts::{Encoding, Measure, Property, PropertySource, Rectangle};

use super::{assessed, measure, score, with_measures};

/// An earlier compression, and how strongly two parts speak against it.
fn compressed_before(gain: i64, parts: [i64; 2]) -> Vec<Measure> {
    let mut measures = vec![measure("earlier-compression", 0, gain)];
    for (at, strength) in (0..).zip(parts) {
        let area = Some(Rectangle { left: 9_600, top: 4_800, width: 9_600, height: 8_000 });
        measures.push(Measure { area, ..measure("combless-part", at, strength) });
    }
    measures
}

#[test]
fn an_earlier_compression_is_reported_if_there_is_camera_metadata() {
    let evenly = compressed_before(12, [60, 50]);
    let camera = score(with_measures(evenly.clone(), Some("Kestrel")), "image");
    assert!(camera < 70);
    // A messenger does that as well, and removes the metadata.
    assert!(score(with_measures(evenly, None), "image") >= 70);
    assert_eq!(score(with_measures(compressed_before(8, [0, 0]), Some("Kestrel")), "image"), 100);
    // One table that matches all frequencies.
    let by_table = |gain| vec![measure("earlier-compression", 0, 8), measure("earlier-table", 0, gain)];
    assert_eq!(score(with_measures(by_table(40), Some("Kestrel")), "image"), camera);
    assert_eq!(score(with_measures(by_table(20), Some("Kestrel")), "image"), 100);
    // With another doubt it counts more than a messenger's compression.
    let with_part = |make| score(with_measures(compressed_before(12, [1_900, 60]), make), "image");
    assert!(with_part(Some("Kestrel")) < with_part(None));
}

#[test]
fn a_photo_that_was_turned_upright_is_ordinary() {
    let score_of = |turned: [u32; 2], thumbnail: Option<(i64, i64)>, orientation: &str| {
        let mut measures = compressed_before(500, [60, 50]);
        if let Some((distance, turn)) = thumbnail {
            measures.extend([measure("thumbnail-distance", 0, distance), measure("thumbnail-turn", 0, turn)]);
        }
        let mut items = with_measures(measures, Some("Kestrel"));
        let mut image = items[0].image.take().map(Arc::unwrap_or_clone).unwrap();
        let [width, height] = turned;
        image.encoding = image.encoding.map(|encoding| Encoding { width, height, ..encoding });
        image.properties = vec![Property {
            source: PropertySource::Exif,
            name: "Orientation".to_owned(),
            value: orientation.to_owned(),
            time: None,
            revision: None,
        }];
        items[0].image = Some(Arc::new(image));
        score(items, "image")
    };
    let lying = score_of([640, 480], None, "1");
    let upright = score_of([480, 640], None, "1");
    assert!(upright > lying && upright >= 90, "{upright} {lying}");
    // A thumbnail that was left as it was.
    assert_eq!(score_of([640, 480], Some((3, 2)), "1"), upright);
    assert_eq!(score_of([640, 480], Some((3, 0)), "1"), lying);
    // The metadata asks for a turn, so no program has turned it.
    assert_eq!(score_of([480, 640], None, "6"), lying);
}

#[test]
fn a_photo_without_camera_metadata_was_saved_by_an_editor_if_each_pixel_has_its_colour() {
    let sampled = |gain, horizontal, vertical| {
        let mut measures = compressed_before(gain, [0, 0]);
        measures.push(measure("jpeg-sampling-horizontal", 0, horizontal));
        measures.push(measure("jpeg-sampling-vertical", 0, vertical));
        measures
    };
    let full = score(with_measures(sampled(40, 1, 1), None), "image");
    assert!(full < 70);
    // A messenger lets pixels share colours; and a weak trace can come from the motif.
    for shared in [sampled(40, 2, 2), sampled(40, 2, 1), sampled(25, 1, 1)] {
        assert!(score(with_measures(shared, None), "image") >= 70);
    }
    // A grey picture has no colours to share.
    let mut grey = with_measures(sampled(40, 1, 1), None);
    let mut image = grey[0].image.take().map(Arc::unwrap_or_clone).unwrap();
    image.encoding.as_mut().unwrap().channels = 1;
    grey[0].image = Some(Arc::new(image));
    assert!(score(grey, "image") >= 70);
}

#[test]
fn a_part_with_another_history_is_reported_with_its_place() {
    let signals = assessed(with_measures(compressed_before(700, [1_900, 60]), None));
    let signal = signals.into_iter().find(|signal| signal.kind == "image").unwrap();
    assert!(signal.score < 70);
    let area = signal.observations[0].finding.place.as_ref().unwrap().area.as_ref().unwrap();
    assert_eq!((area.left, area.top, area.width, area.height), (9_600, 4_800, 9_600, 8_000));
    // A sky looks similar, but not as strongly.
    assert!(score(with_measures(compressed_before(700, [700, 60]), None), "image") >= 70);
    // Twelve million pixels say as much by chance.
    let mut large = with_measures(compressed_before(700, [1_900, 60]), None);
    let mut image = large[0].image.take().map(Arc::unwrap_or_clone).unwrap();
    image.encoding = image.encoding.map(|encoding| Encoding { width: 4_000, height: 3_000, ..encoding });
    large[0].image = Some(Arc::new(image));
    assert!(score(large, "image") >= 70);
    // What fills the photo is not a part of it, and two that are alike are chance.
    let mut whole = compressed_before(700, [1_900, 60]);
    whole[1].area = Some(Rectangle { left: 0, top: 0, width: 64_000, height: 24_000 });
    assert!(score(with_measures(whole, None), "image") >= 70);
    assert!(score(with_measures(compressed_before(700, [1_900, 400]), None), "image") >= 70);
}

#[test]
fn parts_from_elsewhere_are_reported_with_their_place_if_they_are_parts() {
    let area = |side| Some(Rectangle { left: 9_600, top: 4_800, width: side, height: side });
    let with = |name: &str, value, side| {
        let measures = vec![Measure { area: area(side), ..measure(name, 0, value) }];
        assessed(with_measures(measures, Some("Kestrel"))).into_iter().find(|signal| signal.kind == "image").unwrap()
    };
    for (name, code) in [("odd-grid-part", "OTHER_GRID"), ("copied-part", "COPIED_PART")] {
        let signal = with(name, 400, 9_600);
        assert!(signal.score < 70);
        assert_eq!(signal.observations[0].finding.code, code);
        assert_eq!(signal.observations[0].finding.place.as_ref().unwrap().area, area(9_600));
        // Weak evidence, and most of the photo.
        assert_eq!(with(name, 100, 9_600).score, 100);
        assert_eq!(with(name, 400, 44_000).score, 100);
    }
}
