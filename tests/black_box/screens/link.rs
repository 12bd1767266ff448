//! The screens of a link.

use std::path::Path;

use serde_json::{Value, json};

use super::inspector::Inspector;
use crate::{
    capture_page::items,
    support::{
        AMPLE, Api, Database, TestServer,
        browser::Browser,
        company_manifest::{
            DATE_FIELD, DOCUMENT_UPLOAD, EMAIL, FRAME, NUMBER_FIELD, PHOTOGRAPHY, SELECT, SHORT_FRAME, SIGNATURE,
            TEXT_FIELD, TIME, VIDEO, acme_on,
        },
        eventually,
        evidence::{close, identity_card, video},
    },
};

/// How many screens the walk sees.
const SCREENS: usize = 67;

pub(super) async fn walk(language: &'static str) {
    let mut server = TestServer::start(Database::Sqlite).await;
    let (api, _receiver) = acme_on(&server).await;
    let inspector = Inspector::start(language).await;
    let folder = tempfile::tempdir().expect("a folder");
    let link = create(&api, &json!({ "frameId": FRAME, "maxUses": 1 })).await;
    let holder = api.with_token(link["token"].as_str());
    inspector.open(&url(&link), "#go-on").await;
    inspector.look_at("list", "#go-on").await;
    inspector.browser.wait_for_worker().await;
    inspector.browser.run("document.querySelector('#language').focus()", json!([])).await;
    inspector.look_at("list-languages", "#language:focus").await;
    see_photos(&inspector, &url(&link)).await;
    see_videos(&inspector, folder.path()).await;
    see_signatures(&inspector).await;
    see_documents(&inspector, folder.path()).await;
    see_entries(&inspector).await;
    eventually("everything is sent", AMPLE, async || (items(&holder).await.len() == 10).then_some(())).await;
    server.kill();
    see_what_waits(&inspector).await;
    server.restart().await;
    see_what_is_asked_for_again(&inspector, &api, &holder).await;
    see_the_closing(&inspector).await;
    see_links_without_a_form(&inspector, &api, &mut server).await;
    inspector.finish(SCREENS);
}

async fn see_photos(inspector: &Inspector, url: &str) {
    let (browser, step) = (&inspector.browser, format!("#step-{PHOTOGRAPHY}"));
    let camera = format!("{step}-camera");
    inspector.go_to(&step, "#camera").await;
    inspector.look_at("photo", "#camera").await;
    inspector.go_to(&camera, "#shutter:enabled").await;
    inspector.look_at("photo-camera", ".place .status").await;
    inspector.check_reach("#shutter").await;
    browser.click("#shutter").await;
    inspector.look_at("photo-look", "#keep:enabled").await;
    inspector.go_to("#", ".state-draft").await;
    inspector.look_at("list-undecided", ".state-draft").await;
    inspector.go_to(&step, "#look-now").await;
    inspector.look_at("photo-undecided", "#look-now").await;
    browser.click("#look-now").await;
    browser.click("#keep").await;
    inspector.look_at("photo-taken", "#next").await;
    let refuse = "navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', arguments[0]));";
    for (name, error) in [("photo-camera-refused", "NotAllowedError"), ("photo-camera-missing", "NotFoundError")] {
        browser.run(refuse, json!([error])).await;
        inspector.go_to(&camera, "#camera-again").await;
        inspector.look_at(name, "#camera-again").await;
        inspector.go_to(&step, "#next").await;
    }
    inspector.open(url, "#go-on").await;
    for (name, code) in [("photo-position-refused", 1), ("photo-position-unavailable", 2)] {
        browser.run(WITHOUT_POSITION, json!([code])).await;
        inspector.go_to(&camera, "#position-again").await;
        inspector.look_at(name, "#position-again").await;
        inspector.go_to(&step, "#next").await;
    }
    inspector.go_to(&camera, "#shutter:enabled").await;
    browser.click("#shutter").await;
    inspector.look_at("photo-look-without-position", ".look #position-again").await;
    browser.click("#again").await;
    inspector.go_to(&step, "#next").await;
    inspector.open(url, "#go-on").await;
    let fill = "IDBObjectStore.prototype.put = () => { throw new DOMException('', 'QuotaExceededError'); };";
    browser.run(fill, json!([])).await;
    inspector.go_to(&camera, "#shutter:enabled").await;
    browser.click("#shutter").await;
    inspector.look_at("photo-storage-full", "#retry").await;
    browser.click("#discard").await;
    inspector.go_to(&step, "#next").await;
    inspector.open(url, "#go-on").await;
}

