//! The texts of the document, plain and as HTML.

use maud::{Markup, PreEscaped};
use pulldown_cmark::{Event, Options, Parser};
use serde_json::Value;

/// Markdown as HTML. Markup in it is shown as text.
pub(super) fn markdown(source: &str) -> Markup {
    let events = Parser::new_ext(source, Options::ENABLE_TABLES).map(|event| match event {
        Event::Html(html) | Event::InlineHtml(html) => Event::Text(html),
        other => other,
    });
    let mut written = String::new();
    pulldown_cmark::html::push_html(&mut written, events);
    PreEscaped(written)
}

/// A text of the document; empty if there is none.
pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
