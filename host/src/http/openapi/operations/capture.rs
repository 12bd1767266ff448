//! What the holder of a link calls.

use serde_json::json;

use super::case::{CLOSED, NO_CASE, NO_CASE_ID};
use crate::{
    app::{
        capture::{
            AnnouncedView, CaptureView, CaseView, FormView, ItemView, LimitsView, OpenCaseView, SessionView, StepView,
            StoredEntry,
            receipt::{ReceiptKey, ReceiptKeys},
        },
        case::ClosedCase,
        item::CreatedEntry,
        link::LinkState,
    },
    domain::{
        capture::{Announcement, CaptureId, CapturedEntry, Closing},
        step::StepAction,
    },
    http::openapi::{
        description::{Answer, Body, Description, Refusal, Tag},
        example,
    },
};

const OFF_LINK: Refusal = (403, "The case is not on this link.", "the case is not on this link");

pub(super) fn view() -> Description {
    let example = CaptureView {
        state: LinkState::Usable,
        company_name: example::COMPANY_NAME.to_owned(),
        appearance: example::appearance(),
        expiration_date: None,
        server_time: example::CREATED,
        can_open_case: false,
        form: Some(form()),
        open_cases: vec![OpenCaseView {
            case_id: example::CASE,
            cf_ref: example::case_reference(),
            title: "Water damage".to_owned(),
            created_at: example::CREATED,
        }],
        limits: LimitsView::default(),
    };
    Description {
        tag: Tag::Capture,
        summary: "Read what a link asks for",
        details: "The state of the link, its form, and its open cases. Reading opens no case and uses up nothing. Also answers for a link \
                  that has expired, is used up or was withdrawn: `state` says so.",
        query: Vec::new(),
        body: None,
        answers: vec![Answer::json(200, "The link.", &example)],
        refusals: Vec::new(),
        next: Vec::new(),
    }
}

pub(super) fn open_case() -> Description {
    Description {
        tag: Tag::Capture,
        summary: "Open the case of a link",
        details: "Opens a case on the link's frame, or returns the one that is open. Call it when the person gives the first answer, not \
                  when the page is opened. Concurrent calls open only one case. No body is needed.",
        query: Vec::new(),
        body: None,
        answers: vec![
            Answer::json(201, "The case is open.", &open()),
            Answer::json(200, "The case was open already.", &open()),
        ],
        refusals: vec![
            (
                400,
                "Several cases are open on the link: use one of `openCases`.",
                "several cases of the link are open: choose one of them",
            ),
            (403, "No further case can be opened on the link.", "the link is used up"),
        ],
        next: Vec::new(),
    }
}

pub(super) fn read_case() -> Description {
    Description {
        tag: Tag::Capture,
        summary: "Read an open case of a link",
        details: "The form, what was captured, and what is missing. `missing` lists the mandatory steps without an item, and the steps \
                  whose newest item the company asked for again.",
        query: Vec::new(),
        body: None,
        answers: vec![Answer::json(200, "The case.", &open())],
        refusals: vec![NO_CASE_ID, OFF_LINK, (403, "The case is closed.", "the case is closed"), NO_CASE],
        next: Vec::new(),
    }
}

pub(super) fn add_entry() -> Description {
    let capture = capture_id();
    let body = json!({
        "captureId": capture.to_string(),
        "stepId": example::NAME_STEP,
        "data": "Martinel",
        "clientAppName": "Field app",
        "clientAppVersion": "1.0.0",
        "frontCreatedAt": "2026-11-20T10:42:17.000+01:00",
    });
    let stored = StoredEntry {
        entry: CreatedEntry {
            item_id: example::ITEM,
            cf_ref: example::item_reference(),
            case_id: example::CASE,
            step_id: example::NAME_STEP,
            step_action: StepAction::TextField,
            data: "Martinel".to_owned(),
            created_at: example::CREATED,
        },
        capture_id: capture,
        receipt: example::RECEIPT.to_owned(),
    };
    Description {
        tag: Tag::Capture,
        summary: "Add an entered value to a case of a link",
        details: "Like `POST /v2/items/create`, with an identifier that the client gives to the capture. The same identifier with the \
                  same value again is answered with 200 and adds nothing, so a client can repeat a call whose answer was lost. \
                  `receipt` is a compact JWS that the server signs (EdDSA); its payload has `captureId`, `caseId`, `itemId`, `stepId`, `sha256`, `size` and `receivedAt`.",
        query: Vec::new(),
        body: Some(Body::json("The value, and who captured it.", body, CapturedEntry::read)),
        answers: vec![
            Answer::json(201, "The item is added.", &stored),
            Answer::json(200, "The item was added before.", &stored),
        ],
        refusals: vec![
            (
                400,
                "`data` is not what the step asks for.",
                "data must be a number such as 12.5, got the text \"twelve\"",
            ),
            (400, "The step takes a file.", "a PHOTOGRAPHY step takes a file, not an entry"),
            (400, "The identifier belongs to another capture.", "captureId was used for another capture of the case"),
            CLOSED,
            OFF_LINK,
            NO_CASE,
            (404, "No step of the case's frame has this `stepId`.", "no step of the case's frame matches stepId 799"),
        ],
        next: Vec::new(),
    }
}

