//! The users of the console: listed, added, changed and removed by an administrator, an operator or a command.

use super::account::check_new_password;
pub use crate::store::console_user::ConsoleUser as StoredUser;
use crate::{
    app::{
        App,
        audit::{self, Actor, Event},
        run_within,
        session::hash_password,
    },
    domain::{
        console::{FormProblem, Role, Scope},
        id::CompanyId,
    },
    error::{Error, Result},
    store::{self, console_user::NewConsoleUser},
};

/// In characters.
pub(super) const LONGEST_USERNAME: usize = 100;
pub(super) const LONGEST_NAME: usize = 200;

/// A user to add.
#[derive(Clone, Debug)]
pub struct NewUser {
    pub username: String,
    /// For people.
    pub name: String,
    pub role: Role,
    pub scope: Scope,
    pub password: String,
}

/// What the one who manages users may do: role and companies at most.
#[derive(Clone, Copy, Debug)]
pub struct Authority {
    pub role: Role,
    pub scope: Scope,
}

impl Authority {
    /// Of someone who has the installation's key and database.
    pub const COMMAND: Self = Self { role: Role::Operator, scope: Scope::Installation };

    /// Whether the user, as stored, is one that this authority manages.
    pub(super) fn covers(self, role: Role, scope: Scope) -> bool {
        let is_inside = match (self.scope, scope) {
            (Scope::Installation, _) => true,
            (Scope::Company { .. }, Scope::Installation) => false,
            // The children of a child do not exist, so a user of a child never has more.
            (Scope::Company { id, with_children }, Scope::Company { id: other, with_children: wide }) => {
                id == other && (with_children || !wide)
            }
        };
        is_inside && role <= self.role
    }
}

/// The active users that this authority manages, by username.
pub async fn list(app: &App, authority: Authority) -> Result<Vec<StoredUser>> {
    let mut reader = app.db.read().await?;
    let all = store::console_user::all(&mut reader).await?;
    Ok(all.into_iter().filter(|user| authority.covers(user.role, user.scope())).collect())
}

/// Adds a user.
///
/// # Errors
/// [`Error::Form`] for a field that is wrong, and for a role or companies that are more than the authority's;
/// [`Error::Invalid`] if the company does not exist.
pub async fn add(app: &App, authority: Authority, actor: &Actor, new: NewUser) -> Result<i64> {
    let NewUser { username, name, role, scope, password } = new;
    check_username(&username)?;
    check_new_password(&password, &username)?;
    let name = if name.trim().is_empty() { username.clone() } else { name.trim().to_owned() };
    if name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        return Err(FormProblem::Name { most: LONGEST_NAME }.into());
    }
    check_role(app, authority, role, scope).await?;
    let hash = run_within(&app.sign_ins.hashing, move || hash_password(&password)).await?.map_err(Error::internal)?;
    let with_children = matches!(scope, Scope::Company { with_children: true, .. });
    let user = NewConsoleUser {
        username: username.clone(),
        name,
        role,
        company: scope.company(),
        with_children,
        password_hash: Some(hash),
        oidc_issuer: None,
        oidc_subject: None,
        created_at: app.clock.now(),
    };
    let mut tx = app.db.begin().await?;
    let added = async {
        let taken = || FormProblem::UsernameTaken(username.clone());
        let id = store::console_user::insert(&mut tx, &user).await?.ok_or_else(taken)?;
        let event = Event::done("addUser", scope.company(), Some(format!("user {username}")));
        audit::record(&mut tx, app.clock.now(), actor, event.with_detail(format!("role {role}"))).await?;
        Ok::<_, Error>(id)
    };
    let added = added.await;
    tx.settle(added).await
}

/// Gives a user another role. It counts from the user's next request.
///
/// # Errors
/// [`Error::NotFound`] if the authority does not manage the user; [`FormProblem::MoreThanOwn`], and
/// [`FormProblem::OfProvider`] for a user of a provider.
pub async fn change_role(app: &App, authority: Authority, actor: &Actor, id: i64, role: Role) -> Result<()> {
    let user = find(app, authority, id).await?;
    ensure_own(&user)?;
    check_role(app, authority, role, user.scope()).await?;
    ensure_operators_remain(app, &user, role).await?;
    let mut tx = app.db.begin().await?;
    let changed = async {
        store::console_user::set_role(&mut tx, id, role, user.scope()).await?;
        let event = Event::done("changeUser", user.company, Some(format!("user {}", user.username)));
        audit::record(&mut tx, app.clock.now(), actor, event.with_detail(format!("role {} to {role}", user.role)))
            .await?;
        Ok::<_, Error>(())
    };
    let changed = changed.await;
    tx.settle(changed).await
}

