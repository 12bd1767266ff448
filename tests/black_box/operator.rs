//! Tools and guarantees for operators (operator's page): `apply`, secrets at rest, and draining.

mod settings;

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path, time::Duration};

use hyper::StatusCode;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::support::{
    AMPLE, Receiver, TestServer,
    company_manifest::{
        ACME, ACME_API, ACME_API_KEY, ACME_API_SECRET, ACME_READER, FRAME, SHORT_FRAME, SIGNATURE, acme, acme_on,
        acme_with_webhook, borealis, cosmos, cosmos_france, without_frame, without_user,
    },
    eventually,
    evidence::{close, create_item, open_case, signature},
    on_both_databases,
    rows::Rows,
    server::{files_below, said},
};

on_both_databases!(
    apply_reports_what_it_created_changed_and_kept_and_is_idempotent,
    apply_accepts_several_files_in_any_order_or_applies_none,
    apply_refuses_what_belongs_to_another_company_with_file_line_and_field,
    apply_reads_secrets_from_the_environment_and_from_files,
    apply_stops_a_user_within_five_seconds,
    secrets_appear_nowhere_in_the_server_s_data,
    sigterm_lets_an_upload_in_flight_finish,
);

#[tokio::test(flavor = "multi_thread")]
async fn the_user_of_a_ready_demo_can_sign_in() {
    // `start_demo` returns at the first `/readyz` that answers 200.
    let demo = TestServer::start_demo().await;
    demo.anonymous().sign_in("demo-api", "demo-password").await.expect(200);
}

async fn apply_reports_what_it_created_changed_and_kept_and_is_idempotent(server: TestServer) {
    let receiver = Receiver::start().await;
    let first = report(&server, &["apply", "--json"], &acme(&receiver));
    assert_eq!((&first["company"], &first["name"]), (&json!(ACME), &json!("Acme Insurance")));
    assert_eq!((&first["changed"], &first["deactivated"]), (&json!([]), &json!([])));
    assert_eq!(first["unchanged"], 0);
    let kinds =
        |list: &Value, kind: &str| list.as_array().unwrap().iter().filter(|change| change["kind"] == kind).count();
    for (kind, count) in [("company", 1), ("user", 4), ("frame", 2), ("step", 11), ("webhook", 2)] {
        assert_eq!(kinds(&first["created"], kind), count, "{kind}: {first}");
    }
    let second = report(&server, &["apply", "--json"], &acme(&receiver));
    for list in ["created", "changed", "deactivated"] {
        assert_eq!(second[list], json!([]), "{list}");
    }
    assert_eq!(second["unchanged"], first["created"].as_array().unwrap().len());

    let other = without_user(&without_frame(&acme(&receiver), SHORT_FRAME), ACME_READER.user_id)
        .replace("title = \"Front of the house\"", "title = \"Street side\"")
        .replace("name = \"Flora Field\"", "name = \"Flora Feld\"")
        .replace("api_secret = \"", "api_secret = \"another ");
    let tried = report(&server, &["apply", "--json", "--dry-run"], &other);
    assert_eq!(tried["dryRun"], true);
    let done = report(&server, &["apply", "--json"], &other);
    assert_eq!(done["dryRun"], false);
    for list in ["created", "changed", "deactivated", "unchanged"] {
        assert_eq!(tried[list], done[list], "a dry run reports what the run does and changes nothing");
    }
    assert_eq!(done["created"], json!([]));
    let changed = done["changed"].to_string();
    for expected in ["\"701\"", "title", "usr-acme-field", "name", "case"] {
        assert!(changed.contains(expected), "{expected} is missing: {changed}");
    }
    let deactivated = done["deactivated"].to_string();
    for expected in ["\"71\"", ACME_READER.user_id] {
        assert!(deactivated.contains(expected), "{expected} is missing: {deactivated}");
    }
    assert!(!done.to_string().contains("another"), "a secret is printed: {done}");

    // The same as lines for people. What was reactivated is reported too.
    let output = server.apply(&acme(&receiver));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", said(&output));
    assert!(text.starts_with("company 7 \"Acme Insurance\"\n"), "{text}");
    for expected in ["step 701", "frame 71", ACME_READER.user_id, "unchanged"] {
        assert!(text.contains(expected), "{expected} is missing: {text}");
    }
    server.sign_in(ACME_READER.username, ACME_READER.password).await.get("/frames").await.expect(200);
}