pub(super) fn announce() -> Description {
    let stored = SessionView { session: example::SESSION.to_owned(), next: 1 };
    let body = json!({ "records": [example::CAPTURE_RECORD] });
    Description {
        tag: Tag::Capture,
        summary: "Announce captures by signed records",
        details: "Stores capture records, before the files follow. A record is a compact JWS (ES256) of the device, and names the record \
                  before it by SHA-256; docs/capture.md describes its members. All records of a call are of one session, in their order. \
                  Records that are stored already are accepted again, so a client can repeat a call whose answer was lost. A file whose \
                  `captureId` was announced must have the announced step, size and SHA-256.",
        query: Vec::new(),
        body: Some(Body::json("The records.", body, Announcement::read)),
        answers: vec![Answer::json(200, "The records are stored.", &stored)],
        refusals: vec![
            (400, "A record is not valid.", "records[0]: its signature is not valid"),
            (400, "A record contradicts what is stored.", "records[0]: the capture is already recorded"),
            CLOSED,
            OFF_LINK,
            NO_CASE,
            (
                409,
                "A record is missing before this one, or another one has its sequence number.",
                "records[0]: its sequence number is 5, but 3 is the next one of its session",
            ),
        ],
        next: Vec::new(),
    }
}

pub(super) fn close() -> Description {
    let closed = ClosedCase { case_id: example::CASE, pdf_url: example::url(&format!("/share/case/{}", example::KEY)) };
    Description {
        tag: Tag::Capture,
        summary: "Close a case of a link",
        details: "Seals the case for good. `pdfUrl` answers as soon as the certificate is made. The body may be left out.",
        query: Vec::new(),
        body: Some(
            Body::json(
                "What the client calls this closing.",
                json!({ "closingId": capture_id().to_string() }),
                Closing::read,
            )
            .optional(),
        ),
        answers: vec![Answer::json(200, "The case is closed.", &closed)],
        refusals: vec![
            CLOSED,
            (
                400,
                "A device has announced captures whose files have not arrived.",
                "1 announced capture has not arrived: 7d444840-9dc0-41d1-b245-5ffdce74fad2 (step 701)",
            ),
            NO_CASE_ID,
            OFF_LINK,
            NO_CASE,
        ],
        next: Vec::new(),
    }
}

pub(super) fn receipt_keys() -> Description {
    let keys = ReceiptKeys { keys: vec![ReceiptKey::new("5f2d1c0b9a887766".to_owned(), &[7; 32])] };
    Description {
        tag: Tag::Capture,
        summary: "Read the keys that verify receipts",
        details: "A JWK set (RFC 7517, RFC 8037). A receipt's header names its key as `kid`.",
        query: Vec::new(),
        body: None,
        answers: vec![Answer::json(200, "The keys.", &keys)],
        refusals: Vec::new(),
        next: Vec::new(),
    }
}

fn capture_id() -> CaptureId {
    CaptureId::parse("7d444840-9dc0-41d1-b245-5ffdce74fad2").expect("a UUID v4")
}

pub(super) fn form() -> FormView {
    FormView {
        frame_id: example::FRAME,
        name: "Water damage".to_owned(),
        steps: vec![StepView {
            step_id: example::NAME_STEP,
            title: "Name of the insured".to_owned(),
            description: "As on the policy.".to_owned(),
            action: StepAction::TextField,
            options: Vec::new(),
            mandatory: true,
        }],
    }
}

fn open() -> CaseView {
    CaseView {
        case_id: example::CASE,
        cf_ref: example::case_reference(),
        title: "Water damage".to_owned(),
        created_at: example::CREATED,
        closed: false,
        form: form(),
        items: vec![ItemView {
            item_id: example::ITEM,
            cf_ref: example::item_reference(),
            step_id: example::NAME_STEP,
            action: StepAction::TextField,
            data: "Martinel".to_owned(),
            created_at: example::CREATED,
            capture_id: Some(capture_id()),
            sha256: None,
            size: None,
            file_url: None,
            retake: None,
        }],
        missing: Vec::new(),
        capture_sessions: vec![SessionView { session: example::SESSION.to_owned(), next: 1 }],
        announced: vec![AnnouncedView {
            capture_id: capture_id(),
            step_id: example::PHOTO_STEP,
            at: "2026-11-20T10:42:17.000+01:00".to_owned(),
        }],
    }
}
