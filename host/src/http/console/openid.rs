//! Signing in to the console by an OpenID Connect provider: two addresses that a browser visits.

use axum::{
    extract::{Query, State, rejection::QueryRejection},
    http::{HeaderMap, StatusCode, header::SET_COOKIE},
    response::Response,
};
use maud::html;
use serde::Deserialize;

use super::{
    guard::{SIGN_IN, redirect},
    layout,
    problem::PageResult,
    sign_in::onward_of,
    visit::{SESSION, Visitor},
};
use crate::{
    app::{
        audit::AuditOutcome,
        console::{
            account::FAILED_LIMIT,
            openid::{self, begin, finish, recognise, record_failure},
        },
        openid::{ATTEMPT_LIFETIME, Callback, OngoingSignIn, SignInFailure},
    },
    domain::rate_limit::Counter,
    http::{
        cookie::{Cookie, SameSite, is_from_another_site},
        link::Language,
        openid::{asks_again, lead_to},
        rate_limit::ExceededQuota,
        shared::Shared,
    },
};

/// The sign-in in progress. It comes with the person who returns from the provider, which is another site.
const ATTEMPT: Cookie = Cookie { name: "sealwright-console-sign-in", same_site: SameSite::Lax };

/// In bytes. A browser keeps a cookie of at most 4096, and this is only a part of it.
const LONGEST_NEXT: usize = 1000;

#[derive(Debug, Default, Deserialize)]
pub(super) struct StartQuery {
    #[serde(default)]
    next: String,
    prompt: Option<String>,
}

/// `GET /console/sign-in/openid`: leads to the provider.
pub(super) async fn start(
    State(shared): State<Shared>,
    visitor: Visitor,
    query: Result<Query<StartQuery>, QueryRejection>,
    headers: HeaderMap,
) -> PageResult {
    openid::provider(&shared.app)?;
    if is_from_another_site(&headers) {
        // Another site must not start it: the person decides on our page.
        return Ok(redirect(SIGN_IN));
    }
    let query = query.map(|Query(query)| query).unwrap_or_default();
    let next = if query.next.len() > LONGEST_NEXT { String::new() } else { onward_of(&query.next) };
    let again = asks_again(query.prompt.as_deref());
    match begin(&shared.app, again, visitor.token.as_ref(), &next).await {
        Ok(begun) => {
            let mut response = lead_to(begun.url.as_str())?;
            let cookie = ATTEMPT.set(&shared, &begun.sealed, ATTEMPT_LIFETIME);
            response.headers_mut().append(SET_COOKIE, cookie);
            Ok(response)
        }
        Err(failure) => refuse(visitor.language, failure),
    }
}

/// `GET /console/sign-in/openid/callback`: the provider sends the person here.
pub(super) async fn callback(
    State(shared): State<Shared>,
    visitor: Visitor,
    query: Result<Query<Callback>, QueryRejection>,
    headers: HeaderMap,
) -> PageResult {
    openid::provider(&shared.app)?;
    let callback = query.map(|Query(callback)| callback).unwrap_or_default();
    // Until the state is right, this may be anyone's request: a sign-in in progress is not given up for it.
    let ongoing = match recognise(&shared.app, ATTEMPT.value(&shared, &headers), callback) {
        Ok(ongoing) => ongoing,
        Err(failure) => return refuse(visitor.language, failure),
    };
    let mut response = sign_in(&shared, &visitor, ongoing).await?;
    response.headers_mut().append(SET_COOKIE, ATTEMPT.clear(&shared));
    Ok(response)
}

/// Failures are limited by client. A provider that is away is not the person's failure.
async fn sign_in(shared: &Shared, visitor: &Visitor, ongoing: OngoingSignIn) -> PageResult {
    let app = &shared.app;
    let failures = Counter::failed_sign_in("console, by the provider", visitor.address);
    if app.rates.refusal(&failures, FAILED_LIMIT).is_some() {
        return Ok(limited(visitor.language, failures.quota()));
    }
    let next = onward_of(ongoing.next());
    let failure = match finish(app, ongoing, visitor.origin()).await {
        Ok(token) => {
            let mut response = lead_to(&next)?;
            let cookie = SESSION.set(shared, token.expose(), app.config.console.session_lifetime);
            response.headers_mut().append(SET_COOKIE, cookie);
            return Ok(response);
        }
        Err(failure) => failure,
    };
    let recorded = match &failure {
        SignInFailure::Unfinished(_) => Some((AuditOutcome::Failed, None)),
        SignInFailure::NotAdmitted { subject, .. } => Some((AuditOutcome::Refused, Some(subject.clone()))),
        SignInFailure::Unavailable(_) | SignInFailure::Other(_) => None,
    };
    if let Some((outcome, subject)) = recorded {
        app.rates.admit(failures, FAILED_LIMIT).await?;
        record_failure(app, visitor.address, outcome, subject.as_deref()).await?;
    }
    refuse(visitor.language, failure)
}

/// Logs the failure, and shows a page that says what happened.
fn refuse(language: Language, failure: SignInFailure) -> PageResult {
    let (status, text) = match failure {
        SignInFailure::Unavailable(reason) => {
            tracing::warn!(reason, "a sign-in to the console by the provider failed");
            let text = language.pick(
                "The sign-in of your organisation does not answer. Try again in a moment.",
                "La connexion de votre organisation ne répond pas. Réessayez dans un instant.",
            );
            (StatusCode::SERVICE_UNAVAILABLE, text)
        }
        SignInFailure::Unfinished(reason) => {
            tracing::info!(reason, "a sign-in to the console by the provider failed");
            let text = language
                .pick("The sign-in was not finished. Start it again.", "La connexion n’a pas abouti. Recommencez-la.");
            (StatusCode::BAD_REQUEST, text)
        }
        // The operator needs both, to correct what the provider says of the person.
        SignInFailure::NotAdmitted { subject, reason } => {
            tracing::info!(subject, reason, "the provider knows a person who may not use the console");
            let text = language.pick(
                "Your organisation knows you, but you may not use this console. Ask the one who manages its users for a role.",
                "Votre organisation vous connaît, mais vous n’avez pas accès à cette console. Demandez un rôle à la personne qui gère ses utilisateurs.",
            );
            (StatusCode::FORBIDDEN, text)
        }
        SignInFailure::Other(error) => return Err(error.into()),
    };
    Ok(page(status, language, text))
}

fn limited(language: Language, quota: &'static str) -> Response {
    let text = language
        .pick("Too many sign-ins have failed: wait a minute.", "Trop de connexions ont échoué : attendez une minute.");
    let mut response = page(StatusCode::TOO_MANY_REQUESTS, language, text);
    response.extensions_mut().insert(ExceededQuota(quota));
    response
}

fn page(status: StatusCode, language: Language, text: &str) -> Response {
    let title = language.pick("You are not signed in", "Vous n’êtes pas connecté");
    let main = html! {
        div.narrow {
            h1 { (title) }
            p { (text) }
            p { a href=(SIGN_IN) { (language.pick("Back to the sign-in", "Retour à la connexion")) } }
        }
    };
    layout::plain_page(status, language, title, &main)
}
