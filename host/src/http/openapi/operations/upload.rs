//! Uploads by pieces: tus 1.0.

use super::case::{CLOSED, FOREIGN_CASE, NO_CASE};
use crate::{
    app::upload::{UploadView, UploadedItem},
    http::openapi::{
        description::{Answer, Body, Content, Description, Refusal, Tag},
        example,
    },
};

const OTHER_VERSION: Refusal = (412, "The request has another version of tus.", "Tus-Resumable must be 1.0.0");
const UNKNOWN: Refusal = (404, "No upload of the company has this key.", "no such upload");
const EXPIRED: Refusal = (410, "No piece has arrived for 24 hours.", "the upload has expired");
const OTHER_HASH: Refusal = (
    400,
    "The file is complete and refused, by the rules of a file that is sent at once; the upload is gone.",
    "file type is not accepted: expected JPEG or PNG by the file's first bytes, got PDF",
);

pub(super) fn describe() -> Description {
    Description {
        tag: Tag::Items,
        summary: "Read what uploads by pieces support",
        details: "The version, the extensions, the largest file and the checksums of the server's tus 1.0.",
        query: Vec::new(),
        body: None,
        answers: vec![nothing(
            204,
            "Only headers.",
            &["Tus-Resumable", "Tus-Version", "Tus-Extension", "Tus-Max-Size", "Tus-Checksum-Algorithm"],
        )],
        refusals: Vec::new(),
        next: Vec::new(),
    }
}

pub(super) fn create() -> Description {
    Description {
        summary: "Announce a file that is sent in pieces",
        details: "The protocol is tus 1.0 with the extensions creation, checksum, termination and expiration: any client of tus \
                  can send a file of any step. The last piece creates the item. A document needs `p_api:case:create`, any \
                  other file `p_api:item:create`. A repeated request with the same `captureId` returns the same upload.",
        answers: vec![nothing(
            201,
            "Send the pieces to `Location`.",
            &["Tus-Resumable", "Location", "Upload-Offset", "Upload-Expires"],
        )],
        refusals: vec![
            (
                400,
                "The metadata has a problem; the message names every key.",
                "caseId is required, filename is required",
            ),
            (
                400,
                "The file is too large for its step.",
                "Upload-Length must be from 1 to 26214400 for a PHOTOGRAPHY step",
            ),
            (400, "Too many uploads to the case are unfinished.", "a case has at most 100 unfinished uploads"),
            CLOSED,
            FOREIGN_CASE,
            (
                403,
                "The step takes no file.",
                "step 702 is of type TEXT_FIELD, not PHOTOGRAPHY, SIGNATURE, VIDEO or DOCUMENT_UPLOAD",
            ),
            NO_CASE,
            (404, "No step of the case's frame has this `stepId`.", "no step of the case's frame matches stepId 799"),
            (409, "The capture has another file.", "captureId names another file of this case"),
            OTHER_VERSION,
        ],
        ..describe()
    }
}

pub(super) fn offset() -> Description {
    Description {
        summary: "Ask how much of a file has arrived",
        details: "A client continues at `Upload-Offset`.",
        answers: vec![nothing(
            200,
            "Only headers.",
            &["Tus-Resumable", "Upload-Offset", "Upload-Length", "Upload-Expires", "Cache-Control"],
        )],
        refusals: vec![OTHER_HASH, UNKNOWN, EXPIRED, OTHER_VERSION],
        ..describe()
    }
}

pub(super) fn append() -> Description {
    Description {
        summary: "Send a piece of a file",
        details: "Bytes that arrive before a broken connection are kept, unless the piece has a checksum. The last piece \
                  creates the item before the response is sent.",
        body: Some(Body::bytes("The next bytes of the file.", "application/offset+octet-stream")),
        answers: vec![nothing(204, "The piece is stored.", &["Tus-Resumable", "Upload-Offset", "Upload-Expires"])],
        refusals: vec![
            (400, "The piece is too long.", "the piece goes beyond the end of the file: Upload-Length is 1048576"),
            OTHER_HASH,
            CLOSED,
            UNKNOWN,
            (409, "The upload has another offset.", "Upload-Offset is 0, but the upload has 4096 bytes"),
            EXPIRED,
            OTHER_VERSION,
            (415, "The body has another type.", "Content-Type must be application/offset+octet-stream"),
            (460, "The checksum is wrong.", "the piece does not match Upload-Checksum"),
        ],
        ..describe()
    }
}

pub(super) fn read() -> Description {
    let view = UploadView {
        offset: 1_048_576,
        length: 1_048_576,
        capture_id: Some(example::LINK_TOKEN.to_owned()),
        item: Some(UploadedItem {
            item_id: example::ITEM,
            cf_ref: example::item_reference(),
            case_id: example::CASE,
            step_id: example::PHOTO_STEP,
            file_url: example::url(&format!("/images/{}", example::KEY)),
        }),
        receipt: Some(example::RECEIPT.to_owned()),
    };
    Description {
        summary: "Read an upload and its item",
        details: "Not part of tus: which item the upload has become, and the receipt. `receipt` is a compact JWS that the server signs \
                  (EdDSA). Its payload has `captureId`, `caseId`, `itemId`, `stepId`, `sha256`, `size` and `receivedAt`. Delete \
                  your own copy only if hash and size are yours.",
        answers: vec![Answer {
            headers: &["Tus-Resumable", "Cache-Control"],
            ..Answer::json(200, "The upload.", &view)
        }],
        refusals: vec![OTHER_HASH, UNKNOWN, EXPIRED],
        ..describe()
    }
}

pub(super) fn terminate() -> Description {
    Description {
        summary: "Give up an upload",
        details: "Deletes the pieces of an unfinished upload.",
        answers: vec![nothing(204, "The upload is gone.", &["Tus-Resumable"])],
        refusals: vec![
            (400, "The upload is finished.", "the upload is finished: its item stays in the case"),
            UNKNOWN,
            OTHER_VERSION,
        ],
        ..describe()
    }
}

fn nothing(status: u16, description: &'static str, headers: &'static [&'static str]) -> Answer {
    Answer { status, description, content: Content::Nothing, headers }
}
