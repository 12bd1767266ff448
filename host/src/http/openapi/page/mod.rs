//! The description as readable pages: one of everything, one of each group, and the results of a search. They are made
//! from the document only, so that both say the same; they have no script and load nothing.

mod fields;
mod operation;
mod sample;
mod search;
mod texts;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

use self::{
    operation::{OperationView, operations, webhooks},
    texts::{markdown, text},
};

const STYLE: &str = include_str!("style.css");

/// How many characters a search may have.
pub(super) const MOST_SEARCHED: usize = 100;

/// The whole page.
pub(super) fn page(document: &Value) -> String {
    let (groups, calls) = (groups(document), webhooks(document));
    let info = &document["info"];
    let main = html! {
        header #top {
            h1 { (text(&info["title"])) " API" }
            p.lead { (text(&info["summary"])) ". Version " (text(&info["version"])) ", at " code { (text(&document["servers"][0]["url"])) } }
            (markdown(text(&info["description"])))
            p.note { "The same as an OpenAPI document: " a href="openapi.json" { "openapi.json" } ". Each group also has a page of its own: follow its name." }
        }
        @for group in &groups { (group_section(document, group, Place::Whole)) }
        (webhook_section(document, &calls, Place::Whole))
    };
    frame(document, &groups, &calls, Place::Whole, &main)
}

/// A page for each group and for the webhooks, by the last part of its address.
pub(super) fn parts(document: &Value) -> Vec<(String, String)> {
    let (groups, calls) = (groups(document), webhooks(document));
    let mut parts: Vec<(String, String)> = groups
        .iter()
        .map(|group| {
            let main = group_section(document, group, Place::Part);
            (anchor(group.name), frame(document, &groups, &calls, Place::Part, &main))
        })
        .collect();
    let main = webhook_section(document, &calls, Place::Part);
    parts.push((WEBHOOKS.to_owned(), frame(document, &groups, &calls, Place::Part, &main)));
    parts
}

/// The operations and webhooks that have each word of a query in their texts, fields and addresses.
pub(super) fn results(document: &Value, query: &str) -> String {
    let (groups, calls) = (groups(document), webhooks(document));
    let words: Vec<String> = query.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let fits = |shown: &&OperationView<'_>| {
        let texts = search::texts(document, shown);
        !words.is_empty() && words.iter().all(|word| texts.contains(word.as_str()))
    };
    let of_groups = groups.iter().flat_map(|group| {
        let address = anchor(group.name);
        group.operations.iter().map(move |shown| (address.clone(), shown))
    });
    let all = of_groups.chain(calls.iter().map(|shown| (WEBHOOKS.to_owned(), shown)));
    let found: Vec<(String, &OperationView<'_>)> = all.filter(|(_, shown)| fits(shown)).collect();
    let main = html! {
        header #top {
            h1 { "Search" }
            p.lead { (found.len()) " of the operations and webhooks have " q { (query) } "." }
        }
        ul.results {
            @for (group, shown) in &found {
                li {
                    a href={ "../docs/" (group) "#" (shown.id) } { (shown.summary) }
                    @if let Some(path) = shown.path { br; span.method.{ (shown.method) } { (shown.method) } code { (path) } }
                }
            }
        }
    };
    frame(document, &groups, &calls, Place::Part, &main)
}

/// The last part of the address of the webhooks' page, and their place on the whole page.
const WEBHOOKS: &str = "webhooks";

/// Which page is made: the whole at `/docs`, or one below it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Whole,
    Part,
}

impl Place {
    /// The way to the server's root.
    const fn root(self) -> &'static str {
        match self {
            Self::Whole => "",
            Self::Part => "../",
        }
    }
}

fn group_section(document: &Value, group: &Group<'_>, place: Place) -> Markup {
    html! {
        section.group id=(anchor(group.name)) {
            h2 { a href={ (place.root()) "docs/" (anchor(group.name)) } { (group.name) } }
            p.lead { (group.description) }
            @for shown in &group.operations { (operation::section(document, shown)) }
        }
    }
}

fn webhook_section(document: &Value, calls: &[OperationView<'_>], place: Place) -> Markup {
    html! {
        section.group id=(WEBHOOKS) {
            h2 { a href={ (place.root()) "docs/" (WEBHOOKS) } { "Webhooks" } }
            p.lead { "Requests that the server sends to addresses that the company chose." }
            @for shown in calls { (operation::section(document, shown)) }
        }
    }
}

/// A page with the navigation.
fn frame(document: &Value, groups: &[Group<'_>], calls: &[OperationView<'_>], place: Place, main: &Markup) -> String {
    let info = &document["info"];
    let (title, version) = (text(&info["title"]), text(&info["version"]));
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
                (navigation(title, version, groups, calls, place))
                main { (main) }
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

fn navigation(title: &str, version: &str, groups: &[Group<'_>], calls: &[OperationView<'_>], place: Place) -> Markup {
    let root = place.root();
    let entry = |group: &str, shown: &OperationView<'_>| {
        let page = if place == Place::Whole { String::new() } else { format!("{root}docs/{group}") };
        html! {
            li { a href={ (page) "#" (shown.id) } { span.method.{ (shown.method) } { (shown.method) } (shown.summary) } }
        }
    };
    html! {
        nav {
            p.brand { a href={ (root) "docs" } { (title) } " " small { (version) } }
            form role="search" action={ (root) "docs/search" } {
                label for="q" { "Search" }
                input #q name="q" type="search" maxlength=(MOST_SEARCHED) required;
                button { "Search" }
            }
            @for group in groups {
                h2 { a href={ (root) "docs/" (anchor(group.name)) } { (group.name) } }
                ul { @for shown in &group.operations { (entry(&anchor(group.name), shown)) } }
            }
            h2 { a href={ (root) "docs/" (WEBHOOKS) } { "Webhooks" } }
            ul { @for shown in calls { (entry(WEBHOOKS, shown)) } }
        }
    }
}

fn anchor(name: &str) -> String {
    name.to_lowercase().replace(' ', "-")
}
