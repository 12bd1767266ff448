//! Cases whose items have a place, a time and a device: ordinary and suspicious ones. Each is judged by the signals
//! gps, motion, device and duplicate.

use std::sync::Arc;

use sealwright_plugin_sdk::{
    facts::{Capture, Client, Device, Evidence, Image, Item, NearDuplicate, Position},
    signal::Assessor as _,
};
use signals::Signals;

use crate::PHOTO_ALARM;

const NOON: u64 = 1_793_577_600_000;
const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

/// A case's description, and the signal that should detect it; `None` for an ordinary case.
type Kind = (&'static str, Option<&'static str>);

/// The judgement of a case.
pub struct CaseVerdict {
    pub kind: Kind,
    /// The signals that raise an alarm.
    pub alarms: Vec<String>,
}

impl CaseVerdict {
    /// Whether the expected signal raises an alarm; for an ordinary case, whether any signal does.
    pub fn alarm(&self) -> bool {
        self.kind.1.map_or(!self.alarms.is_empty(), |signal| self.alarms.iter().any(|alarm| alarm == signal))
    }
}

/// Changes the items of an ordinary case.
type Story = fn(&mut Vec<Item>, &mut Random);

const STORIES: [(Kind, Story); 20] = [
    (("ordinary, on foot", None), |_, _| {}),
    (("ordinary, by car", None), |items, random| spread(items, random.between(5_000.0, 18_000.0), 25 * MINUTE)),
    (("ordinary, by fast train", None), |items, random| {
        spread(items, random.between(60_000.0, 180_000.0), 70 * MINUTE);
    }),
    (("ordinary, sent later", None), |items, random| {
        let sent = NOON + random.whole(1, 40) * HOUR;
        for (item, place) in items.iter_mut().zip(0..) {
            item.received_at = sent + place * 2 * SECOND;
        }
    }),
    (("ordinary, clock up to 4 minutes off", None), |items, random| {
        let off = i64::try_from(random.whole(0, 8 * MINUTE)).unwrap_or(0) - 240_000;
        clocks(items, |made, _| made + off);
    }),
    (("one device sends what another took", Some("device")), |items, _| {
        if let Some(item) = items.last_mut() {
            item.device = Some(device("Kestrel", "K-70"));
        }
    }),
    (("ordinary, vague positions", None), |items, random| {
        for item in items {
            let metres = random.between(300.0, 1_800.0);
            let vague = item
                .position
                .as_ref()
                .map(|position| Position { accuracy: Some(200_000), ..moved(position, metres, 0.7) });
            item.position = vague;
        }
    }),
    (("ordinary, the same thing twice", None), |items, _| {
        let other = NearDuplicate {
            reference: "ITM-1_CAS-1".into(),
            same_case: true,
            same_file: false,
            distance: 3,
            received_at: NOON,
        };
        items[1].near_duplicates = Some(vec![other]);
    }),
    (("faster than an aeroplane", Some("motion")), |items, random| {
        spread(items, random.between(150_000.0, 900_000.0), random.whole(1, 7) * MINUTE);
    }),
    (("faster than a train", Some("motion")), |items, random| {
        let metres = random.between(60_000.0, 150_000.0);
        spread(items, metres, random.whole(8, 12) * MINUTE);
    }),
    (("items far apart", Some("gps")), |items, random| spread(items, random.between(250_000.0, 900_000.0), 9 * HOUR)),
    (("camera 5 to 50 km elsewhere", Some("gps")), |items, random| elsewhere(items, random.between(6_500.0, 48_000.0))),
    (("camera more than 50 km elsewhere", Some("gps")), |items, random| {
        elsewhere(items, random.between(52_000.0, 900_000.0));
    }),
    (("position of a device that knows none", Some("gps")), |items, _| {
        items[0].position = Some(Position { latitude: 0, longitude: 0, accuracy: None });
    }),
    (("emulator", Some("device")), |items, random| {
        let (maker, model) = EMULATORS[usize::try_from(random.whole(0, 7)).unwrap_or(0)];
        for item in items {
            item.device = Some(device(maker, model));
        }
    }),
    (("clock more than 5 minutes ahead", Some("device")), |items, random| {
        let off = i64::try_from(random.whole(6 * MINUTE, 50 * HOUR)).unwrap_or(0);
        clocks(items, |made, _| made + off);
    }),
    (("clock more than 5 minutes behind", Some("device")), |items, random| {
        let off = i64::try_from(random.whole(6 * MINUTE, 40 * HOUR)).unwrap_or(0);
        clocks(items, |made, _| made - off);
    }),
    (("same file in another case", Some("duplicate")), |items, _| seen(items, true, 0)),
    (("same picture in another case, distance to 4", Some("duplicate")), |items, random| {
        let distance = random.whole(0, 4);
        seen(items, false, distance);
    }),
    (("like a picture of another case, distance 5 to 7", Some("duplicate")), |items, random| {
        let distance = random.whole(5, 7);
        seen(items, false, distance);
    }),
];

const EMULATORS: [(&str, &str); 8] = [
    ("Google", "sdk_gphone64_x86_64"),
    ("Genymobile", "Genymotion Pixel 3"),
    ("unknown", "Android SDK built for arm64"),
    ("Waydroid", "WayDroid x86_64 Device"),
    ("Microsoft Corporation", "Subsystem for Android(TM)"),
    ("Apple", "iPhone Simulator"),
    ("innotek GmbH", "VirtualBox"),
    ("BlueStacks", "BlueStacks App Player"),
];

