//! The server itself: its description and its state.

use crate::http::{
    health::State,
    openapi::description::{Answer, Content, Description, Tag},
};

pub(super) fn description() -> Description {
    let document = Answer {
        content: Content::Json {
            schema: |_| schemars::json_schema!({ "type": "object" }),
            example: serde_json::json!({ "openapi": "3.1.0" }),
        },
        ..Answer::bytes(200, "An OpenAPI 3.1 document.", &[])
    };
    about("The interface's description", "This description, for programs.", document)
}

pub(super) fn page() -> Description {
    let page = Answer { content: Content::Text("text/html"), ..Answer::bytes(200, "A page in HTML.", &[]) };
    about("The interface's reference", "This description as one readable page without scripts.", page)
}

fn about(summary: &'static str, details: &'static str, answer: Answer) -> Description {
    Description { answers: vec![answer, Answer::unchanged()], ..check(summary, details, "") }
}

pub(super) fn live() -> Description {
    check("Is the process up?", "Responds as soon as the process accepts requests.", "ok")
}

pub(super) fn ready() -> Description {
    let not_ready = (503, "A required part of the server is unavailable; the message names it.", "not ready: database");
    Description {
        refusals: vec![not_ready],
        ..check("Is the server ready?", "Database, blob store and plugins are available.", "ready")
    }
}

fn check(summary: &'static str, details: &'static str, status: &'static str) -> Description {
    Description {
        tag: Tag::Server,
        summary,
        details,
        query: Vec::new(),
        body: None,
        answers: vec![Answer::json(200, "Yes.", &State { status })],
        refusals: Vec::new(),
        next: Vec::new(),
    }
}
