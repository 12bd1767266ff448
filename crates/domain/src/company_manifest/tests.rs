use strum::VariantArray as _;

use super::*;

const WITHOUT_FILES: Lookup<'static> = Lookup { env: &|_| None, file: &|_| Err("no such file".to_owned()) };

/// The example of the operator's page, with everything in it.
const COMPLETE: &str = r#"
[company]
id = 7
name = "Acme Insurance"
parent = 1
document_analysis = true
certificate_template = "default"
rate_limits = { "POST /cases/create" = 600 }

[[user]]
id = "usr-acme-api"
username = "acme-api"
email = "api@acme.example"
name = "Acme back office"
kind = "api"
password = "correct horse battery staple"
rights = ["p_api:*"]
logged_in = true

[[frame]]
id = 70
name = "Water damage"
shared_with_children = true

[[frame.step]]
id = 701
title = "Front of the house"
description = "Stand back far enough to show the street number."
action = "PHOTOGRAPHY"
mandatory = true

[[frame.step]]
id = 703
title = "Identity document"
action = "DOCUMENT_UPLOAD"

[frame.step.analysis]
document_types = ["IDENTITY_CARD", "PASSPORT"]
other_document = false
timestamp_and_signature = true
delete_after_analysis = false
cross_check = [{ field = "lastName", label = "Last name", step = 702 }]
extract = [{ key = "documentNumber", label = "Document number" }]

[[frame.step]]
id = 702
title = "Last name"
action = "TEXT_FIELD"

[[frame.step]]
id = 704
title = "Cause"
action = "SELECT"
options = ["Burst pipe", "Roof", "Other"]

[webhook.case]
endpoint = "https://hooks.acme.example/cases"
auth = "hmac-sha256"
api_key = "acme-key"
api_secret_env = "ACME_SIGNING_SECRET"

[webhook.analysis]
endpoint = "https://hooks.acme.example/analysis"
auth = "bearer"
auth_token_file = "/run/secrets/analysis"

[analysis]
weights = { document = 4 }

[[analysis.plugin]]
name = "document-types"
role = "document-type"
settings = { languages = ["fr", "en"], since = 2026-01-01, depth = { z = 1, a = 1.5 } }
"#;

const COMPANY: &str = "[company]\nid = 7\nname = \"Acme\"\n";

