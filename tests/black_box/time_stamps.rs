//! Time stamps from foreign authorities: their tokens, their order, and what happens to a case while they are away,
//! slow or wrong (decisions 14). The server never invents a time. A certificate with a pending time gets it later, and
//! its earlier bytes stay unchanged.

use std::fs;

use serde_json::{Value, json};

use crate::support::{
    AMPLE, Api, TestServer,
    company_manifest::{ACME_API, DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, acme, acme_on},
    eventually,
    evidence::{add_capture, add_document, close, identity_card, open_case, photo},
    judges::must,
    on_both_databases, pdf,
    proofs::checked,
    receiver::Receiver,
    rows::Rows,
    server::{files_below, said},
    tsa::{Authority, Mood},
    zip,
};

on_both_databases!(
    a_foreign_authority_stamps_items_manifest_signature_and_file,
    whatever_an_authority_does_a_case_is_sealed_and_gets_its_time_later,
    authorities_are_asked_in_order,
    several_authorities_stamp_a_certificate_and_it_is_pending_until_they_have,
    a_time_stamp_counts_only_with_a_path_to_a_root_in_seal_trust,
    an_item_gets_its_token_once_its_authority_is_back,
    spec_2_1_a_step_may_turn_its_time_stamp_off,
    a_case_that_is_deleted_while_its_time_is_pending_leaves_nothing,
);

/// Makes the server use these authorities.
async fn use_authorities(server: &mut TestServer, urls: &str) {
    server.set("SEALWRIGHT_SEAL_TSA_URL", urls);
    server.set("SEALWRIGHT_SEAL_TSA_TIMEOUT", "1s");
    // So that the authority is asked each time.
    server.set("SEALWRIGHT_SEAL_TSA_PAUSE", "1ms");
    server.restart().await;
}

/// A closed case with a photo, and the address of its certificate.
async fn sealed(api: &Api, report: &str) -> (i64, String) {
    let case = open_case(api, &json!({ "frameId": FRAME, "reportToken": report })).await;
    add_capture(api, case, PHOTOGRAPHY, photo(3)).await.expect(200);
    let closed = close(api, case).await.expect(200).json();
    (case, closed["pdfUrl"].as_str().expect("a URL").to_owned())
}

async fn certificate(api: &Api, url: &str) -> Vec<u8> {
    api.with_token(None).get(url).await.expect(200).body.to_vec()
}

fn has(pdf: &[u8], text: &str) -> bool {
    pdf.windows(text.len()).any(|window| window == text.as_bytes())
}

async fn first_item(api: &Api, report: &str) -> Value {
    api.with_token(None).get(&format!("/reports/{report}")).await.expect(200).json()[0]["items"][0].clone()
}

/// pyHanko trusts the development authority for the signature and the foreign one for the time.
fn assert_valid(server: &TestServer, authority: &Authority, pdf: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("certificate.pdf"), pdf).unwrap();
    fs::copy(server.data_dir().join("development-authority/root.pem"), folder.path().join("root.pem")).unwrap();
    fs::write(folder.path().join("tsa.pem"), authority.root()).unwrap();
    let validate = "sign validate --trust root.pem --trust tsa.pem --pretty-print certificate.pdf";
    let Some(verdict) = must("pyhanko", validate, folder.path()) else { return };
    assert!(verdict.contains("The signature is judged VALID") && !verdict.contains("INVALID"), "{verdict}");
    must("qpdf", "--check certificate.pdf", folder.path());
}

