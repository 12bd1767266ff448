//! Rate limits (spec 7 and 8, decisions 11).

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::support::{
    Answer, Api, Database, EFFECT, TestServer,
    company_manifest::{
        ACME_API, ACME_READER, BOREALIS_API, BOREALIS_FRAME, FRAME, SIGNATURE, acme, acme_on, borealis,
    },
    eventually,
    evidence::{add_capture, close, open_case, signature},
    on_both_databases, postgres,
};

on_both_databases!(
    spec_8_counted_answers_state_the_limit_whatever_their_status,
    spec_7_a_429_says_how_long_to_wait_and_is_not_counted,
    spec_8_rule_2_companies_and_endpoints_are_counted_separately,
    decisions_11_public_addresses_are_counted_separately_and_unknown_ones_together,
);

/// Two nodes on one PostgreSQL are called in turn for more than a minute. Together they accept what one exact window
/// accepts, and each reports correctly what is left.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn decisions_11_nodes_on_one_postgresql_share_their_counters() {
    const LIMIT: usize = 12;
    const WINDOW: Duration = Duration::from_mins(1);
    if !postgres::is_there() {
        return;
    }
    let server = TestServer::start(Database::Postgres).await;
    let (_api, receiver) = acme_on(&server).await;
    let few = acme(&receiver).replace("\"GET /frames\" = 100000", &format!("\"GET /frames\" = {LIMIT}"));
    server.must_apply(&few.replace("\"GET /cases/close/:caseId\" = 100000\n", ""));
    let node = server.another_node().await;
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    let nodes = [api.clone(), Api::new(&node.base_url(), api.token.clone())];

    // By now both nodes know the quota of the company manifest.
    for api in &nodes {
        eventually("the quota applies", EFFECT, async || {
            (header(&api.get("/frames").await, "x-ratelimit-limit") == LIMIT).then_some(())
        })
        .await;
    }
    let started = Instant::now();
    let mut accepted: Vec<(Instant, Instant)> = Vec::new();
    let mut left: Option<usize> = None;
    // Until the window has moved past all requests accepted at the start.
    for turn in 0.. {
        let sent = Instant::now();
        let answer = nodes[turn % 2].get("/frames").await;
        let received = Instant::now();
        let remaining = header(&answer, "x-ratelimit-remaining");
        let reset = header(&answer, "x-ratelimit-reset");
        assert!((1..=60).contains(&reset), "{reset}");
        // Certainly accepted, and possibly accepted, within the 60 s before this answer.
        let at_least = accepted.iter().filter(|(sent, _)| *sent + WINDOW > received).count();
        if answer.status == 429 {
            assert_eq!((remaining, header(&answer, "retry-after")), (0, reset));
            let at_most = accepted.iter().filter(|(_, received)| *received + WINDOW > sent).count();
            // Requests sent while the quota took effect count too.
            assert!(started.elapsed() < WINDOW || at_most >= LIMIT, "refused with {at_most} in the window");
        } else {
            answer.expect(200);
            assert!(at_least < LIMIT, "{at_least} are in the window, and one more was accepted");
            accepted.push((sent, received));
            if let Some(before) = left {
                assert!(remaining + 1 >= before, "{remaining} left after {before}: the other node counts too");
            }
        }
        left = Some(remaining);
        if started.elapsed() > WINDOW + Duration::from_secs(10) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
    assert!((LIMIT..=3 * LIMIT).contains(&accepted.len()), "{} were accepted", accepted.len());

    // Many requests to both at once: not one too many is accepted, and each remaining count is returned once.
    let mut asking = JoinSet::new();
    for turn in 0..2 * USUAL {
        let api = nodes[turn % 2].clone();
        asking.spawn(async move { api.get("/cases/close/999999999").await });
    }
    let answers = asking.join_all().await;
    let (refused, counted): (Vec<Answer>, Vec<Answer>) = answers.into_iter().partition(|answer| answer.status == 429);
    let mut left: Vec<usize> = counted.iter().map(|answer| header(answer, "x-ratelimit-remaining")).collect();
    left.sort_unstable();
    assert_eq!(left, (0..USUAL).collect::<Vec<_>>());
    assert_eq!(refused.len(), USUAL);
    drop(node);
}

