//! Signing in to the console by an `OpenID` Connect provider: users made from claims, tokens that must not be believed, and
//! what changes when the provider says something else.

mod changes;
mod foreign_provider;

use hyper::Method;
use serde_json::{Value, json};

use crate::{
    console::{PASSWORD, Person, must_add_user},
    support::{
        Answer, Database, TestServer,
        client::send,
        company_manifest::{borealis, cosmos},
        issuer::{CLIENT_SECRET, Forgery, Issuer, Key, now},
        on_both_databases,
        openid_sign_in::{Begun, come_back, cookie},
        rows::Rows,
        server::said,
    },
};

/// Where a person goes who goes nowhere else.
const CASES: &str = "/console/cases";

on_both_databases!(
    the_first_sign_in_makes_a_user_with_role_and_company,
    a_token_that_is_not_for_this_sign_in_makes_no_user,
    a_callback_that_this_browser_did_not_ask_for_is_refused,
    without_a_role_and_a_company_no_one_comes_in,
);

async fn the_first_sign_in_makes_a_user_with_role_and_company(mut server: TestServer) {
    let issuer = set_up(&mut server).await;
    let page = Person::new(&server).get("/console/sign-in").await.expect(200).text();
    assert!(page.contains("href=\"/console/sign-in/openid?next=%2Fconsole%2Fcases\""), "{page}");
    assert!(page.contains("Sign in with your organisation"), "{page}");
    assert_eq!(issuer.asked("metadata"), 0, "no one is asked before the first sign-in");

    let begun = begin(&server, "next=%2Fconsole%2Faccount").await;
    let attributes: Vec<&str> = begun.set_cookie.split("; ").skip(1).collect();
    assert_eq!(attributes, ["Path=/", "Max-Age=600", "HttpOnly", "SameSite=Lax"]);
    let answer = come_back(&server, Some(&begun.cookie), &issuer.authorize(&begun.location)).await.expect(303);
    assert_eq!(answer.header("location"), Some("/console/account"));
    assert_eq!(
        (answer.header("cache-control"), answer.header("referrer-policy")),
        (Some("no-store"), Some("no-referrer"))
    );
    assert_eq!(cookie(&answer, ATTEMPT).as_deref(), Some(ATTEMPT), "the sign-in is over");
    let maria = Person { cookie: cookie(&answer, SESSION).expect("a session"), ..Person::new(&server) };
    let page = maria.get("/console/account").await.expect(200).text();
    for expected in ["Maria R.", "maria", "Reviewer", "Borealis Mutual (8)", "Your organisation signs you in"] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    assert!(!page.contains("name=\"new\"") && !page.contains("second-factor"), "{page}");
    maria.get("/console/users").await.expect(403);

    // A user of the provider cannot set a password, or sign in with one.
    let fields = [("current", ""), ("new", "a heron at low tide")];
    let refused = maria.post("/console/account/password", &fields).await.expect(400).text();
    assert!(refused.contains("the account has no password"), "{refused}");
    let refused = maria.post("/console/account/second-factor/start", &[]).await.expect(400).text();
    assert!(refused.contains("your organisation signs you in"), "{refused}");
    for password in ["", PASSWORD] {
        Person::new(&server).sign_in("maria", password).await.expect(401);
    }
    let variable = "CONSOLE_TEST_PASSWORD";
    let output = server.run_with(&["user", "reset", "maria", "--password-env", variable], &[(variable, PASSWORD)]);
    assert!(!output.status.success() && said(&output).contains("signs in through the provider"), "{}", said(&output));
    let listed = said(&server.run(&["user", "list"]));
    assert!(listed.contains("maria") && listed.contains("provider"), "{listed}");
    let listed = said(&server.run(&["user", "list", "--json"]));
    assert!(listed.contains(&issuer.url), "{listed}");

    // The second sign-in finds the user, and is another session.
    let again = signed_in(&server, &issuer).await;
    let page = again.get("/console/account").await.expect(200).text();
    assert_eq!(page.matches("/console/account/sessions/").count(), 2, "{page}");
    assert_eq!(users(&server).await, [("maria".to_owned(), "reviewer".to_owned(), Some(8))]);
    let hashes: Vec<(Option<String>,)> = Rows::of(&server).await.all("select password_hash from console_users").await;
    assert_eq!(hashes, [(None,)]);
    let records: Vec<(String, String, String)> = Rows::of(&server)
        .await
        .all("select actor, action, outcome from audit_records where detail like '%openid' order by id")
        .await;
    let record = |action: &str| ("maria".to_owned(), action.to_owned(), "done".to_owned());
    assert_eq!(records, [record("addUser"), record("signIn"), record("signIn")]);

    // Nothing that is secret is in the log.
    let log = server.log();
    let secrets = [&begun.cookie[ATTEMPT.len()..], &maria.cookie[SESSION.len()..], CLIENT_SECRET, "not used"];
    assert!(secrets.iter().all(|secret| !log.contains(secret)), "a secret is in the log");
}

