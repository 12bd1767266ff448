//! The page of a link in Firefox and in `WebKit`: a person fills a case, also without a network, and closes it. What these
//! browsers cannot do is asserted here, and listed in `docs/capture.md` (decisions 16).

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use crate::{
    capture_page::{await_closed, create, items, photo_case},
    support::{
        AMPLE, Api, Database, TestServer,
        browser::{Browser, Engine, POSITION},
        client::Upload,
        company_manifest::{DOCUMENT_UPLOAD, PHOTOGRAPHY, SIGNATURE, TEXT_FIELD, VIDEO, acme_on},
        eventually,
        evidence::{identity_card, photo, video},
    },
};

/// What the page asks of a browser, and does without.
const ABILITIES: &str = "
    const isRecorder = typeof MediaRecorder === 'function';
    return {
        camera: Boolean(navigator.mediaDevices?.getUserMedia),
        fullResolution: typeof ImageCapture === 'function',
        mp4: isRecorder && MediaRecorder.isTypeSupported('video/mp4'),
        persist: typeof navigator.storage?.persist === 'function',
        position: Boolean(navigator.geolocation),
        worker: Boolean(navigator.serviceWorker),
        locks: Boolean(navigator.locks),
        indexedDb: Boolean(window.indexedDB),
    };";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn firefox_keeps_a_case_without_a_network_and_after_its_own_end() {
    if !Engine::Firefox.is_there() {
        return;
    }
    let mut server = TestServer::start(Database::Sqlite).await;
    let (api, _receiver) = acme_on(&server).await;
    let (link, url) = create(&api).await;
    let browser = Browser::start_engine(Engine::Firefox).await;
    browser.open(&url).await;
    browser.wait_for_text("Front of the house").await;
    let abilities = browser.run(ABILITIES, json!([])).await;
    let expected = json!({
        "camera": true, "fullResolution": false, "mp4": false, "persist": true,
        "position": true, "worker": true, "locks": true, "indexedDb": true,
    });
    assert_eq!(abilities, expected, "docs/capture.md says what Firefox cannot do");
    browser.wait_for_worker().await;
    server.kill();
    let files = Files::make();
    enter(&browser).await;
    photograph(&browser).await;
    sign(&browser).await;
    choose(&browser, DOCUMENT_UPLOAD, "choose-file", &files.document).await;
    // It cannot record MP4: the page says so and takes a file.
    go_to(&browser, VIDEO).await;
    browser.wait_for_text("cannot record MP4").await;
    choose(&browser, VIDEO, "system-camera", &files.video).await;
    browser.run("location.hash = ''", json!([])).await;
    browser.wait_for_text("5 answers are waiting").await;
    let browser = browser.crash().await;
    // Still no server: the page and everything on it come from the device.
    browser.open(&url).await;
    browser.wait_for_text("5 answers are waiting").await;
    browser.picture("firefox-waiting").await;
    server.restart().await;
    let items = await_items(&link, 5).await;
    assert_files(&items, &files);
    let photo = of_step(&items, PHOTOGRAPHY);
    close_the_case(&browser, "4 files were recorded").await;
    await_closed(&api, &photo_case(photo)).await;
    browser.picture("firefox-closed").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn webkit_keeps_a_case_without_a_network() {
    if !Engine::WebKit.is_there() {
        return;
    }
    let mut server = TestServer::start(Database::Sqlite).await;
    let (api, _receiver) = acme_on(&server).await;
    let (link, url) = create(&api).await;
    let browser = Browser::start_engine(Engine::WebKit).await;
    browser.open(&url).await;
    browser.wait_for_text("Front of the house").await;
    let abilities = browser.run(ABILITIES, json!([])).await;
    let expected = json!({
        "camera": true, "fullResolution": false, "mp4": false, "persist": false,
        "position": true, "worker": true, "locks": true, "indexedDb": true,
    });
    assert_eq!(abilities, expected, "docs/capture.md says what WebKit cannot do");
    browser.wait_for_worker().await;
    server.kill();
    // The test browser has no source of positions, so this one is made up, too.
    browser.open(&url).await;
    browser.wait_for_text("Front of the house").await;
    browser.run(MADE_UP_POSITION, json!([POSITION.0, POSITION.1])).await;
    let files = Files::make();
    browser.run(LOST_DATABASE, json!([])).await;
    enter(&browser).await;
    photograph(&browser).await;
    choose(&browser, PHOTOGRAPHY, "system-camera", &files.photo).await;
    sign(&browser).await;
    choose(&browser, DOCUMENT_UPLOAD, "choose-file", &files.document).await;
    choose(&browser, VIDEO, "system-camera", &files.video).await;
    browser.run("location.hash = ''", json!([])).await;
    browser.wait_for_text("6 answers are waiting").await;
    // A new visit, still without the server.
    browser.open(&url).await;
    browser.wait_for_text("6 answers are waiting").await;
    browser.picture("webkit-waiting").await;
    server.restart().await;
    let items = await_items(&link, 6).await;
    assert_files(&items, &files);
    let photo = items.iter().find(|item| item["sha256"] == digest(&files.photo)).expect("the photo of the file");
    close_the_case(&browser, "5 files were recorded").await;
    await_closed(&api, &photo_case(photo)).await;
    browser.picture("webkit-closed").await;
}

