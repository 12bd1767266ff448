//! The second factor: the step after the password, and its set-up in the account.

use axum::{
    extract::{Query, State},
    http::StatusCode,
    response::Response,
};
use maud::{Markup, PreEscaped, html};
use qrcode::{QrCode, render::svg};
use serde::Deserialize;

use super::{
    account,
    form::Form,
    guard::{SIGN_IN, redirect},
    layout::{self, Section},
    passkey_forms,
    problem::{PageResult, Wrong, form_problem},
    sign_in::{onward_of, with_cookie, with_session},
    visit::{SESSION, Visit, Visitor},
};
use crate::{
    app::console::{
        second_factor::{self, Enrolment},
        session::{self, Proof, SecondStep},
    },
    domain::session::SessionToken,
    error::Error,
    http::{link::Language, shared::Shared},
};

#[derive(Debug, Default, Deserialize)]
pub(super) struct Onward {
    #[serde(default)]
    next: String,
}

/// `GET /console/second-factor`
pub(super) async fn show(State(shared): State<Shared>, visitor: Visitor, Query(onward): Query<Onward>) -> PageResult {
    let Some(token) = &visitor.token else { return Ok(redirect(SIGN_IN)) };
    let step = session::second_step(&shared.app, token).await?;
    Ok(form(StatusCode::OK, visitor.language, token, (&step, &onward.next), &html! {}))
}

/// `POST /console/second-factor`
pub(super) async fn confirm(State(shared): State<Shared>, visitor: Visitor, fields: Form) -> PageResult {
    let Some(token) = &visitor.token else { return Ok(redirect(SIGN_IN)) };
    // One code at a time of one address, so that concurrent guesses are counted.
    let _turn = shared.app.sign_ins.turn(visitor.address).await;
    let next = onward_of(fields.text("next"));
    let proof = passkey_forms::assertion(&fields).map_or(Proof::Code(fields.text("code")), Proof::Passkey);
    match session::complete(&shared.app, token, proof, visitor.origin()).await {
        Ok(new) => Ok(with_session(&shared, &new.token, &next)),
        Err(Error::Form(problem)) => {
            let above = layout::alert(&Wrong::of(problem, visitor.language));
            let step = session::second_step(&shared.app, token).await?;
            Ok(form(StatusCode::BAD_REQUEST, visitor.language, token, (&step, &next), &above))
        }
        Err(Error::Unauthenticated(_)) => Ok(with_cookie(SESSION.clear(&shared), SIGN_IN)),
        Err(error) => Err(error.into()),
    }
}

/// `POST /console/account/second-factor/start`: shows the new secret, which counts once a code has confirmed it.
pub(super) async fn start(State(shared): State<Shared>, visit: Visit) -> PageResult {
    match form_problem(second_factor::start(&shared.app, &visit.user).await, visit.language)? {
        Ok(enrolment) => set_up(StatusCode::OK, &visit, &enrolment, &html! {}),
        Err(problem) => account::show_with(&shared, &visit, StatusCode::BAD_REQUEST, &layout::alert(&problem)).await,
    }
}

/// `POST /console/account/second-factor/enable`
pub(super) async fn enable(State(shared): State<Shared>, visit: Visit, fields: Form) -> PageResult {
    // Each attempt costs a hash, and may be a guess.
    let _turn = shared.app.sign_ins.turn(visit.user.address).await;
    let (password, sealed) = (fields.text("password").to_owned(), fields.text("sealed"));
    let enabled = second_factor::enable(&shared.app, &visit.user, password, sealed, fields.text("code")).await;
    let Err(problem) = form_problem(enabled, visit.language)? else {
        return Ok(redirect("/console/account?done=second-factor-on"));
    };
    let above = layout::alert(&problem);
    match second_factor::resume(&shared.app, &visit.user, sealed) {
        // The same secret, so that the app need not scan another one.
        Ok(enrolment) => set_up(StatusCode::BAD_REQUEST, &visit, &enrolment, &above),
        Err(_) => account::show_with(&shared, &visit, StatusCode::BAD_REQUEST, &above).await,
    }
}

/// `POST /console/account/second-factor/disable`
pub(super) async fn disable(State(shared): State<Shared>, visit: Visit, fields: Form) -> PageResult {
    let _turn = shared.app.sign_ins.turn(visit.user.address).await;
    let disabled = second_factor::disable(&shared.app, &visit.user, fields.text("code")).await;
    match form_problem(disabled, visit.language)? {
        Ok(()) => Ok(redirect("/console/account?done=second-factor-off")),
        Err(problem) => account::show_with(&shared, &visit, StatusCode::BAD_REQUEST, &layout::alert(&problem)).await,
    }
}

fn form(
    status: StatusCode,
    language: Language,
    token: &SessionToken,
    (step, next): (&SecondStep, &str),
    above: &Markup,
) -> Response {
    let title = language.pick("Second step", "Deuxième étape");
    let main = html! {
        div.narrow {
            h1 { (title) }
            (above)
            (passkey_forms::sign_in(step, token, next, language))
            @if step.has_codes {
                form.stack method="post" action="/console/second-factor" {
                    (layout::csrf(token))
                    input type="hidden" name="next" value=(next);
                    label for="code" { (language.pick("Code from your authenticator app", "Code de votre application d’authentification")) }
                    (layout::code_field())
                    button { (language.pick("Go on", "Continuer")) }
                }
            }
            form method="post" action="/console/sign-out" {
                (layout::csrf(token))
                button.quiet { (language.pick("Start again", "Recommencer")) }
            }
        }
    };
    layout::plain_page(status, language, title, &main)
}

fn set_up(status: StatusCode, visit: &Visit, enrolment: &Enrolment, above: &Markup) -> PageResult {
    let Visit { token, language, .. } = visit;
    let code = QrCode::new(&enrolment.url).map_err(Error::internal)?;
    let drawing = code.render::<svg::Color<'_>>().min_dimensions(220, 220).build();
    // Without the XML declaration, which does not belong in HTML.
    let drawing = drawing.split_once("?>").map_or(drawing.as_str(), |(_, svg)| svg).to_owned();
    let title = language.pick("Set up a second factor", "Configurer un second facteur");
    let main = html! {
        h1 { (title) }
        (above)
        ol {
            li { (language.pick("Scan this code with an authenticator app.", "Scannez ce code avec une application d’authentification.")) }
            li { (language.pick("Enter the six digits that the app shows, and your password.", "Saisissez les six chiffres que l’application affiche, et votre mot de passe.")) }
        }
        figure.qr { (PreEscaped(drawing)) }
        p {
            (language.pick("If you cannot scan it, enter this secret in the app: ", "Si vous ne pouvez pas le scanner, saisissez ce secret dans l’application : "))
            code { (enrolment.secret) }
        }
        form.stack method="post" action="/console/account/second-factor/enable" {
            (layout::csrf(token))
            input type="hidden" name="sealed" value=(enrolment.sealed);
            label for="code" { (language.pick("Code", "Code")) }
            (layout::code_field())
            (passkey_forms::password("password", *language))
            button { (language.pick("Turn on", "Activer")) }
        }
    };
    Ok(layout::page_with(status, visit, Section::Account, title, &main))
}
