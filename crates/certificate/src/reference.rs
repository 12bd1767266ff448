//! The reference part of `docs/template-designer.md`, generated from the types of the data contract. To update it after
//! a change:
//!
//!     SEALWRIGHT_WRITE_DOCS=1 cargo xtask test -p sealwright-certificate --lib reference

use std::{env, fmt::Write as _, fs, path::Path};

use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::Value;

use super::{data::CertificateData, render::Added};

const BEGIN: &str = "<!-- The reference is made from the code: do not edit it here. -->\n";
const END: &str = "<!-- End of the reference. -->\n";

#[test]
fn the_guide_for_designers_has_the_reference_of_the_data_contract() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/template-designer.md");
    let guide = fs::read_to_string(&path).unwrap();
    let (before, rest) = guide.split_once(BEGIN).expect("the guide says where the reference begins");
    let (_, after) = rest.split_once(END).expect("the guide says where the reference ends");
    let wanted = format!("{before}{BEGIN}{}{END}{after}", reference());
    if env::var_os("SEALWRIGHT_WRITE_DOCS").is_some() {
        fs::write(&path, wanted).unwrap();
    } else {
        assert!(
            guide == wanted,
            "docs/template-designer.md is not up to date; {}",
            "write it again with SEALWRIGHT_WRITE_DOCS=1"
        );
    }
}

fn reference() -> String {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let mut text = String::new();
    section(&mut text, "data", &schema_of::<CertificateData>(&mut generator));
    section(&mut text, "data, added by the renderer", &schema_of::<Added>(&mut generator));
    for (name, schema) in generator.take_definitions(true) {
        if name != "CertificateData" && name != "Added" {
            section(&mut text, &name, &schema);
        }
    }
    text
}

fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    T::json_schema(generator).to_value()
}

/// One table for each type; for an enum, one for each variant.
fn section(text: &mut String, name: &str, schema: &Value) {
    let _ = writeln!(text, "\n### {name}\n");
    if let Some(description) = description(schema) {
        let _ = writeln!(text, "{description}\n");
    }
    match schema.get("oneOf").and_then(Value::as_array) {
        Some(kinds) => {
            for kind in kinds {
                let about = description(kind).map(|about| format!(": {about}")).unwrap_or_default();
                let _ = writeln!(text, "**{}**{about}\n", tag_of(kind));
                table(text, kind);
            }
        }
        None => table(text, schema),
    }
}

/// What identifies a variant: its value, or the field that has a fixed value.
fn tag_of(kind: &Value) -> String {
    if let Some(value) = kind.get("const") {
        return format!("`{value}`");
    }
    let fields = kind["properties"].as_object().expect("a variant is a value or has fields");
    let tag = fields.iter().find_map(|(name, value)| Some(format!("`{name}: {}`", value.get("const")?)));
    tag.expect("a variant has a field with a fixed value")
}

fn table(text: &mut String, schema: &Value) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    let rows: Vec<_> = properties.iter().filter(|(_, value)| value.get("const").is_none()).collect();
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(text, "| field | type | |\n|---|---|---|");
    for (name, value) in rows {
        let _ = writeln!(text, "| `{name}` | {} | {} |", type_of(value), description(value).unwrap_or_default());
    }
    text.push('\n');
}

fn type_of(schema: &Value) -> String {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        return reference.rsplit('/').next().unwrap_or_default().to_owned();
    }
    if let Some(choices) = schema.get("anyOf").and_then(Value::as_array) {
        return choices.iter().map(type_of).collect::<Vec<_>>().join(" or ");
    }
    match schema.get("type") {
        Some(Value::Array(types)) => types
            .iter()
            .map(|one| type_of(&serde_json::json!({ "type": one, "items": schema.get("items") })))
            .collect::<Vec<_>>()
            .join(" or "),
        Some(Value::String(kind)) => match kind.as_str() {
            "array" => format!("list of {}", schema.get("items").map(type_of).unwrap_or_default()),
            "null" => "`none`".to_owned(),
            "integer" => "number".to_owned(),
            "boolean" => "`true`, `false`".to_owned(),
            "string" => "text".to_owned(),
            other => other.to_owned(),
        },
        _ => String::new(),
    }
}

/// On one line, with the names of Rust's items as plain code.
fn description(schema: &Value) -> Option<String> {
    let text = schema.get("description")?.as_str()?.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("](") {
        // `[text](path)`: the path is for readers of the code.
        plain.push_str(&rest[..at].replacen('[', "", 1));
        rest = rest[at..].split_once(')').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    Some(plain.replace("[`", "`").replace("`]", "`").replace('|', "\\|"))
}
