//! Describes bodies in JSON Schema 2020-12, which OpenAPI 3.1 uses. A test of the description
//! (`http/openapi/tests/bodies.rs`) compares how the kinds of their fields are read with how they are described.

use std::{borrow::Cow, marker::PhantomData};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::{
    body::{Body, Fields, Kind},
    fields::Change,
};

/// Names the schema of a body. It has no values.
#[derive(Debug)]
pub(crate) struct OfBody<B>(PhantomData<B>);

impl<B: Body> JsonSchema for OfBody<B> {
    fn schema_name() -> Cow<'static, str> {
        B::NAME.into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut fields = FieldDescriber { generator, properties: Map::new(), required: Vec::new() };
        B::walk(&mut fields);
        let FieldDescriber { properties, required, .. } = fields;
        let mut schema = json_schema!({ "type": "object", "properties": properties });
        if !required.is_empty() {
            schema.insert("required".to_owned(), Value::Array(required));
        }
        described(schema, B::DESCRIPTION)
    }
}

/// The walk that describes. No field has a value.
struct FieldDescriber<'g> {
    generator: &'g mut SchemaGenerator,
    properties: Map<String, Value>,
    /// The names of the required fields.
    required: Vec<Value>,
}

impl FieldDescriber<'_> {
    fn add(&mut self, name: &str, schema: Schema, description: &str) {
        self.properties.insert(name.to_owned(), described(schema, description).to_value());
    }
}

impl Fields for FieldDescriber<'_> {
    fn required<T>(&mut self, name: &'static str, kind: Kind<T>, description: &str) -> Option<T> {
        let schema = (kind.schema)(self.generator);
        self.required.push(name.into());
        self.add(name, schema, description);
        None
    }

    fn optional<T>(&mut self, name: &'static str, kind: Kind<T>, description: &str) -> Option<T> {
        let schema = (kind.schema)(self.generator);
        self.add(name, or_null(schema), description);
        None
    }

    fn change<T>(&mut self, name: &'static str, kind: Kind<T>, description: &str) -> Change<T> {
        self.optional(name, kind, description);
        Change::Keep
    }

    fn verbatim<T>(
        &mut self,
        name: &'static str,
        kind: Kind<()>,
        description: &str,
        _: fn(&[u8]) -> Result<T, String>,
    ) -> Option<T> {
        self.optional(name, kind, description);
        None
    }

    fn has(&self, _: &str) -> bool {
        false
    }

    fn refuse(&mut self, _: &str) {}
}

/// A date-time with its offset, as [`moment::parse_moment`](super::moment::parse_moment) reads it.
pub(crate) fn moment() -> Schema {
    json_schema!({ "type": "string", "format": "date-time" })
}

/// A whole number from 1.
pub(crate) fn positive() -> Schema {
    json_schema!({ "type": "integer", "format": "int64", "minimum": 1, "maximum": i64::MAX })
}

/// `schema`, or null.
fn or_null(mut schema: Schema) -> Schema {
    match schema.get_mut("type") {
        Some(kind @ Value::String(_)) => {
            *kind = json!([kind.take(), "null"]);
            if let Some(Value::Array(values)) = schema.get_mut("enum") {
                values.push(Value::Null);
            }
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
    use crate::fields::{POSITIVE, TITLE};

    struct Both;

    impl Body for Both {
        const NAME: &'static str = "Both";
        const DESCRIPTION: &'static str = "";

        fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
            let required = fields.required("a", POSITIVE, "The first.");
            fields.optional("b", TITLE, "");
            required.map(|_| Self)
        }
    }

    #[test]
    fn an_optional_property_may_be_null_and_a_required_one_may_not() {
        assert_eq!(
            OfBody::<Both>::json_schema(&mut SchemaGenerator::default()).to_value(),
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
        let choice = json_schema!({ "type": "string", "enum": ["a", "b"] });
        assert_eq!(or_null(choice).to_value(), json!({ "type": ["string", "null"], "enum": ["a", "b", null] }));
        let reference = json_schema!({ "$ref": "#/components/schemas/X" });
        assert_eq!(
            or_null(reference).to_value(),
            json!({ "anyOf": [{ "$ref": "#/components/schemas/X" }, { "type": "null" }] })
        );
    }
}
