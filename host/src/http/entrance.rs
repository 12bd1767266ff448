//! `GET /`: where a person who has only the server's address goes on.

use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderMap, StatusCode},
    middleware::{Next, from_fn_with_state},
    response::Response,
    routing::get,
};
use maud::html;

use super::{
    guard::counted,
    html::{Page, respond},
    link::Language,
    request::RequestFacts,
    shared::Shared,
};
use crate::domain::{operation::Operation, rate_limit::Counter};

/// Requests of one client in 60 seconds, together with those of the reference.
const LIMIT: u32 = 120;

pub(super) fn routes(shared: &Shared) -> Router<Shared> {
    Router::new().route("/", get(page)).route_layer(from_fn_with_state(shared.clone(), count))
}

async fn count(State(shared): State<Shared>, facts: RequestFacts, request: Request, next: Next) -> Response {
    counted(&shared, &facts, Counter::Client(Operation::ReadReference, facts.client), LIMIT, next.run(request)).await
}

async fn page(headers: HeaderMap) -> Response {
    let language = Language::preferred(&headers);
    let places = [
        ("/console", language.pick("Console: review and manage cases", "Console : examiner et gérer les dossiers")),
        (
            "/field",
            language.pick("Field app: fill cases on site", "Application de terrain : remplir les dossiers sur place"),
        ),
        ("/verify", language.pick("Check a certificate", "Vérifier un certificat")),
        ("/docs", language.pick("Reference for programs", "Référence pour les programmes")),
    ];
    let main = html! {
        h1 { "Sealwright" }
        p { (language.pick(
            "Evidence of a case, sealed in one certified PDF.",
            "Les preuves d’un dossier, scellées dans un PDF certifié.",
        )) }
        ul { @for (address, name) in places { li { a href=(address) { (name) } } } }
    };
    respond(StatusCode::OK, language.tag(), Page { title: "Sealwright".to_owned(), main })
}
