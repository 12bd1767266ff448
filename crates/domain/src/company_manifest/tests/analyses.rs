//! What is read from documents, and the plugins of a company.

use super::*;

fn document_step(analysis: &str) -> String {
    format!(
        "[[frame]]\nid = 1\nname = \"f\"\n[[frame.step]]\nid = 1\ntitle = \"t\"\naction = \"PHOTOGRAPHY\"\n\
         [[frame.step]]\nid = 2\ntitle = \"t\"\naction = \"DOCUMENT_UPLOAD\"\n[frame.step.analysis]\n{analysis}\n"
    )
}

#[test]
fn analysis_is_for_documents_and_cross_checks_name_entered_values_of_the_same_frame() {
    let on_photo = document_step("other_document = true").replace("DOCUMENT_UPLOAD", "VIDEO");
    insta::assert_snapshot!(problems_after_company(&on_photo), @r#"acme.toml:15: frame[0].step[1].analysis: only a DOCUMENT_UPLOAD step is analysed, this one is a VIDEO"#);
    insta::assert_snapshot!(problems_after_company(&document_step("")), @r#"acme.toml:15: frame[0].step[1].analysis: accepts no document: expected `document_types` with at least one type, or `other_document = true`"#);
    let cross_checks = "other_document = true\ncross_check = [\n{ field = \"city\", label = \"City\", step = 9 },\n\
                        { field = \"city\", label = \"City\", step = 1 },\n{ field = \"city\" },\n]";
    insta::assert_snapshot!(problems_after_company(&document_step(cross_checks)), @r#"
    acme.toml:18: frame[0].step[1].analysis.cross_check[0].step: found the number 9, expected the identifier of a step of the same frame
    acme.toml:19: frame[0].step[1].analysis.cross_check[1].step: step 1 is a PHOTOGRAPHY, expected a step whose value is entered
    acme.toml:20: frame[0].step[1].analysis.cross_check[2].label: missing, expected a text of 1 to 255 characters on one line
    acme.toml:20: frame[0].step[1].analysis.cross_check[2].step: missing, expected a positive whole number
    "#);
}

#[test]
fn words_that_only_a_plugin_can_know_are_a_warning() {
    let source =
        document_step("document_types = [\"PASPORT\"]\nextract = [{ key = \"lastname\", label = \"Last name\" }]");
    insta::assert_snapshot!(warnings_after_company(&source), @r#"
    acme.toml:16: warning: frame[0].step[1].analysis.document_types[0]: "PASPORT" is not a built-in document type: did you mean `PASSPORT`? If not, a plugin must know "PASPORT"
    acme.toml:17: warning: frame[0].step[1].analysis.extract[0].key: "lastname" is not a built-in field code: did you mean `lastName`? If not, a plugin must know "lastname"
    "#);
}

#[test]
fn words_of_the_company_s_own_plugins_are_not_a_warning() {
    let words = document_step("document_types = [\"CLUB_CARD\"]\nextract = [{ key = \"club\", label = \"Club\" }]");
    let plugin = |name: &str, role: &str| format!("[[analysis.plugin]]\nname = {name:?}\nrole = {role:?}\n");
    let types = plugin("club-cards", "document-type");
    let fields = plugin("club-fields", "cross-check");
    assert_eq!(warnings_after_company(&format!("{words}\n{types}{fields}")), "");
    let only_types = warnings_after_company(&format!("{words}\n{types}"));
    assert!(
        !only_types.contains("CLUB_CARD") && only_types.contains("\"club\" is not a built-in field code"),
        "{only_types}"
    );
    let built_in = plugin("document-types", "document-type");
    assert!(warnings_after_company(&format!("{words}\n{built_in}")).contains("CLUB_CARD"));
}

#[test]
fn a_webhook_mode_is_not_a_plugin_of_the_analysis() {
    let problems = problems_after_company("[[analysis.plugin]]\nname = \"time-stamped-hmac\"\nrole = \"webhook-auth\"");
    assert!(problems.contains("name it in `auth` of [webhook.case]"), "{problems}");
}

#[test]
fn deleting_after_the_analysis_cancels_time_stamp_and_signature() {
    let source = document_step("other_document = true\ndelete_after_analysis = true\ntimestamp_and_signature = true");
    insta::assert_snapshot!(warnings_after_company(&source), @r#"acme.toml:18: warning: frame[0].step[1].analysis.timestamp_and_signature: has no effect: `delete_after_analysis` cancels the time stamp and the signature"#);
    let quiet = document_step("other_document = true\ndelete_after_analysis = true");
    let read = parse("acme.toml", &format!("{COMPANY}{quiet}"), &WITHOUT_FILES).unwrap();
    assert_eq!(read.warnings, []);
    assert!(!read.value.frames[0].steps[1].analysis.as_ref().unwrap().timestamp_and_signature);
}

#[test]
fn plugins_have_a_known_role_once_and_settings_that_json_can_hold() {
    let source = "[[analysis.plugin]]\nname = \"a\"\nrole = \"signals\"\n[[analysis.plugin]]\nname = \"b\"\nrole = \"signal\"\n[[analysis.plugin]]\nname = \"b\"\nrole = \"signal\"\nsettings = { x = nan }\n[[analysis.plugin]]\nname = \"b\"\nrole = \"signal\"\n";
    insta::assert_snapshot!(problems_after_company(source), @r#"
    acme.toml:6: analysis.plugin[0].role: found "signals", expected the role of a plugin, did you mean `signal`?
    acme.toml:13: analysis.plugin[2].settings: found a table, expected a table of values that JSON can hold (no infinity, no NaN)
    acme.toml:14: analysis.plugin[3]: "b" is already given for the role signal
    "#);
}

#[test]
fn several_shadows_may_run_alongside_one_that_counts() {
    let plugin = |more: &str| format!("[[analysis.plugin]]\nname = \"b\"\nrole = \"signal\"\n{more}");
    let pinned = format!("sha256 = \"{}\"\nshadow = true\n", "0a".repeat(32));
    let other = pinned.replace("0a", "0b");
    let source = [plugin(""), plugin("shadow = true\n"), plugin(&pinned), plugin(&other)].concat();
    let read = parse("acme.toml", &format!("{COMPANY}{source}"), &WITHOUT_FILES).unwrap();
    let shadows: Vec<bool> = read.value.plugins.iter().map(|plugin| plugin.shadow).collect();
    assert_eq!(shadows, [false, true, true, true]);
    let twice =
        [plugin(&pinned), plugin(&pinned), plugin("shadow = false\n"), plugin(""), plugin("shadow = 1\n")].concat();
    insta::assert_snapshot!(problems_after_company(&twice), @r#"
    acme.toml:9: analysis.plugin[1]: "b" is already given for the role signal
    acme.toml:18: analysis.plugin[3]: "b" is already given for the role signal
    acme.toml:24: analysis.plugin[4].shadow: found the number 1, expected true or false
    "#);
}

#[test]
fn a_plugin_may_be_named_by_its_address_in_a_registry() {
    let plugin =
        |oci: &str| format!("{COMPANY}[[analysis.plugin]]\nname = \"b\"\nrole = \"signal\"\noci = \"{oci}\"\n");
    let reference = format!("registry.example/team/b@sha256:{}", "0a".repeat(32));
    let read = parse("acme.toml", &plugin(&reference), &WITHOUT_FILES).unwrap();
    assert_eq!(read.value.plugins[0].oci.as_ref().unwrap().to_string(), reference);
    let problems = parse("acme.toml", &plugin("registry.example/team/b:1.0"), &WITHOUT_FILES).unwrap_err();
    let expected = "analysis.plugin[0].oci: found \"registry.example/team/b:1.0\", expected a component in a registry";
    assert!(problems[0].to_string().contains(expected), "{problems:?}");
}