async fn a_token_that_is_not_for_this_sign_in_makes_no_user(mut server: TestServer) {
    let issuer = set_up(&mut server).await;
    let forgeries: [(&str, &str, Forgery); 8] = [
        ("the nonce of another sign-in", "nonce mismatch", |_, claims| claims["nonce"] = json!("0".repeat(64))),
        ("no nonce", "missing nonce", |_, claims| claims["nonce"] = json!(null)),
        ("another audience", "Invalid audiences", |_, claims| claims["aud"] = json!("another client")),
        ("another client in azp", "another client (azp)", |_, claims| claims["azp"] = json!("another client")),
        ("another issuer", "Invalid issuer", |_, claims| claims["iss"] = json!("https://login.example")),
        ("expired", "Expired", |_, claims| claims["exp"] = json!(now() - 1)),
        ("none, with a signature", "No signature found", |header, _| header["alg"] = json!("none")),
        ("a symmetric algorithm", "Disallowed signature algorithm", |header, _| header["alg"] = json!("HS256")),
    ];
    for (what, reason, forge) in forgeries {
        issuer.change(|behaviour| behaviour.forge = Some(forge));
        refused(&server, &issuer, 400, what, reason).await;
    }
    issuer.change(|behaviour| behaviour.forge = None);
    for (what, reason, key) in [
        ("another key under the same name", "Crypto error", Key::ecdsa("foreign").called("first")),
        ("the client's secret as a key", "Disallowed signature algorithm", Key::secret(CLIENT_SECRET)),
    ] {
        issuer.change(|behaviour| behaviour.signs_with = key);
        refused(&server, &issuer, 400, what, reason).await;
    }
    assert!(users(&server).await.is_empty());
    let failed: Vec<(i64,)> = Rows::of(&server)
        .await
        .all("select count(*) from audit_records where action = 'signIn' and outcome = 'failed' and detail = 'openid'")
        .await;
    assert_eq!(failed, [(10,)]);
    issuer.change(|behaviour| behaviour.signs_with = Key::ecdsa("first"));
    signed_in(&server, &issuer).await;
}

