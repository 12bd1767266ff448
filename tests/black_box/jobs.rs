//! The queue of jobs as an operator meets it: nothing is given up because a part of the machine was away, and what fails by
//! itself stays, is reported, and can be started again.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::{Value, json};

use crate::support::{
    AMPLE, Answer, Api, TestServer,
    client::send,
    company_manifest::{
        ACME_API, BOREALIS_API, BOREALIS_FRAME, FRAME, SHORT_FRAME, SIGNATURE, acme_on, acme_with_webhook, borealis,
    },
    eventually, evidence,
    evidence::{add_capture, open_case},
    on_both_databases,
    proofs::make_chain,
    rows::Rows,
    server::said,
    skip_loudly,
};

on_both_databases!(
    a_certificate_waits_for_the_blob_store_for_as_long_as_it_takes,
    a_certificate_waits_for_file_descriptors,
    a_certificate_waits_for_its_key_device,
    a_job_that_fails_by_itself_is_reported_and_started_again,
    a_burst_of_one_company_does_not_hold_up_another,
);

/// More runs than a job has that fails by itself.
const MANY: i64 = 8;

async fn a_certificate_waits_for_the_blob_store_for_as_long_as_it_takes(mut server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let (folder, away) = (server.data_dir().join("blobs/certificates"), server.folder().join("away"));
    std::fs::rename(&folder, &away).expect("take the folder away");
    // A file in its place: not even an administrator's process can write into it.
    std::fs::write(&folder, "").expect("put a file in its place");
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    let closed = evidence::close(&api, case).await.expect(200).json();
    run_again_and_again(&server).await;
    let job = only_job(&server, "seal");
    assert_eq!(
        (&job["state"], &job["waits_for"], &job["failures"]),
        (&json!("ready"), &json!("blob store"), &json!(0))
    );
    assert!(metric(&server, "sealwright_job_oldest_seconds{kind=\"seal\"}").await.is_some());
    // The pause is much longer than a restart by now.
    std::fs::remove_file(&folder).expect("take the file away");
    std::fs::rename(&away, &folder).expect("bring the folder back");
    server.restart().await;
    certificate(&api, &closed).await.expect(200);
    receiver.wait_for(1).await;
    assert_eq!(receiver.received()[0].json()["caseUrl"], closed["pdfUrl"]);
}

async fn a_certificate_waits_for_file_descriptors(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    // Through a connection that is open already; from then on nothing else can be opened.
    let limit = server.allow_descriptors(0);
    let closed = eventually("the case is closed", AMPLE, async || {
        let closed = evidence::close(&api, case).await;
        (closed.status == 200).then(|| closed.json())
    })
    .await;
    run_again_and_again(&server).await;
    server.allow_descriptors(limit);
    Rows::change(&server, "update jobs set run_at = 0 where state = 'ready'").await;
    certificate(&api, &closed).await.expect(200);
    receiver.wait_for(1).await;
    assert_eq!(receiver.received()[0].json()["caseUrl"], closed["pdfUrl"]);
}

async fn a_certificate_waits_for_its_key_device(mut server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder for the device");
    let Some(tokens) = put_key_into_device(&mut server, folder.path()) else { return };
    server.restart().await;
    let (api, receiver) = acme_on(&server).await;
    // The card is pulled out.
    let away = folder.path().join("away");
    std::fs::rename(&tokens, &away).expect("take the device away");
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    let closed = evidence::close(&api, case).await.expect(200).json();
    run_again_and_again(&server).await;
    let job = only_job(&server, "seal");
    assert_eq!(
        (&job["state"], &job["waits_for"], &job["failures"]),
        (&json!("ready"), &json!("signing device"), &json!(0)),
        "{job}"
    );
    std::fs::rename(&away, &tokens).expect("put the device back");
    Rows::change(&server, "update jobs set run_at = 0 where state = 'ready'").await;
    certificate(&api, &closed).await.expect(200);
    receiver.wait_for(1).await;
    assert_eq!(receiver.received()[0].json()["caseUrl"], closed["pdfUrl"]);
}

/// Puts a signing key into a device of software, and nowhere else. Returns the folder that is the device, or None if a program
/// for it is missing.
fn put_key_into_device(server: &mut TestServer, folder: &Path) -> Option<PathBuf> {
    const MODULE: &str = "/usr/lib/softhsm/libsofthsm2.so";
    if !Path::new(MODULE).exists() {
        skip_loudly("softhsm2 is not installed");
        return None;
    }
    make_chain(folder)?;
    let (tokens, conf) = (folder.join("tokens"), folder.join("softhsm2.conf"));
    std::fs::create_dir(&tokens).expect("make the folder of tokens");
    let text = format!("directories.tokendir = {}\nobjectstore.backend = file\n", tokens.display());
    std::fs::write(&conf, text).expect("write the device's settings");
    let tool = |arguments: &str| {
        let mut tool = Command::new("softhsm2-util");
        let output = tool.args(arguments.split(' ')).env("SOFTHSM2_CONF", &conf).current_dir(folder).output();
        let output = output.expect("run softhsm2-util");
        assert!(output.status.success(), "{arguments}: {}", said(&output));
    };
    tool("--init-token --free --label seals --so-pin 1357 --pin 8642");
    tool("--import seal.key --token seals --label seal --id 01 --pin 8642");
    std::fs::remove_file(folder.join("seal.key")).expect("remove the key outside of the device");
    std::fs::write(folder.join("pin"), "8642").expect("write the PIN");
    server.set("SOFTHSM2_CONF", &conf.display().to_string());
    for (name, value) in [("MODULE", MODULE), ("TOKEN", "seals"), ("KEY", "seal")] {
        server.set(&format!("SEALWRIGHT_SEAL_PKCS11_{name}"), value);
    }
    server.set("SEALWRIGHT_SEAL_PKCS11_PIN_FILE", &folder.join("pin").display().to_string());
    server.set("SEALWRIGHT_SEAL_CERTIFICATE_CHAIN", &folder.join("chain.pem").display().to_string());
    Some(tokens)
}

