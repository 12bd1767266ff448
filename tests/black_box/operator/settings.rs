//! Settings and the command that checks them, `doctor` (operator's page).

use std::fs;

use serde_json::Value;

use crate::support::{TestServer, on_both_databases, server::said};

on_both_databases!(
    doctor_reports_what_is_good_and_what_to_fix,
    settings_come_from_file_environment_and_flags_and_are_checked,
);

async fn doctor_reports_what_is_good_and_what_to_fix(mut server: TestServer) {
    let output = server.run(&["doctor", "--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let diagnosis: Value = serde_json::from_slice(&output.stdout).expect("doctor --json prints JSON");
    for part in ["database", "blob store", "plugins", "certificate template", "secret key"] {
        assert_eq!(check(&diagnosis, part)["state"], "good", "{part}: {diagnosis}");
    }
    assert!(check(&diagnosis, "plugins").to_string().contains("hmac-sha256"), "{diagnosis}");
    assert!(check(&diagnosis, "addresses")["remedy"].is_string(), "private receivers cause a warning: {diagnosis}");
    let text = String::from_utf8(server.run(&["doctor"]).stdout).expect("text for people");
    assert!(text.contains("good") && text.contains("SEALWRIGHT_DATA_DIR"), "{text}");

    let garbage = server.folder().join("garbage.db");
    fs::write(&garbage, "this is not a database, however long one looks at it".repeat(100)).unwrap();
    let file_for_folder = server.folder().join("file");
    fs::write(&file_for_folder, "x").unwrap();
    let database_url = server.database_url();
    for (setting, value, part, remedy) in [
        ("SEALWRIGHT_DATABASE_URL", format!("sqlite://{}", garbage.display()), "database", "database_url"),
        ("SEALWRIGHT_BLOB_URL", format!("file://{}/blobs", file_for_folder.display()), "blob store", "blob_url"),
        ("SEALWRIGHT_TEMPLATE_DIR", file_for_folder.display().to_string(), "certificate template", "template_dir"),
    ] {
        server.set(setting, &value);
        let output = server.run(&["doctor", "--json"]);
        assert_eq!(output.status.code(), Some(1), "{setting}: {}", said(&output));
        let diagnosis: Value = serde_json::from_slice(&output.stdout).expect("doctor --json prints JSON");
        let broken = check(&diagnosis, part);
        assert_eq!(broken["state"], "broken", "{diagnosis}");
        assert!(broken["remedy"].as_str().unwrap().contains(remedy), "{diagnosis}");
        // An empty value counts as absent.
        server.set(setting, if setting == "SEALWRIGHT_DATABASE_URL" { &database_url } else { "" });
    }
    assert!(server.run(&["doctor"]).status.success());
}

async fn settings_come_from_file_environment_and_flags_and_are_checked(mut server: TestServer) {
    let file = server.folder().join("sealwright.toml");
    let token_lifetime = |server: &TestServer, flags: &[&str]| {
        let output = server.run(&[&["doctor", "--json"], flags].concat());
        let diagnosis: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(&output)));
        let settings = diagnosis["settings"].as_array().expect("settings is an array").clone();
        let setting = settings.into_iter().find(|setting| setting["key"] == "token_lifetime").expect("the setting");
        (setting["value"].as_str().unwrap().to_owned(), setting["origin"].as_str().unwrap().to_owned())
    };
    assert_eq!(token_lifetime(&server, &[]).1, "default");
    fs::write(&file, "# ours\ntoken_lifetime = \"7m\"\n").unwrap();
    let (value, origin) = token_lifetime(&server, &[]);
    assert!(value.contains('7') && origin.contains("sealwright.toml:2"), "{value} {origin}");
    server.set("SEALWRIGHT_TOKEN_LIFETIME", "8m");
    let (value, origin) = token_lifetime(&server, &[]);
    assert!(value.contains('8') && origin == "SEALWRIGHT_TOKEN_LIFETIME", "{value} {origin}");
    let (value, origin) = token_lifetime(&server, &["--token-lifetime", "9m"]);
    assert!(value.contains('9') && origin == "--token-lifetime", "{value} {origin}");

    for (text, expected) in [
        ("token_lifetim = \"7m\"\n", "token_lifetime"),
        ("[seal]\ntsa = \"https://tsa.example\"\n", "seal.tsa_url"),
        ("[webhooks]\ntimeout = \"10s\"\n", "webhook"),
        ("\ntoken_lifetime = \"soon\"\n", "sealwright.toml:2"),
        ("listen = 8080\n", "sealwright.toml:1"),
        ("listen = \n", "sealwright.toml:1"),
    ] {
        fs::write(&file, text).unwrap();
        // A setting that the environment overrides is read, but checked only if it applies.
        server.set("SEALWRIGHT_TOKEN_LIFETIME", "");
        let output = server.run(&["doctor"]);
        assert!(!output.status.success(), "{text} was accepted");
        assert!(said(&output).contains(expected), "{expected} is missing: {}", said(&output));
        assert!(output.stdout.is_empty(), "an error is printed on standard error");
    }
    fs::remove_file(&file).unwrap();
    for (variable, value) in [
        ("SEALWRIGHT_TOKEN_LIFETIME", "soon"),
        ("SEALWRIGHT_DATABASE_URL", "mysql://sealwright:hunter2@db/sealwright"),
        ("SEALWRIGHT_BASE_URL", "evidence.example"),
    ] {
        let before = if variable == "SEALWRIGHT_DATABASE_URL" { server.database_url() } else { String::new() };
        server.set(variable, value);
        let output = server.run(&["doctor"]);
        assert!(!output.status.success(), "{variable}={value} was accepted");
        assert!(said(&output).contains(variable), "{variable} is not named: {}", said(&output));
        assert!(!said(&output).contains("hunter2"), "a password is printed: {}", said(&output));
        server.set(variable, &before);
    }
    let output = server.run(&["doctor", "--config", "/nowhere/sealwright.toml"]);
    assert!(!output.status.success() && said(&output).contains("/nowhere/sealwright.toml"), "{}", said(&output));
}

/// The doctor's check of one part.
#[track_caller]
fn check<'a>(diagnosis: &'a Value, part: &str) -> &'a Value {
    let checks = diagnosis["checks"].as_array().expect("checks is an array");
    checks.iter().find(|check| check["part"] == part).unwrap_or_else(|| panic!("{part} was not checked: {diagnosis}"))
}
