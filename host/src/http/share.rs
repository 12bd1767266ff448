//! Public certificates, and the page that shows what each proves (spec 4.16, decisions 9); and for their company the whole
//! case in one file.

mod page;

pub(super) use self::page::{class, sign};

use std::sync::Arc;

use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
};
use sealwright_seal::Sha256Digest;

use super::{
    access_key::by_key,
    html, parts,
    public::{self, AccessKey, Facts, REVALIDATE},
    request::RequestFacts,
    shared::Shared,
};
use crate::{
    app::{
        App, package,
        session::Caller,
        share::{self, SharedEvidence},
        verification::Language,
    },
    domain::{access_key::ShareToken, operation::Operation},
    error::{Error, Result},
};

/// `GET /share/case/:shareToken`: the certificate. Waits for one that is still being rendered.
pub(super) async fn certificate(
    State(shared): State<Shared>,
    facts: RequestFacts,
    AccessKey(token): AccessKey,
    headers: HeaderMap,
) -> Response {
    let find = share::find(&shared.app, &token);
    by_key(&shared, &facts, (Operation::ReadSharedCase, token.clone()), find, async |found| match found {
        Ok(token) => serve(&shared.app, &token, &headers).await.into_response(),
        Err(error) => error.into_response(),
    })
    .await
}

async fn serve(app: &Arc<App>, token: &ShareToken, headers: &HeaderMap) -> Result<Response> {
    let certificate = share::certificate(app, token).await?;
    let facts = Facts {
        media_type: "application/pdf",
        entity_tag: certificate.sha256.to_string(),
        cache_control: REVALIDATE,
        file_name: Some(format!("{}.pdf", certificate.reference)),
    };
    if public::is_unchanged(headers, &facts) {
        return Ok(public::unchanged(&facts));
    }
    Ok(public::whole(certificate.pdf, &facts))
}

/// `GET /share/case/:shareToken/evidence`: the evidence record of the certificate as it is now.
pub(super) async fn evidence(
    State(shared): State<Shared>,
    facts: RequestFacts,
    AccessKey(token): AccessKey,
    headers: HeaderMap,
) -> Response {
    let find = share::find(&shared.app, &token);
    by_key(&shared, &facts, (Operation::ReadSharedEvidence, token.clone()), find, async |found| match found {
        Ok(token) => serve_evidence(&shared.app, &token, &headers).await.into_response(),
        Err(error) => error.into_response(),
    })
    .await
}

async fn serve_evidence(app: &App, token: &ShareToken, headers: &HeaderMap) -> Result<Response> {
    let SharedEvidence { reference, record } = share::evidence(app, token).await?;
    let facts = Facts {
        media_type: "application/octet-stream",
        entity_tag: Sha256Digest::of(&record).to_string(),
        cache_control: REVALIDATE,
        file_name: Some(format!("{reference}.ers")),
    };
    if public::is_unchanged(headers, &facts) {
        return Ok(public::unchanged(&facts));
    }
    Ok(public::bytes(record.into(), &facts))
}

/// `GET /share/case/:shareToken/verify`: a page that shows what was sealed, when, and whether it still holds. 200
/// whatever the result is, 404 when there is no such certificate, 503 while it is being made.
pub(super) async fn verify(
    State(shared): State<Shared>,
    facts: RequestFacts,
    AccessKey(token): AccessKey,
    headers: HeaderMap,
) -> Response {
    let (language, find) = (preferred_language(&headers), share::find(&shared.app, &token));
    by_key(&shared, &facts, (Operation::VerifySharedCase, token.clone()), find, async |found| match found {
        Ok(token) => account(&shared.app, &token, language).await,
        Err(error) => refusal(error, language),
    })
    .await
}

/// `GET /share/case/:shareToken/package`: certificate, originals, time-stamp tokens and proofs in one file. Below a public
/// address, but only for users of the case's company.
pub(super) async fn package(
    State(shared): State<Shared>,
    caller: Caller,
    AccessKey(token): AccessKey,
) -> Result<Response> {
    parts::package(package::download(&shared.app, &caller, &token).await?)
}

async fn account(app: &Arc<App>, token: &ShareToken, language: Language) -> Response {
    match share::account(app, token, language).await {
        Ok(shared) => {
            let url = app.public_url(&format!("/share/case/{token}"));
            let checker = app.public_url("/verify");
            let page = page::of_account(&shared.account, &shared.reference.to_string(), &url, &checker);
            html::respond(StatusCode::OK, tag(language), page)
        }
        Err(error) => refusal(error, language),
    }
}

fn refusal(error: Error, language: Language) -> Response {
    let tag = tag(language);
    match error {
        Error::NotFound { .. } => html::respond(StatusCode::NOT_FOUND, tag, page::of_unknown(language)),
        Error::NotReady { retry_after_seconds, .. } => {
            let mut response = html::respond(StatusCode::SERVICE_UNAVAILABLE, tag, page::of_not_ready(language));
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(retry_after_seconds));
            response
        }
        error => error.into_response(),
    }
}

fn tag(language: Language) -> &'static str {
    match language {
        Language::English => "en",
        Language::French => "fr",
        Language::German => "de",
    }
}

fn preferred_language(headers: &HeaderMap) -> Language {
    let languages = [Language::English, Language::French, Language::German];
    super::link::preferred(headers, &languages.map(|language| (tag(language), language)), Language::English)
}
