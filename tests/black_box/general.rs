//! Rules for every request (spec 7 and 8, decisions 1 and 2), and the life cycle of the process (operator's page).

use hyper::Method;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

use crate::support::{
    AMPLE, Api, TestServer,
    client::send,
    company_manifest::{self, ACME_API, BOREALIS_API, COSMOS_API, acme_on},
    on_both_databases, on_sqlite,
    server::said,
};

on_both_databases!(
    health_and_readiness_are_public_and_not_counted,
    metrics_are_on_the_admin_address_only,
    counted_answers_state_the_quota,
    a_second_apply_changes_nothing,
    a_dry_run_changes_nothing,
    a_mistake_in_a_company_manifest_is_named_and_nothing_is_applied,
    sigterm_drains_and_exits_with_success,
    nothing_is_lost_by_a_crash,
);

on_sqlite!(
    an_unknown_route_and_a_wrong_method_get_the_standard_error,
    a_valid_request_id_is_kept,
    a_body_must_be_json_of_at_most_one_mebibyte,
    a_body_declared_too_long_is_refused_before_it_arrives,
    unknown_fields_of_a_body_are_ignored,
    a_path_identifier_must_be_a_positive_whole_number,
);

async fn health_and_readiness_are_public_and_not_counted(server: TestServer) {
    let anonymous = server.anonymous();
    for path in ["/healthz", "/readyz"] {
        for _ in 0..100 {
            let answer = anonymous.get(path).await.expect(200);
            assert!(
                answer.headers.keys().all(|name| !name.as_str().starts_with("x-ratelimit")),
                "{:?}",
                answer.headers
            );
        }
    }
}

async fn metrics_are_on_the_admin_address_only(server: TestServer) {
    server.anonymous().get("/metrics").await.expect(404).error_message();
    let metrics = Api::new(&server.admin_url(), None).get("/metrics").await.expect(200);
    assert!(
        metrics.header("content-type").unwrap().starts_with("application/openmetrics-text"),
        "{:?}",
        metrics.headers
    );
    let text = metrics.text();
    assert!(text.ends_with("# EOF\n"), "{text}");
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.rsplit_once(' ').unwrap();
        assert!(value.parse::<f64>().is_ok() && text.contains("# TYPE "), "{name}");
    }
    // A counted request, with the pattern of its path and without anything that is in the path.
    server.anonymous().get("/share/case/00000000000000000000000000000000").await.expect(404);
    let metrics = Api::new(&server.admin_url(), None).get("/metrics").await.expect(200).text();
    let line = "sealwright_http_requests_total{method=\"GET\",route=\"/share/case/{shareToken}\",status=\"404\"} 1";
    assert!(metrics.contains(line) && !metrics.contains("00000000000000000000000000000000"), "{metrics}");
}

async fn an_unknown_route_and_a_wrong_method_get_the_standard_error(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    for caller in [api.clone(), api.with_token(None)] {
        for path in
            ["/nothing", "/frames/", "/frames/1", "/cases/create/now", "/v2", "/v2/items", "/%00", "/../etc/passwd"]
        {
            caller.get(path).await.expect(404).error_message();
        }
        for (method, path) in [
            (Method::GET, "/auth/token"),
            (Method::PUT, "/frames"),
            (Method::GET, "/cases/create"),
            (Method::OPTIONS, "/cases/close/1"),
            (Method::TRACE, "/healthz"),
        ] {
            send(caller.request(method, path)).await.expect(405).error_message();
        }
        caller.delete("/auth/token").await.expect(405).error_message();
        caller.patch("/frames", &json!({})).await.expect(405).error_message();
    }
}

async fn a_valid_request_id_is_kept(server: TestServer) {
    let api = server.anonymous();
    let longest = "x".repeat(128);
    for good in ["a", "A-Z.a_z-0.9", longest.as_str()] {
        for path in ["/healthz", "/nothing", "/frames"] {
            let answer = send(api.request(Method::GET, path).header("x-request-id", good)).await;
            assert_eq!(answer.header("x-request-id"), Some(good), "{path}");
        }
    }
    let too_long = "x".repeat(129);
    for bad in ["", " ", "a b", "a/b", "<script>", "a\"b", "a,b", too_long.as_str()] {
        let answer = send(api.request(Method::GET, "/healthz").header("x-request-id", bad)).await;
        let given = answer.header("x-request-id").expect("every answer has a request id");
        assert_ne!(given, bad);
        assert!(is_good_request_id(given), "{given}");
    }
    let first = api.get("/healthz").await;
    let second = api.get("/healthz").await;
    assert_ne!(first.header("x-request-id").unwrap(), second.header("x-request-id").unwrap());
}

