//! A whole case with the keyboard alone: every element is reached by Tab, the focus is always visible, and after each
//! change of the screen it is where a person goes on (decisions 16, WCAG 2.2).

use crate::{
    capture_page::{await_closed, create, items, photo_case},
    support::{
        Database, TestServer,
        browser::{self, ARROW_DOWN, ARROW_UP, Browser, ENTER, ESCAPE, SPACE},
        company_manifest::{DATE_FIELD, EMAIL, NUMBER_FIELD, PHOTOGRAPHY, SIGNATURE, TEXT_FIELD, TIME, acme_on},
        evidence::identity_card,
    },
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_fills_and_closes_a_case_with_the_keyboard_alone() {
    if !browser::is_there() {
        return;
    }
    let server = TestServer::start(Database::Sqlite).await;
    let (api, _receiver) = acme_on(&server).await;
    let (link, url) = create(&api).await;
    let browser = Browser::start().await;
    browser.open(&url).await;
    browser.wait_for("#go-on").await;

    // Past the head of the page.
    browser.tab_to("a.skip").await;
    browser.press([ENTER]).await;
    assert_focus(&browser, "h1").await;
    browser.press_shift_tab().await;
    assert_focus(&browser, "#language").await;
    browser.press([ARROW_DOWN]).await;
    browser.wait_for("html[lang=fr]").await;
    assert_focus(&browser, "#language").await;
    browser.press([ARROW_UP]).await;
    browser.wait_for("html[lang=en]").await;

    // A photo with the camera.
    browser.tab_to(&format!("#row-{PHOTOGRAPHY}")).await;
    browser.press([ENTER]).await;
    assert_focus(&browser, "h1").await;
    browser.tab_to("#camera").await;
    browser.press([ENTER]).await;
    browser.tab_to("#shutter:enabled").await;
    browser.press([SPACE]).await;
    assert_focus(&browser, "#look-head").await;
    browser.tab_to("#keep:enabled").await;
    browser.press([SPACE]).await;
    assert_focus(&browser, "h1").await;
    browser.press_shift_tab().await;
    assert_focus(&browser, "#back").await;
    browser.press([ENTER]).await;

    // A typed signature. An empty one is refused, and the focus is on its field.
    browser.tab_to(&format!("#row-{SIGNATURE}")).await;
    browser.press([ENTER]).await;
    browser.tab_to("#mode").await;
    browser.press([ENTER]).await;
    assert_focus(&browser, "#typed").await;
    browser.tab_to("#use").await;
    browser.press([ENTER]).await;
    assert_focus(&browser, "#typed").await;
    browser.press("Flora Martinel".chars()).await;
    browser.tab_to("#use").await;
    browser.press([ENTER]).await;

    // The next step is the document.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("card.pdf");
    std::fs::write(&file, identity_card().bytes).expect("write the document");
    browser.tab_to("#choose-file").await;
    browser.give_file(&file.display().to_string()).await;
    assert_focus(&browser, "#look-head").await;
    browser.tab_to("#keep:enabled").await;
    browser.press([ENTER]).await;
    browser.tab_to("#next").await;
    browser.press([ENTER]).await;

    enter_values(&browser).await;

    // Only the video is left, and it is not required.
    browser.tab_to("#system-camera").await;
    browser.press_shift_tab().await;
    browser.tab_to("#back").await;
    browser.press([ENTER]).await;
    browser.tab_to("#review").await;
    browser.press([ENTER]).await;
    assert_focus(&browser, "h1").await;
    browser.tab_to("#close:enabled").await;
    let items = items(&link).await;
    let entered: Vec<&str> = items.iter().filter_map(|item| item["data"].as_str()).collect();
    for value in ["Müller", "12.5", "2026-11-24", "10:30", "flora@acme.example", "Roof"] {
        assert!(entered.contains(&value), "{value} is missing: {entered:?}");
    }
    assert_eq!(items.len(), 9, "{entered:?}");
    browser.press([ENTER]).await;
    browser.wait_for("dialog[open]").await;
    browser.press([ESCAPE]).await;
    browser.wait_for("dialog:not([open])").await;
    assert_focus(&browser, "#close").await;
    browser.press([ENTER]).await;
    browser.tab_to("#close-now").await;
    browser.press([ENTER]).await;
    browser.wait_for(".closed").await;
    assert_focus(&browser, "h1").await;
    browser.tab_to("#certificate").await;
    await_closed(&api, &photo_case(&items[0])).await;
}

/// The entered values, one after the other. Enter sends those of one line.
async fn enter_values(browser: &Browser) {
    for (step, kind, text) in [
        (TEXT_FIELD, "textarea", "Müller"),
        (NUMBER_FIELD, "[inputmode=decimal]", "12.5"),
        (DATE_FIELD, "[type=date]", "11242026"),
        (TIME, "[type=time]", "1030AM"),
        (EMAIL, "[type=email]", "flora@"),
    ] {
        browser.tab_to(&format!("{kind}#entry")).await;
        browser.press(text.chars()).await;
        if step == EMAIL {
            // It is not complete: the page says so, and the focus stays.
            browser.press([ENTER]).await;
            browser.wait_for("#problem:not(:empty)").await;
            assert_focus(browser, "#entry[aria-invalid=true]").await;
            browser.press("acme.example".chars()).await;
        }
        if step == TEXT_FIELD {
            browser.tab_to("#save-entry").await;
        }
        browser.press([ENTER]).await;
    }
    browser.tab_to("#option-0").await;
    browser.press([SPACE, ARROW_DOWN]).await;
    assert_focus(browser, "#option-1:checked").await;
    browser.tab_to("#save-entry").await;
    browser.press([ENTER]).await;
}

/// Waits until the focus is where it belongs after a change of the screen.
async fn assert_focus(browser: &Browser, selector: &str) {
    let awaited = format!("the focus is on {selector}");
    browser.soon(&awaited, async || browser.is_focused(selector).await.then_some(())).await;
}
