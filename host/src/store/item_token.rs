//! Time-stamp tokens over items' files. Once a case has a certificate, the certificate contains the tokens stored here.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sealwright_seal::Sha256Digest;

use super::from_base64;
use crate::{
    db::{Reader, Tx},
    domain::id::{CaseId, ItemId},
};

/// A token over an item's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemToken {
    pub item: ItemId,
    pub der: Vec<u8>,
    /// Of the DER.
    pub sha256: Sha256Digest,
}

/// Stores a token, unless the item has one or is gone. The first one stays, because it may have been shown. The caller
/// has locked the row of the case (see [`super::case::lock_of_item`]), whose certificate is not rendered yet.
pub async fn insert(tx: &mut Tx, token: &ItemToken) -> sqlx::Result<()> {
    tx.query(
        "insert into item_tokens (item_id, der, sha256)
         select id, $2, $3 from items where id = $1
         on conflict (item_id) do nothing",
    )
    .bind(token.item)
    .bind(STANDARD.encode(&token.der))
    .bind(token.sha256)
    .execute()
    .await?;
    Ok(())
}

/// The tokens of a case's items, in the items' order.
pub async fn of_case(reader: &mut Reader, case: CaseId) -> sqlx::Result<Vec<ItemToken>> {
    let rows: Vec<(ItemId, String, Sha256Digest)> = reader
        .query(
            "select t.item_id, t.der, t.sha256 from item_tokens t join items i on i.id = t.item_id
             where i.case_id = $1 order by t.item_id",
        )
        .bind(case)
        .all()
        .await?;
    rows.into_iter().map(|(item, der, sha256)| Ok(ItemToken { item, der: from_base64("der", &der)?, sha256 })).collect()
}

/// The token of an item.
pub async fn find(reader: &mut Reader, item: ItemId) -> sqlx::Result<Option<ItemToken>> {
    let row: Option<(String, Sha256Digest)> =
        reader.query("select der, sha256 from item_tokens where item_id = $1").bind(item).optional().await?;
    row.map(|(der, sha256)| Ok(ItemToken { item, der: from_base64("der", &der)?, sha256 })).transpose()
}

/// Deletes the token of an item whose certificate was rendered without it.
pub async fn delete(tx: &mut Tx, item: ItemId) -> sqlx::Result<()> {
    tx.query("delete from item_tokens where item_id = $1").bind(item).execute().await?;
    Ok(())
}