/// A certificate cannot be made with a time-stamp token that cannot be read, today or tomorrow.
async fn a_job_that_fails_by_itself_is_reported_and_started_again(mut server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.restart_as("api").await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    add_capture(&api, case, SIGNATURE, evidence::signature()).await.expect(200);
    let closed = evidence::close(&api, case).await.expect(200).json();
    let damaged_token = format!(
        "insert into item_tokens (item_id, der, sha256) select id, '?', '{}' from items; \
         delete from jobs where kind <> 'seal'",
        "0".repeat(64)
    );
    Rows::change(&server, &damaged_token).await;
    server.restart_as("all").await;
    eventually("the seal is given up", AMPLE, async || {
        Rows::change(&server, "update jobs set run_at = 0 where kind = 'seal' and state = 'ready'").await;
        (only_job(&server, "seal")["state"] == "failed").then_some(())
    })
    .await;
    let job = only_job(&server, "seal");
    assert_eq!((&job["subject"], &job["failures"]), (&json!(case), &json!(5)), "{job}");
    assert!(job["last_error"].as_str().unwrap().contains("der"), "{job}");
    let report = said(&server.run(&["doctor"]));
    assert!(report.contains("1 seal failed") && report.contains("sealwright job retry"), "{report}");
    assert_eq!(metric(&server, "sealwright_jobs{kind=\"seal\",state=\"failed\"}").await, Some(1));
    // The receiver was notified that there is no certificate (decisions 12).
    assert_eq!(receiver.wait_for(1).await[0].json()["caseUrl"], Value::Null);

    Rows::change(&server, "delete from item_tokens").await;
    let id = job["id"].to_string();
    let output = server.run(&["job", "retry", &id]);
    assert!(output.status.success(), "{}", said(&output));
    certificate(&api, &closed).await.expect(200);
    let again = server.run(&["job", "retry", &id]);
    assert!(!again.status.success(), "{}", said(&again));
    assert!(server.run(&["job", "retry"]).status.success(), "nothing is left to retry, which is not an error");
}

async fn a_burst_of_one_company_does_not_hold_up_another(server: TestServer) {
    const BURST: usize = 24;
    server.must_apply_all(&[acme_with_webhook(""), borealis()]);
    let acme = server.sign_in(ACME_API.username, ACME_API.password).await;
    let other = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let mut cases = Vec::new();
    for _ in 0..BURST {
        cases.push(open_case(&acme, &json!({ "frameId": SHORT_FRAME })).await);
    }
    let single = open_case(&other, &json!({ "frameId": BOREALIS_FRAME })).await;
    let closings = cases.iter().map(|case| evidence::close(&acme, *case));
    for closed in futures_util::future::join_all(closings).await {
        closed.expect(200);
    }
    let closed = evidence::close(&other, single).await.expect(200).json();
    certificate(&other, &closed).await.expect(200);
    let mut rows = Rows::of(&server).await;
    let made: Vec<(i64,)> = rows.all("select case_id from certificates where blob_key is not null").await;
    // Those that were made while it was closed, the two that were being made then, and two that were as fast as it.
    assert!(
        made.len() <= BURST / 2,
        "{} of {BURST} certificates came before that of the other company",
        made.len() - 1
    );
}

/// Has the seal run many times, each at once instead of after its pause.
async fn run_again_and_again(server: &TestServer) {
    let mut rows = Rows::of(server).await;
    let hurry = format!("update jobs set run_at = 0 where kind = 'seal' and state = 'ready' and attempt <= {MANY}");
    eventually("the seal is tried again and again", AMPLE, async || {
        // Not after the last run: the seal would be running again when the caller looks at it.
        Rows::change(server, &hurry).await;
        let jobs: Vec<(String, i64)> = rows.all("select state, attempt from jobs where kind = 'seal'").await;
        let [(state, attempt)] = jobs.as_slice() else { panic!("one seal is expected: {jobs:?}") };
        assert!(state == "ready" || state == "running", "{jobs:?}");
        (*attempt > MANY && state == "ready").then_some(())
    })
    .await;
}

/// The only job of a kind, as `sealwright job list` shows it.
fn only_job(server: &TestServer, kind: &str) -> Value {
    let output = server.run(&["job", "list", "--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let jobs: Vec<Value> = serde_json::from_slice(&output.stdout).expect("job list --json prints an array");
    let mut of_kind = jobs.into_iter().filter(|job| job["kind"] == kind);
    let job = of_kind.next().unwrap_or_default();
    assert!(of_kind.next().is_none(), "there is one job of the kind");
    job
}

async fn metric(server: &TestServer, name: &str) -> Option<i64> {
    let metrics = Api::new(&server.admin_url(), None).get("/metrics").await.expect(200).text();
    metrics.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
}

async fn certificate(api: &Api, closed: &Value) -> Answer {
    let url = closed["pdfUrl"].as_str().expect("pdfUrl is a URL");
    eventually("the certificate is there", AMPLE, async || {
        let answer = send(api.with_token(None).request(hyper::Method::GET, url)).await;
        (answer.status == 200).then_some(answer)
    })
    .await
}