/// The usual limit of an endpoint that spec 8 does not name.
const USUAL: usize = 60;

async fn spec_8_counted_answers_state_the_limit_whatever_their_status(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let reader = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let create = async |api: &Api, body: Value| api.post("/cases/create", &body).await;
    // Rule 4: requests rejected for other reasons count too, whichever user of the company sends them.
    let mut left = None;
    for (answer, status) in [
        (create(&api, json!({ "frameId": FRAME })).await, 201),
        (create(&api, json!({})).await, 400),
        (create(&reader, json!({ "frameId": FRAME })).await, 403),
        (create(&api, json!({ "frameId": BOREALIS_FRAME })).await, 404),
        (api.post_raw("/cases/create", "application/json", "{").await, 400),
    ] {
        let answer = answer.expect(status);
        assert_eq!(header(&answer, "x-ratelimit-limit"), 100_000);
        assert!((1..=60).contains(&header(&answer, "x-ratelimit-reset")), "{:?}", answer.headers);
        assert_eq!(answer.header("retry-after"), None);
        let remaining = header(&answer, "x-ratelimit-remaining");
        if let Some(before) = left.replace(remaining) {
            assert_eq!(remaining, before - 1, "{status}");
        }
    }
    header(&close(&api, case).await.expect(200), "x-ratelimit-remaining");
    // Unauthenticated callers cannot be counted, and an unknown address has no limit.
    for uncounted in [
        api.with_token(None).get("/frames").await.expect(401),
        api.get("/nothing").await.expect(404),
        api.delete("/frames").await.expect(405),
    ] {
        assert!(uncounted.headers.keys().all(|name| !name.as_str().starts_with("x-ratelimit")), "{uncounted:?}");
    }
}

async fn spec_7_a_429_says_how_long_to_wait_and_is_not_counted(server: TestServer) {
    let (_api, receiver) = acme_on(&server).await;
    server.must_apply(&acme(&receiver).replace("\"GET /frames\" = 100000\n", ""));
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    let refused = exhaust(&api, "/frames", USUAL).await;
    assert_eq!(header(&refused, "x-ratelimit-limit"), 60);
    assert_eq!(header(&refused, "x-ratelimit-remaining"), 0);
    let wait = header(&refused, "retry-after");
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(header(&refused, "x-ratelimit-reset"), wait);
    let body = refused.json();
    let message = body["message"].as_str().expect("message is text");
    for expected in ["60 requests", "60 seconds", &format!("{wait} seconds")] {
        assert!(message.contains(expected), "{expected} is missing: {message}");
    }
    let expected = json!({
        "statusCode": 429,
        "message": message,
        "requestId": refused.header("x-request-id"),
        "method": "GET",
        "path": "/frames",
        "timestamp": body["timestamp"],
        "name": "ApiError",
        "details": { "header": format!("Retry-After: {wait}") },
    });
    assert_eq!(body, expected);
    assert!(body["timestamp"].as_str().unwrap().ends_with('Z'));

    // If refused requests were counted, each would restart the wait.
    for _ in 0..2 * USUAL {
        let again = api.get("/frames").await.expect(429);
        assert!(header(&again, "retry-after") <= wait, "{} after {wait}", header(&again, "retry-after"));
    }
    let refusals = "sealwright_rate_limit_refusals_total{method=\"GET\",route=\"/frames\",quota=\"company\"}";
    let refusals = server.metric(refusals).await;
    assert!(usize::try_from(refusals).unwrap() > 2 * USUAL, "{refusals}");
    // The limit is checked before the right and the request's shape, and after the token (decisions 2).
    api.with_token(Some("x")).get("/frames").await.expect(401);
}

