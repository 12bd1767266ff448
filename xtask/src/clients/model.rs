//! What the clients offer: the operations of integrators, and the schemas that they use.

use std::collections::BTreeMap;

use anyhow::{Context as _, ensure};
use serde_json::Value;

use super::schema::{Definition, Type};

/// The header that makes a request repeatable.
const KEY: &str = "Idempotency-Key";
/// The header of tus. The clients' `upload` sends these requests.
const TUS: &str = "Tus-Resumable";
/// Operations of the field app.
const FIELD: &str = "Field";

#[derive(Debug)]
pub(super) struct Interface {
    pub(super) version: String,
    pub(super) calls: Vec<Call>,
    /// Those that the calls and the webhooks use, by name.
    pub(super) schemas: BTreeMap<String, Schema>,
}

#[derive(Debug)]
pub(super) struct Schema {
    pub(super) description: String,
    pub(super) definition: Definition,
}

#[derive(Debug)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) method: String,
    pub(super) path: String,
    /// Summary and description.
    pub(super) text: String,
    pub(super) in_path: Vec<Parameter>,
    pub(super) query: Vec<Parameter>,
    /// Whether it takes an `Idempotency-Key`.
    pub(super) has_key: bool,
    /// Whether it needs a token.
    pub(super) has_token: bool,
    pub(super) body: Body,
    pub(super) answer: Answer,
}

#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) of: Type,
    pub(super) is_required: bool,
}

#[derive(Debug)]
pub(super) enum Body {
    None,
    Json {
        of: Type,
        is_required: bool,
    },
    /// A form with the part `file`, and a part with JSON.
    File {
        part: String,
        of: Type,
    },
}

#[derive(Debug)]
pub(super) enum Answer {
    Nothing,
    Json(Type),
    File,
    /// Which one depends on the request.
    JsonOrFile(Type),
}

impl Interface {
    /// # Errors
    /// If the description has a form that the clients do not know.
    pub(super) fn read(description: &Value) -> anyhow::Result<Self> {
        let mut calls = Vec::new();
        for (path, item) in description["paths"].as_object().context("the description has no paths")? {
            for (method, operation) in item.as_object().context("a path has no operations")? {
                if is_for_integrators(method, operation) {
                    let call = Call::read(method, path, operation);
                    calls.push(call.with_context(|| format!("{} {path}", method.to_uppercase()))?);
                }
            }
        }
        let mut used: Vec<String> = Vec::new();
        let mut note = |of: &Type| of.names(&mut |name| used.push(name.to_owned()));
        for call in &calls {
            call.types(&mut note);
        }
        for webhook in description["webhooks"].as_object().context("the description has no webhooks")?.values() {
            note(&Type::read(&webhook["post"]["requestBody"]["content"]["application/json"]["schema"])?);
        }
        // The body of each error, which no call returns.
        used.push("Error".to_owned());
        let version = description["info"]["version"].as_str().context("the description has no version")?.to_owned();
        Ok(Self { version, calls, schemas: schemas(description, used)? })
    }
}

/// The schemas with these names, and those that they use themselves.
fn schemas(description: &Value, mut wanted: Vec<String>) -> anyhow::Result<BTreeMap<String, Schema>> {
    let mut schemas = BTreeMap::new();
    while let Some(name) = wanted.pop() {
        if schemas.contains_key(&name) {
            continue;
        }
        let schema = &description["components"]["schemas"][&name];
        ensure!(schema.is_object(), "there is no schema {name}");
        let definition = Definition::read(schema).with_context(|| format!("the schema {name}"))?;
        let mut note = |of: &Type| of.names(&mut |used| wanted.push(used.to_owned()));
        match &definition {
            Definition::Record(fields) => fields.iter().for_each(|field| note(&field.of)),
            Definition::Alias(of) => note(of),
        }
        let description = schema["description"].as_str().unwrap_or_default().to_owned();
        schemas.insert(name, Schema { description, definition });
    }
    Ok(schemas)
}