async fn a_foreign_authority_stamps_items_manifest_signature_and_file(mut server: TestServer) {
    let Some(authority) = Authority::start().await else { return };
    use_authorities(&mut server, authority.url()).await;
    let (api, _receiver) = acme_on(&server).await;
    let (_, url) = sealed(&api, "claim-1").await;
    let pdf = certificate(&api, &url).await;
    assert!(has(&pdf, "/DocTimeStamp") && has(&pdf, "/DSS"), "the highest level is reached at once");
    assert_valid(&server, &authority, &pdf);
    if let Some(content) = pdf::read(&pdf) {
        let text = content.text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("Signed and time-stamped") && text.contains("stated by CN=Foreign"), "{text}");
        assert!(!text.contains("repeat the server's clock"), "{text}");
    }
    // The item's token is valid by itself, under the foreign root.
    let item = first_item(&api, "claim-1").await;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("certificate.pdf"), &pdf).unwrap();
    fs::write(folder.path().join("tsa.pem"), authority.root()).unwrap();
    let name = format!("{}.tst", item["cfRef"].as_str().unwrap());
    let Some(_) = must("pdfdetach", &format!("-savefile {name} -o token.der certificate.pdf"), folder.path()) else {
        return;
    };
    let digest = item["imageHash"].as_str().unwrap();
    must("openssl", &format!("ts -verify -digest {digest} -in token.der -token_in -CAfile tsa.pem"), folder.path());

    let output = server.run(&["doctor", "--json"]);
    let diagnosis: Value = serde_json::from_slice(&output.stdout).unwrap();
    let time = diagnosis["checks"].as_array().unwrap().iter().find(|check| check["part"] == "time stamps").unwrap();
    assert!(time["state"] == "good" && time["finding"].as_str().unwrap().contains("answers"), "{time}");
    authority.set_mood(Mood::Status500);
    let diagnosis: Value = serde_json::from_slice(&server.run(&["doctor", "--json"]).stdout).unwrap();
    let time = diagnosis["checks"].as_array().unwrap().iter().find(|check| check["part"] == "time stamps").unwrap();
    assert!(time["state"] == "doubtful" && time["finding"].as_str().unwrap().contains("status 500"), "{time}");
}

async fn whatever_an_authority_does_a_case_is_sealed_and_gets_its_time_later(mut server: TestServer) {
    let Some(authority) = Authority::start().await else { return };
    use_authorities(&mut server, authority.url()).await;
    let (api, receiver) = acme_on(&server).await;
    let mut pending = Vec::new();
    for mood in [
        Mood::Status500,
        Mood::Slow,
        Mood::Endless,
        Mood::OtherNonce,
        Mood::OtherDigest,
        Mood::Expired,
        Mood::Refusing,
        Mood::Html,
    ] {
        authority.set_mood(mood);
        let asked = authority.requests();
        let report = format!("claim-{mood:?}");
        let (case, url) = sealed(&api, &report).await;
        let pdf = certificate(&api, &url).await;
        assert!(authority.requests() > asked, "{mood:?}");
        assert!(has(&pdf, "ETSI.CAdES.detached") && !has(&pdf, "/DocTimeStamp"), "{mood:?}");
        if let Some(content) = pdf::read(&pdf) {
            let text = content.text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(text.contains("Signed, time pending") && text.contains("the time is pending"), "{mood:?}: {text}");
            assert!(!text.contains("stated by"), "{mood:?}: {text}");
        }
        assert!(first_item(&api, &report).await.get("tspTokenHash").is_none(), "{mood:?}");
        let webhook = receiver.wait_for_case(&format!("CAS-{case}_CMP-7")).await;
        assert_eq!(webhook["caseUrl"], url.as_str());
        pending.push((report, url, pdf));
    }
    // A pending time stamp survives a crash too.
    server.kill();
    authority.set_mood(Mood::Good);
    // The delays between attempts have grown meanwhile.
    Rows::change(&server, "update jobs set run_at = 0").await;
    server.restart().await;
    assert_valid(&server, &authority, &pending[0].2);
    for (report, url, before) in &pending {
        let after = eventually(&format!("{report} gets its time"), AMPLE, async || {
            let pdf = certificate(&api, url).await;
            has(&pdf, "/DocTimeStamp").then_some(pdf)
        })
        .await;
        assert!(after.starts_with(before), "{report}: the earlier revision is unchanged");
        if report == "claim-Expired" {
            assert_valid(&server, &authority, &after);
        }
        assert!(first_item(&api, report).await.get("tspTokenHash").is_none(), "{report}: no certificate has it");
        // An archive has the size and CRC of the new file.
        let archive = api.post(&format!("/reports/report/{report}"), &json!({ "format": "zip" })).await.expect(200);
        if let Some(files) = zip::unpack(&archive.body) {
            assert!(files.into_values().eq([after]), "{report}");
        }
    }
    assert_eq!(receiver.received().len(), pending.len(), "one webhook for each closing");
    eventually("only the newest PDFs are left", AMPLE, async || {
        let files = files_below(&server.data_dir().join("blobs/certificates"));
        (files.len() == pending.len()).then_some(())
    })
    .await;
    // No job is left, and none was given up.
    Rows::without_jobs(&server).await;
}

