//! The feed of events: each company follows what happens to its cases, and misses nothing.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tokio::{task::JoinSet, time::timeout};

use crate::{
    console::{Person, must_add_user},
    support::{
        AMPLE, Api, Database, TestServer,
        company_manifest::{ACME, ACME_READER, BOREALIS_API, SHORT_FRAME, acme, acme_on, borealis, without_user},
        eventually,
        evidence::{close, open_case},
        on_both_databases, postgres,
    },
};

on_both_databases!(
    what_happens_to_a_case_is_in_the_feed,
    nothing_is_skipped_and_nothing_comes_twice_while_many_cases_change,
    a_waiting_request_is_answered_when_something_happens,
    only_so_many_requests_of_a_company_wait,
    another_company_sees_nothing,
    a_user_who_is_removed_while_waiting_gets_nothing,
    a_wrong_query_is_refused,
);

/// An answer of the feed.
async fn page(api: &Api, query: &str) -> Value {
    api.get(&format!("/v2/events?{query}")).await.expect(200).json()
}

fn listed(page: &Value) -> Vec<Value> {
    page["events"].as_array().expect("events is an array").clone()
}

fn cursor(value: &Value) -> String {
    value["cursor"].as_str().expect("cursor is text").to_owned()
}

fn text<'a>(event: &'a Value, field: &str) -> &'a str {
    event[field].as_str().unwrap_or_default()
}

/// The feed up to now, from its beginning, and the cursor behind it.
async fn read_all(api: &Api) -> (Vec<Value>, String) {
    let (mut all, mut query) = (Vec::new(), "limit=100".to_owned());
    loop {
        let page = page(api, &query).await;
        let events = listed(&page);
        if events.is_empty() {
            return (all, cursor(&page));
        }
        all.extend(events);
        query = format!("limit=100&after={}", cursor(&page));
    }
}

/// The events of a case, once they are of these kinds. Seal and analysis may end in either order.
async fn events_of(api: &Api, case: i64, kinds: &[&str]) -> Vec<Value> {
    let mut wanted = kinds.to_vec();
    wanted.sort_unstable();
    eventually(&format!("the feed has {kinds:?}"), AMPLE, async || {
        let (all, _) = read_all(api).await;
        let own: Vec<Value> = all.into_iter().filter(|event| event["caseId"] == case).collect();
        let mut found: Vec<&str> = own.iter().map(|event| text(event, "kind")).collect();
        found.sort_unstable();
        let is_complete = found == wanted;
        is_complete.then_some(own)
    })
    .await
}

async fn what_happens_to_a_case_is_in_the_feed(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let empty = page(&api, "").await;
    assert_eq!(empty["events"], json!([]));
    let body = json!({ "frameId": SHORT_FRAME, "metadata": { "policy": "P-77" } });
    let case = open_case(&api, &body).await;
    let open = events_of(&api, case, &["created"]).await;
    let found = api.get(&format!("/cases?format=metadata&caseId={case}")).await.expect(200).json();
    let expected = json!({
        "cursor": open[0]["cursor"], "kind": "created", "time": found[0]["createdAt"], "caseId": case,
        "cfRef": format!("CAS-{case}_CMP-{ACME}"), "metadata": { "policy": "P-77" },
    });
    assert_eq!(open, [expected]);

    close(&api, case).await.expect(200);
    let closed = events_of(&api, case, &["created", "closed", "sealed", "analysed"]).await;
    assert_eq!((text(&closed[0], "kind"), text(&closed[1], "kind")), ("created", "closed"));
    let of_kind = |events: &[Value], kind: &str| events.iter().find(|event| event["kind"] == kind).unwrap().clone();
    let found = api.get(&format!("/cases?format=metadata&caseId={case}")).await.expect(200).json();
    let sealed = of_kind(&closed, "sealed");
    assert_eq!((&closed[1]["time"], &sealed["caseUrl"]), (&found[0]["closingDate"], &found[0]["caseUrl"]));
    assert_eq!(closed[1].get("caseUrl"), None);
    api.with_token(None).get(text(&sealed, "caseUrl")).await.expect(200);
    let analysed = of_kind(&closed, "analysed");
    assert_eq!(analysed["path"], format!("/cases/{case}/analysis"));
    api.get(text(&analysed, "path")).await.expect(200);

    must_add_user(&server, "rita", &["--role", "manager", "--company", &ACME.to_string()]);
    let rita = Person::signed_in(&server, "rita").await;
    rita.post(&format!("/console/cases/{case}/decision"), &[("outcome", "accepted")]).await.expect(303);
    let decided = events_of(&api, case, &["created", "closed", "sealed", "analysed", "decided"]).await;
    assert_eq!(decided[..4], closed);
    assert_eq!(api.get(text(&decided[4], "path")).await.expect(200).json()["decidedAt"], decided[4]["time"]);

    // The events of a deleted case stay, without what was its own.
    api.delete(&format!("/cases/delete/{case}")).await.expect(200);
    let kinds = ["created", "closed", "sealed", "analysed", "decided", "deleted"];
    let deleted = events_of(&api, case, &kinds).await;
    assert_eq!(text(&deleted[5], "kind"), "deleted");
    for (before, after) in decided.iter().zip(&deleted) {
        assert_eq!((&before["cursor"], &before["kind"]), (&after["cursor"], &after["kind"]));
        assert_eq!((after.get("metadata"), after.get("caseUrl")), (None, None), "{after}");
    }
}

