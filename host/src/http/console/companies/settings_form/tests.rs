mod secrets;

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::*;
use crate::{
    app::console::company::SettingProblem,
    domain::console::SettingFault,
    http::{console::form::Form, link::Language},
};

const PLUGIN: &str = "signal/odd";

/// The page of a plugin's settings.
struct Page {
    setting: Setting,
    html: String,
}

impl Page {
    fn of(schema: &Value, settings: &Value) -> Self {
        let setting = Setting::all(Some(schema), &object(settings));
        let html = shown(&setting, None, &[]);
        Self { setting, html }
    }

    /// What the page makes of the form, with some fields changed.
    fn save(&self, changes: &[(&str, &str)]) -> (Value, Vec<SettingProblem>) {
        let mut fields = fields(&self.html);
        for (name, value) in changes {
            let name = format!("settings:{PLUGIN}#{name}");
            fields.retain(|(given, _)| *given != name);
            fields.push((name, (*value).to_owned()));
        }
        self.read(&fields)
    }

    fn read(&self, fields: &[(String, String)]) -> (Value, Vec<SettingProblem>) {
        let mut problems = Vec::new();
        let settings = self.setting.read(&form(fields), PLUGIN, &mut problems);
        (Value::Object(settings), problems)
    }

    fn faults(&self, changes: &[(&str, &str)]) -> Vec<(String, SettingFault)> {
        let problems = self.save(changes).1.into_iter();
        problems.map(|problem| (problem.path.join("."), problem.fault)).collect()
    }
}

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().expect("an object").clone()
}

fn shown(setting: &Setting, sent: Option<&Form>, problems: &[SettingProblem]) -> String {
    let problems = problems.iter().collect();
    let shown = Shown { plugin: PLUGIN, name: "odd", language: Language::French, sent, problems };
    setting.show(&shown).into_string()
}

fn form(fields: &[(String, String)]) -> Form {
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    form.extend_pairs(fields);
    Form::parse(form.finish().as_bytes())
}

/// The fields of a form as a browser sends them if nothing is changed.
fn fields(html: &str) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for piece in html.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag");
        let name = attribute(tag, "name");
        let value = attribute(tag, "value");
        match (tag.split(' ').next().unwrap_or_default(), name) {
            ("input", Some(name)) => {
                let is_box = attribute(tag, "type").as_deref() == Some("checkbox");
                if !is_box {
                    fields.push((name, as_input(tag, &value.unwrap_or_default())));
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
                let text = text.strip_prefix('\n').unwrap_or(&text);
                fields.push((name, text.replace("\r\n", "\n").replace('\r', "\n").replace('\n', "\r\n")));
            }
            _ => {}
        }
    }
    fields
}

/// What a browser makes of the value of an input.
fn as_input(tag: &str, value: &str) -> String {
    let value = value.replace(['\r', '\n'], "");
    match attribute(tag, "type").as_deref() {
        Some("number") if value.parse::<f64>().is_err() => String::new(),
        Some("url" | "email") => value.trim().to_owned(),
        _ => value,
    }
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

/// The page changes nothing if it is saved as it is shown, and no two of its fields are mistaken for one another.
fn assert_unchanged(schema: &Value, settings: &Value) -> Page {
    let page = Page::of(schema, settings);
    let (saved, problems) = page.save(&[]);
    assert_eq!(saved, *settings, "{schema}");
    assert_eq!(saved.to_string(), settings.to_string(), "a number changed its form, or the order changed: {schema}");
    assert!(problems.is_empty(), "{schema}");
    let sent = fields(&page.html);
    let names: HashSet<&String> = sent.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), sent.len(), "{:?}", sent.iter().map(|(name, _)| name).collect::<Vec<_>>());
    let ids: Vec<String> = page.html.split('<').filter_map(|tag| attribute(tag.split('>').next()?, "id")).collect();
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len(), "{ids:?}");
    for id in &ids {
        assert!(!id.contains(char::is_whitespace), "{id}");
    }
    // What describes or labels a field is on the page.
    for tag in page.html.split('<') {
        let tag = tag.split('>').next().unwrap_or_default();
        let named = [attribute(tag, "for"), attribute(tag, "aria-describedby")].into_iter().flatten();
        for id in named.collect::<Vec<_>>().join(" ").split_whitespace() {
            assert!(ids.iter().any(|known| known == id), "{id} is not on the page");
        }
    }
    page
}

