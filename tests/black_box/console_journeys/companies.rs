//! What administrators and operators do with users and companies.

use serde_json::json;

use super::texts;
use crate::{
    console::PASSWORD,
    support::{Receiver, browser::Browser, company_manifest::SHORT_FRAME},
};

const IN_PREVIEW: &str = "document.querySelector('iframe.preview').contentDocument";
/// The texts of the elements of the preview that a selector finds.
const PREVIEWED: &str = "
    const page = document.querySelector('iframe.preview').contentDocument;
    return [...page.querySelectorAll(arguments[0])].map((one) => one.textContent.trim());";

/// What the step asks for that the operator adds to a frame.
const CAUSE: &str = "Cause of the damage";

pub(super) async fn add_reviewer(browser: &Browser) {
    browser.click_named("Users").await;
    browser.enter("#username", "nina").await;
    browser.enter("#name", "Nina Novak").await;
    browser.click("#new-role option[value=reviewer]").await;
    browser.enter("#password", PASSWORD).await;
    browser.click_named("Add").await;
    browser.wait_for_text("The user is added.").await;
    browser.wait_for_text("Reviewer · Acme Insurance (7)").await;
}

/// Changes the role of the only other user, and removes the user.
pub(super) async fn promote_and_remove_user(browser: &Browser) {
    browser.click_named("Users").await;
    browser.click("ul.rows select option[value=manager]").await;
    browser.click_named("Change").await;
    browser.wait_for_text("The role is changed.").await;
    browser.wait_for_text("Manager · Acme Insurance (7)").await;
    browser.click_named("Remove").await;
    browser.wait_for_text("The user is removed.").await;
    let page = browser.text().await;
    assert!(!page.contains("Nina Novak"), "{page}");
}

pub(super) async fn find_own_action(browser: &Browser) {
    browser.click_named("Audit log").await;
    browser.enter("#actor", "boss").await;
    browser.enter("#action", "removeUser").await;
    browser.click_named("Search").await;
    browser.wait_for("#action[value=removeUser]").await;
    let rows = texts(browser, "table.cases tbody tr").await;
    let [row] = rows.as_slice() else { panic!("{rows:?}") };
    for expected in ["console boss", "removeUser", "user nina", "done"] {
        assert!(row.contains(expected), "{expected}: {row}");
    }
}

/// A file keeps the company: the page shows it and changes nothing.
pub(super) async fn look_at_company_of_file(browser: &Browser) {
    browser.click_named("Companies").await;
    browser.click_named("Acme Insurance").await;
    browser.wait_for_text("A file keeps this company").await;
    assert!(texts(browser, "main fieldset:enabled").await.is_empty(), "a form can be filled in");
    let buttons = texts(browser, "main button").await;
    assert!(buttons.iter().all(|button| button == "Send a test"), "{buttons:?}");
}

/// Adds a step to the frame with one, as the first, and saves it.
pub(super) async fn add_step(browser: &Browser) {
    browser.click_named("Quick note").await;
    browser.click_named("Add a step").await;
    browser.enter("#step-1-title", CAUSE).await;
    browser.click("#step-1-action option[value=TEXT_FIELD]").await;
    browser.click_named("Up").await;
    browser.wait_for(&format!("#step-0-title[value='{CAUSE}']")).await;
    browser.wait_for("#step-0-action option[value=TEXT_FIELD][selected]").await;
    browser.click_named("Save the frame").await;
    browser.wait_for_text("steps: 2").await;
}

pub(super) async fn look_at_preview(browser: &Browser) {
    browser.click(&format!("a[href$='/frames/{SHORT_FRAME}#preview']")).await;
    browser.wait_for("iframe.preview").await;
    browser
        .soon("the preview shows the steps in their order", async || {
            (browser.run(PREVIEWED, json!(["ol.steps .name"])).await == json!([CAUSE, "Note"])).then_some(())
        })
        .await;
    assert_eq!(browser.run(PREVIEWED, json!(["h1"])).await, json!(["Quick note"]));
    let notice = browser.run(PREVIEWED, json!(["aside"])).await;
    assert_eq!(notice, json!(["Preview: nothing that you enter here is kept or sent."]));
    // A step has its screen, on which an answer can be tried and is not kept.
    browser.run(&format!("{IN_PREVIEW}.querySelector('ol.steps a').click()"), json!([])).await;
    browser
        .soon("the preview shows the step", async || {
            (browser.run(PREVIEWED, json!(["#save-entry"])).await != json!([])).then_some(())
        })
        .await;
    let tried = format!(
        "const page = {IN_PREVIEW};
         page.querySelector('#entry').value = 'Hail';
         page.querySelector('#save-entry').click();
         return [page.location.hash.startsWith('#step-'), page.querySelector('#entry').value];"
    );
    assert_eq!(browser.run(&tried, json!([])).await, json!([true, "Hail"]));
    browser.click_named("Acme Insurance").await;
    browser.wait_for_text("kept in the console").await;
}

/// Adds a program, and returns its password, which is shown once.
pub(super) async fn add_program(browser: &Browser) -> String {
    browser.click_named("Add a user").await;
    browser.enter("#user-name", "Roofs").await;
    browser.enter("#user-username", "roofs").await;
    browser.click("input[name='p_api:*']").await;
    browser.click_named("Add the user").await;
    browser.wait_for_text("shown only now").await;
    let password = texts(browser, "div.notice code").await.remove(0);
    browser.click_named("Companies").await;
    browser.click_named("Acme Insurance").await;
    browser.wait_for_text("Roofs · program").await;
    assert!(!browser.text().await.contains(&password), "the password is shown again");
    password
}

pub(super) async fn set_and_test_webhook(browser: &Browser) {
    let receiver = Receiver::start().await;
    let url = receiver.url("/decisions");
    browser.click("details:has(#decision-endpoint) > summary").await;
    browser.enter("#decision-endpoint", &url).await;
    browser.click("#decision-auth option[value=bearer]").await;
    browser.enter("#decision-token", "a-token-of-the-company").await;
    browser.click("form[action$='/webhooks/decision'] button[value=save]").await;
    browser.wait_for_text(&url).await;
    browser.click("details:has(#decision-endpoint) > summary").await;
    browser.click("form[action$='/webhooks/decision'] button[value=test]").await;
    browser.wait_for_text("the receiver answered 200").await;
    let sent = receiver.wait_for(1).await;
    assert_eq!((sent[0].target.as_str(), &sent[0].json()["test"]), ("/decisions", &json!(true)));
}

/// Opens the page until its checks have ended.
pub(super) async fn look_at_operation(browser: &Browser) {
    browser
        .soon("the checks have ended", async || {
            browser.click_named("Operation").await;
            browser.wait_for("#checks").await;
            (!texts(browser, "#disks").await.is_empty()).then_some(())
        })
        .await;
    let page = browser.text().await;
    for expected in ["Longest wait", "Checks", "database", "Jobs", "Webhooks that failed lately"] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
}
