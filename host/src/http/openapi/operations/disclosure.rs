//! Disclosures of some items of a sealed case.

use serde_json::json;

use super::case::{FOREIGN_CASE, NO_CASE, NO_CASE_ID};
use crate::{
    domain::disclosure::DisclosureRequest,
    http::openapi::{
        description::{Answer, Body, Content, Description, Tag},
        example,
    },
};

pub(super) fn disclose() -> Description {
    let body = json!({ "items": [example::ITEM] });
    Description {
        tag: Tag::Cases,
        summary: "Disclose some items of a sealed case",
        details: "A ZIP archive with the files of the items and with `disclosure.json`, which anyone can check without the certificate, \
                  with `sealwright verify` or on the page `/verify`. It says nothing of the other items, except how many there are. \
                  A file that was deleted after its analysis is not in the archive.\n\nThe response waits up to 30 seconds for a \
                  certificate that is still being made.",
        query: Vec::new(),
        body: Some(Body::json("Which items to show.", body, DisclosureRequest::read)),
        answers: vec![Answer {
            status: 200,
            description: "The package.",
            content: Content::Bytes(&["application/zip"]),
            headers: &[],
        }],
        refusals: vec![
            NO_CASE_ID,
            (400, "The case is open.", "the case is open: only items of a sealed case can be disclosed"),
            (
                400,
                "The certificate is from a version that did not commit to individual items.",
                "the certificate was made by an earlier version and does not commit to individual items",
            ),
            FOREIGN_CASE,
            NO_CASE,
            (404, "The case does not have one of the items.", "item 31 is not one of case 4711"),
        ],
        next: Vec::new(),
    }
}
