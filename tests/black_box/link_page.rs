//! The page behind `magicLinkUrl` (decisions 7): what it shows to a person without an account, and what it hides.

use hyper::Method;
use serde_json::{Value, json};

use crate::support::{
    AMPLE, Answer, Api, EFFECT, TestServer,
    client::send,
    company_manifest::{FRAME, SHORT_FRAME, acme, acme_on, without_frame},
    eventually,
    evidence::{close, open_case},
    on_both_databases, on_sqlite,
};

on_both_databases!(
    decisions_7_the_page_says_what_the_link_is_for,
    a_link_with_an_open_case_leads_to_its_frame_until_the_case_is_closed,
    a_link_that_has_ended_is_gone_and_an_unknown_one_is_not_found,
    decisions_11_each_link_is_counted_separately_and_unknown_ones_together,
);

on_sqlite!(the_page_is_in_the_language_that_the_browser_prefers, the_texts_of_a_company_are_escaped_on_the_page);

async fn decisions_7_the_page_says_what_the_link_is_for(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let body = json!({ "frameId": FRAME, "maxUses": 3, "expirationDate": "2999-12-31T23:59:59.000+0200" });
    let link = create(&api, &body).await;
    let page = read(&api, &link, 200).await;
    for expected in [
        "Acme Insurance",
        "<h1 dir=\"auto\">Water damage</h1>",
        "This page needs JavaScript",
        "<noscript>",
        "31 December 2999, 21:59 UTC",
        "3 of 3",
        "One of: <bdi>Burst pipe · Roof · Other</bdi>",
        "Stand back far enough to show the street number.",
    ] {
        assert!(page.contains(expected), "{expected} is missing: {page}");
    }
    // The ten steps in order.
    let titles = ["Front of the house", "Walk through the rooms", "Signature of the insured", "Identity document"];
    let places: Vec<usize> = titles.iter().map(|title| page.find(title).expect(title)).collect();
    assert!(places.is_sorted(), "{places:?}");
    assert_eq!(page.matches("<li>").count(), 10);
    assert_eq!(page.matches("<strong>required</strong>").count(), 3);
    // Without scripts nothing is sent, and with them everything comes from this server.
    for absent in ["<form", "<input", "<button", "<a ", "http:", "https:", "//"] {
        assert!(!page.contains(absent), "{absent} in {page}");
    }
    // Uses are counted down as cases are opened.
    open_on(&api, &link, FRAME).await;
    let page = read(&api, &link, 200).await;
    assert!(page.contains("2 of 3") && page.contains("Cases currently open"), "{page}");

    let bare = read(&api, &create(&api, &json!({})).await, 200).await;
    for expected in ["Document a case", "No form is set for this link", "No end date", "Any number"] {
        assert!(bare.contains(expected), "{expected} is missing: {bare}");
    }
    assert!(!bare.contains("currently open"), "{bare}");
}

async fn the_page_is_in_the_language_that_the_browser_prefers(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let link = create(&api, &json!({ "frameId": FRAME, "expirationDate": "2999-08-01T10:00:00Z" })).await;
    for (accepted, language, expected) in [
        ("fr-FR,fr;q=0.9,en;q=0.8", "fr", "Ce qui vous sera demandé"),
        ("fr-FR,fr;q=0.9,en;q=0.8", "fr", "1er août 2999 à 10:00 UTC"),
        ("de,en;q=0.5", "en", "What you will be asked"),
        ("*", "en", "What you will be asked"),
    ] {
        let request = api.with_token(None).request(Method::GET, &url(&link)).header("accept-language", accepted);
        let answer = send(request).await.expect(200);
        assert!(answer.text().contains(expected), "{accepted}: {}", answer.text());
        assert!(answer.text().contains(&format!("<html lang=\"{language}\" data-capture>")), "{accepted}");
        assert_eq!(answer.header("content-language"), Some(language));
        assert_is_a_page(&answer);
    }
    let unknown = format!("/link/{UNKNOWN}");
    let request = api.with_token(None).request(Method::GET, &unknown).header("accept-language", "fr");
    assert!(send(request).await.expect(404).text().contains("Ce lien n’existe pas"));
}

async fn a_link_with_an_open_case_leads_to_its_frame_until_the_case_is_closed(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    // Created with a case of its own, which takes its only use.
    let options = json!({ "frameId": SHORT_FRAME, "linkOptions": { "reportToken": "R", "maxUses": 1 } });
    let case = api.post("/cases/create", &options).await.expect(201).json();
    let page = read(&api, &case, 200).await;
    for expected in ["Quick note", "0 of 1", "open cases stay open"] {
        assert!(page.contains(expected), "{expected} is missing: {page}");
    }
    close(&api, case["id"].as_i64().unwrap()).await.expect(200);
    let page = read(&api, &case, 410).await;
    assert!(page.contains("This link has been used") && page.contains("Acme Insurance"), "{page}");

    // A link without a frame shows the frame of its cases, if they all have the same one.
    let link = create(&api, &json!({})).await;
    open_on(&api, &link, SHORT_FRAME).await;
    assert!(read(&api, &link, 200).await.contains("Quick note"));
    open_on(&api, &link, FRAME).await;
    assert!(read(&api, &link, 200).await.contains("No form is set for this link"));
}

