use std::sync::Arc;

use sealwright_plugin_sdk::{
    facts::{
        Capture, Client, Device, DocumentOutcome, EditorTrace, Evidence, Image, Item, Measure, NearDuplicate, Position,
        Property, PropertySource, Rectangle,
    },
    signal::{Assessor as _, Signal},
};

use super::Signals;

const NOON: u64 = 1_793_577_600_000;
const MINUTE: u64 = 60_000;

fn position(latitude: i32, longitude: i32) -> Position {
    Position { latitude, longitude, accuracy: Some(1_000) }
}

fn photo(id: u64, minutes: u64) -> Item {
    Item {
        id,
        action: "PHOTOGRAPHY".to_owned(),
        received_at: NOON + minutes * MINUTE,
        position: Some(position(45_764_043, 4_835_659)),
        image: Some(Arc::default()),
        near_duplicates: Some(Vec::new()),
        ..Item::default()
    }
}

fn assessed(items: Vec<Item>) -> Vec<Signal> {
    Signals::assess(&Evidence { items: items.into_iter().map(Arc::new).collect(), ..Evidence::default() }, "{}")
        .unwrap()
}

fn score(items: Vec<Item>, kind: &str) -> u8 {
    assessed(items).into_iter().find(|signal| signal.kind == kind).unwrap_or_else(|| panic!("no {kind}")).score
}

fn image(change: impl FnOnce(&mut Image)) -> Arc<Image> {
    let mut image = Image::default();
    change(&mut image);
    Arc::new(image)
}

#[test]
fn what_there_is_nothing_of_is_left_out() {
    assert!(assessed(Vec::new()).is_empty());
    let kinds: Vec<String> = assessed(vec![photo(1, 0), photo(2, 5)]).into_iter().map(|signal| signal.kind).collect();
    assert_eq!(kinds, ["gps", "motion", "image", "duplicate"]);
}

#[test]
fn an_ordinary_case_raises_nothing() {
    for signal in assessed(vec![photo(1, 0), photo(2, 5), photo(3, 9)]) {
        assert_eq!((signal.score, signal.observations.len()), (100, 0), "{}", signal.kind);
    }
}

#[test]
fn a_camera_elsewhere_lowers_gps_by_the_distance() {
    let elsewhere = |latitude| {
        let capture = Capture {
            time: None,
            time_has_offset: false,
            position: Some(position(latitude, 4_835_659)),
            make: None,
            model: None,
            software: None,
        };
        vec![Item { image: Some(image(|image| image.capture = Some(capture))), ..photo(1, 0) }]
    };
    assert_eq!(score(elsewhere(45_764_500), "gps"), 100);
    assert!(score(elsewhere(45_790_000), "gps") < 90);
    assert!(score(elsewhere(48_856_000), "gps") <= 30);
}

#[test]
fn nobody_is_in_two_towns_within_a_minute() {
    let far =
        |minutes| vec![photo(1, 0), Item { position: Some(position(48_856_614, 2_352_222)), ..photo(2, minutes) }];
    assert!(score(far(1), "motion") <= 40);
    assert_eq!(score(far(6 * 60), "motion"), 100);
}

#[test]
fn emulators_and_wrong_clocks_are_told() {
    let device = |model: &str| Device {
        manufacturer: Some("Google".to_owned()),
        model: Some(model.to_owned()),
        name: None,
        platform: Some("android".to_owned()),
        os: None,
        os_version: None,
        carrier_address: None,
        wifi_address: None,
    };
    assert_eq!(score(vec![Item { device: Some(device("Pixel 8")), ..photo(1, 0) }], "device"), 100);
    assert!(score(vec![Item { device: Some(device("sdk_gphone64_x86_64")), ..photo(1, 0) }], "device") < 50);
    let clock = |made_at: u64| {
        let made_at = i64::try_from(made_at).ok();
        vec![Item { client: Some(Client { application: None, version: None, made_at, offset: None }), ..photo(1, 0) }]
    };
    assert_eq!(score(clock(NOON + 4 * MINUTE), "device"), 100);
    assert!(score(clock(NOON + 6 * MINUTE), "device") < 70);
    assert_eq!(score(clock(NOON - 600 * MINUTE), "device"), 100);
}

#[test]
fn a_photo_of_another_case_is_told_with_its_reference() {
    let other = NearDuplicate {
        reference: "ITM-4_CAS-2".to_owned(),
        same_case: false,
        same_file: false,
        distance: 2,
        received_at: NOON - MINUTE,
    };
    let items = vec![Item { near_duplicates: Some(vec![other.clone()]), ..photo(9, 0) }];
    let signal = assessed(items).into_iter().find(|signal| signal.kind == "duplicate").unwrap();
    assert!(signal.score <= 40);
    assert!(signal.observations[0].finding.text.contains("ITM-4_CAS-2"));
    // A later one is the copy.
    let later = NearDuplicate { received_at: NOON + MINUTE, ..other };
    assert_eq!(score(vec![Item { near_duplicates: Some(vec![later]), ..photo(9, 0) }], "duplicate"), 100);
}

#[test]
fn editors_lower_the_image_signal() {
    let trace =
        EditorTrace { program: "GIMP".to_owned(), origin: "exif software".to_owned(), text: "GIMP 2.10".to_owned() };
    let edited = Item { image: Some(image(|image| image.editor_traces = vec![trace])), ..photo(1, 0) };
    assert!(score(vec![edited], "image") < 50);
}

fn measure(name: &str, at: u32, value: i64) -> Measure {
    Measure { name: name.to_owned(), at, value, area: None }
}