/// Follows the feed from its beginning until it has had this many events of opened and closed cases.
async fn follow(api: Api, count: usize) -> Vec<Value> {
    let (mut seen, mut query): (Vec<Value>, String) = (Vec::new(), "limit=7&wait=5".to_owned());
    while seen.iter().filter(|event| is_change(event)).count() < count {
        let page = page(&api, &query).await;
        seen.extend(listed(&page));
        query = format!("limit=7&wait=5&after={}", cursor(&page));
    }
    seen
}

fn is_change(event: &Value) -> bool {
    ["created", "closed"].contains(&text(event, "kind"))
}

/// Long transactions that open many cases, and short ones that open and close one, end in another order than they begin.
async fn nothing_is_skipped_and_nothing_comes_twice_while_many_cases_change(server: TestServer) {
    const BULKS: usize = 6;
    const IN_BULK: usize = 50;
    const SINGLE: usize = 24;
    let (api, _receiver) = acme_on(&server).await;
    let expected = BULKS * IN_BULK + 2 * SINGLE;
    let readers = [tokio::spawn(follow(api.clone(), expected)), tokio::spawn(follow(api.clone(), expected))];
    let mut writers = JoinSet::new();
    for _ in 0..BULKS {
        let api = api.clone();
        writers.spawn(async move {
            let body = Value::from(vec![json!({ "frameId": SHORT_FRAME }); IN_BULK]);
            let answer = api.post("/cases/bulk-create", &body).await.expect(200).json();
            assert_eq!(answer["success"].as_array().map(Vec::len), Some(IN_BULK), "{answer}");
        });
    }
    for _ in 0..SINGLE {
        let api = api.clone();
        writers.spawn(async move {
            let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
            close(&api, case).await.expect(200);
        });
    }
    while let Some(written) = writers.join_next().await {
        written.expect("a writer ends");
    }

    let cases = api.get("/cases?format=metadata").await.expect(200).json();
    let mut wanted: BTreeMap<i64, Vec<&str>> = BTreeMap::new();
    for case in cases.as_array().expect("an array") {
        let kinds = if case["closed"] == true { vec!["created", "closed"] } else { vec!["created"] };
        wanted.insert(case["id"].as_i64().expect("a number"), kinds);
    }
    assert_eq!(wanted.values().map(Vec::len).sum::<usize>(), expected);
    let (all, _) = read_all(&api).await;
    for reader in readers {
        let seen = timeout(AMPLE, reader).await.expect("the reader gets every event").expect("a reader ends");
        let cursors: BTreeSet<String> = seen.iter().map(cursor).collect();
        assert_eq!(cursors.len(), seen.len(), "each event has its own cursor");
        let mut found: BTreeMap<i64, Vec<&str>> = BTreeMap::new();
        for event in seen.iter().filter(|event| is_change(event)) {
            found.entry(event["caseId"].as_i64().expect("a number")).or_default().push(text(event, "kind"));
        }
        assert_eq!(found, wanted, "each change once, in its order");
        // Read again later, the feed is the same.
        let places = |event: &Value| (cursor(event), event["caseId"].clone());
        let both = seen.len().min(all.len());
        let seen: Vec<(String, Value)> = seen[..both].iter().map(places).collect();
        let again: Vec<(String, Value)> = all[..both].iter().map(places).collect();
        assert_eq!(seen, again);
    }
    // From any cursor, the feed continues with the next event.
    for pair in all.windows(2).step_by(40) {
        let next = page(&api, &format!("limit=1&after={}", cursor(&pair[0]))).await;
        assert_eq!(cursor(&listed(&next)[0]), cursor(&pair[1]));
        assert_eq!(cursor(&next), cursor(&pair[1]));
    }
}

