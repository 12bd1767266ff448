//! The field app: signing in at `/field`, the session's cookie, and the user's cases (decisions 16).

pub(super) mod cookie;
pub(super) mod openid;
mod page;

use axum::{
    Json,
    extract::{FromRequest as _, Request, State},
    http::{HeaderMap, StatusCode, header::SET_COOKIE},
    response::{IntoResponse, Redirect, Response},
};

use super::{
    body::{JsonBody, read_with},
    cookie::is_from_another_site,
    guard::counted,
    html::{self, CaptureApp},
    link::Language,
    rate_limit::default_limit,
    request::RequestFacts,
    session::{Door, with_password},
    shared::Shared,
};
use crate::{
    app::{
        capture::field::{self, FieldCases, QuickCase},
        session::field::{FieldUser, SessionView, begin, end},
    },
    domain::{
        company_manifest::UserKind, field::NewQuickCase, operation::Operation, rate_limit::Counter,
        session::SessionToken,
    },
    error::{Error, Result},
};

/// Failed sign-ins in 60 seconds of one username from one address. People's passwords are weaker than those of programs.
const FAILED_LIMIT: u32 = 20;

/// `GET /field`: the page. It holds nothing about anyone; its script asks for the session.
pub(super) async fn page(State(shared): State<Shared>, headers: HeaderMap) -> Response {
    let language = Language::preferred(&headers);
    let provider = shared.app.config.field.openid.as_ref().map(|openid| openid.name.as_str());
    let app = CaptureApp::Field { provider };
    html::respond_with_capture(StatusCode::OK, language.tag(), app, page::page(language))
}

/// `GET /field/`: people type the slash, and the worker's scope is the path without it.
pub(super) async fn to_page() -> Redirect {
    Redirect::permanent("/field")
}

/// `POST /v2/field/sign-in`
pub(super) async fn sign_in(State(shared): State<Shared>, facts: RequestFacts, request: Request) -> Response {
    if is_from_another_site(request.headers()) {
        return Error::forbidden(FOREIGN_PAGE).into_response();
    }
    let before = cookie::read(&shared, request.headers());
    let body = JsonBody::from_request(request, &shared).await;
    let door = Door { operation: Operation::SignInFieldUser, kind: UserKind::Field, failed_limit: FAILED_LIMIT };
    with_password(&shared, &facts, door, body, async |signed_in| {
        let company = &signed_in.company;
        let counter = Counter::Company(Operation::SignInFieldUser, company.id);
        let limit = company.rate_limit(Operation::SignInFieldUser);
        let limit = limit.unwrap_or_else(|| default_limit(Operation::SignInFieldUser));
        let begun = async {
            let before = before.as_ref().map(SessionToken::digest);
            let session = begin(&shared.app, signed_in, before, facts.client).await?;
            let view = SessionView::of(&session.user, &session.token);
            Ok::<_, Error>(([(SET_COOKIE, cookie::set(&shared, &session.token))], Json(view)))
        };
        counted(&shared, &facts, counter, limit, Box::pin(async { begun.await.into_response() })).await
    })
    .await
}

pub(super) const FOREIGN_PAGE: &str = "sign in on the page /field of this server";

/// `GET /v2/field/session`
pub(super) async fn session(State(shared): State<Shared>, user: FieldUser, headers: HeaderMap) -> Result<Response> {
    let token = cookie::read(&shared, &headers).ok_or_else(cookie::missing)?;
    Ok(Json(SessionView::of(&user, &token)).into_response())
}

/// `POST /v2/field/sign-out`
pub(super) async fn sign_out(State(shared): State<Shared>, user: FieldUser) -> Result<impl IntoResponse> {
    end(&shared.app, &user).await?;
    Ok((StatusCode::NO_CONTENT, [(SET_COOKIE, cookie::clear(&shared))]))
}

/// `GET /v2/field/cases`
pub(super) async fn cases(State(shared): State<Shared>, user: FieldUser) -> Result<Json<FieldCases>> {
    Ok(Json(field::list(&shared.app, &user).await?))
}

/// `POST /v2/field/cases`: 201 if this call opened the case, 200 if an earlier one did.
pub(super) async fn open_quick_case(
    State(shared): State<Shared>,
    user: FieldUser,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Json<QuickCase>)> {
    let new = read_with(&body, NewQuickCase::read)?;
    let (case, is_new) = field::open_quick(&shared.app, &user, new).await?;
    Ok((if is_new { StatusCode::CREATED } else { StatusCode::OK }, Json(case)))
}
