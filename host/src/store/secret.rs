//! The server's own secrets, encrypted.

use crate::db::{Reader, Tx};

pub async fn find(reader: &mut Reader, name: &str) -> sqlx::Result<Option<String>> {
    let row: Option<(String,)> =
        reader.query("select ciphertext from secrets where name = $1").bind(name).optional().await?;
    Ok(row.map(|(ciphertext,)| ciphertext))
}

/// Stores the secret unless one with this name exists (another node was faster).
pub async fn insert_if_absent(tx: &mut Tx, name: &str, ciphertext: &str) -> sqlx::Result<()> {
    tx.query("insert into secrets (name, ciphertext) values ($1, $2) on conflict (name) do nothing")
        .bind(name)
        .bind(ciphertext)
        .execute()
        .await?;
    Ok(())
}