fn many_kinds() -> Value {
    let deepest = json!({ "type": "object", "properties": { "text": { "type": "string" } } });
    let deeper = json!({ "type": "object", "properties": { "text": { "type": "string" }, "deepest": deepest } });
    let deep = json!({
        "type": "object",
        "properties": { "on": { "type": "boolean" }, "most": { "type": "integer" }, "deeper": deeper },
    });
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["name", "sure"],
        "properties": {
            "name": { "type": "string", "title": "A name", "maxLength": 40, "pattern": "^[a-z]+$" },
            "notes": { "type": "string", "maxLength": 4000 },
            "mail": { "type": "string", "format": "email" },
            "secret": { "type": "string", "writeOnly": true },
            "colour": { "enum": ["red", "a < b \"c\"", 7, true] },
            "count": { "type": "integer", "minimum": 0, "exclusiveMaximum": 100, "multipleOf": 5, "default": 10 },
            "ratio": { "type": "number", "minimum": 0.5, "description": "How much." },
            "on": { "type": "boolean", "default": true },
            "sure": { "type": "boolean" },
            "words": { "type": "array", "items": { "type": "string" }, "default": ["a", "b"] },
            "sizes": { "type": "array", "items": { "type": "integer" } },
            "tongues": { "type": "array", "items": { "enum": ["fr", "en"] } },
            "deep": deep,
            "either": { "oneOf": [{ "type": "string" }, { "type": "integer" }] },
            "rows": { "type": "array", "items": { "type": "object" } },
            "free": { "type": "object", "additionalProperties": { "type": "integer" } },
        },
    })
}

#[test]
fn a_page_that_is_saved_as_it_is_shown_changes_nothing() {
    let schema = many_kinds();
    assert_unchanged(&schema, &json!({}));
    assert_unchanged(
        &schema,
        &json!({
            "name": "plum", "notes": "\n\ntwo lines\n\tand a tab \n", "mail": "a@b.example", "secret": "hunter2",
            "colour": "a < b \"c\"", "count": 15, "ratio": 1.0, "on": false, "sure": true, "words": ["x & y", "é🏠"],
            "sizes": [], "tongues": ["en"], "deep": { "on": false, "deeper": { "deepest": { "text": "t" } } },
            "either": 3, "rows": [{ "a": [1, { "b": "\r\n" }] }], "free": { "a": 1 },
        }),
    );
    // What the schema does not allow, or a browser would send back in another form, is kept too.
    for odd in [
        json!({ "name": 7, "notes": ["x"], "mail": "not an address", "count": 1.5, "ratio": "half", "on": "yes" }),
        json!({ "name": "two\nlines", "notes": "a\r\nb", "mail": " a@b.example", "colour": "blue", "count": "7" }),
        json!({ "name": "\u{0}\u{1b}", "notes": "", "words": ["", " x", "a\nb"], "sizes": [1.0], "tongues": [["fr"]] }),
        json!({ "name": "", "words": [], "deep": {}, "free": {}, "rows": [], "secret": 7, "sure": false }),
        json!({ "ratio": 1e16, "count": i64::MAX, "unknown": { "a": [] }, "": 1, "deep": { "odd": 2, "on": 3 } }),
        json!({ "ratio": -0.0, "count": i64::MIN, "deep": "flat", "either": {}, "name": "  " }),
        json!({ "ratio": 0.1, "either": 5e-324, "rows": [1.797_693_134_862_315_7e308] }),
    ] {
        assert_unchanged(&schema, &odd);
    }
}

#[test]
fn a_hostile_schema_makes_a_form_of_limited_size_that_loses_nothing() {
    let name = "a[0].b/c\"'<&>#:\u{202e}é🏠 =\r\n\u{0}";
    let mut deep = json!({ "type": "string" });
    let mut stored = json!("x");
    for _ in 0..30 {
        deep = json!({ "type": "object", "properties": { "": deep.clone(), name: { "type": "boolean" } } });
        stored = json!({ "": stored, name: true });
    }
    let page = assert_unchanged(&deep, &stored);
    assert!(fields(&page.html).len() < 20, "{}", page.html);
    assert_unchanged(&deep, &json!({}));

    let wide = |count: usize| -> Value {
        let properties: Map<String, Value> = (0..count)
            .map(|number| (number.to_string(), json!({ "type": "boolean", "title": "t".repeat(9) })))
            .collect();
        json!({ "type": "object", "properties": properties })
    };
    let page = assert_unchanged(&wide(3000), &json!({ "7": true, "8": "odd" }));
    assert_eq!(fields(&page.html).len(), 1, "all settings are one text");
    let many = json!({ "type": "object", "properties": { "a": wide(60), "b": wide(60), "c": { "type": "integer" } } });
    let page = assert_unchanged(&many, &json!({ "b": { "7": true }, "c": 1 }));
    assert!(page.html.contains("id=\"id-settings:signal/odd#b\"") && page.html.contains("#c\""), "{}", page.html);
    assert!(fields(&page.html).len() < 140);

    let long = "x".repeat(60_000);
    let long =
        json!({ "type": "object", "properties": { "a": { "type": "string", "description": long, "default": long } } });
    assert!(assert_unchanged(&long, &json!({})).html.len() < 4000);

    for odd in [
        json!(true),
        json!([]),
        json!({ "type": ["object"] }),
        json!({ "type": "object", "properties": { name: true, "b": false, "c": { "enum": [] }, "d": { "enum": [1, "1"] } } }),
        json!({ "properties": { "a": { "enum": [null, "x"] }, "b": { "type": "array", "items": false } } }),
        json!({ "type": "object", "properties": { "a": { "$ref": "#" } }, "patternProperties": { "^x": {} } }),
        json!({ "type": "object", "properties": { "a": { "type": "integer" } }, "anyOf": [{}] }),
        json!({ "type": "object", "properties": { "a": { "type": "integer", "multipleOf": 0.1, "minimum": 1e300 } } }),
    ] {
        assert_unchanged(&odd, &json!({}));
        assert_unchanged(&odd, &json!({ "a": 1, "b": [1], "x1": "<textarea>", name: [name] }));
    }
}

