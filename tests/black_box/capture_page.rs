//! The page of a link in a real browser: a person takes a photo, signs, enters a value, adds a document, and closes the
//! case; and nothing is lost if the browser or the server ends in between (decisions 16).

use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::support::{
    AMPLE, Api, Database, Receiver, TestServer,
    browser::{self, Browser},
    company_manifest::{DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, SIGNATURE, TEXT_FIELD, VIDEO, acme_on},
    eventually,
    evidence::identity_card,
    skip_loudly,
    toolchains::node_modules,
};

/// The frame without the steps that a test does not need.
const STEPS: [i64; 5] = [PHOTOGRAPHY, SIGNATURE, DOCUMENT_UPLOAD, TEXT_FIELD, VIDEO];

/// The page of a link in a browser. The browser ends before the server.
struct OpenPage {
    browser: Browser,
    link: Api,
    url: String,
    api: Api,
    _receiver: Receiver,
    server: TestServer,
}

/// `None` without a browser.
async fn open_page() -> Option<OpenPage> {
    if !browser::is_there() {
        return None;
    }
    let server = TestServer::start(Database::Sqlite).await;
    let (api, receiver) = acme_on(&server).await;
    let (link, url) = create(&api).await;
    Some(OpenPage { browser: browser_on(&url).await, link, url, api, _receiver: receiver, server })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_fills_a_case_in_a_browser_and_closes_it() {
    let Some(page) = open_page().await else { return };
    let (api, link, browser) = (page.api, page.link, page.browser);
    let axe = axe_core();
    browser.picture("capture-list").await;
    assert_accessible(&browser, axe.as_deref(), "the list").await;
    // Looking opens no case.
    assert_eq!(link.get("/v2/capture").await.json()["openCases"], json!([]));

    step(&browser, PHOTOGRAPHY).await;
    browser.click("#camera").await;
    browser.click("#shutter").await;
    eventually("the photo can be kept", AMPLE, async || {
        let is_shown = browser.run("return document.querySelector('#keep') !== null", json!([])).await;
        (is_shown == json!(true)).then_some(())
    })
    .await;
    browser.picture("capture-look").await;
    assert_accessible(&browser, axe.as_deref(), "the look at a photo").await;
    browser.click("#keep").await;
    let photo = eventually("the photo arrives", AMPLE, async || item(&link, PHOTOGRAPHY).await).await;
    assert_eq!(photo["type"], "PHOTOGRAPHY");

    step(&browser, SIGNATURE).await;
    browser.click("#mode").await;
    browser.enter("#typed", "Flora Martinel").await;
    assert_accessible(&browser, axe.as_deref(), "the signature").await;
    browser.click("#use").await;
    eventually("the signature arrives", AMPLE, async || item(&link, SIGNATURE).await).await;

    step(&browser, TEXT_FIELD).await;
    assert_accessible(&browser, axe.as_deref(), "the entry").await;
    browser.enter("#entry", "Zoë <b>Müller</b>").await;
    browser.click("#save-entry").await;
    let entered = eventually("the entry arrives", AMPLE, async || item(&link, TEXT_FIELD).await).await;
    assert_eq!(entered["data"], "Zoë <b>Müller</b>");

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("card.pdf");
    let bytes = identity_card().bytes;
    std::fs::write(&file, &bytes).expect("write the document");
    step(&browser, DOCUMENT_UPLOAD).await;
    browser.enter("input[type=file]#choose-file, #choose-file input[type=file]", &file.display().to_string()).await;
    browser.click("#keep").await;
    let document = eventually("the document arrives", AMPLE, async || item(&link, DOCUMENT_UPLOAD).await).await;
    assert_eq!(document["sha256"], hex::encode(Sha256::digest(&bytes)), "the bytes are those of the file");

    browser.run("location.hash = '#review'", json!([])).await;
    browser.wait_for_text("card.pdf").await;
    browser.picture("capture-review").await;
    assert_accessible(&browser, axe.as_deref(), "the review").await;
    browser.click("#close").await;
    browser.click("#close-now").await;
    browser.wait_for_text("closed").await;
    assert_accessible(&browser, axe.as_deref(), "the receipt").await;
    browser.click("#certificate").await;
    let case = photo_case(&photo);
    await_closed(&api, &case).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_photo_survives_the_end_of_the_server_and_of_the_browser() {
    let Some(page) = open_page().await else { return };
    let (mut server, link, url, browser) = (page.server, page.link, page.url, page.browser);
    // The page has to be kept before the server is gone.
    browser.wait_for_worker().await;
    server.kill();
    for _ in 0..2 {
        step(&browser, PHOTOGRAPHY).await;
        browser.click("#camera").await;
        browser.click("#shutter").await;
        browser.click("#keep").await;
        browser.run("location.hash = ''", json!([])).await;
    }
    browser.wait_for_text("2 ").await;
    browser.picture("capture-waiting").await;
    let browser = browser.crash().await;
    // Still no server: the page comes from the device, with both photos.
    browser.open(&url).await;
    browser.wait_for_text("Front of the house").await;
    server.restart().await;
    let photos = eventually("both photos arrive", AMPLE, async || {
        let items = items(&link).await;
        (items.len() == 2).then_some(items)
    })
    .await;
    assert_ne!(photos[0]["captureId"], photos[1]["captureId"]);
    // Nothing is sent twice.
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(items(&link).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_who_goes_on_while_a_photo_is_stored_stays_there() {
    let Some(page) = open_page().await else { return };
    let (link, browser) = (page.link, page.browser);
    step(&browser, PHOTOGRAPHY).await;
    browser.click("#camera").await;
    browser.click("#shutter").await;
    browser.wait_for("#keep:enabled").await;
    let next = format!("#step-{TEXT_FIELD}");
    browser.run("document.querySelector('#keep').click(); location.hash = arguments[0]", json!([next])).await;
    eventually("the photo arrives", AMPLE, async || item(&link, PHOTOGRAPHY).await).await;
    assert_eq!(browser.run("return location.hash", json!([])).await, json!(next));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_camera_that_was_open_for_long_still_knows_the_place() {
    let Some(page) = open_page().await else { return };
    let (link, browser) = (page.link, page.browser);
    step(&browser, PHOTOGRAPHY).await;
    browser.click("#camera").await;
    browser.wait_for("#shutter").await;
    // Longer than a position counts as fresh. The browser reports nothing new, as the device does not move.
    tokio::time::sleep(Duration::from_secs(18)).await;
    browser.click("#shutter").await;
    browser.click("#keep").await;
    // A photo can be kept with a position only.
    eventually("the photo arrives", AMPLE, async || item(&link, PHOTOGRAPHY).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recording_survives_the_end_of_the_browser() {
    let Some(page) = open_page().await else { return };
    let (link, url, browser) = (page.link, page.url, page.browser);
    let can_record = "return MediaRecorder.isTypeSupported('video/mp4')";
    if browser.run(can_record, json!([])).await == json!(false) {
        skip_loudly("this Chromium does not record MP4");
        return;
    }
    step(&browser, VIDEO).await;
    browser.click("#camera").await;
    browser.click("#shutter").await;
    // A second has one part.
    let recorded =
        eventually("three seconds are recorded", AMPLE, async || parts(&browser).await.filter(|parts| *parts >= 3))
            .await;
    let browser = browser.crash().await;
    browser.open(&url).await;
    browser.wait_for_text("Front of the house").await;
    step(&browser, VIDEO).await;
    browser.click("#look-now").await;
    eventually("what was recorded can be played", AMPLE, async || {
        let state = browser.run("return document.querySelector('.picture video')?.readyState", json!([])).await;
        state.as_i64().filter(|state| *state >= 1)
    })
    .await;
    browser.picture("capture-recovered").await;
    browser.click("#keep").await;
    let video = eventually("the video arrives", AMPLE, async || item(&link, VIDEO).await).await;
    assert!(video["size"].as_i64().is_some_and(|size| size > 0), "{video}, {recorded} parts");
    assert_eq!(parts(&browser).await, Some(0), "the parts are deleted");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signature_survives_the_end_of_the_browser() {
    let Some(page) = open_page().await else { return };
    let (link, url, browser) = (page.link, page.url, page.browser);
    step(&browser, SIGNATURE).await;
    browser.click("#mode").await;
    browser.enter("#typed", "Flora Martinel").await;
    // The browser ends after the bytes are stored, and before their digest is.
    browser.run("crypto.subtle.digest = () => new Promise(() => {});", json!([])).await;
    browser.click("#use").await;
    let stored = async || (captures(&browser).await == Some(1)).then_some(());
    eventually("the signature is in the store", AMPLE, stored).await;
    let browser = browser.crash().await;
    browser.open(&url).await;
    let signature = eventually("the signature arrives", AMPLE, async || item(&link, SIGNATURE).await).await;
    assert!(signature["size"].as_i64().is_some_and(|size| size > 0), "{signature}");
    assert_eq!(items(&link).await.len(), 1);
}

/// How many captures the device keeps.
async fn captures(browser: &Browser) -> Option<i64> {
    count(browser, "captures").await
}

/// How many parts of recordings the device keeps.
async fn parts(browser: &Browser) -> Option<i64> {
    count(browser, "parts").await
}

/// How many entries a store of the device has.
async fn count(browser: &Browser, store: &str) -> Option<i64> {
    let count = "const done = arguments[arguments.length - 1];
        const opening = indexedDB.open('sealwright-capture');
        opening.onsuccess = () => {
            const db = opening.result;
            const counting = db.transaction(arguments[0]).objectStore(arguments[0]).count();
            counting.onsuccess = () => { db.close(); done(counting.result); };
        };";
    browser.run_async(count, json!([store])).await.as_i64()
}

const AXE: &str = r#"{ "private": true, "devDependencies": { "axe-core": "4.14.1" } }"#;

/// The source of axe-core, which checks pages by the rules of WCAG. None if npm or its registry is unavailable.
pub(crate) fn axe_core() -> Option<String> {
    let project = tempfile::tempdir().expect("a folder");
    std::fs::write(project.path().join("package.json"), AXE).expect("write package.json");
    let modules = node_modules(project.path(), "axe")?;
    Some(std::fs::read_to_string(modules.join("axe-core/axe.min.js")).expect("read axe-core"))
}

/// The screen breaks no rule of WCAG 2.2 on the levels A and AA that a program can check.
pub(crate) async fn assert_accessible(browser: &Browser, axe: Option<&str>, screen: &str) {
    let Some(axe) = axe else { return };
    if browser.run("return typeof window.axe", json!([])).await == json!("undefined") {
        browser.run(axe, json!([])).await;
    }
    let check = "const done = arguments[arguments.length - 1];
        const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
        window.axe.run(document, { runOnly: tags }).then(({ violations }) =>
            done(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(', ')}`)));";
    let violations = browser.run_async(check, json!([])).await;
    assert_eq!(violations, json!([]), "{screen}");
}

/// Waits until the case is closed for the company, too.
pub(crate) async fn await_closed(api: &Api, case: &str) {
    eventually("the case is closed", AMPLE, async || {
        let report = api.get(&format!("/cases?format=metadata&hours=1&caseId={case}")).await.json();
        (report[0]["closed"] == true).then_some(())
    })
    .await;
}

/// A link on the frame, as its holder calls, and its address.
pub(crate) async fn create(api: &Api) -> (Api, String) {
    let link = api.post("/link/create", &json!({ "frameId": FRAME, "maxUses": 1 })).await.expect(201).json();
    let url = link["magicLinkUrl"].as_str().expect("a URL").to_owned();
    (api.with_token(link["token"].as_str()), url)
}

/// A browser that has never been used, on the page of a link.
pub(crate) async fn browser_on(url: &str) -> Browser {
    let browser = Browser::start().await;
    browser.open(url).await;
    browser.wait_for_text("Front of the house").await;
    browser
}

async fn step(browser: &Browser, step: i64) {
    assert!(STEPS.contains(&step));
    browser.run("location.hash = arguments[0]", json!([format!("#step-{step}")])).await;
}

/// The items of the open case on the link.
pub(crate) async fn items(link: &Api) -> Vec<Value> {
    let view = link.get("/v2/capture").await.expect(200).json();
    let Some(case) = view["openCases"][0]["caseId"].as_i64() else { return Vec::new() };
    let case = link.get(&format!("/v2/capture/cases/{case}")).await.expect(200).json();
    case["items"].as_array().expect("a list").clone()
}

pub(crate) async fn item(link: &Api, step: i64) -> Option<Value> {
    items(link).await.into_iter().find(|item| item["stepId"] == step)
}

/// The case in a reference such as `ITM-3_CAS-7`.
pub(crate) fn photo_case(item: &Value) -> String {
    item["cfRef"].as_str().and_then(|reference| reference.split_once("_CAS-")).expect("a reference").1.to_owned()
}
