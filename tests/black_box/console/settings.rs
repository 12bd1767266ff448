//! The settings of plugins in the console (console.md, "Companies"): a form that is made from the plugin's schema.

use std::{fs, time::Duration};

use hyper::Method;
use serde_json::{Value, json};

use super::{
    Person, must_add_user,
    person::{csrf, url_encoded},
};
use crate::{
    plugins::listed,
    support::{
        TestServer, client::send, company_manifest::acme, eventually, on_both_databases, receiver::Receiver,
        toolchains::component,
    },
};

on_both_databases!(
    saving_the_plugins_as_they_are_shown_changes_nothing,
    settings_are_changed_and_mistakes_are_at_their_fields,
    a_hostile_schema_loses_nothing,
);

const PAGE: &str = "/console/companies/7";
const FORM: &str = "/console/companies/7/plugins";

type Fields = Vec<(String, String)>;

/// Acme with these plugins, kept in the console, and its operator.
async fn kept(server: &TestServer, plugins: &str) -> Person {
    let receiver = Receiver::start().await;
    server.must_apply(&(acme(&receiver) + plugins));
    must_add_user(server, "root", &["--role", "operator"]);
    let root = Person::signed_in(server, "root").await;
    root.post(&format!("{PAGE}/keep"), &[]).await.expect(303);
    root
}

fn exported(server: &TestServer) -> String {
    String::from_utf8(server.run(&["company", "export", "7"]).stdout).expect("UTF-8")
}

/// The settings of a plugin that counts, as `company export` prints them.
fn settings(server: &TestServer, plugin: &str) -> Value {
    let manifest: Value = toml::from_str(&exported(server)).expect("TOML");
    let plugins = manifest["analysis"]["plugin"].as_array().expect("plugins");
    let found = plugins.iter().find(|found| found["name"] == plugin && found["shadow"].is_null());
    found.expect("the plugin is in the manifest")["settings"].clone()
}

/// The fields of the form with the plugins, as a browser sends them if nothing is changed; without the token.
async fn shown(person: &Person) -> Fields {
    let page = person.get(PAGE).await.expect(200).text();
    let (_, form) = page.split_once(&format!("action=\"{FORM}\"")).expect("the form is on the page");
    let mut fields = fields(form.split("</form>").next().expect("a form"));
    fields.retain(|(name, _)| name != "csrf");
    fields
}

fn fields(form: &str) -> Fields {
    let mut fields = Fields::new();
    for piece in form.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag");
        let value = attribute(tag, "value");
        match (tag.split(' ').next().expect("a name"), attribute(tag, "name")) {
            ("input", Some(name)) => {
                if attribute(tag, "type").as_deref() != Some("checkbox") {
                    fields.push((name, value.unwrap_or_default()));
                } else if has(tag, "checked") {
                    fields.push((name, value.unwrap_or_else(|| "on".to_owned())));
                }
            }
            ("select", Some(name)) => fields.push((name, String::new())),
            ("option", None) if has(tag, "selected") => {
                fields.last_mut().expect("an option is in a list").1 = value.expect("a value");
            }
            ("textarea", Some(name)) => {
                let text = unescaped(text);
                fields.push((name, text.strip_prefix('\n').unwrap_or(&text).replace('\n', "\r\n")));
            }
            _ => {}
        }
    }
    fields
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split('"').next().map(unescaped)
}

