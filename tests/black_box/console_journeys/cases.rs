//! What people of all roles do with cases and links.

use serde_json::json;

use super::texts;
use crate::support::{
    Api,
    browser::Browser,
    company_manifest::{ACME, DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, SHORT_FRAME, TEXT_FIELD},
    evidence::{add_capture, add_document, add_entry, close, identity_card, open_case, photo},
};

pub(super) const PIPE: &str = "Burst pipe in the kitchen";
pub(super) const HAIL: &str = "Hail on the roof";
pub(super) const REASON: &str = "The invoice is older than the damage.";

/// Reads what the link to the export leads to, in the session of the page.
const EXPORT: &str = "
    const [done] = arguments;
    fetch(document.querySelector('a[download]').href)
        .then(async (answer) => done([answer.status, answer.headers.get('content-type'), await answer.text()]));";

/// Whether the picture of an item is loaded. It is loaded as soon as it is near the visible part of the page.
const HAS_PICTURE: &str = "
    const picture = document.querySelector('article.item a.picture img');
    picture.scrollIntoView();
    return picture.complete && picture.naturalWidth > 0;";

/// The name of the link to a case in the list: its title and its reference.
pub(super) fn in_list(title: &str, case: i64) -> String {
    format!("{title} CAS-{case}_CMP-{ACME}")
}

