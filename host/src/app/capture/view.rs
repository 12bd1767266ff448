//! What the holder of a link sees.

use schemars::JsonSchema;
use sealwright_seal::Sha256Digest;
use serde::Serialize;

use super::records::{self, AnnouncedView, SessionView};
use crate::{
    app::{App, appearance::AppearanceView, item::file_url, link::LinkState},
    clock::Timestamp,
    db::Reader,
    domain::{
        capture::CaptureId,
        id::{CaseId, FrameId, ItemId, StepId},
        step::StepAction,
    },
    error::{Error, Result},
    media::Accepts,
    store::{self, case::Case, item::Item, retake::Retake},
};

/// How many bytes a client should send in one piece of an upload: small enough that a bad line does not repeat much.
const PIECE_BYTES: u64 = 4 * 1024 * 1024;
/// The longest entered value, in characters (decisions 8).
const TEXT_CHARACTERS: u64 = 10_000;

/// What a link asks for, and what is open on it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaptureView {
    pub state: LinkState,
    pub company_name: String,
    pub appearance: AppearanceView,
    /// From this time on the link cannot be used; null means that it does not expire.
    pub expiration_date: Option<Timestamp>,
    pub server_time: Timestamp,
    /// Whether `POST /v2/capture/cases` would open a case.
    pub can_open_case: bool,
    /// The form of the cases on the link; null for a link without a frame on which no case is open, or cases of several
    /// frames are.
    pub form: Option<FormView>,
    pub open_cases: Vec<OpenCaseView>,
    pub limits: LimitsView,
}

/// A frame as a form.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FormView {
    pub frame_id: FrameId,
    pub name: String,
    pub steps: Vec<StepView>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepView {
    pub step_id: StepId,
    pub title: String,
    pub description: String,
    #[serde(rename = "type")]
    pub action: StepAction,
    /// The choices of a SELECT step.
    pub options: Vec<String>,
    pub mandatory: bool,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenCaseView {
    pub case_id: CaseId,
    pub cf_ref: String,
    pub title: String,
    pub created_at: Timestamp,
}

/// The limits of one capture, in bytes or characters.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LimitsView {
    pub photo_bytes: u64,
    pub signature_bytes: u64,
    pub video_bytes: u64,
    pub document_bytes: u64,
    pub text_characters: u64,
    /// The size of a piece of an upload that the server recommends.
    pub piece_bytes: u64,
}