async fn a_link_that_has_ended_is_gone_and_an_unknown_one_is_not_found(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    for unknown in
        [UNKNOWN, "6d4f2f6a-0b6e-1f6e-8b1a-0d5a5a5a5a5a", "x", "%00", "%FF", "..%2F..%2Fetc%2Fpasswd", "' or 1=1 --"]
    {
        let answer = api.with_token(None).get(&format!("/link/{unknown}")).await.expect(404);
        assert!(answer.text().contains("There is no such link"), "{unknown}: {}", answer.text());
        assert_is_a_page(&answer);
    }
    for path in ["/link", "/link/", "/link/a/b"] {
        api.with_token(None).get(path).await.expect(404).error_message();
    }
    send(api.request(Method::POST, &format!("/link/{UNKNOWN}"))).await.expect(405).error_message();

    // Soon, by the server's own clock, and before polling every 20 ms uses up the link's 180 requests a minute.
    let case = api.post("/cases/create", &json!({ "frameId": SHORT_FRAME })).await.expect(201).json();
    let now: jiff::Timestamp = case["createdAt"].as_str().unwrap().parse().expect("a time");
    let soon = now + jiff::SignedDuration::from_secs(3);
    let brief = create(&api, &json!({ "frameId": SHORT_FRAME, "expirationDate": soon.to_string() })).await;
    let answer = eventually("the link expires", AMPLE, async || {
        let answer = get(&api, &brief).await;
        (answer.status != 200).then_some(answer)
    })
    .await
    .expect(410);
    for expected in ["This link has expired", "It was valid until", "ask <bdi>Acme Insurance</bdi> for a new link"] {
        assert!(answer.text().contains(expected), "{expected} is missing: {}", answer.text());
    }
    assert!(!answer.text().contains("Quick note"), "the page of an ended link shows no more than it must");
    assert_is_a_page(&answer);

    // When the operator removes a frame, its links end too, except those with an open case.
    let (idle, used) = (create(&api, &json!({ "frameId": SHORT_FRAME })).await, create(&api, &json!({})).await);
    open_on(&api, &used, SHORT_FRAME).await;
    server.must_apply(&without_frame(&acme(&receiver), SHORT_FRAME));
    let answer = eventually("the frame is gone", EFFECT, async || {
        let answer = get(&api, &idle).await;
        (answer.status != 200).then_some(answer)
    })
    .await
    .expect(410);
    assert!(answer.text().contains("This form is no longer offered"), "{}", answer.text());
    assert!(read(&api, &used, 200).await.contains("Quick note"));
}

async fn the_texts_of_a_company_are_escaped_on_the_page(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let hostile = acme(&receiver)
        .replace("\"Acme Insurance\"", r#""A & B <img src=x onerror=alert(1)> {}""#)
        .replace("\"Water damage\"", r#""</title><script>alert(2)</script>""#)
        .replace("\"Burst pipe\"", r#""\"><b onmouseover=alert(3)>""#);
    server.must_apply(&hostile);
    let link = create(&api, &json!({ "frameId": FRAME })).await;
    let page = read(&api, &link, 200).await;
    assert_eq!(page.matches("<script").count(), 1, "the page's own script: {page}");
    for markup in ["<img", "<script>", "<b ", "</title><s", "\"><b"] {
        assert!(!page.contains(markup), "{markup} in {page}");
    }
    for text in ["A &amp; B &lt;img src=x onerror=alert(1)&gt; {}", "&lt;script&gt;alert(2)&lt;/script&gt;"] {
        assert!(page.contains(text), "{text} in {page}");
    }
}

async fn decisions_11_each_link_is_counted_separately_and_unknown_ones_together(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let (one, other) = (create(&api, &json!({})).await, create(&api, &json!({})).await);
    let remaining = |answer: &Answer| answer.header("x-ratelimit-remaining").unwrap().parse::<i64>().unwrap();
    for left in (0..180).rev() {
        assert_eq!(remaining(&get(&api, &one).await.expect(200)), left);
    }
    get(&api, &one).await.expect(429);
    // The same link, its token in capitals.
    let shouted = format!("/link/{}", one["token"].as_str().unwrap().to_uppercase());
    api.with_token(None).get(&shouted).await.expect(429);
    assert_eq!(remaining(&get(&api, &other).await.expect(200)), 179);
    for (unknown, left) in [(UNKNOWN, 179), ("x", 178), ("y", 177)] {
        assert_eq!(remaining(&api.with_token(None).get(&format!("/link/{unknown}")).await.expect(404)), left);
    }
    // It is not a company operation and needs no token.
    open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
}

/// A UUID v4 that does not exist.
const UNKNOWN: &str = "6d4f2f6a-0b6e-4f6e-8b1a-0d5a5a5a5a5a";

async fn create(api: &Api, body: &Value) -> Value {
    api.post("/link/create", body).await.expect(201).json()
}

async fn open_on(api: &Api, link: &Value, frame: i64) {
    let body = json!({ "frameId": frame, "magicLinkToken": link["token"] });
    api.post("/cases/create", &body).await.expect(201);
}

fn url(link: &Value) -> String {
    link["magicLinkUrl"].as_str().expect("magicLinkUrl is a URL").to_owned()
}

async fn get(api: &Api, link: &Value) -> Answer {
    api.with_token(None).get(&url(link)).await
}

/// The page of a link, after checking its status and headers.
async fn read(api: &Api, link: &Value, status: u16) -> String {
    let answer = get(api, link).await.expect(status);
    assert_is_a_page(&answer);
    answer.text()
}

/// The address is a permission: the page is not cached, does not leak its address, and
/// loads and runs only what comes from this server.
#[track_caller]
fn assert_is_a_page(answer: &Answer) {
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(answer.header("vary"), Some("accept-language"));
    assert_eq!(answer.header("set-cookie"), None);
    let policy = answer.header("content-security-policy").expect("a content security policy");
    assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'; "), "{policy}");
    for part in ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    assert!(answer.text().starts_with("<!DOCTYPE html><html lang="), "{}", answer.text());
}
