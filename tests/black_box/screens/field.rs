//! The screens of the field app that a link does not have.

use serde_json::json;

use super::{
    inspector::Inspector,
    link::{ASK_AGAIN, REFUSE},
};
use crate::{
    field::cases::QUICK,
    support::{
        Database, TestServer,
        browser::Browser,
        company_manifest::{ACME_FIELD, FRAME, SHORT_FRAME, acme, acme_on},
        evidence::open_case,
        rows::Rows,
    },
};

/// How many screens the walk sees.
const SCREENS: usize = 14;
/// The photo of [`QUICK`].
const QUICK_PHOTO: i64 = 751;

pub(super) async fn walk(language: &'static str) {
    let mut server = TestServer::start(Database::Sqlite).await;
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&(acme(&receiver) + QUICK));
    let inspector = Inspector::start(language).await;
    let (browser, page) = (&inspector.browser, format!("{}/field", server.base_url()));
    inspector.open(&page, "#username").await;
    inspector.look_at("field-sign-in", "#username").await;
    sign_in(browser, "wrong").await;
    inspector.look_at("field-sign-in-error", "#sign-in-problem:not(:empty)").await;
    browser.run("document.querySelector('#username').value = ''", json!([])).await;
    sign_in(browser, ACME_FIELD.password).await;
    inspector.look_at("field-home-empty", "#quick-75").await;
    for (frame, title) in [(FRAME, "Kitchen"), (SHORT_FRAME, "Cellar")] {
        open_case(&api, &json!({ "frameId": frame, "userId": ACME_FIELD.user_id, "title": title })).await;
    }
    browser.run(ASK_AGAIN, json!([])).await;
    inspector.look_at("field-home", ".cases").await;
    browser.click(".cases li:first-child button").await;
    inspector.look_at("field-case", ".steps").await;
    inspector.go_to("#home", "#quick-75").await;
    browser.click("#quick-75").await;
    inspector.look_at("field-photo-camera", "#shutter:enabled").await;
    browser.click("#shutter").await;
    inspector.look_at("field-photo-look", "#keep:enabled").await;
    browser.click("#keep").await;
    inspector.look_at("field-home-certified", ".given a[target]").await;

    server.kill();
    take_photo(browser).await;
    inspector.look_at("field-home-waiting", ".tray .waits").await;
    browser.click("#sign-out").await;
    inspector.look_at("field-sign-out-question", "dialog[open]").await;
    browser.click("#sign-out-now").await;
    inspector.look_at("field-sign-out-failed", ".problem:not(:empty)").await;
    browser.run_async(REFUSE, json!([QUICK_PHOTO])).await;
    inspector.look_at("field-home-not-accepted", ".note.bad").await;
    server.restart().await;
    Rows::change(&server, "delete from field_sessions").await;
    browser.run(ASK_AGAIN, json!([])).await;
    inspector.look_at("field-session-ended", ".sign-in .note").await;
    sign_in(browser, ACME_FIELD.password).await;
    browser.wait_for(".home .note.bad").await;
    browser.click("[id^=discard-]").await;
    browser.wait_for(".home:not(:has(.note.bad))").await;
    browser.click("#sign-out").await;
    inspector.look_at("field-signed-out", "#username").await;
    inspector.finish(SCREENS);
}

async fn sign_in(browser: &Browser, password: &str) {
    browser.enter("#username", ACME_FIELD.username).await;
    browser.enter("#password", password).await;
    browser.click("#sign-in").await;
}

async fn take_photo(browser: &Browser) {
    browser.click("#quick-75").await;
    browser.click("#shutter").await;
    browser.click("#keep").await;
    browser.wait_for(".home").await;
}
