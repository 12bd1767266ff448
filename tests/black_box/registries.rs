//! Plugins from elsewhere (operator's page, "Plugins from a registry" and "Signatures"): what a company manifest and
//! `plugin load` name by a registry's address, and which components an installation with a policy accepts.

use std::fs;

use serde_json::Value;

use crate::{
    plugins::{judged_document, mode},
    published::{must, until_listed},
    support::{
        AMPLE, Receiver, TestServer,
        analyst::{Analyst, EVALUATION, analysed},
        company_manifest::ACME_API,
        eventually, on_both_databases,
        registry::{Manner, TestRegistry},
        rows::Rows,
        server::said,
    },
};

on_both_databases!(
    a_component_that_a_company_names_is_pulled_once_and_used_offline,
    what_a_registry_cannot_prove_is_refused,
    a_registry_may_want_a_user,
    a_component_is_loaded_from_a_registry,
    without_a_trusted_signature_nothing_is_loaded,
    what_was_published_before_the_policy_is_refused_at_the_start,
);

const ALLOW: (&str, &str) = ("SEALWRIGHT_PLUGINS_REGISTRY_PRIVATE_ADDRESSES", "127.0.0.1");
const MODE: &str = "custom-apikeys";

/// Acme's manifest with the analyst of a registry in every role.
fn from_registry(receiver: &Receiver, reference: &str) -> String {
    let name = "name = \"analyst\"\n";
    analysed(receiver).replace(name, &format!("{name}oci = \"{reference}\"\n"))
}

#[track_caller]
fn refused(server: &TestServer, manifest: &str) -> String {
    let output = server.apply(manifest);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    said(&output)
}

async fn published(server: &TestServer) -> i64 {
    let mut rows = Rows::of(server).await;
    rows.all::<(i64,)>("select count(*) from published").await[0].0
}

async fn a_component_that_a_company_names_is_pulled_once_and_used_offline(mut server: TestServer) {
    let (registry, receiver) = (TestRegistry::start().await, Receiver::start().await);
    let reference = registry.push(&Analyst::default().component());
    let manifest = from_registry(&receiver, &reference);
    // A company does not decide whether this machine is asked.
    let text = refused(&server, &manifest);
    assert!(text.contains("analysis.plugin[0].oci: ") && text.contains("plugins.registry_private_addresses"), "{text}");
    assert_eq!(registry.pulls(), 0);

    server.set(ALLOW.0, ALLOW.1);
    must(&server, &["apply", "--dry-run", &server.write_company_manifest(&manifest)]);
    assert_eq!((registry.pulls(), published(&server).await), (1, 0));
    server.must_apply(&manifest);
    assert_eq!((registry.pulls(), published(&server).await), (2, 1));
    let plugin = until_listed(&server, "analyst", true).await.unwrap();
    assert_eq!(
        (&plugin["origin"], &plugin["signature"]["state"]),
        (&"published".into(), &"unsigned".into()),
        "{plugin}"
    );

    drop(registry);
    server.must_apply(&manifest);
    server.restart().await;
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    let case = judged_document(&api).await;
    let webhook = receiver.wait_for_analyses(case, 1).await.remove(0).json();
    assert_eq!(webhook["analysis"]["documentAnalyses"][0]["evaluation"], EVALUATION, "{webhook}");
    // The export has the address and the digest of the component.
    let exported = said(&server.run(&["company", "export", "7"]));
    assert!(exported.contains(&format!("oci = \"{reference}\"")), "{exported}");
    let digest = plugin["digest"].as_str().unwrap();
    assert!(exported.contains(&format!("sha256 = \"{digest}\"")), "{exported}");

    // It is published again from the installation's own store.
    must(&server, &["plugin", "unload", "analyst"]);
    until_listed(&server, "analyst", false).await;
    server.must_apply(&manifest);
    until_listed(&server, "analyst", true).await;
}

