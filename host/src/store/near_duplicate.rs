//! Finds pictures of a company that look alike: perceptual hashes, split into bands that are looked up by equality
//! (`sealwright_facts::near`).

use sealwright_facts::near::{self, Reach};

use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::id::{CaseId, CompanyId, ItemId},
};

/// All pictures up to this distance are found; none beyond it counts as alike.
const REACH: Reach = Reach::Seven;
/// The most rows of one band. There are more only if one picture was sent many times, and then any of them shows it.
const MAX_PER_BAND: i64 = 500;

/// The look-up in one band: its own value and the sixteen that differ from it in one bit.
macro_rules! select {
    ($band:literal) => {
        concat!(
            "select h.item_id, i.case_id, i.file_sha256 = own.file_sha256, h.hash, i.created_at
             from picture_hashes h join items i on i.id = h.item_id join items own on own.id = $2
             where h.company_id = $1 and h.item_id <> $2 and i.created_at <= $3 and h.",
            $band,
            " in ($5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
             order by h.item_id desc limit $4"
        )
    };
}

/// A picture that looks like another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    pub item: ItemId,
    pub case: CaseId,
    pub same_file: bool,
    /// Bits of the hash that differ.
    pub distance: u32,
    pub received_at: Timestamp,
}

/// Stores the hash of an item's picture. An existing one stays.
pub async fn insert(tx: &mut Tx, company: CompanyId, item: ItemId, hash: u64) -> sqlx::Result<()> {
    let [first, second, third, fourth] = near::bands(hash).map(i64::from);
    tx.query(
        "insert into picture_hashes (item_id, company_id, hash, band0, band1, band2, band3)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (item_id) do nothing",
    )
    .bind(item)
    .bind(company)
    .bind(hash.cast_signed())
    .bind(first)
    .bind(second)
    .bind(third)
    .bind(fourth)
    .execute()
    .await?;
    Ok(())
}

/// The other pictures of the company that look like an item's and were received until `until`, the nearest first, among
/// equal ones the oldest. Costs one look-up for each band, however many pictures there are.
pub async fn of_item(
    reader: &mut Reader,
    company: CompanyId,
    item: ItemId,
    hash: u64,
    until: Option<Timestamp>,
) -> sqlx::Result<Vec<Near>> {
    const BY_BAND: [&str; near::BANDS] = [select!("band0"), select!("band1"), select!("band2"), select!("band3")];
    type Row = (ItemId, CaseId, bool, i64, Timestamp);
    let until = until.unwrap_or(Timestamp::from_millis(i64::MAX));
    let mut found: Vec<Near> = Vec::new();
    for (sql, values) in BY_BAND.into_iter().zip(near::probes(hash, REACH)) {
        let mut query = reader.query(sql).bind(company).bind(item).bind(until).bind(MAX_PER_BAND);
        for value in values {
            query = query.bind(i64::from(value));
        }
        let rows: Vec<Row> = query.all().await?;
        for (item, case, same_file, other, received_at) in rows {
            let distance = near::distance(hash, other.cast_unsigned());
            if distance <= REACH.distance() && !found.iter().any(|near| near.item == item) {
                found.push(Near { item, case, same_file, distance, received_at });
            }
        }
    }
    found.sort_by_key(|near| (near.distance, near.item));
    Ok(found)
}

/// The other pictures of the company that look like an item's, whenever they were received. None if the item has no
/// picture's hash.
pub async fn of_shown(reader: &mut Reader, company: CompanyId, item: ItemId) -> sqlx::Result<Vec<Near>> {
    let row: Option<(i64,)> =
        reader.query("select hash from picture_hashes where item_id = $1").bind(item).optional().await?;
    match row {
        Some((hash,)) => of_item(reader, company, item, hash.cast_unsigned(), None).await,
        None => Ok(Vec::new()),
    }
}
