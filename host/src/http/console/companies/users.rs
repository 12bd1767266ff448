//! The users of a company: programs with their keys, and field users. A key is shown once.

use axum::{
    extract::{Path, State},
    http::StatusCode,
};
use maud::{Markup, html};

use super::{address, after_change, hidden, page, parse, revision};
use crate::{
    app::console::company::{self, StoredCompany},
    clock::random_key,
    domain::{
        company_manifest::{CompanyManifest, Login, Password, User, UserKind},
        id::UserId,
        openid::OidcSubject,
        right::{EVERY_RIGHT, Right, Rights},
    },
    error::{Error, Result},
    http::{
        console::{
            form::Form,
            layout,
            problem::{PageResult, form_problem},
            visit::Visit,
        },
        shared::Shared,
    },
    secrets::SecretString,
};

/// `POST /console/companies/:company/users`: adds a user, gives one another key, or ends one, as the button says.
pub(in crate::http::console) async fn change(
    State(shared): State<Shared>,
    visit: Visit,
    Path(id): Path<String>,
    fields: Form,
) -> PageResult {
    let id = parse(&id)?;
    let key = random_key();
    let changed = async {
        let change = |manifest: &mut CompanyManifest| match fields.text("do") {
            "add" => add(manifest, &fields, &key),
            "rotate" => {
                let login = find(manifest, &fields)?.login.as_mut();
                let login = login.ok_or_else(|| Error::invalid("user: has no username, and so no key"))?;
                login.password = Password::Plain(SecretString::new(key.as_str()));
                Ok(())
            }
            "end" => {
                let id = find(manifest, &fields)?.id.clone();
                manifest.users.retain(|user| user.id != id);
                Ok(())
            }
            _ => Err(Error::invalid("the form is incomplete: load the page again")),
        };
        company::edit(&shared.app, &visit.user, id, revision(&fields)?, change).await
    };
    let changed = changed.await;
    let gives_key = matches!(fields.text("do"), "add" | "rotate") && !is_without_key(&fields);
    if !gives_key {
        return after_change(&shared, &visit, id, changed).await;
    }
    let (status, above) = match form_problem(changed, visit.language)? {
        Ok(()) => (StatusCode::OK, new_key(&visit, &key)),
        Err(problem) => (StatusCode::BAD_REQUEST, layout::alert(&problem)),
    };
    let view = company::show(&shared.app, &visit.user, id).await?;
    Ok(page(&visit, &view, status, &above))
}

/// Whether a new user has no username, and so no password.
fn is_without_key(fields: &Form) -> bool {
    fields.text("do") == "add" && fields.filled("username").is_none()
}

fn new_key(visit: &Visit, key: &str) -> Markup {
    let language = visit.language;
    html! {
        div.notice role="status" {
            p { (language.pick("The password, which is shown only now:", "Le mot de passe, montré maintenant seulement :")) }
            p { code { (key) } }
        }
    }
}

fn find<'m>(manifest: &'m mut CompanyManifest, fields: &Form) -> Result<&'m mut User> {
    let wanted = fields.text("user");
    let found = manifest.users.iter_mut().find(|user| user.id.as_str() == wanted);
    found.ok_or_else(|| Error::invalid("user: it is not a user of this company any more"))
}

fn add(manifest: &mut CompanyManifest, fields: &Form, key: &str) -> Result<()> {
    // Identifiers are known to all companies, so the server makes one that no file has.
    let id = UserId::parse(&format!("usr-{}", random_key()));
    let id = id.ok_or_else(|| Error::internal(anyhow::anyhow!("a random key is not an identifier")))?;
    let subject = fields.filled("subject").map(|text| {
        OidcSubject::parse(text).ok_or_else(|| Error::invalid(format!("subject: expected {}", OidcSubject::EXPECTED)))
    });
    let kind: UserKind = fields.text("kind").parse().map_err(|_| Error::invalid("kind: choose one"))?;
    let username = fields.filled("username").map(str::to_owned);
    if username.is_none() && subject.is_none() {
        return Err(Error::invalid("username: enter one, or the subject of a field user"));
    }
    let mut rights = Rights::default();
    for right in Right::ALL.into_iter().map(Right::as_str).chain([EVERY_RIGHT]) {
        if fields.is_ticked(right) {
            rights.grant(right).map_err(|error| Error::invalid(error.to_string()))?;
        }
    }
    let name = fields.filled("name").map(str::to_owned);
    manifest.users.push(User {
        name: name.or_else(|| username.clone()).unwrap_or_else(|| id.to_string()),
        id,
        kind,
        email: fields.filled("email").map(str::to_owned),
        login: username.map(|username| Login { username, password: Password::Plain(SecretString::new(key)) }),
        oidc_subject: subject.transpose()?,
        rights,
        logged_in: false,
        line: 0,
    });
    Ok(())
}