/// Whether a program with a bearer token, or anyone, uses the operation, and it answers data: not a page, and not a step
/// of an upload in pieces.
fn is_for_integrators(method: &str, operation: &Value) -> bool {
    let security = operation["security"].as_array().map_or(&[][..], Vec::as_slice);
    let is_open = security.is_empty() || security.iter().any(|way| way.get("bearer").is_some());
    let is_field = operation["tags"].as_array().is_some_and(|tags| tags.iter().any(|tag| tag == FIELD));
    let is_tus = parameters(operation, "header").any(|header| header["name"] == TUS);
    let is_data = successes(operation).next().is_some() && !media_types(operation).contains(&"text/html");
    is_open && is_data && !is_field && !is_tus && method != "options"
}

/// The media types of the answers that report success.
fn media_types(operation: &Value) -> Vec<&str> {
    let contents = successes(operation).filter_map(|answer| answer["content"].as_object());
    contents.flat_map(|content| content.keys().map(String::as_str)).collect()
}

fn successes(operation: &Value) -> impl Iterator<Item = &Value> {
    let answers = operation["responses"].as_object().into_iter().flatten();
    answers.filter(|(status, _)| status.starts_with('2')).map(|(_, answer)| answer)
}

fn parameters<'a>(operation: &'a Value, place: &'a str) -> impl Iterator<Item = &'a Value> {
    operation["parameters"].as_array().into_iter().flatten().filter(move |parameter| parameter["in"] == place)
}

impl Call {
    fn read(method: &str, path: &str, operation: &Value) -> anyhow::Result<Self> {
        let text = |name: &str| operation[name].as_str().with_context(|| format!("there is no {name}"));
        let read_all = |place| parameters(operation, place).map(Parameter::read).collect::<anyhow::Result<Vec<_>>>();
        let security = operation["security"].as_array();
        Ok(Self {
            name: text("operationId")?.to_owned(),
            method: method.to_uppercase(),
            path: path.to_owned(),
            text: format!("{}\n\n{}", text("summary")?, text("description")?),
            in_path: read_all("path")?,
            query: read_all("query")?,
            has_key: parameters(operation, "header").any(|header| header["name"] == KEY),
            has_token: security.is_some_and(|ways| !ways.is_empty()),
            body: Body::read(&operation["requestBody"])?,
            answer: Answer::read(operation)?,
        })
    }

    fn types(&self, visit: &mut impl FnMut(&Type)) {
        self.in_path.iter().chain(&self.query).for_each(|parameter| visit(&parameter.of));
        if let Body::Json { of, .. } | Body::File { of, .. } = &self.body {
            visit(of);
        }
        if let Answer::Json(of) | Answer::JsonOrFile(of) = &self.answer {
            visit(of);
        }
    }
}

impl Parameter {
    fn read(parameter: &Value) -> anyhow::Result<Self> {
        Ok(Self {
            name: parameter["name"].as_str().context("a parameter has no name")?.to_owned(),
            description: parameter["description"].as_str().unwrap_or_default().to_owned(),
            of: Type::read(&parameter["schema"])?,
            is_required: parameter["required"] == true,
        })
    }
}

impl Body {
    fn read(body: &Value) -> anyhow::Result<Self> {
        let content = &body["content"];
        if let Some(json) = content.get("application/json") {
            return Ok(Self::Json { of: Type::read(&json["schema"])?, is_required: body["required"] == true });
        }
        let Some(form) = content.get("multipart/form-data") else {
            ensure!(content.is_null(), "the clients cannot send this body: {content}");
            return Ok(Self::None);
        };
        let parts = form["schema"]["properties"].as_object().context("the form has no parts")?;
        let (part, schema) = parts.iter().find(|(name, _)| *name != "file").context("the form has only a file")?;
        Ok(Self::File { part: part.clone(), of: Type::read(schema)? })
    }
}

impl Answer {
    /// Several answers that report success have the same type, or the first one counts.
    fn read(operation: &Value) -> anyhow::Result<Self> {
        let Some(content) = successes(operation).find_map(|answer| answer["content"].as_object()) else {
            return Ok(Self::Nothing);
        };
        let json = content.get("application/json").map(|json| Type::read(&json["schema"])).transpose()?;
        Ok(match json {
            Some(of) if content.len() == 1 => Self::Json(of),
            Some(of) => Self::JsonOrFile(of),
            None => Self::File,
        })
    }
}
