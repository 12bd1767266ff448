//! Cases: opening and closing.

use serde_json::json;

use crate::{
    app::{
        case::{ClosedCase, CreatedCase},
        console::decision::DecisionView,
    },
    domain::{
        analysis::CaseAnalysis,
        case::{CaseUpdate, NewCase},
        console::Outcome,
        operation::Operation,
    },
    http::{
        case::{Closed, Deleted, Updated},
        openapi::{
            description::{Answer, Body, Description, Next, Place, Refusal, Tag},
            example,
        },
    },
};

pub(super) const NO_CASE_ID: Refusal =
    (400, "`caseId` is not a positive whole number.", "caseId must be a positive whole number");
pub(super) const NO_CASE: Refusal = (404, "The case does not exist.", "case 4711 does not exist");
pub(super) const HELD: Refusal = (
    400,
    "The case is under legal hold.",
    "case 4711 is under legal hold: it cannot be deleted before the hold is ended",
);
pub(super) const FOREIGN_CASE: Refusal =
    (403, "The case belongs to another company.", "the case belongs to another company");
const BAD_KEY: Refusal =
    (400, "`Idempotency-Key` has another form.", "Idempotency-Key must be 1 to 255 visible ASCII characters, once");
const USED_KEY: Refusal = (
    409,
    "The `Idempotency-Key` belongs to another request of the last 24 hours.",
    "Idempotency-Key was sent with another request in the last 24 hours: a new request needs a new key",
);
const REPEATED: &[&str] = &["Idempotent-Replayed"];

pub(super) const CLOSED: Refusal = (400, "The case is closed and can no longer be changed.", "case already closed");

pub(super) fn create() -> Description {
    let body = json!({
        "frameId": example::FRAME,
        "title": example::TITLE,
        "userId": "usr-acme-field",
        "reportToken": example::REPORT_TOKEN,
        "caseContext": { "visibleData": {
            "beneficiary": { "lastName": "Martinel", "firstName": "Noor", "city": "Valmerle" },
            "issuer": "Acme claims desk",
        }},
        "metadata": { "policy": "P-77" },
    });
    let created = CreatedCase {
        id: example::CASE,
        cf_ref: example::case_reference(),
        frame_id: example::FRAME,
        title: example::TITLE.to_owned(),
        created_at: example::CREATED,
        closed: false,
        magic_link_url: None,
    };
    let with_case = |operation, place| Next { operation, parameter: "caseId", pointer: "/id", place };
    Description {
        tag: Tag::Cases,
        summary: "Open a case",
        details: "Opens a case on a frame, for the calling account, for another user, or on a magic link for a person without an account. \
                  With `linkOptions` a new link is made, and the response has its `magicLinkUrl`.",
        query: Vec::new(),
        body: Some(Body::json("Only `frameId` is required.", body, NewCase::read)),
        answers: vec![Answer { headers: REPEATED, ..Answer::json(201, "The case is open.", &created) }],
        refusals: vec![
            (
                400,
                "More than one of the four ways to attach the case is given.",
                "at most one of userId, userMail, magicLinkToken, linkOptions may be given, got userId and userMail",
            ),
            (400, "The user is not one of the company's.", "userId must be a user of the company"),
            (400, "The link has expired or is used up.", "the link has expired"),
            (400, "`scheduledAt` is in an earlier month.", "case.scheduledAt.mustBeCurrentOrFutureMonth"),
            (
                403,
                "The link, the child company or the report token belongs to another company.",
                "the link belongs to another company",
            ),
            (
                404,
                "The frame or the link does not exist, or the frame is not shared with the company.",
                "frame 70 does not exist or is not shared with the company",
            ),
            BAD_KEY,
            USED_KEY,
        ],
        next: vec![
            with_case(Operation::CreateEntryItem, Place::Body),
            with_case(Operation::UploadMedia, Place::Path),
            with_case(Operation::UploadDocument, Place::Path),
            with_case(Operation::UpdateCase, Place::Body),
            with_case(Operation::CloseCase, Place::Path),
            with_case(Operation::DeleteCase, Place::Path),
        ],
    }
}

pub(super) fn close() -> Description {
    Description {
        tag: Tag::Cases,
        summary: "Close a case",
        details: "Seals the case for good: it takes no more items or changes. The response does not wait for the certificate, which \
                  appears at `pdfUrl` within seconds; the case webhook is sent once it is there. A mandatory step without an item does \
                  not prevent closing: the certificate lists it as missing.\n\n\
                  This is a GET that changes state: keep link checkers and prefetching clients away from it.",
        query: Vec::new(),
        body: None,
        answers: vec![Answer { headers: REPEATED, ..Answer::json(200, "The case is closed.", &closed()) }],
        refusals: vec![
            NO_CASE_ID,
            (400, "The case does not exist.", "case 4711 does not exist"),
            (400, "The case is already closed. Of several concurrent closings, one succeeds.", "case already closed"),
            FOREIGN_CASE,
            BAD_KEY,
            USED_KEY,
        ],
        next: Vec::new(),
    }
}