async fn a_waiting_request_is_answered_when_something_happens(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let end = cursor(&page(&api, "").await);
    let started = Instant::now();
    let nothing = page(&api, &format!("wait=1&after={end}")).await;
    assert!(started.elapsed() >= Duration::from_secs(1), "{:?}", started.elapsed());
    assert_eq!((listed(&nothing).len(), cursor(&nothing)), (0, end.clone()));

    let waiter = api.clone();
    let waiting = tokio::spawn(async move { page(&waiter, &format!("wait=30&after={end}")).await });
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    let opened = Instant::now();
    let answer = waiting.await.expect("the request is answered");
    // About a second is promised; the rest is for a busy machine.
    assert!(opened.elapsed() < Duration::from_secs(15), "{:?}", opened.elapsed());
    assert_eq!((&answer["events"][0]["caseId"], &answer["events"][0]["kind"]), (&json!(case), &json!("created")));
    // If there is an event, nothing waits.
    let started = Instant::now();
    assert_eq!(listed(&page(&api, "wait=30").await).len(), 1);
    assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
}

async fn only_so_many_requests_of_a_company_wait(server: TestServer) {
    const WAITING: usize = 8;
    const FURTHER: usize = 4;
    let (api, _receiver) = acme_on(&server).await;
    let mut requests = JoinSet::new();
    for _ in 0..WAITING + FURTHER {
        let api = api.clone();
        requests.spawn(async move { page(&api, "wait=30").await });
    }
    // The further ones are answered at once.
    for _ in 0..FURTHER {
        let answer = requests.join_next().await.expect("a request").expect("it is answered");
        assert_eq!(answer["events"], json!([]));
    }
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    for _ in 0..WAITING {
        let answer = requests.join_next().await.expect("a request").expect("it is answered");
        assert_eq!(answer["events"][0]["caseId"], case);
    }
}

async fn another_company_sees_nothing(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let other = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    let own = events_of(&api, case, &["created"]).await;
    assert_eq!(page(&other, "").await["events"], json!([]));
    // Feeds are counted separately: the cursor says nothing about other companies.
    let refused = other.get(&format!("/v2/events?after={}", cursor(&own[0]))).await.expect(410).error_message();
    assert!(refused.contains("without after"), "{refused}");
}

async fn a_user_who_is_removed_while_waiting_gets_nothing(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let reader = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    let waiting = tokio::spawn(async move { reader.get("/v2/events?wait=30").await });
    server.must_apply(&without_user(&acme(&receiver), ACME_READER.user_id));
    open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    waiting.await.expect("the request is answered").expect(401).error_message();
}

async fn a_wrong_query_is_refused(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    for (query, message) in [
        ("after=x", "after must be a cursor from an answer of the feed, got the text \"x\""),
        ("after=", "after must be a cursor from an answer of the feed, got the text \"\""),
        ("limit=0", "limit must be a whole number from 1 to 100, got the text \"0\""),
        ("limit=101", "limit must be a whole number from 1 to 100, got the text \"101\""),
        ("wait=31", "wait must be a whole number of seconds from 0 to 30, got the text \"31\""),
        ("wait=1&wait=2", "wait must be given once"),
    ] {
        assert_eq!(api.get(&format!("/v2/events?{query}")).await.expect(400).error_message(), message);
    }
    let all = api.get("/v2/events?limit=-1&wait=x").await.expect(400).error_message();
    assert!(all.contains("limit must") && all.contains("wait must"), "{all}");
    api.with_token(None).get("/v2/events").await.expect(401).error_message();
}

/// What one node's requests cause is read on the other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_have_one_feed() {
    const CASES: usize = 20;
    if !postgres::is_there() {
        return;
    }
    let server = TestServer::start(Database::Postgres).await;
    let (api, _receiver) = acme_on(&server).await;
    let node = server.another_node().await;
    let other = Api::new(&node.base_url(), api.token.clone());
    let readers = [&api, &other].map(|api| tokio::spawn(follow(api.clone(), 2 * CASES)));
    for turn in 0..CASES {
        let api = [&api, &other][turn % 2];
        let case = open_case(api, &json!({ "frameId": SHORT_FRAME })).await;
        close([&other, api][turn / 2 % 2], case).await.expect(200);
    }
    let mut feeds = Vec::new();
    for reader in readers {
        let seen = timeout(AMPLE, reader).await.expect("the reader gets every event").expect("a reader ends");
        let places = |event: &Value| (cursor(event), event["caseId"].clone(), event["kind"].clone());
        feeds.push(seen.iter().map(places).collect::<Vec<_>>());
    }
    let both = feeds[0].len().min(feeds[1].len());
    assert_eq!(feeds[0][..both], feeds[1][..both]);
}
