//! Shadow plugins (`shadow = true` in a company manifest), which run next to those that count: their results are
//! recorded, shown to the operator, and have no effect.

use std::fs;

use serde_json::{Value, json};

use crate::{
    console::{Person, must_add_user},
    support::{
        AMPLE, Api, Receiver, TestServer,
        analyst::{Analyst, GPS_SCORE, LAST_NAME, LOOP, TRAP, TYPE_SCORE, analysed},
        company_manifest::{ACME, DOCUMENT_UPLOAD, FRAME, TEXT_FIELD},
        eventually,
        evidence::{add_document, add_entry, close, identity_card, open_case},
        on_both_databases,
        server::said,
    },
};

on_both_databases!(
    a_shadow_is_recorded_and_shown_and_counts_for_nothing,
    a_shadow_that_hangs_and_traps_neither_delays_nor_fails_a_verdict,
    a_shadow_is_replayed_like_other_plugins,
    deleting_a_case_deletes_its_shadow_runs,
    apply_accepts_several_shadows_and_one_plugin_that_counts,
);

/// It has a lower version, so the other one stays preferred. It accuses every document.
const SHADOW: Analyst = Analyst { version: "0.9.0", evaluation: 5, detect: "", extract: "", inspect: "", assess: "" };
const ROLES: [&str; 4] = ["document-type", "cross-check", "falsification", "signal"];

/// Acme with the usual analyst, and with `shadow` in every role too.
async fn with_shadow(server: &mut TestServer, shadow: Analyst) -> (Api, Receiver, String) {
    fs::create_dir_all(server.data_dir().join("plugins")).unwrap();
    let file = server.data_dir().join("plugins/shadow.wasm");
    fs::write(&file, shadow.component()).unwrap();
    let (api, receiver) = Analyst::default().install_on(server).await;
    let checked = server.run(&["plugin", "check", &file.display().to_string(), "--json"]);
    let checked: Value = serde_json::from_slice(&checked.stdout).unwrap();
    let digest = checked["digest"].as_str().unwrap().to_owned();
    server.must_apply(&(analysed(&receiver) + &entries(&digest)));
    // Workers read the company again for each job.
    (api, receiver, digest)
}

fn entries(digest: &str) -> String {
    let entry = |role: &str| {
        format!("\n[[analysis.plugin]]\nname = \"analyst\"\nrole = \"{role}\"\nsha256 = \"{digest}\"\nshadow = true\n")
    };
    ROLES.map(entry).concat()
}

async fn a_shadow_is_recorded_and_shown_and_counts_for_nothing(mut server: TestServer) {
    let (api, receiver, digest) = with_shadow(&mut server, SHADOW).await;
    let (case, payload) = judged(&api, &receiver).await;
    // The same as without the shadow, which is certain of fraud.
    let document = &payload["analysis"]["documentAnalyses"][0];
    assert_eq!((&payload["analyzeStatus"], &document["suspicionScore"]), (&json!("GOOD"), &json!(4)));
    let signals = payload["analysis"]["signals"].as_array().unwrap();
    assert!(signals.iter().any(|signal| signal["score"] == GPS_SCORE), "{payload}");
    let explained = explained(&server, case, 5).await;
    assert!(explained["runs"].as_array().unwrap().iter().all(|run| run["digest"] != digest.as_str()));
    let shadows = explained["shadows"].as_array().unwrap();
    let of_role = |role: &str| shadows.iter().find(|run| run["role"] == role).unwrap();
    assert!(shadows.iter().all(|run| run["digest"] == digest.as_str() && run["shadow"] == true), "{explained}");
    let differences = &of_role("falsification")["differences"];
    assert_eq!(*differences, json!([{ "subject": "FONT_CONSISTENCY", "before": "VALID, 96", "after": "VALID, 5" }]));
    for same in ["document-type", "cross-check: extract", "cross-check: compare", "signal"] {
        assert_eq!(of_role(same)["differences"], json!([]), "{same}: {explained}");
    }
    assert_eq!(explained["analysis"], payload["analysis"]);
    assert_eq!(receiver.analyses_of(case).len(), 1, "no webhook reports a shadow");
    let text = said(&server.run(&["analysis", "explain", &case.to_string()]));
    assert!(text.contains("Shadows, which are not counted"), "{text}");
    assert!(text.contains("FONT_CONSISTENCY: VALID, 96; by the shadow: VALID, 5"), "{text}");
    assert!(!text.contains(LAST_NAME));

    let listed = listed(&server, &digest);
    assert_eq!(listed["companies"], json!([]), "{listed}");
    assert_eq!((&listed["shadowOf"], &listed["preferred"]), (&json!([ACME]), &json!(false)), "{listed}");
    let calls = &listed["calls"][0];
    assert_eq!((&calls["shadow"], &calls["calls"], &calls["differed"]), (&json!(true), &json!(5), &json!(1)));
    let metrics = reqwest::get(format!("{}/metrics", server.admin_url())).await.unwrap().text().await.unwrap();
    for (outcome, count) in [("answered", 5), ("differed", 1)] {
        let labels = format!("{{plugin=\"analyst\",company=\"{ACME}\",outcome=\"{outcome}\"}}");
        assert!(metrics.contains(&format!("sealwright_plugin_shadow_calls_total{labels} {count}")), "{metrics}");
    }
    let answered =
        format!("sealwright_plugin_calls_total{{plugin=\"analyst\",company=\"{ACME}\",outcome=\"answered\"}} 5");
    assert!(metrics.contains(&answered), "{metrics}");
    assert_shown(
        &server,
        &digest,
        &["documents: 0 agreed, 1 differed, 0 without", "cases: 1 agreed, 0 differed, 0 without"],
    )
    .await;
}