async fn spec_8_rule_2_companies_and_endpoints_are_counted_separately(server: TestServer) {
    let (_api, receiver) = acme_on(&server).await;
    let usual = |text: String| {
        let raised = ["\"GET /frames\" = 100000\n", "\"GET /cases/close/:caseId\" = 100000\n"];
        raised.iter().fold(text, |text, line| text.replace(line, ""))
    };
    server.must_apply_all(&[usual(acme(&receiver)), usual(borealis())]);
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    let reader = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    // Unknown cases, each under its own address, still count as one endpoint.
    for number in 0..USUAL {
        api.get(&format!("/cases/close/{}", 1000 + number)).await.expect(400);
    }
    api.get("/cases/close/1").await.expect(429);
    api.get("/cases/close/x").await.expect(429);
    // All users of the company share its counter. The limit is checked before the right.
    reader.get("/cases/close/1").await.expect(429);
    stranger.get("/cases/close/1").await.expect(400);
    assert_eq!(header(&api.get("/frames").await.expect(200), "x-ratelimit-remaining"), 59);
    assert_eq!(header(&stranger.get("/frames").await.expect(200), "x-ratelimit-remaining"), 59);
    // A raised quota applies at once, also to requests made before.
    server.must_apply(&acme(&receiver).replace("close/:caseId\" = 100000", "close/:caseId\" = 70"));
    let raised = eventually("the raised quota applies", EFFECT, async || {
        let answer = api.get("/cases/close/1").await;
        (answer.status == 400).then_some(answer)
    })
    .await;
    assert_eq!(header(&raised, "x-ratelimit-limit"), 70);
    assert_eq!(header(&raised, "x-ratelimit-remaining"), 9);
}

async fn decisions_11_public_addresses_are_counted_separately_and_unknown_ones_together(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let mut images = Vec::new();
    for _ in 0..2 {
        let added = add_capture(&api, case, SIGNATURE, signature()).await.expect(200).json();
        images.push(added["imageUrl"].as_str().unwrap().to_owned());
    }
    let mut certificates = Vec::new();
    for case in [case, open_case(&api, &json!({ "frameId": FRAME })).await] {
        certificates.push(close(&api, case).await.expect(200).json()["pdfUrl"].as_str().unwrap().to_owned());
    }
    let public = api.with_token(None);
    let unknown = "0".repeat(32);
    for (known, limit, folder) in [(&certificates, 180, "/share/case"), (&images, 500, "/images")] {
        public.get(&known[0]).await.expect(200);
        let refused = exhaust(&public, &known[0], limit - 1).await;
        assert_eq!(header(&refused, "x-ratelimit-limit"), limit);
        // No one can block another link by calling this one, or by guessing.
        assert_eq!(header(&public.get(&known[1]).await.expect(200), "x-ratelimit-remaining"), limit - 1);
        let guess = public.get(&format!("{folder}/{unknown}")).await.expect(404);
        assert_eq!(header(&guess, "x-ratelimit-remaining"), limit - 1);
        let guess = public.get(&format!("{folder}/{}", unknown.replace('0', "1"))).await.expect(404);
        assert_eq!(header(&guess, "x-ratelimit-remaining"), limit - 2, "unknown keys share a counter");
    }
    // Two endpoints have two counters, even for the same unknown key.
    let guess = public.get(&format!("/medias/video/{unknown}")).await.expect(404);
    assert_eq!(header(&guess, "x-ratelimit-remaining"), 499);
}

/// Requests `path` exactly `limit` times, requires that the next request is refused, and returns the refusal.
async fn exhaust(api: &Api, path: &str, limit: usize) -> Answer {
    for number in 0..limit {
        let answer = api.get(path).await;
        assert!(answer.status.is_success(), "request {number} of {limit}: {}", answer.text());
        assert_eq!(header(&answer, "x-ratelimit-remaining"), limit - 1 - number);
    }
    api.get(path).await.expect(429)
}

/// The value of a numeric header.
#[track_caller]
fn header(answer: &Answer, name: &str) -> usize {
    let value = answer.header(name).unwrap_or_else(|| panic!("{name} is missing: {:?}", answer.headers));
    value.parse().unwrap_or_else(|_| panic!("{name} is {value}"))
}
