//! Items: entered values and files.

use serde_json::{Value, json};

use super::case::{CLOSED, FOREIGN_CASE, NO_CASE, NO_CASE_ID};
use crate::{
    app::{item::CreatedEntry, retake::RequestedRetake},
    domain::{
        capture::RetakeRequest,
        item::{LegacyEntry, NewEntry},
        operation::Operation,
        step::StepAction,
    },
    http::{
        item::Uploaded,
        openapi::{
            description::{Answer, Body, Description, Next, Place, Refusal, Tag},
            example,
        },
    },
};

const NO_STEP: Refusal =
    (404, "No step of the case's frame has this `stepId`.", "no step of the case's frame matches stepId 799");
const FULL: Refusal = (
    400,
    "The case is full: it takes at most 1,000 items, 300 photos and signatures, and 1,000,000 characters of text as shown in the \
     certificate.",
    "a case takes at most 1000 items",
);
const OTHER_COMPANY: Refusal =
    (403, "`companyId` is not the company of the case.", "companyId is not the company of the case");
const NO_POSITION: Refusal = (
    400,
    "A photo or video has no position.",
    "geolocLatitude and geolocLongitude are required for a PHOTOGRAPHY step",
);
const NO_FORM: Refusal = (400, "The body is not a form.", "the body must be multipart/form-data with a boundary");

pub(super) fn create_entry() -> Description {
    let mut body = item(example::NAME_STEP.get(), "Martinel");
    body["caseId"] = json!(example::CASE);
    let created = CreatedEntry {
        item_id: example::ITEM,
        cf_ref: example::item_reference(),
        case_id: example::CASE,
        step_id: example::NAME_STEP,
        step_action: StepAction::TextField,
        data: "Martinel".to_owned(),
        created_at: example::CREATED,
    };
    Description {
        tag: Tag::Items,
        summary: "Add an entered value",
        details: "Adds what a person entered for a step: text, a number, a date (`yyyy-mm-dd`), a time (`hh:mm`), an e-mail \
                  address, or one of a SELECT step's options. `data` is checked against the step. Values that a document is \
                  cross-checked with must be added before the document.",
        query: Vec::new(),
        body: Some(Body::json("The value, and who captured it.", body, NewEntry::read)),
        answers: vec![Answer::json(201, "The item is added.", &created)],
        refusals: vec![
            (
                400,
                "`data` is not what the step asks for.",
                "data must be a number such as 12.5, got the text \"twelve\"",
            ),
            (400, "The step takes a file.", "a PHOTOGRAPHY step takes a file, not an entry"),
            FULL,
            CLOSED,
            FOREIGN_CASE,
            OTHER_COMPANY,
            NO_CASE,
            NO_STEP,
        ],
        next: vec![Next {
            operation: Operation::CloseCase,
            parameter: "caseId",
            pointer: "/caseId",
            place: Place::Path,
        }],
    }
}

pub(super) fn request_retake() -> Description {
    let answer = RequestedRetake {
        item_id: example::ITEM,
        case_id: example::CASE,
        step_id: example::PHOTO_STEP,
        reason: "too dark".to_owned(),
        requested_at: example::CREATED,
    };
    Description {
        tag: Tag::Items,
        summary: "Ask for another capture",
        details: "Asks the person for another capture in place of an item of an open case. The page of the link shows the reason \
                  at the step. The item stays: a newer one on its step replaces it in views, and both are in the certificate. A \
                  second request for the same item replaces the reason.",
        query: Vec::new(),
        body: Some(Body::json("Why.", json!({ "reason": "too dark" }), RetakeRequest::read)),
        answers: vec![Answer::json(200, "The request is noted.", &answer)],
        refusals: vec![
            CLOSED,
            (400, "`itemId` is not a number.", "itemId must be a positive whole number"),
            (403, "The item belongs to another company.", "the item belongs to another company"),
            (404, "There is no such item.", "item 20311 does not exist"),
        ],
        next: Vec::new(),
    }
}