/// The Geolocation API of a device without a position, or of a person who refuses it.
const WITHOUT_POSITION: &str = "
    const failed = (_, failure) => { setTimeout(() => failure({ code: arguments[0] }), 0); return 1; };
    const geolocation = { watchPosition: failed, getCurrentPosition: failed, clearWatch() {} };
    Object.defineProperty(navigator, 'geolocation', { value: geolocation, configurable: true });";

async fn see_videos(inspector: &Inspector, folder: &Path) {
    let (browser, step) = (&inspector.browser, format!("#step-{VIDEO}"));
    inspector.go_to(&step, "#system-camera").await;
    inspector.look_at("video", "#system-camera").await;
    inspector.go_to(&format!("{step}-camera"), "#shutter:enabled").await;
    inspector.look_at("video-camera", "#shutter:enabled").await;
    browser.click("#shutter").await;
    inspector.look_at("video-recording", "#shutter.running").await;
    inspector.go_to("#", ".state-draft").await;
    inspector.go_to(&step, "#look-now").await;
    inspector.look_at("video-undecided", "#look-now").await;
    browser.click("#look-now").await;
    browser.click("#again").await;
    inspector.go_to("#", ".list:not(:has(.state-draft))").await;
    inspector.go_to(&step, "#system-camera").await;
    choose(browser, "#system-camera", &folder.join("rooms.mp4"), &video().bytes).await;
    inspector.look_at("video-look", "#keep:enabled").await;
    browser.click("#keep").await;
    inspector.look_at("video-taken", "#next").await;
}

async fn see_signatures(inspector: &Inspector) {
    let (browser, step) = (&inspector.browser, format!("#step-{SIGNATURE}"));
    inspector.go_to(&step, "#use").await;
    inspector.look_at("signature", "#use").await;
    browser.click("#use").await;
    inspector.look_at("signature-error", "#signature-problem:not(:empty)").await;
    browser.click("#mode").await;
    browser.click("#use").await;
    inspector.look_at("signature-typed-error", "#signature-problem:not(:empty)").await;
    browser.enter("#typed", "Flora Martinel").await;
    inspector.look_at("signature-typed", "#typed").await;
    browser.click("#use").await;
    browser.wait_for("article:not(:has(#typed))").await;
    inspector.go_to(&step, "#sign-again").await;
    inspector.look_at("signature-done", "#sign-again").await;
}

async fn see_documents(inspector: &Inspector, folder: &Path) {
    let browser = &inspector.browser;
    inspector.go_to(&format!("#step-{DOCUMENT_UPLOAD}"), "#choose-file").await;
    inspector.look_at("document", "#choose-file").await;
    choose(browser, "#choose-file", &folder.join("notes.txt"), b"not a document").await;
    inspector.look_at("document-wrong-kind", ".look .note.bad").await;
    browser.click("#again").await;
    choose(browser, "#choose-file", &folder.join("card.pdf"), &identity_card().bytes).await;
    inspector.look_at("document-look", "#keep:enabled").await;
    browser.click("#keep").await;
    inspector.look_at("document-taken", "#next").await;
}

async fn see_entries(inspector: &Inspector) {
    let browser = &inspector.browser;
    for (step, name, value) in [
        (TEXT_FIELD, "text", "Müller"),
        (NUMBER_FIELD, "number", "12.5"),
        (DATE_FIELD, "date", "11242026"),
        (TIME, "time", "1030AM"),
        (EMAIL, "email", "flora@acme.example"),
        (SELECT, "choice", ""),
    ] {
        let here = format!("#step-{step}");
        inspector
            .go_to(&here, &format!("{}#save-entry", if step == SELECT { "form:has(fieldset) " } else { "" }))
            .await;
        inspector.look_at(name, "#save-entry").await;
        browser.click("#save-entry").await;
        inspector.look_at(&format!("{name}-error"), "#problem:not(:empty)").await;
        if step == SELECT {
            browser.click("label[for=option-1]").await;
        } else {
            browser.enter("#entry", value).await;
        }
        save_entry(browser, &here).await;
        inspector.go_to(&here, ".given").await;
        if [TEXT_FIELD, SELECT].contains(&step) {
            inspector.look_at(&format!("{name}-done"), ".given").await;
        }
    }
}

