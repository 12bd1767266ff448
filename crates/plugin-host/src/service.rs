//! Who gets a turn, and who is out of service, so that one company's plugin can neither take all turns nor keep failing
//! at the expense of the others.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use sealwright_domain::id::CompanyId;
use sealwright_seal::digest::Sha256Digest;
use tokio::{
    sync::{AcquireError, OwnedSemaphorePermit, Semaphore},
    time,
};

use super::error::Failure;

/// How many failures in a row put a plugin out of a company's service.
const FAILURES_IN_A_ROW: u32 = 5;
/// How long it stays out. Then one call is tried, and its outcome decides.
const OUT_OF_SERVICE: Duration = Duration::from_mins(5);

/// Turns of one kind of call.
pub(super) struct Turns {
    all: Arc<Semaphore>,
    /// For each company, those of `all` that it may have at once.
    of_company: Mutex<HashMap<CompanyId, Arc<Semaphore>>>,
    share: usize,
}

/// Held for as long as a call runs.
pub(super) struct Turn {
    _of_company: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl Turns {
    /// `count` turns, of which one company gets half, but at least one.
    pub(super) fn new(count: usize) -> Self {
        Self::with_share(count, (count / 2).max(1))
    }

    /// `count` turns, of which one company gets `share`.
    pub(super) fn with_share(count: usize, share: usize) -> Self {
        Self { all: Arc::new(Semaphore::new(count)), of_company: Mutex::default(), share }
    }

    /// Waits for a turn, at most `timeout`.
    pub(super) async fn take(&self, company: CompanyId, timeout: Duration) -> Result<Turn, Failure> {
        let of_company = {
            let mut companies = self.of_company.lock();
            Arc::clone(companies.entry(company).or_insert_with(|| Arc::new(Semaphore::new(self.share))))
        };
        let all = Arc::clone(&self.all);
        let both = async {
            // The company's first: a call that waits for it must not block other companies.
            let of_company = of_company.acquire_owned().await?;
            let of_all = all.acquire_owned().await?;
            Ok::<_, AcquireError>(Turn { _of_company: of_company, _of_all: of_all })
        };
        match time::timeout(timeout, both).await {
            Ok(turn) => turn.map_err(|error| Failure::Host(error.to_string())),
            Err(_) => Err(Failure::Busy(timeout)),
        }
    }
}

/// The plugins that failed too often, for each company.
#[derive(Default)]
pub(super) struct Breakers {
    streaks: Mutex<HashMap<Subject, Streak>>,
}

/// A component in a company's service: another version of a plugin starts with no failures.
type Subject = (CompanyId, Sha256Digest);

#[derive(Clone, Copy, Default)]
struct Streak {
    failures: u32,
    /// When the next call may be tried, after too many failures.
    closed_until: Option<Instant>,
}

impl Breakers {
    /// Whether the component may be called now. After a pause, the caller must report the outcome.
    pub(super) fn admits(&self, company: CompanyId, digest: Sha256Digest) -> bool {
        let mut streaks = self.streaks.lock();
        let Some(streak) = streaks.get_mut(&(company, digest)) else { return true };
        match streak.closed_until {
            Some(until) if Instant::now() < until => false,
            Some(_) => {
                // One call tries; the others wait for its outcome.
                streak.closed_until = Some(Instant::now() + OUT_OF_SERVICE);
                true
            }
            None => true,
        }
    }

    /// Records the outcome of a call. Returns whether the component is out of service from now on.
    pub(super) fn note(&self, company: CompanyId, digest: Sha256Digest, failed: bool) -> bool {
        let subject = (company, digest);
        let mut streaks = self.streaks.lock();
        if !failed {
            streaks.remove(&subject);
            return false;
        }
        let streak = streaks.entry(subject).or_default();
        streak.failures = streak.failures.saturating_add(1);
        if streak.failures < FAILURES_IN_A_ROW {
            return false;
        }
        streak.closed_until = Some(Instant::now() + OUT_OF_SERVICE);
        streak.failures == FAILURES_IN_A_ROW
    }

    /// Whether the component is out of the company's service.
    pub(super) fn is_out(&self, company: CompanyId, digest: Sha256Digest) -> bool {
        let streaks = self.streaks.lock();
        streaks.get(&(company, digest)).is_some_and(|streak| streak.closed_until.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGEST: Sha256Digest = Sha256Digest([1; 32]);

    fn company(id: i64) -> CompanyId {
        CompanyId::new(id).unwrap()
    }

    #[tokio::test]
    async fn a_company_has_half_of_the_turns_and_leaves_the_rest() {
        let turns = Turns::new(4);
        let timeout = Duration::from_millis(20);
        let _held = [turns.take(company(1), timeout).await.unwrap(), turns.take(company(1), timeout).await.unwrap()];
        assert!(matches!(turns.take(company(1), timeout).await, Err(Failure::Busy(_))));
        let _other = turns.take(company(2), timeout).await.unwrap();
    }

    #[tokio::test]
    async fn a_single_core_still_has_a_turn_for_each() {
        let turns = Turns::new(1);
        drop(turns.take(company(1), Duration::from_millis(20)).await.unwrap());
        turns.take(company(2), Duration::from_millis(20)).await.unwrap();
    }

    #[test]
    fn five_failures_in_a_row_put_a_plugin_out_of_one_company_s_service() {
        let breakers = Breakers::default();
        for failure in 1..=4 {
            assert!(!breakers.note(company(1), DIGEST, true), "{failure}");
            assert!(breakers.admits(company(1), DIGEST));
        }
        assert!(breakers.note(company(1), DIGEST, true));
        assert!(!breakers.admits(company(1), DIGEST) && breakers.is_out(company(1), DIGEST));
        assert!(breakers.admits(company(2), DIGEST), "another company's service");
        assert!(breakers.admits(company(1), Sha256Digest([2; 32])), "another version");
    }

    #[test]
    fn a_success_in_between_resets_the_count() {
        let breakers = Breakers::default();
        for round in 0..10 {
            assert!(!breakers.note(company(1), DIGEST, round % 5 != 4));
        }
        assert!(breakers.admits(company(1), DIGEST));
    }
}