async fn apply_accepts_several_files_in_any_order_or_applies_none(server: TestServer) {
    let parent = server.write_company_manifest(&cosmos());
    let child = server.write_company_manifest(&cosmos_france());
    // A child whose parent does not exist.
    let output = server.run(&["apply", &child]);
    assert!(!output.status.success());
    assert!(said(&output).contains(&format!("{child}:")) && said(&output).contains("parent"), "{}", said(&output));
    // The same company twice.
    let again = server.write_company_manifest(&cosmos());
    let output = server.run(&["apply", &parent, &again]);
    assert!(!output.status.success());
    assert!(said(&output).contains(&format!("{again}:1: company 20")), "{}", said(&output));
    // An error in any file prevents the others from being applied.
    let bad = server.write_company_manifest(&borealis().replace("name = \"Ice damage\"", "name = \"\""));
    for files in [[&child, &parent, &bad], [&bad, &parent, &child]] {
        let output = server.run(&["apply", files[0], files[1], files[2]]);
        assert!(!output.status.success());
        assert!(said(&output).contains(&format!("{bad}:")), "{}", said(&output));
        assert!(said(&output).contains("nothing was applied"), "{}", said(&output));
    }
    let output = server.run(&["apply", "/nowhere/acme.toml", &parent]);
    assert!(!output.status.success());
    assert!(said(&output).contains("/nowhere/acme.toml"), "{}", said(&output));

    let output = server.run(&["apply", "--json", &child, &parent]);
    assert!(output.status.success(), "{}", said(&output));
    let reports: Value = serde_json::from_slice(&output.stdout).expect("apply --json prints an array");
    assert_eq!((&reports[0]["company"], &reports[1]["company"]), (&json!(21), &json!(20)), "in the order of the files");
    for report in reports.as_array().unwrap() {
        assert_eq!(report["unchanged"], 0, "none of it existed before: {report}");
    }
}

async fn apply_refuses_what_belongs_to_another_company_with_file_line_and_field(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let before = api.get("/frames").await.expect(200).json();
    let wrong = [
        ("id = 80\n", "id = 70\n", "frame"),
        ("id = \"usr-borealis-api\"", "id = \"usr-acme-api\"", "id"),
        ("username = \"borealis-api\"", "username = \"acme-api\"", "username"),
        ("[company]\nid = 8", "[company]\nid = 8\nparent = 999", "parent"),
        ("rights = [\"p_api:*\"]", "rights = [\"p_api:everything\"]", "rights"),
        ("password = \"northern lights at noon\"", "password_env = \"NOT_THERE\"", "password_env"),
        ("password = \"northern lights at noon\"", "password_file = \"not-there\"", "password_file"),
    ];
    for (from, to, field) in wrong {
        let text = borealis().replacen(from, to, 1);
        assert_ne!(text, borealis(), "{from} is not in the company manifest");
        let output = server.run(&["apply", &server.write_company_manifest(&text)]);
        let printed = said(&output);
        assert!(!output.status.success(), "{to} was accepted");
        // A conflict with stored companies is reported at the line where its table starts.
        let changed = to.trim_end().lines().last().unwrap();
        let line = text.lines().position(|line| line == changed).expect("the changed line");
        let table = text.lines().take(line).collect::<Vec<_>>().iter().rposition(|line| line.starts_with('['));
        let places = [line, table.expect("every key is in a table")].map(|line| format!(".toml:{}: ", line + 1));
        assert!(places.iter().any(|place| printed.contains(place)), "{to}, {places:?}: {printed}");
        assert!(printed.contains(field), "{field} is not named: {printed}");
        assert!(printed.contains("nothing was applied"), "{printed}");
    }
    assert_eq!(api.get("/frames").await.expect(200).json(), before);
    let output = server.apply(&borealis());
    assert!(output.status.success(), "a refused file left something behind: {}", said(&output));
}

