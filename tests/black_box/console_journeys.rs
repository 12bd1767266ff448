//! The main work of each role of the console in a real browser: a person signs in and goes on by what the pages show. No
//! address but that of the console is typed.

mod cases;
mod companies;

use serde_json::json;

use self::{
    cases::{
        HAIL, PIPE, REASON, ask_for_another_capture, ask_in_new_case, assert_export, assert_rejected, await_picture,
        await_verdict, closed_case, end_link, find_case, in_list, make_link, open_case_for_link, reject, short_case,
    },
    companies::{
        add_program, add_reviewer, add_step, find_own_action, look_at_company_of_file, look_at_operation,
        look_at_preview, promote_and_remove_user, set_and_test_webhook,
    },
};
use crate::{
    console::{PASSWORD, Person, must_add_user},
    support::{
        TestServer,
        browser::{self, Browser},
        company_manifest::{FRAME, PHOTOGRAPHY, acme_on},
        evidence::{add_capture, close, open_case, photo},
        on_sqlite,
    },
};

on_sqlite!(
    a_viewer_finds_a_closed_case_and_looks_at_it,
    a_reviewer_rejects_a_case_with_a_reason,
    a_manager_makes_a_link_and_leads_cases_to_their_end,
    an_administrator_manages_the_users_of_a_company,
    an_operator_changes_a_company,
    a_manager_works_without_scripts,
    a_claims_handler_finds_a_case_asks_for_a_better_photo_and_rejects_it,
);

/// Whether the page is complete and its script has not run: the script shows the button that prints.
const IS_WITHOUT_SCRIPTS: &str =
    "return document.readyState === 'complete' && document.querySelector('[data-print]').hidden";

async fn a_viewer_finds_a_closed_case_and_looks_at_it(server: TestServer) {
    if !browser::is_there() {
        return;
    }
    let (api, _receiver) = acme_on(&server).await;
    let case = closed_case(&api).await;
    short_case(&api).await;
    let browser = signed_in(&server, "vera", "viewer").await;
    assert_eq!(texts(&browser, "header.top nav a").await, ["Cases", "Account"]);
    // By the beginning of a word of the entered text.
    find_case(&browser, "mirabel", PIPE).await;
    assert!(!browser.text().await.contains(HAIL), "another case is found");
    await_verdict(&browser).await;
    assert_export(&browser).await;
    browser.click_named(&in_list(PIPE, case)).await;
    browser.wait_for("#verdict .level").await;
    let page = browser.text().await;
    assert!(page.contains("Verdict") && page.contains(" of 100") && !page.contains("No verdict yet"), "{page}");
    for selector in ["main form", "main button", "details.decide", "section.actions"] {
        assert!(texts(&browser, selector).await.is_empty(), "a viewer has {selector}");
    }
    await_picture(&browser).await;
    browser.click_named("Look at the pages").await;
    browser.wait_for("svg.sheet image").await;
    browser.wait_for_text("Page 1 of").await;
}

async fn a_reviewer_rejects_a_case_with_a_reason(server: TestServer) {
    if !browser::is_there() {
        return;
    }
    let (api, _receiver) = acme_on(&server).await;
    let case = short_case(&api).await;
    close(&api, case).await.expect(200);
    let browser = signed_in(&server, "rita", "reviewer").await;
    assert_eq!(texts(&browser, "header.top nav a").await, ["Cases", "Account"]);
    find_case(&browser, "hail", HAIL).await;
    browser.click_named(&in_list(HAIL, case)).await;
    reject(&browser).await;
    let decisions = texts(&browser, "ol.rows li").await;
    let [decision] = decisions.as_slice() else { panic!("{decisions:?}") };
    for expected in ["Rejected", "rita", REASON] {
        assert!(decision.contains(expected), "{expected}: {decision}");
    }
    assert_eq!(texts(&browser, "main button").await, ["Record the decision"], "a reviewer has more buttons");
    assert_rejected(&api, case).await;
}

async fn a_manager_makes_a_link_and_leads_cases_to_their_end(server: TestServer) {
    if !browser::is_there() {
        return;
    }
    let (api, _receiver) = acme_on(&server).await;
    let body = json!({ "frameId": FRAME, "title": PIPE, "userMail": "field@acme.example" });
    let case = open_case(&api, &body).await;
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    let browser = signed_in(&server, "mara", "manager").await;
    assert_eq!(texts(&browser, "header.top nav a").await, ["Cases", "Links", "Account"]);
    make_link(&browser).await;
    browser.wait_for("[data-print]:not([hidden])").await;
    browser.wait_for("[data-copy]:not([hidden])").await;
    end_link(&browser).await;
    open_case_for_link(&browser).await;
    browser.click_named("Cases").await;
    browser.click_named(&in_list(PIPE, case)).await;
    ask_for_another_capture(&browser).await;
    browser.click_named("Close the case").await;
    browser.wait_for_text("The case is closed.").await;
    let buttons = texts(&browser, "section.actions button").await;
    assert!(buttons.iter().all(|button| button != "Close the case"), "{buttons:?}");
    // A closed case is not closed twice.
    assert_ne!(close(&api, case).await.status, 200);
}