/// Saves the entry of the step, and waits until the page has gone on to the next one.
async fn save_entry(browser: &Browser, here: &str) {
    browser.click("#save-entry").await;
    let hash = "return location.hash";
    let awaited = format!("the entry of {here} is kept");
    browser.soon(&awaited, async || (browser.run(hash, json!([])).await != json!(here)).then_some(())).await;
}

/// Without a server.
async fn see_what_waits(inspector: &Inspector) {
    let browser = &inspector.browser;
    let text = format!("#step-{TEXT_FIELD}");
    inspector.go_to(&text, "textarea#entry").await;
    browser.enter("#entry", " de la Tour").await;
    save_entry(browser, &text).await;
    inspector.go_to("#", ".state-waiting").await;
    inspector.look_at("list-waiting", ".tray .waits").await;
    inspector.go_to(&text, ".replaced").await;
    inspector.look_at("text-waiting", ".replaced").await;
    inspector.go_to(&format!("#step-{PHOTOGRAPHY}-camera"), "#shutter:enabled").await;
    browser.click("#shutter").await;
    browser.click("#keep").await;
    inspector.look_at("photo-waiting", "#next").await;
    browser.run_async(REFUSE, json!([PHOTOGRAPHY])).await;
    inspector.look_at("photo-not-accepted", ".note.bad").await;
    inspector.go_to("#", ".state-refused").await;
    inspector.look_at("list-not-accepted", ".tray .bad").await;
    inspector.go_to("#review", "#close:disabled").await;
    inspector.look_at("review-undecided", "#close:disabled").await;
    inspector.go_to(&format!("#step-{PHOTOGRAPHY}"), "[id^=discard-]").await;
    browser.click("[id^=discard-]").await;
    browser.wait_for("article:not(:has(.note.bad))").await;
    inspector.go_to("#review", "#close:disabled").await;
    inspector.look_at("review-waiting", ".status").await;
}

/// Makes what waits of a step look as if the server had rejected it, as the queue writes it.
pub(super) const REFUSE: &str = "
    const [step, done] = arguments;
    const opening = indexedDB.open('sealwright-capture');
    opening.onsuccess = () => {
        const transaction = opening.result.transaction('captures', 'readwrite');
        const walk = transaction.objectStore('captures').openCursor();
        walk.onsuccess = () => {
            const cursor = walk.result;
            if (!cursor) return;
            const { stepId, state } = cursor.value;
            if (stepId === step && state === 'waiting') {
                cursor.update({ ...cursor.value, state: 'refused', message: 'file type is not accepted' });
            }
            cursor.continue();
        };
        transaction.oncomplete = () => {
            opening.result.close();
            new BroadcastChannel('sealwright-capture').postMessage('changed');
            done(true);
        };
    };";

/// The page asks the server again.
pub(super) const ASK_AGAIN: &str = "dispatchEvent(new Event('online'))";

async fn see_what_is_asked_for_again(inspector: &Inspector, api: &Api, holder: &Api) {
    let browser = &inspector.browser;
    browser.run(ASK_AGAIN, json!([])).await;
    let photo = eventually("the second text arrives", AMPLE, async || {
        let items = items(holder).await;
        (items.len() == 11).then(|| items.into_iter().find(|item| item["stepId"] == PHOTOGRAPHY)).flatten()
    })
    .await;
    let reason = json!({ "reason": "The street number cannot be read." });
    api.post(&format!("/v2/items/{}/retake", photo["itemId"]), &reason).await.expect(200);
    inspector.go_to("#", ".list").await;
    browser.run(ASK_AGAIN, json!([])).await;
    inspector.look_at("list-again", ".state-again").await;
    inspector.go_to("#review", "#close:disabled").await;
    inspector.look_at("review-missing", ".review .note").await;
    inspector.go_to(&format!("#step-{PHOTOGRAPHY}"), ".note .icon-again").await;
    inspector.look_at("photo-again", ".note .icon-again").await;
    inspector.go_to(&format!("#step-{PHOTOGRAPHY}-camera"), "#shutter:enabled").await;
    browser.click("#shutter").await;
    browser.click("#keep").await;
    inspector.browser.wait_for("#next").await;
    eventually("the other photo arrives", AMPLE, async || (items(holder).await.len() == 12).then_some(())).await;
    inspector.go_to("#", ".tray .done").await;
    inspector.look_at("list-done", ".tray .done").await;
}

async fn see_the_closing(inspector: &Inspector) {
    let browser = &inspector.browser;
    inspector.go_to("#review", "#close:enabled").await;
    inspector.look_at("review", "#close:enabled").await;
    browser.click("#close").await;
    inspector.look_at("review-question", "dialog[open]").await;
    browser.click("#close-now").await;
    inspector.look_at("closed", ".closed #certificate").await;
}

