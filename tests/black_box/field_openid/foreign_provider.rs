//! A provider that we have not written: `oidc-provider`.

use serde_json::json;

use super::{Begun, ExpectSession as _, NORA, begin, come_back, manifest, signed_in};
use crate::support::{
    Answer, Database, Receiver, TestServer,
    company_manifest::ACME_API,
    issuer::{SUBJECT, field_settings},
    oidc_provider::{OidcProvider, Visitor},
};

/// The provider knows this person, and no company does.
const STRANGER: &str = "stranger";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn oidc_provider_signs_a_field_user_in() {
    let mut server = TestServer::start(Database::Sqlite).await;
    let Some((provider, _receiver)) = set_up(&mut server).await else { return };
    let mut browser = Visitor::new(&provider);
    let begun = begin(&server).await;
    let session = finish(&server, &mut browser, &begun, SUBJECT).await.expect_session();
    let nora = signed_in(&server, &session).await;
    let who = nora.get("/v2/field/session").await.expect(200).json();
    assert_eq!(who["user"], json!({ "userId": NORA, "name": "Nora New" }));
    nora.post("/v2/field/sign-out", &json!({})).await.expect(204);
    nora.get("/v2/field/session").await.expect(401);

    // The provider still knows the browser, but another person can sign in on the device.
    let forms = browser.forms;
    let answer = server.anonymous().get("/field/sign-in?prompt=login").await.expect(303);
    let answer = finish(&server, &mut browser, &Begun::of(&answer), STRANGER).await;
    assert_eq!(answer.header("location"), Some("/field#sign-in-unknown"));
    assert!(browser.forms > forms, "the provider asks for the password");
    assert!(server.log().contains(STRANGER), "the operator sees whom to enter");

    let begun = begin(&server).await;
    let back = Visitor::new(&provider).cancel(&begun.location).await;
    assert!(back.contains("error=access_denied"), "{back}");
    let answer = come_back(&server, Some(&begun.cookie), &back).await;
    assert_eq!(answer.header("location"), Some("/field#sign-in-unfinished"));
    assert!(server.log().contains("access_denied"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_key_of_oidc_provider_may_be_of_another_kind() {
    let mut server = TestServer::start(Database::Sqlite).await;
    let Some((mut provider, _receiver)) = set_up(&mut server).await else { return };
    assert_eq!(provider.key().await["alg"], "ES256");
    let begun = begin(&server).await;
    finish(&server, &mut Visitor::new(&provider), &begun, SUBJECT).await.expect_session();
    provider.restart_with("RS256");
    assert_eq!(provider.key().await["alg"], "RS256");
    let begun = begin(&server).await;
    finish(&server, &mut Visitor::new(&provider), &begun, SUBJECT).await.expect_session();
}

/// A server that uses the provider, with Acme on it: Nora signs in by the provider.
async fn set_up(server: &mut TestServer) -> Option<(OidcProvider, Receiver)> {
    let people = json!({ (SUBJECT): {}, (STRANGER): {} });
    let provider = OidcProvider::start(server, "ES256", &people)?;
    let receiver = Receiver::start().await;
    for (name, value) in field_settings(&provider.url) {
        server.set(name, &value);
    }
    server.restart().await;
    server.must_apply(&manifest(&receiver));
    // Until the manifest takes effect.
    server.sign_in(ACME_API.username, ACME_API.password).await;
    Some((provider, receiver))
}

/// Signs the person in at the provider, and comes back.
async fn finish(server: &TestServer, browser: &mut Visitor, begun: &Begun, person: &str) -> Answer {
    let back = browser.agree(&begun.location, person).await;
    assert!(back.starts_with(&format!("{}/field/signed-in?", server.base_url())), "{back}");
    come_back(server, Some(&begun.cookie), &back).await
}