/// Gives a user another password, for someone who has lost the password or the second factor. The second factor and all
/// sessions end.
///
/// # Errors
/// [`Error::Form`] if the password is not accepted, and for a user of a provider.
pub async fn reset(app: &App, actor: &Actor, user: &StoredUser, password: String) -> Result<()> {
    ensure_own(user)?;
    check_new_password(&password, &user.username)?;
    let hash = run_within(&app.sign_ins.hashing, move || hash_password(&password)).await?.map_err(Error::internal)?;
    let mut tx = app.db.begin().await?;
    let written = async {
        store::console_user::set_password(&mut tx, user.id, &hash).await?;
        store::console_user::set_totp(&mut tx, user.id, None, 0).await?;
        store::console_passkey::delete_all(&mut tx, user.id).await?;
        store::console_session::delete_others(&mut tx, user.id, 0).await?;
        let event = Event::done("resetUser", user.company, Some(format!("user {}", user.username)));
        audit::record(&mut tx, app.clock.now(), actor, event).await?;
        Ok::<_, Error>(())
    };
    let written = written.await;
    tx.settle(written).await
}

/// Removes a user, whose sessions end.
///
/// # Errors
/// [`Error::NotFound`] if the authority does not manage the user; [`FormProblem::LastOperator`].
pub async fn remove(app: &App, authority: Authority, actor: &Actor, id: i64) -> Result<()> {
    let user = find(app, authority, id).await?;
    ensure_operators_remain(app, &user, Role::Viewer).await?;
    let mut tx = app.db.begin().await?;
    let removed = async {
        store::console_user::deactivate(&mut tx, id).await?;
        // The session 0 does not exist.
        store::console_session::delete_others(&mut tx, id, 0).await?;
        let event = Event::done("removeUser", user.company, Some(format!("user {}", user.username)));
        audit::record(&mut tx, app.clock.now(), actor, event).await?;
        Ok::<_, Error>(())
    };
    let removed = removed.await;
    tx.settle(removed).await
}

/// The active user with this username, for commands.
pub async fn find_by_username(app: &App, username: &str) -> Result<StoredUser> {
    let mut reader = app.db.read().await?;
    let user = store::console_user::find_by_username(&mut reader, username).await?.filter(|user| user.active);
    user.ok_or_else(|| Error::not_found(format!("no console user is called {username:?}")))
}

async fn find(app: &App, authority: Authority, id: i64) -> Result<StoredUser> {
    let mut reader = app.db.read().await?;
    let user = store::console_user::find(&mut reader, id).await?;
    let user = user.filter(|user| user.active && authority.covers(user.role, user.scope()));
    user.ok_or_else(|| Error::not_found("the user does not exist, or is not one that you manage"))
}

/// Password and role of a user of a provider are the provider's: what was set here would not last.
fn ensure_own(user: &StoredUser) -> Result<()> {
    if user.is_from_provider() {
        return Err(FormProblem::OfProvider(user.username.clone()).into());
    }
    Ok(())
}

/// Someone must be able to manage the installation.
async fn ensure_operators_remain(app: &App, user: &StoredUser, role: Role) -> Result<()> {
    if user.role != Role::Operator || role == Role::Operator {
        return Ok(());
    }
    let mut reader = app.db.read().await?;
    let all = store::console_user::all(&mut reader).await?;
    // One whom the provider signs in may lose the role there.
    let may_stay = |other: &StoredUser| other.role == Role::Operator && other.password_hash.is_some();
    if all.iter().any(|other| other.id != user.id && may_stay(other)) {
        return Ok(());
    }
    Err(FormProblem::LastOperator.into())
}

pub(super) async fn check_role(app: &App, authority: Authority, role: Role, scope: Scope) -> Result<()> {
    match (role, scope) {
        (Role::Operator, Scope::Company { .. }) => {
            return Err(FormProblem::OperatorWithCompany.into());
        }
        (Role::Viewer | Role::Reviewer | Role::Manager | Role::Administrator, Scope::Installation) => {
            return Err(FormProblem::NoCompany(role).into());
        }
        _ => {}
    }
    if !authority.covers(role, scope) {
        return Err(FormProblem::MoreThanOwn.into());
    }
    if let Scope::Company { id, .. } = scope {
        ensure_company(app, id).await?;
    }
    Ok(())
}

async fn ensure_company(app: &App, id: CompanyId) -> Result<()> {
    let mut reader = app.db.read().await?;
    match store::company::find(&mut reader, id).await? {
        Some(_) => Ok(()),
        None => Err(Error::invalid(format!("company: {id} does not exist"))),
    }
}

fn check_username(username: &str) -> Result<()> {
    let length = username.chars().count();
    if (1..=LONGEST_USERNAME).contains(&length) && username.chars().all(is_username_character) {
        return Ok(());
    }
    Err(FormProblem::Username { most: LONGEST_USERNAME }.into())
}

pub(super) fn is_username_character(c: char) -> bool {
    c.is_alphanumeric() || "._-@+".contains(c)
}
