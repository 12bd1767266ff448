//! Cases, many in one request.

use serde_json::json;

use crate::{
    app::case::{BulkFailure, BulkSuccess},
    domain::{
        case::bulk::{CaseIds, CaseUpdates, NewCases},
        id::CaseId,
    },
    http::{
        case::BulkAnswer,
        openapi::{
            description::{Answer, Body, Description, Tag},
            example,
        },
    },
};

const ANOTHER_CASE: CaseId = CaseId::new(4712).expect("4712 is positive");

pub(super) fn create() -> Description {
    let body = json!([
        { "frameId": example::FRAME, "title": example::TITLE, "reportToken": example::REPORT_TOKEN },
        { "frameId": example::FRAME, "userId": "usr-acme-gone" },
    ]);
    let failure = BulkFailure { index: 1, case_id: None, error: "userId must be a user of the company".to_owned() };
    Description {
        tag: Tag::Cases,
        summary: "Open up to 50 cases",
        details: "Each element is processed separately: one that fails is in `error` and does not undo the others. If an element has \
                  the wrong shape, the whole request is rejected and nothing is done.\n\n\
                  Two identical elements make two cases. Before repeating an interrupted request, check with `GET /cases` which cases \
                  were opened.",
        query: Vec::new(),
        body: Some(Body::json("Bodies of `POST /cases/create`.", body, NewCases::read)),
        answers: vec![answer("Cases bulk create ended", failure)],
        refusals: vec![(
            400,
            "The array is empty or too long, or elements have the wrong shape.",
            "[0] frameId is required, [3] title must be text, got the number 5",
        )],
        next: Vec::new(),
    }
}

pub(super) fn update() -> Description {
    let body = json!([
        { "caseId": example::CASE, "title": example::TITLE },
        { "caseId": ANOTHER_CASE, "scheduledAt": "2026-01-01" },
    ]);
    let error = "case.scheduledAt.mustBeCurrentOrFutureMonth".to_owned();
    let failure = BulkFailure { index: 1, case_id: Some(ANOTHER_CASE), error };
    Description {
        tag: Tag::Cases,
        summary: "Change up to 100 open cases",
        details: "Each element is processed separately: one that fails is in `error` and does not undo the others. If an element has \
                  the wrong shape, the whole request is rejected and nothing is done. Several changes of the same case are made in \
                  the order of the request.",
        query: Vec::new(),
        body: Some(Body::json("Bodies of `PATCH /cases/update`.", body, CaseUpdates::read)),
        answers: vec![answer("Cases bulk update ended", failure)],
        refusals: vec![(
            400,
            "The array is empty or too long, or elements have the wrong shape.",
            "[1] caseId is required",
        )],
        next: Vec::new(),
    }
}

pub(super) fn delete() -> Description {
    let body = json!({ "caseIds": [example::CASE, ANOTHER_CASE] });
    let failure = BulkFailure { index: 1, case_id: Some(ANOTHER_CASE), error: "Error while deleting case".to_owned() };
    Description {
        tag: Tag::Cases,
        summary: "Delete up to 50 cases",
        details: "Each case is deleted separately, as `DELETE /cases/delete/:caseId` does: one that cannot be deleted is in `error`.",
        query: Vec::new(),
        body: Some(Body::json("The cases.", body, CaseIds::read)),
        answers: vec![answer("Cases bulk delete ended", failure)],
        refusals: vec![(
            400,
            "The array is empty or too long, or an identifier is repeated or invalid.",
            "caseIds[2] names case 4711 again",
        )],
        next: Vec::new(),
    }
}

/// One element that succeeded and one that did not.
fn answer(state: &'static str, failure: BulkFailure) -> Answer {
    let success = vec![BulkSuccess { index: 0, case_id: example::CASE }];
    let answer = BulkAnswer { state, date: example::CREATED, company: example::COMPANY, success, error: vec![failure] };
    Answer::json(200, "The request was carried out; `error` has the elements that failed.", &answer)
}