/// Whether a tag has an attribute without a value.
fn has(tag: &str, name: &str) -> bool {
    let outside: String = tag.split('"').step_by(2).collect();
    outside.contains(&format!(" {name}"))
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

fn set(fields: &mut Fields, name: &str, value: &str) {
    let field = fields.iter_mut().find(|(given, _)| given == name);
    value.clone_into(&mut field.unwrap_or_else(|| panic!("{name} is not in the form")).1);
}

/// Sends the form in a language; returns the page.
async fn save(person: &Person, fields: &Fields, language: &str, status: u16) -> String {
    let token = csrf(&person.get("/console/account").await.expect(200));
    let mut fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    fields.push(("csrf", &token));
    let request = person.api.request(Method::POST, FORM).header("cookie", &person.cookie);
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    let request = request.header("accept-language", language);
    send(request.body(url_encoded(&fields))).await.expect(status).text()
}

const PLUGINS: &str = r#"
[analysis.weights]
gps = 4

[[analysis.plugin]]
name = "signals"
role = "signal"
settings = { waiting_hours = 24, near_picture_distance = 7 }

[[analysis.plugin]]
name = "signals"
role = "signal"
shadow = true
settings = { waiting_hours = 12 }

[[analysis.plugin]]
name = "document-types"
role = "document-type"
settings = { languages = ["fr", "de"] }

[[analysis.plugin]]
name = "document-forensics"
role = "falsification"

[[analysis.plugin]]
name = "cross-check"
role = "cross-check"
"#;

async fn saving_the_plugins_as_they_are_shown_changes_nothing(server: TestServer) {
    let root = kept(&server, PLUGINS).await;
    let (before, fields) = (exported(&server), shown(&root).await);
    assert!(fields.iter().any(|(name, _)| name == "settings:signal/signals#clock_drift_minutes"), "{fields:?}");
    save(&root, &fields, "en", 303).await;
    assert_eq!(exported(&server), before);
    assert_eq!(shown(&root).await, fields, "the revision is the same, too");

    // Also if the company has the built-in plugins with their default settings.
    let receiver = Receiver::start().await;
    let file = server.write_company_manifest(&acme(&receiver));
    assert!(server.run(&["apply", "--take-over", &file]).status.success());
    root.post(&format!("{PAGE}/keep"), &[]).await.expect(303);
    let (before, fields) = (exported(&server), shown(&root).await);
    save(&root, &fields, "en", 303).await;
    assert_eq!(exported(&server), before);
    assert_eq!(shown(&root).await, fields);
}

async fn settings_are_changed_and_mistakes_are_at_their_fields(server: TestServer) {
    let root = kept(&server, PLUGINS).await;
    let (before, mut fields) = (exported(&server), shown(&root).await);
    let (hours, drift, languages) = (
        "settings:signal/signals#waiting_hours",
        "settings:signal/signals#clock_drift_minutes",
        "settings:document-type/document-types#languages",
    );
    set(&mut fields, hours, "9999");
    set(&mut fields, drift, "soon");
    set(&mut fields, languages, "fr\r\nklingon");
    let page = save(&root, &fields, "en", 400).await;
    for text in [
        "3 settings of plugins are wrong",
        "waiting_hours: must be at most 8760.",
        "clock_drift_minutes: must be a whole number.",
        "languages: must be one of these: fr, en, de, es, it, nl, pt.",
        "value=\"9999\"",
        "value=\"soon\"",
        "fr\r\nklingon",
    ] {
        assert!(page.replace("fr\nklingon", "fr\r\nklingon").contains(text), "{text} is not on {page}");
    }
    let (_, at_hours) = page.split_once(&format!("<div id=\"problem-{hours}\">")).expect("a problem at the field");
    assert!(at_hours.split("</div>").next().expect("a text").contains("8760"), "{at_hours}");
    assert!(page.contains(&format!("aria-describedby=\"problem-{hours} hint-{hours}\"")), "{page}");
    let page = save(&root, &fields, "fr", 400).await;
    for text in ["waiting_hours\u{a0}: au plus 8760.", "clock_drift_minutes\u{a0}: un nombre entier est attendu."] {
        assert!(page.contains(text), "{text} is not on {page}");
    }
    assert_eq!(exported(&server), before, "a wrong form changes nothing");

    set(&mut fields, hours, "");
    set(&mut fields, drift, "8");
    set(&mut fields, languages, "en\r\n en \r\n");
    let page = save(&root, &fields, "en", 400).await;
    assert!(page.contains("languages: must not have an element twice."), "{page}");
    set(&mut fields, languages, "\r\n en \r\n");
    save(&root, &fields, "en", 303).await;
    assert_eq!(settings(&server, "signals"), json!({ "near_picture_distance": 7, "clock_drift_minutes": 8 }));
    assert_eq!(settings(&server, "document-types"), json!({ "languages": ["en"] }));
    // The form was made before this change.
    set(&mut fields, drift, "9");
    let page = save(&root, &fields, "en", 400).await;
    assert!(page.contains("someone else has changed the company meanwhile") && page.contains("value=\"9\""), "{page}");

    // Settings of a plugin that is not used are not dropped without a word.
    let mut fields = shown(&root).await;
    fields.retain(|(name, _)| name != "plugin");
    fields.push(("defaults".to_owned(), "on".to_owned()));
    save(&root, &fields, "en", 303).await;
    let mut fields = shown(&root).await;
    set(&mut fields, drift, "7");
    let page = save(&root, &fields, "en", 400).await;
    assert!(page.contains("settings were entered for signals, which is not used"), "{page}");
}

/// A schema with names that HTML, addresses and JSON write differently.
const ODD: &str = r##"{"type":"object","required":["é #="],"properties":{"a[0].b/\"'<&>":{"type":"string","maxLength":40},"é #=":{"type":"integer","maximum":9},"d":{"type":"object","properties":{"d":{"type":"object","properties":{"d":{"type":"object","properties":{"d":{"type":"boolean"}}}}}}},"r":{"$ref":"#/properties/d"},"key":{"type":"string","format":"password"}}}"##;

/// The built-in plugin for types of documents under another name, with another schema in the same place.
fn odd_plugin() -> Vec<u8> {
    const END: &[u8] = b"\"default\": [\"fr\", \"en\"]\n    }\n  }\n}";
    let (from, to) = (b"document-types", b"document-forms");
    let mut bytes = fs::read(component("plugins", "document-types")).expect("the component is built");
    let find = |bytes: &[u8], text: &[u8]| bytes.windows(text.len()).position(|window| window == text);
    let start = find(&bytes, b"{\n  \"type\": \"object\",\n  \"additionalProperties\"").expect("the schema");
    let end = start + find(&bytes[start..], END).expect("the end of the schema") + END.len();
    assert!(ODD.len() <= end - start, "the schema of the built-in plugin is shorter now: {}", end - start);
    bytes[start..end].fill(b' ');
    bytes[start..start + ODD.len()].copy_from_slice(ODD.as_bytes());
    for at in 1..bytes.len() - from.len() {
        // In descriptions of types, the length comes before a name, and another name begins with these letters.
        if bytes[at..].starts_with(from) && bytes[at - 1] != 13 {
            bytes[at..at + to.len()].copy_from_slice(to);
        }
    }
    bytes
}

async fn a_hostile_schema_loses_nothing(server: TestServer) {
    const LIMIT: Duration = Duration::from_mins(1);
    let file = server.data_dir().join("plugins").join("odd.wasm");
    fs::create_dir_all(file.parent().expect("a folder")).expect("make the plugin folder");
    fs::write(&file, odd_plugin()).expect("write the plugin");
    eventually("the plugin is loaded", LIMIT, async || listed(&server, "document-forms")).await;
    let odd = r#"
[[analysis.plugin]]
name = "document-forms"
role = "document-type"
settings = { "a[0].b/\"'<&>" = "x & \"y\"", "é #=" = 7, key = "hunter2", d = { d = { d = { d = true } }, other = 1.0 }, r = { other = ["]", "<textarea>"] }, "more\nlines" = 1 }
"#;
    let root = kept(&server, odd).await;
    let (before, mut fields) = (exported(&server), shown(&root).await);
    let page = root.get(PAGE).await.expect(200).text();
    assert!(!page.contains("hunter2"), "{page}");
    save(&root, &fields, "en", 303).await;
    assert_eq!(exported(&server), before);
    assert_eq!(shown(&root).await, fields);

    let field = |path: &str| format!("settings:document-type/document-forms#{path}");
    let number = field("%C3%A9%20%23%3D");
    set(&mut fields, &number, "10");
    let page = save(&root, &fields, "en", 400).await;
    assert!(page.contains(&format!("<div id=\"problem-{number}\">")) && page.contains("é #=: must be at most 9."));
    set(&mut fields, &number, "");
    let page = save(&root, &fields, "en", 400).await;
    assert!(page.contains("é #=: required."), "{page}");
    set(&mut fields, &number, "8");
    set(&mut fields, &field("key"), "hunter3");
    set(&mut fields, &field("a%5B0%5D%2Eb%2F%22%27%3C%26%3E"), "</textarea>");
    save(&root, &fields, "en", 303).await;
    let expected = json!({
        "a[0].b/\"'<&>": "</textarea>", "é #=": 8, "key": "hunter3", "d": { "d": { "d": { "d": true } }, "other": 1.0 },
        "r": { "other": ["]", "<textarea>"] }, "more\nlines": 1,
    });
    assert_eq!(settings(&server, "document-forms"), expected);

    // The company keeps the settings of a plugin that is missing.
    fs::remove_file(&file).expect("remove the plugin");
    if server.database_url().starts_with("postgres") {
        let unloaded = eventually("the plugin is published", LIMIT, async || {
            Some(server.run(&["plugin", "unload", "document-forms"])).filter(|output| output.status.success())
        });
        unloaded.await;
    }
    eventually("the plugin is gone", LIMIT, async || listed(&server, "document-forms").is_none().then_some(())).await;
    let (before, fields) = (exported(&server), shown(&root).await);
    save(&root, &fields, "en", 303).await;
    assert_eq!(exported(&server), before);
    assert_eq!(settings(&server, "document-forms"), expected);
}
