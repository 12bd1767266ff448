//! Webhooks and their secrets.

use super::*;

#[test]
fn each_webhook_mode_needs_its_credentials() {
    let webhook = |auth: &str| format!("[webhook.case]\nendpoint = \"https://a.example/\"\nauth = \"{auth}\"\n");
    for (mode, missing) in [
        ("bearer", vec!["auth_token"]),
        ("security-token", vec!["auth_token"]),
        ("partner-apikey", vec!["api_key"]),
        ("hmac-sha256", vec!["api_key", "api_secret"]),
        ("standard-webhooks", vec!["api_secret"]),
    ] {
        let reported = problems_after_company(&webhook(mode));
        let expected: Vec<_> = missing
            .iter()
            .map(|key| {
                format!(
                    "acme.toml:4: webhook.case.{key}: missing, expected `{key}`, `{key}_env` or `{key}_file`, which \
                     `{mode}` needs"
                )
            })
            .collect();
        assert_eq!(reported, expected.join("\n"));
    }
    assert_eq!(warnings_after_company(&webhook("our-own-mode")), "", "a plugin's mode may need nothing");
    insta::assert_snapshot!(warnings_after_company(&format!("{}auth_token = \"t\"\napi_key = \"k\"\n", webhook("bearer"))), @r#"acme.toml:8: warning: webhook.case.api_key: has no effect: `bearer` does not use it"#);
}

#[test]
fn a_secret_is_replaced_with_an_end_of_the_old_one() {
    let webhook = "[webhook.case]\nendpoint = \"https://a.example/\"\nauth = \"standard-webhooks\"\n\
                   api_secret = \"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\"\n";
    let old = "previous_api_secret = \"whsec_bmV3IHNlY3JldCBvZiAyNCBieXRlcyEh\"\n";
    let until = "previous_until = \"2026-12-01T00:00:00Z\"\n";
    assert_eq!(warnings_after_company(&format!("{webhook}{old}{until}")), "");
    for (source, problem) in [
        (format!("{webhook}{old}"), "webhook.case.previous_until: missing, expected when the previous secret ends"),
        (format!("{webhook}{until}"), "webhook.case.previous_api_secret: missing"),
        (
            webhook.replace("whsec_", ""),
            "webhook.case.api_secret: the secret is not `whsec_` and 24 to 64 bytes in base64",
        ),
    ] {
        let problems = problems_after_company(&source);
        assert!(problems.contains(problem), "{problems}");
    }
}

#[test]
fn retries_have_pauses_within_limits() {
    let webhook = "[webhook.case]\nendpoint = \"https://a.example/\"\nauth_token = \"t\"\n";
    assert_eq!(warnings_after_company(&format!("{webhook}retry_seconds = [5, 86400]\n")), "");
    for wrong in ["[0]", "[86401]", "5", "[\"5\"]", "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"] {
        let problems = problems_after_company(&format!("{webhook}retry_seconds = {wrong}\n"));
        assert!(problems.contains("at most 12 pauses, each of 1 to 86400 seconds"), "{wrong}: {problems}");
    }
}

#[test]
fn the_analysis_webhook_is_not_signed() {
    let source = "[webhook.analysis]\nendpoint = \"https://a.example/\"\nauth = \"hmac-sha256\"\napi_key = \"k\"\napi_secret = \"s\"\n";
    insta::assert_snapshot!(problems_after_company(source), @r#"acme.toml:6: webhook.analysis.auth: found "hmac-sha256", expected `bearer`, `security-token`, `partner-apikey` or a plugin's mode: the analysis webhook has no HMAC signature"#);
}

#[test]
fn a_secret_that_cannot_be_found_is_reported_by_its_name() {
    let source = "[webhook.case]\nendpoint = \"https://a.example/\"\nauth = \"hmac-sha256\"\napi_key_env = \"ACME_KEY\"\napi_secret_file = \"secret.txt\"\n";
    insta::assert_snapshot!(problems_after_company(source), @r#"
    acme.toml:7: webhook.case.api_key_env: the environment variable "ACME_KEY" is not set
    acme.toml:8: webhook.case.api_secret_file: cannot read "secret.txt": no such file
    "#);
}
