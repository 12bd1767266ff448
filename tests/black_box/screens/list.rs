//! The list of cases, from a telephone to a desk: its words are whole, and nothing is wider than the page.

use serde_json::json;

use crate::{
    console::{PASSWORD, Person, must_add_user},
    support::{
        AMPLE, Database, TestServer,
        browser::Browser,
        company_manifest::{FRAME, PHOTOGRAPHY, TEXT_FIELD, acme_on, borealis},
        eventually,
        evidence::{add_capture, add_entry, close, open_case, photo},
    },
};

/// In CSS pixels: telephones, a tablet, and windows with cards and with a table.
const WIDTHS: [i64; 6] = [320, 390, 768, 1024, 1130, 1280];
/// In characters: the longest of the ordinary words. A longer string may be broken.
const LONGEST_WORD: usize = 20;

/// The ordinary words of the table that are on more than one line. Its headings are hidden if each row is a card.
const BROKEN: &str = "
    const broken = [];
    const table = document.querySelector('table.list');
    const walker = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        const hidden = text.parentElement.closest('.hidden, thead');
        if (hidden && hidden.getBoundingClientRect().width <= 1) continue;
        for (const { 0: word, index } of text.data.matchAll(/[^\\s-]+/g)) {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
            if (lines.size > 1 && word.length <= arguments[0]) broken.push(word);
        }
    }
    return broken;";

/// How much wider the page is than the window.
const TOO_WIDE: &str = "
    const { scrollWidth, clientWidth } = document.documentElement;
    return Math.max(0, scrollWidth - clientWidth);";

pub(super) async fn assert_whole_words() {
    let server = TestServer::start(Database::Sqlite).await;
    let (api, _receiver) = acme_on(&server).await;
    // With a second company, the table also names the company of each case.
    server.must_apply(&borealis());
    must_add_user(&server, "olga", &["--role", "operator"]);
    let claim = "R".repeat(80);
    let body = json!({
        "frameId": FRAME, "title": "Burst pipe in the kitchen, with an appraisal by a Bausachverständiger",
        "reportToken": claim, "metadata": { "Plumber": "Mirabellon & Sons, Installateurmeister" },
    });
    let case = open_case(&api, &body).await;
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    add_entry(&api, case, TEXT_FIELD, "Repaired by the plumber Mirabellon").await.expect(201);
    close(&api, case).await.expect(200);
    let returned = open_case(&api, &json!({ "frameId": FRAME, "title": "X".repeat(200), "reportToken": "M" })).await;
    let olga = Person::signed_in(&server, "olga").await;
    let fields = [("outcome", "returned"), ("reason", "Mirabellon")];
    olga.post(&format!("/console/cases/{returned}/decision"), &fields).await.expect(303);
    for (path, expected) in [("/console/cases?q=installateur", "Found: "), ("/console/cases", "class=\"level ")] {
        eventually(&format!("{path} shows {expected}"), AMPLE, async || {
            olga.get(path).await.expect(200).text().contains(expected).then_some(())
        })
        .await;
    }

    let browser = Browser::start().await;
    let base = server.base_url();
    browser.open(&format!("{base}/console")).await;
    browser.enter("#username", "olga").await;
    browser.enter("#password", PASSWORD).await;
    browser.click_named("Sign in").await;
    browser.wait_for("header.top").await;
    for path in ["/console/cases?q=installateur", "/console/cases"] {
        browser.open(&format!("{base}{path}")).await;
        browser.wait_for("table.list tbody tr").await;
        for width in WIDTHS {
            let size = json!({ "width": width, "height": 844, "deviceScaleFactor": 1, "mobile": false });
            browser.control("Emulation.setDeviceMetricsOverride", size).await;
            let broken = browser.run(BROKEN, json!([LONGEST_WORD])).await;
            assert_eq!(broken, json!([]), "broken words of {path} at {width} px");
            let too_wide = browser.run(TOO_WIDE, json!([])).await;
            assert_eq!(too_wide, json!(0), "{path} is too wide at {width} px");
        }
    }
}
