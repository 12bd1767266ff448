//! A schema as the comparison of two descriptions needs it: which values are allowed.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// The values that a schema allows, with references and alternatives resolved by one level.
#[derive(Debug, Default)]
pub(super) struct Shape<'a> {
    /// Where the schemas with fields or elements are, so that two are not taken for one.
    pub(super) origins: Vec<*const Value>,
    /// The names of JSON's types; empty if any is allowed.
    pub(super) types: BTreeSet<String>,
    /// The only values, if they are listed.
    pub(super) values: Option<BTreeSet<String>>,
    pub(super) fields: BTreeMap<&'a str, &'a Value>,
    pub(super) required: BTreeSet<&'a str>,
    pub(super) elements: Option<&'a Value>,
    /// The schema of the values of an object with any keys.
    pub(super) members: Option<&'a Value>,
    /// Limits and patterns, by their keyword.
    pub(super) limits: BTreeMap<&'static str, &'a Value>,
}

/// Limits that a larger number relaxes, and those that it tightens.
pub(super) const UPPER: [&str; 5] = ["maxLength", "maxItems", "maxProperties", "maximum", "exclusiveMaximum"];
pub(super) const LOWER: [&str; 5] = ["minLength", "minItems", "minProperties", "minimum", "exclusiveMinimum"];
/// Rules that cannot be compared by size.
pub(super) const RULES: [&str; 4] = ["pattern", "format", "uniqueItems", "propertyNames"];

impl<'a> Shape<'a> {
    /// The shape of `schema` in this description.
    pub(super) fn of(description: &'a Value, schema: &'a Value) -> Self {
        let schema = resolved(description, schema);
        if let Some(choices) = schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array()) {
            let mut shapes = choices.iter().map(|choice| Self::of(description, choice));
            let first = shapes.next().unwrap_or_default();
            return shapes.fold(first, Self::or);
        }
        let values =
            schema["enum"].as_array().cloned().or_else(|| schema.get("const").map(|value| vec![value.clone()]));
        let types = match &schema["type"] {
            Value::String(name) => BTreeSet::from([name.clone()]),
            Value::Array(names) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => BTreeSet::new(),
        };
        let has_parts = ["properties", "items", "additionalProperties"].iter().any(|name| schema.get(name).is_some());
        Self {
            origins: has_parts.then_some(std::ptr::from_ref(schema)).into_iter().collect(),
            types,
            values: values.map(|values| values.iter().map(Value::to_string).collect()),
            fields: schema["properties"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, of)| (name.as_str(), of))
                .collect(),
            required: schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect(),
            elements: schema.get("items"),
            members: schema.get("additionalProperties").filter(|members| members.is_object()),
            limits: UPPER
                .into_iter()
                .chain(LOWER)
                .chain(RULES)
                .filter_map(|name| Some((name, schema.get(name)?)))
                .collect(),
        }
    }

    /// What this one or the other one allows.
    fn or(mut self, other: Self) -> Self {
        let are_objects = [&self, &other].map(|shape| shape.types.contains("object"));
        // `null` lists no values and has no fields, and takes nothing away from the other alternative.
        self.values = match (self.values.take(), other.values) {
            (Some(mine), Some(others)) => Some(&mine | &others),
            (Some(mine), None) if is_null(&other.types) => Some(mine),
            (None, Some(others)) if is_null(&self.types) => Some(others),
            _ => None,
        };
        if are_objects == [true, true] {
            self.required.retain(|name| other.required.contains(name));
        } else {
            self.required.extend(other.required);
        }
        self.origins.extend(other.origins);
        self.fields.extend(other.fields);
        self.elements = self.elements.or(other.elements);
        self.members = self.members.or(other.members);
        self.limits.extend(other.limits);
        self.types = &self.types | &other.types;
        self
    }
}

fn is_null(types: &BTreeSet<String>) -> bool {
    types.len() == 1 && types.contains("null")
}

/// The schema, or the one that it refers to.
pub(super) fn resolved<'a>(description: &'a Value, value: &'a Value) -> &'a Value {
    let reference = value["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
    reference.and_then(|pointer| description.pointer(pointer)).unwrap_or(value)
}
