//! The page of a case: what a photo's file says, the check of the certificate, a decision that was refused, and webhooks.

use serde_json::json;

use super::{Person, must_add_user};
use crate::support::{
    AMPLE, TestServer,
    company_manifest::{ACME_API, DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, SHORT_FRAME, acme_on, acme_with_webhook},
    eventually,
    evidence::{add_capture, add_document, close, identity_card, open_case, photo},
    on_both_databases,
    receiver::{Receiver, Reply},
    rows::Rows,
};

on_both_databases!(
    a_photo_shows_what_its_file_says_and_a_document_does_not,
    a_photo_that_was_not_examined_says_so,
    the_check_of_a_certificate_shows_its_time_stamps,
    the_page_of_a_case_offers_the_whole_case_as_one_file,
    a_refused_decision_keeps_what_was_entered,
    a_webhook_s_whole_address_is_for_managers,
    a_webhook_that_is_waiting_is_not_sent_twice,
    a_map_is_below_positions_only_if_its_server_is_named,
);

async fn acme_person(server: &TestServer, username: &str, role: &str) -> Person {
    must_add_user(server, username, &["--role", role, "--company", "7"]);
    Person::signed_in(server, username).await
}

/// Replaces bytes by as many others.
fn replace(bytes: &mut [u8], old: &[u8], new: &[u8]) {
    let at = bytes.windows(old.len()).position(|window| window == old).expect("the bytes are there");
    bytes[at..at + new.len()].copy_from_slice(new);
}

