//! Signing in to the field app by an `OpenID` Connect provider: the way there and back, tokens that must not be believed,
//! and a provider that is away.

mod foreign_provider;
mod provider;

use hyper::Method;
use serde_json::json;

use crate::{
    field::{entry, person, sign_in},
    support::{
        AMPLE, Answer, Api, Receiver, TestServer,
        client::send,
        company_manifest::{ACME_API, ACME_FIELD, Credentials, SHORT_FRAME, acme, without_user},
        eventually,
        issuer::{CLIENT_SECRET, Forgery, Issuer, Key, SUBJECT, now},
        on_both_databases,
        openid_sign_in::{self, Begun, cookie},
        rows::Rows,
    },
};

/// Has no password.
const NORA: &str = "usr-acme-new";
/// The only step of the short frame.
const NOTE: i64 = 711;

on_both_databases!(
    a_person_signs_in_by_the_provider_and_closes_a_case,
    a_token_that_is_not_for_this_sign_in_begins_no_session,
    a_callback_that_this_browser_did_not_ask_for_is_refused,
    a_sign_in_begins_one_session_even_if_the_provider_takes_its_code_twice,
    an_unknown_person_gets_no_account_and_guesses_are_limited,
    a_session_ends_with_the_subject_that_began_it,
);

async fn a_person_signs_in_by_the_provider_and_closes_a_case(mut server: TestServer) {
    let (api, receiver, issuer) = set_up(&mut server).await;
    let page = server.anonymous().get("/field").await.expect(200).text();
    assert!(page.contains("data-provider=\"Harbour ID\""), "{page}");
    let by_mail = json!({ "frameId": SHORT_FRAME, "userMail": "new@acme.example" });
    api.post("/cases/create", &by_mail).await.expect(400);

    let begun = begin(&server).await;
    let attributes: Vec<&str> = begun.set_cookie.split("; ").skip(1).collect();
    assert_eq!(attributes, ["Path=/", "Max-Age=600", "HttpOnly", "SameSite=Lax"]);
    let answer = come_back(&server, Some(&begun.cookie), &issuer.authorize(&begun.location)).await;
    assert_eq!((answer.status.as_u16(), answer.header("location")), (303, Some("/field")), "{}", answer.text());
    assert_eq!(
        (answer.header("cache-control"), answer.header("referrer-policy")),
        (Some("no-store"), Some("no-referrer"))
    );
    let session = cookie(&answer, "sealwright-field=").expect("a session");
    assert_eq!(cookie(&answer, "sealwright-sign-in=").as_deref(), Some("sealwright-sign-in="), "the sign-in is over");
    let all = format!("{:?}", answer.headers);
    assert!(all.contains("SameSite=Strict"), "{all}");
    let nora = signed_in(&server, &session).await;
    let who = nora.get("/v2/field/session").await.expect(200).json();
    assert_eq!(who["user"], json!({ "userId": NORA, "name": "Nora New" }));

    // It is a session like any other, and a first sign-in counts as logged in once.
    let case = api.post("/cases/create", &by_mail).await.expect(201).json()["id"].as_i64().unwrap();
    let path = format!("/v2/capture/cases/{case}");
    nora.post(&format!("{path}/entries"), &entry(NOTE, "Everything is dry")).await.expect(201);
    let closed = nora.post(&format!("{path}/close"), &json!({})).await.expect(200).json();
    assert!(closed["pdfUrl"].as_str().is_some_and(|url| url.contains("/share/case/")), "{closed}");
    receiver.wait_for(1).await;
    nora.post("/v2/field/sign-out", &json!({})).await.expect(204);
    assert_eq!(nora.get("/v2/field/session").await.status, 401);

    // Nothing that is secret is in the log.
    let log = server.log();
    let secrets = [&begun.cookie[20..], &session[18..], CLIENT_SECRET, "not used"];
    assert!(secrets.iter().all(|secret| !log.contains(secret)), "a secret is in the log");
    // The metadata and the keys were asked for once, and nothing before the first sign-in.
    assert_eq!(["metadata", "keys", "token"].map(|address| issuer.asked(address)), [1, 1, 1]);
}

