//! Certified photos.

use serde_json::json;

use crate::{
    app::case::CertifiedPhoto,
    domain::{operation::Operation, photo::NewPhoto},
    http::openapi::{
        description::{Answer, Body, Description, Form, Next, Place, Tag},
        example,
    },
};
use sealwright_seal::Sha256Digest;

pub(super) fn certify() -> Description {
    let body = json!({
        "frameId": example::FRAME,
        "reportToken": example::REPORT_TOKEN,
        "clientAppName": "Field app",
        "clientAppVersion": "1.0.0",
        "frontCreatedAt": "2026-11-20T10:42:17.000+01:00",
        "geolocLatitude": "48.8566",
        "geolocLongitude": "2.3522",
    });
    let certified = CertifiedPhoto {
        case_id: example::CASE,
        cf_ref: example::case_reference(),
        frame_id: example::FRAME,
        item_id: example::ITEM,
        image_url: example::url(&format!("/images/{}", example::KEY)),
        image_hash: Sha256Digest::of(b""),
        pdf_url: example::url(&format!("/share/case/{}", example::KEY)),
    };
    let form = Form::Upload { part: "createPhotoDto", file: "A JPEG or PNG of at most 25 MB." };
    Description {
        tag: Tag::Items,
        summary: "Certify a photo",
        details: "Opens a case, adds the photo and closes the case, in one call: all of it or nothing. The only mandatory step of the frame \
                  is of type PHOTOGRAPHY. `pdfUrl` answers as soon as the certificate is made.",
        query: Vec::new(),
        body: Some(Body {
            form,
            ..Body::json(
                "A form with two parts, in either order: the file, and its description as JSON.",
                body,
                NewPhoto::read,
            )
        }),
        answers: vec![Answer::json(201, "The photo is sealed as a case of its own.", &certified)],
        refusals: vec![
            (400, "The body is not a form.", "the body must be multipart/form-data with a boundary"),
            (
                400,
                "The frame asks for more than one photo.",
                "the only mandatory step of frame 70 must be of type PHOTOGRAPHY",
            ),
            (
                400,
                "The photo has no position.",
                "geolocLatitude and geolocLongitude are required for a PHOTOGRAPHY step",
            ),
            (
                400,
                "The file is of another type, or empty.",
                "file type is not accepted: expected JPEG or PNG by the file's first bytes, got PDF",
            ),
            (403, "The report token belongs to another company.", "the report token belongs to another company"),
            (
                404,
                "The frame does not exist or is not shared with the company.",
                "frame 70 does not exist or is not shared with the company",
            ),
        ],
        next: vec![Next {
            operation: Operation::ReadAnalysis,
            parameter: "caseId",
            pointer: "/caseId",
            place: Place::Path,
        }],
    }
}