async fn a_callback_that_this_browser_did_not_ask_for_is_refused(mut server: TestServer) {
    let issuer = set_up(&mut server).await;
    issuer.change(|behaviour| behaviour.takes_codes_twice = true);
    let (mine, other) = (begin(&server, "").await, begin(&server, "").await);
    let (callback, foreign) = (issuer.authorize(&mine.location), issuer.authorize(&other.location));
    let twice = format!("{callback}&state=x");
    let changed = mine.cookie.replace("v1:", "v1:A");
    let nothing = "/console/sign-in/openid/callback".to_owned();
    for (what, cookie, address) in [
        ("no cookie", None, &callback),
        ("the sign-in of another browser", Some(&mine.cookie), &foreign),
        ("two states", Some(&mine.cookie), &twice),
        ("nothing", Some(&mine.cookie), &nothing),
        ("a changed cookie", Some(&changed), &callback),
    ] {
        let answer = come_back(&server, cookie.map(String::as_str), address).await;
        assert_eq!(answer.status, 400, "{what}");
        assert!(answer.text().contains("was not finished"), "{what}: {}", answer.text());
        // Requests of others do not end the person's own sign-in.
        assert!(answer.header("set-cookie").is_none(), "{what}");
    }
    assert_eq!(issuer.asked("token"), 0, "the provider is not asked for any of them");
    let head = server.anonymous().request(Method::HEAD, &callback).header("cookie", &mine.cookie);
    send(head).await.expect(405);
    come_back(&server, Some(&mine.cookie), &callback).await.expect(303);
    // A state begins one session, even if the provider takes its code twice.
    let answer = come_back(&server, Some(&mine.cookie), &callback).await.expect(400);
    assert_eq!(cookie(&answer, SESSION), None);
    for (what, change) in [
        ("another issuer", "iss=https%3A%2F%2Flogin.example&code=x"),
        ("the person's refusal", "error=access_denied"),
        ("no code", "code="),
    ] {
        let begun = begin(&server, "").await;
        let address = format!("/console/sign-in/openid/callback?state={}&{change}", begun.state());
        let answer = come_back(&server, Some(&begun.cookie), &address).await;
        assert_eq!((answer.status.as_u16(), cookie(&answer, SESSION)), (400, None), "{what}");
        assert_eq!(cookie(&answer, ATTEMPT).as_deref(), Some(ATTEMPT), "{what}");
    }

    // Another site cannot begin it, and no one is led to another site after it.
    let from_elsewhere = server.anonymous().request(Method::GET, "/console/sign-in/openid");
    let answer = send(from_elsewhere.header("sec-fetch-site", "cross-site")).await.expect(303);
    assert_eq!((answer.header("location"), answer.header("set-cookie")), (Some("/console/sign-in"), None));
    for next in ["https%3A%2F%2Fevil.example", "%2F%2Fevil.example", "%2Fconsole%2F%5Cevil.example"] {
        let begun = begin(&server, &format!("next={next}")).await;
        let answer = come_back(&server, Some(&begun.cookie), &issuer.authorize(&begun.location)).await.expect(303);
        assert_eq!(answer.header("location"), Some(CASES), "{next}");
    }
    // The session that the browser had before ends.
    let before = signed_in(&server, &issuer).await;
    let begun = Begun::of(&before.get("/console/sign-in/openid").await.expect(303));
    come_back(&server, Some(&begun.cookie), &issuer.authorize(&begun.location)).await.expect(303);
    before.get("/console/account").await.expect(303);
}

async fn without_a_role_and_a_company_no_one_comes_in(mut server: TestServer) {
    let issuer = set_up(&mut server).await;
    for (claims, reason) in [
        (json!({}), "no claim"),
        (json!({ "sealwright_company": 8 }), "no claim"),
        (json!({ "sealwright_role": "king", "sealwright_company": 8 }), "no value that gives a role"),
        (json!({ "sealwright_role": "Reviewer", "sealwright_company": 8 }), "no value that gives a role"),
        (json!({ "sealwright_role": "reviewer" }), "a user with the role reviewer needs a company"),
        (json!({ "sealwright_role": "reviewer", "sealwright_company": 99 }), "99 does not exist"),
        (json!({ "sealwright_role": "reviewer", "sealwright_company": "Borealis" }), "not the identifier of a company"),
        (json!({ "sealwright_role": "operator", "sealwright_company": 8 }), "an operator belongs to the installation"),
    ] {
        issuer.change(|behaviour| behaviour.claims = claims.clone());
        refused(&server, &issuer, 403, &claims.to_string(), reason).await;
    }
    assert!(users(&server).await.is_empty());
    let records: Vec<(String, String)> = Rows::of(&server)
        .await
        .all("select distinct actor, detail from audit_records where action = 'signIn' and outcome = 'refused'")
        .await;
    assert_eq!(records, [("unknown".to_owned(), "openid".to_owned())]);
    // Failures are limited, and the provider is left alone then.
    for _ in 8..20 {
        assert_eq!(by_provider(&server, &issuer).await.status, 403);
    }
    let asked = issuer.asked("token");
    let limited = by_provider(&server, &issuer).await.expect(429);
    assert!(limited.text().contains("wait a minute"), "{}", limited.text());
    assert_eq!(issuer.asked("token"), asked);
    // The password is counted on its own.
    must_add_user(&server, "root", &["--role", "operator"]);
    Person::signed_in(&server, "root").await;
}

const ATTEMPT: &str = "sealwright-console-sign-in=";
const SESSION: &str = "sealwright-console=";

