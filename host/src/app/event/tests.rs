//! Placing and deleting events, on a held clock.

use super::*;
use crate::{app::test_app::open_in, clock::Clock};

const NOW: Timestamp = Timestamp::from_millis(1_795_168_800_000);
const DAY: Duration = Duration::from_hours(24);

fn company(id: i64) -> CompanyId {
    CompanyId::new(id).unwrap()
}

async fn add(app: &App, id: i64, case: i64, happened_at: Timestamp) {
    let mut tx = app.db.begin().await.unwrap();
    let case = CaseId::new(case).unwrap();
    store::event::insert(&mut tx, company(id), case, EventKind::Closed, happened_at).await.unwrap();
    tx.commit().await.unwrap();
}

/// Positions and cases of a page.
async fn page(app: &App, id: i64, after: Option<i64>) -> Result<Vec<(i64, i64)>> {
    let query = EventQuery { after: after.map(EventCursor::behind), limit: 100, wait: Duration::ZERO };
    let page = next_page(app, company(id), query).await?;
    Ok(page.events.iter().map(|event| (event.cursor.position(), event.case_id.get())).collect())
}

#[tokio::test]
async fn each_company_has_a_feed_without_gaps_whose_beginning_expires() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::held(NOW);
    let app = open_in(folder.path(), clock.clone()).await;
    for case in 1..=300 {
        add(&app, 1 + case % 2, case, NOW).await;
    }
    assert!(page(&app, 1, None).await.unwrap().is_empty());
    assert_eq!(place_waiting(&app.db).await.unwrap(), 300);
    assert_eq!(place_waiting(&app.db).await.unwrap(), 0);
    let first: Vec<(i64, i64)> = (1..=100).map(|position| (position, 2 * position)).collect();
    assert_eq!(page(&app, 1, None).await.unwrap(), first);
    assert_eq!(page(&app, 1, Some(149)).await.unwrap(), [(150, 300)]);
    assert_eq!(page(&app, 2, Some(148)).await.unwrap(), [(149, 297), (150, 299)]);
    assert!(page(&app, 3, None).await.unwrap().is_empty());
    assert!(matches!(page(&app, 1, Some(151)).await, Err(Error::Gone(_))));

    // The clock of another node is behind: its event is old, but not at the beginning.
    add(&app, 1, 301, NOW.after(20 * DAY)).await;
    add(&app, 1, 302, NOW).await;
    place_waiting(&app.db).await.unwrap();
    clock.advance(31 * DAY);
    assert_eq!(forget_old(&app).await.unwrap(), 300);
    assert_eq!(forget_old(&app).await.unwrap(), 0);
    assert_eq!(page(&app, 1, None).await.unwrap(), [(151, 301), (152, 302)]);
    assert_eq!(page(&app, 1, Some(150)).await.unwrap(), [(151, 301), (152, 302)]);
    assert!(matches!(page(&app, 1, Some(149)).await, Err(Error::Gone(_))));

    // The places of deleted events are not used again.
    assert!(page(&app, 2, None).await.unwrap().is_empty());
    assert!(matches!(page(&app, 2, Some(0)).await, Err(Error::Gone(_))));
    add(&app, 2, 303, NOW.after(31 * DAY)).await;
    place_waiting(&app.db).await.unwrap();
    assert_eq!(page(&app, 2, None).await.unwrap(), [(151, 303)]);
}
