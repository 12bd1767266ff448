//! Pins the shape of every answer: a field that is removed, added or changes its type is detected here before an
//! integrator sees it. The shapes are those of the types that handlers serialise; `conformance` checks real answers
//! against them.

use std::fmt::Write as _;

use serde_json::Value;

use super::{BASE_URL, document};

#[test]
fn every_answer_and_webhook_has_the_shape_it_had() {
    let document = document(BASE_URL);
    let mut shapes = String::new();
    for (kind, prefix) in [("paths", ""), ("webhooks", "webhook ")] {
        for (path, methods) in document[kind].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                let name = format!("{prefix}{} {path}", method.to_uppercase());
                if kind == "webhooks" {
                    describe(&document, &name, &operation["requestBody"]["content"], &mut shapes);
                }
                for (status, answer) in operation["responses"].as_object().unwrap() {
                    let answer = resolve(&document, answer);
                    // The body of a 429 is the same for all.
                    if status.starts_with('2') || (status == "429" && path == "/cases") {
                        describe(&document, &format!("{name} {status}"), &answer["content"], &mut shapes);
                    }
                }
            }
        }
    }
    insta::assert_snapshot!(shapes);
}

fn describe(document: &Value, name: &str, content: &Value, shapes: &mut String) {
    for (media_type, content) in content.as_object().into_iter().flatten() {
        writeln!(shapes, "{name} {media_type}").unwrap();
        if media_type == "application/json" {
            fields(document, &content["schema"], "", shapes);
        }
    }
}

/// A line for the value itself and for each of its fields, below `path`. A `?` says that the field may be absent.
fn fields(document: &Value, schema: &Value, path: &str, shapes: &mut String) {
    let (schema, is_nullable) = value_of(document, schema);
    let types = match &schema["type"] {
        Value::String(name) => name.clone(),
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ if words(schema).is_some() => "string".to_owned(),
        _ => "anything".to_owned(),
    };
    let values = words(schema).map(|words| format!(" {}", words.join(" | "))).unwrap_or_default();
    let null = if is_nullable { " or null" } else { "" };
    writeln!(shapes, "  {}: {types}{null}{values}", if path.is_empty() { "." } else { path }).unwrap();
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let mark = if required.contains(&name.as_str()) { "" } else { "?" };
        fields(document, field, &format!("{path}.{name}{mark}"), shapes);
    }
    if schema["items"].is_object() {
        fields(document, &schema["items"], &format!("{path}[]"), shapes);
    }
}

/// The allowed words of a text, if they are limited.
fn words(schema: &Value) -> Option<Vec<&str>> {
    if let Some(word) = schema["const"].as_str() {
        return Some(vec![word]);
    }
    if let Some(words) = schema["enum"].as_array() {
        return Some(words.iter().filter_map(Value::as_str).collect());
    }
    // Each word with its own description.
    let alternatives: Option<Vec<_>> = schema["oneOf"].as_array()?.iter().map(words).collect();
    Some(alternatives?.concat())
}

/// The schema itself without null, and whether null is allowed.
fn value_of<'a>(document: &'a Value, schema: &'a Value) -> (&'a Value, bool) {
    let schema = resolve(document, schema);
    if words(schema).is_some() {
        return (schema, false);
    }
    let alternatives = schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array());
    let Some(alternatives) = alternatives else { return (schema, false) };
    let is_null = |schema: &&Value| schema["type"] == "null";
    match alternatives.iter().find(|alternative| !is_null(alternative)) {
        Some(value) => (resolve(document, value), alternatives.iter().any(|alternative| is_null(&alternative))),
        None => (schema, true),
    }
}

fn resolve<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(reference) => resolve(document, document.pointer(reference.trim_start_matches('#')).unwrap()),
        None => schema,
    }
}
