//! The parameters of paths, by the names that the operations' table gives them.

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};

use super::example;
use crate::domain::{
    id::{CaseId, ItemId},
    link::LinkToken,
    operation::{Operation, Properties},
    report::ReportToken,
};

/// The parameters of an operation's path.
pub(super) fn of_path(properties: &Properties, schemas: &mut SchemaGenerator) -> Vec<Value> {
    let names = properties.path.split('/').filter_map(|segment| segment.strip_prefix(':'));
    names.map(|name| parameter(name, schemas)).collect()
}

fn parameter(name: &str, schemas: &mut SchemaGenerator) -> Value {
    let (description, schema, example) = match name {
        "caseId" => ("The case's `id`.", CaseId::json_schema(schemas).to_value(), json!(example::CASE)),
        "itemId" => ("The item's `itemId`.", ItemId::json_schema(schemas).to_value(), json!(example::ITEM)),
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
        "uploadKey" => ("The key at the end of the `Location` of an upload.", media_key(), json!(example::KEY)),
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

/// The headers that an operation reads, in addition to those of every operation.
pub(super) fn of_headers(operation: Operation) -> Vec<Value> {
    const VERSION: &str = "Tus-Resumable";
    let names: &[&str] = match operation {
        Operation::CreateUpload => &[VERSION, "Upload-Length", "Upload-Metadata"],
        Operation::ReadUploadOffset | Operation::DeleteUpload => &[VERSION],
        Operation::AppendToUpload => &[VERSION, "Upload-Offset", "Upload-Checksum"],
        Operation::CreateCase | Operation::CloseCase | Operation::CloseCaseByLink => &["Idempotency-Key"],
        _ => &[],
    };
    names.iter().map(|name| of_header(name)).collect()
}

fn of_header(name: &str) -> Value {
    let bytes = || json!({ "type": "integer", "format": "int64", "minimum": 0 });
    let text = || json!({ "type": "string" });
    let (description, schema, example) = match name {
        "Tus-Resumable" => ("The version of tus.", json!({ "type": "string", "enum": ["1.0.0"] }), json!("1.0.0")),
        "Upload-Length" => ("The length of the whole file in bytes.", bytes(), json!(1_048_576)),
        "Upload-Offset" => ("Where the bytes belong in the file: how many have arrived before.", bytes(), json!(0)),
        "Upload-Checksum" => (
            "`sha1` or `sha256`, a space, and the checksum of these bytes in Base64.",
            text(),
            json!("sha1 qZk+NkcGgWq6PiVxeFDCbJzQ2J0="),
        ),
        "Idempotency-Key" => (
            "A name for this request, for example a UUID: 1 to 255 visible ASCII characters. The same user's request with the \
             same key, path and body is carried out once within 24 hours; a repetition gets the first answer, with \
             `Idempotent-Replayed: true`. A failed request is not remembered.",
            json!({ "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$" }),
            json!("8e03978e-40d5-43dd-bc93-6894a57f9324"),
        ),
        _ => (
            "Pairs of a key, a space and a value in Base64, separated by commas. `caseId`, `stepId`, `filename` and \
             `frontCreatedAt` are required, `latitude` and `longitude` for photos and videos. Optional: `accuracy`, `captureId` \
             (a UUID v4), `sha256` (of the whole file, in hexadecimal), `clientAppName` and `clientAppVersion`.",
            text(),
            json!("caseId NDcxMQ==,stepId NzAx,filename ZnJvbnQuanBn"),
        ),
    };
    json!({
        "name": name,
        "in": "header",
        "required": !["Upload-Checksum", "Idempotency-Key"].contains(&name),
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