async fn apply_reads_secrets_from_the_environment_and_from_files(mut server: TestServer) {
    let receiver = Receiver::start().await;
    let webhook = |secret: &str| {
        format!(
            "\n[webhook.case]\nendpoint = \"{}\"\nauth = \"hmac-sha256\"\napi_key = \"{ACME_API_KEY}\"\n{secret}\n",
            receiver.url("/cases")
        )
    };
    server.set("ACME_SIGNING_SECRET", ACME_API_SECRET);
    server.set("ACME_PASSWORD", ACME_API.password);
    let password = |text: String, given: &str| text.replace(&format!("password = \"{}\"", ACME_API.password), given);
    server.must_apply(&password(
        acme_with_webhook(&webhook("api_secret_env = \"ACME_SIGNING_SECRET\"")),
        "password_env = \"ACME_PASSWORD\"",
    ));
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    close(&api, open_case(&api, &json!({ "frameId": SHORT_FRAME })).await).await.expect(200);
    receiver.wait_for(1).await[0].assert_signed(ACME_API_KEY, ACME_API_SECRET);

    // Next to the company manifest, with the line end that editors append.
    fs::write(server.folder().join("secret"), "a second secret to sign with\n").unwrap();
    fs::write(server.folder().join("password"), "a second password\n").unwrap();
    server.must_apply(&password(
        acme_with_webhook(&webhook("api_secret_file = \"secret\"")),
        "password_file = \"password\"",
    ));
    let api = server.sign_in(ACME_API.username, "a second password").await;
    server.anonymous().sign_in(ACME_API.username, ACME_API.password).await.expect(401);
    close(&api, open_case(&api, &json!({ "frameId": SHORT_FRAME })).await).await.expect(200);
    receiver.wait_for(2).await[1].assert_signed(ACME_API_KEY, "a second secret to sign with");
}

async fn apply_stops_a_user_within_five_seconds(server: TestServer) {
    let (_api, receiver) = acme_on(&server).await;
    let reader = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    // In use all the time, so that anything cached about the user is fresh.
    reader.get("/frames").await.expect(200);
    server.must_apply(&without_user(&acme(&receiver), ACME_READER.user_id));
    let refused = eventually("the token is refused", Duration::from_secs(5), async || {
        let answer = reader.get("/frames").await;
        (answer.status != StatusCode::OK).then_some(answer)
    });
    refused.await.expect(401).error_message();
}

