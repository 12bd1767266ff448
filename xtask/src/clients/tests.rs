//! Checks that the clients are up to date, and that each kind of break is reported.

use std::{fs, path::PathBuf};

use serde_json::{Value, json};

use super::{
    DESCRIPTION, RELEASED,
    compatibility::{breaks, unannounced_breaks},
    generated, read, with_line, without_prose,
};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../web/clients")
}

#[test]
fn the_clients_are_made_from_the_description() {
    let description = read(&folder(), DESCRIPTION).unwrap();
    for (name, wanted) in generated(&folder(), &description).unwrap() {
        let kept = fs::read_to_string(folder().join(name)).unwrap();
        assert!(kept == wanted, "web/clients/{name} is not up to date; run `cargo xtask clients`");
    }
}

#[test]
fn no_client_of_the_last_release_breaks() {
    let [released, now] = [RELEASED, DESCRIPTION].map(|name| read(&folder(), name).unwrap());
    let sentences = unannounced_breaks(&released, &now);
    assert!(sentences.is_empty(), "the interface breaks clients of the last release:\n{}", sentences.join("\n"));
}

#[test]
fn each_client_has_the_licences() {
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let wanted = fs::read_to_string(folder().join("../..").join(licence)).unwrap();
        for client in ["typescript", "python"] {
            assert!(fs::read_to_string(folder().join(client).join(licence)).unwrap() == wanted, "{client}: {licence}");
        }
    }
}

#[test]
fn a_version_is_replaced_once() {
    let text = "{\n  \"version\": \"0.1.0\",\n  \"engines\": { \"version\": \"0.1.0\" }\n}\n";
    let wanted = "{\n  \"version\": \"0.2.0\",\n  \"engines\": { \"version\": \"0.1.0\" }\n}\n";
    assert_eq!(with_line(text, "  \"version\": \"0.2.0\",").as_deref(), Some(wanted));
    assert_eq!(with_line("{}\n", "  \"version\": \"0.2.0\","), None);
}

#[test]
fn prose_is_left_out_and_fields_with_its_name_are_kept() {
    let schema = json!({ "description": "A step.", "properties": { "description": { "type": "string" } } });
    assert_eq!(without_prose(&schema), json!({ "properties": { "description": { "type": "string" } } }));
}

/// A small interface with everything that can break.
fn described() -> Value {
    json!({
        "info": { "version": "1.4.0" },
        "paths": {
            "/cases": {
                "get": {
                    "security": [{ "bearer": ["read"] }, { "bearer": ["all"] }],
                    "parameters": [
                        { "name": "limit", "in": "query", "required": false, "schema": { "type": "integer", "maximum": 100 } },
                    ],
                    "responses": {
                        "200": {
                            "headers": { "X-Total-Count": {} },
                            "content": {
                                "application/json": {
                                    "schema": { "type": "array", "items": { "$ref": "#/components/schemas/Case" } },
                                },
                                "application/zip": { "schema": { "type": "string" } },
                            },
                        },
                        "404": { "$ref": "#/components/responses/Missing" },
                    },
                },
                "post": {
                    "security": [],
                    "requestBody": {
                        "required": false,
                        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/NewCase" } } },
                    },
                    "responses": { "201": {} },
                },
            },
        },
        "webhooks": {
            "case": {
                "post": {
                    "requestBody": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Case" } } } },
                },
            },
        },
        "components": {
            "responses": { "Missing": { "headers": { "X-Request-Id": {} } } },
            "schemas": {
                "Case": {
                    "type": "object",
                    "properties": {
                        "id": { "type": "integer" },
                        "kind": { "type": "string", "enum": ["open", "closed"] },
                        "title": { "type": ["string", "null"] },
                        "parent": { "anyOf": [{ "$ref": "#/components/schemas/Case" }, { "type": "null" }] },
                    },
                    "required": ["id", "kind"],
                },
                "NewCase": {
                    "type": "object",
                    "properties": {
                        "frame": { "type": "number" },
                        "title": { "type": "string", "maxLength": 255 },
                        "colour": { "oneOf": [{ "const": "red", "type": "string" }, { "const": "blue", "type": "string" }] },
                        "tags": { "type": "object", "additionalProperties": { "type": "string" } },
                    },
                    "required": ["frame"],
                },
            },
        },
    })
}