async fn several_authorities_stamp_a_certificate_and_it_is_pending_until_they_have(mut server: TestServer) {
    let (first, second) = (Authority::start_under("First root").await, Authority::start_under("Second root").await);
    let Some((first, second)) = first.zip(second) else { return };
    server.set("SEALWRIGHT_SEAL_TSA_QUORUM", "2");
    use_authorities(&mut server, &format!("{},{}", first.url(), second.url())).await;
    let mut trust = Vec::new();
    for (name, authority) in [("first.pem", &first), ("second.pem", &second)] {
        fs::write(server.folder().join(name), authority.root()).unwrap();
        trust.extend(["--trust-time", name]);
    }
    let authorities = |name: &str, pdf: &[u8]| {
        let report = checked(&server, name, pdf, &trust, 0);
        let found = report["timeAuthorities"].as_array().unwrap().clone();
        found.iter().map(|authority| authority["root"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let (api, _receiver) = acme_on(&server).await;
    let (_, url) = sealed(&api, "claim-1").await;
    let mut roots = authorities("both.pdf", &certificate(&api, &url).await);
    roots.sort();
    assert_eq!(roots, ["CN=First root", "CN=Second root"]);

    second.set_mood(Mood::Status500);
    let (_, url) = sealed(&api, "claim-2").await;
    let before = certificate(&api, &url).await;
    assert_eq!(authorities("one.pdf", &before), ["CN=First root"]);
    assert!(has(&before, "/DocTimeStamp"), "the authority that answers stamps the whole file");
    if let Some(content) = pdf::read(&before) {
        let text = content.text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("Signed, time pending") && text.contains("Too few"), "{text}");
    }
    second.set_mood(Mood::Good);
    let after = eventually("the second authority has stamped it", AMPLE, async || {
        let pdf = certificate(&api, &url).await;
        (authorities("later.pdf", &pdf).len() == 2).then_some(pdf)
    })
    .await;
    assert!(after.starts_with(&before), "the earlier revisions stay");
}

async fn authorities_are_asked_in_order(mut server: TestServer) {
    let Some((first, second)) = Authority::start().await.zip(Authority::start().await) else { return };
    use_authorities(&mut server, &format!("http://127.0.0.1:1/tsr, {},{}", first.url(), second.url())).await;
    let (api, _receiver) = acme_on(&server).await;
    let (_, url) = sealed(&api, "claim-1").await;
    assert!(has(&certificate(&api, &url).await, "/DocTimeStamp"));
    assert!(first.requests() >= 4 && second.requests() == 0, "item, manifest, signature, file");
    first.set_mood(Mood::Status500);
    let (_, url) = sealed(&api, "claim-2").await;
    assert!(has(&certificate(&api, &url).await, "/DocTimeStamp"), "the next authority is used");
    assert!(second.requests() > 0);
    assert_valid(&server, &second, &certificate(&api, &url).await);
    let metrics = Api::new(&server.admin_url(), None).get("/metrics").await.expect(200);
    let metrics = String::from_utf8(metrics.body.to_vec()).unwrap();
    assert!(metrics.contains("sealwright_time_source_up{authority=\"127.0.0.1:1\"} 0"), "{metrics}");
}

async fn a_time_stamp_counts_only_with_a_path_to_a_root_in_seal_trust(mut server: TestServer) {
    let Some((stranger, trusted)) = Authority::start().await.zip(Authority::start().await) else { return };
    let roots = server.folder().join("roots.pem");
    fs::write(&roots, trusted.root()).unwrap();
    server.set("SEALWRIGHT_SEAL_TRUST", &roots.display().to_string());
    use_authorities(&mut server, &format!("{},{}", stranger.url(), trusted.url())).await;
    let (api, _receiver) = acme_on(&server).await;
    let (_, url) = sealed(&api, "claim-1").await;
    let pdf = certificate(&api, &url).await;
    assert!(stranger.requests() > 0 && trusted.requests() >= 4, "item, manifest, signature, file");
    // With a single token of the other one, it would be untrusted.
    let report = checked(&server, "certificate.pdf", &pdf, &[], 0);
    assert!(report["timeStamps"].as_array().unwrap().iter().all(|stamp| stamp["state"] == "trusted"), "{report}");
    let name = stranger.url().strip_prefix("http://").unwrap().strip_suffix("/tsr").unwrap();
    let metrics = Api::new(&server.admin_url(), None).get("/metrics").await.expect(200);
    let metrics = String::from_utf8(metrics.body.to_vec()).unwrap();
    let refused = format!("sealwright_time_stamps_refused_total{{authority=\"{name}\",reason=\"untrusted\"}} ");
    let count = metrics.lines().find_map(|line| line.strip_prefix(&refused));
    assert!(count.is_some_and(|count| count != "0"), "{metrics}");
    assert!(server.log().contains("does not lead to a root in seal.trust"));
    let diagnosis: Value = serde_json::from_slice(&server.run(&["doctor", "--json"]).stdout).unwrap();
    let checks = diagnosis["checks"].as_array().unwrap().iter().filter(|check| check["part"] == "time stamps");
    let states: Vec<_> = checks.map(|check| check["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["doubtful", "good"], "{diagnosis}");
}

async fn an_item_gets_its_token_once_its_authority_is_back(mut server: TestServer) {
    let Some(authority) = Authority::start().await else { return };
    use_authorities(&mut server, authority.url()).await;
    let (api, _receiver) = acme_on(&server).await;
    authority.set_mood(Mood::Status500);
    let case = open_case(&api, &json!({ "frameId": FRAME, "reportToken": "claim-1" })).await;
    add_capture(&api, case, PHOTOGRAPHY, photo(3)).await.expect(200);
    eventually("the authority is asked", AMPLE, async || (authority.requests() > 0).then_some(())).await;
    assert!(first_item(&api, "claim-1").await.get("tspTokenHash").is_none());
    authority.set_mood(Mood::Good);
    eventually("a token arrives", AMPLE, async || first_item(&api, "claim-1").await.get("tspTokenHash").cloned()).await;
}

async fn spec_2_1_a_step_may_turn_its_time_stamp_off(server: TestServer) {
    let receiver = Receiver::start().await;
    let analysis = "document_types = [\"IDENTITY_CARD\", \"PASSPORT\"]";
    let manifest = acme(&receiver).replace(analysis, &format!("{analysis}\ntimestamp_and_signature = false"));
    server.must_apply(&manifest);
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    let case = open_case(&api, &json!({ "frameId": FRAME, "reportToken": "claim-1" })).await;
    add_document(&api, case, DOCUMENT_UPLOAD, identity_card()).await.expect(200);
    add_capture(&api, case, PHOTOGRAPHY, photo(3)).await.expect(200);
    let url = close(&api, case).await.expect(200).json()["pdfUrl"].as_str().unwrap().to_owned();
    let pdf = certificate(&api, &url).await;
    let items = api.with_token(None).get("/reports/claim-1").await.expect(200).json()[0]["items"].clone();
    assert!(items[0].get("tspTokenHash").is_none() && items[1]["tspTokenHash"].is_string(), "{items}");
    let Some(content) = pdf::read(&pdf) else { return };
    let sealed = &content.json_attachments[0]["items"];
    assert!(sealed[0].get("timeStampToken").is_none() && sealed[1].get("timeStampToken").is_some(), "{sealed}");
    assert!(!content.text.contains("Pending"), "nothing is awaited: {}", content.text);
}

async fn a_case_that_is_deleted_while_its_time_is_pending_leaves_nothing(mut server: TestServer) {
    let Some(authority) = Authority::start().await else { return };
    use_authorities(&mut server, authority.url()).await;
    let (api, receiver) = acme_on(&server).await;
    authority.set_mood(Mood::Status500);
    let (closed, url) = sealed(&api, "claim-1").await;
    certificate(&api, &url).await;
    receiver.wait_for(1).await;
    let open = open_case(&api, &json!({ "frameId": FRAME })).await;
    add_capture(&api, open, PHOTOGRAPHY, photo(4)).await.expect(200);
    let unfinished = || -> Vec<Value> {
        let output = server.run(&["seal", "pending", "--json"]);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(&output)))
    };
    let listed = unfinished();
    assert_eq!(listed.len(), 1, "{listed:?}");
    assert_eq!((&listed[0]["caseId"], &listed[0]["work"]), (&json!(closed), &json!("renew-seal")), "{listed:?}");
    for case in [closed, open] {
        api.delete(&format!("/cases/delete/{case}")).await.expect(200);
    }
    authority.set_mood(Mood::Good);
    eventually("everything is deleted", AMPLE, async || {
        let jobs: Vec<(String,)> = Rows::of(&server).await.all("select kind from jobs").await;
        let files = files_below(&server.data_dir().join("blobs"));
        (jobs.is_empty() && files.iter().all(|file| !file.to_string_lossy().contains("/certificates/"))).then_some(())
    })
    .await;
    assert_eq!(server.files_of_items(), Vec::<std::path::PathBuf>::new());
    let tokens: Vec<(i64,)> = Rows::of(&server).await.all("select item_id from item_tokens").await;
    assert!(tokens.is_empty());
    assert_eq!(unfinished(), Vec::<Value>::new());
}
