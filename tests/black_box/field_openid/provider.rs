//! The provider's failures and requirements, several nodes, and the settings.

use std::time::{Duration, Instant};

use super::{ExpectSession as _, begin, by_provider, come_back, cookie, refused, set_up};
use crate::{
    field::sign_in,
    support::{
        AMPLE, Database, TestServer,
        company_manifest::ACME_FIELD,
        eventually,
        issuer::{Issuer, Key},
        postgres,
        server::said,
    },
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_that_is_away_stops_no_one_with_a_password() {
    let mut server = TestServer::start(Database::Sqlite).await;
    let (_api, _receiver, mut issuer) = set_up(&mut server).await;
    let away = "/field#sign-in-unavailable";
    let start = async |server: &TestServer| {
        let answer = server.anonymous().get("/field/sign-in").await.expect(303);
        answer.header("location").unwrap().to_owned()
    };
    issuer.stop();
    assert_eq!(start(&server).await, away);
    sign_in(&server, ACME_FIELD).await;
    // A failure is remembered for a few seconds: no one waits for the same answer again.
    issuer.resume().await;
    assert_eq!(start(&server).await, away);
    let asked = issuer.asked("metadata");
    assert_eq!(asked, 0);
    let asked_again = async || {
        // Below the quota of sign-ins.
        tokio::time::sleep(Duration::from_millis(400)).await;
        (start(&server).await != away).then_some(())
    };
    eventually("the provider is asked again", AMPLE, asked_again).await;

    // Its metadata is known; the token endpoint fails.
    for status in [500, 502, 503, 429] {
        let begun = begin(&server).await;
        let callback = issuer.authorize(&begun.location);
        issuer.change(|behaviour| behaviour.status = Some(hyper::StatusCode::from_u16(status).unwrap()));
        let answer = come_back(&server, Some(&begun.cookie), &callback).await;
        assert_eq!(answer.header("location"), Some(away), "{status}");
        issuer.change(|behaviour| behaviour.status = None);
    }
    // It is slow.
    issuer.change(|behaviour| behaviour.delay = Duration::from_mins(5));
    let begun = begin(&server).await;
    let (callback, started) = (issuer.authorize(&begun.location), Instant::now());
    let answer = come_back(&server, Some(&begun.cookie), &callback).await;
    assert_eq!(answer.header("location"), Some(away));
    assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
    issuer.change(|behaviour| behaviour.delay = Duration::ZERO);
    let begun = begin(&server).await;
    let callback = issuer.authorize(&begun.location);
    issuer.stop();
    let answer = come_back(&server, Some(&begun.cookie), &callback).await;
    assert_eq!(answer.header("location"), Some(away));
    issuer.resume().await;
    by_provider(&server, &issuer).await.expect("the provider is back");
    assert!(server.log().contains("a sign-in by the provider failed"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_key_of_the_provider_is_believed_at_once_and_a_withdrawn_one_is_not() {
    let mut server = TestServer::start(Database::Sqlite).await;
    let (_api, _receiver, issuer) = set_up(&mut server).await;
    by_provider(&server, &issuer).await.expect("a session");
    let (old, new) = (Key::ecdsa("first"), Key::rsa());
    issuer.change(|behaviour| {
        behaviour.published = vec![new.clone()];
        behaviour.signs_with = new;
    });
    by_provider(&server, &issuer).await.expect("a session with the new key, which is RSA");
    assert_eq!(issuer.asked("keys"), 2);
    issuer.change(|behaviour| behaviour.signs_with = old);
    refused(&server, &issuer, "a withdrawn key", "No matching key found").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_may_want_the_secret_in_the_body_and_the_person_s_credentials_again() {
    let mut server = TestServer::start(Database::Sqlite).await;
    let (_api, _receiver, issuer) = set_up(&mut server).await;
    issuer.change(|behaviour| behaviour.secret_in_body = true);
    by_provider(&server, &issuer).await.expect("a session");
    let ask = async |path: &str| server.anonymous().get(path).await.expect(303).header("location").unwrap().to_owned();
    assert!(ask("/field/sign-in?prompt=login").await.contains("&prompt=login"));
    for path in ["/field/sign-in", "/field/sign-in?prompt=none", "/field/sign-in?prompt=login&prompt=login"] {
        assert!(!ask(path).await.contains("prompt"), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_node_finishes_a_sign_in_that_another_began() {
    if !postgres::is_there() {
        return;
    }
    let mut server = TestServer::start(Database::Postgres).await;
    let (_api, _receiver, issuer) = set_up(&mut server).await;
    let node = server.another_node().await;
    let begun = begin(&server).await;
    let callback = issuer.authorize(&begun.location).replace(&server.base_url(), &node.base_url());
    let session = come_back(&node, Some(&begun.cookie), &callback).await.expect_session();
    for server in [&server, &node] {
        server.anonymous().with_session(&session, "").get("/v2/field/session").await.expect(200);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_https_the_cookie_of_a_sign_in_is_bound_to_the_host() {
    let mut server = TestServer::start(Database::Sqlite).await;
    server.set("SEALWRIGHT_BASE_URL", "https://evidence.example");
    let (_api, _receiver, issuer) = set_up(&mut server).await;
    let begun = begin(&server).await;
    assert!(begun.set_cookie.starts_with("__Host-sealwright-sign-in=v1:"), "{}", begun.set_cookie);
    assert!(begun.set_cookie.ends_with("; HttpOnly; SameSite=Lax; Secure"), "{}", begun.set_cookie);
    // The way back is the public root, whatever the request's host.
    let callback = issuer.authorize(&begun.location);
    let back = callback.strip_prefix("https://evidence.example").expect("the public root");
    let answer = come_back(&server, Some(&begun.cookie), back).await;
    assert!(cookie(&answer, "__Host-sealwright-field=").is_some(), "{:?}", answer.headers);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_starts_without_its_provider_but_not_without_its_secret() {
    let mut server = TestServer::start(Database::Sqlite).await;
    let mut issuer = Issuer::start().await;
    issuer.stop();
    for (name, value) in issuer.settings() {
        server.set(name, &value);
    }
    server.restart().await;
    server.anonymous().get("/readyz").await.expect(200);
    server.kill();
    server.set("SEALWRIGHT_FIELD_OIDC_CLIENT_SECRET_ENV", "");
    let empty = server.folder().join("secret");
    std::fs::write(&empty, "\n").unwrap();
    for (file, expected) in
        [(empty.display().to_string(), "is empty"), ("/nowhere/secret".to_owned(), "/nowhere/secret")]
    {
        server.set("SEALWRIGHT_FIELD_OIDC_CLIENT_SECRET_FILE", &file);
        let output = server.run(&["serve"]);
        assert!(!output.status.success() && said(&output).contains(expected), "{}", said(&output));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn doctor_says_whether_the_provider_answers() {
    let mut server = TestServer::start(Database::Sqlite).await;
    let mut issuer = Issuer::start().await;
    for (name, value) in issuer.settings() {
        server.set(name, &value);
    }
    let redirect = format!("{}/field/signed-in", server.base_url());
    server.set("SEALWRIGHT_BASE_URL", &server.base_url());
    let output = server.run(&["doctor"]);
    assert!(said(&output).contains(&format!("its redirect URI must be {redirect}")), "{}", said(&output));
    server.set("SEALWRIGHT_FIELD_OIDC_PRIVATE_ADDRESSES", "10.0.0.0/8");
    let output = server.run(&["doctor"]);
    assert!(said(&output).contains("field.oidc_private_addresses"), "{}", said(&output));
    server.set("SEALWRIGHT_FIELD_OIDC_PRIVATE_ADDRESSES", "127.0.0.1");
    issuer.stop();
    let output = server.run(&["doctor"]);
    assert!(said(&output).contains("check field.oidc_issuer and the network"), "{}", said(&output));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_field_app_has_one_address() {
    let server = TestServer::start(Database::Sqlite).await;
    let answer = server.anonymous().get("/field/").await.expect(308);
    assert_eq!(answer.header("location"), Some("/field"));
}