async fn what_a_registry_cannot_prove_is_refused(mut server: TestServer) {
    server.set(ALLOW.0, ALLOW.1);
    let (registry, receiver) = (TestRegistry::start().await, Receiver::start().await);
    let reference = registry.push(&Analyst::default().component());
    let manifest = from_registry(&receiver, &reference);
    for (manner, expected) in [
        (Manner::OtherManifests, "sent other bytes"),
        (Manner::OtherBytes, "sent other bytes"),
        (Manner::InCircles, "sends the request on more than 3 times"),
    ] {
        registry.answer(manner);
        let text = refused(&server, &manifest);
        assert!(text.contains("analysis.plugin[0].oci: pulling ") && text.contains(expected), "{manner:?}: {text}");
    }
    registry.answer(Manner::Honest);
    let (name, _) = reference.split_once("@sha256:").unwrap();
    let unknown = format!("{name}@sha256:{}", "0a".repeat(32));
    let text = refused(&server, &from_registry(&receiver, &unknown));
    assert!(text.contains("does not have it"), "{text}");
    let text = refused(&server, &from_registry(&receiver, name));
    assert!(
        text.contains("analysis.plugin[0].oci: found ") && text.contains("with the digest of its manifest"),
        "{text}"
    );
    let pinned = manifest.replace("oci = ", &format!("sha256 = \"{}\"\noci = ", "0a".repeat(32)));
    let text = refused(&server, &pinned);
    assert!(text.contains("analysis.plugin[0].sha256: the component in the registry has another SHA-256"), "{text}");
    let other = registry.push(&mode(MODE));
    let text = refused(&server, &from_registry(&receiver, &other));
    assert!(text.contains(&format!("the component in the registry is called \"{MODE}\"")), "{text}");
    let broken = registry.push(b"no component");
    let text = refused(&server, &from_registry(&receiver, &broken));
    assert!(text.contains("no server would load ") && text.contains("not a WebAssembly component"), "{text}");
    assert_eq!(published(&server).await, 0);
}

