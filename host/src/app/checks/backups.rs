//! Backups on the schedule of the settings: whether the last complete one is too old.

use std::time::Duration;

use super::check::Check;
use crate::{clock::Timestamp, config::Config, db::Db, store};

/// How much longer than its interval a backup may take.
const MARGIN: Duration = Duration::from_mins(10);

/// Empty without a schedule, and if the database cannot be read, which its own check reports.
pub(in crate::app) async fn checks(config: &Config, db: &Db, now: Timestamp) -> Vec<Check> {
    if config.backup.to.is_none() {
        return Vec::new();
    }
    last(db).await.map_or_else(|_| Vec::new(), |last| vec![judge(config.backup.interval, last, now)])
}

async fn last(db: &Db) -> sqlx::Result<Option<Timestamp>> {
    let mut reader = db.read().await?;
    store::backup_turn::last_taken_at(&mut reader).await
}

fn judge(interval: Duration, last: Option<Timestamp>, now: Timestamp) -> Check {
    let remedy = "look for errors of backups in the server's log, and check that a server with workers runs";
    let Some(last) = last else { return Check::doubtful("backups", "none is complete", remedy) };
    let finding = format!("the last complete one is of {last}");
    if now.since(last) > 2 * interval + MARGIN {
        Check::doubtful("backups", finding, remedy)
    } else {
        Check::good("backups", finding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_backup_is_reported() {
        let (day, now) = (Duration::from_hours(24), Timestamp::from_millis(1_800_000_000_000));
        let is_good = |last| judge(day, last, now).remedy.is_none();
        assert!(!is_good(None));
        assert!(is_good(Some(now.before(2 * day))));
        assert!(!is_good(Some(now.before(2 * day + 2 * MARGIN))));
    }
}