/// The problems of a file, one line each.
fn problems(source: &str) -> String {
    let problems = parse("acme.toml", source, &WITHOUT_FILES).unwrap_err();
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// The problems of a file that starts with three lines for the company.
fn problems_after_company(rest: &str) -> String {
    problems(&format!("{COMPANY}{rest}"))
}

fn warnings_after_company(rest: &str) -> String {
    let read = parse("acme.toml", &format!("{COMPANY}{rest}"), &WITHOUT_FILES).unwrap();
    read.warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_operator_s_example_is_read_completely() {
    let lookup = Lookup {
        env: &|name| (name == "ACME_SIGNING_SECRET").then(|| "shh".to_owned()),
        file: &|path| if path == "/run/secrets/analysis" { Ok(b"token\r\n".to_vec()) } else { Err(String::new()) },
    };
    let Read { value: manifest, warnings } = parse("acme.toml", COMPLETE, &lookup).unwrap();
    assert_eq!(warnings, []);

    let company = &manifest.company;
    assert_eq!((company.id.get(), company.name.as_str()), (7, "Acme Insurance"));
    assert_eq!(company.parent, CompanyId::new(1));
    assert!(company.document_analysis);
    assert_eq!(company.rate_limits, BTreeMap::from([(Operation::CreateCase, 600)]));

    let [user] = &manifest.users[..] else { panic!("one user") };
    assert_eq!(user.kind, UserKind::Api);
    assert!(user.logged_in && user.rights == Rights::every());
    let login = user.login.as_ref().unwrap();
    assert_eq!(login.username, "acme-api");
    assert!(matches!(&login.password, Password::Plain(text) if text.expose() == "correct horse battery staple"));

    let [frame] = &manifest.frames[..] else { panic!("one frame") };
    assert!(frame.shared_with_children);
    assert_eq!(frame.line, 20);
    assert_eq!(frame.steps.iter().map(|step| step.id.get()).collect::<Vec<_>>(), [701, 703, 702, 704]);
    assert_eq!(frame.steps[3].options, ["Burst pipe", "Roof", "Other"]);
    let analysis = frame.steps[1].analysis.as_ref().unwrap();
    assert_eq!(analysis.document_types, ["IDENTITY_CARD", "PASSPORT"]);
    assert!(analysis.timestamp_and_signature);
    assert_eq!(analysis.cross_check[0].step.get(), 702);
    assert_eq!(analysis.extract[0].key, "documentNumber");

    let case = manifest.webhooks[&WebhookKind::Case].clone();
    assert_eq!((case.endpoint.as_str(), case.auth.as_str()), ("https://hooks.acme.example/cases", "hmac-sha256"));
    assert_eq!(case.credentials.api_secret.unwrap().expose(), "shh");
    let token = manifest.webhooks[&WebhookKind::Analysis].credentials.clone().auth_token.unwrap();
    assert_eq!(token.expose(), "token", "the line break at the end of a file is not part of the secret");

    assert_eq!(manifest.weights, SignalWeights { document: 4, ..SignalWeights::default() });
    let [plugin] = &manifest.plugins[..] else { panic!("one plugin") };
    assert_eq!(plugin.role, PluginRole::DocumentType);
    assert_eq!(
        serde_json::to_string(&plugin.settings).unwrap(),
        r#"{"languages":["fr","en"],"since":"2026-01-01","depth":{"z":1,"a":1.5}}"#
    );
    assert_eq!(plugin.line, 70);
}

#[test]
fn the_demo_s_company_manifest_has_neither_errors_nor_warnings_and_most_types_of_step() {
    let source = include_str!("../../../../host/demo/company.toml");
    let read = parse("company.toml", source, &WITHOUT_FILES).unwrap();
    assert_eq!(read.warnings, []);
    let actions: Vec<_> = read.value.frames[0].steps.iter().map(|step| step.action).collect();
    for action in StepAction::VARIANTS {
        let left_out = matches!(action, StepAction::Time | StepAction::Email);
        assert_eq!(actions.contains(action), !left_out, "{action}");
    }
    assert_eq!(read.value.users[0].login.as_ref().unwrap().username, "demo-api");
}

#[test]
fn a_company_has_a_language_and_a_time_zone() {
    let read = |settings: &str| parse("acme.toml", &format!("{COMPANY}{settings}"), &WITHOUT_FILES);
    let company = read("language = \"es\"\ntime_zone = \"Europe/Madrid\"\n").unwrap().value.company;
    assert_eq!(company.language, CertificateLanguage::Es);
    assert_eq!(company.time_zone.unwrap().as_str(), "Europe/Madrid");
    let problems = read("language = \"it\"\ntime_zone = \"CET+1\"\n").unwrap_err();
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].contains("company.language: found \"it\", expected one of en, fr, de and es"), "{problems:?}");
    assert!(problems[1].contains("company.time_zone: found \"CET+1\", expected a time zone"), "{problems:?}");
}

#[test]
fn a_company_embeds_originals_up_to_a_size_and_shows_documents_up_to_a_number_of_pages() {
    let read = |settings: &str| parse("acme.toml", &format!("{COMPANY}{settings}"), &WITHOUT_FILES);
    let extras = read("embed_originals = \"20MB\"\nshow_documents = 5\n").unwrap().value.company.extras;
    assert_eq!((extras.embed_originals.bytes(), extras.show_documents), (20_000_000, 5));
    assert!(read("embed_originals = \"0\"\nshow_documents = 0\n").unwrap().value.company.extras.is_none());
    let problems = read("embed_originals = \"51MB\"\nshow_documents = 21\n").unwrap_err();
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(
        problems[0].contains("company.embed_originals: found \"51MB\", expected a size from 0 to 50MB"),
        "{problems:?}"
    );
    assert!(problems[1].contains("found the number 21, expected a number of pages from 0 to 20"), "{problems:?}");
    assert!(read("embed_originals = 20\n").is_err());
}

#[test]
fn a_minimal_company_gets_the_defaults() {
    let manifest = parse("acme.toml", COMPANY, &WITHOUT_FILES).unwrap().value;
    assert_eq!(manifest.company.certificate_template, "default");
    assert_eq!(manifest.company.language, CertificateLanguage::En);
    assert!(manifest.company.time_zone.is_none() && manifest.company.extras.is_none());
    assert!(!manifest.company.document_analysis && manifest.users.is_empty() && manifest.frames.is_empty());
    assert_eq!(manifest.weights, SignalWeights::default());
    assert_eq!(manifest.plugins, []);
}

