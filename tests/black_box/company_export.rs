//! A company's manifest, made of what is stored (`sealwright company export`).

use serde_json::{Value, json};

use crate::support::{
    Database, TestServer,
    company_manifest::{ACME, ACME_API, BOREALIS, acme_on, acme_with_webhook, borealis},
    evidence::signature,
    on_both_databases,
    server::said,
};

on_both_databases!(
    applying_an_export_changes_nothing,
    a_webhook_that_the_company_set_itself_is_left_out,
    only_a_stored_company_can_be_exported,
);

/// Something of everything that a company manifest can have, with values that TOML has to escape.
const EVERYTHING: &str = r##"
[company]
id = 61
name = "Émile's \"Roofs\" & Sons \\ 屋根"
parent = 60
document_analysis = true
audit_days = 400
case_days = 3650
original_days = 400
fact_days = 90
delivery_days = 60
language = "fr"
time_zone = "Europe/Paris"
embed_originals = "20MB"
show_documents = 5
rate_limits = { "POST /cases/create" = 600, "GET /frames" = 7000 }

[company.appearance]
colour = "#0B5FA5"
logo_file = "logo.png"

[[user]]
id = "usr-roofs-api"
username = "roofs"
email = "api@roofs.example"
name = "Back office"
kind = "api"
password = "correct horse \"battery\" staple"
rights = ["p_api:case:read", "p_api:case:create"]
logged_in = true

[[user]]
id = "usr-roofs-field"
kind = "field"
name = "Ana"
oidc_subject = "auth0|5f7c"

[[user]]
id = "usr-roofs-gone"
kind = "field"
name = "Gone"

[[frame]]
id = 6110
name = "Gone"

[[frame]]
id = 6120
name = "Roof"
shared_with_children = false

[[frame.step]]
id = 1
title = "Removed later"
action = "TEXT_FIELD"

[[frame.step]]
id = 9
title = "Who"
action = "TEXT_FIELD"

[[frame.step]]
id = 3
title = "Invoice"
description = """
Both sides.
'''Not''' "folded".
"""
action = "DOCUMENT_UPLOAD"
mandatory = true

[frame.step.analysis]
document_types = ["INVOICE"]
other_document = true
timestamp_and_signature = false
cross_check = [{ field = "lastName", label = "Name", step = 9 }]
extract = [{ key = "netAmount", label = "Amount" }]

[[frame.step]]
id = 4
title = "Identity card"
action = "DOCUMENT_UPLOAD"

[frame.step.analysis]
document_types = ["IDENTITY_CARD"]
delete_after_analysis = true

[[frame.step]]
id = 5
title = "Cause"
action = "SELECT"
options = ["Wind", "Hail", "\"Other\""]

[[frame]]
id = 6100
name = "One photo"
quick = true

[[frame.step]]
id = 1
title = "Photo"
action = "PHOTOGRAPHY"
mandatory = true

[webhook.case]
endpoint = "https://hooks.roofs.example/cases?a=1&b=%22"
auth = "hmac-sha256"
api_key = "roofs-key"
api_secret = "a secret with \"quotes\" and \\"

[webhook.analysis]
endpoint = "https://hooks.roofs.example/analysis"
auth = "security-token"
auth_token = "roofs-token"

[webhook.decision]
endpoint = "https://hooks.roofs.example/decisions"
auth = "standard-webhooks"
api_secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
previous_api_secret = "whsec_bmV3IHNlY3JldCBvZiAyNCBieXRlcyEh"
previous_until = "2199-12-01T00:00:00Z"
retry_seconds = [5, 300]

[analysis]
weights = { document = 5, motion = 0 }

[[analysis.plugin]]
name = "document-types"
role = "document-type"
settings = { languages = ["fr", "en"] }

[[analysis.plugin]]
name = "cross-check"
role = "cross-check"

[[analysis.plugin]]
name = "document-forensics"
role = "falsification"
"##;

