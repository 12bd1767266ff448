//! Cases: opening, changing, closing and deleting them, one at a time or many (spec 4.4 to 4.11).

use axum::{Json, extract::State, http::StatusCode, response::IntoResponse};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    body::{JsonBody, read_with},
    idempotency::{RepeatKey, repeated},
    shared::Shared,
};
use crate::{
    app::{
        case::{self, BulkFailure, BulkOutcome, BulkSuccess, ClosedCase},
        session::Caller,
    },
    clock::Timestamp,
    domain::{
        case::{
            CaseUpdate, NewCase,
            bulk::{CaseIds, CaseUpdates, NewCases},
        },
        id::{CaseId, CompanyId},
        link::LinkToken,
        operation::Operation,
    },
    error::Result,
};

/// `POST /cases/create`
pub(super) async fn create(
    State(shared): State<Shared>,
    caller: Caller,
    key: RepeatKey,
    JsonBody(body): JsonBody,
) -> Result<impl IntoResponse> {
    let new = read_with(&body, NewCase::read)?;
    let request = key.request(&caller, Operation::CreateCase, &body.to_string());
    let created = case::create(&shared.app, &caller, new, request.as_ref()).await?;
    Ok((StatusCode::CREATED, repeated(created.is_repeated), Json(created.answer)))
}

/// `POST /cases/bulk-create`
pub(super) async fn create_all(
    State(shared): State<Shared>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Json<BulkAnswer>> {
    let elements = read_with(&body, NewCases::read)?.0;
    let outcome = case::create_all(&shared.app, &caller, elements).await?;
    Ok(BulkAnswer::of("Cases bulk create ended", &shared, &caller, outcome))
}

/// `GET /cases/close/:caseId`
pub(super) async fn close(
    State(shared): State<Shared>,
    caller: Caller,
    id: CaseId,
    key: RepeatKey,
) -> Result<impl IntoResponse> {
    let request = key.request(&caller, Operation::CloseCase, &id.to_string());
    let closed = case::close(&shared.app, &caller, id, request.as_ref()).await?;
    Ok((repeated(closed.is_repeated), Json(Closed::from(closed.answer))))
}

/// `GET /cases/close/link/:magicLinkToken`
pub(super) async fn close_by_link(
    State(shared): State<Shared>,
    caller: Caller,
    token: LinkToken,
    key: RepeatKey,
) -> Result<impl IntoResponse> {
    let request = key.request(&caller, Operation::CloseCaseByLink, &token.to_string());
    let closed = case::close_by_link(&shared.app, &caller, &token, request.as_ref()).await?;
    Ok((repeated(closed.is_repeated), Json(Closed::from(closed.answer))))
}

/// `PATCH /cases/update`
pub(super) async fn update(
    State(shared): State<Shared>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Json<Updated>> {
    let update = read_with(&body, CaseUpdate::read)?;
    case::update(&shared.app, &caller, update).await?;
    Ok(Json(Updated::SUCCESS))
}

/// `PATCH /cases/bulk-update`
pub(super) async fn update_all(
    State(shared): State<Shared>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Json<BulkAnswer>> {
    let elements = read_with(&body, CaseUpdates::read)?.0;
    let outcome = case::update_all(&shared.app, &caller, elements).await?;
    Ok(BulkAnswer::of("Cases bulk update ended", &shared, &caller, outcome))
}

/// `DELETE /cases/delete/:caseId`
pub(super) async fn delete(State(shared): State<Shared>, caller: Caller, id: CaseId) -> Result<Json<Deleted>> {
    case::delete(&shared.app, &caller, id).await?;
    Ok(Json(Deleted::SUCCESS))
}

/// `POST /cases/bulk-delete`
pub(super) async fn delete_all(
    State(shared): State<Shared>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Json<BulkAnswer>> {
    let CaseIds(ids) = read_with(&body, CaseIds::read)?;
    let outcome = case::delete_all(&shared.app, &caller, &ids).await?;
    Ok(BulkAnswer::of("Cases bulk delete ended", &shared, &caller, outcome))
}

/// The answer to a closing. It has `caseId` and `pdfUrl` even if no document is analysed (spec 4.6; decisions 5).
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Closed {
    /// `Success`
    status: &'static str,
    /// `Case closed successfully`
    message: &'static str,
    #[serde(flatten)]
    case: ClosedCase,
}

/// The answer to an update (spec 4.8).
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Updated {
    /// True: an update that fails is answered with an error.
    success: bool,
}

/// The answer to a deletion (spec 4.10).
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Deleted {
    /// `Success`
    status: &'static str,
    /// `Case deleted successfully`
    message: &'static str,
}

/// The answer to a bulk request, even if elements failed (spec 4.5, 4.9 and 4.11).
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct BulkAnswer {
    /// `Cases bulk create ended`, or `update` or `delete` instead of `create`.
    pub(super) state: &'static str,
    /// When it ended.
    pub(super) date: Timestamp,
    /// The caller's company.
    pub(super) company: CompanyId,
    /// The elements that succeeded.
    pub(super) success: Vec<BulkSuccess>,
    /// The elements that failed.
    pub(super) error: Vec<BulkFailure>,
}

impl From<ClosedCase> for Closed {
    fn from(case: ClosedCase) -> Self {
        Self { status: "Success", message: "Case closed successfully", case }
    }
}

impl Updated {
    pub(super) const SUCCESS: Self = Self { success: true };
}

impl Deleted {
    pub(super) const SUCCESS: Self = Self { status: "Success", message: "Case deleted successfully" };
}

impl BulkAnswer {
    fn of(state: &'static str, shared: &Shared, caller: &Caller, outcome: BulkOutcome) -> Json<Self> {
        let (date, company) = (shared.app.clock.now(), caller.company_id());
        Json(Self { state, date, company, success: outcome.success, error: outcome.error })
    }
}
