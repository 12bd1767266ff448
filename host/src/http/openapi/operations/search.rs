//! Searching cases.

use serde_json::{Value, json};

use crate::{
    app::search::FoundCase,
    domain::report::ReportToken,
    http::openapi::{
        description::{Answer, Description, Query, Tag},
        example,
    },
};

pub(super) fn search() -> Description {
    let found = FoundCase {
        id: example::CASE,
        cf_ref: example::case_reference(),
        closing_date: Some(example::CLOSED),
        created_at: example::CREATED,
        scheduled_at: None,
        closed: true,
        frame: example::FRAME_NAME.to_owned(),
        company_name: example::COMPANY_NAME.to_owned(),
        report_id: Some(example::report_token()),
        case_url: Some(example::url(&format!("/share/case/{}", example::KEY))),
        metadata: json!({ "policy": "P-77" }).as_object().cloned(),
    };
    Description {
        tag: Tag::Cases,
        summary: "Search cases",
        details: "The company's matching cases, ordered by `createdAt` and `id`, or an archive of the certificates of the closed ones \
                  among them.\n\n\
                  The time window always applies: without `hours`, `startDate` and `endDate` it is the last 12 hours. With neither \
                  `limit` nor `offset` all matching cases are returned. To iterate, increase `offset` by `limit` until no case is \
                  returned; cases that are opened meanwhile are added at the end.\n\n\
                  The archive has `<cfRef>.pdf` for each closed case, and is streamed. The stream waits for certificates that are still \
                  being made; one that could not be made is replaced by `<cfRef>.missing.txt`. If the connection breaks, the archive is \
                  incomplete: repeat the request.",
        query: query(),
        body: None,
        answers: vec![Answer {
            headers: &["X-Total-Count"],
            ..Answer::json_or_archive(
                "The cases, or an archive of their certificates, depending on `format`.",
                &vec![found],
            )
        }],
        refusals: vec![
            (400, "A parameter is missing or wrong; the message names every such parameter.", "format is required"),
            (
                400,
                "`hours` is given together with a date.",
                "hours must not be given together with startDate or endDate",
            ),
            (400, "The span is too long.", "the span from startDate to endDate must be at most 7 days"),
            (400, "The span runs backwards.", "startDate must not be after endDate"),
            (403, "`companyId` is not the caller's.", "companyId is another company's"),
        ],
        next: Vec::new(),
    }
}

fn query() -> Vec<Query> {
    let identifier = || json!({ "type": "integer", "format": "int64", "minimum": 1, "maximum": i64::MAX });
    // Anything is accepted; what is not a boolean counts as absent.
    let flag = || json!({ "type": ["boolean", "string"] });
    let date =
        || json!({ "anyOf": [{ "type": "string", "format": "date-time" }, { "type": "string", "format": "date" }] });
    let whole = |least: u32, most: u32, default: u32| json!({ "type": "integer", "minimum": least, "maximum": most, "default": default });
    let optional = |name, description, schema: Value| Query { name, description, required: false, schema };
    vec![
        Query {
            name: "format",
            description: "What is returned: a list of cases, or an archive of certificates.",
            required: true,
            schema: json!({ "type": "string", "enum": ["metadata", "zip"] }),
        },
        optional("reportToken", "Only cases of this report.", ReportToken::schema().to_value()),
        optional("companyId", "The caller's own company; any other is rejected.", identifier()),
        optional("frameId", "Only cases on this frame.", identifier()),
        optional("caseId", "Only this case.", identifier()),
        optional(
            "withReportToken",
            "`true`: elements have their `reportId`. Anything but `true` or `false` counts as absent.",
            flag(),
        ),
        optional(
            "closed",
            "`true`: closed cases only; `false`: open ones only. With any other value, or none, both are found.",
            flag(),
        ),
        optional("hours", "Only cases created in the last `hours` hours. Not together with a date.", whole(1, 168, 12)),
        optional(
            "startDate",
            "Only cases created at this time or later: a date-time with its offset (its `+` written `%2B`), or a date, which is \
             midnight UTC. At most 7 days before `endDate`, or before now if that is absent.",
            date(),
        ),
        optional(
            "endDate",
            "Only cases created at this time or earlier. A date, or a date-time exactly at midnight UTC, includes its whole \
             day. Without `startDate` the window starts 7 days before.",
            date(),
        ),
        optional("limit", "Requests a page of at most `limit` cases.", whole(1, 100, 50)),
        optional(
            "offset",
            "Requests a page that skips the first `offset` cases.",
            json!({ "type": "integer", "format": "int64", "minimum": 0, "maximum": i64::MAX, "default": 0 }),
        ),
    ]
}
