use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use p256::ecdsa::{Signature, SigningKey, signature::Signer as _};
use serde_json::{Value, json};

use super::*;
use crate::{
    manifest::{self, CaptureSession, Item, SealManifest},
    testing::random,
};

/// A device that captures.
pub(crate) struct Device {
    key: SigningKey,
    case: i64,
    pub(crate) records: Vec<String>,
}

impl Device {
    pub(crate) fn new(name: &str, case: i64) -> Self {
        Self { key: SigningKey::from_slice(&random::<32>(name)).unwrap(), case, records: Vec::new() }
    }

    fn header(&self) -> Value {
        let point = self.key.verifying_key().to_sec1_point(false);
        let [x, y] = [point.x(), point.y()].map(|coordinate| URL_SAFE_NO_PAD.encode(coordinate.unwrap()));
        json!({ "alg": "ES256", "typ": TYPE, "jwk": { "kty": "EC", "crv": "P-256", "x": x, "y": y } })
    }

    fn sign(&self, header: &Value, payload: &Value) -> String {
        let signed = [header, payload].map(|part| URL_SAFE_NO_PAD.encode(part.to_string())).join(".");
        let signature: Signature = self.key.sign(signed.as_bytes());
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature.to_bytes()))
    }

    /// Signs the next record with these members.
    pub(crate) fn record(&mut self, event: &Value) {
        let number = self.records.len();
        let previous = self.records.last().map(Sha256Digest::of);
        let mut payload = json!({
            "caseId": self.case, "sequence": number, "previous": previous,
            "at": format!("2026-11-20T10:{number:02}:00.000+01:00"),
        });
        for (name, value) in event.as_object().unwrap() {
            payload[name] = value.clone();
        }
        let record = self.sign(&self.header(), &payload);
        self.records.push(record);
    }

    pub(crate) fn shot(&mut self, event: &str, capture: &str, bytes: &str) {
        let shot = json!({
            "event": event, "captureId": capture, "stepId": 701, "sha256": Sha256Digest::of(bytes), "size": bytes.len(),
        });
        self.record(&shot);
    }
}

fn item(capture: &str, bytes: &str) -> Item {
    let item = manifest::tests::manifest().items.remove(0);
    let file = item.file.clone().unwrap();
    Item {
        reference: format!("ITM-{capture}_CAS-12"),
        capture_id: Some(capture.to_owned()),
        file: Some(manifest::File { sha256: Sha256Digest::of(bytes), size: bytes.len() as u64, ..file }),
        ..item
    }
}

fn manifest_of(devices: &[&Device], items: Vec<Item>) -> SealManifest {
    let sessions = devices.iter().map(|device| CaptureSession { records: device.records.clone() });
    SealManifest { capture_sessions: sessions.collect(), items, ..manifest::tests::manifest() }
}

/// One device with every event, and its files.
fn walk() -> SealManifest {
    let mut device = Device::new("one", 12);
    device.shot("retaken", "a", "dark");
    device.shot("taken", "b", "bright");
    device.shot("taken", "c", "blurred");
    device.record(&json!({ "event": "deleted", "captureId": "c" }));
    device.shot("taken", "d", "sharp");
    device.shot("taken", "e", "lost");
    device.record(&json!({ "event": "skipped", "stepId": 702 }));
    device.record(&json!({ "event": "closing" }));
    manifest_of(&[&device], vec![item("b", "bright"), item("d", "sharp")])
}

#[test]
fn a_session_accounts_for_every_capture() {
    let mut manifest = walk();
    manifest.items.push(Item { capture_id: None, ..item("f", "from elsewhere") });
    let account = account(&manifest).unwrap();
    assert_eq!((account.recorded, account.unrecorded), (2, 1));
    let [session] = &account.sessions[..] else { panic!("{account:?}") };
    assert_eq!((session.records, session.files, session.is_ended), (8, 2, true));
    assert_eq!(
        (session.first.as_str(), session.last.as_str()),
        ("2026-11-20T10:00:00.000+01:00", "2026-11-20T10:07:00.000+01:00")
    );
    let digests = |captures: &[CapturedFile]| captures.iter().map(|capture| capture.sha256).collect::<Vec<_>>();
    assert_eq!(digests(&session.retaken), [Sha256Digest::of("dark")]);
    assert_eq!(digests(&session.deleted), [Sha256Digest::of("blurred")]);
    assert_eq!(digests(&session.missing), [Sha256Digest::of("lost")]);
    assert_eq!(session.skipped, [702]);
}

