//! The feed of events.

use serde_json::json;

use crate::{
    app::event::{EventPage, EventView},
    domain::event::{EventCursor, EventKind, EventQuery},
    http::openapi::{
        description::{Answer, Description, Query, Tag},
        example,
    },
};

pub(super) fn read() -> Description {
    let cursor = EventCursor::behind(4212);
    let sealed = EventView {
        cursor,
        kind: EventKind::Sealed,
        time: example::CLOSED,
        case_id: example::CASE,
        cf_ref: example::case_reference(),
        path: None,
        case_url: Some(example::url(&format!("/share/case/{}", example::KEY))),
        metadata: json!({ "policy": "P-77" }).as_object().cloned(),
    };
    Description {
        tag: Tag::Cases,
        summary: "Follow what happens to cases",
        details: "The events of the company's cases, in an order that never changes: opened, closed, sealed, analysed, decided, deleted. Nothing \
                  is skipped. An event appears within about a second.\n\n\
                  Keep the `cursor` of each answer when you have handled its events, and send it as `after`. With `wait` the request \
                  waits for the next event, so that a program can follow the feed without empty answers in between. An answer without \
                  events has a `cursor`, too.\n\n\
                  A cursor is an opaque text, and stays valid as long as the events behind it are kept: 30 days. The events of a case are \
                  in the order in which they happened. An event says that something has happened: what is read afterwards may be \
                  newer, and the case may be deleted.",
        query: query(),
        body: None,
        answers: vec![Answer::json(200, "The next events.", &EventPage { events: vec![sealed], cursor })],
        refusals: vec![
            (
                400,
                "A parameter is wrong; the message names every such parameter.",
                "limit must be a whole number from 1 to 100, got the text \"0\"",
            ),
            (
                410,
                "Events after the cursor are no longer kept, or the cursor is not from this feed. Read again without `after`, and \
                 search the cases of the time before.",
                "after is too old: the events that follow it are no longer kept; read again without after, and search the cases \
                 of the time before with GET /cases",
            ),
        ],
        next: Vec::new(),
    }
}

fn query() -> Vec<Query> {
    let optional = |name, description, schema| Query { name, description, required: false, schema };
    vec![
        optional(
            "after",
            "The `cursor` of an earlier answer or of an event. Without it, the feed begins with the oldest event that is kept.",
            EventCursor::schema().to_value(),
        ),
        optional(
            "limit",
            "At most this many events.",
            json!({
                "type": "integer", "minimum": 1, "maximum": EventQuery::MOST_EVENTS, "default": EventQuery::DEFAULT_LIMIT,
            }),
        ),
        optional(
            "wait",
            "If there is no event, how many seconds to wait for one. Up to 8 requests of a company wait at a time; a further one is \
             answered at once.",
            json!({ "type": "integer", "minimum": 0, "maximum": EventQuery::LONGEST_WAIT, "default": 0 }),
        ),
    ]
}
