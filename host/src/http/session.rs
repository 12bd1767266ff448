//! `POST /auth/token` (spec 4.1).

use axum::{
    Json,
    extract::{FromRequest, Request, State},
    response::{IntoResponse, Response},
};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Shared,
    body::{JsonBody, read_with},
    guard::{counted, default_limit},
    request::RequestFacts,
};
use crate::{
    app::session,
    domain::{credentials::SignIn, operation::Operation, rate_limit::Counter},
    error::Error,
};

/// A token for an API user.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Token {
    /// A JWT, to be sent as `Authorization: Bearer <token>`.
    pub(super) token: String,
}

/// Answers a token. Counts against the company of the username, refused attempts included; whatever names no known user
/// shares one counter (decisions 11).
pub(super) async fn create_token(State(shared): State<Shared>, facts: RequestFacts, request: Request) -> Response {
    let sign_in = match JsonBody::from_request(request, &shared).await {
        Ok(JsonBody(body)) => read_with(&body, SignIn::read),
        Err(error) => Err(error),
    };
    let company = match &sign_in {
        Ok(sign_in) => session::company_of_username(&shared.app, &sign_in.username).await,
        Err(_) => Ok(None),
    };
    let (counter, limit) = match company {
        Ok(Some(company)) => (
            Counter::Company(Operation::CreateToken, company.id),
            company.rate_limit(Operation::CreateToken).unwrap_or(default_limit(Operation::CreateToken)),
        ),
        Ok(None) => (Counter::Unknown(Operation::CreateToken), default_limit(Operation::CreateToken)),
        Err(error) => return error.into_response(),
    };
    counted(&shared, &facts, counter, limit, async {
        let token = match sign_in {
            Ok(sign_in) => session::sign_in(&shared.app, &sign_in.username, sign_in.password).await,
            Err(error) => Err::<String, Error>(error),
        };
        token.map(|token| Json(Token { token })).into_response()
    })
    .await
}
