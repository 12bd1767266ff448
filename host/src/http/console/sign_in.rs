//! Signing in and out of the console.

use axum::{
    extract::{Query, State},
    http::{HeaderValue, StatusCode, header::SET_COOKIE},
    response::{IntoResponse as _, Response},
};
use maud::{Markup, html};
use serde::Deserialize;

use super::{
    form::Form,
    guard::{SIGN_IN, redirect},
    layout,
    problem::{PageResult, Wrong},
    visit::{SESSION, Visit, Visitor},
};
use crate::{
    app::console::{
        ConsoleUser,
        account::FAILED_LIMIT,
        openid,
        session::{self, NewSession},
    },
    domain::{rate_limit::Counter, session::SessionToken},
    error::Error,
    http::{link::Language, shared::Shared},
};

/// What [`Onward::reason`] says after the sign-out.
const SIGNED_OUT: &str = "signed-out";
/// The same of a user of the provider, who may still be signed in there.
const SIGNED_OUT_HERE: &str = "signed-out-here";

/// Where the sign-in through the provider begins.
const PROVIDER: &str = "/console/sign-in/openid";

/// Where a person goes on after the sign-in.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Onward {
    #[serde(default)]
    next: String,
    /// Why the page is shown.
    #[serde(default)]
    reason: String,
}

impl Onward {
    /// A page of the console; anything else would let a link lead through our sign-in to another site.
    fn address(&self) -> &str {
        let is_plain = self.next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
        let is_ours = self.next.starts_with("/console/") && is_plain;
        if is_ours { &self.next } else { "/console/cases" }
    }
}

/// `GET /console`
pub(super) async fn home(_: Visit) -> Response {
    redirect("/console/cases")
}

/// `GET /console/sign-in`
pub(super) async fn show(State(shared): State<Shared>, visitor: Visitor, Query(onward): Query<Onward>) -> Response {
    let language = visitor.language;
    let notice = match onward.reason.as_str() {
        SIGNED_OUT | SIGNED_OUT_HERE => Some(language.pick("You are signed out.", "Vous êtes déconnecté.")),
        "password" => Some(language.pick(
            "The password is changed. Sign in with the new one.",
            "Le mot de passe est changé. Connectez-vous avec le nouveau.",
        )),
        _ => None,
    };
    let elsewhere = if onward.reason == SIGNED_OUT_HERE { openid::sign_out_url(&shared.app).await } else { None };
    let above = html! {
        @if let Some(notice) = notice { (layout::notice(notice)) }
        @if let Some(address) = elsewhere {
            p {
                (language.pick("Your organisation may still know this browser. ", "Votre organisation connaît peut-être encore ce navigateur. "))
                a href=(address) { (language.pick("Sign out there too", "Se déconnecter aussi là-bas")) }
            }
        }
    };
    form(&shared, StatusCode::OK, language, &onward, ("", &above))
}

/// `POST /console/sign-in`
pub(super) async fn sign_in(State(shared): State<Shared>, visitor: Visitor, form_fields: Form) -> PageResult {
    let onward = Onward { next: form_fields.text("next").to_owned(), reason: String::new() };
    let username = form_fields.text("username").trim();
    let failures = Counter::failed_sign_in(username, visitor.address);
    // Held until the outcome is counted: concurrent guesses cannot exceed the limit.
    let _turn = shared.app.sign_ins.turn(visitor.address).await;
    let language = visitor.language;
    let refused = |status, text: &str| {
        let wrong = Wrong { text: text.to_owned(), language, problem: None };
        Ok(form(&shared, status, language, &onward, (username, &layout::alert(&wrong))))
    };
    if shared.app.rates.refusal(&failures, FAILED_LIMIT).is_some() {
        return refused(
            StatusCode::TOO_MANY_REQUESTS,
            language
                .pick("Too many wrong passwords: wait a minute", "Trop de mots de passe faux : attendez une minute"),
        );
    }
    let before = visitor.token.as_ref().map(SessionToken::digest);
    let password = form_fields.text("password").to_owned();
    match session::begin(&shared.app, username, password, visitor.origin(), before).await {
        Ok(NewSession { token, is_complete: true }) => Ok(with_session(&shared, &token, onward.address())),
        Ok(NewSession { token, is_complete: false }) => {
            let next: String = url::form_urlencoded::byte_serialize(onward.address().as_bytes()).collect();
            Ok(with_session(&shared, &token, &format!("/console/second-factor?next={next}")))
        }
        Err(Error::Unauthenticated(_)) => {
            // Without the username: people type passwords into that field.
            tracing::info!(address = %visitor.address, "a sign-in failed");
            shared.app.rates.admit(failures, FAILED_LIMIT).await?;
            let text = language.pick("Wrong username or password", "Nom d’utilisateur ou mot de passe faux");
            refused(StatusCode::UNAUTHORIZED, text)
        }
        Err(error) => Err(error.into()),
    }
}

