//! Keeps the index of words of cases up to date.

use std::{sync::Arc, time::Duration};

use tokio_util::sync::CancellationToken;

use crate::app::{App, case_search::index};

/// How often the server looks for changed cases. Several changes of a case in between are indexed once.
const INTERVAL: Duration = Duration::from_millis(500);
/// After an error.
const PAUSE: Duration = Duration::from_secs(5);

/// Indexes cases that have changed, until `stop` is cancelled.
pub(super) async fn run(app: Arc<App>, stop: CancellationToken) {
    while !stop.is_cancelled() {
        let pause = match index::catch_up(&app).await {
            Ok(true) => continue,
            Ok(false) => INTERVAL,
            Err(error) => {
                tracing::warn!(%error, "the words of changed cases could not be indexed");
                PAUSE
            }
        };
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}
