//! The users of the console.

use super::console_passkey;
use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        console::{Role, Scope},
        id::CompanyId,
        openid::OidcSubject,
    },
};

#[derive(Clone, Debug, PartialEq, sqlx_macros::FromRow)]
pub struct ConsoleUser {
    pub id: i64,
    pub username: String,
    /// For people.
    pub name: String,
    pub role: Role,
    /// None for an operator.
    #[sqlx(rename = "company_id")]
    pub company: Option<CompanyId>,
    pub with_children: bool,
    /// Argon2id, as a PHC string; none for a user of a provider.
    pub password_hash: Option<String>,
    /// Of the provider by which the user signs in; none if the user has a password.
    pub oidc_issuer: Option<String>,
    pub oidc_subject: Option<OidcSubject>,
    /// Encrypted; none if there is no second factor.
    pub totp_secret: Option<String>,
    /// The last time step whose code was accepted.
    pub totp_step: i64,
    /// How many the user has.
    pub passkeys: i64,
    pub active: bool,
    pub created_at: Timestamp,
}

impl ConsoleUser {
    pub fn scope(&self) -> Scope {
        match self.company {
            None => Scope::Installation,
            Some(id) => Scope::Company { id, with_children: self.with_children },
        }
    }

    /// Whether a sign-in has a second step.
    pub fn has_second_factor(&self) -> bool {
        self.totp_secret.is_some() || self.passkeys > 0
    }

    /// Whether a provider says who the user is, and which role the user has.
    pub fn is_from_provider(&self) -> bool {
        self.oidc_subject.is_some()
    }
}

/// A user to store; the database gives it its identifier.
#[derive(Clone, Debug)]
pub struct NewConsoleUser {
    pub username: String,
    pub name: String,
    pub role: Role,
    pub company: Option<CompanyId>,
    pub with_children: bool,
    pub password_hash: Option<String>,
    pub oidc_issuer: Option<String>,
    pub oidc_subject: Option<OidcSubject>,
    pub created_at: Timestamp,
}

/// Finds a user, active or not.
pub async fn find(reader: &mut Reader, id: i64) -> sqlx::Result<Option<ConsoleUser>> {
    reader.query("select * from console_users where id = $1").bind(id).optional().await
}

/// Finds the user who signs in as `username`, active or not.
pub async fn find_by_username(reader: &mut Reader, username: &str) -> sqlx::Result<Option<ConsoleUser>> {
    reader.query("select * from console_users where username = $1").bind(username).optional().await
}

/// Finds the user whom this issuer knows by this subject, active or not.
pub async fn find_by_subject(
    reader: &mut Reader,
    issuer: &str,
    subject: &OidcSubject,
) -> sqlx::Result<Option<ConsoleUser>> {
    reader
        .query("select * from console_users where oidc_issuer = $1 and oidc_subject = $2")
        .bind(issuer)
        .bind(subject)
        .optional()
        .await
}

/// Every active user, by name.
pub async fn all(reader: &mut Reader) -> sqlx::Result<Vec<ConsoleUser>> {
    reader.query("select * from console_users where active order by username").all().await
}

/// Inserts a user; none if the username is taken, or the person of the provider is a user already.
pub async fn insert(tx: &mut Tx, new: &NewConsoleUser) -> sqlx::Result<Option<i64>> {
    let row: Option<(i64,)> = tx
        .query(
            "insert into console_users (username, name, role, company_id, with_children, password_hash, oidc_issuer,
               oidc_subject, totp_step, active, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, 0, true, $9)
             on conflict do nothing returning id",
        )
        .bind(&new.username)
        .bind(&new.name)
        .bind(new.role)
        .bind(new.company)
        .bind(new.with_children)
        .bind(&new.password_hash)
        .bind(&new.oidc_issuer)
        .bind(&new.oidc_subject)
        .bind(new.created_at)
        .optional()
        .await?;
    Ok(row.map(|(id,)| id))
}

/// Sets role and companies.
pub async fn set_role(tx: &mut Tx, id: i64, role: Role, scope: Scope) -> sqlx::Result<()> {
    let (company, with_children) = match scope {
        Scope::Installation => (None, false),
        Scope::Company { id, with_children } => (Some(id), with_children),
    };
    tx.query("update console_users set role = $2, company_id = $3, with_children = $4 where id = $1")
        .bind(id)
        .bind(role)
        .bind(company)
        .bind(with_children)
        .execute()
        .await?;
    Ok(())
}

pub async fn set_password(tx: &mut Tx, id: i64, password_hash: &str) -> sqlx::Result<()> {
    tx.query("update console_users set password_hash = $2 where id = $1")
        .bind(id)
        .bind(password_hash)
        .execute()
        .await?;
    Ok(())
}

/// Sets the encrypted secret of the second factor, or removes it. `step` is the time step of the code that confirmed it.
pub async fn set_totp(tx: &mut Tx, id: i64, secret: Option<&str>, step: i64) -> sqlx::Result<()> {
    tx.query("update console_users set totp_secret = $2, totp_step = $3 where id = $1")
        .bind(id)
        .bind(secret)
        .bind(step)
        .execute()
        .await?;
    Ok(())
}

/// Uses the code of a time step; false if this or a later one was used before.
pub async fn use_step(tx: &mut Tx, id: i64, step: i64) -> sqlx::Result<bool> {
    let updated = tx
        .query("update console_users set totp_step = $2 where id = $1 and totp_step < $2")
        .bind(id)
        .bind(step)
        .execute()
        .await?;
    Ok(updated == 1)
}

/// The user can no longer sign in. The row stays, because the audit log names it.
pub async fn deactivate(tx: &mut Tx, id: i64) -> sqlx::Result<()> {
    console_passkey::delete_all(tx, id).await?;
    tx.query("update console_users set active = false, totp_secret = null where id = $1").bind(id).execute().await?;
    Ok(())
}
