//! A certified photo: one photo that is a case of its own, opened, filled and closed in one call (decisions 16).

use serde_json::{Map, Value};

use super::{
    body::{Body, Fields, part, request_bodies},
    case::{Attachment, NewCase},
    context::CaseContext,
    fields::{Change, TITLE},
    id::{FrameId, StepId},
    item::{NewItem, PhotoParts},
    language::CertificateLanguage,
    metadata::METADATA,
    report::ReportToken,
};

/// A photo to certify, without its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPhoto {
    /// The case to open.
    pub case: NewCase,
    parts: PhotoParts,
}

impl NewPhoto {
    /// The photo as the item of a step.
    pub fn item(self, step: StepId) -> NewItem {
        self.parts.item(step)
    }
}

impl Body for NewPhoto {
    const NAME: &'static str = "NewPhoto";
    const DESCRIPTION: &'static str = "A photo that is a case of its own.";

    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        let frame = fields.required(
            "frameId",
            FrameId::KIND,
            "The frame of the case. Its only mandatory step is of type PHOTOGRAPHY.",
        );
        let title = fields.optional("title", TITLE, "Default: the frame's name.");
        let report_token = fields.optional(
            "reportToken",
            ReportToken::KIND,
            "The report that the case belongs to; its first use creates the report.",
        );
        let context = fields.optional("caseContext", part::<CaseContext>(), "Who the case is about and who issued it.");
        let metadata =
            fields.optional("metadata", METADATA, "Free key-value pairs of text, returned exactly as given.");
        let language = fields.optional("language", CertificateLanguage::KIND, CertificateLanguage::OF_A_CASE);
        let parts = PhotoParts::walk(fields);
        let (context, nested) = match context {
            Some(CaseContext { visible, metadata }) => (Some(visible.unwrap_or_default()), metadata),
            None => (None, Change::Keep),
        };
        let nested: Option<Map<String, Value>> = if let Change::Set(nested) = nested { Some(nested) } else { None };
        let case = NewCase {
            frame: frame?,
            title,
            attachment: Attachment::Caller,
            child_company: None,
            report_token,
            context,
            metadata: metadata.or(nested),
            scheduled_at: None,
            language,
        };
        Some(Self { case, parts: parts? })
    }
}

request_bodies!(NewPhoto);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn body() -> Value {
        json!({
            "frameId": 72, "clientAppName": "Field app", "clientAppVersion": "1.0.0",
            "frontCreatedAt": "2026-11-20T10:42:17.000+01:00", "geolocLatitude": "45.7", "geolocLongitude": "4.8",
        })
    }

    #[test]
    fn a_photo_is_a_case_and_an_item() {
        let photo = NewPhoto::read(&body()).unwrap();
        assert_eq!((photo.case.frame.get(), &photo.case.attachment), (72, &Attachment::Caller));
        let item = photo.item(StepId::new(720).unwrap());
        assert_eq!((item.step.get(), item.data.as_str()), (720, "photo"));
        assert_eq!(item.position.unwrap().latitude, "45.7");
    }

    #[test]
    fn every_problem_is_named() {
        let mut wrong = body();
        wrong["frameId"] = json!("x");
        wrong["reportToken"] = json!("");
        wrong["frontCreatedAt"] = json!("yesterday");
        let problems = NewPhoto::read(&wrong).unwrap_err().join(", ");
        for name in ["frameId", "reportToken", "frontCreatedAt"] {
            assert!(problems.contains(name), "{problems}");
        }
    }
}