async fn see_links_without_a_form(inspector: &Inspector, api: &Api, server: &mut TestServer) {
    let browser = &inspector.browser;
    let link = create(api, &json!({ "frameId": FRAME, "maxUses": 2 })).await;
    for _ in 0..2 {
        open_on(api, &link, FRAME).await;
    }
    inspector.open(&url(&link), ".cases").await;
    inspector.look_at("choice-of-case", ".cases").await;
    inspector.open(&url(&create(api, &json!({})).await), ".list .lead").await;
    inspector.look_at("no-form", ".list .lead").await;

    // Pages that the server makes.
    browser.open(&format!("{}/link/6d4f2f6a-0b6e-4f6e-8b1a-0d5a5a5a5a5a", server.base_url())).await;
    inspector.look_at("unknown-link", "main h1").await;
    let used = create(api, &json!({ "frameId": SHORT_FRAME, "maxUses": 1 })).await;
    let case = open_on(api, &used, SHORT_FRAME).await;
    close(api, case).await.expect(200);
    browser.open(&url(&used)).await;
    inspector.look_at("used-link", "main h1").await;
    browser.control("Network.enable", json!({})).await;
    let fresh = create(api, &json!({ "frameId": FRAME })).await;
    block(browser, &["*/capture/main.js"]).await;
    browser.control("Network.setBypassServiceWorker", json!({ "bypass": true })).await;
    browser.open(&url(&fresh)).await;
    inspector.look_at("without-script", "main h1").await;
    browser.control("Network.setBypassServiceWorker", json!({ "bypass": false })).await;
    block(browser, &["*/v2/capture*"]).await;
    inspector.open(&url(&fresh), "#retry").await;
    inspector.look_at("first-visit", "#retry").await;
    block(browser, &[]).await;
    let broken = "indexedDB.open = () => { throw new DOMException('', 'SecurityError'); }";
    let parameters = json!({ "source": broken });
    let script = browser.control("Page.addScriptToEvaluateOnNewDocument", parameters).await["identifier"].clone();
    browser.open(&url(&fresh)).await;
    inspector.look_at("no-storage", "main .lead").await;
    browser.control("Page.removeScriptToEvaluateOnNewDocument", json!({ "identifier": script })).await;

    // The page is on the device, and the link has come to its end while a photo waits.
    inspector.open(&url(&fresh), "#go-on").await;
    inspector.go_to(&format!("#step-{PHOTOGRAPHY}-camera"), "#shutter:enabled").await;
    server.kill();
    browser.click("#shutter").await;
    browser.click("#keep").await;
    browser.wait_for("#next").await;
    for state in ["expired", "usedUp", "withdrawn"] {
        browser.run_async(END, json!([state])).await;
        inspector.open(&url(&fresh), "section.left").await;
        inspector.look_at(&format!("ended-{state}"), "section.left").await;
    }
}

/// What the device remembers after the server has said that the link has ended.
const END: &str = "
    const [state, done] = arguments;
    const opening = indexedDB.open('sealwright-capture');
    opening.onsuccess = () => {
        const transaction = opening.result.transaction('links', 'readwrite');
        const walk = transaction.objectStore('links').openCursor();
        walk.onsuccess = () => {
            const cursor = walk.result;
            if (!cursor) return;
            cursor.update({ ...cursor.value, info: { ...cursor.value.info, state } });
            cursor.continue();
        };
        transaction.oncomplete = () => { opening.result.close(); done(true); };
    };";

async fn block(browser: &Browser, patterns: &[&str]) {
    browser.control("Network.setBlockedURLs", json!({ "urls": patterns })).await;
}

async fn choose(browser: &Browser, field: &str, path: &Path, bytes: &[u8]) {
    std::fs::write(path, bytes).expect("write a file");
    browser.enter(&format!("input{field}"), &path.display().to_string()).await;
}

async fn create(api: &Api, body: &Value) -> Value {
    api.post("/link/create", body).await.expect(201).json()
}

fn url(link: &Value) -> String {
    link["magicLinkUrl"].as_str().expect("a URL").to_owned()
}

/// Opens a case on a link, as the company does.
async fn open_on(api: &Api, link: &Value, frame: i64) -> i64 {
    let body = json!({ "frameId": frame, "magicLinkToken": link["token"] });
    api.post("/cases/create", &body).await.expect(201).json()["id"].as_i64().expect("a number")
}
