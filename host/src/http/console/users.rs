//! The users of the console: listed, added, given another role, and removed.

use std::collections::BTreeMap;

use axum::{
    extract::{Path, Query, State},
    http::StatusCode,
};
use maud::{Markup, html};
use serde::Deserialize;
use strum::VariantArray as _;

use super::{
    form::Form,
    guard::redirect,
    layout::{self, Section},
    problem::{PageResult, form_problem},
    visit::Visit,
};
use crate::{
    app::console::{
        ConsoleUser,
        account::SHORTEST_PASSWORD,
        user::{self, Authority, NewUser, StoredUser},
    },
    domain::{
        console::{Role, Scope},
        id::CompanyId,
    },
    error::{Error, Result},
    http::shared::Shared,
};

const ADDRESS: &str = "/console/users";

#[derive(Debug, Default, Deserialize)]
pub(super) struct Done {
    #[serde(default)]
    done: String,
}

/// `GET /console/users`
pub(super) async fn list(State(shared): State<Shared>, visit: Visit, Query(done): Query<Done>) -> PageResult {
    let language = visit.language;
    let notice = match done.done.as_str() {
        "added" => Some(language.pick("The user is added.", "L’utilisateur est ajouté.")),
        "changed" => Some(language.pick("The role is changed.", "Le rôle est changé.")),
        "removed" => Some(language.pick("The user is removed.", "L’utilisateur est supprimé.")),
        _ => None,
    };
    let above = html! { @if let Some(notice) = notice { (layout::notice(notice)) } };
    show(&shared, &visit, StatusCode::OK, &above, &Form::default()).await
}

/// `POST /console/users`
pub(super) async fn add(State(shared): State<Shared>, visit: Visit, fields: Form) -> PageResult {
    let added = match read(&fields) {
        Ok(new) => user::add(&shared.app, authority(&visit.user), &visit.user.actor(), new).await.map(|_| ()),
        Err(error) => Err(error),
    };
    finish(&shared, &visit, added, "added", &fields).await
}

/// `POST /console/users/:user`: another role.
pub(super) async fn change(
    State(shared): State<Shared>,
    visit: Visit,
    Path(id): Path<i64>,
    fields: Form,
) -> PageResult {
    let changed = match role_of(&fields) {
        Ok(role) => user::change_role(&shared.app, authority(&visit.user), &visit.user.actor(), id, role).await,
        Err(error) => Err(error),
    };
    finish(&shared, &visit, changed, "changed", &Form::default()).await
}

/// `POST /console/users/:user/remove`
pub(super) async fn remove(State(shared): State<Shared>, visit: Visit, Path(id): Path<i64>) -> PageResult {
    let removed = user::remove(&shared.app, authority(&visit.user), &visit.user.actor(), id).await;
    finish(&shared, &visit, removed, "removed", &Form::default()).await
}

async fn finish(shared: &Shared, visit: &Visit, result: Result<()>, done: &str, fields: &Form) -> PageResult {
    match form_problem(result, visit.language)? {
        Ok(()) => Ok(redirect(&format!("{ADDRESS}?done={done}"))),
        Err(problem) => show(shared, visit, StatusCode::BAD_REQUEST, &layout::alert(&problem), fields).await,
    }
}

const fn authority(user: &ConsoleUser) -> Authority {
    Authority { role: user.role, scope: user.scope }
}

fn role_of(fields: &Form) -> Result<Role> {
    let text = fields.text("role");
    text.parse().map_err(|_| Error::invalid(format!("role: {text:?} is not a role")))
}

fn read(fields: &Form) -> Result<NewUser> {
    let role = role_of(fields)?;
    let company = match fields.filled("company") {
        None => None,
        Some(text) => {
            let id = CompanyId::parse(text);
            Some(id.ok_or_else(|| Error::invalid("company: must be the identifier of a company, a positive number"))?)
        }
    };
    let with_children = fields.is_ticked("children");
    let scope = company.map_or(Scope::Installation, |id| Scope::Company { id, with_children });
    Ok(NewUser {
        username: fields.text("username").trim().to_owned(),
        name: fields.text("name").to_owned(),
        role,
        scope,
        password: fields.text("password").to_owned(),
    })
}