#[test]
fn what_is_entered_has_the_type_of_the_schema() {
    let page =
        Page::of(&many_kinds(), &json!({ "name": "plum", "count": 5, "words": ["x"], "on": false, "sure": true }));
    let (saved, problems) = page.save(&[
        ("name", ""),
        ("notes", "one\r\ntwo"),
        ("secret", "hunter2"),
        ("colour", "7"),
        ("count", " 20 "),
        ("ratio", "2"),
        ("on", "on"),
        ("words", "a b\r\n\r\n  c  "),
        ("sizes", "1\n-2"),
        ("deep/most", "3"),
        ("deep/deeper/text", "t"),
        ("either", "[1, {\"a\": 2.5}]"),
    ]);
    assert!(problems.is_empty());
    assert_eq!(
        saved,
        json!({
            "notes": "one\ntwo", "secret": "hunter2", "colour": 7, "count": 20, "ratio": 2, "on": true, "sure": true,
            "words": ["a b", "c"], "sizes": [1, -2], "deep": { "most": 3, "deeper": { "text": "t" } },
            "either": [1, { "a": 2.5 }],
        })
    );
    // A box that is cleared is false, also if the default is true; an object without a setting goes.
    let page = Page::of(&many_kinds(), &json!({ "deep": { "most": 3 }, "words": ["x"] }));
    let mut sent = fields(&page.html);
    sent.retain(|(name, _)| name != "settings:signal/odd#on");
    for (name, value) in &mut sent {
        if name.ends_with("#deep/most") || name.ends_with("#words") {
            value.clear();
        }
    }
    assert_eq!(page.read(&sent).0, json!({ "on": false }));
    // Settings that the form does not have do not change.
    assert_eq!(page.read(&[]).0, json!({ "deep": { "most": 3 }, "words": ["x"] }));
}

#[test]
fn what_cannot_be_read_is_named_and_changes_nothing() {
    let page = Page::of(&many_kinds(), &json!({ "count": 5 }));
    let of = |name: &str, fault: SettingFault| vec![(name.to_owned(), fault)];
    assert_eq!(page.faults(&[("count", "5.5")]), of("count", SettingFault::NotWhole));
    assert_eq!(page.faults(&[("count", "9223372036854775808")]), of("count", SettingFault::NotWhole));
    for number in ["x", "inf", "NaN", "1e999"] {
        assert_eq!(page.faults(&[("ratio", number)]), of("ratio", SettingFault::NotNumber), "{number}");
    }
    assert_eq!(page.faults(&[("sizes", "1\nx")]), of("sizes", SettingFault::NotWhole));
    let languages = SettingFault::NotOfList("fr, en".to_owned());
    assert_eq!(page.faults(&[("tongues", "fr\nde")]), of("tongues", languages));
    assert!(matches!(page.faults(&[("colour", "blue")])[..], [(_, SettingFault::NotOfList(_))]));
    assert_eq!(page.faults(&[("either", "{\n x")]), of("either", SettingFault::NotJson { line: 2, column: 2 }));
    for json in ["null", "[1, null]", "{\"a\": 18446744073709551615}"] {
        assert_eq!(page.faults(&[("either", json)]), of("either", SettingFault::NotInManifest), "{json}");
    }
    assert!(matches!(page.faults(&[("either", &"[".repeat(9000))])[..], [(_, SettingFault::NotJson { .. })]));
    assert_eq!(page.save(&[("count", "x")]).0, json!({ "count": 5 }));

    let all = Page::of(&json!({ "type": "object" }), &json!({ "a": 1 }));
    assert_eq!(all.faults(&[("", "[]")]), of("", SettingFault::NotObject));
    assert_eq!(all.save(&[("", "{\"b\": 2}")]).0, json!({ "b": 2 }));
    assert_eq!(all.save(&[("", "")]).0, json!({}));
}

