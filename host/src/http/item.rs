//! Items (spec 4.13).

use axum::{
    Json,
    extract::{Request, State},
    http::StatusCode,
    response::IntoResponse,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    body::{JsonBody, read_with},
    multipart,
    shared::Shared,
};
use crate::{
    app::{
        item::{self, CreatedFile, Depositor, EntryEndpoint, FileEndpoint},
        retake::{self, RequestedRetake},
        session::Caller,
    },
    domain::{
        capture::RetakeRequest,
        id::{CaseId, CompanyId, ItemId},
        item::{LegacyEntry, NewEntry},
        step::StepAction,
    },
    error::Result,
    media::Accepts,
};

/// `POST /v2/items/create`
pub(super) async fn create_entry(
    State(shared): State<Shared>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<impl IntoResponse> {
    let entry = read_with(&body, NewEntry::read)?;
    let created = item::add_entry(&shared.app, &Depositor::User(caller), EntryEndpoint::Version2, entry, None).await?;
    Ok((StatusCode::CREATED, Json(created)))
}

/// `POST /api/items`
pub(super) async fn create_legacy(
    State(shared): State<Shared>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<impl IntoResponse> {
    let LegacyEntry(entry) = read_with(&body, LegacyEntry::read)?;
    let created = item::add_entry(&shared.app, &Depositor::User(caller), EntryEndpoint::Legacy, entry, None).await?;
    Ok((StatusCode::CREATED, Json(created)))
}

/// `POST /v2/items/:caseId/document`
pub(super) async fn upload_document(
    State(shared): State<Shared>,
    caller: Caller,
    case: CaseId,
    request: Request,
) -> Result<impl IntoResponse> {
    let (item, file) = multipart::read(request, &shared.app.blobs, Accepts::DOCUMENT).await?;
    let created =
        item::add_file(&shared.app, &Depositor::User(caller), case, FileEndpoint::Document, item, file).await?;
    Ok(Json(Uploaded { document_url: Some(created.url.clone()), ..Uploaded::of(&created) }))
}

/// `POST /v2/items/:caseId`: a photo, a signature or a video.
pub(super) async fn upload_capture(
    State(shared): State<Shared>,
    caller: Caller,
    case: CaseId,
    request: Request,
) -> Result<impl IntoResponse> {
    let (item, file) = multipart::read(request, &shared.app.blobs, Accepts::CAPTURE).await?;
    let created =
        item::add_file(&shared.app, &Depositor::User(caller), case, FileEndpoint::Capture, item, file).await?;
    let url = Some(created.url.clone());
    Ok(Json(match created.action {
        StepAction::Video => Uploaded { video_url: url, ..Uploaded::of(&created) },
        _ => Uploaded { image_url: url, ..Uploaded::of(&created) },
    }))
}

/// `POST /v2/items/:itemId/retake`
pub(super) async fn request_retake(
    State(shared): State<Shared>,
    caller: Caller,
    item: ItemId,
    JsonBody(body): JsonBody,
) -> Result<Json<RequestedRetake>> {
    let request = read_with(&body, RetakeRequest::read)?;
    Ok(Json(retake::request(&shared.app, &caller, item, request).await?))
}

/// The answer to an upload: one of the three addresses is present.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Uploaded {
    pub(super) company_id: CompanyId,
    pub(super) case_id: CaseId,
    pub(super) item_id: ItemId,
    /// Where a document is served to anyone who knows the address.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(super) document_url: Option<String>,
    /// Where a photo or signature is served to anyone who knows the address.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(super) image_url: Option<String>,
    /// Where a video is served to anyone who knows the address.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(super) video_url: Option<String>,
}

impl Uploaded {
    fn of(created: &CreatedFile) -> Self {
        Self {
            company_id: created.company,
            case_id: created.case,
            item_id: created.item,
            document_url: None,
            image_url: None,
            video_url: None,
        }
    }
}
