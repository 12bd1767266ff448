//! A company's colour and logo on the pages for people (operator's page, "Appearance").

use serde_json::{Value, json};

use crate::capture_page::{assert_accessible, axe_core};
use crate::support::{
    AMPLE, Api, Database, TestServer,
    browser::{self, Browser},
    company_manifest::{ACME_API, FRAME, acme_with_webhook, borealis},
    eventually,
    evidence::{photo, signature},
    on_both_databases,
    server::said,
};

on_both_databases!(
    the_holder_of_a_link_gets_the_colour_and_the_logo,
    a_logo_that_no_company_has_is_deleted,
    apply_refuses_an_appearance_that_no_page_could_show,
);

async fn the_holder_of_a_link_gets_the_colour_and_the_logo(server: TestServer) {
    server.must_apply(&acme_with_webhook(""));
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    let link = link(&api).await;
    let before = link.get("/v2/capture").await.expect(200).json();
    assert_eq!(before["appearance"], json!({ "palette": null, "logoUrl": null }));

    let logo = signature().bytes;
    std::fs::write(server.folder().join("logo.png"), &logo).expect("write the logo");
    let appearing = with_appearance(&acme_with_webhook(""), "colour = \"#0B5FA5\"\nlogo_file = \"logo.png\"");
    server.must_apply(&appearing);
    let view = link.get("/v2/capture").await.expect(200).json();
    let palette = &view["appearance"]["palette"];
    assert_eq!(palette["light"]["accent"], "#0b5fa5");
    assert_eq!(palette["light"]["onAccent"], "#ffffff");
    assert_ne!(palette["dark"]["accent"], "#0b5fa5", "it cannot be read on a dark ground");

    let url = view["appearance"]["logoUrl"].as_str().expect("an address");
    let path = url.strip_prefix(&server.base_url()).expect("an address of this server");
    let served = server.anonymous().get(path).await.expect(200);
    assert_eq!(served.body, logo);
    assert_eq!(served.header("content-type"), Some("image/png"));
    assert_eq!(served.header("cache-control"), Some("public, max-age=31536000, immutable"));
    assert_eq!(served.header("x-content-type-options"), Some("nosniff"));

    // The same file again changes nothing.
    let again = server.run(&["apply", "--json", &server.write_company_manifest(&appearing)]);
    let report: Value = serde_json::from_slice(&again.stdout).expect("apply --json prints an array");
    assert_eq!(report[0]["changed"], json!([]));
}

async fn a_logo_that_no_company_has_is_deleted(server: TestServer) {
    std::fs::write(server.folder().join("logo.png"), signature().bytes).expect("write the logo");
    let [acme, borealis] =
        [acme_with_webhook(""), borealis()].map(|one| with_appearance(&one, "logo_file = \"logo.png\""));
    server.must_apply_all(&[acme.clone(), borealis.clone()]);
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    let view = link(&api).await.get("/v2/capture").await.expect(200).json();
    let url = view["appearance"]["logoUrl"].as_str().expect("an address");
    let path = url.strip_prefix(&server.base_url()).expect("an address of this server").to_owned();

    let without = |manifest: &str| manifest.replace("logo_file = \"logo.png\"", "");
    server.must_apply(&without(&acme));
    server.anonymous().get(&path).await.expect(200);
    server.must_apply(&without(&borealis));
    let message = server.anonymous().get(&path).await.expect(404).error_message();
    assert_eq!(message, "no company has this logo");
    for wrong in ["/logos/0", "/logos/%2e%2e%2fhealthz", &format!("{path}0"), &path.to_uppercase()] {
        server.anonymous().get(wrong).await.expect(404);
    }
}

async fn apply_refuses_an_appearance_that_no_page_could_show(server: TestServer) {
    let write = |name: &str, bytes: &[u8]| std::fs::write(server.folder().join(name), bytes).expect("write a logo");
    write("script.svg", b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>");
    write("cut.png", &signature().bytes[..200]);
    write("large.jpg", &[photo(1).bytes, vec![0; 100 << 10]].concat());
    for (appearance, expected) in [
        ("colour = \"blue\"", "company.appearance.colour: found \"blue\", expected a colour as #"),
        ("colour = 5", "company.appearance.colour: found the number 5, expected a colour as #"),
        ("color = \"#0b5fa5\"", "did you mean `colour`?"),
        ("logo_file = \"none.png\"", "company.appearance.logo_file: cannot read \"none.png\": no such file"),
        (
            "logo_file = \"script.svg\"",
            "company.appearance.logo_file: the file is not a PNG or JPEG picture of at most",
        ),
        ("logo_file = \"large.jpg\"", "company.appearance.logo_file: the file is not a PNG or JPEG picture of at most"),
        ("logo_file = \"cut.png\"", "company.appearance.logo_file: the logo cannot be shown: the image is damaged"),
    ] {
        let output = server.apply(&with_appearance(&acme_with_webhook(""), appearance));
        assert!(!output.status.success(), "{appearance}");
        assert!(said(&output).contains(expected), "{appearance}: {}", said(&output));
    }
    // Nothing was applied.
    server.anonymous().sign_in(ACME_API.username, ACME_API.password).await.expect(401);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_shows_the_company_s_colour_and_logo() {
    if !browser::is_there() {
        return;
    }
    let server = TestServer::start(Database::Sqlite).await;
    std::fs::write(server.folder().join("logo.png"), signature().bytes).expect("write the logo");
    // Yellow is hard to read on white, and is shifted until it can be read.
    server.must_apply(&with_appearance(&acme_with_webhook(""), "colour = \"#ffd000\"\nlogo_file = \"logo.png\""));
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    let created = api.post("/link/create", &json!({ "frameId": FRAME })).await.expect(201).json();
    let axe = axe_core();
    let browser = Browser::start().await;
    browser.open(created["magicLinkUrl"].as_str().expect("a URL")).await;
    browser.wait_for_text("Front of the house").await;
    eventually("the logo is shown", AMPLE, async || {
        let width = browser.run("return document.querySelector('.logo')?.naturalWidth", json!([])).await;
        width.as_i64().filter(|width| *width > 0)
    })
    .await;
    for scheme in ["light", "dark"] {
        let feature = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        browser.control("Emulation.setEmulatedMedia", feature).await;
        let shown = "return getComputedStyle(document.querySelector('.company')).color";
        let colour = browser.run(shown, json!([])).await;
        let red_and_green_only = colour.as_str().is_some_and(|colour| colour.ends_with(", 0)"));
        assert!(red_and_green_only || scheme == "dark", "{scheme}: {colour}");
        browser.picture(&format!("appearance-{scheme}")).await;
        assert_accessible(&browser, axe.as_deref(), scheme).await;
    }
}

fn with_appearance(manifest: &str, lines: &str) -> String {
    format!("{manifest}\n[company.appearance]\n{lines}\n")
}

async fn link(api: &Api) -> Api {
    let link: Value = api.post("/link/create", &json!({ "frameId": FRAME })).await.expect(201).json();
    api.with_token(link["token"].as_str())
}