async fn show(shared: &Shared, visit: &Visit, status: StatusCode, above: &Markup, fields: &Form) -> PageResult {
    let users = user::list(&shared.app, authority(&visit.user)).await?;
    let companies = visit.user.companies(&shared.app).await?;
    let names: BTreeMap<CompanyId, &str> =
        companies.iter().map(|company| (company.id, company.name.as_str())).collect();
    let language = visit.language;
    let title = language.pick("Users of the console", "Utilisateurs de la console");
    // A form that is shown again with what was entered.
    let is_for_all = !fields.text("username").is_empty() && fields.text("company").is_empty();
    let main = html! {
        h1 { (title) }
        (above)
        ul.rows {
            @for user in &users { (row(visit, user, &names)) }
        }
        h2 { (language.pick("Add a user", "Ajouter un utilisateur")) }
        form.stack method="post" action=(ADDRESS) {
            (layout::csrf(&visit.token))
            label for="username" { (language.pick("Username", "Nom d’utilisateur")) }
            input #username name="username" value=(fields.text("username")) required autocomplete="off"
                autocapitalize="none" spellcheck="false" maxlength="100";
            label for="name" { (language.pick("Name", "Nom")) }
            input #name name="name" value=(fields.text("name")) autocomplete="off" maxlength="200";
            label for="new-role" { (language.pick("Role", "Rôle")) }
            (role_field("new-role", visit, fields.text("role").parse().unwrap_or(Role::Viewer), None))
            label for="company" { (language.pick("Company", "Société")) }
            select #company name="company" {
                @for company in &companies {
                    option value=(company.id) selected[fields.text("company") == company.id.to_string()] {
                        (company.name) " (" (company.id) ")"
                    }
                }
                @if visit.user.scope == Scope::Installation {
                    option value="" selected[is_for_all] { (language.pick("all (operators only)", "toutes (exploitants seulement)")) }
                }
            }
            label.box {
                input type="checkbox" name="children" checked[fields.is_ticked("children")];
                (language.pick("with its child companies", "avec ses sociétés filiales"))
            }
            label for="password" {
                (language.pick("First password, at least ", "Premier mot de passe, au moins "))
                (SHORTEST_PASSWORD)
                (language.pick(" characters", " caractères"))
            }
            input #password name="password" type="password" required autocomplete="new-password"
                minlength=(SHORTEST_PASSWORD);
            button { (language.pick("Add", "Ajouter")) }
        }
    };
    Ok(layout::page_with(status, visit, Section::Users, title, &main))
}

fn row(visit: &Visit, user: &StoredUser, names: &BTreeMap<CompanyId, &str>) -> Markup {
    let Visit { token, language, .. } = visit;
    let is_self = user.id == visit.user.id;
    html! {
        li {
            div {
                strong { (user.name) } " "
                @if user.name != user.username { span.small { (user.username) } }
                br;
                span.small {
                    (layout::role(user.role, *language)) " · "
                    @match user.company {
                        Some(company) => {
                            (layout::company(company, names.get(&company).copied()))
                            @if user.with_children { (language.pick(" and its children", " et ses filiales")) }
                        }
                        None => { (language.pick("all companies", "toutes les sociétés")) }
                    }
                    @if user.has_second_factor() { (language.pick(" · second factor", " · second facteur")) }
                    @if user.is_from_provider() { (language.pick(" · of your organisation", " · de votre organisation")) }
                }
            }
            @if !is_self {
                // The provider says the role of its users.
                @if !user.is_from_provider() {
                    form.inline method="post" action={ (ADDRESS) "/" (user.id) } {
                        (layout::csrf(token))
                        label.hidden for={ "role-" (user.id) } { (language.pick("Role of ", "Rôle de ")) (user.username) }
                        (role_field(&format!("role-{}", user.id), visit, user.role, Some(user.scope())))
                        button.quiet { (language.pick("Change", "Changer")) }
                    }
                }
                form.inline method="post" action={ (ADDRESS) "/" (user.id) "/remove" } {
                    (layout::csrf(token))
                    button.quiet.danger aria-label={ (language.pick("Remove ", "Supprimer ")) (user.username) }
                        data-confirm=(language.pick("Remove this user?", "Supprimer cet utilisateur ?")) {
                        (language.pick("Remove", "Supprimer"))
                    }
                }
            }
        }
    }
}

/// The roles that the visitor may give; to a user with these companies, if there is one already.
fn role_field(id: &str, visit: &Visit, chosen: Role, scope: Option<Scope>) -> Markup {
    let fits = |role: Role| scope.is_none_or(|scope| (role == Role::Operator) == (scope == Scope::Installation));
    let roles = Role::VARIANTS.iter().copied().filter(|role| visit.user.may(*role) && fits(*role));
    html! {
        select id=(id) name="role" {
            @for role in roles {
                option value=(role) selected[role == chosen] { (layout::role(role, visit.language)) }
            }
        }
    }
}