const PARENT: &str = "[company]\nid = 60\nname = \"Parent\"\n";

/// The manifest after someone removed a user, a frame and a step.
fn with_less() -> String {
    let without_user = EVERYTHING.replace("[[user]]\nid = \"usr-roofs-gone\"\nkind = \"field\"\nname = \"Gone\"\n", "");
    let without_frame = without_user.replace("[[frame]]\nid = 6110\nname = \"Gone\"\n", "");
    without_frame.replace("[[frame.step]]\nid = 1\ntitle = \"Removed later\"\naction = \"TEXT_FIELD\"\n", "")
}

async fn applying_an_export_changes_nothing(server: TestServer) {
    std::fs::write(server.folder().join("logo.png"), signature().bytes).expect("write the logo");
    server.must_apply(PARENT);
    server.must_apply(EVERYTHING);
    server.must_apply(&with_less());
    let exported = export(&server, 61);
    assert!(!exported.contains("Gone") && !exported.contains("Removed later"), "{exported}");
    assert!(exported.contains("$argon2id$") && !exported.contains("correct horse"), "{exported}");
    let report = apply(&server, &exported);
    for (list, changes) in [("created", 0), ("changed", 0), ("deactivated", 0)] {
        assert_eq!(report[list].as_array().map(Vec::len), Some(changes), "{report}\n{exported}");
    }
    // The company, 2 users, 2 frames with 5 steps, 3 webhooks.
    assert_eq!(report["unchanged"], 13, "{report}");
    assert_eq!(export(&server, 61), exported);
    // A company with few settings.
    server.must_apply(&borealis());
    let exported = export(&server, BOREALIS);
    assert_eq!(apply(&server, &exported)["changed"], json!([]), "{exported}");
}

#[tokio::test]
async fn an_export_sets_up_the_same_company_elsewhere() {
    let server = TestServer::start(Database::Sqlite).await;
    server.must_apply(&acme_with_webhook(""));
    let exported = export(&server, ACME);
    let other = TestServer::start(Database::Sqlite).await;
    other.must_apply(&exported);
    assert_eq!(export(&other, ACME), exported);
    other.sign_in(ACME_API.username, ACME_API.password).await.get("/frames").await.expect(200);
}

async fn a_webhook_that_the_company_set_itself_is_left_out(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let own = json!({ "endpoint": "https://own.acme.example/", "authToken": "own-token" });
    api.post("/company-options/api-settings", &own).await.expect(200);
    let output = server.run(&["company", "export", &ACME.to_string()]);
    let exported = String::from_utf8(output.stdout.clone()).expect("UTF-8");
    assert!(!exported.contains("own.acme.example") && !exported.contains("[webhook.case]"), "{exported}");
    assert!(said(&output).contains("the case webhook of company"), "{}", said(&output));
    assert_eq!(apply(&server, &exported)["changed"], json!([]));
    let options = api.get("/company-options").await.expect(200).text();
    assert!(options.contains("https://own.acme.example/"), "{options}");
}

async fn only_a_stored_company_can_be_exported(server: TestServer) {
    let output = server.run(&["company", "export", "4711"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    assert!(said(&output).contains("company 4711 does not exist"), "{}", said(&output));
    assert_eq!(server.run(&["company", "export", "0"]).status.code(), Some(2));
}

fn export(server: &TestServer, company: i64) -> String {
    let output = server.run(&["company", "export", &company.to_string()]);
    assert!(output.status.success(), "{}", said(&output));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Applies one manifest and returns its report.
fn apply(server: &TestServer, manifest: &str) -> Value {
    let output = server.run(&["apply", "--json", &server.write_company_manifest(manifest)]);
    assert!(output.status.success(), "{}\n{manifest}", said(&output));
    let reports: Value = serde_json::from_slice(&output.stdout).expect("apply --json prints an array");
    reports[0].clone()
}