async fn a_token_that_is_not_for_this_sign_in_begins_no_session(mut server: TestServer) {
    let (_api, _receiver, issuer) = set_up(&mut server).await;
    // What is forged, and the reason in the log: each is refused for its own fault.
    let forgeries: [(&str, &str, Forgery); 12] = [
        ("the nonce of another sign-in", "nonce mismatch", |_, claims| claims["nonce"] = json!("0".repeat(64))),
        ("no nonce", "missing nonce", |_, claims| claims["nonce"] = json!(null)),
        ("another audience", "Invalid audiences", |_, claims| claims["aud"] = json!("another client")),
        ("a second audience", "Invalid audiences", |_, claims| {
            claims["aud"] = json!([claims["aud"], "another client"]);
        }),
        ("no audience", "Invalid audiences", |_, claims| claims["aud"] = json!([])),
        ("another client in azp", "another client (azp)", |_, claims| claims["azp"] = json!("another client")),
        ("another issuer", "Invalid issuer", |_, claims| claims["iss"] = json!("https://login.example")),
        ("an issuer with a slash more", "Invalid issuer", |_, claims| {
            claims["iss"] = json!(format!("{}/", claims["iss"].as_str().unwrap()));
        }),
        ("expired", "Expired", |_, claims| claims["exp"] = json!(now() - 1)),
        ("no subject", "a subject that is not valid", |_, claims| claims["sub"] = json!("")),
        ("none, with a signature", "No signature found", |header, _| header["alg"] = json!("none")),
        ("a symmetric algorithm", "Disallowed signature algorithm", |header, _| header["alg"] = json!("HS256")),
    ];
    for (what, reason, forge) in forgeries {
        issuer.change(|behaviour| behaviour.forge = Some(forge));
        refused(&server, &issuer, what, reason).await;
    }
    issuer.change(|behaviour| {
        behaviour.forge = Some(|header, _| header["alg"] = json!("none"));
        behaviour.unsigned = true;
    });
    refused(&server, &issuer, "no signature", "No signature found").await;
    issuer.change(|behaviour| {
        behaviour.forge = None;
        behaviour.unsigned = false;
    });
    for (what, reason, key) in [
        ("another key under the same name", "Crypto error", Key::ecdsa("foreign").called("first")),
        ("a key that is not published", "No matching key found", Key::ecdsa("foreign")),
        ("the client's secret as a key", "Disallowed signature algorithm", Key::secret(CLIENT_SECRET)),
    ] {
        issuer.change(|behaviour| behaviour.signs_with = key);
        refused(&server, &issuer, what, reason).await;
    }
    // A token that is not one.
    issuer.change(|behaviour| behaviour.forge = Some(|_, claims| claims["exp"] = json!(null)));
    assert_eq!(by_provider(&server, &issuer).await.unwrap_err(), "/field#sign-in-unavailable");
    issuer.change(|behaviour| behaviour.forge = None);
    // Tokens that do not fit have the keys fetched again, once in a while.
    let asked = issuer.asked("keys");
    assert!((2..=4).contains(&asked), "the keys were fetched {asked} times");
    let rows: Vec<(String,)> = Rows::of(&server).await.all("select digest from field_sessions").await;
    assert!(rows.is_empty());
    issuer.change(|behaviour| behaviour.signs_with = Key::ecdsa("first"));
    by_provider(&server, &issuer).await.expect("the right token begins a session");
}

async fn a_callback_that_this_browser_did_not_ask_for_is_refused(mut server: TestServer) {
    let (_api, _receiver, issuer) = set_up(&mut server).await;
    let (mine, other) = (begin(&server).await, begin(&server).await);
    let (callback, foreign) = (issuer.authorize(&mine.location), issuer.authorize(&other.location));
    let without = |name: &str| {
        let mut url = url::Url::parse(&callback).unwrap();
        let kept: Vec<_> = url.query_pairs().into_owned().filter(|(given, _)| given != name).collect();
        url.query_pairs_mut().clear().extend_pairs(kept);
        String::from(url)
    };
    let twice = format!("{callback}&state=x");
    let ours = format!("{}; {}", mine.cookie, mine.cookie);
    let changed = mine.cookie.replace("v1:", "v1:A");
    for (what, cookie, address) in [
        ("no cookie", None, &callback),
        ("the sign-in of another browser", Some(&mine.cookie), &foreign),
        ("no state", Some(&mine.cookie), &without("state")),
        ("two states", Some(&mine.cookie), &twice),
        ("nothing", Some(&mine.cookie), &"/field/signed-in".to_owned()),
        ("two cookies", Some(&ours), &callback),
        ("a changed cookie", Some(&changed), &callback),
    ] {
        let answer = come_back(&server, cookie.map(String::as_str), address).await;
        assert_eq!(answer.header("location"), Some("/field#sign-in-unfinished"), "{what}");
        // Requests of others do not end the person's own sign-in.
        assert!(answer.header("set-cookie").is_none(), "{what}");
    }
    assert_eq!(issuer.asked("token"), 0, "the provider is not asked for any of them");
    // A monitor or a link preview looks with HEAD, which finishes nothing.
    let head = server.anonymous().request(Method::HEAD, &callback).header("cookie", &mine.cookie);
    send(head).await.expect(405);
    come_back(&server, Some(&mine.cookie), &callback).await.expect_session();

    // The answer of another issuer, an error, and no code end the sign-in.
    for (what, change) in [
        ("another issuer", "iss=https%3A%2F%2Flogin.example&code=x"),
        ("the person's refusal", "error=access_denied"),
        ("no code", "code="),
    ] {
        let begun = begin(&server).await;
        let address = format!("/field/signed-in?state={}&{change}", begun.state());
        let answer = come_back(&server, Some(&begun.cookie), &address).await;
        assert_eq!(answer.header("location"), Some("/field#sign-in-unfinished"), "{what}");
        assert_eq!(cookie(&answer, "sealwright-sign-in=").as_deref(), Some("sealwright-sign-in="), "{what}");
    }
    assert!(server.log().contains("access_denied"));
    // Another site cannot begin it, and anything that it adds to the address is ignored.
    let foreign = server.anonymous().request(Method::GET, "/field/sign-in?next=https://evil.example");
    let answer = send(foreign.header("sec-fetch-site", "cross-site")).await.expect(303);
    assert_eq!((answer.header("location"), answer.header("set-cookie")), (Some("/field"), None));
}

