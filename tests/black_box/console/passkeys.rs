//! Passkeys as a second factor (console.md, "Signing in"): a software authenticator on both databases, and a browser's.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use p256::{
    ecdsa::{Signature, SigningKey, signature::Signer as _},
    pkcs8::EncodePublicKey as _,
};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::{
    PASSWORD, Person, must_add_user,
    person::{csrf, value_of},
};
use crate::support::{
    Answer, TestServer,
    browser::{self, Browser},
    company_manifest::acme_on,
    on_both_databases,
    rows::Rows,
};

on_both_databases!(
    a_passkey_is_asked_for_and_each_signature_counts_once,
    passkeys_need_a_site_that_browsers_have_them_for,
    a_browser_makes_and_uses_a_passkey,
);

const NAME: &[u8] = b"the credential of a test";
/// A person was present, and was verified.
const PRESENT_AND_VERIFIED: u8 = 0x05;
const HAS_CREDENTIAL: u8 = 0x40;

/// An authenticator with one key.
struct Authenticator {
    key: SigningKey,
    origin: String,
    counter: u32,
}

impl Authenticator {
    fn new(origin: &str) -> Self {
        Self { key: SigningKey::from_slice(&[9; 32]).unwrap(), origin: origin.to_owned(), counter: 0 }
    }

    fn client_data(&self, kind: &str, challenge: &str) -> String {
        json!({ "type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": false }).to_string()
    }

    fn data(&mut self, flags: u8) -> Vec<u8> {
        self.counter += 1;
        let mut data = Sha256::digest("localhost").to_vec();
        data.push(flags);
        data.extend(self.counter.to_be_bytes());
        data
    }

    /// The fields of a new passkey.
    fn create(&mut self, page: &str) -> Vec<(&'static str, String)> {
        let client_data = self.client_data("webauthn.create", &value_of(page, "data-challenge=\""));
        let spki = self.key.verifying_key().to_public_key_der().unwrap().as_bytes().to_vec();
        let mut data = self.data(PRESENT_AND_VERIFIED | HAS_CREDENTIAL);
        data.extend([0; 16]);
        data.extend(u16::try_from(NAME.len()).unwrap().to_be_bytes());
        data.extend(NAME);
        data.extend(&spki[spki.len() - 64..]);
        vec![
            ("sealed", value_of(page, "name=\"sealed\" value=\"")),
            ("credential", URL_SAFE_NO_PAD.encode(NAME)),
            ("public-key", URL_SAFE_NO_PAD.encode(&spki)),
            ("client-data", URL_SAFE_NO_PAD.encode(client_data)),
            ("authenticator-data", URL_SAFE_NO_PAD.encode(data)),
        ]
    }

    /// The fields of a sign-in, for this challenge.
    fn sign(&mut self, page: &str, challenge: &str) -> Vec<(&'static str, String)> {
        let client_data = self.client_data("webauthn.get", challenge);
        let data = self.data(PRESENT_AND_VERIFIED);
        let signed = [data.as_slice(), &Sha256::digest(&client_data)[..]].concat();
        let signature: Signature = self.key.sign(&signed);
        vec![
            ("csrf", value_of(page, "name=\"csrf\" value=\"")),
            ("sealed", value_of(page, "name=\"sealed\" value=\"")),
            ("credential", URL_SAFE_NO_PAD.encode(NAME)),
            ("client-data", URL_SAFE_NO_PAD.encode(client_data)),
            ("authenticator-data", URL_SAFE_NO_PAD.encode(data)),
            ("signature", URL_SAFE_NO_PAD.encode(signature.to_der().as_bytes())),
        ]
    }
}

