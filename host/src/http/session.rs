//! `POST /auth/token` (spec 4.1), and what every sign-in with a password has in common.

use axum::{
    Json,
    extract::{FromRequest, Request, State},
    response::{IntoResponse, Response},
};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    body::{JsonBody, read_with},
    guard::counted,
    rate_limit,
    rate_limit::default_limit,
    request::RequestFacts,
    shared::Shared,
};
use crate::{
    app::session::{self, SignedIn},
    domain::{company_manifest::UserKind, credentials::SignIn, operation::Operation, rate_limit::Counter},
    error::{Error, Result},
};

/// A token for an API user.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Token {
    /// A JWT, to be sent as `Authorization: Bearer <token>`.
    pub(super) token: String,
}

/// Where a user signs in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Door {
    pub(super) operation: Operation,
    /// The kind of users who may.
    pub(super) kind: UserKind,
    /// How many sign-ins may fail in 60 seconds, for one username and client address.
    pub(super) failed_limit: u32,
}

/// Returns a token. An issued token counts against the user's company. A failure counts for its username and client
/// address, whether the user exists or not, so that the headers do not reveal who exists, and no one can lock a company
/// out (decisions 11).
pub(super) async fn create_token(State(shared): State<Shared>, facts: RequestFacts, request: Request) -> Response {
    let failed_limit = default_limit(Operation::CreateToken);
    let body = JsonBody::from_request(request, &shared).await;
    let door = Door { operation: Operation::CreateToken, kind: UserKind::Api, failed_limit };
    with_password(&shared, &facts, door, body, async |user| grant(&shared, &facts, user).await).await
}

/// Checks username and password, and answers a user who may come in with `welcome`, which also counts the success.
/// Failures are counted here, those of all doors together.
pub(super) async fn with_password(
    shared: &Shared,
    facts: &RequestFacts,
    door: Door,
    body: Result<JsonBody>,
    welcome: impl AsyncFnOnce(SignedIn) -> Response,
) -> Response {
    let Door { operation, kind, failed_limit } = door;
    let SignIn { username, password } = match body.and_then(|JsonBody(body)| read_with(&body, SignIn::read)) {
        Ok(sign_in) => sign_in,
        Err(error) => {
            let malformed = Counter::Unknown(operation);
            return counted(shared, facts, malformed, default_limit(operation), async { error.into_response() }).await;
        }
    };
    let failures = Counter::failed_sign_in(&username, facts.client);
    // Held until the outcome is counted: concurrent guesses cannot exceed the limit.
    let _turn = shared.app.sign_ins.turn(facts.client).await;
    if let Some(refusal) = shared.app.rates.refusal(&failures, failed_limit) {
        return rate_limit::refusal((refusal, failures.quota()), facts, shared.app.clock.now());
    }
    match session::check_password(&shared.app, kind, &username, password, facts.client).await {
        Ok(user) => welcome(user).await,
        Err(error @ Error::Unauthenticated(_)) => {
            // Without the username: people type passwords into that field.
            tracing::info!(address = %facts.client, "a sign-in failed");
            counted(shared, facts, failures, failed_limit, async { error.into_response() }).await
        }
        Err(error) => error.into_response(),
    }
}

async fn grant(shared: &Shared, facts: &RequestFacts, user: SignedIn) -> Response {
    let counter = Counter::Company(Operation::CreateToken, user.company.id);
    let limit = user.company.rate_limit(Operation::CreateToken);
    let limit = limit.unwrap_or_else(|| default_limit(Operation::CreateToken));
    let granted = async {
        let issued = session::issue_token(&shared.app, user, facts.client).await;
        issued.map(|token| Json(Token { token })).into_response()
    };
    // The future is large, and `counted` holds it twice.
    counted(shared, facts, counter, limit, Box::pin(granted)).await
}