async fn a_registry_may_want_a_user(mut server: TestServer) {
    server.set(ALLOW.0, ALLOW.1);
    let (registry, receiver) = (TestRegistry::start().await, Receiver::start().await);
    registry.answer(Manner::ToUsers);
    let reference = registry.push(&Analyst::default().component());
    let manifest = from_registry(&receiver, &reference);
    let text = refused(&server, &manifest);
    assert!(text.contains("the token server 127.0.0.1 answered with status 401"), "{text}");
    let (host, _) = reference.split_once('/').unwrap();
    let file = server.folder().join("registries.json");
    fs::write(&file, format!(r#"{{"auths": {{"{host}": {{"username": "user", "password": "pass"}}}}}}"#)).unwrap();
    server.set("SEALWRIGHT_PLUGINS_REGISTRY_CREDENTIALS_FILE", &file.display().to_string());
    server.must_apply(&manifest);
    until_listed(&server, "analyst", true).await;
}

async fn a_component_is_loaded_from_a_registry(mut server: TestServer) {
    server.set(ALLOW.0, ALLOW.1);
    let registry = TestRegistry::start().await;
    let reference = format!("oci:{}", registry.push(&mode(MODE)));
    let printed = must(&server, &["plugin", "load", &reference]);
    assert!(printed.starts_with("custom-apikeys "), "{printed}");
    until_listed(&server, MODE, true).await;
    let output = server.run(&["plugin", "load", "oci:registry.example/a"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("expected a component in a registry"), "{}", said(&output));
}

/// Makes a key, and returns its file and its public half.
fn key(server: &TestServer, name: &str) -> (String, String) {
    let file = server.folder().join(name).display().to_string();
    let print = || -> Value {
        let output = server.run(&["plugin", "key", &file, "--json"]);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", said(&output)))
    };
    let (made, read) = (print(), print());
    assert_eq!(made["created"], true, "{made}");
    assert_eq!((&read["created"], &read["publicKey"]), (&false.into(), &made["publicKey"]));
    (file, made["publicKey"].as_str().unwrap().to_owned())
}

fn require(server: &mut TestServer, trusted: &str) {
    server.set("SEALWRIGHT_PLUGINS_REQUIRE_SIGNATURE", "true");
    server.set("SEALWRIGHT_PLUGINS_TRUSTED_KEYS", trusted);
}

async fn without_a_trusted_signature_nothing_is_loaded(mut server: TestServer) {
    let ((ours, public), (theirs, _)) = (key(&server, "ours.key"), key(&server, "theirs.key"));
    require(&mut server, &public);
    server.restart().await;
    let file = server.folder().join("custom.wasm");
    fs::write(&file, mode(MODE)).unwrap();
    let file = file.display().to_string();
    let load = ["plugin", "load", &file];
    let refused_for = |expected: &str| {
        let output = server.run(&load);
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        assert!(said(&output).contains(expected), "{}", said(&output));
        let checked = server.run(&["plugin", "check", &file]);
        assert_eq!(checked.status.code(), Some(1), "{}", said(&checked));
        assert!(said(&checked).contains(expected), "{}", said(&checked));
    };
    refused_for("it is not signed, and plugins.require_signature is on");
    // What is not signed does not reach the compiler, which would find that this is not a component.
    let damaged = server.folder().join("damaged.wasm");
    fs::write(&damaged, [&mode(MODE)[..8], b"\xff\xff"].concat()).unwrap();
    let output = server.run(&["plugin", "load", damaged.to_str().unwrap()]);
    assert!(said(&output).contains("it is not signed, and plugins.require_signature is on"), "{}", said(&output));
    must(&server, &["plugin", "sign", &file, "--key", &theirs]);
    refused_for("which is not in plugins.trusted_keys");

    must(&server, &["plugin", "sign", &file, "--key", &ours]);
    let signed = fs::read(&file).unwrap();
    // Another component behind the signature of this one, whose section has 153 bytes.
    fs::write(&file, [&signed[..8 + 153], &mode("another-mode-x")[8..]].concat()).unwrap();
    refused_for("the component was changed after it was signed");

    fs::write(&file, &signed).unwrap();
    let checked = said(&server.run(&["plugin", "check", &file]));
    assert!(checked.contains(&format!("signed   trusted, by {}", &public[..12])), "{checked}");
    must(&server, &load);
    let plugin = until_listed(&server, MODE, true).await.unwrap();
    assert_eq!((&plugin["signature"]["state"], &plugin["signature"]["key"]), (&"trusted".into(), &public.into()));
    assert!(said(&server.run(&["plugin", "list"])).contains("trusted"));

    // What a manifest names is refused with the reason, from the folder and from a registry.
    let receiver = Receiver::start().await;
    let folder = server.data_dir().join("plugins");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("analyst.wasm"), Analyst::default().component()).unwrap();
    let text = refused(&server, &analysed(&receiver));
    assert!(text.contains("analyst.wasm is not loaded: it is not signed"), "{text}");
    let registry = TestRegistry::start().await;
    server.set(ALLOW.0, ALLOW.1);
    let reference = registry.push(&Analyst::default().component());
    let text = refused(&server, &from_registry(&receiver, &reference));
    assert!(
        text.contains("analysis.plugin[0].oci: no server would load ") && text.contains("it is not signed"),
        "{text}"
    );
}

async fn what_was_published_before_the_policy_is_refused_at_the_start(mut server: TestServer) {
    let (_, public) = key(&server, "ours.key");
    let file = server.folder().join("custom.wasm");
    fs::write(&file, mode(MODE)).unwrap();
    must(&server, &["plugin", "load", &file.display().to_string()]);
    until_listed(&server, MODE, true).await;
    require(&mut server, &public);
    server.restart().await;
    until_listed(&server, MODE, false).await;
    let refused = eventually("the reason is listed", AMPLE, async || {
        let list: Value = serde_json::from_slice(&server.run(&["plugin", "list", "--json"]).stdout).unwrap();
        list["refused"].as_array().unwrap().first().cloned()
    });
    let reason = refused.await["reason"].as_str().unwrap().to_owned();
    assert!(reason.starts_with("it is not signed"), "{reason}");
    let doctor = said(&server.run(&["doctor"]));
    assert!(doctor.contains("it is not signed"), "{doctor}");
}