async fn a_sign_in_begins_one_session_even_if_the_provider_takes_its_code_twice(mut server: TestServer) {
    let (_api, _receiver, issuer) = set_up(&mut server).await;
    for takes_codes_twice in [false, true] {
        issuer.change(|behaviour| behaviour.takes_codes_twice = takes_codes_twice);
        let begun = begin(&server).await;
        let callback = issuer.authorize(&begun.location);
        come_back(&server, Some(&begun.cookie), &callback).await.expect_session();
        let answer = come_back(&server, Some(&begun.cookie), &callback).await;
        assert_eq!(answer.header("location"), Some("/field#sign-in-unfinished"));
        assert_eq!(cookie(&answer, "sealwright-field="), None);
    }
    // The session that the browser had before ends.
    let before = by_provider(&server, &issuer).await.expect("a session");
    let request = server.anonymous().request(Method::GET, "/field/sign-in").header("cookie", &before);
    let begun = Begun::of(&send(request).await.expect(303));
    come_back(&server, Some(&begun.cookie), &issuer.authorize(&begun.location)).await.expect_session();
    server.anonymous().with_session(&before, "").get("/v2/field/session").await.expect(401);
}

async fn an_unknown_person_gets_no_account_and_guesses_are_limited(mut server: TestServer) {
    let (_api, _receiver, issuer) = set_up(&mut server).await;
    let users: Vec<(i64,)> = Rows::of(&server).await.all("select count(*) from users").await;
    // Almost the right one, the identifier, the address and the name of a user are not the subject.
    for subject in [&SUBJECT.to_uppercase(), NORA, "new@acme.example", "Nora New", ACME_FIELD.username] {
        issuer.change(|behaviour| subject.clone_into(&mut behaviour.subject));
        assert_eq!(by_provider(&server, &issuer).await.unwrap_err(), "/field#sign-in-unknown", "{subject}");
        assert!(server.log().contains(subject), "the operator sees whom to enter");
    }
    let after: Vec<(i64,)> = Rows::of(&server).await.all("select count(*) from users").await;
    assert_eq!(users, after);
    for _ in 5..20 {
        assert_eq!(by_provider(&server, &issuer).await.unwrap_err(), "/field#sign-in-unknown");
    }
    let asked = issuer.asked("token");
    assert_eq!(by_provider(&server, &issuer).await.unwrap_err(), "/field#sign-in-limited");
    assert_eq!(issuer.asked("token"), asked, "the provider is left alone");
    let labels = r#"{method="GET",route="/field/signed-in",quota="failed-sign-in"}"#;
    assert_eq!(server.metric(&format!("sealwright_rate_limit_refusals_total{labels}")).await, 1);
    // The password is counted on its own.
    sign_in(&server, ACME_FIELD).await;
}