/// An open case on the link.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaseView {
    pub case_id: CaseId,
    /// The public reference, `CAS-<id>_CMP-<company id>`.
    pub cf_ref: String,
    pub title: String,
    pub created_at: Timestamp,
    pub closed: bool,
    pub form: FormView,
    /// In the order in which they were received. The newest one of a step counts; the others stay in the record.
    pub items: Vec<ItemView>,
    /// The mandatory steps without an item, and the steps whose newest item was asked for again.
    pub missing: Vec<StepId>,
    /// The sessions of the case's capture records.
    pub capture_sessions: Vec<SessionView>,
    /// The captures that a device has announced and whose files have not arrived. The case cannot be closed by a link
    /// before they arrive or are deleted.
    pub announced: Vec<AnnouncedView>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemView {
    pub item_id: ItemId,
    /// The public reference, `ITM-<id>_CAS-<case id>`.
    pub cf_ref: String,
    pub step_id: StepId,
    #[serde(rename = "type")]
    pub action: StepAction,
    /// The entered value; for a file, its name.
    pub data: String,
    pub created_at: Timestamp,
    /// The identifier that the client gave to the capture.
    pub capture_id: Option<CaptureId>,
    /// Of the file, in lowercase hexadecimal.
    #[schemars(with = "Option<String>")]
    pub sha256: Option<Sha256Digest>,
    /// Of the file, in bytes.
    pub size: Option<i64>,
    /// Where the file is served.
    pub file_url: Option<String>,
    /// Another capture was asked for in place of this one.
    pub retake: Option<RetakeView>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RetakeView {
    pub reason: String,
    pub requested_at: Timestamp,
}

impl Default for LimitsView {
    fn default() -> Self {
        Self {
            photo_bytes: Accepts::PICTURE_BYTES,
            signature_bytes: Accepts::PICTURE_BYTES,
            video_bytes: Accepts::VIDEO_BYTES,
            document_bytes: Accepts::DOCUMENT_BYTES,
            text_characters: TEXT_CHARACTERS,
            piece_bytes: PIECE_BYTES,
        }
    }
}

impl OpenCaseView {
    pub(super) fn of(case: &Case) -> Self {
        Self {
            case_id: case.id,
            cf_ref: case.reference().to_string(),
            title: case.title.clone(),
            created_at: case.created_at,
        }
    }
}

/// The frame of a case or a link, with its active steps.
pub(super) async fn form(reader: &mut Reader, id: FrameId) -> Result<FormView> {
    let frame = store::frame::find(reader, id).await?;
    let frame = frame.ok_or_else(|| Error::internal(anyhow::anyhow!("frame {id} does not exist")))?;
    let steps = frame.steps.into_iter().filter(|step| step.active).map(|step| StepView {
        step_id: step.id,
        title: step.title,
        description: step.description,
        action: step.action,
        options: step.options,
        mandatory: step.mandatory,
    });
    Ok(FormView { frame_id: id, name: frame.name, steps: steps.collect() })
}

pub(super) async fn case(app: &App, reader: &mut Reader, case: &Case) -> Result<CaseView> {
    let form = form(reader, case.frame).await?;
    let items = store::item::of_case(reader, case.id).await?;
    let retakes = store::retake::of_case(reader, case.id).await?;
    let missing = missing(&form, &items, &retakes);
    Ok(CaseView {
        case_id: case.id,
        cf_ref: case.reference().to_string(),
        title: case.title.clone(),
        created_at: case.created_at,
        closed: case.is_closed(),
        form,
        items: items.into_iter().map(|item| item_view(app, item, &retakes)).collect(),
        missing,
        capture_sessions: records::sessions(reader, case.id).await?,
        announced: records::announced(reader, case.id).await?,
    })
}

/// A step of an open case that can still be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenStep {
    pub step: StepId,
    pub title: String,
    /// Whether the case is not complete without it: a mandatory step, or one whose newest item was asked for again.
    pub required: bool,
    /// Whether its newest item was asked for again.
    pub again: bool,
}

/// The steps of a case without an item, and those whose newest item was asked for again, in the order of the form.
pub(in crate::app) async fn open_steps(
    reader: &mut Reader,
    frame: FrameId,
    items: &[Item],
    retakes: &[Retake],
) -> Result<Vec<OpenStep>> {
    Ok(unanswered(&form(reader, frame).await?, items, retakes))
}

fn unanswered(form: &FormView, items: &[Item], retakes: &[Retake]) -> Vec<OpenStep> {
    let open = |step: &StepView| {
        let newest = items.iter().rfind(|item| item.content.step == step.step_id);
        let again = newest.is_some_and(|newest| retakes.iter().any(|retake| retake.item == newest.id));
        let is_open = newest.is_none() || again;
        is_open.then(|| OpenStep {
            step: step.step_id,
            title: step.title.clone(),
            required: step.mandatory || again,
            again,
        })
    };
    form.steps.iter().filter_map(open).collect()
}

fn missing(form: &FormView, items: &[Item], retakes: &[Retake]) -> Vec<StepId> {
    unanswered(form, items, retakes).into_iter().filter(|step| step.required).map(|step| step.step).collect()
}

fn item_view(app: &App, item: Item, retakes: &[Retake]) -> ItemView {
    let retake = retakes.iter().find(|retake| retake.item == item.id);
    let (cf_ref, content) = (item.reference().to_string(), item.content);
    let file = content.file.as_ref().filter(|file| file.deleted_at.is_none());
    ItemView {
        item_id: item.id,
        cf_ref,
        step_id: content.step,
        action: content.action,
        created_at: item.created_at,
        sha256: content.file.as_ref().map(|file| file.sha256),
        size: content.file.as_ref().map(|file| file.size),
        file_url: file.map(|file| file_url(app, content.action, &file.media_key)),
        data: content.data,
        capture_id: content.capture,
        retake: retake.map(|retake| RetakeView { reason: retake.reason.clone(), requested_at: retake.requested_at }),
    }
}