#[test]
fn settings_without_a_field_of_their_own_can_be_changed_together() {
    let schema =
        json!({ "type": "object", "properties": { "a": { "type": "integer" } }, "additionalProperties": true });
    let page = assert_unchanged(&schema, &json!({ "b": 1, "a": 2, "c": [] }));
    let others = |text: &str| page.read(&[(format!("others:{PLUGIN}#"), text.to_owned())]);
    assert_eq!(others("{\"d\": true}").0, json!({ "a": 2, "d": true }));
    assert_eq!(others("").0, json!({ "a": 2 }));
    for (text, fault) in [("{\"a\": 3}", SettingFault::OwnField("a".to_owned())), ("[]", SettingFault::NotObject)] {
        let (saved, problems) = others(text);
        assert_eq!(saved, json!({ "b": 1, "a": 2, "c": [] }));
        assert_eq!(problems[0].fault, fault);
    }
}

#[test]
fn the_form_says_what_a_browser_can_check() {
    let html = Page::of(&many_kinds(), &json!({})).html;
    let tag = |name: &str| {
        let found = html.split('<').find(|tag| tag.contains(&format!(" name=\"settings:{PLUGIN}#{name}\"")));
        found.expect("the field is on the page").split('>').next().unwrap_or_default().to_owned()
    };
    for (name, attributes) in [
        ("name", vec!["type=\"text\"", "maxlength=\"40\"", "pattern=\".*(?:^[a-z]+$).*\"", "aria-required=\"true\""]),
        ("mail", vec!["type=\"email\""]),
        ("secret", vec!["type=\"password\""]),
        ("count", vec!["min=\"0\"", "max=\"99\"", "step=\"5\""]),
        ("ratio", vec!["min=\"0.5\"", "step=\"any\""]),
        ("on", vec!["type=\"checkbox\"", "checked"]),
        ("notes", vec!["textarea", "maxlength=\"4000\""]),
        ("sure", vec!["select"]),
    ] {
        let tag = tag(name);
        for attribute in attributes {
            assert!(tag.contains(attribute), "{attribute} is not in {tag}");
        }
        // The plugin may not be chosen.
        assert!(!has(&tag, "required"), "{tag}");
    }
    assert!(html.contains("How much.") && html.contains("a, b") && html.contains("(obligatoire)"), "{html}");
}

#[test]
fn problems_are_at_their_fields_with_what_was_entered_and_no_secret() {
    let page = Page::of(&many_kinds(), &json!({ "secret": "hunter2", "count": 5 }));
    assert!(!page.html.contains("hunter2"));
    assert_eq!(page.save(&[("secret", "  ")]).0["secret"], "hunter2");
    let sent: Vec<(String, String)> = [("count", "many"), ("secret", "hunter3"), ("name", "<Plum>")]
        .into_iter()
        .map(|(name, value)| (format!("settings:{PLUGIN}#{name}"), value.to_owned()))
        .collect();
    let at = |path: &[&str], fault: SettingFault| SettingProblem {
        path: path.iter().map(|&name| name.to_owned()).collect(),
        fault,
    };
    let problems = [
        at(&["count"], SettingFault::NotWhole),
        at(&["rows", "3", "a"], SettingFault::Missing),
        at(&["deep", "most"], SettingFault::Most("9".to_owned())),
        at(&[], SettingFault::Unknown("x".to_owned())),
    ];
    let html = shown(&page.setting, Some(&form(&sent)), &problems);
    assert!(html.contains("value=\"many\"") && html.contains("value=\"&lt;Plum&gt;\"") && !html.contains("hunter"));
    for (id, text) in [
        ("count", "count\u{a0}: un nombre entier est attendu."),
        ("rows", "rows.3.a\u{a0}: obligatoire."),
        ("deep/most", "deep.most\u{a0}: au plus 9."),
        ("", "odd\u{a0}: le plugin ne connaît pas x."),
    ] {
        let (_, rest) = html.split_once(&format!("<div id=\"problem-settings:{PLUGIN}#{id}\">")).expect(id);
        assert!(rest.split("</div>").next().expect("a text").contains(text), "{text}");
    }
    assert_eq!(html.matches("aria-invalid=\"true\"").count(), 3);
}