const GET: &str = "/paths/~1cases/get";
const POST: &str = "/paths/~1cases/post";
const CASE: &str = "/components/schemas/Case";
const NEW_CASE: &str = "/components/schemas/NewCase";

/// The sentences after `member` of the object at `place` was set, or removed if there is no value.
fn after(place: &str, member: &str, value: Option<Value>) -> Vec<String> {
    let mut now = described();
    let object = now.pointer_mut(place).and_then(Value::as_object_mut).unwrap_or_else(|| panic!("{place}"));
    match value {
        Some(value) => drop(object.insert(member.to_owned(), value)),
        None => drop(object.remove(member).unwrap_or_else(|| panic!("{place} has no {member}"))),
    }
    breaks(&described(), &now)
}

#[track_caller]
fn assert_broken(place: &str, member: &str, value: Option<Value>, sentence: &str) {
    assert_eq!(after(place, member, value), [sentence], "{place} {member}");
}

#[test]
fn what_is_removed_is_reported() {
    assert_broken("/paths/~1cases", "post", None, "POST /cases: the operation was removed.");
    assert_broken("/webhooks", "case", None, "webhook case: the webhook was removed.");
    let answers = format!("{GET}/responses");
    assert_broken(&answers, "404", None, "GET /cases, answer 404: the status was removed.");
    let header = "GET /cases, answer 200: the header X-Total-Count was removed.";
    assert_broken(&format!("{answers}/200/headers"), "X-Total-Count", None, header);
    let header = "GET /cases, answer 404: the header X-Request-Id was removed.";
    assert_broken("/components/responses/Missing/headers", "X-Request-Id", None, header);
    let media_type = "GET /cases, answer 200: the media type application/zip was removed.";
    assert_broken(&format!("{answers}/200/content"), "application/zip", None, media_type);
    assert_broken(POST, "requestBody", None, "POST /cases, request: the body was removed.");
    assert_broken(GET, "parameters", Some(json!([])), "GET /cases: the query parameter limit was removed.");
}

#[test]
fn what_a_client_must_send_in_addition_is_reported() {
    let required = Some(json!(["frame", "title"]));
    assert_broken(NEW_CASE, "required", required, "POST /cases, request: the field title is now required.");
    let body = "POST /cases, request: the body became required.";
    assert_broken(&format!("{POST}/requestBody"), "required", Some(json!(true)), body);
    let limit = "GET /cases: the query parameter limit became required.";
    assert_broken(&format!("{GET}/parameters/0"), "required", Some(json!(true)), limit);
    let both = json!([
        { "name": "limit", "in": "query", "required": false, "schema": { "type": "integer", "maximum": 100 } },
        { "name": "format", "in": "query", "required": true, "schema": { "type": "string" } },
    ]);
    assert_broken(GET, "parameters", Some(both), "GET /cases: the query parameter format is new and required.");
    let open = "POST /cases: the operation was open, and now needs to know the caller.";
    assert_broken(POST, "security", Some(json!([{ "bearer": [] }])), open);
    let rights = Some(json!([{ "bearer": ["all"] }]));
    assert_broken(GET, "security", rights, "GET /cases: bearer and the right read is not enough any more.");
}