async fn a_photo_shows_what_its_file_says_and_a_document_does_not(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let vera = acme_person(&server, "vera", "viewer").await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let mut odd = photo(1);
    replace(&mut odd.bytes, b"Fieldphone 5", b"<b>Pho\x07ne 5<");
    add_capture(&api, case, PHOTOGRAPHY, odd).await.expect(200);
    add_document(&api, case, DOCUMENT_UPLOAD, identity_card()).await.expect(200);
    let page = eventually("the photo is examined", AMPLE, async || {
        let page = vera.get(&format!("/console/cases/{case}")).await.expect(200).text();
        page.contains("Exposure").then_some(page)
    })
    .await;
    for expected in [
        "640 × 480",
        "Acme &lt;b&gt;Pho ne 5&lt;",
        "2026-11-20 10:42:17 +01:00",
        "1/250 s, f/1.88, ISO 100",
        "5.58 mm",
        "upright",
        "45.764043, 4.835659 ± 6.5 m",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    assert!(!page.contains("<b>Pho"), "{page}");
    assert_eq!(page.matches("(EXIF)").count(), 1, "only of the photo: {page}");
}

async fn a_photo_that_was_not_examined_says_so(server: TestServer) {
    let manifest = acme_with_webhook("").replace("document_analysis = true", "document_analysis = false");
    server.must_apply(&manifest);
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    let vera = acme_person(&server, "vera", "viewer").await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    let page = vera.get(&format!("/console/cases/{case}")).await.expect(200).text();
    assert!(page.contains("The file was not examined") && !page.contains("Fieldphone"), "{page}");
}

async fn the_check_of_a_certificate_shows_its_time_stamps(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let vera = acme_person(&server, "vera", "viewer").await;
    let case = open_case(&api, &json!({ "frameId": FRAME, "title": "Roof <b>" })).await;
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    let path = format!("/console/cases/{case}/certificate");
    let open = vera.get(&path).await.expect(200).text();
    assert!(open.contains("The case is open"), "{open}");
    close(&api, case).await.expect(200);
    let page = eventually("the certificate is checked", AMPLE, async || {
        let page = vera.get(&path).await.expect(200).text();
        page.contains("Log of seals").then_some(page)
    })
    .await;
    for expected in [
        "This certificate is valid.",
        "Roof &lt;b&gt;",
        "the signature",
        "the whole file",
        "B-T, signed and time-stamped",
        "B-LTA, signed, time-stamped and archived",
        ", entry ",
        "development authority",
        "Its certificate ends",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    assert!(!page.contains("Roof <b>"), "{page}");
    let of_case = vera.get(&format!("/console/cases/{case}")).await.expect(200).text();
    assert!(of_case.contains(&format!("href=\"{path}\"")), "{of_case}");
    let looks: Vec<(String,)> = Rows::of(&server)
        .await
        .all("select subject from audit_records where action = 'showCertificate' and actor = 'vera'")
        .await;
    assert!(looks.len() >= 2 && looks.iter().all(|(subject,)| *subject == format!("case {case}")), "{looks:?}");
}

async fn the_page_of_a_case_offers_the_whole_case_as_one_file(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let vera = acme_person(&server, "vera", "viewer").await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    let (path, package) = (format!("/console/cases/{case}"), format!("/console/cases/{case}/package"));
    assert!(!vera.get(&path).await.expect(200).text().contains(&package), "the case is open");
    vera.get(&package).await.expect(404);
    let closed = close(&api, case).await.expect(200).json();
    let url = closed["pdfUrl"].as_str().unwrap();
    api.with_token(None).get(url).await.expect(200);
    for page in [path, format!("/console/cases/{case}/certificate")] {
        let page = vera.get(&page).await.expect(200).text();
        assert!(page.contains(&format!("href=\"{package}\"")), "{page}");
    }
    let downloaded = vera.get(&package).await.expect(200);
    assert_eq!(downloaded.header("content-type"), Some("application/vnd.etsi.asic-e+zip"));
    let disposition = downloaded.header("content-disposition").unwrap();
    assert!(
        disposition.starts_with("attachment; filename=\"CAS-") && disposition.ends_with(".asice\""),
        "{disposition}"
    );
    let of_interface = api.get(&format!("{url}/package")).await.expect(200);
    assert!(downloaded.body == of_interface.body, "another package than that of the interface");
    let looks: Vec<(String,)> = Rows::of(&server)
        .await
        .all("select subject from audit_records where action = 'downloadPackage' and actor = 'vera'")
        .await;
    assert_eq!(looks, [(format!("case {case}"),)]);
}

async fn a_refused_decision_keeps_what_was_entered(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let rita = acme_person(&server, "rita", "reviewer").await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    let path = format!("/console/cases/{case}/decision");
    // The case is open.
    let page = rita.post(&path, &[("outcome", "accepted"), ("reason", "All <fine>")]).await.expect(400).text();
    assert!(page.contains("<details class=\"decide\" open>"), "{page}");
    assert!(page.contains("id=\"choice-problem\"") && page.contains(">All &lt;fine&gt;</textarea>"), "{page}");
    close(&api, case).await.expect(200);
    // At the reason, with the choice.
    let page = rita.post(&path, &[("outcome", "rejected"), ("reason", "  ")]).await.expect(400).text();
    assert!(page.contains("id=\"reason-problem\"") && page.contains("aria-describedby=\"reason-problem\""), "{page}");
    assert!(page.contains("value=\"rejected\" required checked"), "{page}");
    assert_eq!(page.matches(" checked").count(), 1, "{page}");
    // At the choice, with the reason.
    let page = rita.post(&path, &[("reason", "Too late")]).await.expect(400).text();
    assert!(page.contains("aria-describedby=\"choice-problem\"") && page.contains(">Too late</textarea>"), "{page}");
    assert!(!page.contains(" checked") && !page.contains("reason-problem"), "{page}");
    // Without a problem the form is closed and empty.
    let page = rita.get(&format!("/console/cases/{case}")).await.expect(200).text();
    assert!(page.contains("<details class=\"decide\">") && !page.contains("Too late"), "{page}");
}

async fn a_webhook_s_whole_address_is_for_managers(server: TestServer) {
    let receiver = Receiver::start().await;
    let endpoint = receiver.url("/cases?key=hush");
    let webhook = format!("[webhook.case]\nendpoint = \"{endpoint}\"\nauth = \"bearer\"\nauth_token = \"a-token\"\n");
    server.must_apply(&acme_with_webhook(&webhook));
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    let rita = acme_person(&server, "rita", "reviewer").await;
    let mona = acme_person(&server, "mona", "manager").await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    close(&api, case).await.expect(200);
    let path = format!("/console/cases/{case}");
    eventually("the attempt is shown", AMPLE, async || {
        mona.get(&path).await.expect(200).text().contains("key=hush").then_some(())
    })
    .await;
    let page = rita.get(&path).await.expect(200).text();
    assert!(page.contains(&receiver.url("")), "{page}");
    assert!(!page.contains("hush") && !page.contains(&receiver.url("/cases")), "{page}");
}

async fn a_webhook_that_is_waiting_is_not_sent_twice(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let mona = acme_person(&server, "mona", "manager").await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    close(&api, case).await.expect(200);
    let path = format!("/console/cases/{case}");
    // The form of an attempt is there once it is recorded, and its job is done.
    let resend = eventually("the attempt is recorded", AMPLE, async || {
        let page = mona.get(&path).await.expect(200).text();
        let start = format!("action=\"{path}/attempts/");
        let id = page.split(&start).nth(1)?.split('/').next()?.to_owned();
        Some(format!("{path}/attempts/{id}/resend"))
    })
    .await;
    receiver.reply_with(Reply::Hang);
    mona.post(&resend, &[]).await.expect(303);
    let page = mona.post(&resend, &[]).await.expect(400).text();
    assert!(page.contains("the webhook is already waiting") && page.contains("Work in progress</h2>"), "{page}");
    assert!(!page.contains("sealwright job list"), "{page}");
    let id = resend.split('/').nth_back(1).unwrap();
    let output = server.run(&["webhook", "resend", id]);
    let said = crate::support::server::said(&output);
    assert!(!output.status.success() && said.contains("sealwright job list shows its job"), "{said}");
}

async fn a_map_is_below_positions_only_if_its_server_is_named(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    let without = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    let vera = acme_person(&server, "vera", "viewer").await;
    let path = format!("/console/cases/{case}");
    let page = vera.get(&path).await.expect(200);
    let policy = page.header("content-security-policy").unwrap().to_owned();
    let text = page.text();
    assert!(text.contains("<svg class=\"places\"") && !text.contains("<image"), "{text}");
    server.set("SEALWRIGHT_CONSOLE_TILE_SERVER", "https://tiles.example/{z}/{x}/{y}.png");
    server.set("SEALWRIGHT_CONSOLE_TILE_ATTRIBUTION", "© Mapmakers & Sons");
    server.restart().await;
    let vera = Person::signed_in(&server, "vera").await;
    let page = vera.get(&path).await.expect(200);
    let own = policy.replace("img-src 'self'", "img-src 'self' https://tiles.example");
    assert_eq!(page.header("content-security-policy"), Some(own.as_str()));
    assert_eq!(page.header("referrer-policy"), Some("same-origin"));
    let text = page.text();
    // The tile that has the photo's position.
    assert!(text.contains("<image href=\"https://tiles.example/19/269186/187015.png\""), "{text}");
    assert!(text.contains("Map: © Mapmakers &amp; Sons"), "{text}");
    // Pages without a position, and all others, may load nothing from there.
    for other in [format!("/console/cases/{without}"), "/console/cases".to_owned()] {
        let page = vera.get(&other).await.expect(200);
        assert_eq!(page.header("content-security-policy"), Some(policy.as_str()), "{other}");
        assert!(!page.text().contains("Mapmakers"), "{other}");
    }
}