/// A closed case with a photo, a document and a text.
pub(super) async fn closed_case(api: &Api) -> i64 {
    let case = open_case(api, &json!({ "frameId": FRAME, "title": PIPE })).await;
    add_capture(api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    add_document(api, case, DOCUMENT_UPLOAD, identity_card()).await.expect(200);
    add_entry(api, case, TEXT_FIELD, "Plumber: Mirabellon & Sons").await.expect(201);
    close(api, case).await.expect(200);
    case
}

/// An open case without items.
pub(super) async fn short_case(api: &Api) -> i64 {
    open_case(api, &json!({ "frameId": SHORT_FRAME, "title": HAIL })).await
}

/// Searches until the list shows the title: words are indexed shortly after they were entered.
pub(super) async fn find_case(browser: &Browser, words: &str, title: &str) {
    browser.enter("#q", words).await;
    browser
        .soon(&format!("{words} finds {title}"), async || {
            browser.click_named("Search").await;
            browser.wait_for(&format!("#q[value='{words}']")).await;
            browser.text().await.contains(title).then_some(())
        })
        .await;
}

/// Repeats the search until the list shows the verdict of the case.
pub(super) async fn await_verdict(browser: &Browser) {
    browser
        .soon("the list shows the verdict", async || {
            browser.click_named("Search").await;
            (!texts(browser, "table.cases .level").await.is_empty()).then_some(())
        })
        .await;
}

/// The export of the list has the case that is found, and no other.
pub(super) async fn assert_export(browser: &Browser) {
    browser.wait_for("a[download]").await;
    assert_eq!(texts(browser, "a[download]").await, ["Export as CSV"]);
    let answer = browser.run_async(EXPORT, json!([])).await;
    assert_eq!((&answer[0], &answer[1]), (&json!(200), &json!("text/csv; charset=utf-8")), "{answer}");
    let table = answer[2].as_str().expect("a text");
    let lines: Vec<&str> = table.trim_end().split("\r\n").collect();
    let [heading, line] = lines.as_slice() else { panic!("{table}") };
    assert!(heading.contains("reference,title,company,") && line.contains(PIPE), "{table}");
}

/// Waits until the picture of the item is loaded.
pub(super) async fn await_picture(browser: &Browser) {
    browser.wait_for("article.item a.picture img").await;
    browser
        .soon("the picture is loaded", async || {
            (browser.run(HAS_PICTURE, json!([])).await == json!(true)).then_some(())
        })
        .await;
}

/// Rejects the case on whose page the browser is: first without a choice, then without a reason, and at last with both.
pub(super) async fn reject(browser: &Browser) {
    browser.click_named("Accept, reject or return the case").await;
    browser.click_named("Record the decision").await;
    // The browser itself asks for a choice.
    browser.wait_for("details.decide[open] input[name=outcome]:invalid").await;
    assert!(texts(browser, "[role=alert]").await.is_empty());
    browser.click("input[value=rejected]").await;
    browser.click_named("Record the decision").await;
    browser.wait_for("#reason[aria-invalid=true][aria-describedby=reason-problem]").await;
    browser.wait_for("details.decide[open] input[value=rejected]:checked").await;
    browser.wait_for_text("a reason is required if a case is rejected").await;
    browser.enter("#reason", REASON).await;
    browser.click_named("Record the decision").await;
    browser.wait_for_text("The decision is recorded.").await;
}

pub(super) async fn assert_rejected(api: &Api, case: i64) {
    let decision = api.get(&format!("/v2/cases/{case}/decision")).await.expect(200).json();
    assert_eq!((&decision["outcome"], &decision["reason"]), (&json!("rejected"), &json!(REASON)));
}

/// Makes a link, and finds it in the list. The browser shows its page then.
pub(super) async fn make_link(browser: &Browser) {
    browser.click_named("Links").await;
    browser.click(&format!("#frame option[value='{ACME}/{SHORT_FRAME}']")).await;
    browser.click_named("Make a link").await;
    browser.wait_for("figure.qr svg").await;
    let address = texts(browser, "p.address a").await;
    browser.click_named("Links").await;
    browser.wait_for("ul.rows li").await;
    assert!(texts(browser, "ul.rows .tag").await.is_empty(), "the link has ended");
    browser.click_named("Quick note").await;
    browser.wait_for("figure.qr svg").await;
    browser.wait_for_text("The link can be used.").await;
    assert_eq!(texts(browser, "p.address a").await, address);
}

/// Ends the link on whose page the browser is.
pub(super) async fn end_link(browser: &Browser) {
    browser.click_named("End the link").await;
    browser.wait_for_text("The link has ended.").await;
    browser.click_named("Links").await;
    browser.wait_for("ul.rows .tag").await;
    assert_eq!(texts(browser, "ul.rows .tag").await, ["ended"]);
}

pub(super) async fn open_case_for_link(browser: &Browser) {
    browser.click_named("Cases").await;
    browser.click_named("Open a case").await;
    browser.wait_for("#report").await;
    browser.click(&format!("#frame option[value='{ACME}/{SHORT_FRAME}']")).await;
    browser.enter("#title", HAIL).await;
    browser.enter("#report", "claim 12").await;
    browser.click_named("Open a case").await;
    browser.wait_for_text(HAIL).await;
    browser.click_named("address and QR code").await;
    browser.wait_for("figure.qr svg").await;
}

/// Asks for another capture of the only item of the case on whose page the browser is.
pub(super) async fn ask_for_another_capture(browser: &Browser) {
    browser.click("article.item details:has(textarea[name=reason]) > summary").await;
    browser.enter("article.item [name=reason]", "The picture is too dark").await;
    browser.click_named("Ask").await;
    browser.wait_for_text("Another capture is requested.").await;
    let notices = texts(browser, "article.item p.notice").await;
    let [notice] = notices.as_slice() else { panic!("{notices:?}") };
    assert!(notice.ends_with("The picture is too dark"), "{notice}");
}

/// Asks for a better photo of the closed case on whose page the browser is. The browser shows the new case then.
pub(super) async fn ask_in_new_case(browser: &Browser) {
    let folds = texts(browser, "article.item summary").await;
    let of_photo: Vec<&String> = folds.iter().filter(|fold| fold.starts_with("Ask for a better photo: ")).collect();
    let [of_photo] = of_photo.as_slice() else { panic!("{folds:?}") };
    assert!(of_photo.contains("Front of the house (item "), "{of_photo}");
    browser.click_named(of_photo).await;
    browser.wait_for_text("closed and sealed, so nothing in it can change").await;
    browser.click_named("Open the new case").await;
    browser.wait_for_text("This is the new case.").await;
    browser.wait_for_text(&format!("Better photo of Front of the house: {PIPE}")).await;
    browser.click_named("Link for the person").await;
    browser.wait_for("figure.qr svg").await;
}
