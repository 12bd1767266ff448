//! `GET /v2/events`: the feed of events.

use axum::{
    Json,
    extract::{RawQuery, State},
};

use super::shared::Shared;
use crate::{
    app::{
        event::{self, EventPage},
        session::Caller,
    },
    domain::event::EventQuery,
    error::{Error, Result},
};

/// The events after a cursor.
pub(super) async fn read(
    State(shared): State<Shared>,
    caller: Caller,
    RawQuery(query): RawQuery,
) -> Result<Json<EventPage>> {
    let pairs: Vec<(String, String)> =
        url::form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned().collect();
    let query = EventQuery::read(&pairs).map_err(|problems| Error::Invalid(problems.join(", ")))?;
    Ok(Json(event::read(&shared.app, &caller, query).await?))
}