/// `POST /console/sign-out`
pub(super) async fn sign_out(State(shared): State<Shared>, visitor: Visitor) -> PageResult {
    if let Some(token) = &visitor.token
        && let Some(signed_in) = session::authenticate(&shared.app, token, visitor.address).await?
    {
        session::end(&shared.app, &signed_in.user).await?;
        return Ok(signed_out(&shared, &signed_in.user));
    }
    Ok(with_cookie(SESSION.clear(&shared), &format!("{SIGN_IN}?reason={SIGNED_OUT}")))
}

/// Leads on after the session of the user has ended.
pub(super) fn signed_out(shared: &Shared, user: &ConsoleUser) -> Response {
    let reason = if user.is_from_provider { SIGNED_OUT_HERE } else { SIGNED_OUT };
    with_cookie(SESSION.clear(shared), &format!("{SIGN_IN}?reason={reason}"))
}

/// Leads on with the cookie of a session.
pub(super) fn with_session(shared: &Shared, token: &SessionToken, address: &str) -> Response {
    with_cookie(SESSION.set(shared, token.expose(), shared.app.config.console.session_lifetime), address)
}

/// Leads on after a password is changed, which has ended the session.
pub(super) fn with_cookie(cookie: HeaderValue, address: &str) -> Response {
    let mut response = redirect(address);
    response.headers_mut().append(SET_COOKIE, cookie);
    response
}

/// Leads on after the second factor.
pub(super) fn onward_of(next: &str) -> String {
    Onward { next: next.to_owned(), reason: String::new() }.address().to_owned()
}

fn form(
    shared: &Shared,
    status: StatusCode,
    language: Language,
    onward: &Onward,
    (username, above): (&str, &Markup),
) -> Response {
    let title = language.pick("Sign in", "Se connecter");
    let main = html! {
        div.narrow {
            h1 { "Sealwright" }
            (above)
            form.stack method="post" action=(SIGN_IN) {
                input type="hidden" name="next" value=(onward.address());
                label for="username" { (language.pick("Username", "Nom d’utilisateur")) }
                input #username name="username" value=(username) required autocomplete="username"
                    autocapitalize="none" spellcheck="false";
                label for="password" { (language.pick("Password", "Mot de passe")) }
                input #password name="password" type="password" required autocomplete="current-password";
                button { (title) }
            }
            @if shared.app.console_openid.is_some() {
                p.other {
                    a.button href=(provider_address(onward)) {
                        (language.pick("Sign in with your organisation", "Se connecter avec votre organisation"))
                    }
                }
            }
        }
    };
    let mut response = layout::plain_page(status, language, title, &main);
    if status == StatusCode::UNAUTHORIZED {
        // A 401 must say how to authenticate (RFC 9110, section 15.5.2): by this form.
        response.headers_mut().insert("www-authenticate", HeaderValue::from_static("Form"));
    }
    response.into_response()
}

/// Where the sign-in through the provider begins. After a sign-out the provider asks who it is, so that another person can
/// sign in on a shared device.
fn provider_address(onward: &Onward) -> String {
    let next: String = url::form_urlencoded::byte_serialize(onward.address().as_bytes()).collect();
    let is_signed_out = matches!(onward.reason.as_str(), SIGNED_OUT | SIGNED_OUT_HERE);
    format!("{PROVIDER}?next={next}{}", if is_signed_out { "&prompt=login" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_in_leads_only_to_pages_of_the_console() {
        let of = |next: &str| onward_of(next);
        assert_eq!(of("/console/cases/7?x=1"), "/console/cases/7?x=1");
        for wrong in [
            "",
            "/",
            "//evil.example",
            "https://evil.example",
            "/console",
            "/consoles/x",
            "/console/\\evil.example",
            "/console/x\r\nSet-Cookie: a=b",
        ] {
            assert_eq!(of(wrong), "/console/cases", "{wrong}");
        }
    }
}
