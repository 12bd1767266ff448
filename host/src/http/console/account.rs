//! The account of the user: password, second factor and sessions.

use axum::{
    extract::{Path, Query, State},
    http::StatusCode,
};
use maud::{Markup, html};
use serde::Deserialize;

use super::{
    form::Form,
    guard::{SIGN_IN, redirect},
    layout::{self, Section},
    passkey_forms,
    problem::{PageResult, form_problem},
    sign_in::{signed_out, with_cookie},
    visit::{SESSION, Visit},
};
use crate::{
    app::console::{
        account::{self, ConsoleSession},
        passkey,
    },
    http::{link::Language, shared::Shared},
};

#[derive(Debug, Default, Deserialize)]
pub(super) struct Done {
    #[serde(default)]
    done: String,
}

/// `GET /console/account`
pub(super) async fn show(State(shared): State<Shared>, visit: Visit, Query(done): Query<Done>) -> PageResult {
    let language = visit.language;
    let notice = match done.done.as_str() {
        "second-factor-on" => Some(language.pick("The second factor is on.", "Le second facteur est activé.")),
        "second-factor-off" => Some(language.pick("The second factor is off.", "Le second facteur est désactivé.")),
        "passkey-added" => Some(language.pick(
            "The passkey is added. Your next sign-in asks for it.",
            "La clé d’accès est ajoutée. Votre prochaine connexion la demandera.",
        )),
        "passkey-removed" => Some(language.pick("The passkey is removed.", "La clé d’accès est retirée.")),
        "session" => Some(language.pick("The session has ended.", "La session est terminée.")),
        _ => None,
    };
    let above = html! { @if let Some(notice) = notice { (layout::notice(notice)) } };
    show_with(&shared, &visit, StatusCode::OK, &above).await
}

/// The page, with something above it.
pub(super) async fn show_with(shared: &Shared, visit: &Visit, status: StatusCode, above: &Markup) -> PageResult {
    let sessions = account::sessions(&shared.app, &visit.user).await?;
    let passkeys = passkey::list(&shared.app, &visit.user).await?;
    let challenge = passkey::ask_for_new(&shared.app, &visit.user, &passkeys);
    let Visit { user, language, .. } = visit;
    let companies = user.companies(&shared.app).await?;
    let company = user.scope.company().map(|id| {
        let known = companies.iter().find(|company| company.id == id);
        layout::company(id, known.map(|company| company.name.as_str()))
    });
    let title = language.pick("Account", "Compte");
    let main = html! {
        h1 { (user.name) }
        (above)
        dl.facts {
            dt { (language.pick("Username", "Nom d’utilisateur")) } dd { (user.username) }
            dt { (language.pick("Role", "Rôle")) } dd { (layout::role(user.role, *language)) }
            dt { (language.pick("Company", "Société")) }
            dd { (company.as_deref().unwrap_or_else(|| language.pick("all", "toutes"))) }
        }
        @if user.is_from_provider {
            p {
                (language.pick(
                    "Your organisation signs you in. Your role, your password and a second factor are managed there.",
                    "Votre organisation vous connecte. Votre rôle, votre mot de passe et un second facteur se gèrent là-bas.",
                ))
            }
        } @else {
            (password_form(visit))
            (second_factor_form(visit, !passkeys.is_empty()))
            (passkey_forms::section(visit, &passkeys, challenge.as_ref()))
        }
        h2 { (language.pick("Sessions", "Sessions")) }
        (session_list(visit, &sessions))
    };
    Ok(layout::page_with(status, visit, Section::Account, title, &main))
}

/// `POST /console/account/password`
pub(super) async fn change_password(State(shared): State<Shared>, visit: Visit, fields: Form) -> PageResult {
    // Each attempt costs a hash, and may be a guess.
    let _turn = shared.app.sign_ins.turn(visit.user.address).await;
    let (current, new) = (fields.text("current").to_owned(), fields.text("new").to_owned());
    let changed = account::change_password(&shared.app, &visit.user, current, new).await;
    match form_problem(changed, visit.language)? {
        Ok(()) => Ok(with_cookie(SESSION.clear(&shared), &format!("{SIGN_IN}?reason=password"))),
        Err(problem) => show_with(&shared, &visit, StatusCode::BAD_REQUEST, &layout::alert(&problem)).await,
    }
}

