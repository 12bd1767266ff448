//! Plugins as operators see them (operator's page): the watched folder, `plugin check` and `plugin list`, and how
//! `apply` checks the plugins that a company manifest names.

use std::{fs, path::PathBuf, process::Output, time::Duration};

use serde_json::Value;

use crate::support::{
    AMPLE, Api, Receiver, TestServer,
    analyst::{Analyst, EVALUATION, TRAP, analysed},
    company_manifest::{ACME, DOCUMENT_UPLOAD, FRAME, acme},
    eventually,
    evidence::{add_document, close, identity_card, open_case},
    on_both_databases,
    server::said,
    toolchains::component,
};

on_both_databases!(
    a_component_added_to_the_plugin_folder_is_loaded_and_a_removed_one_is_reported,
    plugin_check_says_what_a_component_is_and_whether_it_would_be_loaded,
    apply_refuses_plugins_that_are_not_loaded_with_line_and_field,
    calls_of_plugins_are_counted_for_the_operator,
    a_failure_is_reported_with_the_plugin_s_own_message,
    a_swap_under_load_fails_no_call_and_mixes_no_answer,
    versions_coexist_and_a_digest_pins_one,
);

/// A component of the mode `name`, which must have as many letters as `partner-apikey`.
pub(crate) fn mode(name: &str) -> Vec<u8> {
    let mut component = fs::read(frozen("partner-apikey")).unwrap();
    assert_eq!(name.len(), "partner-apikey".len());
    while let Some(at) = component.windows(name.len()).position(|window| window == b"partner-apikey") {
        component[at..at + name.len()].copy_from_slice(name.as_bytes());
    }
    component
}

fn frozen(mode: &str) -> PathBuf {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/contract/0.1.0");
    PathBuf::from(fixtures).join(mode).with_extension("wasm")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", said(output)))
}

pub(crate) fn listed(server: &TestServer, name: &str) -> Option<Value> {
    let list = json(&server.run(&["plugin", "list", "--json"]));
    list["plugins"].as_array().unwrap().iter().find(|plugin| plugin["name"] == name).cloned()
}

async fn a_component_added_to_the_plugin_folder_is_loaded_and_a_removed_one_is_reported(server: TestServer) {
    assert_eq!(listed(&server, "custom-apikeys"), None);
    let folder = server.data_dir().join("plugins");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("custom.wasm"), mode("custom-apikeys")).unwrap();
    fs::write(folder.join("broken.wasm"), "no component").unwrap();
    let limit = Duration::from_secs(30);
    let loaded = eventually("the plugin is loaded", limit, async || listed(&server, "custom-apikeys")).await;
    assert_eq!((&loaded["roles"][0], &loaded["preferred"]), (&"webhook-auth".into(), &true.into()), "{loaded}");
    let refused = eventually("the broken file is reported", limit, async || {
        let list = json(&server.run(&["plugin", "list", "--json"]));
        list["refused"].as_array().unwrap().first().cloned()
    });
    let reason = refused.await["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("not a WebAssembly component"), "{reason}");

    let receiver = Receiver::start().await;
    server.must_apply(&acme(&receiver).replace("auth = \"hmac-sha256\"", "auth = \"custom-apikeys\""));
    fs::remove_file(folder.join("custom.wasm")).unwrap();
    if server.database_url().starts_with("postgres") {
        // Other nodes have it too: the installation keeps a plugin that one folder loses until it is withdrawn.
        let unloaded = eventually("the plugin is published", limit, async || {
            Some(server.run(&["plugin", "unload", "custom-apikeys"])).filter(|output| output.status.success())
        });
        unloaded.await;
    }
    let gone =
        eventually("the plugin is gone", limit, async || listed(&server, "custom-apikeys").is_none().then_some(()));
    gone.await;
    // The company still names it.
    let list = json(&server.run(&["plugin", "list", "--json"]));
    let missing =
        serde_json::json!([{ "company": ACME, "name": "custom-apikeys", "role": "webhook-auth", "shadow": false }]);
    assert_eq!(list["missing"], missing, "{list}");
    let warning = format!("company {ACME} names custom-apikeys as webhook-auth, but no such plugin is loaded");
    assert!(said(&server.run(&["plugin", "list"])).contains(&warning));
    let doctor = server.run(&["doctor"]);
    assert!(said(&doctor).contains(&warning), "{}", said(&doctor));
    assert_eq!(doctor.status.code(), Some(1), "{}", said(&doctor));
    let metrics = reqwest::get(format!("{}/metrics", server.admin_url())).await.unwrap().text().await.unwrap();
    assert!(metrics.contains("sealwright_plugins_missing 1"), "{metrics}");
}

