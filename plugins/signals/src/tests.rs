use std::sync::Arc;

use sealwright_plugin_sdk::{
    facts::{
        Capture, Client, Device, DocumentOutcome, EditorTrace, Encoding, Evidence, Image, Item, Measure, NearDuplicate,
        Position, Property, PropertySource,
    },
    signal::{Assessor as _, Signal},
};

use super::Signals;

mod origin;
mod pictures;

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
fn signals_without_evidence_are_left_out() {
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
fn no_one_is_in_two_towns_within_a_minute() {
    let far =
        |minutes| vec![photo(1, 0), Item { position: Some(position(48_856_614, 2_352_222)), ..photo(2, minutes) }];
    assert!(score(far(1), "motion") <= 40);
    // Not even by air: an aeroplane has to climb and land.
    assert!(score(far(30), "motion") <= 40);
    assert_eq!(score(far(6 * 60), "motion"), 100);
}

#[test]
fn the_speed_of_a_fast_train_or_an_aeroplane_is_only_suspicious() {
    // Lyon and Paris, 392 km: 75 minutes by air, 90 by the fastest train, two hours by the usual one.
    let far =
        |minutes| vec![photo(1, 0), Item { position: Some(position(48_856_614, 2_352_222)), ..photo(2, minutes) }];
    for minutes in [62, 75, 90] {
        assert!((60..70).contains(&score(far(minutes), "motion")), "{minutes}");
    }
    assert_eq!(score(far(120), "motion"), 100);
}

#[test]
fn emulators_and_wrong_clocks_are_reported() {
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
fn a_photo_of_another_case_is_reported_with_its_reference() {
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
    let capture = make.map(|make| Capture { make: Some(make.to_owned()), ..empty_capture() });
    let encoding = Encoding { format: "jpeg".to_owned(), width: 640, height: 480, channels: 3, bits: 8 };
    let image = Image { measures, capture, encoding: Some(encoding), ..Image::default() };
    vec![Item { image: Some(Arc::new(image)), ..photo(1, 0) }]
}

fn empty_capture() -> Capture {
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
    assert!(patterned(8, 4_000) < 70);
    // A curtain in part of the picture.
    assert_eq!(patterned(7, 4_000), 100);
    assert!(patterned(9, 1_500) >= 70);
}

#[test]
fn times_that_do_not_agree_lower_the_image_signal() {
    let score_of = |times: &[(&str, i64)]| {
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
        score_of(&[
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
fn a_clock_that_is_constantly_behind_is_reported_and_items_that_waited_are_not() {
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

#[test]
fn an_operator_s_thresholds_count() {
    let far = || vec![photo(1, 0), Item { position: Some(position(48_856_614, 2_352_222)), ..photo(2, 240) }];
    let ahead = || {
        let client = Client { application: None, version: None, made_at: Some(0), offset: None };
        let made_at = i64::try_from(NOON + 10 * MINUTE).ok();
        vec![Item { client: Some(Client { made_at, ..client }), ..photo(1, 0) }]
    };
    let with = |items: Vec<Item>, kind: &str, settings: &str| {
        let items = items.into_iter().map(Arc::new).collect();
        let signals = Signals::assess(&Evidence { items, ..Evidence::default() }, settings).unwrap();
        signals.into_iter().find(|signal| signal.kind == kind).unwrap().score
    };
    // Lyon and Paris in four hours are 98 km/h, and 390 km.
    assert_eq!(with(far(), "motion", "{}"), 100);
    assert_eq!(with(far(), "motion", r#"{ "fast_kilometres_an_hour": 90 }"#), 65);
    assert_eq!(with(far(), "gps", "{}"), 60);
    assert_eq!(with(far(), "gps", r#"{ "spread_kilometres": 400 }"#), 100);
    assert_eq!(with(ahead(), "device", "{}"), 65);
    assert_eq!(with(ahead(), "device", r#"{ "clock_drift_minutes": 10 }"#), 100);
    assert!(Signals::assess(&Evidence::default(), r#"{ "clock": 1 }"#).is_err());
}