/// The operation page of the console has rows with these texts about the component.
async fn assert_shown(server: &TestServer, digest: &str, texts: &[&str]) {
    must_add_user(server, "olga", &["--role", "operator"]);
    let page = Person::signed_in(server, "olga").await.get("/console/operation").await.expect(200).text();
    let rows = page.split("<li").filter(|row| row.contains(&format!("title=\"{digest}\"")));
    let rows: Vec<String> = rows.map(|row| row.replace("<span class=\"found\">", "").replace("</span>", "")).collect();
    for text in texts {
        assert!(rows.iter().any(|row| row.contains(text) && row.contains(&format!("({ACME})"))), "{text}: {rows:?}");
    }
}

async fn a_shadow_that_hangs_and_traps_neither_delays_nor_fails_a_verdict(mut server: TestServer) {
    let broken = Analyst { detect: LOOP, extract: TRAP, inspect: LOOP, assess: LOOP, ..SHADOW };
    let (api, receiver, digest) = with_shadow(&mut server, broken).await;
    // More failures in a row than would take an active plugin out of service.
    for _ in 0..3 {
        let (_, payload) = judged(&api, &receiver).await;
        assert_eq!((&payload["progress"], &payload["analyzeStatus"]), (&json!("completed"), &json!("GOOD")));
        assert_eq!(payload["analysis"]["documentAnalyses"][0]["typeMatchScore"], TYPE_SCORE);
    }
    let calls = eventually("the shadow's failures are counted", AMPLE, async || {
        let calls = listed(&server, &digest)["calls"][0].clone();
        (calls["failures"]["deadline"].as_i64() >= Some(3) && calls["failures"]["trap"].as_i64() >= Some(1))
            .then_some(calls)
    })
    .await;
    assert_eq!(calls["differed"], 0, "a missing answer cannot differ");
    let text = said(&server.run(&["plugin", "list"]));
    assert!(text.contains("last failure: it ") && text.contains("(shadow)"), "{text}");
    let (_, payload) = judged(&api, &receiver).await;
    assert_eq!(payload["analyzeStatus"], "GOOD", "the plugin that counts has the same name, and is in service");
}

async fn a_shadow_is_replayed_like_other_plugins(mut server: TestServer) {
    let (api, receiver, _) = with_shadow(&mut server, SHADOW).await;
    let (case, _) = judged(&api, &receiver).await;
    explained(&server, case, 5).await;
    let output = server.run(&["plugin", "replay", &case.to_string(), "--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let replayed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(replayed["same"], 10);
    assert_eq!(replayed["runs"].as_array().unwrap().iter().filter(|run| run["shadow"] == true).count(), 5);
}

async fn deleting_a_case_deletes_its_shadow_runs(mut server: TestServer) {
    let (api, receiver, _) = with_shadow(&mut server, SHADOW).await;
    let (case, _) = judged(&api, &receiver).await;
    explained(&server, case, 5).await;
    api.delete(&format!("/cases/delete/{case}")).await.expect(200);
    eventually("nothing is left", AMPLE, async || {
        let mut rows = crate::support::rows::Rows::of(&server).await;
        let mut left = 0;
        for sql in ["select case_id from plugin_runs", "select subject from jobs"] {
            let found: Vec<(i64,)> = rows.all(sql).await;
            left += found.len();
        }
        (left == 0).then_some(())
    })
    .await;
}

async fn apply_accepts_several_shadows_and_one_plugin_that_counts(mut server: TestServer) {
    let (_, receiver, digest) = with_shadow(&mut server, SHADOW).await;
    let twice = analysed(&receiver) + &entries(&digest) + &entries(&digest);
    let printed = said(&server.apply(&twice));
    assert!(printed.contains("is already given for the role"), "{printed}");
    let unpinned = entries(&digest).replace(&format!("sha256 = \"{digest}\"\n"), "");
    server.must_apply(&(analysed(&receiver) + &entries(&digest) + &unpinned));
    let wrong = said(&server.apply(&(analysed(&receiver) + &entries(&digest).replace("true", "\"yes\""))));
    assert!(wrong.contains("shadow"), "{wrong}");
}

/// A closed case with a document, and the payload of its webhook.
async fn judged(api: &Api, receiver: &Receiver) -> (i64, Value) {
    let case = open_case(api, &json!({ "frameId": FRAME })).await;
    add_entry(api, case, TEXT_FIELD, LAST_NAME).await.expect(201);
    add_document(api, case, DOCUMENT_UPLOAD, identity_card()).await.expect(200);
    close(api, case).await.expect(200);
    (case, receiver.wait_for_analyses(case, 1).await.remove(0).json())
}

/// The explanation of a case once this many shadows have run.
async fn explained(server: &TestServer, case: i64, shadows: usize) -> Value {
    eventually("the shadows have run", AMPLE, async || {
        let output = server.run(&["analysis", "explain", &case.to_string(), "--json"]);
        let explained: Value = serde_json::from_slice(&output.stdout).unwrap();
        (explained["shadows"].as_array()?.len() == shadows).then_some(explained)
    })
    .await
}

fn listed(server: &TestServer, digest: &str) -> Value {
    let output = server.run(&["plugin", "list", "--json"]);
    let list: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", said(&output)));
    let found = list["plugins"].as_array().unwrap().iter().find(|plugin| plugin["digest"] == digest);
    found.cloned().unwrap_or_else(|| panic!("{digest} is not in {list}"))
}