/// Safari ends the process behind its databases if memory is short: the next writes fail like this.
const LOST_DATABASE: &str = "
    const { put } = IDBObjectStore.prototype;
    let failures = 2;
    IDBObjectStore.prototype.put = function (...values) {
        if (failures === 0) return put.apply(this, values);
        failures -= 1;
        throw new DOMException('Connection to Indexed Database server lost', 'UnknownError');
    };";

const MADE_UP_POSITION: &str = "
    const coords = { latitude: arguments[0], longitude: arguments[1], accuracy: 7 };
    const found = (success) => { setTimeout(() => success({ coords, timestamp: Date.now() }), 0); return 1; };
    const geolocation = { watchPosition: found, getCurrentPosition: found, clearWatch() {} };
    Object.defineProperty(navigator, 'geolocation', { value: geolocation });";

/// Files of the device.
struct Files {
    _folder: TempDir,
    photo: PathBuf,
    document: PathBuf,
    video: PathBuf,
}

impl Files {
    fn make() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |Upload { bytes, name, .. }: Upload| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).expect("write a file");
            path
        };
        let (photo, document, video) = (write(photo(1)), write(identity_card()), write(video()));
        Self { photo, document, video, _folder: folder }
    }
}

fn digest(path: &Path) -> String {
    hex::encode(Sha256::digest(std::fs::read(path).expect("read a file")))
}

fn of_step(items: &[Value], step: i64) -> &Value {
    items.iter().find(|item| item["stepId"] == step).expect("an item of the step")
}

/// The files arrived as they are, the photo with its position, and each item once.
fn assert_files(items: &[Value], files: &Files) {
    assert_eq!(of_step(items, DOCUMENT_UPLOAD)["sha256"], digest(&files.document));
    assert_eq!(of_step(items, VIDEO)["sha256"], digest(&files.video));
    assert_eq!(of_step(items, TEXT_FIELD)["data"], "Zoë Müller");
    assert_eq!(of_step(items, SIGNATURE)["type"], "SIGNATURE");
    assert_eq!(of_step(items, PHOTOGRAPHY)["type"], "PHOTOGRAPHY");
}

async fn await_items(link: &Api, count: usize) -> Vec<Value> {
    eventually("everything arrives", AMPLE, async || {
        let items = items(link).await;
        (items.len() == count).then_some(items)
    })
    .await
}

async fn go_to(browser: &Browser, step: i64) {
    browser.run("location.hash = arguments[0]", json!([format!("#step-{step}")])).await;
}

async fn enter(browser: &Browser) {
    go_to(browser, TEXT_FIELD).await;
    browser.enter("#entry", "Zoë Müller").await;
    browser.click("#save-entry").await;
    // The page has gone on to the next step.
    browser.wait_for("article:not(:has(#entry[rows]))").await;
}

async fn photograph(browser: &Browser) {
    go_to(browser, PHOTOGRAPHY).await;
    browser.click("#camera").await;
    browser.click("#shutter").await;
    browser.click("#keep").await;
    browser.wait_for(".given").await;
}

async fn sign(browser: &Browser) {
    go_to(browser, SIGNATURE).await;
    browser.click("#mode").await;
    browser.enter("#typed", "Flora Martinel").await;
    browser.click("#use").await;
    browser.wait_for("article:not(:has(#typed))").await;
}

async fn choose(browser: &Browser, step: i64, field: &str, file: &Path) {
    go_to(browser, step).await;
    browser.enter(&format!("input#{field}"), &file.display().to_string()).await;
    browser.click("#keep").await;
    browser.wait_for(".given").await;
}

async fn close_the_case(browser: &Browser, recorded: &str) {
    browser.run("location.hash = '#review'", json!([])).await;
    browser.wait_for_text("card.pdf").await;
    browser.wait_for_text(recorded).await;
    browser.click("#close").await;
    browser.click("#close-now").await;
    browser.wait_for_text("The case is closed").await;
    browser.wait_for("a#certificate").await;
}
