//! The pages of the console.

use serde_json::{Value, json};

use super::inspector::Inspector;
use crate::{
    console::{PASSWORD, Person, must_add_user},
    support::{
        AMPLE, Database, TestServer,
        company_manifest::{DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, TEXT_FIELD, acme_on},
        eventually,
        evidence::{add_capture, add_document, add_entry, close, identity_card, open_case, photo},
        issuer::Issuer,
    },
};

/// How many screens the walk sees.
const SCREENS: usize = 26;

pub(super) async fn walk() {
    // The sign-in also offers the provider.
    let issuer = Issuer::start().await;
    let settings = issuer.console_settings();
    let settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let server = TestServer::start_with(Database::Sqlite, &settings).await;
    let (api, _receiver) = acme_on(&server).await;
    must_add_user(&server, "maria", &["--role", "operator", "--name", "Maria Reyes"]);
    must_add_user(&server, "paul", &["--role", "reviewer", "--company", "7", "--name", "Paul Ortega"]);
    let hail = json!({ "frameId": FRAME, "title": "Hail on the roof", "metadata": { "policy": "P-77" } });
    let open = open_case(&api, &hail).await;
    add_capture(&api, open, PHOTOGRAPHY, photo(1)).await.expect(200);
    let closed = open_case(&api, &json!({ "frameId": FRAME, "title": "Burst pipe in the kitchen" })).await;
    for seed in [1, 2] {
        add_capture(&api, closed, PHOTOGRAPHY, photo(seed)).await.expect(200);
    }
    add_document(&api, closed, DOCUMENT_UPLOAD, identity_card()).await.expect(200);
    add_entry(&api, closed, TEXT_FIELD, "Plumber: Dupont & Sons").await.expect(201);
    close(&api, closed).await.expect(200);
    eventually("the certificate is made", AMPLE, async || {
        let listed = api.get(&format!("/cases?format=metadata&hours=1&caseId={closed}")).await.json();
        (listed[0]["closed"] == true).then_some(())
    })
    .await;

    let backtest = ended_backtest(&server, closed).await;

    let console = Inspector::start("en").await;
    let base = server.base_url();
    let browser = &console.browser;
    console.open(&format!("{base}/console/sign-in/openid/callback"), "main h1").await;
    console.look_at("console-sign-in-not-finished", "main h1").await;
    console.open(&format!("{base}/console"), "#password").await;
    console.look_at("console-sign-in", "#password").await;
    browser.enter("#username", "maria").await;
    browser.enter("#password", "wrong").await;
    browser.click("button").await;
    console.look_at("console-wrong-password", "[role=alert]").await;
    browser.run("document.querySelector('#username').value = ''", json!([])).await;
    browser.enter("#username", "maria").await;
    browser.enter("#password", PASSWORD).await;
    browser.click("button").await;
    console.look_at("console-cases", "header.top").await;
    for (screen, path, selector) in [
        ("console-open-case", format!("/console/cases/{open}"), "article.item"),
        ("console-closed-case", format!("/console/cases/{closed}"), "#verdict"),
        ("console-certificate", format!("/console/cases/{closed}/certificate"), "table.cases"),
        ("console-new-link", "/console/links".to_owned(), "#frame"),
        ("console-new-case", "/console/cases/new".to_owned(), "#report"),
        ("console-companies", "/console/companies".to_owned(), "#number"),
        ("console-company", "/console/companies/7".to_owned(), "#colour"),
        ("console-frame", format!("/console/companies/7/frames/{FRAME}"), "fieldset.step"),
        ("console-frame-preview", format!("/console/companies/7/frames/{FRAME}/preview"), "ol.steps"),
        ("console-users", "/console/users".to_owned(), "#username"),
        ("console-audit", "/console/audit".to_owned(), "header.top"),
        ("console-operation", "/console/operation".to_owned(), "dl.summary"),
        ("console-backtests", "/console/backtests".to_owned(), "#since"),
        ("console-backtest", backtest, "#report"),
        ("console-account", "/console/account".to_owned(), "#current"),
        ("console-not-found", "/console/cases/999999".to_owned(), "main h1"),
    ] {
        console.open(&format!("{base}{path}"), selector).await;
        console.look_at(screen, selector).await;
    }
    console.open(&format!("{base}/console/cases/{closed}"), "#verdict").await;
    browser.click("a[href$='/pages/1']").await;
    console.look_at("console-document", "svg.sheet").await;
    console.open(&format!("{base}/console/account"), "#current").await;
    browser.click("form[action$='/second-factor/start'] button").await;
    console.look_at("console-second-factor", "figure.qr").await;
    console.open(&format!("{base}/console/links"), "#frame").await;
    browser.click("main form.stack button").await;
    console.look_at("console-link", "figure.qr").await;
    wrong_setting(&console, &base).await;
    decide(&console, &base, closed).await;
    console.finish(SCREENS);
}

/// The page of a backtest of a built-in plugin, on a case that has a verdict.
async fn ended_backtest(server: &TestServer, judged: i64) -> String {
    let maria = Person::signed_in(server, "maria").await;
    eventually("the case is judged", AMPLE, async || {
        let page = maria.get(&format!("/console/cases/{judged}")).await.expect(200).text();
        page.contains("p class=\"verdict\"").then_some(())
    })
    .await;
    let listed = server.run(&["plugin", "list", "--json"]);
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
    let plugins = listed["plugins"].as_array().unwrap();
    let of_signals = |plugin: &&Value| plugin["roles"].as_array().unwrap().iter().any(|role| role == "signal");
    let digest = plugins.iter().find(of_signals).unwrap()["digest"].as_str().unwrap().to_owned();
    let fields = [("component", digest.as_str()), ("company", "7"), ("since", "1d"), ("limit", "10"), ("settings", "")];
    let started = maria.post("/console/backtests", &fields).await.expect(303);
    let address = started.header("location").unwrap().to_owned();
    eventually("the backtest has ended", AMPLE, async || {
        maria.get(&address).await.expect(200).text().contains("id=\"report\"").then_some(())
    })
    .await;
    address
}

/// Keeps the company in the console, and enters a setting that its plugin does not allow.
async fn wrong_setting(console: &Inspector, base: &str) {
    const FORM: &str = "form[action$='/plugins']";
    let browser = &console.browser;
    console.open(&format!("{base}/console/companies/7"), "form[action$='/keep']").await;
    // The script asks first, and no one answers here.
    browser.run("document.querySelector(\"form[action$='/keep']\").submit()", json!([])).await;
    browser.wait_for(&format!("{FORM} > fieldset:enabled")).await;
    browser.click(&format!("{FORM} input[name=defaults]")).await;
    browser.click(&format!("{FORM} input[value='document-type/document-types']")).await;
    browser.enter(&format!("{FORM} textarea[name='settings:document-type/document-types#languages']"), "klingon").await;
    browser.click(&format!("{FORM} > fieldset > button")).await;
    console.look_at("console-wrong-setting", "textarea[aria-invalid=true]").await;
}

/// Rejects the case: first without a reason, which the page explains.
async fn decide(console: &Inspector, base: &str, case: i64) {
    let browser = &console.browser;
    console.open(&format!("{base}/console/cases/{case}"), "details.decide").await;
    browser.click("details.decide summary").await;
    browser.click("input[value=rejected]").await;
    browser.click("details.decide button").await;
    // The form is still open, with the choice.
    console.look_at("console-decision-without-reason", "details.decide[open] [role=alert]").await;
    browser.enter("#reason", "The invoice is older than the damage.").await;
    browser.click("details.decide button").await;
    console.look_at("console-decided", "[role=status]").await;
}
