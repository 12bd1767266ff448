//! Keeping the index of words up to date. A change of a case only notes the case; this follows within a second.

use crate::{app::App, error::Result, store};

/// How many notes one transaction handles: on SQLite it blocks other writers.
const BATCH: i64 = 32;

/// Indexes some of the cases that have changed; false if there are none. After an upgrade these are all cases, the newest
/// first.
pub async fn catch_up(app: &App) -> Result<bool> {
    let mut reader = app.db.read().await?;
    let has_changes = store::case_word::has_changes(&mut reader).await?;
    drop(reader);
    if !has_changes {
        return Ok(false);
    }
    let mut tx = app.db.begin().await?;
    let indexed = async {
        // By identifier, as every transaction locks several cases.
        for case in store::case_word::take_changes(&mut tx, BATCH).await? {
            store::case_word::update(&mut tx, case).await?;
        }
        Ok(true)
    };
    let indexed = indexed.await;
    tx.settle(indexed).await
}
