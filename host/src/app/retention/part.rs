//! Parts of closed cases that expire before the case: the files of its items, and what was read in them. Their hashes, the
//! certificate and the verdict stay.

use super::expired::Expiring;
use crate::{
    app::audit::{self, Actor, Event},
    clock::Timestamp,
    db::{Reader, Tx},
    domain::id::{CaseId, CompanyId, ItemId},
    error::Result,
    store::{
        self,
        job::Work,
        retention::{Closed, DueCase, Place},
    },
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Originals,
    Facts,
}

impl Part {
    pub(super) const fn expiring(self) -> Expiring {
        match self {
            Self::Originals => Expiring::Originals,
            Self::Facts => Expiring::Facts,
        }
    }

    /// The name of the action in the audit log.
    const fn action(self) -> &'static str {
        match self {
            Self::Originals => "expireOriginals",
            Self::Facts => "expireFacts",
        }
    }

    /// The next cases with this part.
    pub(super) async fn due(
        self,
        reader: &mut Reader,
        company: CompanyId,
        closed: Closed,
        after: Place,
        most: i64,
    ) -> sqlx::Result<Vec<DueCase>> {
        match self {
            Self::Originals => store::retention::cases_with_originals(reader, company, closed, after, most).await,
            Self::Facts => store::retention::cases_with_facts(reader, company, closed, after, most).await,
        }
    }

    /// Gives the part of a case up for deletion, if it is still due. Jobs delete the bytes. Returns how many files or
    /// analyses go, and their bytes.
    pub(super) async fn expire(
        self,
        tx: &mut Tx,
        company: CompanyId,
        case: CaseId,
        before: Timestamp,
        now: Timestamp,
    ) -> Result<(i64, i64)> {
        let is_there = store::case::lock(tx, company, case).await?;
        if !is_there || !store::retention::is_part_due(tx, company, case, before).await? {
            return Ok((0, 0));
        }
        let (amount, bytes, items) = match self {
            Self::Originals => expire_originals(tx, case, now).await?,
            Self::Facts => {
                let (amount, items) = store::retention::expire_facts(tx, case, now).await?;
                (amount, 0, items)
            }
        };
        for item in items {
            store::job::enqueue(tx, Work::DeleteFile(item), now).await?;
        }
        if amount > 0 {
            let event = Event::done(self.action(), Some(company), Some(format!("case {case}")));
            audit::record(tx, now, &Actor::retention(), event.with_detail(amount.to_string())).await?;
        }
        Ok((amount, bytes))
    }
}

async fn expire_originals(tx: &mut Tx, case: CaseId, now: Timestamp) -> sqlx::Result<(i64, i64, Vec<ItemId>)> {
    let files = store::retention::originals(tx, case).await?;
    for (item, _) in &files {
        store::item::set_file_deleted(tx, *item, now).await?;
    }
    store::retention::set_originals_expired(tx, case, now).await?;
    let bytes = files.iter().map(|(_, bytes)| bytes).sum();
    let items: Vec<ItemId> = files.into_iter().map(|(item, _)| item).collect();
    Ok((i64::try_from(items.len()).unwrap_or(i64::MAX), bytes, items))
}
