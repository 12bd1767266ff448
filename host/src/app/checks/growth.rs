//! How long the space for files lasts, if as much is stored as in the last days.

use std::time::Duration;

use tokio::task::spawn_blocking;

use super::{check::Check, disk::DiskSpace};
use crate::{
    clock::Timestamp,
    config::Config,
    db::Db,
    error::Result,
    store::{self, growth::Growth},
};

const DAY: Duration = Duration::from_hours(24);
/// The days whose files are counted.
const COUNTED: Duration = Duration::from_hours(7 * 24);
/// Space that lasts fewer days is reported.
const FEW_DAYS: u64 = 30;

const PART: &str = "space for files";

/// The free space and the growth. Files and certificates are counted; facts, previews and the database are not.
pub(in crate::app) async fn check(config: &Config, db: &Db, now: Timestamp) -> Check {
    let daily = match daily_bytes(db, now).await {
        Ok(daily) => daily,
        Err(error) => {
            return Check::doubtful(PART, format!("the growth is not known: {error}"), "see the database's check");
        }
    };
    let Ok(folder) = config.blob_url.to_file_path() else { return of_bucket(daily) };
    let name = folder.display().to_string();
    match spawn_blocking(move || DiskSpace::of(&folder)).await {
        Ok(Ok(space)) => of_folder(&name, space, daily),
        Ok(Err(error)) => unknown(&name, &error),
        Err(error) => unknown(&name, &error),
    }
}

fn unknown(folder: &str, error: &dyn std::error::Error) -> Check {
    let remedy = "check that the folder of blob_url exists and can be read";
    Check::doubtful(PART, format!("the space of {folder} is not known: {error}"), remedy)
}

/// The bytes that a day adds; none if less than a day is known.
async fn daily_bytes(db: &Db, now: Timestamp) -> Result<Option<u64>> {
    let since = now.before(COUNTED);
    let mut reader = db.read().await?;
    let items = store::growth::of_items(&mut reader, since).await?;
    let certificates = store::growth::of_certificates(&mut reader, since).await?;
    Ok(daily(items, now).map(|bytes| bytes.saturating_add(daily(certificates, now).unwrap_or(0))))
}

fn daily(growth: Growth, now: Timestamp) -> Option<u64> {
    let Growth { bytes, oldest, is_cut } = growth;
    let span = now.since(oldest?).min(COUNTED);
    if span < DAY && !is_cut {
        return None;
    }
    let bytes = u128::try_from(bytes).unwrap_or(0);
    u64::try_from(bytes * DAY.as_millis() / span.as_millis().max(1)).ok()
}

fn of_folder(folder: &str, space: DiskSpace, daily: Option<u64>) -> Check {
    let free = format!("{} free ({} %) in {folder}", size(space.free), space.free_percent());
    let remedy = "add space, or let companies keep less: see Retention in the operator's guide";
    let Some(daily) = daily.filter(|daily| *daily > 0) else {
        let finding = format!("{free}; too little was stored in the last days for a forecast");
        return if space.is_little() { Check::doubtful(PART, finding, remedy) } else { Check::good(PART, finding) };
    };
    let days = space.free / daily;
    let finding = format!("{free}; {} a day were stored in the last days: full in about {days} days", size(daily));
    if days < FEW_DAYS || space.is_little() {
        Check::doubtful(PART, finding, remedy)
    } else {
        Check::good(PART, finding)
    }
}

/// The server does not know where a bucket ends.
fn of_bucket(daily: Option<u64>) -> Check {
    Check::good(
        PART,
        match daily {
            Some(daily) => format!("{} a day were stored in the bucket in the last days", size(daily)),
            None => "too little was stored in the bucket in the last days for a forecast".to_owned(),
        },
    )
}

fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 4] = [(1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")];
    match UNITS.iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => format!("{}.{} {name}", bytes / unit, bytes % unit * 10 / unit),
        None => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::checks::State;

    const NOW: Timestamp = Timestamp::from_millis(1_795_168_800_000);

    fn growth(bytes: i64, days: u32, is_cut: bool) -> Growth {
        Growth { bytes, oldest: Some(NOW.before(DAY.saturating_mul(days))), is_cut }
    }

    #[test]
    fn what_was_stored_in_up_to_seven_days_gives_the_bytes_of_a_day() {
        assert_eq!(daily(growth(700, 7, false), NOW), Some(100));
        // Older rows were not counted.
        assert_eq!(daily(growth(700, 400, false), NOW), Some(100));
        assert_eq!(daily(growth(700, 2, false), NOW), Some(350));
        let hour = Growth { oldest: Some(NOW.before(Duration::from_hours(1))), ..growth(700, 0, false) };
        assert_eq!(daily(hour, NOW), None, "an hour says nothing of a day");
        assert_eq!(daily(Growth { is_cut: true, ..hour }, NOW), Some(16_800));
        assert_eq!(daily(Growth { bytes: 0, oldest: None, is_cut: false }, NOW), None);
    }

    #[test]
    fn space_for_less_than_thirty_days_is_reported() {
        let space = DiskSpace { free: 30_000_000, total: 100_000_000 };
        let check = of_folder("/data/blobs", space, Some(1_000_000));
        assert_eq!(check.state, State::Good);
        assert_eq!(
            check.finding,
            "30.0 MB free (30 %) in /data/blobs; 1.0 MB a day were stored in the last days: full in about 30 days"
        );
        assert_eq!(of_folder("/data/blobs", space, Some(1_000_001)).state, State::Doubtful);
        assert_eq!(of_folder("/data/blobs", space, None).state, State::Good);
        let little = DiskSpace { free: 9_000_000, ..space };
        assert_eq!(of_folder("/data/blobs", little, None).state, State::Doubtful);
        assert_eq!(of_bucket(Some(1_250_000_000)).finding, "1.2 GB a day were stored in the bucket in the last days");
        assert_eq!([size(999), size(1000)], ["999 bytes", "1.0 kB"]);
    }

    #[tokio::test]
    async fn the_sizes_come_from_the_database() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open(&format!("sqlite://{}/test.db", folder.path().display())).await.unwrap();
        assert_eq!(daily_bytes(&db, NOW).await.unwrap(), None);
        let mut tx = db.begin().await.unwrap();
        for sql in [
            "insert into companies (id, name, document_analysis, certificate_template, rate_limits, analysis, updated_at)
             values (7, 'Acme', true, 'default', '{}', '{}', 0)",
            "insert into frames (id, company_id, name, shared_with_children, active, position)
             values (70, 7, 'Water', false, true, 0)",
            "insert into cases (id, company_id, frame_id, title, created_at, item_count) values (1, 7, 70, 'a', 0, 1)",
        ] {
            tx.query(sql).execute().await.unwrap();
        }
        for (days, bytes) in [(90_u32, 1_000_000_i64), (6, 3000), (1, 4000)] {
            tx.query(
                "insert into items (case_id, step_id, step_title, step_description, action, data, created_at, device,
                                    file_size) values (1, 1, '', '', '', '', $1, '{}', $2)",
            )
            .bind(NOW.before(DAY.saturating_mul(days)))
            .bind(bytes)
            .execute()
            .await
            .unwrap();
        }
        tx.query(
            "insert into certificates (case_id, share_token, frozen, size, rendered_at) values (1, 'a', '{}', 1400, $1)",
        )
        .bind(NOW.before(DAY.saturating_mul(7)))
        .execute()
        .await
        .unwrap();
        tx.commit().await.unwrap();
        assert_eq!(daily_bytes(&db, NOW).await.unwrap(), Some(1000 + 200));
    }
}
