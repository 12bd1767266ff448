//! The field app in a real browser: a person signs in, fills and closes a case, takes a certified photo, and loses
//! nothing if the network or the session ends in between (decisions 16).

use serde_json::{Value, json};

use crate::{
    capture_page::{assert_accessible, axe_core},
    field::{cases::QUICK, person, sign_in},
    field_openid::with_subject,
    support::{
        AMPLE, Api, Database, TestServer,
        browser::{self, Browser},
        company_manifest::{ACME_FIELD, FRAME, PHOTOGRAPHY, SHORT_FRAME, acme, acme_on},
        eventually,
        evidence::open_case,
        issuer::{Issuer, SUBJECT},
        rows::Rows,
    },
};

/// The only step of the short frame.
const NOTE: i64 = 711;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_field_user_signs_in_fills_a_case_and_certifies_a_photo() {
    if !browser::is_there() {
        return;
    }
    let server = TestServer::start(Database::Sqlite).await;
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&(acme(&receiver) + QUICK));
    let case =
        open_case(&api, &json!({ "frameId": SHORT_FRAME, "userId": ACME_FIELD.user_id, "title": "Cellar" })).await;
    let later =
        json!({ "frameId": FRAME, "userId": ACME_FIELD.user_id, "title": "Attic", "scheduledAt": "2999-01-01" });
    open_case(&api, &later).await;
    let axe = axe_core();
    let browser = Browser::start().await;
    browser.open(&format!("{}/field", server.base_url())).await;
    browser.wait_for_text("Username").await;
    browser.picture("field-sign-in").await;
    assert_accessible(&browser, axe.as_deref(), "the sign-in").await;
    enter_password(&browser, "wrong").await;
    browser.wait_for_text("is wrong").await;
    browser.run("document.querySelector('#username').value = ''", json!([])).await;
    enter_password(&browser, ACME_FIELD.password).await;
    browser.wait_for_text("Cellar").await;
    browser.picture("field-home").await;
    assert_accessible(&browser, axe.as_deref(), "the list of cases").await;
    assert!(!browser.text().await.contains("Attic"), "a case of a later month is hidden");
    // No script can read the session.
    assert_eq!(browser.run("return document.cookie", json!([])).await, json!(""));

    browser.click(&format!("#case-{case}")).await;
    browser.wait_for_text("0 of 1 done").await;
    browser.run("location.hash = arguments[0]", json!([format!("#step-{NOTE}")])).await;
    browser.enter("#entry", "Everything is dry").await;
    browser.click("#save-entry").await;
    let flora = person(&server, &sign_in(&server, ACME_FIELD).await);
    eventually("the entry arrives", AMPLE, async || (items(&flora, case).await.len() == 1).then_some(())).await;
    browser.run("location.hash = '#review'", json!([])).await;
    browser.picture("field-review").await;
    browser.click("#close").await;
    browser.click("#close-now").await;
    browser.wait_for_text("The case is closed").await;
    browser.click("#home").await;
    browser.wait_for_text("No case is open").await;

    browser.click("#quick-75").await;
    browser.click("#shutter").await;
    browser.click("#keep").await;
    browser.wait_for_text("Certified photos").await;
    eventually("the photo is a closed case", AMPLE, async || {
        let shown = browser.text().await;
        shown.contains("Open the certificate").then_some(())
    })
    .await;
    browser.picture("field-certified").await;
    assert_accessible(&browser, axe.as_deref(), "the list with a certified photo").await;
    let rows: Vec<(i64, i64)> = Rows::of(&server)
        .await
        .all(
            "select count(*), cast(sum(item_count) as bigint) from cases where frame_id = 75 and closed_at is not null",
        )
        .await;
    assert_eq!(rows, [(1, 1)]);

    browser.click("#sign-out").await;
    browser.wait_for_text("Username").await;
    browser.open(&format!("{}/field", server.base_url())).await;
    browser.wait_for_text("Username").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn captures_survive_a_lost_network_and_an_ended_session() {
    if !browser::is_there() {
        return;
    }
    let mut server = TestServer::start(Database::Sqlite).await;
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&(acme(&receiver) + QUICK));
    let case = open_case(&api, &json!({ "frameId": FRAME, "userId": ACME_FIELD.user_id, "title": "Kitchen" })).await;
    let (page, browser) = (format!("{}/field", server.base_url()), Browser::start().await);
    browser.open(&page).await;
    enter_password(&browser, ACME_FIELD.password).await;
    browser.wait_for_text("Kitchen").await;
    browser.wait_for_worker().await;
    server.kill();
    // The case was never opened on this device, and its form is there.
    browser.open(&page).await;
    browser.click(&format!("#case-{case}")).await;
    browser.wait_for_text("Front of the house").await;
    browser.run("location.hash = arguments[0]", json!([format!("#step-{PHOTOGRAPHY}")])).await;
    take_photo(&browser, "#camera").await;
    browser.wait_for_text("1 photo is waiting").await;
    browser.run("location.hash = '#home'", json!([])).await;
    for _ in 0..2 {
        take_photo(&browser, "#quick-75").await;
        browser.wait_for_text("Certified photos").await;
    }
    browser.wait_for_text("3 photos are waiting").await;
    browser.picture("field-waiting").await;
    let browser = browser.crash().await;
    browser.open(&page).await;
    browser.wait_for_text("3 photos are waiting").await;
    // Meanwhile the session has ended.
    server.restart().await;
    Rows::change(&server, "delete from field_sessions").await;
    browser.run("dispatchEvent(new Event('online'))", json!([])).await;
    browser.wait_for_text("Your session has ended").await;
    browser.picture("field-session-ended").await;
    enter_password(&browser, ACME_FIELD.password).await;
    let flora = person(&server, &sign_in(&server, ACME_FIELD).await);
    eventually("the photo of the case arrives", AMPLE, async || (items(&flora, case).await.len() == 1).then_some(()))
        .await;
    let closed =
        "select count(*), cast(sum(item_count) as bigint) from cases where frame_id = 75 and closed_at is not null";
    eventually("each photo is one closed case", AMPLE, async || {
        let rows: Vec<(i64, Option<i64>)> = Rows::of(&server).await.all(closed).await;
        (rows == [(2, Some(2))]).then_some(())
    })
    .await;
    let open: Vec<(i64,)> =
        Rows::of(&server).await.all("select count(*) from cases where frame_id = 75 and closed_at is null").await;
    assert_eq!(open, [(0,)], "no case is left over");
    // Another tab signs the person out; nothing is lost when captures wait.
    server.kill();
    browser.run("location.hash = '#home'", json!([])).await;
    take_photo(&browser, "#quick-75").await;
    browser.wait_for_text("1 photo is waiting").await;
    browser.click("#sign-out").await;
    browser.wait_for_text("still on this device").await;
    browser.click("#sign-out-now").await;
    browser.wait_for_text("Signing out needs a connection").await;
    server.restart().await;
    browser.open(&page).await;
    eventually("the third photo is a closed case", AMPLE, async || {
        let rows: Vec<(i64, Option<i64>)> = Rows::of(&server).await.all(closed).await;
        (rows == [(3, Some(3))]).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_signs_in_by_the_provider_and_nothing_is_lost_if_it_is_away() {
    if !browser::is_there() {
        return;
    }
    // Another site than the server's, as a provider is.
    let mut issuer = Issuer::start_as("localhost").await;
    let mut server = TestServer::start(Database::Sqlite).await;
    for (name, value) in issuer.settings() {
        server.set(name, &value);
    }
    server.restart().await;
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&with_subject(&(acme(&receiver) + QUICK), ACME_FIELD.user_id, SUBJECT));
    open_case(&api, &json!({ "frameId": SHORT_FRAME, "userId": ACME_FIELD.user_id, "title": "Cellar" })).await;
    let axe = axe_core();
    let (page, browser) = (format!("{}/field", server.base_url()), Browser::start().await);
    // The provider is away: the page says so, and stays.
    issuer.stop();
    browser.open(&format!("{page}/")).await;
    browser.wait_for_text("Harbour ID").await;
    assert_eq!(browser.run("return location.href", json!([])).await, json!(page), "the slash is gone");
    browser.picture("field-sign-in-provider").await;
    assert_accessible(&browser, axe.as_deref(), "the sign-in with a provider").await;
    browser.click("#sign-in-provider").await;
    browser.wait_for_text("does not answer at the moment").await;
    browser.picture("field-provider-away").await;
    assert_accessible(&browser, axe.as_deref(), "the sign-in without its provider").await;
    // The reader's language.
    choose_language(&browser, "de").await;
    browser.wait_for_text("antwortet gerade nicht").await;
    choose_language(&browser, "en").await;
    browser.wait_for_text("does not answer at the moment").await;
    issuer.resume().await;

    // Someone whom no company manifest names.
    issuer.change(|behaviour| "a stranger".clone_into(&mut behaviour.subject));
    by_provider(&browser).await;
    browser.wait_for_text("This account is not registered here").await;
    browser.picture("field-unknown-account").await;
    assert_accessible(&browser, axe.as_deref(), "the sign-in of a stranger").await;

    issuer.change(|behaviour| SUBJECT.clone_into(&mut behaviour.subject));
    by_provider(&browser).await;
    browser.wait_for_text("Cellar").await;
    assert!(browser.text().await.contains("Flora Field"));
    assert_eq!(browser.run("return location.href", json!([])).await, json!(page), "no code and no fragment is left");
    assert_eq!(browser.run("return document.cookie", json!([])).await, json!(""));

    // A photo waits while the session ends; it is sent after the next sign-in.
    eventually("the service worker keeps the page", AMPLE, async || {
        let kept = browser.run("return navigator.serviceWorker.controller !== null", json!([])).await;
        (kept == json!(true)).then_some(())
    })
    .await;
    server.kill();
    browser.run("location.hash = '#home'", json!([])).await;
    take_photo(&browser, "#quick-75").await;
    browser.wait_for_text("1 photo is waiting").await;
    server.restart().await;
    Rows::change(&server, "delete from field_sessions").await;
    browser.run("dispatchEvent(new Event('online'))", json!([])).await;
    browser.wait_for_text("Your session has ended").await;
    // Without a network the button is off and says why; without the server the page stays.
    browser.set_offline(true).await;
    browser.wait_for_text("Signing in needs a connection").await;
    let is_off = "return document.querySelector('#sign-in-provider').disabled";
    assert_eq!(browser.run(is_off, json!([])).await, json!(true));
    browser.picture("field-provider-offline").await;
    browser.set_offline(false).await;
    server.kill();
    browser.click("#sign-in-provider").await;
    browser.wait_for_text("Signing in needs a connection").await;
    server.restart().await;
    by_provider(&browser).await;
    eventually("the photo is a closed case", AMPLE, async || {
        let closed = "select count(*) from cases where frame_id = 75 and closed_at is not null";
        let rows: Vec<(i64,)> = Rows::of(&server).await.all(closed).await;
        (rows == [(1,)]).then_some(())
    })
    .await;

    // The next person on this device is asked for credentials.
    browser.click("#sign-out").await;
    browser.wait_for_text("Harbour ID").await;
    browser.click("#sign-in-provider").await;
    browser.wait_for_text("prompt login").await;
}

/// Presses the button until the provider answers, and says who one is there.
async fn by_provider(browser: &Browser) {
    eventually("the provider answers", AMPLE, async || {
        let is_there = browser.text().await.contains("Who are you?");
        if !is_there {
            browser.run("document.querySelector('#sign-in-provider:enabled')?.click()", json!([])).await;
        }
        is_there.then_some(())
    })
    .await;
    browser.click("#flora").await;
}

async fn choose_language(browser: &Browser, code: &str) {
    let script = "const list = document.querySelector('#language');
        list.value = arguments[0];
        list.dispatchEvent(new Event('change'));";
    browser.run(script, json!([code])).await;
}

async fn take_photo(browser: &Browser, way: &str) {
    browser.click(way).await;
    browser.click("#shutter").await;
    browser.click("#keep").await;
}

async fn enter_password(browser: &Browser, password: &str) {
    browser.enter("#username", ACME_FIELD.username).await;
    browser.enter("#password", password).await;
    browser.click("#sign-in").await;
}

async fn items(person: &Api, case: i64) -> Vec<Value> {
    let case = person.get(&format!("/v2/capture/cases/{case}")).await.expect(200).json();
    case["items"].as_array().expect("a list").clone()
}
