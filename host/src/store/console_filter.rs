//! Searches that users of the console keep.

use crate::db::{Reader, Tx};

/// How many a user may keep.
pub const MOST_FILTERS: usize = 50;

#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct SavedFilter {
    pub id: i64,
    /// Unique among the user's.
    pub name: String,
    /// As in the page's address.
    pub query: String,
}

/// The user's, by name.
pub async fn of_user(reader: &mut Reader, user: i64) -> sqlx::Result<Vec<SavedFilter>> {
    let filters = reader.query("select id, name, query from console_filters where user_id = $1 order by name, id");
    filters.bind(user).all().await
}

/// Inserts the filter, or replaces the user's filter of this name.
pub async fn save(tx: &mut Tx, user: i64, name: &str, query: &str) -> sqlx::Result<()> {
    tx.query(
        "insert into console_filters (user_id, name, query) values ($1, $2, $3)
         on conflict (user_id, name) do update set query = excluded.query",
    )
    .bind(user)
    .bind(name)
    .bind(query)
    .execute()
    .await?;
    Ok(())
}

/// Deletes one of the user's.
pub async fn delete(tx: &mut Tx, user: i64, id: i64) -> sqlx::Result<()> {
    tx.query("delete from console_filters where user_id = $1 and id = $2").bind(user).bind(id).execute().await?;
    Ok(())
}
