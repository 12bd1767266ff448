//! An operation on the page: its path, parameters, body, responses, and how to call it.

use maud::{Markup, html};
use serde_json::Value;

use super::{
    fields::{kind, resolve, rows},
    sample,
    texts::{markdown, text},
};

/// An operation, or a webhook, to show.
pub(super) struct OperationView<'a> {
    pub(super) id: &'a str,
    /// In lowercase.
    pub(super) method: &'a str,
    /// None for a webhook: its address is the company's.
    pub(super) path: Option<&'a str>,
    pub(super) summary: &'a str,
    pub(super) operation: &'a Value,
}

/// The operations with this tag, in the document's order.
pub(super) fn operations<'a>(document: &'a Value, tag: &str) -> Vec<OperationView<'a>> {
    let paths = document["paths"].as_object().into_iter().flatten();
    let methods = paths.flat_map(|(path, item)| {
        item.as_object().into_iter().flatten().map(move |(method, operation)| (Some(path.as_str()), method, operation))
    });
    methods.filter(|(_, _, operation)| operation["tags"][0] == tag).map(shown).collect()
}

/// The webhooks.
pub(super) fn webhooks(document: &Value) -> Vec<OperationView<'_>> {
    let webhooks = document["webhooks"].as_object().into_iter().flatten();
    let methods = webhooks.flat_map(|(_, item)| item.as_object().into_iter().flatten());
    methods.map(|(method, operation)| shown((None, method, operation))).collect()
}

fn shown<'a>((path, method, operation): (Option<&'a str>, &'a String, &'a Value)) -> OperationView<'a> {
    let (id, summary) = (text(&operation["operationId"]), text(&operation["summary"]));
    OperationView { id, method, path, summary, operation }
}

pub(super) fn section(document: &Value, shown: &OperationView<'_>) -> Markup {
    let operation = shown.operation;
    html! {
        article.operation id=(shown.id) {
            h3 { a href={ "#" (shown.id) } { (shown.summary) } }
            @if let Some(path) = shown.path {
                p.address { span.method.{ (shown.method) } { (shown.method) } code { (path) } }
            }
            div.columns {
                div.details {
                    (markdown(text(&operation["description"])))
                    (parameters(document, operation))
                    (body(document, operation, if shown.path.is_some() { SENT } else { ANSWERED }))
                    (answers(document, operation, shown.path.is_none()))
                }
                div.samples { (samples(document, shown)) }
            }
        }
    }
}

fn parameters(document: &Value, operation: &Value) -> Markup {
    let parameters: Vec<&Value> = operation["parameters"].as_array().into_iter().flatten().collect();
    html! {
        @if !parameters.is_empty() {
            h4 { "Parameters" }
            (table(parameters.iter().map(|parameter| {
                let place = format!("{} · {}", text(&parameter["in"]), kind(document, &parameter["schema"]));
                let mark = if parameter["required"] == true { REQUIRED } else { "" };
                (text(&parameter["name"]).to_owned(), place, mark, text(&parameter["description"]))
            })))
        }
    }
}

fn body(document: &Value, operation: &Value, marks: (&'static str, &'static str)) -> Markup {
    let Some((media_type, content)) = first(&operation["requestBody"]["content"]) else { return html! {} };
    html! {
        h4 { "Body " small { (media_type) } }
        (markdown(text(&operation["requestBody"]["description"])))
        (schema(document, &content["schema"], marks))
    }
}

fn answers(document: &Value, operation: &Value, webhook: bool) -> Markup {
    let answers: Vec<(&String, &Value)> = operation["responses"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(status, answer)| (status, resolve(document, answer)))
        .collect();
    let is_error = |status: &str| status.starts_with(['4', '5']);
    html! {
        h4 { @if webhook { "Expected response" } @else { "Responses" } }
        @for (status, answer) in answers.iter().filter(|(status, _)| !is_error(status)) {
            (success(document, status, answer))
        }
        @if answers.iter().any(|(status, _)| is_error(status)) {
            h4 { "Errors" }
            table.errors {
                thead { tr { th { "Status" } th { "When, with an example message" } } }
                tbody {
                    @for (status, answer) in answers.iter().filter(|(status, _)| is_error(status)) { (error(status, answer)) }
                }
            }
        }
    }
}

