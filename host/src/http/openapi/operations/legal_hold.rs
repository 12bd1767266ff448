//! Legal holds of cases.

use serde_json::json;

use super::case::{FOREIGN_CASE, NO_CASE, NO_CASE_ID};
use crate::{
    app::legal_hold::{EndedHold, HeldCase},
    domain::legal_hold::HoldRequest,
    http::openapi::{
        description::{Answer, Body, Description, Tag},
        example,
    },
};

const REASON: &str = "lawsuit 12/345";

pub(super) fn hold() -> Description {
    let held = HeldCase {
        case_id: example::CASE,
        reason: REASON.to_owned(),
        held_by: "usr-acme-api".to_owned(),
        held_at: example::CLOSED,
    };
    Description {
        tag: Tag::Cases,
        summary: "Put a case under legal hold",
        details: "Until the hold is ended, the case is deleted neither by a request nor because its time is over, and its items cannot be \
                  erased. Everything else goes on: an open case can be filled and closed.",
        query: Vec::new(),
        body: Some(Body::json("Why.", json!({ "reason": REASON }), HoldRequest::read)),
        answers: vec![Answer::json(200, "The case is under legal hold.", &held)],
        refusals: vec![
            NO_CASE_ID,
            (400, "The case is under legal hold already.", "case 4711 is under legal hold already"),
            FOREIGN_CASE,
            NO_CASE,
        ],
        next: Vec::new(),
    }
}

pub(super) fn end() -> Description {
    Description {
        tag: Tag::Cases,
        summary: "End the legal hold of a case",
        details: "From then on the case can be deleted, and is deleted if its time is over.",
        query: Vec::new(),
        body: None,
        answers: vec![Answer::json(200, "The hold has ended.", &EndedHold { case_id: example::CASE })],
        refusals: vec![
            NO_CASE_ID,
            (400, "The case is not under legal hold.", "case 4711 is not under legal hold"),
            FOREIGN_CASE,
            NO_CASE,
        ],
        next: Vec::new(),
    }
}