pub(super) fn create_legacy() -> Description {
    let mut body = item(example::PHOTO_STEP.get(), "front.jpg");
    if let Some(fields) = body.as_object_mut() {
        for version_2 in ["companyId", "clientAppName", "clientAppVersion", "frontCreatedAt"] {
            fields.shift_remove(version_2);
        }
    }
    body["caseId"] = json!(example::CASE);
    for (field, value) in [
        ("userDeviceName", "Noor's telephone"),
        ("userDevicePlatform", "Android"),
        ("userDeviceOs", "Android"),
        ("userDeviceOsVersion", "15"),
    ] {
        body[field] = json!(value);
    }
    let created = CreatedEntry {
        item_id: example::ITEM,
        cf_ref: example::item_reference(),
        case_id: example::CASE,
        step_id: example::PHOTO_STEP,
        step_action: StepAction::Photography,
        data: "front.jpg".to_owned(),
        created_at: example::CREATED,
    };
    Description {
        summary: "Add an item in its legacy form",
        details: "Adds an entered value, or the name of a file that stays elsewhere: for a PHOTOGRAPHY, VIDEO, SIGNATURE or \
                  DOCUMENT_UPLOAD step `data` is the file's name, no file is received, and the certificate says so. The device is \
                  required, and for a photo or a video also the position. New integrations should use the endpoints under `/v2`.",
        body: Some(Body::json("The value, the device and the position.", body, LegacyEntry::read)),
        answers: vec![Answer::json(201, "The item is added.", &created)],
        refusals: vec![
            (
                400,
                "`data` is not what the step asks for.",
                "data must be a number such as 12.5, got the text \"twelve\"",
            ),
            NO_POSITION,
            FULL,
            CLOSED,
            FOREIGN_CASE,
            NO_CASE,
            NO_STEP,
        ],
        ..create_entry()
    }
}

pub(super) fn upload_document() -> Description {
    let body = item(example::DOCUMENT_STEP.get(), "identity-card.pdf");
    let document_url = Some(example::url(&format!("/images/{}", example::KEY)));
    let uploaded = Uploaded { document_url, ..uploaded() };
    Description {
        tag: Tag::Items,
        summary: "Upload a document",
        details: "One call creates the item, carries the file and starts its analysis if the step asks for one. The file's type is \
                  detected from its content; its name and declared media type are ignored.",
        query: Vec::new(),
        body: Some(Body::upload("A PDF, JPEG or PNG of at most 10 MiB.", body)),
        answers: vec![Answer::json(200, "The document is stored.", &uploaded)],
        refusals: file_refusals((
            403,
            "The step is not of type DOCUMENT_UPLOAD.",
            "step 701 is of type PHOTOGRAPHY, not DOCUMENT_UPLOAD",
        )),
        next: vec![close_next()],
    }
}

pub(super) fn upload_capture() -> Description {
    let body = item(example::PHOTO_STEP.get(), "front.jpg");
    let image_url = Some(example::url(&format!("/images/{}", example::KEY)));
    let uploaded = Uploaded { image_url, ..uploaded() };
    let mut refusals = file_refusals((
        403,
        "The step is not of type PHOTOGRAPHY, SIGNATURE or VIDEO.",
        "step 703 is of type DOCUMENT_UPLOAD, not PHOTOGRAPHY, SIGNATURE or VIDEO",
    ));
    refusals.push(NO_POSITION);
    Description {
        tag: Tag::Items,
        summary: "Upload a photo, signature or video",
        details: "The step decides which of the three it is. Photos and videos need a position. The response has `imageUrl`, or `videoUrl` \
                  for a video.",
        query: Vec::new(),
        body: Some(Body::upload(
            "A JPEG or PNG of at most 25 MB for photos and signatures, an MP4 of at most 500 MB for videos.",
            body,
        )),
        answers: vec![Answer::json(200, "The file is stored.", &uploaded)],
        refusals,
        next: vec![close_next()],
    }
}

fn file_refusals(wrong_step: Refusal) -> Vec<Refusal> {
    vec![
        NO_CASE_ID,
        NO_FORM,
        (400, "The file is too large.", "file must be at most 10485760 bytes"),
        (
            400,
            "The file is of another type, or empty.",
            "file type video/mp4 is not accepted by a DOCUMENT_UPLOAD step",
        ),
        FULL,
        CLOSED,
        FOREIGN_CASE,
        OTHER_COMPANY,
        wrong_step,
        NO_CASE,
        NO_STEP,
    ]
}

fn close_next() -> Next {
    Next { operation: Operation::CloseCase, parameter: "caseId", pointer: "/caseId", place: Place::Path }
}

fn uploaded() -> Uploaded {
    Uploaded {
        company_id: example::COMPANY,
        case_id: example::CASE,
        item_id: example::ITEM,
        document_url: None,
        image_url: None,
        video_url: None,
    }
}

fn item(step: i64, data: &str) -> Value {
    json!({
        "companyId": example::COMPANY,
        "stepId": step,
        "data": data,
        "clientAppName": "Field Companion",
        "clientAppVersion": "4.2.0",
        "frontCreatedAt": "2026-11-20T10:42:17.000+01:00",
        "userDeviceManufacturer": "Fairphone",
        "userDeviceModel": "FP5",
        "geolocLatitude": "45.764043",
        "geolocLongitude": "4.835659",
        "geolocAccuracy": "5",
    })
}