fn success(document: &Value, status: &str, answer: &Value) -> Markup {
    let content = answer["content"].as_object();
    let media_types = content.into_iter().flatten().map(|(media_type, _)| media_type.as_str());
    let media_types: Vec<&str> = media_types.collect();
    html! {
        p.status { span.code { (status) } " " (markdown_line(text(&answer["description"]))) " "
            @if !media_types.is_empty() { small { (media_types.join(", ")) } }
        }
        @if let Some((_, content)) = first(&answer["content"]) { (schema(document, &content["schema"], ANSWERED)) }
    }
}

fn error(status: &str, answer: &Value) -> Markup {
    let (_, content) = first(&answer["content"]).unwrap_or(("", &Value::Null));
    let examples: Vec<(&str, &str)> = content["examples"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(_, example)| (text(&example["summary"]), text(&example["value"]["message"])))
        .collect();
    html! {
        tr {
            td { span.code { (status) } }
            td {
                @if examples.is_empty() {
                    p { (markdown_line(text(&answer["description"]))) }
                    @if let Some(message) = content["example"]["message"].as_str() { p { code { (message) } } }
                }
                @for (when, message) in examples {
                    p { (markdown_line(when)) br; code { (message) } }
                }
            }
        }
    }
}

const REQUIRED: &str = "required";
/// The marks of required and other fields in what is sent to the server, and in its responses.
const SENT: (&str, &str) = (REQUIRED, "");
const ANSWERED: (&str, &str) = ("", "may be absent");

fn schema(document: &Value, schema: &Value, marks: (&'static str, &'static str)) -> Markup {
    let rows = rows(document, schema);
    html! {
        @if resolve(document, schema)["type"] == "array" { p.kind { "An array. Each element:" } }
        @if !rows.is_empty() {
            (table(rows.iter().map(|row| {
                (row.name.clone(), row.kind.clone(), if row.required { marks.0 } else { marks.1 }, row.description)
            })))
        }
    }
}

/// A table of fields: name, type, a mark, and what it is.
fn table<'a>(fields: impl Iterator<Item = (String, String, &'static str, &'a str)>) -> Markup {
    html! {
        table.fields {
            tbody {
                @for (name, kind, mark, description) in fields {
                    tr {
                        td {
                            code { (name) } @if !mark.is_empty() { " " span.mark.(mark.replace(' ', "-")) { (mark) } }
                            span.type { (kind) }
                        }
                        td { (markdown_line(description)) }
                    }
                }
            }
        }
    }
}

/// One line of Markdown, without a paragraph around it.
fn markdown_line(source: &str) -> Markup {
    let html = markdown(source).into_string();
    let line = html.trim().trim_start_matches("<p>").trim_end_matches("</p>").to_owned();
    maud::PreEscaped(line)
}

fn samples(document: &Value, shown: &OperationView<'_>) -> Markup {
    let example = shown.operation["responses"]
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(status, _)| status.starts_with('2'))
        .find_map(|(status, answer)| Some((status, answer["content"]["application/json"].get("example")?)));
    let sent = shown.operation["requestBody"]["content"]["application/json"].get("example");
    html! {
        @if let Some(path) = shown.path {
            (code("Request", &sample::curl(document, shown.method, path, shown.operation)))
        } @else if let Some(sent) = sent {
            (code("Request body", &sample::pretty(sent)))
        }
        @if let Some((status, example)) = example { (code(&format!("Response {status}"), &sample::pretty(example))) }
    }
}

fn code(title: &str, text: &str) -> Markup {
    html! { figure { figcaption { (title) } pre tabindex="0" { code { (text) } } } }
}

/// The first entry of a `content`.
fn first(content: &Value) -> Option<(&str, &Value)> {
    content.as_object()?.iter().next().map(|(media_type, content)| (media_type.as_str(), content))
}
