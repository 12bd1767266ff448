//! Checks how the fields of each request body are read and described. The example must have no other fields, and the
//! reader must accept it. The reader must reject it, naming the property, if a required property is missing, has another
//! type, or exceeds a bound of the schema. It must not reject a property that is exactly at a bound of the schema.

use serde_json::{Map, Value, json};

use super::super::{description::Body, document::generator, operations::describe};
use crate::domain::operation::Operation;

#[test]
fn every_body_s_reader_and_schema_agree() {
    let mut checked = 0;
    for properties in Operation::all() {
        let Some(body) = describe(properties.operation).body else { continue };
        let mut schemas = generator();
        let schema = (body.schema)(&mut schemas).to_value();
        let definitions = json!({ "components": { "schemas": schemas.take_definitions(true) } });
        let probe = Probe { definitions, body: &body, key: properties.key() };
        assert_eq!(probe.problems(&body.example), Vec::<String>::new(), "{}: the example is refused", probe.key);
        probe.check(&body.example, &schema, "", "");
        checked += 1;
    }
    assert!(checked >= 5, "{checked}");
}

struct Probe<'a> {
    definitions: Value,
    body: &'a Body,
    /// The operation, for messages.
    key: String,
}

impl Probe<'_> {
    fn problems(&self, body: &Value) -> Vec<String> {
        (self.body.read)(body).err().unwrap_or_default()
    }

    /// Checks the schema of the value at `pointer` in `example`; readers name its properties with `prefix`.
    fn check(&self, example: &Value, schema: &Value, pointer: &str, prefix: &str) {
        let schema = self.resolve(schema);
        if let Some(items) = schema.get("items") {
            return self.check(example, items, &format!("{pointer}/0"), prefix);
        }
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
        for name in example.pointer(pointer).and_then(Value::as_object).into_iter().flat_map(Map::keys) {
            assert!(properties.contains_key(name), "{}: {prefix}{name} of the example is not a field", self.key);
        }
        let unknown = changed(example, pointer, "somethingElse", Some(json!([true])));
        assert_eq!(self.problems(&unknown), self.problems(example), "{}: unknown fields are ignored", self.key);
        for (name, property) in properties {
            let resolved = self.resolve(property);
            let required = schema["required"].as_array().into_iter().flatten().any(|required| required == name);
            let mut refused = refused(resolved);
            if required {
                refused.extend([None, Some(Value::Null)]);
            }
            for value in refused {
                let problems = self.problems(&changed(example, pointer, name, value.clone()));
                let named = problems.iter().any(|problem| is_about(problem, prefix, name));
                assert!(named, "{}: {prefix}{name} may be {value:?}: {problems:?}", self.key);
            }
            let null = (!required).then_some(Value::Null);
            for value in accepted(resolved).into_iter().chain(null) {
                let problems = self.problems(&changed(example, pointer, name, Some(value.clone())));
                let refusal = problems.iter().find(|problem| is_about_value(problem, prefix, name));
                assert_eq!(refusal, None, "{}: {prefix}{name} may not be {value}", self.key);
            }
            let inner = format!("{pointer}/{name}");
            let example = match example.pointer(&inner) {
                Some(Value::Null) | None => changed(example, pointer, name, Some(self.sample(resolved))),
                Some(_) => example.clone(),
            };
            self.check(&example, resolved, &inner, &format!("{prefix}{name}."));
        }
    }

    /// Something that the schema allows.
    fn sample(&self, schema: &Value) -> Value {
        let schema = self.resolve(schema);
        match kind(schema) {
            "object" => {
                let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
                required.map(|name| (name.to_owned(), self.sample(&schema["properties"][name]))).collect()
            }
            "array" => json!([self.sample(&schema["items"])]),
            "integer" | "number" => schema.get("minimum").cloned().unwrap_or(json!(1)),
            "boolean" => json!(true),
            _ => match schema["format"].as_str() {
                Some("date-time") => json!("2030-01-31T12:00:00Z"),
                Some("uuid") => json!("0d7c3a5e-54a3-4b8a-9d6e-2f1b8c7d6e5f"),
                Some("uri") => json!("https://hooks.example.com/cases"),
                _ => schema["enum"][0].as_str().map_or(json!("1"), |word| json!(word)),
            },
        }
    }

    /// What a reference points to; of `anyOf` with null, the other.
    fn resolve<'a>(&'a self, schema: &'a Value) -> &'a Value {
        if let Some(reference) = schema["$ref"].as_str() {
            return self.definitions.pointer(reference.trim_start_matches('#')).expect("the reference resolves");
        }
        let alternatives = schema["anyOf"].as_array().into_iter().flatten();
        alternatives.filter(|one| one["type"] != "null").map(|one| self.resolve(one)).next().unwrap_or(schema)
    }
}