async fn send(person: &Person, path: &str, fields: &[(&'static str, String)]) -> Answer {
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    person.send_form(path, &fields).await
}

/// Acme with a user, on a site that browsers have passkeys for. Returns the origin of its pages.
async fn at_localhost(server: &mut TestServer) -> String {
    let (_api, _receiver) = acme_on(server).await;
    must_add_user(server, "maria", &["--role", "viewer", "--company", "7"]);
    let origin = server.base_url().replace("127.0.0.1", "localhost");
    server.set("SEALWRIGHT_BASE_URL", &origin);
    server.restart().await;
    origin
}

/// A browser of Maria's after the password, and the page of the second step.
async fn after_the_password(server: &TestServer) -> (Person, String) {
    let mut maria = Person::new(server);
    let answer = maria.sign_in("maria", PASSWORD).await.expect(303);
    assert!(answer.header("location").unwrap().starts_with("/console/second-factor"));
    let page = maria.get("/console/second-factor").await.expect(200).text();
    (maria, page)
}

async fn a_passkey_is_asked_for_and_each_signature_counts_once(mut server: TestServer) {
    let origin = at_localhost(&mut server).await;
    let mut authenticator = Authenticator::new(&origin);
    let maria = Person::signed_in(&server, "maria").await;
    let account = maria.get("/console/account").await.expect(200);
    let token = csrf(&account);
    let mut fields = authenticator.create(&account.text());
    fields.extend([("csrf", token), ("name", "Work <laptop>".to_owned()), ("password", "wrong".to_owned())]);
    // A stolen session cannot add one.
    let refused = send(&maria, "/console/account/passkeys", &fields).await.expect(400).text();
    assert!(refused.contains("current password: wrong"), "{refused}");
    PASSWORD.clone_into(&mut fields.last_mut().unwrap().1);
    let added = send(&maria, "/console/account/passkeys", &fields).await.expect(303);
    assert_eq!(added.header("location"), Some("/console/account?done=passkey-added"));
    // It is there once.
    let again = send(&maria, "/console/account/passkeys", &fields).await.expect(400).text();
    assert!(again.contains("the passkey was not accepted") && again.contains("Work &lt;laptop&gt;"), "{again}");

    let (half, page) = after_the_password(&server).await;
    assert!(page.contains("data-passkey=\"get\"") && !page.contains("id=\"code\""), "{page}");
    half.get("/console/cases").await.expect(303);
    // For another challenge, and on a page of another site.
    let other = authenticator.sign(&page, &URL_SAFE_NO_PAD.encode([0; 32]));
    let refused = send(&half, "/console/second-factor", &other).await.expect(400).text();
    assert!(refused.contains("the passkey was not accepted"), "{refused}");
    let challenge = value_of(&page, "data-challenge=\"");
    let elsewhere = Authenticator { origin: "https://evil.example".to_owned(), ..Authenticator::new(&origin) }
        .sign(&page, &challenge);
    send(&half, "/console/second-factor", &elsewhere).await.expect(400);
    let right = authenticator.sign(&page, &challenge);
    let answer = send(&half, "/console/second-factor", &right).await.expect(303);
    let cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    assert_ne!(cookie, half.cookie, "the token stays the same");
    Person { cookie, ..half.clone() }.get("/console/account").await.expect(200);
    // The half session is over, and so is its challenge.
    let replayed = send(&half, "/console/second-factor", &right).await.expect(303);
    assert!(replayed.header("location").unwrap().starts_with("/console/sign-in"));
    // A copy of the key counts from where it was copied.
    let (half, page) = after_the_password(&server).await;
    authenticator.counter = 1;
    let copied = authenticator.sign(&page, &value_of(&page, "data-challenge=\""));
    send(&half, "/console/second-factor", &copied).await.expect(400);

    let listed = String::from_utf8(server.run(&["user", "list", "--json"]).stdout).unwrap();
    assert!(listed.contains("\"secondFactor\":true") || listed.contains("\"secondFactor\": true"), "{listed}");
    let ids: Vec<(i64,)> = Rows::of(&server).await.all("select id from console_passkeys").await;
    let path = format!("/console/account/passkeys/{}/remove", ids[0].0);
    maria.post(&path, &[("password", "wrong")]).await.expect(400);
    maria.post(&path, &[("password", PASSWORD)]).await.expect(303);
    Person::signed_in(&server, "maria").await;
    let actions: Vec<(String,)> = Rows::of(&server)
        .await
        .all("select action || ' ' || outcome from audit_records where action like '%Passkey' order by id")
        .await;
    let actions: Vec<&str> = actions.iter().map(|(action,)| action.as_str()).collect();
    // With a wrong password first, each.
    assert_eq!(actions, ["addPasskey refused", "addPasskey done", "removePasskey refused", "removePasskey done"]);
}

async fn passkeys_need_a_site_that_browsers_have_them_for(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    must_add_user(&server, "maria", &["--role", "viewer", "--company", "7"]);
    let maria = Person::signed_in(&server, "maria").await;
    // The public root is an address.
    let page = maria.get("/console/account").await.expect(200).text();
    assert!(page.contains("New passkeys need https") && !page.contains("data-passkey"), "{page}");
    let page = maria.get_in_french("/console/account").await.expect(200).text();
    assert!(page.contains("Clés d’accès"), "{page}");
}

async fn a_browser_makes_and_uses_a_passkey(mut server: TestServer) {
    if !browser::is_there() {
        return;
    }
    let origin = at_localhost(&mut server).await;
    let browser = Browser::start().await;
    browser.control("WebAuthn.enable", json!({})).await;
    let options = json!({
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": true, "hasUserVerification": true,
        "isUserVerified": true, "automaticPresenceSimulation": true,
    });
    browser.control("WebAuthn.addVirtualAuthenticator", json!({ "options": options })).await;
    browser.open(&format!("{origin}/console")).await;
    enter_password(&browser).await;
    browser.wait_for("header.top").await;
    browser.click_named("Account").await;
    browser.click_named("Add a passkey").await;
    browser.enter("#passkey-name", "Laptop").await;
    browser.enter("#passkey-new", PASSWORD).await;
    browser.click_named("Create the passkey").await;
    browser.wait_for_text("The passkey is added.").await;
    browser.wait_for_text("never used").await;
    browser.click_named("Sign out").await;
    browser.wait_for_text("You are signed out.").await;
    enter_password(&browser).await;
    browser.click_named("Use a passkey").await;
    browser.wait_for("header.top").await;
    browser.click_named("Account").await;
    browser.wait_for_text("last used").await;
}

async fn enter_password(browser: &Browser) {
    browser.enter("#username", "maria").await;
    browser.enter("#password", PASSWORD).await;
    browser.click_named("Sign in").await;
}
