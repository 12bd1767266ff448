//! Schemas as rows of a table: fields of nested objects have dotted names.

use serde_json::Value;

use super::texts::text;

/// A field of an object.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row<'a> {
    /// From the outermost object, such as `linkOptions.reportToken` or `steps[].id`.
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) required: bool,
    pub(super) description: &'a str,
}

/// Deeper than any of our schemas; stops at one that contains itself.
const DEEPEST: usize = 6;

/// The fields of a schema, outermost first, each followed by its own.
pub(super) fn rows<'a>(document: &'a Value, schema: &'a Value) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    collect(document, schema, "", 0, &mut rows);
    rows
}

fn collect<'a>(document: &'a Value, schema: &'a Value, prefix: &str, depth: usize, rows: &mut Vec<Row<'a>>) {
    let schema = resolve(document, schema);
    if depth > DEEPEST {
        return;
    }
    if let Some(items) = schema.get("items") {
        return collect(document, items, prefix, depth + 1, rows);
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let named = format!("{prefix}{name}");
        let resolved = resolve(document, property);
        let description = property.get("description").or_else(|| resolved.get("description"));
        let required = schema["required"].as_array().into_iter().flatten().any(|required| required == name);
        let kind = kind(document, property);
        let description = description.map_or("", text);
        let inner = if resolved.get("items").is_some() { format!("{named}[].") } else { format!("{named}.") };
        rows.push(Row { name: named, kind, required, description });
        collect(document, resolved, &inner, depth + 1, rows);
    }
}

/// A schema's type and bounds in words.
pub(super) fn kind(document: &Value, schema: &Value) -> String {
    let schema = resolve(document, schema);
    if let Some(alternatives) = schema["anyOf"].as_array() {
        return alternatives.iter().map(|schema| kind(document, schema)).collect::<Vec<_>>().join(" or ");
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<&str> = values.iter().map(text).filter(|value| !value.is_empty()).collect();
        return format!("one of {}", values.join(", "));
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::Array(types) => types.iter().map(text).collect(),
        one => vec![text(one)],
    };
    let main = types.iter().find(|name| **name != "null").copied().unwrap_or("any value");
    let named = match (main, text(&schema["format"])) {
        ("string", "date-time") => "date-time".to_owned(),
        ("string", "date") => "date".to_owned(),
        ("string", "uuid") => "UUID v4".to_owned(),
        ("string", "binary") => "file".to_owned(),
        ("array", _) => format!("array of {}", kind(document, &schema["items"])),
        ("object", _) if schema["additionalProperties"]["type"] == "string" => "object of strings".to_owned(),
        ("", _) => "any value".to_owned(),
        (name, _) => name.to_owned(),
    };
    let null = if types.contains(&"null") && types.len() > 1 { " or null" } else { "" };
    named + &bounds(schema) + null
}

fn bounds(schema: &Value) -> String {
    let number = |name: &str| schema[name].as_i64();
    // The largest number that fits is not a bound that readers need to know.
    let maximum = number("maximum").filter(|most| *most < i64::MAX);
    let words = |(least, most, unit): (Option<i64>, Option<i64>, &str)| match (least, most) {
        (Some(least), Some(most)) => format!(", {least} to {most}{unit}"),
        (Some(least), None) => format!(", at least {least}{unit}"),
        (None, Some(most)) => format!(", at most {most}{unit}"),
        (None, None) => String::new(),
    };
    [
        (number("minLength"), number("maxLength"), " characters"),
        (number("minimum"), maximum, ""),
        (number("minItems"), number("maxItems"), " elements"),
        (number("minProperties"), number("maxProperties"), " keys"),
    ]
    .map(words)
    .concat()
}

/// What a reference points to; of `anyOf` with null, the other.
pub(super) fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
        return document.pointer(reference.trim_start_matches('#')).unwrap_or(&Value::Null);
    }
    let alternatives = value.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    match alternatives.filter(|alternative| alternative["type"] != "null").collect::<Vec<_>>()[..] {
        [one] => resolve(document, one),
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_is_described_in_words() {
        let document = json!({ "components": { "schemas": { "Word": { "type": "string", "maxLength": 5 } } } });
        for (schema, words) in [
            (json!({ "$ref": "#/components/schemas/Word" }), "string, at most 5 characters"),
            (
                json!({ "anyOf": [{ "$ref": "#/components/schemas/Word" }, { "type": "null" }] }),
                "string, at most 5 characters",
            ),
            (json!({ "type": "integer", "minimum": 1, "maximum": i64::MAX }), "integer, at least 1"),
            (json!({ "type": ["integer", "null"], "minimum": 1, "maximum": 168 }), "integer, 1 to 168 or null"),
            (json!({ "type": "array", "items": { "type": "string", "format": "date-time" } }), "array of date-time"),
            (json!({ "enum": ["zip", "metadata"] }), "one of zip, metadata"),
            (
                json!({ "anyOf": [{ "type": "string", "format": "date-time" }, { "type": "string", "format": "date" }] }),
                "date-time or date",
            ),
            (json!(true), "any value"),
        ] {
            assert_eq!(kind(&document, &schema), words, "{schema}");
        }
    }

    #[test]
    fn inner_fields_have_dotted_names() {
        let schema = json!({
            "type": "object",
            "required": ["steps"],
            "properties": {
                "steps": { "type": "array", "items": { "type": "object", "properties": { "id": { "type": "integer" } } } },
                "link": { "type": "object", "description": "A link.", "properties": { "uses": { "type": "integer" } } },
            },
        });
        let rows = rows(&Value::Null, &schema);
        let listed: Vec<(&str, bool, &str)> =
            rows.iter().map(|row| (row.name.as_str(), row.required, row.description)).collect();
        assert_eq!(
            listed,
            [("steps", true, ""), ("steps[].id", false, ""), ("link", false, "A link."), ("link.uses", false, "")]
        );
    }
}
