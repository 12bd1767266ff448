//! Links and their page.

use serde_json::json;

use crate::{
    app::link::CreatedLink,
    clock::Timestamp,
    domain::{
        link::{LinkContext, LinkToken, NewLink},
        operation::Operation,
        report::ReportToken,
    },
    http::openapi::{
        description::{Answer, Body, Content, Description, Next, Place, Tag},
        example,
    },
};

/// 2026-12-31T22:59:59.000Z
const EXPIRATION: Timestamp = Timestamp::from_millis(1_798_757_999_000);

pub(super) fn create() -> Description {
    let body = json!({
        "frameId": example::FRAME,
        "reportToken": example::REPORT_TOKEN,
        "maxUses": 1,
        "expirationDate": "2026-12-31T23:59:59.000+0100",
        "context": { "file": "A-77" },
    });
    let token = LinkToken::parse(example::LINK_TOKEN).unwrap_or_else(LinkToken::random);
    let created = CreatedLink {
        magic_link_url: example::url(&format!("/link/{token}")),
        token,
        frame_id: Some(example::FRAME),
        report_token: ReportToken::parse(example::REPORT_TOKEN),
        max_uses: Some(1),
        expiration_date: Some(EXPIRATION),
        context: LinkContext::from_json(r#"{"file":"A-77"}"#.to_owned()).ok(),
    };
    Description {
        tag: Tag::Links,
        summary: "Create a link",
        details: "To open a case on the link, send its `token` as `magicLinkToken`. Its `context` is returned unchanged in the webhook of \
                  each such case that has no `caseContext` of its own. To make a link together with a case, give the case `linkOptions`.",
        query: Vec::new(),
        body: Some(Body::json("Everything is optional.", body, |body| {
            NewLink::read(body, body.to_string().as_bytes())
        })),
        answers: vec![Answer::json(201, "The link is created.", &created)],
        refusals: vec![
            (400, "`expirationDate` is in the past.", "expirationDate must be in the future"),
            (
                403,
                "The child company or the report token belongs to another company.",
                "childCompanyId is not a child of the company",
            ),
            (
                404,
                "The frame does not exist or is not shared with the link's company.",
                "frame 70 does not exist or is not shared with the company",
            ),
        ],
        next: vec![
            Next {
                operation: Operation::CreateCase,
                parameter: "magicLinkToken",
                pointer: "/token",
                place: Place::Body,
            },
            Next {
                operation: Operation::ReadLinkPage,
                parameter: "magicLinkToken",
                pointer: "/token",
                place: Place::Path,
            },
        ],
    }
}

pub(super) fn page() -> Description {
    let page = |status, description| Answer {
        content: Content::Text("text/html"),
        headers: &["Cache-Control"],
        ..Answer::bytes(status, description, &[])
    };
    Description {
        tag: Tag::Links,
        summary: "Read the page of a link",
        details: "What `magicLinkUrl` leads to: a page for the person who was sent the link, in English or French by `Accept-Language`. It \
                  is the form: it takes photos, videos, signatures, documents and entries, keeps them on the device until the server \
                  has acknowledged them, and closes the case. Reading it opens no case and uses up nothing.",
        query: Vec::new(),
        body: None,
        answers: vec![
            page(200, "A page: a case on the link is open, or can be opened."),
            page(404, "A page: there is no such link."),
            page(410, "A page: the link has expired, is used up, or its frame is no longer offered."),
        ],
        refusals: Vec::new(),
        next: Vec::new(),
    }
}
