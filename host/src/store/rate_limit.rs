//! The counters of rate limits that nodes share. Only PostgreSQL has rows here: SQLite is used by one node, which
//! counts in its memory. So this statement, unlike every other, is written for PostgreSQL only.

use std::time::Duration;

use crate::{clock::Timestamp, db::Tx};

/// The decision about requests that arrived together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// How many of them are admitted.
    pub admitted: u32,
    /// How many requests are in the window now, including these.
    pub used: u32,
    /// Until the oldest of those leaves the window.
    pub reset: Duration,
    /// When the decision was made, by the database's clock.
    pub at: Timestamp,
}

/// The precision of a counter's row.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    pub window: Duration,
    /// While the row has fewer moments than this, each request is counted for the window to the millisecond.
    pub exact: usize,
    /// Beyond that it is counted until the next multiple of this, so that the row stays small.
    pub step: Duration,
}

/// Admits as many of `requests` as keep the counter within `limit` in any window, and counts those. The row's lock puts
/// the decisions of all nodes in one order, and each uses the database's clock after the lock was acquired, so that
/// nodes whose clocks differ share one window.
///
/// One round trip, except for the first request of a counter.
pub async fn admit(
    tx: &mut Tx,
    counter: &str,
    requests: usize,
    limit: u32,
    measure: Measure,
) -> sqlx::Result<Decision> {
    loop {
        let row: Option<(i64, i64, i64, Timestamp)> = tx
            .query(
                // `until` are the moments at which counted requests leave the window, ascending, and `counts` how many do.
                // A clock that was set back must not put the order out.
                "update rate_windows as r set (until, counts, used, admitted, decided_at) = (
                   select case new.n when 0 then kept.until else kept.until || new.until end,
                          case new.n when 0 then kept.counts else kept.counts || new.n end,
                          kept.used + new.n, new.n, clock.now
                   from (
                     select greatest(r.decided_at, cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint))
                       as now
                   ) as clock
                   cross join lateral (
                     select coalesce(array_agg(until order by until), '{}') as until,
                            coalesce(array_agg(n order by until), '{}') as counts,
                            cast(coalesce(sum(n), 0) as bigint) as used
                     from (
                       select until, cast(sum(n) as bigint) as n from unnest(r.until, r.counts) as entry (until, n)
                       where until > clock.now group by until
                     ) as entry
                   ) as kept
                   cross join lateral (
                     select greatest(0, least($2, $3 - kept.used)) as n,
                            case when cardinality(kept.until) < $5
                              then greatest(clock.now + $4, kept.until[cardinality(kept.until)])
                              else (clock.now + $4 + $6 - 1) / $6 * $6 end as until
                   ) as new
                 )
                 where counter = $1
                 returning admitted, used, coalesce(until[1] - decided_at, 0), decided_at",
            )
            .bind(counter)
            .bind(i64::try_from(requests).unwrap_or(i64::MAX))
            .bind(i64::from(limit))
            .bind(millis(measure.window))
            .bind(i64::try_from(measure.exact).unwrap_or(i64::MAX))
            .bind(millis(measure.step))
            .optional()
            .await?;
        if let Some((admitted, used, reset, at)) = row {
            return Ok(Decision {
                admitted: u32::try_from(admitted).unwrap_or(0),
                used: u32::try_from(used).unwrap_or(u32::MAX),
                reset: Duration::from_millis(u64::try_from(reset).unwrap_or(0)),
                at,
            });
        }
        // Another node may do the same, or housekeeping may delete the row again: the update decides.
        tx.query(
            "insert into rate_windows (counter, until, counts, used, admitted, decided_at)
             values ($1, '{}', '{}', 0, 0, 0) on conflict (counter) do nothing",
        )
        .bind(counter)
        .execute()
        .await?;
    }
}

/// Deletes the counters whose window is empty. Returns how many.
pub async fn delete_idle(tx: &mut Tx) -> sqlx::Result<u64> {
    tx.query(
        "delete from rate_windows
         where coalesce(until[cardinality(until)], 0) < cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)",
    )
    .execute()
    .await
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
