//! Certified photos (decisions 16).

use axum::{
    Json,
    extract::{Request, State},
    http::StatusCode,
    response::IntoResponse,
};

use super::{multipart, shared::Shared};
use crate::{
    app::{case, session::Caller},
    domain::photo::NewPhoto,
    error::Result,
    media::Accepts,
};

/// `POST /v2/photos`
pub(super) async fn certify(
    State(shared): State<Shared>,
    caller: Caller,
    request: Request,
) -> Result<impl IntoResponse> {
    let form = multipart::read_as(request, &shared.app.blobs, Accepts::PICTURE, ("createPhotoDto", NewPhoto::read));
    let (photo, file) = form.await?;
    Ok((StatusCode::CREATED, Json(case::certify(&shared.app, &caller, photo, file).await?)))
}
