//! Links: making one, and the page behind one (spec 4.18, decisions 7).

mod page;
mod words;

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};

pub(super) use self::words::Language;
use super::{
    Shared,
    body::{JsonText, read_with},
    guard::{counted, default_limit},
    html,
    public::AccessKey,
    request::RequestFacts,
};
use crate::{
    app::{
        link::{self, LinkState, LinkView},
        session::Caller,
    },
    domain::{link::NewLink, operation::Operation, rate_limit::Counter},
    error::Result,
};

/// `POST /link/create`
pub(super) async fn create(State(shared): State<Shared>, caller: Caller, body: JsonText) -> Result<impl IntoResponse> {
    let wish = read_with(&body.value, |value| NewLink::read(value, &body.bytes))?;
    let created = link::create(&shared.app, &caller, wish).await?;
    Ok((StatusCode::CREATED, Json(created)))
}

/// `GET /link/:magicLinkToken`: a page for the person who was sent the link. 200 while something can be done with it, 410
/// when it has expired, is used up or its form is no longer offered, 404 when there is no such link.
pub(super) async fn page(
    State(shared): State<Shared>,
    facts: RequestFacts,
    AccessKey(token): AccessKey,
    headers: HeaderMap,
) -> Response {
    let view = link::view(&shared.app, &token).await;
    // One link is counted for itself, in whichever case its token is written; whatever names none shares one counter.
    let counter = match &view {
        Ok(Some(_)) => Counter::AccessKey(Operation::ReadLinkPage, token.to_ascii_lowercase()),
        _ => Counter::Unknown(Operation::ReadLinkPage),
    };
    counted(&shared, &facts, counter, default_limit(Operation::ReadLinkPage), async {
        match view {
            Ok(view) => respond(view.as_ref(), Language::asked(&headers)),
            Err(error) => error.into_response(),
        }
    })
    .await
}

fn respond(view: Option<&LinkView>, language: Language) -> Response {
    let status = match view.map(|view| view.state) {
        Some(LinkState::Usable) => StatusCode::OK,
        Some(LinkState::Expired | LinkState::UsedUp | LinkState::Withdrawn) => StatusCode::GONE,
        None => StatusCode::NOT_FOUND,
    };
    let page = match view {
        Some(view) => page::of_link(view, language),
        None => page::of_no_link(language),
    };
    html::respond(status, language.tag(), page)
}