async fn a_body_must_be_json_of_at_most_one_mebibyte(server: TestServer) {
    const LIMIT: usize = 1024 * 1024;
    let (api, _receiver) = acme_on(&server).await;
    let credentials = json!({ "username": ACME_API.username, "password": ACME_API.password }).to_string();
    let padded = |length: usize| format!("{credentials}{}", " ".repeat(length - credentials.len()));
    for (length, status) in [(LIMIT, 200), (LIMIT + 1, 400), (3 * LIMIT, 400)] {
        let answer = api.post_raw("/auth/token", "application/json", padded(length)).await;
        assert_eq!(answer.status, status, "{length} bytes: {}", answer.text());
    }
    for body in [&b"\xff\xfe"[..], b"{\"username\": \"\xff\"}", b"null", b"{}{}", b"{\"a\":1,}"] {
        api.post_raw("/auth/token", "application/json", body).await.expect(400).error_message();
    }
    let deep = "[".repeat(100_000);
    api.post_raw("/auth/token", "application/json", deep).await.expect(400).error_message();
}

async fn a_body_declared_too_long_is_refused_before_it_arrives(server: TestServer) {
    let mut stream = TcpStream::connect(server.base_url().trim_start_matches("http://")).await.unwrap();
    let head = "POST /auth/token HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999999\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    let read = timeout(AMPLE, stream.read_exact(&mut answer)).await;
    read.expect("an answer, although no part of the body was sent").unwrap();
    assert_eq!(&answer, b"HTTP/1.1 400");
}

async fn unknown_fields_of_a_body_are_ignored(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let body = json!({ "username": ACME_API.username, "password": ACME_API.password, "tenant": { "id": [1, null] } });
    api.post("/auth/token", &body).await.expect(200);
}

async fn a_path_identifier_must_be_a_positive_whole_number(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    for identifier in ["0", "-1", "1.5", "1e3", "abc", "%31x", "+1", "9223372036854775808", "%E2%82%AC", "1%20"] {
        api.get(&format!("/cases/close/{identifier}")).await.expect(400).error_message();
    }
}

async fn counted_answers_state_the_quota(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let first = api.get("/frames").await.expect(200);
    let limit: u32 = first.header("x-ratelimit-limit").unwrap().parse().unwrap();
    let remaining: u32 = first.header("x-ratelimit-remaining").unwrap().parse().unwrap();
    assert_eq!(limit, 100_000, "the quota of the company manifest");
    let second = api.get("/frames").await.expect(200);
    assert_eq!(second.header("x-ratelimit-remaining").unwrap().parse(), Ok(remaining - 1));
    let reset: u32 = second.header("x-ratelimit-reset").unwrap().parse().unwrap();
    assert!((1..=60).contains(&reset), "{reset}");
}

async fn a_second_apply_changes_nothing(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let before = api.get("/frames").await.expect(200).json();
    let company_manifest = company_manifest::acme(&receiver);
    server.must_apply(&company_manifest);
    server.must_apply(&company_manifest);
    assert_eq!(api.get("/frames").await.expect(200).json(), before);
}

async fn a_dry_run_changes_nothing(server: TestServer) {
    let file = server.write_company_manifest(&company_manifest::borealis());
    let output = server.run(&["apply", "--dry-run", &file]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(!output.stdout.is_empty(), "a dry run says what it would do");
    server.anonymous().sign_in(BOREALIS_API.username, BOREALIS_API.password).await.expect(401);
}

async fn a_mistake_in_a_company_manifest_is_named_and_nothing_is_applied(server: TestServer) {
    let good = company_manifest::borealis();
    let (line, _) =
        good.lines().enumerate().find(|(_, line)| line.starts_with("action")).expect("a step has an action");
    for (from, to, field) in [
        ("action = \"TEXT_FIELD\"", "action = \"TEXTFIELD\"", "action"),
        ("action = \"TEXT_FIELD\"", "action = 7", "action"),
        ("action = \"TEXT_FIELD\"", "akshun = \"TEXT_FIELD\"", "akshun"),
    ] {
        let bad = server.write_company_manifest(&good.replace(from, to));
        let another = server.write_company_manifest(&company_manifest::cosmos());
        let output = server.run(&["apply", &another, &bad]);
        assert!(!output.status.success(), "{to} was accepted");
        let said = said(&output);
        assert!(said.contains(&format!("{bad}:{}", line + 1)), "file and line {} are not named: {said}", line + 1);
        assert!(said.contains(field), "the field is not named: {said}");
    }
    server.anonymous().sign_in(COSMOS_API.username, COSMOS_API.password).await.expect(401);
}

async fn sigterm_drains_and_exits_with_success(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.terminate().await;
    server.restart().await;
    api.get("/frames").await.expect(200);
}

async fn nothing_is_lost_by_a_crash(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let frames = api.get("/frames").await.expect(200).json();
    server.kill();
    server.restart().await;
    assert_eq!(api.get("/frames").await.expect(200).json(), frames);
}

fn is_good_request_id(text: &str) -> bool {
    (1..=128).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}
