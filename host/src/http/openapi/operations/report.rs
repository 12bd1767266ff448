//! Reports.

use serde_json::json;

use crate::{
    app::report::{ReportAddresses, ReportCase, ReportItem},
    domain::{report::ReportDownload, step::StepAction},
    http::openapi::{
        description::{Answer, Body, Description, Refusal, Tag},
        example,
    },
};

const INVALID_TOKEN: Refusal = (
    400,
    "The token is missing or invalid.",
    "reportToken must be 1 to 255 characters without control characters, `/` or `\\`",
);

pub(super) fn read() -> Description {
    let item = ReportItem {
        created_at: example::CREATED,
        cf_ref: example::item_reference(),
        description: "front.jpg".to_owned(),
        geoloc_latitude: "45.764043".to_owned(),
        geoloc_longitude: "4.835659".to_owned(),
        data: "front.jpg".to_owned(),
        image_url: Some(example::url(&format!("/images/{}", example::KEY))),
        step_action: StepAction::Photography,
        step_title: "Front of the house".to_owned(),
        step_description: "Stand back far enough to show the street number.".to_owned(),
        image_hash: Some("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".to_owned()),
        tsp_token_hash: None,
    };
    let case = ReportCase {
        cf_ref: example::case_reference(),
        company_name: example::COMPANY_NAME.to_owned(),
        created_at: example::CREATED,
        closing_date: Some(example::CLOSED),
        report_id: example::report_token(),
        frame: example::FRAME_NAME.to_owned(),
        closed: true,
        case_url: Some(certificate_url()),
        items: vec![item],
    };
    Description {
        tag: Tag::Reports,
        summary: "Read a report",
        details: "The cases that share the token, open and closed, oldest first, with their items. Anyone who knows the token can read them.",
        query: Vec::new(),
        body: None,
        answers: vec![Answer {
            headers: &["Cache-Control"],
            ..Answer::json(200, "The cases of the report.", &vec![case])
        }],
        refusals: vec![INVALID_TOKEN, (404, "No case has this token.", "Report not found")],
        next: Vec::new(),
    }
}

pub(super) fn download() -> Description {
    let addresses = ReportAddresses { report_token: example::report_token(), case_urls: vec![certificate_url()] };
    let body = Body::json(
        "What to download. Without a body: the archive of all certificates.",
        json!({ "format": "metadata", "hours": 24 }),
        ReportDownload::read,
    );
    Description {
        tag: Tag::Reports,
        summary: "Download a report",
        details: "The certificates of the company's own closed cases with this token, as an archive named after it, or their public \
                  addresses. With `hours`, only cases that were closed in the last `hours` hours are included. The archive is made in the same way as that of \
                  `GET /cases`. With `contents`, it has the whole package of each case instead of the certificate.",
        query: Vec::new(),
        body: Some(body.optional()),
        answers: vec![Answer::json_or_archive(
            "An archive of the certificates, or their addresses, depending on `format`.",
            &addresses,
        )],
        refusals: vec![
            INVALID_TOKEN,
            (403, "All cases with this token belong to other companies.", "the report belongs to another company"),
            (
                404,
                "The company has no closed case with this token, or none that was closed in the last `hours`.",
                "the company has no certificates for the report token",
            ),
        ],
        next: Vec::new(),
    }
}

fn certificate_url() -> String {
    example::url(&format!("/share/case/{}", example::KEY))
}