/// Makes the `index`th case of a set and judges it.
///
/// # Errors
/// If the plugin fails, which is a bug.
pub fn judge_case(seed: u64, index: u64) -> anyhow::Result<CaseVerdict> {
    let mut random = Random(seed.wrapping_add(index).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let (kind, story) = STORIES[usize::try_from(index % STORIES.len() as u64)?];
    let mut items = ordinary(&mut random);
    story(&mut items, &mut random);
    let evidence = Evidence { items: items.into_iter().map(Arc::new).collect(), ..Evidence::default() };
    let signals = Signals::assess(&evidence, "{}").map_err(|error| anyhow::anyhow!("{error:?}"))?;
    let alarms = signals.into_iter().filter(|signal| signal.score < PHOTO_ALARM).map(|signal| signal.kind).collect();
    Ok(CaseVerdict { kind, alarms })
}

/// Three to eight photos of a person who walks around with a telephone.
fn ordinary(random: &mut Random) -> Vec<Item> {
    let home = Position {
        latitude: 43_000_000 + i32::try_from(random.whole(0, 6_000_000)).unwrap_or(0),
        longitude: i32::try_from(random.whole(500_000, 7_000_000)).unwrap_or(0),
        accuracy: Some(1_500),
    };
    let mut at = NOON;
    (1..=random.whole(3, 8))
        .map(|id| {
            at += random.whole(20, 400) * SECOND;
            let place = moved(&home, random.between(0.0, 120.0), random.between(0.0, 6.0));
            let camera = moved(&place, random.between(0.0, 40.0), random.between(0.0, 6.0));
            let capture = Capture {
                time: i64::try_from(at).ok(),
                time_has_offset: true,
                position: Some(camera),
                make: Some("Volterra".into()),
                model: Some("V12 Pro".into()),
                software: None,
            };
            let delay = random.whole(1, 40) * SECOND;
            Item {
                id,
                action: "PHOTOGRAPHY".to_owned(),
                received_at: at + delay,
                position: Some(place),
                device: Some(device("Volterra", "V12 Pro")),
                client: Some(Client {
                    application: None,
                    version: None,
                    made_at: i64::try_from(at).ok(),
                    offset: None,
                }),
                image: Some(Arc::new(Image { capture: Some(capture), ..Image::default() })),
                near_duplicates: Some(Vec::new()),
                ..Item::default()
            }
        })
        .collect()
}

fn device(maker: &str, model: &str) -> Device {
    Device {
        manufacturer: Some(maker.into()),
        model: Some(model.into()),
        name: None,
        platform: None,
        os: None,
        os_version: None,
        carrier_address: None,
        wifi_address: None,
    }
}

/// A position `metres` away, in a direction in radians.
#[expect(clippy::cast_possible_truncation, reason = "millionths of a degree fit")]
fn moved(from: &Position, metres: f64, direction: f64) -> Position {
    let (sin, cos) = direction.sin_cos();
    let narrow = (f64::from(from.latitude) / 1e6).to_radians().cos();
    Position {
        latitude: from.latitude + (metres * cos / 0.111_195) as i32,
        longitude: from.longitude + (metres * sin / 0.111_195 / narrow) as i32,
        accuracy: from.accuracy,
    }
}

/// Moves the last item `metres` away from the previous one and `later` milliseconds after it.
fn spread(items: &mut [Item], metres: f64, later: u64) {
    let Some((last, before)) = items.split_last_mut() else { return };
    let Some(from) = before.last().and_then(|item| item.position) else { return };
    let made = before.last().and_then(|item| item.client.as_ref()?.made_at).unwrap_or(0);
    // East or west, so that the latitude stays in range.
    last.position = Some(moved(&from, metres, 1.3));
    let made = made + i64::try_from(later).unwrap_or(0);
    last.received_at = u64::try_from(made).unwrap_or(0) + 3 * SECOND;
    last.client = Some(Client { application: None, version: None, made_at: Some(made), offset: None });
    last.image = Some(Arc::default());
}

fn clocks(items: &mut [Item], change: impl Fn(i64, u64) -> i64) {
    for item in items {
        if let Some(client) = &mut item.client {
            client.made_at = client.made_at.map(|made| change(made, item.received_at));
        }
    }
}

fn elsewhere(items: &mut [Item], metres: f64) {
    let Some(item) = items.first_mut() else { return };
    let Some(mut image) = item.image.as_deref().cloned() else { return };
    if let Some(capture) = &mut image.capture {
        capture.position = item.position.as_ref().map(|position| moved(position, metres, 2.1));
    }
    item.image = Some(Arc::new(image));
}

fn seen(items: &mut [Item], same_file: bool, distance: u64) {
    let other = NearDuplicate {
        reference: "ITM-4_CAS-2".into(),
        same_case: false,
        same_file,
        distance: u8::try_from(distance).unwrap_or(u8::MAX),
        received_at: NOON - 90 * 24 * HOUR,
    };
    items[0].near_duplicates = Some(vec![other]);
}

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut state = self.0;
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        state ^ (state >> 31)
    }

    /// Uniform in `low..=high`.
    fn whole(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
        let part = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        low + part * (high - low)
    }
}
