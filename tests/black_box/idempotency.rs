//! The header `Idempotency-Key`: opening and closing a case are carried out once, however often they are requested.

use std::{collections::BTreeMap, sync::Arc};

use hyper::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::support::{
    Answer, Api, Receiver, TestServer,
    client::send,
    company_manifest::{ACME_API, ACME_READER, SHORT_FRAME, acme, acme_on},
    evidence::{close, open_case},
    on_both_databases,
    random::Random,
    rows::Rows,
    setting,
};

/// How many requests race, if nothing else is said.
const USUAL_REQUESTS: u64 = 300;
/// How many of them are sent at once.
const AT_ONCE: usize = 24;
/// How many requests share a key, on average.
const PER_KEY: u64 = 6;

on_both_databases!(
    decisions_17_a_repeated_request_opens_one_case,
    decisions_17_a_repeated_request_closes_once,
    decisions_17_a_key_belongs_to_one_request_of_one_user,
    decisions_17_a_failed_request_is_not_remembered,
    decisions_17_an_answer_is_forgotten_after_a_day_and_with_its_case,
    decisions_17_requests_that_race_are_carried_out_once_for_each_key,
);

async fn decisions_17_a_repeated_request_opens_one_case(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let body = json!({ "frameId": SHORT_FRAME, "linkOptions": { "reportToken": "R-1" }, "metadata": { "a": "1" } });
    let first = open(&api, "one", &body).await.expect(201);
    assert_eq!(first.header("idempotent-replayed"), None);
    let id = first.json()["id"].as_i64().unwrap();
    // Whatever has happened to the case since, the answer is the first one.
    let change = json!({ "caseId": id, "title": "another title" });
    api.patch("/cases/update", &change).await.expect(200);
    close(&api, id).await.expect(200);
    let second = open(&api, "one", &body).await.expect(201);
    assert_eq!(second.header("idempotent-replayed"), Some("true"));
    assert_eq!(second.json(), first.json());
    let other = open(&api, "two", &body).await.expect(201);
    assert_ne!(other.json()["id"], first.json()["id"]);
    assert_eq!(cases(&server).await, 2);
}