async fn a_session_ends_with_the_subject_that_began_it(mut server: TestServer) {
    let (_api, receiver, issuer) = set_up(&mut server).await;
    // Flora has both.
    let flora = "oidc|flora";
    let both = with_subject(&manifest(&receiver), ACME_FIELD.user_id, flora);
    server.must_apply(&both);
    issuer.change(|behaviour| flora.clone_into(&mut behaviour.subject));
    let session = eventually("Flora is known", AMPLE, async || by_provider(&server, &issuer).await.ok()).await;
    let by_password = person(&server, &sign_in(&server, ACME_FIELD).await);
    let by_provider_session = signed_in(&server, &session).await;
    // Another password ends what began with the password.
    let other = "another pair of boots";
    server.must_apply(&both.replace(ACME_FIELD.password, other));
    eventually("the other session ends", AMPLE, async || {
        (by_password.get("/v2/field/session").await.status == 401).then_some(())
    })
    .await;
    by_provider_session.get("/v2/field/session").await.expect(200);
    let by_password = person(&server, &sign_in(&server, Credentials { password: other, ..ACME_FIELD }).await);
    // Another subject ends what began with the subject.
    server.must_apply(&both.replace(ACME_FIELD.password, other).replace(flora, "oidc|flora-2"));
    eventually("the session ends", AMPLE, async || {
        (by_provider_session.get("/v2/field/session").await.status == 401).then_some(())
    })
    .await;
    by_password.get("/v2/field/session").await.expect(200);
    // So does removing the user, whose subject is free for another then.
    issuer.change(|behaviour| SUBJECT.clone_into(&mut behaviour.subject));
    let nora = signed_in(&server, &by_provider(&server, &issuer).await.unwrap()).await;
    server.must_apply(&with_subject(&without_user(&acme(&receiver), NORA), ACME_FIELD.user_id, SUBJECT));
    eventually("Nora's session ends", AMPLE, async || {
        (nora.get("/v2/field/session").await.status == 401).then_some(())
    })
    .await;
    let flora = signed_in(&server, &by_provider(&server, &issuer).await.unwrap()).await;
    assert_eq!(flora.get("/v2/field/session").await.expect(200).json()["user"]["userId"], ACME_FIELD.user_id);
    // Without the provider in the settings its sessions end, and passwords work.
    for (name, _) in issuer.settings() {
        server.set(name, "");
    }
    server.restart().await;
    flora.get("/v2/field/session").await.expect(401);
    sign_in(&server, ACME_FIELD).await;
    for path in ["/field/sign-in", "/field/signed-in?code=x&state=y"] {
        let message = server.anonymous().get(path).await.expect(404).error_message();
        assert!(message.contains("not set up"), "{message}");
    }
    assert!(!server.anonymous().get("/field").await.expect(200).text().contains("data-provider"));
}

/// A server that uses an issuer, with Acme on it: Nora signs in by the issuer, Flora with her password.
async fn set_up(server: &mut TestServer) -> (Api, Receiver, Issuer) {
    let (receiver, issuer) = (Receiver::start().await, Issuer::start().await);
    for (name, value) in issuer.settings() {
        server.set(name, &value);
    }
    server.restart().await;
    server.must_apply(&manifest(&receiver));
    (server.sign_in(ACME_API.username, ACME_API.password).await, receiver, issuer)
}

fn manifest(receiver: &Receiver) -> String {
    with_subject(&acme(receiver), NORA, SUBJECT)
}

pub(crate) fn with_subject(manifest: &str, user: &str, subject: &str) -> String {
    let id = format!("id = \"{user}\"\n");
    assert!(manifest.contains(&id));
    manifest.replace(&id, &format!("{id}oidc_subject = \"{subject}\"\n"))
}

async fn begin(server: &TestServer) -> Begun {
    Begun::of(&server.anonymous().get("/field/sign-in").await.expect(303))
}

async fn come_back(server: &TestServer, cookie: Option<&str>, address: &str) -> Answer {
    openid_sign_in::come_back(server, cookie, address).await.expect(303)
}

/// Signs in the issuer's person. Returns the session's cookie, or where the person is led without one.
async fn by_provider(server: &TestServer, issuer: &Issuer) -> Result<String, String> {
    let begun = begin(server).await;
    let answer = come_back(server, Some(&begun.cookie), &issuer.authorize(&begun.location)).await;
    let location = answer.header("location").unwrap().to_owned();
    if location == "/field" { Ok(answer.expect_session()) } else { Err(location) }
}

/// Requires that the sign-in is refused, for this reason.
async fn refused(server: &TestServer, issuer: &Issuer, what: &str, reason: &str) {
    let before = server.log().len();
    let outcome = by_provider(server, issuer).await;
    assert_eq!(outcome.expect_err(what), "/field#sign-in-unfinished", "{what}");
    let log = server.log().split_off(before);
    assert!(log.contains(reason), "{what}: {log}");
}

/// The field user with this cookie.
async fn signed_in(server: &TestServer, cookie: &str) -> Api {
    let anonymous = server.anonymous();
    let session = anonymous.with_session(cookie, "").get("/v2/field/session").await.expect(200).json();
    anonymous.with_session(cookie, session["csrfToken"].as_str().expect("a token"))
}

trait ExpectSession {
    /// The cookie of the session that the answer begins.
    fn expect_session(&self) -> String;
}

impl ExpectSession for Answer {
    #[track_caller]
    fn expect_session(&self) -> String {
        assert_eq!(self.header("location"), Some("/field"));
        cookie(self, "sealwright-field=").expect("a session")
    }
}
