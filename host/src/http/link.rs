//! Links: creating one, and the page of one (spec 4.18, decisions 7).

mod page;
mod words;

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};

pub(super) use self::words::{Language, preferred};
use super::{
    access_key::by_key,
    body::{JsonText, read_with},
    html::{self, CaptureApp},
    public::AccessKey,
    request::RequestFacts,
    shared::Shared,
};
use crate::{
    app::{
        link::{self, LinkState, LinkView},
        session::Caller,
    },
    domain::{link::NewLink, operation::Operation},
    error::{Error, Result},
};

/// `POST /link/create`
pub(super) async fn create(State(shared): State<Shared>, caller: Caller, body: JsonText) -> Result<impl IntoResponse> {
    let new_link = read_with(&body.value, |value| NewLink::read(value, &body.body.bytes))?;
    let created = link::create(&shared.app, &caller, new_link).await?;
    Ok((StatusCode::CREATED, Json(created)))
}

/// `GET /link/:magicLinkToken`: a page for the person who was sent the link. 200 while the link can be used, 410
/// when it has expired, is used up or its form is no longer offered, 404 when there is no such link.
pub(super) async fn page(
    State(shared): State<Shared>,
    facts: RequestFacts,
    AccessKey(token): AccessKey,
    headers: HeaderMap,
) -> Response {
    let find = async { link::view(&shared.app, &token).await?.ok_or_else(|| Error::not_found("no such link")) };
    // Each link is counted separately, whatever the letter case of its token.
    let key = (Operation::ReadLinkPage, token.to_ascii_lowercase());
    by_key(&shared, &facts, key, find, async |view| match view {
        Ok(view) => respond(Some(&view), Language::preferred(&headers)),
        Err(Error::NotFound(_)) => respond(None, Language::preferred(&headers)),
        Err(error) => error.into_response(),
    })
    .await
}

/// The page of a link that does not exist, to show what a frame asks for. `link` is what the capture API would answer for
/// it, as JSON, and `view` what someone without scripts would see.
pub(super) fn preview(view: &LinkView, link: &str, language: Language) -> Response {
    let notice = language.pick(
        "Preview: nothing that you enter here is kept or sent.",
        "Aperçu\u{a0}: rien de ce que vous saisissez ici n’est conservé ni envoyé.",
    );
    let app = CaptureApp::Preview { link, notice };
    html::respond_with_capture(StatusCode::OK, language.tag(), app, page::of_link(view, language))
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
    html::respond_with_capture(status, language.tag(), CaptureApp::Link, page)
}