#[test]
fn what_a_client_may_not_send_any_more_is_reported() {
    let fields = format!("{NEW_CASE}/properties");
    let place = "POST /cases, request: ";
    let report = |member: &str, value: Option<Value>, what: &str| {
        assert_broken(&fields, member, value, &format!("{place}{what}"));
    };
    report("title", None, "the field title was removed.");
    report("frame", Some(json!({ "type": "integer" })), "the type of the field frame changed from number to integer.");
    let shorter = json!({ "type": "string", "maxLength": 254 });
    report("title", Some(shorter), "maxLength of the field title was tightened from 255 to 254.");
    let pattern = json!({ "type": "string", "maxLength": 255, "pattern": "^a" });
    report("title", Some(pattern), "pattern of the field title was tightened from nothing to \"^a\".");
    let colour = json!({ "type": "string", "enum": ["red"] });
    report("colour", Some(colour), "the value \"blue\" of the field colour was removed.");
    let listed = json!({ "type": "string", "maxLength": 255, "enum": ["a"] });
    report("title", Some(listed), "the field title is now limited to \"a\".");
    let tags = json!({ "type": "object", "additionalProperties": { "type": "integer" } });
    report("tags", Some(tags), "the type of the field tags.* changed from string to integer.");
    let limit = "GET /cases, the query parameter limit: maximum of the value was tightened from 100 to 50.";
    assert_broken(&format!("{GET}/parameters/0/schema"), "maximum", Some(json!(50)), limit);
}

#[test]
fn what_a_client_cannot_read_any_more_is_reported_for_answers_and_webhooks() {
    let fields = format!("{CASE}/properties");
    let report = |place: &str, member: &str, value: Option<Value>, what: &str| {
        let sentences = [
            format!("GET /cases, answer 200: {}", what.replace('^', "[].")),
            format!("webhook case: {}", what.replace('^', "")),
        ];
        assert_eq!(after(place, member, value), sentences, "{member}");
    };
    report(&fields, "title", None, "the field ^title was removed.");
    report(CASE, "required", Some(json!(["id"])), "the field ^kind may now be absent.");
    let text = Some(json!({ "type": "string" }));
    report(&fields, "id", text.clone(), "the type of the field ^id changed from integer to string.");
    report(&fields, "kind", text, "the field ^kind is not limited to listed values any more.");
    let fewer = Some(json!({ "type": "string", "enum": ["open"] }));
    report(&fields, "kind", fewer, "the value \"closed\" of the field ^kind was removed.");
    let null = Some(json!({ "type": ["integer", "null"] }));
    report(&fields, "id", null, "the type of the field ^id changed from integer to integer or null.");
}

#[test]
fn additions_break_nothing() {
    assert_eq!(breaks(&described(), &described()), [""; 0]);
    let no_breaks = |place: &str, member: &str, value: Value| {
        assert_eq!(after(place, member, Some(value)), [""; 0], "{place} {member}");
    };
    no_breaks("/paths/~1cases", "delete", json!({ "responses": {} }));
    no_breaks(&format!("{GET}/responses"), "410", json!({}));
    no_breaks(&format!("{CASE}/properties"), "added", json!({ "type": "string" }));
    no_breaks(&format!("{CASE}/properties"), "title", json!({ "type": "string" }));
    no_breaks(&format!("{CASE}/properties"), "kind", json!({ "type": "string", "enum": ["open", "closed", "sealed"] }));
    no_breaks(CASE, "required", json!(["id", "kind", "title"]));
    no_breaks(&format!("{NEW_CASE}/properties"), "added", json!({ "type": "string" }));
    no_breaks(&format!("{NEW_CASE}/properties"), "title", json!({ "type": ["string", "null"], "maxLength": 300 }));
    no_breaks(NEW_CASE, "required", json!([]));
    no_breaks(GET, "security", json!([]));
    no_breaks(&format!("{GET}/parameters/0"), "description", json!("How many."));
}

#[test]
fn a_higher_version_may_break_clients() {
    let changed = |version: &str| {
        let mut now = described();
        now["info"]["version"] = json!(version);
        now["webhooks"] = json!({});
        now
    };
    for (version, count) in [("1.4.1", 1), ("1.5.0", 1), ("2.0.0", 0), ("0.9.0", 1)] {
        assert_eq!(unannounced_breaks(&described(), &changed(version)).len(), count, "{version}");
    }
    let mut early = described();
    early["info"]["version"] = json!("0.1.0");
    for (version, count) in [("0.1.9", 1), ("0.2.0", 0), ("1.0.0", 0)] {
        assert_eq!(unannounced_breaks(&early, &changed(version)).len(), count, "{version}");
    }
}
