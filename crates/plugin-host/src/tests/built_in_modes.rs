//! The four modes of spec 6.3, and Standard Webhooks.

use super::*;

#[tokio::test]
async fn bearer_sends_the_token_in_authorization() {
    let headers = TestHost::with(&[]).authenticate("bearer").await.unwrap();
    assert_eq!(headers, [pair("authorization", "Bearer Jefe")]);
}

#[tokio::test]
async fn security_token_sends_the_token_in_its_own_header() {
    let headers = TestHost::with(&[]).authenticate("security-token").await.unwrap();
    assert_eq!(headers, [pair("security-token", "Jefe")]);
}

#[tokio::test]
async fn partner_apikey_sends_the_api_key_and_needs_no_secret() {
    let host = TestHost::with(&[]).host;
    let credential = WebhookCredential { secret: None, ..credential() };
    let headers = authenticate(&host, "partner-apikey", credential).await.unwrap();
    assert_eq!(headers, [pair("x-partner-apikey", "acme-key")]);
}

#[tokio::test]
async fn hmac_sha256_signs_the_body_and_names_the_key() {
    let headers = TestHost::with(&[]).authenticate("hmac-sha256").await.unwrap();
    assert_eq!(
        headers,
        [pair("authorization", format!("HMAC-SHA256 acme-key:{SIGNATURE}")), pair("x-api-key", "acme-key"),]
    );
}

#[tokio::test]
async fn hmac_sha256_signs_a_body_larger_than_what_may_pass_to_a_plugin() {
    use hmac::{Hmac, KeyInit, Mac};

    let body = vec![b'x'; 8 << 20];
    let expected = Hmac::<sha2::Sha256>::new_from_slice(SECRET.as_bytes()).unwrap().chain_update(&body).finalize();
    let request = WebhookRequest { body: body.into(), ..request() };

    let host = TestHost::with(&[]).host;
    let headers = host.authenticate_webhook("hmac-sha256", request, credential()).await.unwrap();

    let expected = format!("HMAC-SHA256 acme-key:{}", hex::encode(expected.into_bytes()));
    assert_eq!(headers[0].1.to_str().unwrap(), expected);
}

/// The example of the libraries of Standard Webhooks, with another secret that is valid at the same time.
#[tokio::test]
async fn standard_webhooks_signs_with_each_valid_secret() {
    let credential = WebhookCredential {
        key_id: None,
        secret: Some("a secret of another form".into()),
        previous_secret: Some("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".into()),
        ..credential()
    };
    let request = WebhookRequest {
        delivery_id: "msg_p5jXN8AQM9LWM0D4loKWxJek".to_owned(),
        now: Timestamp::from_millis(1_614_265_330_999),
        body: Bytes::from_static(b"{\"test\": 2432232314}"),
        ..request()
    };
    let host = TestHost::with(&[]).host;

    let headers = host.authenticate_webhook("standard-webhooks", request, credential).await.unwrap();

    let headers: Vec<_> = headers.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap())).collect();
    let [("webhook-id", id), ("webhook-timestamp", timestamp), ("webhook-signature", signatures)] = headers[..] else {
        panic!("{headers:?}")
    };
    assert_eq!((id, timestamp), ("msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330"));
    let (newest, previous) = signatures.split_once(' ').unwrap();
    assert!(newest.starts_with("v1,"), "{newest}");
    assert_eq!(previous, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

#[tokio::test]
async fn a_mode_without_its_credential_says_what_to_configure() {
    let host = TestHost::with(&[]).host;
    let bare = WebhookCredential { key_id: None, secret: None, ..credential() };
    for (mode, missing) in
        [("bearer", "secret"), ("security-token", "secret"), ("partner-apikey", "API key"), ("hmac-sha256", "API key")]
    {
        let error = authenticate(&host, mode, bare.clone()).await.unwrap_err();
        let expected = format!("the case webhook of acme has no {missing}: configure one");
        assert_eq!((error.plugin.as_str(), error.failure), (mode, Failure::InvalidInput(expected)));
    }
}

#[tokio::test]
async fn a_token_that_no_header_can_carry_is_refused_without_showing_it() {
    let host = TestHost::with(&[]).host;
    let credential = WebhookCredential { secret: Some("two\r\nlines: yes".into()), ..credential() };
    let error = authenticate(&host, "bearer", credential).await.unwrap_err();
    assert!(matches!(error.failure, Failure::InvalidAnswer(_)), "{error}");
    assert!(!error.to_string().contains("lines"), "{error}");
}

#[tokio::test]
async fn an_unknown_mode_is_named() {
    let error = TestHost::with(&[]).authenticate("basic").await.unwrap_err();
    assert_eq!((error.plugin.as_str(), error.failure), ("basic", Failure::NotLoaded));
}

#[test]
fn the_built_in_modes_are_listed_with_their_role() {
    let host = TestHost::with(&[]).host;
    assert_eq!(
        host.webhook_modes(),
        ["bearer", "hmac-sha256", "partner-apikey", "security-token", "standard-webhooks"]
    );
    assert!(host.has_webhook_mode("bearer") && !host.has_webhook_mode("basic"));
    for mode in host.webhook_modes() {
        let plugin = host.plugins().into_iter().find(|plugin| plugin.name == mode).unwrap();
        assert_eq!(plugin.roles, [Role::WebhookAuth], "{mode}");
    }
}

#[test]
fn every_role_of_the_analysis_is_played_by_a_built_in_plugin() {
    let plugins = TestHost::with(&[]).host.plugins();
    for plugin in &plugins {
        assert!(plugin.built_in && plugin.size > 0, "{plugin:?}");
    }
    for (name, role) in [
        ("document-types", Role::DocumentType),
        ("cross-check", Role::CrossCheck),
        ("document-forensics", Role::Falsification),
        ("signals", Role::Signal),
    ] {
        let plugin =
            plugins.iter().find(|plugin| plugin.name == name).unwrap_or_else(|| panic!("{name} is not built in"));
        assert_eq!(plugin.roles, [role], "{name}");
    }
}

#[test]
fn debug_output_contains_no_secret() {
    assert!(!format!("{:?} {:?}", credential(), SecretString::from(SECRET)).contains(SECRET));
    assert!(!format!("{:?}", credential()).contains("acme-key"));
}