/// Every record dropped, every pair exchanged, and every record replaced by each other one.
#[test]
fn a_dropped_moved_or_replaced_record_is_always_detected() {
    let whole = walk();
    let records = &whole.capture_sessions[0].records;
    let mut changed = Vec::new();
    for one in 0..records.len() {
        // The last record is the closing: without it the session does not claim to be complete.
        if one + 1 < records.len() {
            let mut dropped = records.clone();
            dropped.remove(one);
            changed.push(dropped);
        }
        for other in 0..records.len() {
            if other != one {
                let (mut exchanged, mut replaced, mut repeated) = (records.clone(), records.clone(), records.clone());
                exchanged.swap(one, other);
                replaced[one] = records[other].clone();
                repeated.insert(other, records[one].clone());
                changed.extend([exchanged, replaced, repeated]);
            }
        }
    }
    assert_eq!(changed.len(), 7 + 3 * 56);
    for records in changed {
        let mut manifest = whole.clone();
        manifest.capture_sessions[0].records = records;
        assert!(matches!(account(&manifest), Err(CaptureError::Record { .. })));
    }
    let mut cut = whole.clone();
    cut.capture_sessions[0].records.pop();
    assert!(!account(&cut).unwrap().sessions[0].is_ended);
}

#[test]
fn a_flipped_bit_of_a_record_is_always_detected() {
    let whole = walk();
    let record = whole.capture_sessions[0].records[1].clone();
    for position in 0..record.len() {
        for bit in 0..8 {
            let mut bytes = record.clone().into_bytes();
            bytes[position] ^= 1 << bit;
            let Ok(text) = String::from_utf8(bytes) else { continue };
            let mut manifest = whole.clone();
            manifest.capture_sessions[0].records[1] = text;
            assert!(account(&manifest).is_err(), "byte {position}, bit {bit}");
        }
    }
}

#[test]
fn exchanged_files_and_captures_are_detected() {
    let mut exchanged = walk();
    let (b, d) = (exchanged.items[0].file.clone(), exchanged.items[1].file.clone());
    (exchanged.items[0].file, exchanged.items[1].file) = (d, b);
    assert!(matches!(account(&exchanged), Err(CaptureError::OtherFile(_))));
    let mut moved = walk();
    moved.items[0].step_id = 702;
    assert!(matches!(account(&moved), Err(CaptureError::OtherFile(_))));
    for (capture, bytes) in [("a", "dark"), ("b", "bright")] {
        let mut discarded = walk();
        discarded.items.push(item(capture, bytes));
        assert!(matches!(account(&discarded), Err(CaptureError::Discarded(_))), "{capture}");
    }
    let mut arrived = walk();
    arrived.items.push(item("c", "blurred"));
    let account = account(&arrived).unwrap();
    assert_eq!((account.sessions[0].files, account.sessions[0].deleted.len()), (3, 0));
}

