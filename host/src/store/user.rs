//! Users: the programs that call the API and the people who fill cases.

use super::{from_json, to_json};
use crate::{
    db::{Reader, Tx},
    domain::{
        company_manifest::UserKind,
        id::{CompanyId, UserId},
        openid::OidcSubject,
        right::Rights,
    },
};

#[derive(Clone, Debug, PartialEq)]
pub struct User {
    pub id: UserId,
    pub company: CompanyId,
    pub username: Option<String>,
    pub email: Option<String>,
    pub name: String,
    pub kind: UserKind,
    /// Argon2id, as a PHC string.
    pub password_hash: Option<String>,
    /// Of a field user who may sign in by the OpenID Connect provider.
    pub oidc_subject: Option<OidcSubject>,
    pub rights: Rights,
    pub logged_in: bool,
    pub active: bool,
}

#[derive(sqlx_macros::FromRow)]
struct Row {
    id: UserId,
    company_id: CompanyId,
    username: Option<String>,
    email: Option<String>,
    name: String,
    kind: UserKind,
    password_hash: Option<String>,
    oidc_subject: Option<OidcSubject>,
    rights: String,
    logged_in: bool,
    active: bool,
}

/// Finds a user of any company by identifier, which comes from a token that this server signed or from a company
/// manifest that is being applied.
pub async fn find(reader: &mut Reader, id: &UserId) -> sqlx::Result<Option<User>> {
    let row: Option<Row> = reader.query("select * from users where id = $1").bind(id).optional().await?;
    row.map(user).transpose()
}

/// Finds the user who signs in as `username`, in any company, because the company is not known yet.
pub async fn find_by_username(reader: &mut Reader, username: &str) -> sqlx::Result<Option<User>> {
    let row: Option<Row> = reader.query("select * from users where username = $1").bind(username).optional().await?;
    row.map(user).transpose()
}

/// Finds the user whom the provider knows by this subject, in any company, because the company is not known yet.
pub async fn find_by_subject(reader: &mut Reader, subject: &OidcSubject) -> sqlx::Result<Option<User>> {
    let row: Option<Row> = reader.query("select * from users where oidc_subject = $1").bind(subject).optional().await?;
    row.map(user).transpose()
}

/// An active user of the company.
pub async fn find_active(reader: &mut Reader, company: CompanyId, id: &UserId) -> sqlx::Result<Option<User>> {
    let row: Option<Row> = reader
        .query("select * from users where company_id = $1 and id = $2 and active")
        .bind(company)
        .bind(id)
        .optional()
        .await?;
    row.map(user).transpose()
}

/// An active user of the company with that e-mail address, who has logged in at least once (spec 2.2, `userMail`).
pub async fn find_by_mail(reader: &mut Reader, company: CompanyId, mail: &str) -> sqlx::Result<Option<User>> {
    let row: Option<Row> = reader
        .query(
            "select * from users
             where company_id = $1 and lower(email) = lower($2) and active and logged_in order by id limit 1",
        )
        .bind(company)
        .bind(mail)
        .optional()
        .await?;
    row.map(user).transpose()
}

/// Every user of the company, including inactive ones.
pub async fn of_company(reader: &mut Reader, company: CompanyId) -> sqlx::Result<Vec<User>> {
    let rows: Vec<Row> =
        reader.query("select * from users where company_id = $1 order by id").bind(company).all().await?;
    rows.into_iter().map(user).collect()
}

/// Records that the user has logged in, so that `userMail` finds the user.
pub async fn set_logged_in(tx: &mut Tx, id: &UserId) -> sqlx::Result<()> {
    tx.query("update users set logged_in = true where id = $1 and not logged_in").bind(id).execute().await?;
    Ok(())
}

/// Inserts or updates the user. The caller has checked that it does not belong to another company.
pub async fn save(tx: &mut Tx, user: &User) -> sqlx::Result<()> {
    tx.query(
        "insert into users (id, company_id, username, email, name, kind, password_hash, oidc_subject, rights,
           logged_in, active)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         on conflict (id) do update set
           username = excluded.username, email = excluded.email, name = excluded.name, kind = excluded.kind,
           password_hash = excluded.password_hash, oidc_subject = excluded.oidc_subject, rights = excluded.rights,
           logged_in = excluded.logged_in, active = excluded.active",
    )
    .bind(&user.id)
    .bind(user.company)
    .bind(&user.username)
    .bind(&user.email)
    .bind(&user.name)
    .bind(user.kind)
    .bind(&user.password_hash)
    .bind(&user.oidc_subject)
    .bind(to_json(&user.rights))
    .bind(user.logged_in)
    .bind(user.active)
    .execute()
    .await?;
    Ok(())
}

fn user(row: Row) -> sqlx::Result<User> {
    Ok(User {
        id: row.id,
        company: row.company_id,
        username: row.username,
        email: row.email,
        name: row.name,
        kind: row.kind,
        password_hash: row.password_hash,
        oidc_subject: row.oidc_subject,
        rights: from_json("rights", &row.rights)?,
        logged_in: row.logged_in,
        active: row.active,
    })
}
