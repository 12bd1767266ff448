//! Adding and removing passkeys of the account.

use axum::{
    extract::{Path, State},
    http::StatusCode,
};

use super::{
    account,
    form::Form,
    guard::redirect,
    layout,
    problem::{PageResult, form_problem},
    visit::Visit,
};
use crate::{
    app::console::passkey::{self, Registration},
    http::shared::Shared,
};

/// `POST /console/account/passkeys`
pub(super) async fn add(State(shared): State<Shared>, visit: Visit, fields: Form) -> PageResult {
    // Each attempt costs a hash, and may be a guess.
    let _turn = shared.app.sign_ins.turn(visit.user.address).await;
    let sent = Registration {
        credential: fields.text("credential"),
        public_key: fields.text("public-key"),
        client_data: fields.text("client-data"),
        authenticator_data: fields.text("authenticator-data"),
    };
    let (name, password, sealed) = (fields.text("name"), fields.text("password").to_owned(), fields.text("sealed"));
    let added = passkey::add(&shared.app, &visit.user, password, name, sealed, &sent).await;
    match form_problem(added, visit.language)? {
        Ok(()) => Ok(redirect("/console/account?done=passkey-added")),
        Err(problem) => account::show_with(&shared, &visit, StatusCode::BAD_REQUEST, &layout::alert(&problem)).await,
    }
}

/// `POST /console/account/passkeys/:passkey/remove`
pub(super) async fn remove(
    State(shared): State<Shared>,
    visit: Visit,
    Path(id): Path<i64>,
    fields: Form,
) -> PageResult {
    let _turn = shared.app.sign_ins.turn(visit.user.address).await;
    let removed = passkey::remove(&shared.app, &visit.user, id, fields.text("password").to_owned()).await;
    match form_problem(removed, visit.language)? {
        Ok(()) => Ok(redirect("/console/account?done=passkey-removed")),
        Err(problem) => account::show_with(&shared, &visit, StatusCode::BAD_REQUEST, &layout::alert(&problem)).await,
    }
}
