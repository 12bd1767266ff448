//! What the field app sends: a case for one photo (decisions 16).

use super::{
    body::{Body, Fields, request_bodies},
    capture::CaptureId,
    fields::TITLE,
    id::FrameId,
};

/// A case for one photo, on a frame that is marked `quick`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewQuickCase {
    pub frame: FrameId,
    /// Of the photo: the same one again names the case that the first request opened.
    pub capture: CaptureId,
    pub title: Option<String>,
}

impl Body for NewQuickCase {
    const NAME: &'static str = "NewQuickCase";
    const DESCRIPTION: &'static str = "A case for one photo.";

    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        let frame = fields.required("frameId", FrameId::KIND, "A frame that is marked `quick`.");
        let capture = fields.required(
            "captureId",
            CaptureId::KIND,
            "The identifier of the photo. Sending it again returns the case that the first request opened.",
        );
        let title = fields.optional("title", TITLE, "Default: the frame's name.");
        Some(Self { frame: frame?, capture: capture?, title })
    }
}

request_bodies!(NewQuickCase);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_problem_is_named() {
        let problems = NewQuickCase::read(&json!({ "frameId": "x", "title": 7 })).unwrap_err().join(", ");
        for name in ["frameId", "captureId", "title"] {
            assert!(problems.contains(name), "{problems}");
        }
    }
}
