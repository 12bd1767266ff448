//! Passkeys of users of the console.

use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
};

#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ConsolePasskey {
    pub id: i64,
    #[sqlx(rename = "user_id")]
    pub user: i64,
    /// As the authenticator names it, base64url.
    pub credential: String,
    /// The public key, `SubjectPublicKeyInfo` in base64url.
    pub spki: String,
    /// Of the last signature; 0 if the authenticator does not count.
    pub counter: i64,
    /// For the user.
    pub name: String,
    pub created_at: Timestamp,
    /// When it was used last; none if never.
    pub used_at: Option<Timestamp>,
}

/// A passkey to store; the database gives it its identifier.
#[derive(Clone, Debug)]
pub struct NewConsolePasskey<'p> {
    pub user: i64,
    pub credential: &'p str,
    pub spki: &'p str,
    pub counter: i64,
    pub name: &'p str,
    pub created_at: Timestamp,
}

/// The passkeys of a user, the oldest first.
pub async fn of_user(reader: &mut Reader, user: i64) -> sqlx::Result<Vec<ConsolePasskey>> {
    reader.query("select * from console_passkeys where user_id = $1 order by id").bind(user).all().await
}

/// Locks the user's row until the transaction ends, so that no passkey of the user comes or goes meanwhile. A statement of
/// its own: the next one then sees what others have committed.
pub async fn lock(tx: &mut Tx, user: i64) -> sqlx::Result<()> {
    tx.query("update console_users set passkeys = passkeys where id = $1").bind(user).execute().await?;
    Ok(())
}

/// Inserts a passkey; none if a user has it already.
pub async fn insert(tx: &mut Tx, new: &NewConsolePasskey<'_>) -> sqlx::Result<Option<i64>> {
    lock(tx, new.user).await?;
    let row: Option<(i64,)> = tx
        .query(
            "insert into console_passkeys (user_id, credential, spki, counter, name, created_at)
             values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning id",
        )
        .bind(new.user)
        .bind(new.credential)
        .bind(new.spki)
        .bind(new.counter)
        .bind(new.name)
        .bind(new.created_at)
        .optional()
        .await?;
    count(tx, new.user).await?;
    Ok(row.map(|(id,)| id))
}

/// Records a signature with this counter; false if another one was recorded in the meantime.
pub async fn set_used(tx: &mut Tx, passkey: &ConsolePasskey, counter: i64, now: Timestamp) -> sqlx::Result<bool> {
    let updated = tx
        .query("update console_passkeys set counter = $2, used_at = $3 where id = $1 and counter = $4")
        .bind(passkey.id)
        .bind(counter)
        .bind(now)
        .bind(passkey.counter)
        .execute()
        .await?;
    Ok(updated == 1)
}

/// Deletes one of a user's passkeys. Returns whether it was there.
pub async fn delete(tx: &mut Tx, user: i64, id: i64) -> sqlx::Result<bool> {
    lock(tx, user).await?;
    let deleted =
        tx.query("delete from console_passkeys where user_id = $1 and id = $2").bind(user).bind(id).execute().await?;
    count(tx, user).await?;
    Ok(deleted == 1)
}

/// Deletes all passkeys of a user.
pub async fn delete_all(tx: &mut Tx, user: i64) -> sqlx::Result<()> {
    lock(tx, user).await?;
    tx.query("delete from console_passkeys where user_id = $1").bind(user).execute().await?;
    count(tx, user).await
}

/// Keeps the number at the user, whose row is locked.
async fn count(tx: &mut Tx, user: i64) -> sqlx::Result<()> {
    tx.query(
        "update console_users set passkeys = (select count(*) from console_passkeys where user_id = $1) where id = $1",
    )
    .bind(user)
    .execute()
    .await?;
    Ok(())
}