pub(super) fn section(visit: &Visit, stored: &StoredCompany, can_change: bool) -> Markup {
    let language = visit.language;
    html! {
        section {
            h2 { (language.pick("Programs and field users", "Programmes et utilisateurs de terrain")) }
            ul.rows {
                @for user in &stored.manifest.users {
                    li {
                        div {
                            strong { (user.name) } " · "
                            (match user.kind {
                                UserKind::Api => language.pick("program", "programme"),
                                UserKind::Field => language.pick("field user", "utilisateur de terrain"),
                            })
                            @if let Some(login) = &user.login { " · " (login.username) }
                            @if let Some(email) = &user.email { " · " (email) }
                            @if user.kind == UserKind::Api { p.small { (user.rights.to_string()) } }
                        }
                        @if can_change { (buttons(visit, stored, user)) }
                    }
                }
            }
            @if can_change { (form(visit, stored)) }
        }
    }
}

fn buttons(visit: &Visit, stored: &StoredCompany, user: &User) -> Markup {
    let language = visit.language;
    html! {
        form.inline method="post" action={ (address(stored.company.id)) "/users" } {
            (hidden(visit, stored.company.revision))
            input type="hidden" name="user" value=(user.id);
            @if user.login.is_some() {
                button.quiet name="do" value="rotate" data-confirm=(language.pick("Replace the password? The old one ends at once.", "Remplacer le mot de passe ? L’ancien cesse aussitôt.")) {
                    (language.pick("New password", "Nouveau mot de passe"))
                }
            }
            button.danger name="do" value="end" data-confirm=(language.pick("End this user?", "Mettre fin à cet utilisateur ?")) {
                (language.pick("End", "Y mettre fin"))
            }
        }
    }
}

fn form(visit: &Visit, stored: &StoredCompany) -> Markup {
    let language = visit.language;
    html! {
        details {
            summary { (language.pick("Add a user", "Ajouter un utilisateur")) }
            form.stack method="post" action={ (address(stored.company.id)) "/users" } {
                (hidden(visit, stored.company.revision))
                label for="user-kind" { (language.pick("Kind", "Genre")) }
                select #user-kind name="kind" {
                    option value="api" { (language.pick("program", "programme")) }
                    option value="field" { (language.pick("field user", "utilisateur de terrain")) }
                }
                label for="user-name" { (language.pick("Name", "Nom")) }
                input #user-name name="name" maxlength="255";
                label for="user-email" { (language.pick("E-mail", "E-mail")) }
                input #user-email name="email" type="email";
                label for="user-username" { (language.pick("Username (empty for a field user whom a provider signs in)", "Nom d’utilisateur (vide pour un utilisateur de terrain qu’un fournisseur connecte)")) }
                input #user-username name="username" maxlength="255" autocomplete="off";
                label for="user-subject" { (language.pick("Subject at the OpenID Connect provider (field users only)", "Sujet chez le fournisseur OpenID Connect (utilisateurs de terrain)")) }
                input #user-subject name="subject" maxlength="255" autocomplete="off";
                fieldset {
                    legend { (language.pick("Rights of a program", "Droits d’un programme")) }
                    @for right in [EVERY_RIGHT].into_iter().chain(Right::ALL.into_iter().map(Right::as_str)) {
                        label.box { input type="checkbox" name=(right); code { (right) } }
                    }
                }
                button name="do" value="add" { (language.pick("Add the user", "Ajouter l’utilisateur")) }
            }
        }
    }
}