/// A server whose console uses an issuer, with Borealis (8) and Cosmos (20) on it. The issuer says that Maria reviews for
/// Borealis.
async fn set_up(server: &mut TestServer) -> Issuer {
    let issuer = Issuer::start().await;
    issuer.change(|behaviour| behaviour.claims = maria("reviewer", 8));
    for (name, value) in issuer.console_settings() {
        server.set(name, &value);
    }
    server.restart().await;
    server.must_apply_all(&[borealis(), cosmos()]);
    issuer
}

fn maria(role: &str, company: i64) -> Value {
    json!({
        "sealwright_role": role, "sealwright_company": company, "preferred_username": "maria", "name": "Maria R.",
    })
}

/// Username, role and company of every user.
async fn users(server: &TestServer) -> Vec<(String, String, Option<i64>)> {
    Rows::of(server).await.all("select username, role, company_id from console_users order by id").await
}

async fn begin(server: &TestServer, query: &str) -> Begun {
    let begun = Begun::of(&server.anonymous().get(&format!("/console/sign-in/openid?{query}")).await.expect(303));
    assert!(begun.cookie.starts_with(ATTEMPT), "{}", begun.cookie);
    begun
}

/// The whole way of the issuer's person.
async fn by_provider(server: &TestServer, issuer: &Issuer) -> Answer {
    let begun = begin(server, "").await;
    come_back(server, Some(&begun.cookie), &issuer.authorize(&begun.location)).await
}

/// The issuer's person, signed in.
async fn signed_in(server: &TestServer, issuer: &Issuer) -> Person {
    let answer = by_provider(server, issuer).await.expect(303);
    assert_eq!(answer.header("location"), Some(CASES));
    Person { cookie: cookie(&answer, SESSION).expect("a session"), ..Person::new(server) }
}

/// Requires that the sign-in is refused, with this status and for this reason.
async fn refused(server: &TestServer, issuer: &Issuer, status: u16, what: &str, reason: &str) {
    let before = server.log().len();
    let answer = by_provider(server, issuer).await;
    assert_eq!((answer.status.as_u16(), cookie(&answer, SESSION)), (status, None), "{what}: {}", answer.text());
    assert!(answer.text().contains("You are not signed in"), "{what}: {}", answer.text());
    let log = server.log().split_off(before);
    assert!(log.contains(reason), "{what}: {log}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_who_signs_out_is_led_to_the_provider_to_sign_out_there_too() {
    for ends_sessions in [true, false] {
        let mut server = TestServer::start(Database::Sqlite).await;
        let issuer = set_up(&mut server).await;
        issuer.change(|behaviour| behaviour.ends_sessions = ends_sessions);
        let maria = signed_in(&server, &issuer).await;
        let answer = maria.post("/console/sign-out", &[]).await.expect(303);
        assert!(answer.header("set-cookie").unwrap().contains("Max-Age=0"));
        maria.get("/console/account").await.expect(303);
        let page = maria.get(answer.header("location").unwrap()).await.expect(200).text();
        assert!(page.contains("You are signed out."), "{page}");
        let address = format!("{}/end?client_id=", issuer.url);
        assert_eq!(page.contains(&address) && page.contains("Sign out there too"), ends_sessions, "{page}");
        // Another person can sign in on this device.
        assert!(page.contains("&amp;prompt=login"), "{page}");
        let begun = begin(&server, "prompt=login").await;
        assert!(begun.location.contains("&prompt=login"), "{}", begun.location);
        assert!(!begin(&server, "prompt=none").await.location.contains("prompt"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_that_is_away_stops_no_one_with_a_password() {
    let mut server = TestServer::start(Database::Sqlite).await;
    let mut issuer = set_up(&mut server).await;
    must_add_user(&server, "root", &["--role", "operator"]);
    issuer.stop();
    let page = server.anonymous().get("/console/sign-in/openid").await.expect(503).text();
    assert!(page.contains("does not answer"), "{page}");
    Person::signed_in(&server, "root").await;
    // Without the provider in the settings its users are signed out.
    issuer.resume().await;
    server.restart().await;
    let maria = signed_in(&server, &issuer).await;
    for (name, _) in issuer.console_settings() {
        server.set(name, "");
    }
    server.restart().await;
    maria.get("/console/account").await.expect(303);
    let page = server.anonymous().get("/console/sign-in").await.expect(200).text();
    assert!(!page.contains("your organisation"), "{page}");
    server.anonymous().get("/console/sign-in/openid").await.expect(404);
}