async fn decisions_17_a_repeated_request_closes_once(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    let first = close_with(&api, "close", &format!("/cases/close/{case}")).await.expect(200);
    let second = close_with(&api, "close", &format!("/cases/close/{case}")).await.expect(200);
    assert_eq!((second.header("idempotent-replayed"), second.json()), (Some("true"), first.json()));
    assert_eq!(close(&api, case).await.expect(400).error_message(), "case already closed");
    let late = close_with(&api, "another", &format!("/cases/close/{case}")).await;
    assert_eq!(late.expect(400).error_message(), "case already closed");

    let body = json!({ "frameId": SHORT_FRAME, "linkOptions": { "reportToken": "R-2" } });
    let created = api.post("/cases/create", &body).await.expect(201).json();
    let token = created["magicLinkUrl"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let path = format!("/cases/close/link/{token}");
    let first = close_with(&api, "by link", &path).await.expect(400).error_message();
    assert_eq!(first, "Idempotency-Key must be 1 to 255 visible ASCII characters, once");
    let first = close_with(&api, "by-link", &path).await.expect(200);
    let second = close_with(&api, "by-link", &path).await.expect(200);
    assert_eq!((second.header("idempotent-replayed"), second.json()), (Some("true"), first.json()));
    receiver.wait_for(2).await;
    assert_eq!(receiver.received().len(), 2, "each closing has one webhook");
}

async fn decisions_17_a_key_belongs_to_one_request_of_one_user(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let body = json!({ "frameId": SHORT_FRAME });
    let first = open(&api, "shared", &body).await.expect(201).json()["id"].as_i64().unwrap();
    let used = "Idempotency-Key was sent with another request in the last 24 hours: a new request needs a new key";
    let other = json!({ "frameId": SHORT_FRAME, "title": "another request" });
    assert_eq!(open(&api, "shared", &other).await.expect(409).error_message(), used);
    let closing = close_with(&api, "shared", &format!("/cases/close/{first}")).await;
    assert_eq!(closing.expect(409).error_message(), used);
    // The key of another user is another key. It is not even compared.
    let refused = open(&server.sign_in(ACME_READER.username, ACME_READER.password).await, "shared", &body).await;
    refused.expect(403).error_message();
    assert_eq!(cases(&server).await, 1);

    for invalid in ["", "two words", &"k".repeat(256)] {
        let refused = open(&api, invalid, &body).await.expect(400).error_message();
        assert_eq!(refused, "Idempotency-Key must be 1 to 255 visible ASCII characters, once", "{invalid:?}");
    }
    let twice =
        api.request(Method::POST, "/cases/create").header("idempotency-key", "a").header("idempotency-key", "b");
    send(twice.json(&body)).await.expect(400).error_message();
    assert_eq!(cases(&server).await, 1);
}

async fn decisions_17_a_failed_request_is_not_remembered(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let refused = open(&api, "again", &json!({ "frameId": 424_242 })).await;
    refused.expect(404).error_message();
    open(&api, "again", &json!({ "frameId": SHORT_FRAME })).await.expect(201);
}

async fn decisions_17_an_answer_is_forgotten_after_a_day_and_with_its_case(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let body = json!({ "frameId": SHORT_FRAME, "title": "Noor Martinel" });
    let first = open(&api, "old", &body).await.expect(201).json()["id"].as_i64().unwrap();
    Rows::change(&server, "update idempotent_requests set created_at = created_at - 86400001").await;
    let second = open(&api, "old", &body).await.expect(201);
    assert_eq!(second.header("idempotent-replayed"), None);
    let second = second.json()["id"].as_i64().unwrap();
    assert_ne!(first, second);

    api.delete(&format!("/cases/delete/{second}")).await.expect(200);
    let gone = open(&api, "old", &body).await.expect(404).error_message();
    assert_eq!(gone, "the case of the request with this Idempotency-Key was deleted");
    let left: Vec<(i64,)> =
        Rows::of(&server).await.all("select case_id from idempotent_requests where answer is not null").await;
    assert_eq!(left, []);
}

/// The oracle: all answers of a key name one case, and the cases in the database are those.
async fn decisions_17_requests_that_race_are_carried_out_once_for_each_key(mut server: TestServer) {
    let receiver = Receiver::start().await;
    let quota = "\"POST /cases/create\" = 100000\n";
    server.must_apply(&acme(&receiver).replacen(quota, &format!("{quota}\"POST /link/create\" = 100000\n"), 1));
    // Thousands of cases are closed. Their seals are not tested here and would take the processor.
    server.restart_as("api").await;
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    let requests = setting("SEALWRIGHT_TEST_IDEMPOTENT_REQUESTS", USUAL_REQUESTS);
    let mut random = Random::new(setting("SEALWRIGHT_TEST_IDEMPOTENCY_SEED", 1));
    // A third of the keys is for cases on links with one use: the first request uses the link up.
    let mut links = Vec::new();
    for _ in 0..requests.div_ceil(PER_KEY) / 3 {
        let link = api.post("/link/create", &json!({ "frameId": SHORT_FRAME, "maxUses": 1 })).await.expect(201).json();
        links.push(link["token"].as_str().unwrap().to_owned());
    }
    let links = Arc::new(links);
    let mut opened: BTreeMap<u64, Vec<i64>> = BTreeMap::new();
    let mut running = JoinSet::new();
    for _ in 0..requests {
        let key = random.below(requests.div_ceil(PER_KEY));
        let (api, links) = (api.clone(), Arc::clone(&links));
        running.spawn(async move {
            let mut body = json!({ "frameId": SHORT_FRAME });
            let link = links.get(usize::try_from(key).unwrap());
            if let Some(link) = link {
                body["magicLinkToken"] = json!(link);
            }
            let path = |case: i64| match link {
                Some(link) => format!("/cases/close/link/{link}"),
                None => format!("/cases/close/{case}"),
            };
            let case = open(&api, &format!("open-{key}"), &body).await.expect(201).json()["id"].as_i64().unwrap();
            let closed = close_with(&api, &format!("close-{key}"), &path(case)).await;
            (key, case, closed.expect(200).json()["pdfUrl"].clone())
        });
        if running.len() == AT_ONCE {
            note(&mut opened, running.join_next().await.unwrap().unwrap());
        }
    }
    while let Some(ended) = running.join_next().await {
        note(&mut opened, ended.unwrap());
    }
    let sent: usize = opened.values().map(Vec::len).sum();
    assert_eq!(sent, usize::try_from(requests).unwrap());
    for (key, cases) in &opened {
        assert!(cases.iter().all(|case| case == &cases[0]), "key {key}: {cases:?}");
    }
    let keys = i64::try_from(opened.len()).unwrap();
    assert_eq!(cases(&server).await, keys);
    let certificates: Vec<(i64,)> = Rows::of(&server).await.all("select count(*) from certificates").await;
    assert_eq!(certificates, [(keys,)]);
}

fn note(opened: &mut BTreeMap<u64, Vec<i64>>, (key, case, url): (u64, i64, Value)) {
    assert!(url.as_str().is_some_and(|url| url.contains("/share/case/")), "{url}");
    opened.entry(key).or_default().push(case);
}

async fn open(api: &Api, key: &str, body: &Value) -> Answer {
    send(api.request(Method::POST, "/cases/create").header("idempotency-key", key).json(body)).await
}

async fn close_with(api: &Api, key: &str, path: &str) -> Answer {
    send(api.request(Method::GET, path).header("idempotency-key", key)).await
}

/// How many cases there are.
async fn cases(server: &TestServer) -> i64 {
    let counted: Vec<(i64,)> = Rows::of(server).await.all("select count(*) from cases").await;
    counted[0].0
}
