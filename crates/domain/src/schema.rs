//! Schemas of request bodies, in JSON Schema 2020-12, which OpenAPI 3.1 uses. The schema of a body is next to the
//! body's reader as its [`JsonSchema`](schemars::JsonSchema), and takes its limits from the same constants. A test of
//! the description (`http/openapi/tests.rs`) keeps reader and schema consistent.

use schemars::{Schema, json_schema};
use serde_json::{Map, Value, json};

use super::fields::{TEXT_LENGTH, TITLE_LENGTH};

/// A property of an object.
#[derive(Clone, Debug)]
pub struct Property {
    name: &'static str,
    required: bool,
    schema: Schema,
}

/// A required property, as [`Fields::required`](super::fields::Fields::required) reads it.
pub fn required(name: &'static str, description: &str, schema: Schema) -> Property {
    Property { name, required: true, schema: described(schema, description) }
}

/// A property that may be absent or null, as [`Fields::optional`](super::fields::Fields::optional) and
/// [`Fields::change`](super::fields::Fields::change) read it.
pub fn optional(name: &'static str, description: &str, schema: Schema) -> Property {
    Property { name, required: false, schema: described(or_null(schema), description) }
}

/// An object with these properties. Others are ignored, so they are not forbidden here.
pub fn object(description: &str, properties: impl IntoIterator<Item = Property>) -> Schema {
    let (mut named, mut required) = (Map::new(), Vec::new());
    for property in properties {
        if property.required {
            required.push(Value::from(property.name));
        }
        named.insert(property.name.to_owned(), property.schema.to_value());
    }
    let mut schema = json_schema!({ "type": "object", "properties": named });
    if !required.is_empty() {
        schema.insert("required".to_owned(), Value::Array(required));
    }
    described(schema, description)
}

/// Text, as [`fields::text`](super::fields::text) reads it.
pub fn text() -> Schema {
    json_schema!({ "type": "string", "maxLength": TEXT_LENGTH })
}

/// Text that is not empty, as [`fields::filled_text`](super::fields::filled_text) reads it.
pub fn filled_text() -> Schema {
    json_schema!({ "type": "string", "minLength": 1, "maxLength": TEXT_LENGTH })
}

/// A title, as [`fields::title`](super::fields::title) reads it.
pub fn title() -> Schema {
    json_schema!({ "type": "string", "maxLength": TITLE_LENGTH })
}

/// A whole number from 1, as [`fields::positive`](super::fields::positive) reads it.
pub fn positive() -> Schema {
    json_schema!({ "type": "integer", "format": "int64", "minimum": 1, "maximum": i64::MAX })
}

/// A date-time with its offset, as [`moment::parse_moment`](super::moment::parse_moment) reads it.
pub fn moment() -> Schema {
    json_schema!({ "type": "string", "format": "date-time" })
}

/// A decimal number written as text of at most `longest` characters.
pub fn decimal(longest: usize) -> Schema {
    json_schema!({ "type": "string", "pattern": r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$", "maxLength": longest })
}

/// `schema`, or null.
fn or_null(mut schema: Schema) -> Schema {
    match schema.get_mut("type") {
        Some(kind @ Value::String(_)) => {
            *kind = json!([kind.take(), "null"]);
            schema
        }
        _ => json_schema!({ "anyOf": [schema, { "type": "null" }] }),
    }
}

fn described(mut schema: Schema, description: &str) -> Schema {
    if !description.is_empty() {
        schema.insert("description".to_owned(), description.into());
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_optional_property_may_be_null_and_a_required_one_may_not() {
        let schema = object("", [required("a", "The first.", positive()), optional("b", "", title())]);
        assert_eq!(
            schema.to_value(),
            json!({
                "type": "object",
                "properties": {
                    "a": {
                        "type": "integer", "format": "int64", "minimum": 1, "maximum": i64::MAX,
                        "description": "The first."
                    },
                    "b": { "type": ["string", "null"], "maxLength": 255 },
                },
                "required": ["a"],
            })
        );
        let reference = json_schema!({ "$ref": "#/components/schemas/X" });
        assert_eq!(
            or_null(reference).to_value(),
            json!({ "anyOf": [{ "$ref": "#/components/schemas/X" }, { "type": "null" }] })
        );
    }
}
