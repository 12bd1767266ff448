//! The types of the description, in the few forms that both languages have.

use anyhow::{Context as _, bail, ensure};
use serde_json::Value;

const SCHEMAS: &str = "#/components/schemas/";

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    Any,
    Null,
    Text,
    Integer,
    Number,
    Boolean,
    Literal(String),
    Named(String),
    List(Box<Self>),
    /// An object with any keys.
    Map(Box<Self>),
    Union(Vec<Self>),
}

/// A schema with a name.
#[derive(Debug)]
pub(super) enum Definition {
    Record(Vec<Field>),
    Alias(Type),
}

#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) of: Type,
    pub(super) is_required: bool,
}

impl Definition {
    /// # Errors
    /// If the schema has a form that the clients do not know.
    pub(super) fn read(schema: &Value) -> anyhow::Result<Self> {
        let Some(properties) = schema["properties"].as_object().filter(|_| schema["type"] == "object") else {
            return Ok(Self::Alias(Type::read(schema)?));
        };
        let is_required =
            |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|n| n == name));
        let fields = properties.iter().map(|(name, property)| {
            Ok(Field {
                name: name.clone(),
                description: property["description"].as_str().unwrap_or_default().to_owned(),
                of: Type::read(property).with_context(|| format!("the field {name}"))?,
                is_required: is_required(name),
            })
        });
        Ok(Self::Record(fields.collect::<anyhow::Result<_>>()?))
    }
}

impl Type {
    /// # Errors
    /// If the schema has a form that the clients do not know.
    pub(super) fn read(schema: &Value) -> anyhow::Result<Self> {
        if let Some(reference) = schema["$ref"].as_str() {
            let name = reference.strip_prefix(SCHEMAS).with_context(|| format!("{reference} is not a schema"))?;
            return Ok(Self::Named(name.to_owned()));
        }
        if let Some(constant) = schema["const"].as_str() {
            return Ok(Self::Literal(constant.to_owned()));
        }
        if let Some(values) = schema["enum"].as_array() {
            return values.iter().map(Self::literal).collect::<anyhow::Result<_>>().map(Self::union);
        }
        if let Some(choices) = schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array()) {
            return choices.iter().map(Self::read).collect::<anyhow::Result<_>>().map(Self::union);
        }
        match &schema["type"] {
            Value::String(name) => Self::simple(name, schema),
            Value::Array(names) => {
                let each = names.iter().map(|name| Self::simple(name.as_str().unwrap_or_default(), schema));
                each.collect::<anyhow::Result<_>>().map(Self::union)
            }
            _ => {
                ensure!(schema["allOf"].is_null(), "allOf is not known here: {schema}");
                Ok(Self::Any)
            }
        }
    }

    fn simple(name: &str, schema: &Value) -> anyhow::Result<Self> {
        Ok(match name {
            "null" => Self::Null,
            "string" => Self::Text,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "boolean" => Self::Boolean,
            "array" => Self::List(Box::new(Self::read(&schema["items"])?)),
            "object" => {
                ensure!(schema["properties"].is_null(), "an object with fields needs a name: {schema}");
                let values = &schema["additionalProperties"];
                Self::Map(Box::new(if values.is_object() { Self::read(values)? } else { Self::Any }))
            }
            _ => bail!("the type {name} is not known here: {schema}"),
        })
    }

    fn literal(value: &Value) -> anyhow::Result<Self> {
        match value {
            Value::String(text) => Ok(Self::Literal(text.clone())),
            Value::Null => Ok(Self::Null),
            _ => bail!("the value {value} is neither a text nor null"),
        }
    }

    /// A union without unions in it, in which each type appears once.
    fn union(choices: Vec<Self>) -> Self {
        let mut flat: Vec<Self> = Vec::new();
        let parts = choices.into_iter().flat_map(|choice| match choice {
            Self::Union(parts) => parts,
            other => vec![other],
        });
        for part in parts {
            if !flat.contains(&part) {
                flat.push(part);
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { Self::Union(flat) }
    }

    /// Calls `visit` with the name of each schema that the type names.
    pub(super) fn names(&self, visit: &mut impl FnMut(&str)) {
        match self {
            Self::Named(name) => visit(name),
            Self::List(element) | Self::Map(element) => element.names(visit),
            Self::Union(choices) => choices.iter().for_each(|choice| choice.names(visit)),
            Self::Any | Self::Null | Self::Text | Self::Integer | Self::Number | Self::Boolean | Self::Literal(_) => {}
        }
    }
}
