//! The parameters of paths, by the names that the operations' table gives them.

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};

use super::example;
use crate::domain::{id::CaseId, link::LinkToken, operation::Properties, report::ReportToken};

/// The parameters of an operation's path.
pub(super) fn of_path(properties: &Properties, schemas: &mut SchemaGenerator) -> Vec<Value> {
    let names = properties.path.split('/').filter_map(|segment| segment.strip_prefix(':'));
    names.map(|name| parameter(name, schemas)).collect()
}

fn parameter(name: &str, schemas: &mut SchemaGenerator) -> Value {
    let (description, schema, example) = match name {
        "caseId" => ("The case's `id`.", CaseId::json_schema(schemas).to_value(), json!(example::CASE)),
        "magicLinkToken" => {
            ("The link's token, a UUID v4.", LinkToken::json_schema(schemas).to_value(), json!(example::LINK_TOKEN))
        }
        "reportToken" => (
            "The report's token; characters that are not allowed in a path are percent-encoded.",
            ReportToken::json_schema(schemas).to_value(),
            json!(example::REPORT_TOKEN),
        ),
        "imageUrl" => ("The key at the end of an `imageUrl` or `documentUrl`.", media_key(), json!(example::KEY)),
        "videoUrl" => ("The key at the end of a `videoUrl`.", media_key(), json!(example::KEY)),
        "shareToken" => ("The token in a `caseUrl` or `pdfUrl`.", key(), json!(example::KEY)),
        // The tests check that every name in the table has a description.
        _ => ("", key(), json!(example::KEY)),
    };
    json!({
        "name": name,
        "in": "path",
        "required": true,
        "description": description,
        "schema": schema,
        "example": example,
    })
}

/// The last part of a file's address.
fn media_key() -> Value {
    json!({ "type": "string", "pattern": "^[0-9a-fA-F]{32}$" })
}

/// A certificate's token is issued in the same form, but any other text is accepted and not found.
fn key() -> Value {
    json!({ "type": "string", "minLength": 1 })
}
