//! What the holder of a link calls, and for their own cases field users (decisions 16). [`guard`](super::guard) has found
//! the link behind the bearer token, or the user behind the cookie.

use axum::{Json, extract::State, http::StatusCode, response::IntoResponse};

use super::{
    body::{JsonBody, OptionalJsonBody, read_with},
    shared::Shared,
};
use crate::{
    app::{
        capture::{self, CaptureView, CaseView, SessionView, receipt::ReceiptKeys},
        case::ClosedCase,
        session::{CaptureHolder, LinkHolder},
    },
    domain::{
        capture::{Announcement, CapturedEntry, Closing},
        id::CaseId,
    },
    error::Result,
};

/// `GET /v2/capture`
pub(super) async fn view(State(shared): State<Shared>, holder: LinkHolder) -> Result<Json<CaptureView>> {
    Ok(Json(capture::view(&shared.app, &holder).await?))
}

/// `POST /v2/capture/cases`: 201 if this call opened the case, 200 if it was open already.
pub(super) async fn open_case(State(shared): State<Shared>, holder: LinkHolder) -> Result<impl IntoResponse> {
    let (case, is_new) = capture::open_case(&shared.app, &holder).await?;
    Ok((created_if(is_new), Json(case)))
}

/// `GET /v2/capture/cases/:caseId`
pub(super) async fn read_case(
    State(shared): State<Shared>,
    holder: CaptureHolder,
    case: CaseId,
) -> Result<Json<CaseView>> {
    Ok(Json(capture::read_case(&shared.app, &holder, case).await?))
}

/// `POST /v2/capture/cases/:caseId/entries`: 201, or 200 for a capture that was stored before.
pub(super) async fn add_entry(
    State(shared): State<Shared>,
    holder: CaptureHolder,
    case: CaseId,
    JsonBody(body): JsonBody,
) -> Result<impl IntoResponse> {
    let entry = read_with(&body, CapturedEntry::read)?;
    let (stored, is_new) = capture::add_entry(&shared.app, &holder, case, entry).await?;
    Ok((created_if(is_new), Json(stored)))
}

/// `POST /v2/capture/cases/:caseId/records`
pub(super) async fn announce(
    State(shared): State<Shared>,
    holder: CaptureHolder,
    case: CaseId,
    JsonBody(body): JsonBody,
) -> Result<Json<SessionView>> {
    let announcement = read_with(&body, Announcement::read)?;
    Ok(Json(capture::announce(&shared.app, &holder, case, announcement).await?))
}

/// `POST /v2/capture/cases/:caseId/close`
pub(super) async fn close(
    State(shared): State<Shared>,
    holder: CaptureHolder,
    case: CaseId,
    OptionalJsonBody(body): OptionalJsonBody,
) -> Result<Json<ClosedCase>> {
    let closing = read_with(&body, Closing::read)?;
    Ok(Json(capture::close(&shared.app, &holder, case, closing).await?))
}

/// `GET /v2/receipt-keys`
pub(super) async fn receipt_keys(State(shared): State<Shared>) -> Json<ReceiptKeys> {
    Json(ReceiptKeys::of(&shared.app))
}

fn created_if(is_new: bool) -> StatusCode {
    if is_new { StatusCode::CREATED } else { StatusCode::OK }
}
