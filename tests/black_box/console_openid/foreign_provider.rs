//! A provider that we have not written: `oidc-provider`.

use serde_json::json;

use super::{Begun, CASES, SESSION, begin, come_back, cookie, maria, users};
use crate::{
    console::Person,
    support::{
        Answer, Database, TestServer,
        company_manifest::borealis,
        issuer::{CLIENT_SECRET, console_settings},
        oidc_provider::{OidcProvider, Visitor},
    },
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn oidc_provider_signs_a_person_in_and_out() {
    let mut server = TestServer::start(Database::Sqlite).await;
    let Some(provider) = set_up(&mut server).await else { return };
    let mut browser = Visitor::new(&provider);
    let first = signed_in(&server, &mut browser).await;
    assert_eq!(browser.forms, 2, "the password, and the consent");
    assert_eq!(users(&server).await, [("maria".to_owned(), "reviewer".to_owned(), Some(8))]);
    let page = first.get("/console/account").await.expect(200).text();
    for expected in ["Maria R.", "maria", "Reviewer", "Borealis Mutual (8)", "Your organisation signs you in"] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    // The provider still knows the browser, and says who it is at once.
    let second = signed_in(&server, &mut browser).await;
    assert_eq!(browser.forms, 2);
    assert_eq!(users(&server).await.len(), 1);

    let answer = second.post("/console/sign-out", &[]).await.expect(303);
    second.get("/console/account").await.expect(303);
    let page = second.get(answer.header("location").unwrap()).await.expect(200).text();
    let end = link(&page, &format!("{}/session/end?", provider.url));
    let back = browser.agree(&end, "maria").await;
    assert_eq!(back, format!("{}/console/sign-in", server.base_url()));
    assert_eq!(browser.forms, 3, "the provider asks whether to sign out");
    second.get(&back).await.expect(200);
    // Now the provider does not know the browser any more.
    signed_in(&server, &mut browser).await;
    assert_eq!(browser.forms, 5);
    assert!(!server.log().contains(CLIENT_SECRET));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_next_sign_in_asks_for_credentials_even_if_oidc_provider_knows_the_browser() {
    let mut server = TestServer::start(Database::Sqlite).await;
    let Some(provider) = set_up(&mut server).await else { return };
    let mut browser = Visitor::new(&provider);
    signed_in(&server, &mut browser).await;
    let forms = browser.forms;
    let begun = begin(&server, "prompt=login").await;
    let back = browser.agree(&begun.location, "maria").await;
    arrived(&server, &come_back_from(&server, &begun, &back).await);
    assert!(browser.forms > forms, "the provider asks for the password");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_who_cancels_at_oidc_provider_or_has_no_role_there_reads_what_happened() {
    let mut server = TestServer::start(Database::Sqlite).await;
    let Some(provider) = set_up(&mut server).await else { return };
    let begun = begin(&server, "").await;
    let back = Visitor::new(&provider).cancel(&begun.location).await;
    assert!(back.contains("error=access_denied"), "{back}");
    let answer = come_back_from(&server, &begun, &back).await;
    refused(&answer, 400, "The sign-in was not finished. Start it again.");
    assert!(server.log().contains("access_denied"));

    let begun = begin(&server, "").await;
    let back = Visitor::new(&provider).agree(&begun.location, "paul").await;
    refused(&come_back_from(&server, &begun, &back).await, 403, "you may not use this console");
    assert!(users(&server).await.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_key_of_oidc_provider_is_believed_at_once() {
    let mut server = TestServer::start(Database::Sqlite).await;
    let Some(mut provider) = set_up(&mut server).await else { return };
    signed_in(&server, &mut Visitor::new(&provider)).await;
    let before = provider.key().await;
    provider.restart_with("RS256");
    let after = provider.key().await;
    assert_eq!((&before["alg"], &after["alg"]), (&json!("RS256"), &json!("RS256")));
    assert_ne!(before["kid"], after["kid"]);
    signed_in(&server, &mut Visitor::new(&provider)).await;
    assert_eq!(users(&server).await.len(), 1, "it is the same person");
}

/// A server whose console uses the provider, with Borealis (8) on it. The provider says that Maria reviews for Borealis, and
/// nothing of Paul.
async fn set_up(server: &mut TestServer) -> Option<OidcProvider> {
    let people = json!({ "maria": maria("reviewer", 8), "paul": { "name": "Paul B." } });
    let provider = OidcProvider::start(server, "RS256", &people)?;
    for (name, value) in console_settings(&provider.url) {
        server.set(name, &value);
    }
    server.restart().await;
    server.must_apply(&borealis());
    Some(provider)
}

/// Maria, signed in from this browser.
async fn signed_in(server: &TestServer, browser: &mut Visitor) -> Person {
    let begun = begin(server, "").await;
    let back = browser.agree(&begun.location, "maria").await;
    arrived(server, &come_back_from(server, &begun, &back).await)
}

async fn come_back_from(server: &TestServer, begun: &Begun, back: &str) -> Answer {
    assert!(back.starts_with(&format!("{}/console/sign-in/openid/callback?", server.base_url())), "{back}");
    come_back(server, Some(&begun.cookie), back).await
}

/// The person whose session this answer begins.
#[track_caller]
fn arrived(server: &TestServer, answer: &Answer) -> Person {
    assert_eq!((answer.status.as_u16(), answer.header("location")), (303, Some(CASES)), "{}", answer.text());
    Person { cookie: cookie(answer, SESSION).expect("a session"), ..Person::new(server) }
}

/// Requires a page with this status, this text and a way on, and no session.
#[track_caller]
fn refused(answer: &Answer, status: u16, text: &str) {
    let page = answer.text();
    assert_eq!((answer.status.as_u16(), cookie(answer, SESSION)), (status, None), "{page}");
    for expected in ["You are not signed in", text, "href=\"/console/sign-in\""] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
}

/// The address in a page that begins with `start`.
fn link(page: &str, start: &str) -> String {
    let mut links = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let link = links.find(|link| link.starts_with(start)).unwrap_or_else(|| panic!("{start} is not in {page}"));
    link.replace("&amp;", "&")
}