async fn an_administrator_manages_the_users_of_a_company(server: TestServer) {
    if !browser::is_there() {
        return;
    }
    let (_api, _receiver) = acme_on(&server).await;
    let browser = signed_in(&server, "boss", "administrator").await;
    let sections = texts(&browser, "header.top nav a").await;
    assert_eq!(sections, ["Cases", "Links", "Companies", "Users", "Audit log", "Account"]);
    add_reviewer(&browser).await;
    sign_out(&browser).await;
    sign_in(&browser, "nina").await;
    assert_eq!(texts(&browser, "header.top nav a").await, ["Cases", "Account"]);
    sign_out(&browser).await;
    sign_in(&browser, "boss").await;
    promote_and_remove_user(&browser).await;
    Person::new(&server).sign_in("nina", PASSWORD).await.expect(401);
    find_own_action(&browser).await;
    look_at_company_of_file(&browser).await;
}

async fn an_operator_changes_a_company(server: TestServer) {
    if !browser::is_there() {
        return;
    }
    let (_api, _receiver) = acme_on(&server).await;
    must_add_user(&server, "root", &["--role", "operator"]);
    let browser = at_console(&server).await;
    sign_in(&browser, "root").await;
    browser.click_named("Companies").await;
    browser.click_named("Acme Insurance").await;
    browser.click_named("Keep it in the console").await;
    browser.wait_for_text("kept in the console").await;
    add_step(&browser).await;
    look_at_preview(&browser).await;
    let password = add_program(&browser).await;
    server.sign_in("roofs", &password).await;
    set_and_test_webhook(&browser).await;
    look_at_operation(&browser).await;
}

async fn a_manager_works_without_scripts(server: TestServer) {
    if !browser::is_there() {
        return;
    }
    let (api, _receiver) = acme_on(&server).await;
    let case = short_case(&api).await;
    close(&api, case).await.expect(200);
    must_add_user(&server, "mara", &["--role", "manager", "--company", "7"]);
    let browser = Browser::start().await;
    browser.control("Emulation.setScriptExecutionDisabled", json!({ "value": true })).await;
    browser.open(&format!("{}/console", server.base_url())).await;
    sign_in(&browser, "mara").await;
    make_link(&browser).await;
    browser
        .soon("the page is complete, without its script", async || {
            (browser.run(IS_WITHOUT_SCRIPTS, json!([])).await == json!(true)).then_some(())
        })
        .await;
    end_link(&browser).await;
    browser.click_named("Cases").await;
    find_case(&browser, "hail", HAIL).await;
    browser.click_named(&in_list(HAIL, case)).await;
    reject(&browser).await;
    assert_rejected(&api, case).await;
}

/// The first task of someone who has never seen the console.
async fn a_claims_handler_finds_a_case_asks_for_a_better_photo_and_rejects_it(server: TestServer) {
    if !browser::is_there() {
        return;
    }
    let (api, _receiver) = acme_on(&server).await;
    let case = closed_case(&api).await;
    short_case(&api).await;
    let browser = signed_in(&server, "mara", "manager").await;
    // Nothing is kept yet, so nothing says so.
    assert!(!browser.text().await.contains("Kept searches"));
    find_case(&browser, "mirabel", PIPE).await;
    browser.wait_for_text("Keep this search under a name").await;
    // The row shows where the word is.
    let page = browser.text().await;
    assert!(page.contains("Plumber: Mirabellon & Sons") && !page.contains("Kept searches"), "{page}");
    await_verdict(&browser).await;
    browser.click_named(&in_list(PIPE, case)).await;
    browser.wait_for("p.why").await;
    assert_eq!(texts(&browser, "dl.status strong").await.last().map(String::as_str), Some("not decided yet"));
    ask_in_new_case(&browser).await;
    // From the list back to the closed case: the new one has another title.
    browser.click_named("Cases").await;
    browser.click_named(&in_list(PIPE, case)).await;
    reject(&browser).await;
    assert_eq!(texts(&browser, "dl.status strong").await.last().map(String::as_str), Some("Rejected"));
    assert_rejected(&api, case).await;
}

/// A browser that shows the page of the sign-in.
async fn at_console(server: &TestServer) -> Browser {
    let browser = Browser::start().await;
    browser.open(&format!("{}/console", server.base_url())).await;
    browser
}

/// A browser in which a new user of Acme has signed in.
async fn signed_in(server: &TestServer, username: &str, role: &str) -> Browser {
    must_add_user(server, username, &["--role", role, "--company", "7"]);
    let browser = at_console(server).await;
    sign_in(&browser, username).await;
    browser
}

async fn sign_in(browser: &Browser, username: &str) {
    browser.enter("#username", username).await;
    browser.enter("#password", PASSWORD).await;
    browser.click_named("Sign in").await;
    browser.wait_for("header.top").await;
}

async fn sign_out(browser: &Browser) {
    browser.click_named("Sign out").await;
    browser.wait_for_text("You are signed out.").await;
}

/// The texts of the elements that the selector finds, also of those in a closed fold.
async fn texts(browser: &Browser, selector: &str) -> Vec<String> {
    let script = "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent.trim())";
    serde_json::from_value(browser.run(script, json!([selector])).await).expect("a list of texts")
}
