//! How much was stored in the last days. The database knows the sizes of files and certificates, wherever they are stored.

use crate::{clock::Timestamp, db::Reader};

/// How many of the newest rows are read, so that a large table costs no more than a small one.
const NEWEST: i64 = 100_000;

/// The newest rows of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Growth {
    /// Of those that were stored since a moment.
    pub bytes: i64,
    /// When the oldest of the rows was stored; none if there is no row.
    pub oldest: Option<Timestamp>,
    /// Whether there may be older rows.
    pub is_cut: bool,
}

/// The files of items.
pub async fn of_items(reader: &mut Reader, since: Timestamp) -> sqlx::Result<Growth> {
    reader
        .query(
            "select cast(coalesce(sum(case when stored_at >= $1 then bytes else 0 end), 0) as bigint) as bytes,
                    min(stored_at) as oldest, count(*) >= $2 as is_cut
             from (select created_at as stored_at, coalesce(file_size, 0) as bytes
                   from items order by id desc limit $2) newest",
        )
        .bind(since)
        .bind(NEWEST)
        .one()
        .await
}

/// The certificates.
pub async fn of_certificates(reader: &mut Reader, since: Timestamp) -> sqlx::Result<Growth> {
    reader
        .query(
            "select cast(coalesce(sum(case when stored_at >= $1 then bytes else 0 end), 0) as bigint) as bytes,
                    min(stored_at) as oldest, count(*) >= $2 as is_cut
             from (select rendered_at as stored_at, size as bytes
                   from certificates where size is not null order by case_id desc limit $2) newest",
        )
        .bind(since)
        .bind(NEWEST)
        .one()
        .await
}
