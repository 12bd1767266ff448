//! The results of the checks of this node, kept for a minute, so that no page waits for an authority and no reload asks
//! one.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;
use tokio::time::timeout;

use super::{certificates::EndingCertificate, check::Check, disk::Disk};
use crate::{
    app::templates::examine::examine,
    certificate::Stamp,
    clock::{Clock, Timestamp},
};

/// The checks run at most once in this time.
const FRESH: Duration = Duration::from_mins(1);

/// What the checks of the running server found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveChecks {
    /// When the checks had ended.
    pub at: Timestamp,
    pub checks: Vec<Check>,
    pub certificates: Vec<EndingCertificate>,
    pub disks: Vec<Disk>,
}

/// The last results.
#[derive(Default)]
pub struct KeptChecks {
    last: Mutex<Option<Arc<LiveChecks>>>,
    /// Held while the checks run.
    running: Arc<tokio::sync::Mutex<()>>,
    /// Whether certificates can be made with a template, by its folder, and the state of the folder then.
    templates: Mutex<HashMap<PathBuf, (Stamp, bool)>>,
}

impl KeptChecks {
    /// The results of at most a minute ago. If there are none, `run` makes new ones in the background; if that takes
    /// longer than `patience`, the results are those of before. None: the first checks are running.
    pub(super) async fn latest<F>(
        self: &Arc<Self>,
        clock: &Clock,
        patience: Duration,
        run: impl FnOnce() -> F,
    ) -> Option<Arc<LiveChecks>>
    where
        F: Future<Output = LiveChecks> + Send + 'static,
    {
        if let Some(fresh) = self.fresh(clock.now()) {
            return Some(fresh);
        }
        if let Ok(turn) = Arc::clone(&self.running).try_lock_owned()
            // Another run may have ended in between.
            && self.fresh(clock.now()).is_none()
        {
            let (kept, checks) = (Arc::clone(self), run());
            tokio::spawn(async move {
                let found = Arc::new(checks.await);
                *kept.last.lock() = Some(found);
                drop(turn);
            });
        }
        drop(timeout(patience, self.running.lock()).await);
        self.last.lock().clone()
    }

    fn fresh(&self, now: Timestamp) -> Option<Arc<LiveChecks>> {
        let last = self.last.lock().clone();
        last.filter(|last| now < last.at.after(FRESH))
    }

    /// Whether certificates can be made with the template in `folder`. A folder that has not changed is not examined
    /// again.
    pub(super) fn is_usable_template(&self, folder: &Path) -> anyhow::Result<bool> {
        let stamp = Stamp::of(folder).ok();
        let known = self.templates.lock().get(folder).cloned();
        if let (Some(stamp), Some((examined, is_usable))) = (&stamp, known)
            && *stamp == examined
        {
            return Ok(is_usable);
        }
        let is_usable = examine(folder)?.usable;
        if let Some(stamp) = stamp {
            self.templates.lock().insert(folder.to_owned(), (stamp, is_usable));
        }
        Ok(is_usable)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::sync::Notify;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);
    const PATIENCE: Duration = Duration::from_millis(100);

    fn found_at(at: Timestamp) -> LiveChecks {
        LiveChecks { at, checks: Vec::new(), certificates: Vec::new(), disks: Vec::new() }
    }

    #[tokio::test]
    async fn checks_run_once_a_minute_however_many_ask() {
        let (kept, clock, runs) = (Arc::new(KeptChecks::default()), Clock::held(NOW), Arc::new(AtomicUsize::new(0)));
        let run = || {
            let (clock, runs) = (clock.clone(), Arc::clone(&runs));
            async move {
                runs.fetch_add(1, Ordering::SeqCst);
                tokio::task::yield_now().await;
                found_at(clock.now())
            }
        };
        let (first, second) = tokio::join!(kept.latest(&clock, PATIENCE, run), kept.latest(&clock, PATIENCE, run));
        assert_eq!((first.unwrap().at, second.unwrap().at), (NOW, NOW));
        clock.advance(FRESH.saturating_sub(Duration::from_millis(1)));
        assert_eq!(kept.latest(&clock, PATIENCE, run).await.unwrap().at, NOW);
        assert_eq!(runs.load(Ordering::SeqCst), 1);
        clock.advance(Duration::from_millis(1));
        assert_eq!(kept.latest(&clock, PATIENCE, run).await.unwrap().at, NOW.after(FRESH));
        assert_eq!(runs.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn a_page_does_not_wait_for_slow_checks() {
        let (kept, clock, go) = (Arc::new(KeptChecks::default()), Clock::held(NOW), Arc::new(Notify::new()));
        let run = || {
            let (clock, go) = (clock.clone(), Arc::clone(&go));
            async move {
                go.notified().await;
                found_at(clock.now())
            }
        };
        assert_eq!(kept.latest(&clock, PATIENCE, run).await, None);
        assert_eq!(kept.latest(&clock, PATIENCE, run).await, None, "the same run goes on");
        go.notify_one();
        assert_eq!(kept.latest(&clock, PATIENCE, run).await.unwrap().at, NOW);
        clock.advance(FRESH);
        assert_eq!(kept.latest(&clock, PATIENCE, run).await.unwrap().at, NOW, "that of before");
        go.notify_one();
        assert_eq!(kept.latest(&clock, PATIENCE, run).await.unwrap().at, NOW.after(FRESH));
    }
}
