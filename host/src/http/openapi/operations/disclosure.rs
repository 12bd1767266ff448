//! Disclosures and erasures of items of a sealed case.

use serde_json::json;

use super::case::{FOREIGN_CASE, HELD, NO_CASE, NO_CASE_ID};
use crate::{
    app::erasure::Erased,
    domain::{disclosure::DisclosureRequest, erasure::ErasureRequest},
    http::openapi::{
        description::{Answer, Body, Content, Description, Refusal, Tag},
        example,
    },
};

const NO_ITEM: Refusal = (404, "The case does not have one of the items.", "item 31 is not one of case 4711");

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
            NO_ITEM,
        ],
        next: Vec::new(),
    }
}

pub(super) fn erase() -> Description {
    let body = json!({ "items": [example::ITEM], "ground": "request" });
    let erased = Erased { case_id: example::CASE, items: vec![example::ITEM], erased_at: example::CLOSED };
    Description {
        tag: Tag::Cases,
        summary: "Erase items of a sealed case",
        details: "Deletes the items with all that was made from them, for good. The certificate is replaced by a successor at the same \
                  address, which shows that an item was erased, when, by whom and why, and has the same root: what is left stays \
                  provable. Until the successor is made, the address answers 503.\n\nThe verdict on the case is withdrawn, because \
                  it speaks of all items. If one of the items has a capture record, all capture records of the case are deleted.",
        query: Vec::new(),
        body: Some(Body::json("Which items to erase, and why.", body, ErasureRequest::read)),
        answers: vec![Answer::json(200, "The items are erased.", &erased)],
        refusals: vec![
            NO_CASE_ID,
            (400, "The case is open.", "the case is open: only items of a sealed case can be erased"),
            (
                400,
                "The certificate is from an earlier version.",
                "the certificate was made by an earlier version: its items cannot be erased one by one",
            ),
            HELD,
            FOREIGN_CASE,
            NO_CASE,
            NO_ITEM,
        ],
        next: Vec::new(),
    }
}