async fn plugin_check_says_what_a_component_is_and_whether_it_would_be_loaded(server: TestServer) {
    let file = server.folder().join("custom.wasm");
    fs::write(&file, mode("custom-apikeys")).unwrap();
    let file = file.display().to_string();
    let output = server.run(&["plugin", "check", &file, "--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let checked = json(&output);
    assert_eq!(checked["plugin"]["name"], "custom-apikeys");
    assert_eq!(checked["plugin"]["roles"][0], "webhook-auth");
    assert!(checked["exports"].to_string().contains("sealwright:plugin/webhook-authentication@0.1.0"), "{checked}");
    assert!(checked["imports"].to_string().contains("sealwright:plugin/credentials@0.1.0"), "{checked}");
    let text = String::from_utf8(server.run(&["plugin", "check", &file]).stdout).unwrap();
    assert!(text.ends_with("this host would load it\n"), "{text}");

    // Another component with the name of a built-in plugin, and that plugin itself.
    let output = server.run(&["plugin", "check", &frozen("hmac-sha256").display().to_string()]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("its name hmac-sha256 is taken by a built-in plugin: return"), "{}", said(&output));
    let output = server.run(&["plugin", "check", &component("plugins", "hmac-sha256").display().to_string()]);
    assert!(output.status.success() && said(&output).contains("one of the built-in plugins"), "{}", said(&output));

    let broken = server.folder().join("broken.wasm");
    fs::write(&broken, "no component").unwrap();
    let output = server.run(&["plugin", "check", &broken.display().to_string()]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("would not load it: it is not a WebAssembly component"), "{}", said(&output));
}

async fn apply_refuses_plugins_that_are_not_loaded_with_line_and_field(server: TestServer) {
    let receiver = Receiver::start().await;
    let manifest = acme(&receiver);
    let line = manifest.lines().count() + 1;
    let of_signals = |settings: &str| {
        format!("{manifest}\n[[analysis.plugin]]\nname = \"signals\"\nrole = \"signal\"\nsettings = {settings}\n")
    };
    let text = said(&server.apply(&of_signals("{ clock_drift_minutes = -1 }")));
    let expected = "analysis.plugin[0].settings.clock_drift_minutes: -1 is less than the minimum of 0";
    assert!(text.contains(expected), "{text}");
    server.must_apply(&of_signals("{ clock_drift_minutes = 10 }"));
    let plugin = "\n[[analysis.plugin]]\nname = \"nobody\"\nrole = \"signal\"\n";
    let output = server.apply(&(manifest + plugin));
    assert!(!output.status.success());
    let text = said(&output);
    assert!(text.contains("analysis.plugin[0].name: no plugin of the role signal is called \"nobody\""), "{text}");
    assert!(text.contains(&format!(":{}:", line + 1)) || text.contains(&format!(":{line}:")), "{line}: {text}");
}

async fn calls_of_plugins_are_counted_for_the_operator(server: TestServer) {
    use crate::support::company_manifest::{SHORT_FRAME, acme_on};
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &serde_json::json!({ "frameId": SHORT_FRAME })).await;
    close(&api, case).await.expect(200);
    receiver.wait_for(1).await;
    let counted = eventually("the call is counted", Duration::from_secs(10), async || {
        listed(&server, "hmac-sha256")?["calls"].as_array()?.first().cloned()
    });
    let calls = counted.await;
    assert_eq!((&calls["company"], &calls["calls"]), (&ACME.into(), &1.into()), "{calls}");
    assert!(calls["memory"].as_u64().unwrap() > 0 && calls["p99"].as_u64().unwrap() > 0, "{calls}");
    let metrics = reqwest::get(format!("{}/metrics", server.admin_url())).await.unwrap().text().await.unwrap();
    let line =
        format!("sealwright_plugin_calls_total{{plugin=\"hmac-sha256\",company=\"{ACME}\",outcome=\"answered\"}} 1");
    assert!(metrics.contains(&line), "{metrics}");
}

async fn a_failure_is_reported_with_the_plugin_s_own_message(mut server: TestServer) {
    let (api, receiver) = Analyst { inspect: TRAP, ..Analyst::default() }.install_on(&mut server).await;
    let case = judged_document(&api).await;
    receiver.wait_for_analyses(case, 1).await;
    let calls = listed(&server, "analyst").unwrap()["calls"][0].clone();
    assert_eq!((&calls["failures"]["trap"], &calls["company"]), (&1.into(), &ACME.into()), "{calls}");
    assert!(calls["lastFailure"].as_str().unwrap().starts_with("it was stopped: "), "{calls}");
    assert!(calls["lastLog"].is_array(), "{calls}");
    let text = said(&server.run(&["plugin", "list"]));
    assert!(text.contains(&format!("analyst 1.0.0 for company {ACME}, last failure: it was stopped")), "{text}");
    assert!(text.contains("1 trap"), "{text}");
}

async fn a_swap_under_load_fails_no_call_and_mixes_no_answer(mut server: TestServer) {
    const NEWER: Analyst =
        Analyst { version: "1.1.0", evaluation: 50, detect: "", extract: "", inspect: "", assess: "" };
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    let folder = server.data_dir().join("plugins");
    let old = listed(&server, "analyst").unwrap()["digest"].clone();
    let mut cases = Vec::new();
    for round in 0..12 {
        if round == 4 {
            fs::write(folder.join("newer.tmp"), NEWER.component()).unwrap();
            fs::rename(folder.join("newer.tmp"), folder.join("analyst.wasm")).unwrap();
        }
        if round == 8 {
            let swapped = || listed(&server, "analyst").filter(|plugin| plugin["version"] == "1.1.0");
            eventually("the newer version is in service", AMPLE, async || swapped()).await;
        }
        cases.push(judged_document(&api).await);
    }
    let mut evaluations = Vec::new();
    for case in cases {
        let payload = receiver.wait_for_analyses(case, 1).await.remove(0).json();
        let document = payload["analysis"]["documentAnalyses"][0].clone();
        let explained = json(&server.run(&["analysis", "explain", &case.to_string(), "--json"]));
        let runs = explained["runs"].as_array().unwrap();
        assert!(runs.len() >= 4 && runs.iter().all(|run| run["failure"].is_null()), "a call failed: {explained}");
        let inspected = runs.iter().find(|run| run["role"] == "falsification").unwrap();
        let expected = if inspected["version"] == "1.0.0" { EVALUATION } else { 50 };
        assert_eq!(document["evaluation"], expected, "the answer is from another version");
        evaluations.push(expected);
    }
    assert_eq!((evaluations.first(), evaluations.last()), (Some(&EVALUATION), Some(&50)));
    assert!(evaluations.is_sorted_by(|one, next| one >= next), "an old version after a new one: {evaluations:?}");
    let list = said(&server.run(&["plugin", "list", "--json"]));
    assert!(!list.contains(old.as_str().unwrap()), "the old version is still there");
}

async fn versions_coexist_and_a_digest_pins_one(mut server: TestServer) {
    const NEWER: Analyst =
        Analyst { version: "1.1.0", evaluation: 50, detect: "", extract: "", inspect: "", assess: "" };
    let folder = server.data_dir().join("plugins");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("newer.wasm"), NEWER.component()).unwrap();
    let (api, receiver) = Analyst::default().install_on(&mut server).await;
    let list = json(&server.run(&["plugin", "list", "--json"]));
    let versions = list["plugins"].as_array().unwrap().iter().filter(|plugin| plugin["name"] == "analyst");
    let versions: Vec<(&Value, &Value)> = versions.map(|plugin| (&plugin["version"], &plugin["preferred"])).collect();
    assert_eq!(versions, [(&"1.1.0".into(), &true.into()), (&"1.0.0".into(), &false.into())]);
    let case = judged_document(&api).await;
    let payload = receiver.wait_for_analyses(case, 1).await.remove(0).json();
    assert_eq!(payload["analysis"]["documentAnalyses"][0]["evaluation"], 50, "the highest version");

    let digest = list["plugins"].as_array().unwrap().iter().find(|plugin| plugin["version"] == "1.0.0");
    let digest = digest.unwrap()["digest"].as_str().unwrap();
    let role = "role = \"falsification\"";
    let pinned = analysed(&receiver).replace(role, &format!("{role}\nsha256 = \"{digest}\""));
    server.must_apply(&pinned);
    let case = judged_document(&api).await;
    let payload = receiver.wait_for_analyses(case, 1).await.remove(0).json();
    assert_eq!(payload["analysis"]["documentAnalyses"][0]["evaluation"], EVALUATION, "the pinned component");
    let refused = said(&server.apply(&pinned.replace(digest, &"0".repeat(64))));
    assert!(refused.contains("no component of analyst with this SHA-256 is loaded"), "{refused}");
}

/// A closed case with a document that is being analysed.
pub(crate) async fn judged_document(api: &Api) -> i64 {
    let case = open_case(api, &serde_json::json!({ "frameId": FRAME })).await;
    add_document(api, case, DOCUMENT_UPLOAD, identity_card()).await.expect(200);
    close(api, case).await.expect(200);
    case
}