/// `POST /console/account/sessions/:session/end`
pub(super) async fn end_session(State(shared): State<Shared>, visit: Visit, Path(session): Path<i64>) -> PageResult {
    account::end_session(&shared.app, &visit.user, session).await?;
    if session == visit.user.session {
        return Ok(signed_out(&shared, &visit.user));
    }
    Ok(redirect("/console/account?done=session"))
}

fn password_form(visit: &Visit) -> Markup {
    let Visit { user, token, language } = visit;
    html! {
        h2 { (language.pick("Password", "Mot de passe")) }
        form.stack method="post" action="/console/account/password" {
            (layout::csrf(token))
            input type="text" name="username" value=(user.username) autocomplete="username" hidden;
            label for="current" { (language.pick("Current password", "Mot de passe actuel")) }
            input #current name="current" type="password" required autocomplete="current-password";
            label for="new" {
                (language.pick("New password, at least ", "Nouveau mot de passe, au moins "))
                (account::SHORTEST_PASSWORD)
                (language.pick(" characters", " caractères"))
            }
            input #new name="new" type="password" required autocomplete="new-password"
                minlength=(account::SHORTEST_PASSWORD);
            button { (language.pick("Change the password", "Changer le mot de passe")) }
        }
        p.small {
            (language.pick("All your sessions end, this one included.", "Toutes vos sessions se terminent, celle-ci comprise."))
        }
    }
}

fn second_factor_form(visit: &Visit, has_passkeys: bool) -> Markup {
    let Visit { user, token, language } = visit;
    html! {
        h2 { (language.pick("Second factor: authenticator app", "Second facteur\u{a0}: application d’authentification")) }
        @if user.has_codes {
            form.stack method="post" action="/console/account/second-factor/disable" {
                (layout::csrf(token))
                label for="code" { (language.pick("Code from your authenticator app", "Code de votre application d’authentification")) }
                (layout::code_field())
                button.danger { (language.pick("Turn off", "Désactiver")) }
            }
        } @else {
            @if !has_passkeys { p {
                (language.pick(
                    "Your account has only a password. With a second factor, a stolen password is not enough to sign in.",
                    "Votre compte n’a qu’un mot de passe. Avec un second facteur, un mot de passe volé ne suffit pas pour se connecter.",
                ))
            } }
            form method="post" action="/console/account/second-factor/start" {
                (layout::csrf(token))
                button { (language.pick("Set up an authenticator app", "Configurer une application d’authentification")) }
            }
        }
    }
}

fn session_list(visit: &Visit, sessions: &[ConsoleSession]) -> Markup {
    let Visit { user, token, language } = visit;
    html! {
        ul.rows {
            @for session in sessions {
                li {
                    div {
                        strong { (browser(&session.agent, *language)) }
                        @if session.id == user.session { " " span.tag { (language.pick("this one", "celle-ci")) } }
                        br;
                        span.small {
                            (session.address) " · "
                            (language.pick("signed in ", "connexion ")) (layout::moment(session.created_at)) " · "
                            (language.pick("last seen ", "vue ")) (layout::moment(session.seen_at))
                        }
                    }
                    form method="post" action={ "/console/account/sessions/" (session.id) "/end" } {
                        (layout::csrf(token))
                        button.quiet aria-label={ (language.pick("End the session of ", "Terminer la session du ")) (session.created_at) } {
                            (language.pick("End", "Terminer"))
                        }
                    }
                }
            }
        }
    }
}

/// What a browser calls itself, shortened to what people know.
fn browser(agent: &str, language: Language) -> String {
    let named = |names: &[&'static str]| names.iter().find(|name| agent.contains(**name)).copied();
    let program = named(&["Firefox", "Edg", "OPR", "Chrome", "Safari"]);
    let system = named(&["Android", "iPhone", "iPad", "Windows", "Mac OS X", "Linux"]);
    match (program, system) {
        (None, None) => language.pick("Unknown browser", "Navigateur inconnu").to_owned(),
        (program, system) => {
            let program = program.map(|name| match name {
                "Edg" => "Edge",
                "OPR" => "Opera",
                name => name,
            });
            [program, system].into_iter().flatten().collect::<Vec<_>>().join(", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_named_as_people_know_it() {
        let of = |agent| browser(agent, Language::English);
        assert_eq!(of("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"), "Firefox, Linux");
        assert_eq!(
            of("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0"),
            "Edge, Windows"
        );
        assert_eq!(of("curl/8"), "Unknown browser");
    }
}