async fn secrets_appear_nowhere_in_the_server_s_data(mut server: TestServer) {
    let receiver = Receiver::start().await;
    let more = "\n[webhook.analysis]\nendpoint = \"https://hooks.acme.example/a\"\nauth = \"bearer\"\n\
                auth_token = \"a-token-for-analysis\"\n";
    let analysis = acme(&receiver).find("\n[webhook.analysis]").expect("Acme has an analysis webhook");
    server.must_apply(&format!("{}{more}", &acme(&receiver)[..analysis]));
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    // One dispatch that works and one that fails, because errors often repeat their input.
    for status in [200, 500] {
        receiver.reply_with(crate::support::receiver::Reply::Status(status));
        let before = receiver.received().len();
        close(&api, open_case(&api, &json!({ "frameId": SHORT_FRAME })).await).await.expect(200);
        receiver.wait_for(before + 1).await;
    }
    server.anonymous().sign_in(ACME_API.username, "a wrong password, mistyped").await.expect(401);
    let token = api.token.clone().unwrap();
    let signature = token.rsplit('.').next().unwrap();
    let listed = said(&server.run(&["webhook", "list", "--json"]));
    server.terminate().await;

    let secrets = [ACME_API.password, ACME_API_SECRET, "a-token-for-analysis", "a wrong password, mistyped", signature];
    let mut searched = 0;
    for file in files_below(&server.data_dir()).into_iter().chain([server.folder().join("server.log")]) {
        let bytes = fs::read(&file).expect("read a file of the server");
        assert_holds_none(&file, &bytes, &secrets);
        searched += bytes.len();
    }
    assert!(searched > 10_000, "there was nothing to search");
    assert_holds_none(Path::new("webhook list"), listed.as_bytes(), &secrets);
    // If the database is not a file of the server, its rows are searched.
    let mut rows = Rows::of(&server).await;
    for sql in [
        "select credentials from webhooks",
        "select coalesce(password_hash, '') from users",
        "select ciphertext from secrets",
        "select coalesce(error, '') from webhook_attempts",
    ] {
        let kept: Vec<(String,)> = rows.all(sql).await;
        assert!(!kept.is_empty(), "{sql}");
        for (text,) in kept {
            assert_holds_none(Path::new(sql), text.as_bytes(), &secrets);
        }
    }
    // Only the server may read the key that encrypts the rest.
    let key = fs::metadata(server.data_dir().join("secret.key")).expect("the key outside the database");
    assert_eq!(key.permissions().mode() & 0o777, 0o600);
}

async fn sigterm_lets_an_upload_in_flight_finish(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let file = signature().bytes;
    let description = format!(
        "--b\r\ncontent-disposition: form-data; name=\"createItemDto\"\r\n\r\n{}\r\n\
         --b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n",
        create_item(SIGNATURE, "x"),
    );
    let end = "\r\n--b--\r\n";
    let head = format!(
        "POST /v2/items/{case} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\
         content-type: multipart/form-data; boundary=b\r\ncontent-length: {}\r\n\r\n",
        api.token.as_deref().unwrap(),
        description.len() + file.len() + end.len(),
    );
    let address = server.base_url().trim_start_matches("http://").to_owned();
    let mut upload = TcpStream::connect(&address).await.unwrap();
    let half = file.len() / 2;
    for part in [head.as_bytes(), description.as_bytes(), &file[..half]] {
        upload.write_all(part).await.unwrap();
    }
    // The request is certainly in flight once the server answers another one on a later connection.
    api.get("/frames").await.expect(200);
    server.signal_to_drain();
    eventually("new connections are refused", AMPLE, async || {
        TcpStream::connect(&address).await.is_err().then_some(())
    })
    .await;
    upload.write_all(&file[half..]).await.unwrap();
    upload.write_all(end.as_bytes()).await.unwrap();
    let mut answer = String::new();
    upload.read_to_string(&mut answer).await.expect("the whole answer");
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(server.wait_for_exit().await.success());
    let body = answer.split("\r\n\r\n").nth(1).expect("a body");
    let url = serde_json::from_str::<Value>(body).expect("JSON")["imageUrl"].as_str().unwrap().to_owned();

    server.restart().await;
    assert_eq!(api.with_token(None).get(&format!("{url}?original=1")).await.expect(200).body, file);
}

/// The `--json` report of a command on its one company manifest.
#[track_caller]
fn report(server: &TestServer, command: &[&str], company_manifest: &str) -> Value {
    let file = server.write_company_manifest(company_manifest);
    let output = server.run(&[command, &[&file]].concat());
    assert!(output.status.success(), "{}", said(&output));
    let reports: Value = serde_json::from_slice(&output.stdout).expect("apply --json prints an array");
    assert_eq!(reports.as_array().map(Vec::len), Some(1), "{reports}");
    reports[0].clone()
}

#[track_caller]
fn assert_holds_none(file: &Path, bytes: &[u8], secrets: &[&str]) {
    for secret in secrets {
        let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
        assert!(!found, "{secret:?} is in {}", file.display());
    }
}
