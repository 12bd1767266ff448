//! Signing in by an OpenID Connect provider: two addresses that a browser visits, and that always lead on. What went
//! wrong is in the fragment of `/field`, whose script says it in the reader's language.

use axum::{
    extract::{Query, State, rejection::QueryRejection},
    http::{HeaderMap, header::SET_COOKIE},
    response::{IntoResponse, Response},
};
use serde::Deserialize;

use super::{FAILED_LIMIT, cookie};
use crate::{
    app::{
        openid::{Callback, OngoingSignIn, SignInFailure},
        session::{
            field,
            openid::{self, begin, finish, recognise},
            record_failure,
        },
    },
    domain::{company_manifest::UserKind, operation::Operation, rate_limit::Counter},
    error::Error,
    http::{
        cookie::is_from_another_site,
        openid::asks_again,
        rate_limit::{ExceededQuota, default_limit},
        request::RequestFacts,
        shared::Shared,
    },
};

/// Where the person goes on.
const PAGE: &str = "/field";

/// What the page says. Its script knows these words.
#[derive(Clone, Copy, Debug)]
enum Problem {
    Unknown,
    Unavailable,
    Unfinished,
    Limited,
}

#[derive(Debug, Default, Deserialize)]
pub(in crate::http) struct StartQuery {
    prompt: Option<String>,
}

/// `GET /field/sign-in`: leads to the provider.
pub(in crate::http) async fn start(
    State(shared): State<Shared>,
    query: Result<Query<StartQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Response {
    if let Err(error) = openid::provider(&shared.app) {
        return error.into_response();
    }
    if is_from_another_site(&headers) {
        // Another site must not start it: the person decides on our page.
        return lead_to(PAGE);
    }
    let again = query.is_ok_and(|Query(query)| asks_again(query.prompt.as_deref()));
    match begin(&shared.app, again, cookie::read(&shared, &headers).as_ref()).await {
        Ok(begun) => {
            let mut response = lead_to(begun.url.as_str());
            response.headers_mut().append(SET_COOKIE, cookie::set_attempt(&shared, &begun.sealed));
            response
        }
        Err(failure) => lead_back(failure),
    }
}

/// `GET /field/signed-in`: the provider sends the person here.
pub(in crate::http) async fn callback(
    State(shared): State<Shared>,
    facts: RequestFacts,
    query: Result<Query<Callback>, QueryRejection>,
    headers: HeaderMap,
) -> Response {
    if let Err(error) = openid::provider(&shared.app) {
        return error.into_response();
    }
    let callback = query.map(|Query(callback)| callback).unwrap_or_default();
    // Until the state is right, this may be anyone's request: a sign-in in progress is not given up for it.
    let ongoing = match recognise(&shared.app, cookie::read_attempt(&shared, &headers), callback) {
        Ok(ongoing) => ongoing,
        Err(failure) => return lead_back(failure),
    };
    let mut response = sign_in(&shared, &facts, ongoing).await.unwrap_or_else(|response| response);
    response.headers_mut().append(SET_COOKIE, cookie::clear_attempt(&shared));
    response
}

/// Limited as the sign-in with a password is: failures by client, successes by company. A provider that is away is not the
/// person's failure.
async fn sign_in(shared: &Shared, facts: &RequestFacts, ongoing: OngoingSignIn) -> Result<Response, Response> {
    let app = &shared.app;
    let failures = Counter::failed_sign_in("by the provider", facts.client);
    if app.rates.refusal(&failures, FAILED_LIMIT).is_some() {
        return Err(limited(failures.quota()));
    }
    let before = ongoing.before();
    let signed_in = match finish(app, ongoing).await {
        Ok(signed_in) => signed_in,
        Err(failure) => {
            if matches!(failure, SignInFailure::Unfinished(_) | SignInFailure::NotAdmitted { .. }) {
                app.rates.admit(failures, FAILED_LIMIT).await.map_err(IntoResponse::into_response)?;
                let recorded = record_failure(app, UserKind::Field, None, facts.client).await;
                recorded.map_err(IntoResponse::into_response)?;
            }
            return Err(lead_back(failure));
        }
    };
    let counter = Counter::Company(Operation::SignInFieldUser, signed_in.company.id);
    let limit = signed_in.company.rate_limit(Operation::SignInFieldUser);
    let limit = limit.unwrap_or_else(|| default_limit(Operation::SignInFieldUser));
    let quota = counter.quota();
    if !app.rates.admit(counter, limit).await.map_err(IntoResponse::into_response)?.admitted {
        return Err(limited(quota));
    }
    let session = match field::begin(app, signed_in, before, facts.client).await {
        Ok(session) => session,
        Err(Error::Unauthenticated(reason)) => return Err(lead_back(SignInFailure::Unfinished(reason))),
        Err(error) => return Err(error.into_response()),
    };
    let mut response = lead_to(PAGE);
    response.headers_mut().append(SET_COOKIE, cookie::set(shared, &session.token));
    Ok(response)
}

/// Logs the failure and leads back to the page, which says what happened.
fn lead_back(failure: SignInFailure) -> Response {
    let problem = match failure {
        SignInFailure::Unavailable(reason) => {
            tracing::warn!(reason, "a sign-in by the provider failed");
            Problem::Unavailable
        }
        SignInFailure::Unfinished(reason) => {
            tracing::info!(reason, "a sign-in by the provider failed");
            Problem::Unfinished
        }
        // The operator needs the subject, to enter it in the company manifest.
        SignInFailure::NotAdmitted { subject, .. } => {
            tracing::info!(subject, "the provider knows a person who is not in a company manifest");
            Problem::Unknown
        }
        SignInFailure::Other(error) => return error.into_response(),
    };
    lead_to_problem(problem)
}

/// Counted like a 429, although the browser is led on.
fn limited(quota: &'static str) -> Response {
    let mut response = lead_to_problem(Problem::Limited);
    response.extensions_mut().insert(ExceededQuota(quota));
    response
}

fn lead_to_problem(problem: Problem) -> Response {
    let word = match problem {
        Problem::Unknown => "unknown",
        Problem::Unavailable => "unavailable",
        Problem::Unfinished => "unfinished",
        Problem::Limited => "limited",
    };
    lead_to(&format!("{PAGE}#sign-in-{word}"))
}

fn lead_to(address: &str) -> Response {
    crate::http::openid::lead_to(address).unwrap_or_else(IntoResponse::into_response)
}