/// Values that the schema excludes: of another type, and just beyond each bound.
pub(super) fn refused(schema: &Value) -> Vec<Option<Value>> {
    let mut values = match kind(schema) {
        "boolean" => vec![json!("true"), json!(1)],
        "string" => vec![json!(1), json!(true), json!(["x"]), json!({})],
        "integer" | "number" => vec![json!("1"), json!(true), json!([1]), json!({})],
        "array" => vec![json!("x"), json!(1), json!({})],
        "object" => vec![json!("x"), json!(1), json!(["x"])],
        _ => Vec::new(),
    };
    if kind(schema) == "integer" {
        values.push(json!(1.5));
    }
    let size = |name: &str| schema[name].as_u64().map(|size| usize::try_from(size).unwrap());
    if let Some(most) = size("maxLength") {
        values.push(json!("1".repeat(most + 1)));
    }
    if size("minLength").is_some_and(|least| least > 0) {
        values.push(json!(""));
    }
    if schema.get("pattern").is_some() {
        values.push(json!("\u{1}"));
    }
    if schema.get("enum").is_some() || ["uuid", "date-time", "uri"].contains(&schema["format"].as_str().unwrap_or("")) {
        values.push(json!("nothing of the kind"));
    }
    if let Some(least) = schema["minimum"].as_i64() {
        values.push(json!(least - 1));
    }
    if let Some(most) = schema["maximum"].as_u64() {
        values.push(json!(most + 1));
    }
    if let Some(most) = size("maxProperties") {
        values.push(pairs(most + 1, 1, 1));
    }
    if let Some(most) = schema["propertyNames"]["maxLength"].as_u64() {
        values.push(pairs(1, usize::try_from(most).unwrap() + 1, 1));
    }
    if let Some(most) = schema["additionalProperties"]["maxLength"].as_u64() {
        values.extend([pairs(1, 1, usize::try_from(most).unwrap() + 1), json!({ "a": 1 }), json!({ "a": null })]);
    }
    if let Some(most) = size("maxItems") {
        values.push(Value::Array((1..=most + 1).map(|n| json!(n)).collect()));
    }
    if size("minItems").is_some_and(|least| least > 0) {
        values.push(json!([]));
    }
    if schema["uniqueItems"] == true {
        values.push(json!([1, 1]));
    }
    values.into_iter().map(Some).collect()
}

/// Values at the bounds of the schema.
pub(super) fn accepted(schema: &Value) -> Vec<Value> {
    let size = |name: &str| schema[name].as_u64().map(|size| usize::try_from(size).unwrap());
    let mut values: Vec<Value> = ["minimum", "maximum"].iter().filter_map(|bound| schema.get(bound).cloned()).collect();
    // Repeating a letter does not produce what a pattern or a format allows.
    if schema.get("pattern").is_none() && schema.get("format").is_none() {
        values.extend(size("maxLength").map(|most| json!("é".repeat(most))));
    }
    values.extend(schema["enum"].as_array().into_iter().flatten().cloned());
    if let (Some(most), Some(name), Some(value)) = (
        size("maxProperties"),
        schema["propertyNames"]["maxLength"].as_u64(),
        schema["additionalProperties"]["maxLength"].as_u64(),
    ) {
        values.extend([pairs(most, name.try_into().unwrap(), value.try_into().unwrap()), json!({})]);
    }
    values
}

fn pairs(count: usize, name: usize, value: usize) -> Value {
    let pairs = (0..count).map(|n| (format!("{n:0name$}"), Value::String("é".repeat(value))));
    Value::Object(pairs.collect::<Map<_, _>>())
}

/// A schema's type, ignoring null.
fn kind(schema: &Value) -> &str {
    match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null").unwrap_or_default(),
        one => one.as_str().unwrap_or_default(),
    }
}

/// `body` with another value for a property of the object at `pointer`, or without the property.
fn changed(body: &Value, pointer: &str, name: &str, value: Option<Value>) -> Value {
    let mut body = body.clone();
    let object = body.pointer_mut(pointer).and_then(Value::as_object_mut).expect("the example has the object");
    match value {
        Some(value) => object.insert(name.to_owned(), value),
        None => object.shift_remove(name),
    };
    body
}

/// Whether a problem starts with the property's name.
fn is_about(problem: &str, prefix: &str, name: &str) -> bool {
    after_name(problem, prefix, name).is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
}

/// Whether a problem says what the property itself must be. Rules between properties say something else.
fn is_about_value(problem: &str, prefix: &str, name: &str) -> bool {
    let rest = after_name(problem, prefix, name).unwrap_or_default();
    [" must be ", " must have ", " is required", ":"].iter().any(|words| rest.starts_with(words))
}

/// The rest of a problem after the property's name; a preceding element position is skipped.
fn after_name<'a>(problem: &'a str, prefix: &str, name: &str) -> Option<&'a str> {
    problem.strip_prefix("[0] ").unwrap_or(problem).strip_prefix(prefix)?.strip_prefix(name)
}
