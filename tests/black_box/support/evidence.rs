//! Data that a person in the field sends: files made by the lab, and the description of an item (spec 4.13).

use std::{collections::BTreeMap, sync::LazyLock};

use parking_lot::Mutex;
use sealwright_lab::{Person, PhotoOptions, VideoOptions};
use serde_json::{Value, json};

use super::{Answer, Api, client::Upload, company_manifest::ACME, random::Random};

/// A small photograph with the EXIF data of its capture; each seed makes a different one.
pub(crate) fn photo(seed: u64) -> Upload {
    /// Drawing takes a quarter of a second, and most tests take the same few.
    const KEPT: u64 = 16;
    static DRAWN: Mutex<BTreeMap<u64, Vec<u8>>> = Mutex::new(BTreeMap::new());
    let drawn = DRAWN.lock().get(&seed).cloned();
    let bytes = drawn.unwrap_or_else(|| {
        let options = PhotoOptions { seed, width: 640, height: 480, ..PhotoOptions::default() };
        let bytes = sealwright_lab::photo(&options).expect("draw a photograph");
        if seed < KEPT {
            DRAWN.lock().insert(seed, bytes.clone());
        }
        bytes
    });
    Upload { bytes, name: "front.jpg", media_type: "image/jpeg" }
}

pub(crate) fn signature() -> Upload {
    static DRAWN: LazyLock<Vec<u8>> = LazyLock::new(|| sealwright_lab::signature(1).expect("draw a signature"));
    Upload { bytes: DRAWN.clone(), name: "signature.png", media_type: "image/png" }
}

pub(crate) fn video() -> Upload {
    static FILMED: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let options = VideoOptions { width: 160, height: 120, ..VideoOptions::default() };
        sealwright_lab::video(&options).expect("film a scene")
    });
    Upload { bytes: FILMED.clone(), name: "rooms.mp4", media_type: "video/mp4" }
}

/// A video of this many bytes: a short film, and a box of free space behind it (ISO 14496-12, section 8.1.2).
pub(crate) fn long_video(size: usize) -> Vec<u8> {
    let mut film = video().bytes;
    let padding = u32::try_from(size - film.len()).expect("less than 4 GiB");
    film.extend(padding.to_be_bytes());
    film.extend(b"free");
    let mut random = Random::new(u64::from(padding));
    while film.len() < size {
        film.extend(random.next().to_be_bytes());
    }
    film.truncate(size);
    film
}

pub(crate) fn identity_card() -> Upload {
    static TYPESET: LazyLock<Vec<u8>> =
        LazyLock::new(|| sealwright_lab::identity_card(&Person::invented(1)).expect("typeset a document"));
    Upload { bytes: TYPESET.clone(), name: "card.pdf", media_type: "application/pdf" }
}

/// A complete version-2 description of an item of Acme's.
pub(crate) fn create_item(step: i64, data: &str) -> Value {
    json!({
        "companyId": ACME,
        "stepId": step,
        "data": data,
        "clientAppName": "Field Companion",
        "clientAppVersion": "4.2.0",
        "frontCreatedAt": "2026-11-20T10:42:17.000+01:00",
        "userDeviceManufacturer": "Fairphone",
        "userDeviceModel": "FP5",
        "userDeviceName": "Flora's telephone",
        "userDevicePlatform": "Android",
        "userDeviceOs": "Android",
        "userDeviceOsVersion": "15",
        "geolocLatitude": "45.764043",
        "geolocLongitude": "4.835659",
        "geolocAccuracy": "5",
    })
}

/// Opens a case and returns its identifier.
pub(crate) async fn open_case(api: &Api, body: &Value) -> i64 {
    api.post("/cases/create", body).await.expect(201).json()["id"].as_i64().expect("id is a number")
}

/// `POST /v2/items/create`: an entered value.
pub(crate) async fn add_entry(api: &Api, case: i64, step: i64, data: &str) -> Answer {
    let mut body = create_item(step, data);
    body["caseId"] = json!(case);
    api.post("/v2/items/create", &body).await
}

/// `POST /v2/items/:caseId`: a photo, a signature or a video.
pub(crate) async fn add_capture(api: &Api, case: i64, step: i64, file: Upload) -> Answer {
    api.upload(&format!("/v2/items/{case}"), &create_item(step, file.name), file).await
}

/// `POST /v2/items/:caseId/document`.
pub(crate) async fn add_document(api: &Api, case: i64, step: i64, file: Upload) -> Answer {
    api.upload(&format!("/v2/items/{case}/document"), &create_item(step, file.name), file).await
}

pub(crate) async fn close(api: &Api, case: i64) -> Answer {
    api.get(&format!("/cases/close/{case}")).await
}
