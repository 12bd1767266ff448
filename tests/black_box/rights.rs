//! Rights and isolation (spec 5, decisions 2 and 3): every operation, by every kind of caller, on open, closed, foreign
//! and missing cases. Each answer has its status and reveals nothing about another company, and a refusal changes
//! nothing.

mod bodies;
mod table;
mod world;

use std::collections::BTreeSet;

use hyper::Method;
use serde_json::json;

use self::{
    table::{Expected, Row, TABLE},
    world::{COBALT, Company, PEREGRINE, RIGHTS, Target, World, XENOLITH, rows_of},
};
use crate::support::{
    AMPLE, Answer, Api, EFFECT, TestServer, client::send, eventually, jwt::signed_by_another_key, on_both_databases,
    rows::Rows,
};

on_both_databases!(
    spec_5_rule_1_no_one_gets_in_without_a_valid_token,
    spec_5_rule_4_each_operation_asks_for_its_rights_and_no_others,
    spec_5_rule_5_a_case_is_accessible_to_its_company_only,
    a_head_changes_nothing_and_options_are_refused,
);

#[test]
fn the_walk_covers_each_operation_and_each_right() {
    let keys: BTreeSet<String> = TABLE.iter().map(Row::key).collect();
    assert_eq!(keys.len(), TABLE.len());
    for right in RIGHTS {
        assert!(
            TABLE.iter().any(|row| row.allows(&RIGHTS) && !row.allows(&without(right))),
            "no operation needs {right}"
        );
    }
}

async fn spec_5_rule_1_no_one_gets_in_without_a_valid_token(mut server: TestServer) {
    server.set("SEALWRIGHT_TOKEN_LIFETIME", "1s");
    without_jobs(&mut server).await;
    let world = World::build(&server).await;
    let expired = world.cobalt.token.clone().expect("a token");
    server.set("SEALWRIGHT_TOKEN_LIFETIME", "1h");
    server.restart().await;
    let world = world.signed_in_again(&server).await;
    let good = world.cobalt.token.clone().expect("a token");
    let elsewhere = signed_by_another_key(&good);
    let stale = world.cobalt.with_token(Some(&expired));
    eventually("the token expires", EFFECT, async || (stale.get("/frames").await.status == 401).then_some(())).await;

    let mut rows = Rows::of(&server).await;
    let mut targets = targets(&world, COBALT).await;
    let foreign = ("foreign", world.target(XENOLITH, false).await);
    targets.push(foreign);
    for row in TABLE.iter().filter(|row| !row.is_public()) {
        for (state, target) in &targets {
            let callers = [None, Some("x"), Some(&good[1..]), Some(&expired), Some(&elsewhere), Some(&world.gone)];
            for (caller, token) in
                ["no token", "malformed", "cut", "expired", "of another key", "taken away"].iter().zip(callers)
            {
                let what = format!("{} {state} by {caller}", row.key());
                let before = rows_of(&mut rows, COBALT).await;
                let answer = send((row.ask)(&world.cobalt.with_token(token), target)).await;
                Expected::Status(401).check(&answer, &what);
                assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{what}");
                assert_reveals_nothing(&answer, COBALT, &what);
                assert_eq!(rows_of(&mut rows, COBALT).await, before, "{what}");
            }
        }
    }
    // A public operation ignores the token.
    for row in TABLE.iter().filter(|row| row.is_public()) {
        for (state, target) in targets.iter().filter(|(state, _)| *state != "foreign") {
            let expected = if *state == "missing" { row.missing } else { row.open };
            for token in [None, Some("x"), Some(expired.as_str()), Some(good.as_str())] {
                let answer = send((row.ask)(&world.cobalt.with_token(token), target)).await;
                expected.check(&answer, &format!("{} {state}", row.key()));
            }
        }
    }
}

async fn spec_5_rule_4_each_operation_asks_for_its_rights_and_no_others(mut server: TestServer) {
    without_jobs(&mut server).await;
    let world = World::build(&server).await;
    let mut rows = Rows::of(&server).await;
    let mut fixed = targets(&world, COBALT).await;
    fixed.push(("foreign", world.target(XENOLITH, false).await));
    for row in TABLE.iter().filter(|row| !row.is_public()) {
        for caller in &world.users {
            if row.allows(&caller.rights) {
                for (state, expected) in [("open", row.open), ("closed", row.closed)] {
                    let target = world.target(COBALT, state == "closed").await;
                    let before = rows_of(&mut rows, COBALT).await;
                    let what = format!("{} {state} by {}", row.key(), caller.name);
                    expected.check(&send((row.ask)(&caller.api, &target)).await, &what);
                    if expected.is_refusal() {
                        assert_eq!(rows_of(&mut rows, COBALT).await, before, "{what}");
                    }
                }
                let answer = send((row.ask)(&caller.api, &Target::missing())).await;
                let whole_company = row.missing == Expected::Status(200);
                assert!(whole_company || answer.status != 403 || row.missing == Expected::Status(403), "{}", row.key());
                row.missing.check(&answer, &format!("{} missing by {}", row.key(), caller.name));
            } else {
                // Checked before anything else: also for foreign and missing cases, and for malformed requests.
                for (state, target) in &fixed {
                    let what = format!("{} {state} by {}", row.key(), caller.name);
                    let before = rows_of(&mut rows, COBALT).await;
                    let answer = send((row.ask)(&caller.api, target)).await;
                    Expected::Status(403).check(&answer, &what);
                    assert!(answer.error_message().contains("p_api:"), "{what}: the right is named");
                    assert_reveals_nothing(&answer, XENOLITH, &what);
                    assert_eq!(rows_of(&mut rows, COBALT).await, before, "{what}");
                }
                let path =
                    row.path.replace(":caseId", "x").replace(":magicLinkToken", "x").replace(":reportToken", "x");
                let nonsense = caller.api.request(row.method.clone(), &path).body("{");
                Expected::Status(403).check(&send(nonsense).await, &format!("{} {path} by {}", row.key(), caller.name));
            }
        }
    }
}

