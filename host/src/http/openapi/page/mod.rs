//! The description as a readable page. It is made from the document only, so that both say the same; it has no script
//! and loads nothing.

mod fields;
mod operation;
mod sample;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use pulldown_cmark::{Event, Options, Parser};
use serde_json::Value;

use self::operation::{OperationView, operations, webhooks};

const STYLE: &str = include_str!("style.css");

/// The whole page.
pub(super) fn page(document: &Value) -> String {
    let info = &document["info"];
    let (title, version) = (text(&info["title"]), text(&info["version"]));
    let groups = groups(document);
    let calls = webhooks(document);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " " (version) " · API reference" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (navigation(title, version, &groups, &calls))
                main {
                    header #top {
                        h1 { (title) " API" }
                        p.lead { (text(&info["summary"])) ". Version " (version) ", at " code { (text(&document["servers"][0]["url"])) } }
                        (markdown(text(&info["description"])))
                        p.note { "The same as an OpenAPI document: " a href="openapi.json" { "openapi.json" } "." }
                    }
                    @for group in &groups {
                        section.group id=(anchor(group.name)) {
                            h2 { (group.name) }
                            p.lead { (group.description) }
                            @for shown in &group.operations { (operation::section(document, shown)) }
                        }
                    }
                    section.group #webhooks {
                        h2 { "Webhooks" }
                        p.lead { "Requests that the server sends to addresses that the company chose." }
                        @for shown in &calls { (operation::section(document, shown)) }
                    }
                }
            }
        }
    }
    .into_string()
}

/// The operations of one tag.
struct Group<'a> {
    name: &'a str,
    description: &'a str,
    operations: Vec<OperationView<'a>>,
}

/// By the document's tags, in their order; tags without an operation are left out.
fn groups<'a>(document: &'a Value) -> Vec<Group<'a>> {
    let tags = document["tags"].as_array().into_iter().flatten();
    let group = |tag: &'a Value| {
        let name = text(&tag["name"]);
        Group { name, description: text(&tag["description"]), operations: operations(document, name) }
    };
    tags.map(group).filter(|group| !group.operations.is_empty()).collect()
}

fn navigation(title: &str, version: &str, groups: &[Group<'_>], calls: &[OperationView<'_>]) -> Markup {
    let entry = |shown: &OperationView<'_>| {
        html! {
            li { a href={ "#" (shown.id) } { span.method.{ (shown.method) } { (shown.method) } (shown.summary) } }
        }
    };
    html! {
        nav {
            p.brand { a href="#top" { (title) } " " small { (version) } }
            @for group in groups {
                h2 { a href={ "#" (anchor(group.name)) } { (group.name) } }
                ul { @for shown in &group.operations { (entry(shown)) } }
            }
            h2 { a href="#webhooks" { "Webhooks" } }
            ul { @for shown in calls { (entry(shown)) } }
        }
    }
}

/// Markdown as HTML. Markup in it is shown as text.
fn markdown(source: &str) -> Markup {
    let events = Parser::new_ext(source, Options::ENABLE_TABLES).map(|event| match event {
        Event::Html(html) | Event::InlineHtml(html) => Event::Text(html),
        other => other,
    });
    let mut written = String::new();
    pulldown_cmark::html::push_html(&mut written, events);
    PreEscaped(written)
}

fn anchor(name: &str) -> String {
    name.to_lowercase().replace(' ', "-")
}

/// A text of the document; empty if there is none.
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