pub(super) fn analysis() -> Description {
    Description {
        tag: Tag::Cases,
        summary: "Read the analysis of a case",
        details: "How far the case's evidence can be trusted: a score from 0 to 100, its level, and what it is based on. While documents are \
                  being analysed, `documentAnalyses` may be partial. The analysis of a document is complete when its \
                  `progressStatusLevel` is `ANALYSIS_COMPLETED`. In any other state the numbers of a document have no \
                  meaning and no score includes them.\n\nOnce the \
                  case is closed and judged, the response is what the analysis webhook reported. A case in which \
                  nothing was analysed has a score of 100 and empty lists: nothing was examined, so nothing was found against it. \
                  The response never contains values read from a document.",
        query: Vec::new(),
        body: None,
        answers: vec![Answer::json(200, "What is known so far.", &CaseAnalysis::of_nothing(example::CASE))],
        refusals: vec![
            NO_CASE_ID,
            (
                403,
                "The document-analysis option is not active for the company. This is checked before the case.",
                "the document-analysis option is not active for the company",
            ),
            FOREIGN_CASE,
            NO_CASE,
        ],
        next: Vec::new(),
    }
}

pub(super) fn decision() -> Description {
    let decision = DecisionView {
        case_id: example::CASE,
        outcome: Outcome::Rejected,
        reason: "The invoice is from before the damage.".to_owned(),
        decided_by: "maria".to_owned(),
        decided_at: example::CLOSED,
    };
    Description {
        tag: Tag::Cases,
        summary: "Read the decision on a case",
        details: "What a reviewer decided on the case in the console. A decision changes neither the seal nor the verdict. \
                  If several were made, this is the newest.",
        query: Vec::new(),
        body: None,
        answers: vec![Answer::json(200, "The decision that counts.", &decision)],
        refusals: vec![
            NO_CASE_ID,
            FOREIGN_CASE,
            NO_CASE,
            (404, "No one has decided on the case yet.", "no one has decided on case 4711 yet"),
        ],
        next: Vec::new(),
    }
}

pub(super) fn close_by_link() -> Description {
    Description {
        summary: "Close the case of a link",
        details: "Closes the only open case of a link, in the same way as closing it by its identifier. The link must \
                  belong to the company or to a child company.\n\n\
                  This is a GET that changes state: keep link checkers and prefetching clients away from it.",
        refusals: vec![
            (
                400,
                "Several cases of the link are open.",
                "several cases of the link are open: close each by its identifier",
            ),
            (400, "The link's cases are all closed.", "case already closed"),
            (403, "The link belongs to another company.", "the link belongs to another company"),
            (404, "The link does not exist, or has no case.", "the link does not exist"),
            (405, "`magicLinkToken` is not a UUID v4.", "magicLinkToken must be a UUID v4"),
            BAD_KEY,
            USED_KEY,
        ],
        ..close()
    }
}

pub(super) fn update() -> Description {
    let body = json!({
        "caseId": example::CASE,
        "title": example::TITLE,
        "metadata": { "policy": "P-77", "priority": "high" },
        "scheduledAt": null,
    });
    Description {
        tag: Tag::Cases,
        summary: "Change an open case",
        details: "Changes the given fields and leaves the rest. With only `caseId` it succeeds and changes nothing. If the case is closed \
                  at the same time, the update is either sealed with it or rejected.",
        query: Vec::new(),
        body: Some(Body::json("Only `caseId` is required.", body, CaseUpdate::read)),
        answers: vec![Answer::json(200, "The case is changed.", &Updated::SUCCESS)],
        refusals: vec![
            CLOSED,
            (400, "The frame can no longer change.", "frameId can change only while the case has no item"),
            (400, "The user is not one of the company's.", "userId must be a user of the company"),
            (400, "`scheduledAt` is in an earlier month.", "case.scheduledAt.mustBeCurrentOrFutureMonth"),
            (400, "`scheduledAt` is not a date.", "case.scheduledAt.invalid"),
            FOREIGN_CASE,
            (403, "The report token belongs to another company.", "the reportToken belongs to another company"),
            NO_CASE,
            (
                404,
                "The frame does not exist or is not shared with the company.",
                "frame 70 does not exist or is not shared with the company",
            ),
        ],
        next: Vec::new(),
    }
}

pub(super) fn delete() -> Description {
    Description {
        tag: Tag::Cases,
        summary: "Delete a case",
        details: "Removes the case for good, open or closed, with its items, files, certificate and pending work. Their addresses return \
                  404 from then on. Only hashes remain, so that what was published can still be proven.",
        query: Vec::new(),
        body: None,
        answers: vec![Answer::json(200, "The case is deleted.", &Deleted::SUCCESS)],
        refusals: vec![NO_CASE_ID, (400, "The case does not exist.", "case 4711 does not exist"), HELD, FOREIGN_CASE],
        next: Vec::new(),
    }
}

fn closed() -> Closed {
    Closed::from(ClosedCase { case_id: example::CASE, pdf_url: example::url(&format!("/share/case/{}", example::KEY)) })
}
