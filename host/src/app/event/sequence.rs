//! Gives events their positions.
//!
//! A transaction that has an event does not take its position: of two that commit at the same time, the one with the
//! later number may be visible first, and a reader that has seen it would never see the other. So positions are given
//! afterwards, to committed events only, by one node at a time. The transactions do not wait for each other.

use std::collections::BTreeMap;

use crate::{
    db::{Db, Tx},
    domain::id::CompanyId,
    error::Result,
    store::{self, event::WaitingEvent},
};

/// How many events are placed in one transaction: on SQLite other writers wait for it.
const BATCH: i64 = 200;

/// Places every event that waits, and returns how many.
pub async fn place_waiting(db: &Db) -> Result<usize> {
    let mut placed = 0;
    loop {
        // Most of the time nothing waits: a read does not hold up the writers.
        let mut reader = db.read().await?;
        let waits = !store::event::waiting(&mut reader, 1).await?.is_empty();
        drop(reader);
        if !waits {
            return Ok(placed);
        }
        let mut tx = db.begin().await?;
        let batch = place_batch(&mut tx).await;
        placed += tx.settle(batch).await?;
    }
}

/// Places up to [`BATCH`] events. The turn is taken first, so what another node has placed is not read again.
async fn place_batch(tx: &mut Tx) -> sqlx::Result<usize> {
    let batch = store::event::take_turn(tx).await?;
    let waiting = store::event::waiting(tx, BATCH).await?;
    let mut heads: BTreeMap<CompanyId, i64> = BTreeMap::new();
    for WaitingEvent { id, company } in &waiting {
        let head = match heads.get(company) {
            Some(head) => *head,
            None => store::event::head(tx, *company).await?.position,
        };
        store::event::place(tx, *id, head + 1).await?;
        heads.insert(*company, head + 1);
    }
    for (company, position) in heads {
        store::event::set_head(tx, company, position, batch).await?;
    }
    Ok(waiting.len())
}