#[test]
fn ten_mistakes_give_ten_errors_each_with_its_line() {
    let source = r#"
[company]
id = "seven"
name = "Acme"
documentt_analysis = true
rate_limits = { "POST /cases/creat" = 600 }

[[user]]
id = "usr-1"
kind = "robot"
rights = ["p_api:case:creat"]

[[frame]]
id = 70
name = "Water damage"

[[frame.step]]
id = 701
title = "Cause"
action = "SELECT"

[[frame.step]]
id = 701
title = "Front"
action = "PHOTO"

[webhook.case]
auth = "bearer"
auth_token_env = "ACME_TOKEN"
"#;
    assert_eq!(problems(source).lines().count(), 10);
    insta::assert_snapshot!(problems(source), @r#"
    acme.toml:3: company.id: found "seven", expected a positive whole number
    acme.toml:5: company.documentt_analysis: unknown key, did you mean `document_analysis`?
    acme.toml:6: company.rate_limits."POST /cases/creat": unknown operation, did you mean `POST /cases/create`?
    acme.toml:10: user[0].kind: found "robot", expected `api` (a program) or `field` (a person who fills in cases)
    acme.toml:11: user[0].rights[0]: found "p_api:case:creat", expected a right, did you mean `p_api:case:create`?
    acme.toml:17: frame[0].step[0].options: missing, expected an array of at least one text to choose from
    acme.toml:23: frame[0].step[1].id: found the number 701, expected one that is not used yet: line 18 already has it
    acme.toml:25: frame[0].step[1].action: found "PHOTO", expected a type of step, did you mean `PHOTOGRAPHY`?
    acme.toml:27: webhook.case.endpoint: missing, expected the address that events are posted to, at most 2048 characters
    acme.toml:29: webhook.case.auth_token_env: the environment variable "ACME_TOKEN" is not set
    "#);
}

#[test]
fn invalid_toml_reports_only_its_syntax_errors() {
    insta::assert_snapshot!(problems("[company]\nid = \nname = \"Acme\"\n[[user]\n"), @r#"
    acme.toml:2: string values must be quoted, expected literal string
    acme.toml:4: unclosed array table, expected `]`
    "#);
    insta::assert_snapshot!(problems("[company]\nid = 7\nid = 8\n"), @r#"acme.toml:3: duplicate key"#);
}

#[test]
fn an_empty_file_lacks_its_company() {
    insta::assert_snapshot!(problems(""), @r#"acme.toml:1: company: missing, expected a table [company]"#);
    insta::assert_snapshot!(problems("company = 7"), @r#"acme.toml:1: company: found the number 7, expected a table"#);
}

#[test]
fn unknown_keys_name_the_nearest_at_every_level() {
    let source = "[[users]]\n[[frame]]\nid = 1\nname = \"a\"\n[[frame.step]]\nid = 1\ntitle = \"b\"\naction = \"DOCUMENT_UPLOAD\"\nmandatry = true\n[frame.step.analysis]\nother_document = true\ncross_cheks = []\n[analysis]\nweights = { documents = 1 }\n";
    insta::assert_snapshot!(problems_after_company(source), @r#"
    acme.toml:4: users: unknown key, did you mean `user`?
    acme.toml:12: frame[0].step[0].mandatry: unknown key, did you mean `mandatory`?
    acme.toml:15: frame[0].step[0].analysis.cross_cheks: unknown key, did you mean `cross_check`?
    acme.toml:17: analysis.weights.documents: unknown key, did you mean `document`?
    "#);
}

#[test]
fn numbers_outside_their_range_are_rejected() {
    insta::assert_snapshot!(problems("[company]\nid = 0\nname = \"a\"\nparent = -4\n"), @r#"
    acme.toml:2: company.id: found the number 0, expected a positive whole number
    acme.toml:4: company.parent: found the number -4, expected a positive whole number
    "#);
    insta::assert_snapshot!(problems("[company]\nid = 7\nname = \"a\"\nparent = 7\n"), @r#"acme.toml:4: company.parent: found the number 7, expected another company's identifier: a company cannot be its own parent"#);
    insta::assert_snapshot!(problems("[company]\nid = 99999999999999999999\nname = \"a\"\n"), @r#"acme.toml:2: company.id: found the number 99999999999999999999, expected a positive whole number"#);
    insta::assert_snapshot!(problems_after_company("[analysis]\nweights = { gps = 1.5, image = -1 }\n"), @r#"
    acme.toml:5: analysis.weights.image: found the number -1, expected a whole number from 0 to 1000
    acme.toml:5: analysis.weights.gps: found the number 1.5, expected a whole number from 0 to 1000
    "#);
    insta::assert_snapshot!(
        problems_after_company("[analysis]\nweights = { document = 0, image = 0, duplicate = 0, consistency = 0, gps = 0, device = 0, motion = 0 }\n"),
        @r#"acme.toml:5: analysis.weights: found every weight 0, expected at least one above 0: no score can be computed"#
    );
}

#[test]
fn names_must_be_visible_and_templates_cannot_leave_their_folder() {
    insta::assert_snapshot!(problems("[company]\nid = 7\nname = \"a\\nb\"\ncertificate_template = \"../x\"\n"), @r#"
    acme.toml:3: company.name: found "a\nb", expected a text of 1 to 255 characters on one line
    acme.toml:4: company.certificate_template: found "../x", expected a name of 1 to 64 of A-Z a-z 0-9 . _ - that starts with a letter or digit
    "#);
    let long = "x".repeat(256);
    insta::assert_snapshot!(problems(&format!("[company]\nid = 7\nname = \"{long}\"\n")), @r#"acme.toml:3: company.name: found "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…", expected a text of 1 to 255 characters on one line"#);
}

#[test]
fn rate_limits_are_for_operations_counted_per_company() {
    let source =
        "rate_limits = { \"GET /images/:imageUrl\" = 10, \"POST /v2/items/{caseId}\" = 10, \"GET /cases\" = 0 }\n";
    insta::assert_snapshot!(problems_after_company(source), @r#"
    acme.toml:4: company.rate_limits."GET /images/:imageUrl": this operation is public: its requests are not counted per company, so it has no quota here
    acme.toml:4: company.rate_limits."POST /v2/items/{caseId}": unknown operation, did you mean `POST /v2/items/:caseId`?
    acme.toml:4: company.rate_limits."GET /cases": found the number 0, expected requests per minute, from 1 to 1000000
    "#);
    insta::assert_snapshot!(warnings_after_company("rate_limits = { \"GET /cases\" = 4 }\n"), @r#"acme.toml:4: warning: company.rate_limits."GET /cases": 4 requests per minute are fewer than the default 5"#);
}

#[test]
fn only_a_select_step_has_options() {
    let step = |rest: &str| format!("[[frame]]\nid = 1\nname = \"f\"\n[[frame.step]]\nid = 1\ntitle = \"t\"\n{rest}\n");
    insta::assert_snapshot!(problems_after_company(&step("action = \"TIME\"\noptions = [\"a\"]")), @r#"acme.toml:11: frame[0].step[0].options: only a SELECT step has options, this one is a TIME"#);
    insta::assert_snapshot!(problems_after_company(&step("action = \"SELECT\"\noptions = []")), @r#"acme.toml:11: frame[0].step[0].options: found an empty array, expected an array of at least one text to choose from"#);
    insta::assert_snapshot!(problems_after_company(&step("action = \"SELECT\"\noptions = [\"a\", 2, \"a\"]")), @r#"
    acme.toml:11: frame[0].step[0].options[1]: found the number 2, expected a text of 1 to 255 characters on one line
    acme.toml:11: frame[0].step[0].options[2]: found "a", expected each option once
    "#);
}

#[test]
fn hostile_files_are_rejected_without_a_panic() {
    for hostile in [
        "\u{feff}".to_owned(),
        "\0".to_owned(),
        "[".repeat(10_000),
        format!("a = {}", "[".repeat(100_000)),
        format!("[{}]", vec!["a"; 10_000].join(".")),
        format!("a = \"{}", "\u{10ffff}".repeat(1000)),
        "[company]\nid = 0xffffffffffffffff\nname = 1979-05-27\n".to_owned(),
        "[[company]]\n[company.user]\n".to_owned(),
        "frame = [1, [], {}, \"\"]\nuser = {}\nwebhook = []\nanalysis = 1\n".to_owned(),
    ] {
        let problems = parse("hostile.toml", &hostile, &WITHOUT_FILES).unwrap_err();
        assert!(!problems.is_empty());
        assert!(problems.iter().all(|problem| problem.to_string().len() < 1000), "{problems:?}");
    }
}