fn with_measures(measures: Vec<Measure>, make: Option<&str>) -> Vec<Item> {
    let capture = make.map(|make| Capture { make: Some(make.to_owned()), ..nothing_said() });
    let image = image(|image| (image.measures, image.capture) = (measures, capture));
    vec![Item { image: Some(image), ..photo(1, 0) }]
}

fn nothing_said() -> Capture {
    Capture { time: None, time_has_offset: false, position: None, make: None, model: None, software: None }
}

#[test]
fn dots_throughout_a_picture_are_a_screen_and_a_pattern_alone_is_cloth() {
    let patterned = |windows, contrast| {
        let mut measures: Vec<Measure> =
            (0..9).map(|at| measure("pattern", at, if at < windows { 200 } else { 30 })).collect();
        measures.push(measure("contrast", 0, contrast));
        score(with_measures(measures, None), "image")
    };
    assert!(patterned(9, 4_000) < 70);
    assert!(patterned(7, 4_000) < 70);
    // A curtain in a part of the picture.
    assert_eq!(patterned(6, 4_000), 100);
    assert!(patterned(9, 1_500) >= 70);
}

/// Six by six regions of 48 pixels, one value each.
fn compressed_before(regions: &[i64; 36]) -> Vec<Measure> {
    let mut measures: Vec<Measure> = (0..5).map(|at| measure("earlier-compression", at, 60)).collect();
    measures.push(measure("earlier-region-columns", 0, 6));
    for (at, value) in (0_u32..).zip(regions) {
        let (left, top) = (i32::try_from(at % 6 * 4_800).unwrap(), i32::try_from(at / 6 * 4_800).unwrap());
        let area = Some(Rectangle { left, top, width: 4_800, height: 4_800 });
        measures.push(Measure { area, ..measure("earlier-region", at, *value) });
    }
    measures
}

#[test]
fn what_was_compressed_before_is_told_where_the_camera_s_word_stands_beside_it() {
    let evenly = compressed_before(&[50; 36]);
    assert!(score(with_measures(evenly.clone(), Some("Kestrel")), "image") < 70);
    // A messenger does that, too.
    assert!(score(with_measures(evenly, None), "image") >= 70);
    let once: Vec<Measure> = (0..9).map(|at| measure("earlier-compression", at, 1)).collect();
    assert_eq!(score(with_measures(once, Some("Kestrel")), "image"), 100);
}

#[test]
fn a_part_with_another_history_is_told_with_its_place() {
    let mut regions = [50; 36];
    for at in [8, 9, 14, 15] {
        regions[at] = -60;
    }
    let signals = assessed(with_measures(compressed_before(&regions), None));
    let signal = signals.into_iter().find(|signal| signal.kind == "image").unwrap();
    assert!(signal.score < 70);
    let area = signal.observations[0].finding.place.as_ref().unwrap().area.as_ref().unwrap();
    assert_eq!((area.left, area.top, area.width, area.height), (9_600, 4_800, 9_600, 9_600));
    // Scattered regions are chance.
    let mut scattered = [50; 36];
    for at in [0, 2, 4, 13, 15, 17, 24, 26] {
        scattered[at] = -60;
    }
    assert!(score(with_measures(compressed_before(&scattered), None), "image") >= 70);
}

#[test]
fn times_that_do_not_agree_lower_the_image_signal() {
    let told = |times: &[(&str, i64)]| {
        let properties = times.iter().map(|(name, hours)| Property {
            source: PropertySource::Exif,
            name: (*name).to_owned(),
            value: String::new(),
            time: Some(1_793_577_600_000 + hours * 3_600_000),
            revision: None,
        });
        let image = image(|image| image.properties = properties.collect());
        score(vec![Item { image: Some(image), ..photo(1, 0) }], "image")
    };
    let all = |digitised, satellites| {
        told(&[
            ("DateTimeOriginal", 0),
            ("DateTimeDigitized", digitised),
            ("DateTime", 0),
            ("GPSTimeStamp", satellites),
        ])
    };
    assert_eq!(all(0, -2), 100);
    // A camera's clock that is a day wrong.
    assert_eq!(all(0, 22), 100);
    assert!(all(72, 0) < 70);
    assert!(all(0, -72) < 70);
}

#[test]
fn a_clock_that_is_steadily_behind_is_told_and_items_that_waited_are_not() {
    let made = |received: u64, minutes_ago: u64, id| Item {
        received_at: NOON + received * MINUTE,
        client: Some(Client {
            application: None,
            version: None,
            made_at: i64::try_from(NOON + received * MINUTE - minutes_ago * MINUTE).ok(),
            offset: None,
        }),
        ..photo(id, 0)
    };
    assert!(score(vec![made(0, 9, 1), made(3, 9, 2), made(8, 9, 3)], "device") < 70);
    assert_eq!(score(vec![made(20, 20, 1), made(20, 15, 2), made(20, 9, 3)], "device"), 100);
}

#[test]
fn decisions_13_one_certainly_forged_document_is_not_averaged_away() {
    let document = |trust_score, suspicion_score| Item {
        image: None,
        near_duplicates: None,
        document_outcome: Some(DocumentOutcome {
            complete: true,
            document_type: "INVOICE".to_owned(),
            type_score: 100,
            cross_check_score: None,
            suspicion_score,
            trust_score,
        }),
        ..photo(1, 0)
    };
    assert_eq!(score(vec![document(100, 0), document(100, 0)], "document"), 100);
    assert!(score(vec![document(100, 0), document(38, 95)], "document") <= 9);
}
