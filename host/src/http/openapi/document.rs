//! The description as one OpenAPI 3.1 document.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use schemars::{
    SchemaGenerator,
    generate::{Contract, SchemaSettings},
};
use serde_json::{Map, Value, json};
use strum::VariantArray as _;

use super::{
    super::error::ErrorBody,
    description::{Answer, Body, Content, Description, Form, Next, Place, Query, Tag},
    operations::describe,
    parameter, standard, webhook,
};
use crate::domain::operation::{Operation, Properties};

const ABOUT: &str = include_str!("about.md");

/// The whole document, for the server with the public root `base_url`.
pub(super) fn document(base_url: &str) -> Value {
    let mut schemas = generator();
    let mut paths: Map<String, Value> = Map::new();
    for properties in Operation::all() {
        let description = describe(properties.operation);
        let item = paths.entry(properties.route()).or_insert_with(|| json!({}));
        item[properties.method.to_ascii_lowercase()] = operation(properties, &description, &mut schemas);
    }
    let webhooks = webhook::webhooks(&mut schemas);
    let mut components = standard::components(&mut schemas);
    components.insert("schemas".to_owned(), Value::Object(schemas.take_definitions(true)));
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Sealwright",
            "summary": "Certified evidence, case by case",
            "version": env!("CARGO_PKG_VERSION"),
            "description": ABOUT,
        },
        "servers": [{ "url": base_url }],
        "tags": tags(),
        "paths": paths,
        "webhooks": webhooks,
        "components": components,
    });
    without_sources(&mut document);
    document
}

/// Collects schemas as the answers are written, and puts them where an OpenAPI document keeps them.
pub(super) fn generator() -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
        settings.contract = Contract::Serialize;
    });
    settings.into_generator()
}

fn tags() -> Vec<Value> {
    Tag::VARIANTS.iter().map(|tag| json!({ "name": tag.into_str(), "description": tag.description() })).collect()
}

fn operation(properties: &Properties, description: &Description, schemas: &mut SchemaGenerator) -> Value {
    let mut parameters = parameter::of_path(properties, schemas);
    parameters.extend(parameter::of_headers(properties.operation));
    parameters.extend(description.query.iter().map(query_parameter));
    let mut operation = json!({
        "operationId": properties.operation.name(),
        "tags": [description.tag.into_str()],
        "summary": description.summary,
        "description": format!("{}\n\n{}", description.details, standard::conditions(properties)),
        "security": standard::security(properties),
    });
    if !parameters.is_empty() {
        operation["parameters"] = Value::Array(parameters);
    }
    if let Some(body) = &description.body {
        operation["requestBody"] = request_body(body, schemas);
    }
    operation["responses"] = responses(properties, description, schemas);
    operation
}

fn query_parameter(query: &Query) -> Value {
    json!({
        "name": query.name,
        "in": "query",
        "required": query.required,
        "description": query.description,
        "schema": query.schema,
    })
}

fn request_body(body: &Body, schemas: &mut SchemaGenerator) -> Value {
    let schema = (body.schema)(schemas);
    let content = match body.form {
        Form::Json => json!({ "application/json": { "schema": schema, "example": body.example } }),
        Form::Bytes(media_type) => json!({ media_type: { "schema": schema } }),
        Form::Upload { part, file } => json!({ "multipart/form-data": {
            "schema": {
                "type": "object",
                "properties": {
                    "file": { "type": "string", "format": "binary", "description": file },
                    part: schema,
                },
                "required": ["file", part],
            },
            "encoding": {
                "file": { "contentType": "application/octet-stream" },
                part: { "contentType": "application/json" },
            },
            "example": { "file": "(the file's bytes)", part: body.example },
        }}),
    };
    json!({ "description": body.description, "required": !body.optional, "content": content })
}

fn responses(properties: &Properties, description: &Description, schemas: &mut SchemaGenerator) -> Value {
    let mut by_status: BTreeMap<u16, Value> = BTreeMap::new();
    for described in &description.answers {
        by_status.insert(described.status, answer(properties, described, &description.next, schemas));
    }
    for (status, refusals) in refusals(properties, description) {
        by_status.insert(status, refusal(properties, status, &refusals, schemas));
    }
    for (status, reference) in standard::shared_answers(properties) {
        by_status.entry(status).or_insert(reference);
    }
    by_status.into_iter().map(|(status, answer)| (status.to_string(), answer)).collect()
}

