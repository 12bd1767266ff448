//! `GET /frames`

use crate::{
    app::frame::{FrameView, StepView},
    domain::step::StepAction,
    http::openapi::{
        description::{Answer, Description, Tag},
        example,
    },
};

pub(super) fn list() -> Description {
    let frames = vec![FrameView {
        id: example::FRAME,
        name: example::FRAME_NAME.to_owned(),
        steps: vec![
            StepView {
                id: example::PHOTO_STEP,
                title: "Front of the house".to_owned(),
                description: "Stand back far enough to show the street number.".to_owned(),
                step_action: StepAction::Photography,
                is_mandatory: true,
            },
            StepView {
                id: example::NAME_STEP,
                title: "Last name".to_owned(),
                description: String::new(),
                step_action: StepAction::TextField,
                is_mandatory: false,
            },
            StepView {
                id: example::DOCUMENT_STEP,
                title: "Identity document".to_owned(),
                description: String::new(),
                step_action: StepAction::DocumentUpload,
                is_mandatory: true,
            },
        ],
    }];
    Description {
        tag: Tag::Frames,
        summary: "List frames",
        details: "The frames that the company can open cases on: first its own, then those that its parent company shares. \
                  The steps of each frame are in order.",
        query: Vec::new(),
        body: None,
        answers: vec![Answer::json(200, "The frames.", &frames)],
        refusals: Vec::new(),
        next: Vec::new(),
    }
}