async fn spec_5_rule_5_a_case_is_accessible_to_its_company_only(mut server: TestServer) {
    without_jobs(&mut server).await;
    let world = World::build(&server).await;
    let mut rows = Rows::of(&server).await;
    for (caller, owner) in
        [(XENOLITH, COBALT), (PEREGRINE, COBALT), (COBALT, PEREGRINE), (COBALT, XENOLITH), (XENOLITH, PEREGRINE)]
    {
        let is_parent = (caller, owner) == (PEREGRINE, COBALT);
        for row in &TABLE {
            for (state, is_closed) in [("open", false), ("closed", true)] {
                let expected = match row.of_child {
                    Some((open, closed)) if is_parent => {
                        if is_closed {
                            closed
                        } else {
                            open
                        }
                    }
                    _ => row.foreign,
                };
                let target = world.target(owner, is_closed).await;
                let before = rows_of(&mut rows, owner).await;
                let what = format!("{} of {} {state} by {}", row.key(), owner.name, caller.name);
                let answer = send((row.ask)(world.of(caller), &target)).await;
                expected.check(&answer, &what);
                if row.is_public() {
                    continue;
                }
                assert_reveals_nothing(&answer, owner, &what);
                if expected.is_refusal() || !(is_parent && row.of_child.is_some()) {
                    assert_eq!(rows_of(&mut rows, owner).await, before, "{what}");
                }
            }
        }
    }
    // The workers give events their places in the feeds, which were empty so far.
    server.restart_as("all").await;
    for caller in [PEREGRINE, COBALT, XENOLITH] {
        let feed = eventually("the feed has events", AMPLE, async || {
            let answer = world.of(caller).get("/v2/events").await.expect(200);
            (answer.json()["events"] != json!([])).then_some(answer)
        })
        .await;
        for other in [PEREGRINE, COBALT, XENOLITH].into_iter().filter(|other| *other != caller) {
            assert_reveals_nothing(&feed, other, &format!("the feed of {}", caller.name));
        }
    }
}

/// `HEAD` is answered like `GET`. A closing is a `GET` with an effect (spec 4.6 and 4.7) and has no `HEAD`. Nothing has
/// `OPTIONS`: the interface is for servers, and pages of other origins must be kept out.
async fn a_head_changes_nothing_and_options_are_refused(server: TestServer) {
    let world = World::build(&server).await;
    let mut rows = Rows::of(&server).await;
    let target = world.target(COBALT, false).await;
    let before = rows_of(&mut rows, COBALT).await;
    for row in &TABLE {
        let path = path_of(&send_to(row, &world.cobalt, &target));
        let head = send(world.cobalt.request(Method::HEAD, &path)).await;
        let closes = row.path.starts_with("/cases/close/");
        let asks = row.method == Method::GET && !closes;
        let found = if row.open == Expected::Status(404) { 404 } else { 200 };
        assert_eq!(head.status, if asks { found } else { 405 }, "HEAD {path}");
        assert!(head.body.is_empty(), "HEAD {path}");
        if asks {
            let get = send((row.ask)(&world.cobalt, &target)).await;
            assert_eq!(head.header("content-type"), get.header("content-type"), "HEAD {path}");
            let left =
                |answer: &Answer| answer.header("x-ratelimit-remaining").map(|left| left.parse::<i64>().unwrap());
            assert_eq!(left(&head).map(|left| left - 1), left(&get), "HEAD {path} is counted with GET");
        }
        let options = send(world.cobalt.request(Method::OPTIONS, &path)).await;
        options.clone().expect(405).error_message();
        let allowed = options.header("allow").unwrap_or_else(|| panic!("405 names the methods: OPTIONS {path}"));
        assert!(allowed.split(',').any(|method| method.trim() == row.method.as_str()), "{path}: {allowed}");
        assert!(!closes || !allowed.contains("HEAD"), "{path}: {allowed}");
        // No page of another origin is allowed to call it.
        assert!(
            options.headers.keys().all(|name| !name.as_str().starts_with("access-control-")),
            "{:?}",
            options.headers
        );
    }
    assert_eq!(rows_of(&mut rows, COBALT).await, before);
}

/// Restarts the server without its workers. Hundreds of cases are closed here, and nothing depends on their certificates.
async fn without_jobs(server: &mut TestServer) {
    server.restart_as("api").await;
}

fn send_to(row: &Row, api: &Api, target: &Target) -> reqwest::Request {
    (row.ask)(api, target).build().expect("a request")
}

/// The path with the query.
fn path_of(request: &reqwest::Request) -> String {
    let query = request.url().query().map(|query| format!("?{query}")).unwrap_or_default();
    format!("{}{query}", request.url().path())
}

async fn targets(world: &World, company: Company) -> Vec<(&'static str, Target)> {
    vec![
        ("open", world.target(company, false).await),
        ("closed", world.target(company, true).await),
        ("missing", Target::missing()),
    ]
}

fn without(right: &str) -> Vec<&'static str> {
    RIGHTS.into_iter().filter(|other| *other != right).collect()
}

/// All private data of a company contains its name.
fn assert_reveals_nothing(answer: &Answer, owner: Company, what: &str) {
    let headers = format!("{:?}", answer.headers);
    for text in [answer.text(), headers] {
        assert!(!text.contains(owner.name), "{what} reveals {}: {text}", owner.name);
    }
}