fn answer(properties: &Properties, described: &Answer, next: &[Next], schemas: &mut SchemaGenerator) -> Value {
    let mut answer = json!({
        "description": described.description,
        "headers": standard::headers(properties, described.status, described.headers),
    });
    match &described.content {
        Content::Nothing => {}
        Content::Json { schema, example } => {
            answer["content"] = json!({ "application/json": { "schema": schema(schemas), "example": example } });
        }
        Content::JsonOrArchive { schema, example } => {
            answer["content"] = json!({
                "application/json": { "schema": schema(schemas), "example": example },
                "application/zip": { "schema": { "type": "string", "format": "binary" } },
            });
        }
        Content::Bytes(media_types) => {
            let content = |media_type: &&str| {
                ((*media_type).to_owned(), json!({ "schema": { "type": "string", "format": "binary" } }))
            };
            answer["content"] = Value::Object(media_types.iter().map(content).collect());
        }
        Content::Text(media_type) => answer["content"] = json!({ *media_type: { "schema": { "type": "string" } } }),
    }
    if (200..300).contains(&described.status) && !next.is_empty() {
        answer["links"] = Value::Object(next.iter().map(link).collect());
    }
    answer
}

fn link(next: &Next) -> (String, Value) {
    let expression = format!("$response.body#{}", next.pointer);
    let mut link = json!({ "operationId": next.operation.name() });
    match next.place {
        Place::Path => link["parameters"] = json!({ next.parameter: expression }),
        Place::Body => link["requestBody"] = json!({ next.parameter: expression }),
    }
    (next.operation.name(), link)
}

/// All refusals with the standard body, by status: the table's, the reader's, and the operation's own.
fn refusals(properties: &Properties, description: &Description) -> BTreeMap<u16, Vec<(&'static str, String)>> {
    let mut by_status: BTreeMap<u16, Vec<(&'static str, String)>> = BTreeMap::new();
    for (status, when, message) in standard::refusals(properties) {
        by_status.entry(status).or_default().push((when, message));
    }
    if let Some(body) = description.body.as_ref().filter(|body| !matches!(body.form, Form::Bytes(_))) {
        // The reader's message for an empty object is the best example.
        let message = (body.read)(&json!({})).err().map_or_else(String::new, |problems| problems.join(", "));
        let refused = by_status.entry(400).or_default();
        refused.push(("A field is missing or wrong; the message names every such field.", message));
    }
    for (status, when, message) in &description.refusals {
        by_status.entry(*status).or_default().push((when, (*message).to_owned()));
    }
    by_status
}

fn refusal(
    properties: &Properties,
    status: u16,
    refusals: &[(&'static str, String)],
    schemas: &mut SchemaGenerator,
) -> Value {
    let more: &[&str] = match status {
        401 => &["WWW-Authenticate"],
        503 => &["Retry-After"],
        416 => &["Content-Range"],
        _ => &[],
    };
    let reason = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
    let examples =
        refusals.iter().filter(|(_, message)| !message.is_empty()).enumerate().map(|(n, (when, message))| {
            let example = json!({ "summary": when, "value": ErrorBody::new(reason, message.as_str()) });
            (format!("case{}", n + 1), example)
        });
    let whens: Vec<&str> = refusals.iter().map(|(when, _)| *when).collect();
    json!({
        "description": whens.join(" "),
        "headers": standard::headers(properties, status, more),
        "content": { "application/json": {
            "schema": schemas.subschema_for::<ErrorBody>(),
            "examples": Value::Object(examples.collect()),
        }},
    })
}

/// Removes the sources that code comments cite, such as `(spec 2.2)` and `(decisions 5)`, from descriptions. Readers of
/// the description have neither.
fn without_sources(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match member {
                    Value::String(text) if name == "description" => *text = without_source(text),
                    other => without_sources(other),
                }
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(without_sources),
        _ => {}
    }
}

fn without_source(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = [" (spec ", " (decisions "].iter().filter_map(|begin| rest.find(begin)).min() {
        let (before, source) = rest.split_at(at);
        kept.push_str(before);
        rest = source.split_once(')').map_or("", |(_, after)| after);
    }
    kept + rest
}