#[test]
fn sessions_stay_apart() {
    let mut one = Device::new("one", 12);
    let mut two = Device::new("two", 12);
    one.shot("taken", "a", "first");
    two.shot("taken", "b", "second");
    let both = manifest_of(&[&one, &two], vec![item("a", "first"), item("b", "second")]);
    let account_of_both = account(&both).unwrap();
    assert_eq!(account_of_both.sessions.iter().map(|session| session.files).collect::<Vec<_>>(), [1, 1]);
    assert_ne!(account_of_both.sessions[0].id, account_of_both.sessions[1].id);

    // A device that had to begin again with another key deletes what it announced before.
    let mut again = Device::new("three", 12);
    again.record(&json!({ "event": "deleted", "captureId": "a" }));
    let begun_again = account(&manifest_of(&[&one, &again], Vec::new())).unwrap();
    assert_eq!((begun_again.sessions[0].deleted.len(), begun_again.sessions[0].missing.len()), (1, 0));

    // A capture cannot be deleted before it was taken, twice, or without having been taken, nor be recorded twice.
    let refused = |devices: &[&Device]| account(&manifest_of(devices, Vec::new())).unwrap_err();
    let mut before = Device::new("three", 12);
    before.record(&json!({ "event": "deleted", "captureId": "a" }));
    before.shot("taken", "a", "first");
    for devices in [&[&before][..], &[&again], &[&one, &again, &before]] {
        assert_eq!(refused(devices), CaptureError::Events("a".to_owned()));
    }
    let mut copy = Device::new("three", 12);
    copy.shot("taken", "a", "first");
    assert_eq!(refused(&[&one, &copy]), CaptureError::Events("a".to_owned()));
    assert_eq!(refused(&[&one, &one]), CaptureError::Events("a".to_owned()));
    assert_eq!(refused(&[&Device::new("none", 12)]), CaptureError::Empty(1));
    let mut elsewhere = Device::new("three", 13);
    elsewhere.shot("taken", "c", "third");
    let error = CaptureError::Record { session: 1, record: 1, error: RecordError::OtherCase(13) };
    assert_eq!(refused(&[&elsewhere]), error);
    // A record of one device in the chain of another.
    let mut mixed = Device::new("one", 12);
    mixed.shot("taken", "a", "first");
    let digest = Sha256Digest::of(&mixed.records[0]);
    let mut other = Device::new("two", 12);
    other.records.push(mixed.records[0].clone());
    other.shot("taken", "b", "second");
    assert_eq!(Record::read(&other.records[1]).unwrap().previous, Some(digest));
    let error = CaptureError::Record { session: 1, record: 2, error: RecordError::OtherKey };
    assert_eq!(refused(&[&other]), error);
}

#[test]
fn what_is_not_a_record_is_refused_with_the_reason() {
    let device = Device::new("one", 12);
    let payload = json!({
        "caseId": 12, "sequence": 0, "previous": null, "at": "2026-11-20T10:00:00.000+01:00", "event": "closing",
    });
    let with = |at: &str| {
        let mut payload = payload.clone();
        payload["at"] = json!(at);
        Record::read(&device.sign(&device.header(), &payload))
    };
    for at in ["2026-11-20T10:00:00Z", "2026-11-20T10:00:00.5-05:30"] {
        assert_eq!(with(at).unwrap().at, at);
    }
    for at in
        ["", "2026-11-20", "2026-11-20T10:00:00", "2026-11-20T10:00:00.+01:00", "2026-11-20T10:00:00.000+0100", "<b>"]
    {
        assert!(matches!(with(at), Err(RecordError::Form(_))), "{at}");
    }
    let header = |name: &str, value: Value| {
        let mut header = device.header();
        header[name] = value;
        Record::read(&device.sign(&header, &payload)).unwrap_err().to_string()
    };
    for (name, value) in [("alg", json!("none")), ("alg", json!("HS256")), ("typ", json!("JWT")), ("jwk", json!({}))] {
        assert!(header(name, value).contains("not a capture record"), "{name}");
    }
    assert!(Record::read(&"x".repeat(MOST_BYTES + 1)).unwrap_err().to_string().contains("2,048"));
    for text in ["", "a.b", "a.b.c.d", "!.!.!", "e30.e30.e30"] {
        assert!(matches!(Record::read(text), Err(RecordError::Form(_))), "{text}");
    }
    let unsigned = device.sign(&device.header(), &payload);
    let cut = unsigned.rsplit_once('.').unwrap().0;
    assert_eq!(Record::read(&format!("{cut}.")), Err(RecordError::Signature));
    let mut nonsense = payload.clone();
    nonsense["event"] = json!("stolen");
    let error = Record::read(&device.sign(&device.header(), &nonsense)).unwrap_err();
    assert!(matches!(error, RecordError::Payload(_)), "{error}");
}
